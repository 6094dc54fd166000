import SheafBytes

/// What a run may hold in memory: a sum of named consumers, of which the state is given what the others leave.
///
///     program     code, stacks, what the allocator keeps
///     parcels     chunks on their way, and what decoding makes of them
///     readers     compressed bytes, zlib's windows, half lines
///     pieces      groups on their way into a snapshot, encoded, as states, and as lines
///     merging     frames of the files that are merged, and the groups that are made of them
///     state       tables, arenas, tracked notifications: an equal share for each shard
///
/// While files are merged no shard holds state: half of what the state is given is the merge's, half is for groups that
/// are sorted again.
struct MemoryBudget: Equatable {
    /// All of it, in bytes.
    let total: Int
    /// What groups and notifications may take together, in bytes.
    let state: Int
    private let threads: Int

    /// One shard's share of the state.
    var shard: Int { state / threads }

    /// What a table may take that is filled while files are merged, in bytes.
    var table: Int { state / 2 }

    /// What merging files may take, in bytes.
    private var merging: Int { Self.mergingBytes + state / 2 }

    /// The longest frame that is read of a file that another run may have written, in bytes.
    var largestFrame: Int { max(Limits.leastFrameLimit, total / 4) }

    /// How many of the first files are merged at once: as many as memory has room for, and at least two, without which
    /// merging would not end.
    ///
    /// - Parameters:
    ///   - largestFrames: each file's longest frame, in bytes.
    ///   - limit: how many files may be open for it.
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

    /// - Throws: `ReplayError.usage` when so little can't be worked in; it names the least that can.
    init(_ options: ReplayOptions) throws(ReplayError) {
        total = options.memory ?? max(ProcessMemory.usableBytes / 2, Self.least(options))
        let least = Self.least(options)
        guard total >= least else {
            let mebibyte = 1 << 20
            throw .usage(
                "a memory of \(total / mebibyte) MiB is too little: \(options.threads) threads, with lines of at most "
                    + "\(options.maximumLine) bytes, work in \((least + mebibyte - 1) / mebibyte) MiB or more"
            )
        }
        threads = options.threads
        state = min(total - Self.fixed(options), options.stateBytes ?? .max)
    }

    /// The least in which such a run works, in bytes.
    static func least(_ options: ReplayOptions) -> Int {
        fixed(options) + options.threads * Limits.leastShardBytes
    }

    /// All but the state.
    private static func fixed(_ options: ReplayOptions) -> Int {
        let chunk = ChunkFiller.chunkCapacity(
            targetBytes: options.chunkBytes, maximumLine: options.maximumLine)
        // Decoded notifications and rejects take about half as much as the lines that they are made of.
        let parcels = Limits.chunks(threads: options.threads) * (chunk + options.chunkBytes / 2)
        let readers = Limits.openSources(threads: options.threads) * (Limits.readerBytes + chunk)
        let pieces = 2 * options.threads * (2 * Limits.pieceBytes + Limits.passingStoreBytes)
        return Limits.programBytes + parcels + readers + pieces + mergingBytes
    }

    private static let mergingBytes = Limits.mergedFiles * Limits.frameBytes * 2
}
