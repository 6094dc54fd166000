import SheafBytes

/// The memory budget of a run: a sum of named consumers. The state gets what the other consumers leave.
///
///     program     code, stacks, memory that the allocator retains
///     work units     chunks in flight and their decoded records
///     readers     compressed bytes, windows of gzip and of zstd, incomplete lines
///     outputs     windows and tables of outputs that are compressed with zstd
///     pieces      groups being rendered: encoded, as states, and as lines
///     merging     frames of the files that are merged, and the merged groups
///     state       tables, arenas, tracked notifications: an equal share for each shard
///
/// A frame with a large window takes memory from the state: `windows()` has the limit, and `shard(beside:)` what is
/// left. While files are merged, no shard holds state. The merge then uses half of the state's share, and groups that
/// are sorted again use the other half.
struct MemoryBudget: Equatable {
    /// The whole budget, in bytes.
    let total: Int
    /// The memory for all groups and notifications of one result, in bytes.
    let state: Int
    private let threads: Int
    /// The number of results that the run makes of the records, each with state of its own.
    private let branches: Int
    /// The memory of all consumers except the state, in bytes.
    private let fixed: Int

    /// One shard's share of the state, in bytes.
    var shard: Int { state / threads }

    /// One shard's share of the state while sources take `borrowedBytes` from it for windows, in bytes.
    func shard(beside borrowedBytes: Int) -> Int {
        min(shard, (total - fixed - borrowedBytes) / (threads * branches))
    }

    /// Returns the account of the memory that sources take for windows. Together they leave every shard its minimum.
    func windows() -> WindowMemory {
        let spare = total - fixed - branches * threads * Limits.minimumShardBytes
        let limit = Limits.windowBytes + spare / Limits.openSources(threads: threads)
        return WindowMemory(reserved: Limits.windowBytes, limit: limit)
    }

    /// The memory for a table that is filled while files are merged, in bytes.
    var table: Int { min(state / 2, Limits.maximumTableBytes) }

    /// The memory for merging files, in bytes.
    private var merging: Int { Self.mergingBytes + state / 2 }

    /// The maximum length of a frame in a file that another run may have written, in bytes.
    var largestFrame: Int { max(Limits.minimumFrameLimit, total / 4) }

    /// Returns the number of files to merge at once, counted from the first: as many as memory has room for, but at
    /// least two, since merging would not terminate otherwise.
    ///
    /// - Parameters:
    ///   - largestFrames: each file's longest frame, in bytes.
    ///   - limit: the maximum number of open files for the merge.
    func mergeable(_ largestFrames: some Sequence<Int>, atMost limit: Int) -> Int {
        var count = 0
        var bytes = 0
        for largestFrame in largestFrames.prefix(limit) {
            bytes += Limits.mergedFrameCopies * max(largestFrame, Limits.frameBytes)
            if count >= 2, bytes > merging { break }
            count += 1
        }
        return count
    }

    /// - Parameter branches: the number of results that the run makes of the records.
    /// - Throws: `ReplayError.usage` when the memory is insufficient; the message names the minimum.
    init(_ options: ReplayOptions, branches: Int = 1) throws(ReplayError) {
        self.branches = branches
        let minimum = Self.minimum(options, branches)
        total = options.memory ?? max(CurrentProcess.usableBytes / 2, minimum)
        guard total >= minimum else {
            let remedy =
                options.threads > 1
                ? "fewer --threads or a smaller --max-line need less" : "a smaller --max-line needs less"
            throw .usage(
                "\(Self.text(total)) of memory is too little: \(options.threads) "
                    + "thread\(options.threads == 1 ? "" : "s") and lines of up to \(Self.text(options.maximumLine)) need at "
                    + "least \(Self.text((minimum + Self.mebibyte - 1) / Self.mebibyte * Self.mebibyte)); \(remedy)"
            )
        }
        threads = options.threads
        fixed = Self.fixed(options, branches)
        state = min(
            (total - fixed) / branches, options.stateBytes ?? .max, threads * Limits.maximumTableBytes)
    }

    private static let mebibyte = 1 << 20

    /// A size in the largest unit that yields a whole number.
    private static func text(_ bytes: Int) -> String {
        for (unit, name) in [(mebibyte, "MiB"), (1 << 10, "KiB")] where bytes > 0 && bytes % unit == 0 {
            return "\(bytes / unit) \(name)"
        }
        return "\(bytes) bytes"
    }

    /// The minimum memory for a run with these options, in bytes.
    static func minimum(_ options: ReplayOptions, _ branches: Int = 1) -> Int {
        fixed(options, branches) + branches * options.threads * Limits.minimumShardBytes
    }

    /// The memory of all consumers except the state, in bytes.
    private static func fixed(_ options: ReplayOptions, _ branches: Int) -> Int {
        let chunk = options.chunks.capacity
        // Decoded notifications take half as much memory as a chunk, or little more: see `Limits.partBytes`.
        let units =
            branches * Limits.chunks(threads: options.threads)
            * (Chunk.leadBytes + chunk + options.chunks.targetBytes / 2 + Chunk.lineFeedBytes)
        let readers =
            Limits.openSources(threads: options.threads) * (Limits.readerBytes + Limits.windowBytes + chunk)
        let pieces = 2 * options.threads * (2 * Limits.pieceBytes + Limits.temporaryStoreBytes)
        let files = [options.files.result, options.files.rejects, options.files.statistics]
        let compressed =
            files.count { $0.flatMap { OutputCompression(path: $0) } == .zstd }
            + (options.compressesSlices ? 1 : 0)
        return Limits.programBytes + units + readers + pieces + mergingBytes
            + compressed * Limits.zstdOutputBytes
    }

    private static let mergingBytes = Limits.mergedFiles * Limits.frameBytes * 2
}

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
package struct OpenFiles: Equatable {
    /// The number of sources that are read at once.
    package let sources: Int
    /// The maximum number of open spools of rejected lines; the others are closed between writes.
    package let spools: Int
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
    package init(limit: Int? = nil, threads: Int) throws(ReplayError) {
        let available = limit ?? CurrentProcess.availableFiles
        try Self.check(available: available)
        self.init(available: available, threads: threads)
    }

    /// Checks the system's limit, for callers that open files without a run.
    ///
    /// - Parameter available: the number of files that can be opened.
    /// - Throws: `ReplayError.usage` when `available` is less than `minimum`.
    package static func check(available: Int = CurrentProcess.availableFiles) throws(ReplayError) {
        guard available < minimum else { return }
        throw .usage(
            "only \(max(0, available)) more files can be opened, and \(minimum) are needed: raise the limit on open "
                + "files (ulimit -n)")
    }

    /// - Parameter available: the number of files that can be opened, at least `minimum`.
    package init(available: Int, threads: Int) {
        let free = available - Limits.keptFiles
        spools = min(max(1, free / 4), Limits.openSpools)
        writers = min(max(1, free / 4), threads)
        keepsDumps = free / 4 >= threads
        let others = spools + writers + (keepsDumps ? threads : 0)
        sources = min(max(1, free - others), Limits.openSources(threads: threads))
        merged = min(max(2, free - 1), Limits.mergedFiles)
    }
}
