import SheafBytes

/// The budget of open files for a run: a sum of named consumers, as `MemoryBudget` is for memory.
///
///     kept       outputs, locks, Dispatch's descriptors, and files that are opened briefly
///     reading    sources, spools of rejected lines, state being written
///     merging    the input files of a merge, and its output
///
/// Reading is over when merging begins. No result depends on this budget.
///
/// The budget is a hard limit: Dispatch inspects its threads through files, and aborts the process when it can't open
/// one.
struct OpenFiles: Equatable {
    /// The number of sources that are read at once.
    let sources: Int
    /// The maximum number of open spools of rejected lines; the others are closed between writes.
    let spools: Int
    /// The number of threads that may write state at once.
    let writers: Int
    /// Whether the state files of a checkpoint, one per thread, may stay open until they are synced.
    let keepsDumps: Bool
    /// The maximum number of state files in one merge. More files take several passes.
    let merged: Int

    /// The minimum number of files that a run needs.
    static let minimum = Limits.keptFiles + 3

    /// - Throws: `ReplayError.usage` when the system allows fewer open files than a run needs.
    ///
    /// - Parameter limit: the number of files that may be open; nil for the system's limit.
    init(limit: Int? = nil, threads: Int) throws(ReplayError) {
        let available = limit ?? ProcessFiles.available
        try Self.check(available: available)
        self.init(available: available, threads: threads)
    }

    /// - Throws: `ReplayError.usage` when `available` is less than `minimum`.
    static func check(available: Int) throws(ReplayError) {
        guard available < minimum else { return }
        throw .usage(
            "only \(max(0, available)) more files can be opened, and \(minimum) are needed: raise the limit on open "
                + "files (ulimit -n)")
    }

    /// - Parameter available: the number of files that can be opened, at least `minimum`.
    init(available: Int, threads: Int) {
        let free = available - Limits.keptFiles
        spools = min(max(1, free / 4), Limits.openSpools)
        writers = min(max(1, free / 4), threads)
        keepsDumps = free / 4 >= threads
        let others = spools + writers + (keepsDumps ? threads : 0)
        sources = min(max(1, free - others), Limits.openSources(threads: threads))
        merged = min(max(2, free - 1), Limits.mergedFiles)
    }
}

/// Checks the limit on open files for callers that open files without a replay.
package enum OpenFileLimit {
    /// - Throws: `ReplayError.usage` when the system allows too few open files.
    package static func check() throws(ReplayError) { try OpenFiles.check(available: ProcessFiles.available) }
}
