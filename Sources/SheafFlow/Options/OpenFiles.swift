import SheafBytes

/// How many files a run may have open at once: a sum of named consumers, as `MemoryBudget` is one of memory.
///
///     kept       outputs, locks, what Dispatch waits with, and what is opened for a moment
///     reading    sources, spools of rejected lines, state being written
///     merging    files of state, and the one that they become
///
/// Reading is over when merging begins. No result depends on any of this.
///
/// The sum is kept to: Dispatch looks at its threads through files, and ends the process where it can't open one.
struct OpenFiles: Equatable {
    /// Sources that are read at once.
    let sources: Int
    /// Spools of rejected lines that are open at once; the others are closed between two writes.
    let spools: Int
    /// Threads that write state at once.
    let writers: Int
    /// Whether the state of a checkpoint may wait in open files until it is on the disk, one for each thread.
    let keepsDumps: Bool
    /// Files of state that are merged at once. More of them are merged in several passes.
    let merged: Int

    /// The fewest files with which a run works.
    static let least = Limits.keptFiles + 3

    /// - Throws: `ReplayError.usage` when a run can't work with as many as the system allows.
    init(_ options: ReplayOptions) throws(ReplayError) {
        let available = options.openFiles ?? ProcessFiles.available
        try Self.check(available: available)
        self.init(available: available, threads: options.threads)
    }

    /// - Throws: `ReplayError.usage` when so few files can't be worked with.
    static func check(available: Int) throws(ReplayError) {
        guard available < least else { return }
        throw .usage(
            "only \(max(0, available)) more files can be opened, and \(least) are needed: raise the limit on open files "
                + "(ulimit -n)")
    }

    /// - Parameter available: how many files can be opened, `least` or more.
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

/// For what opens files without a replay.
public enum OpenFileLimit {
    /// - Throws: `ReplayError.usage` when the system allows too few open files to work with.
    public static func check() throws(ReplayError) { try OpenFiles.check(available: ProcessFiles.available) }
}
