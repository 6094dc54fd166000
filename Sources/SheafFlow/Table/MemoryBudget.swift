import SheafBytes

/// What a run may hold in memory: a sum of named consumers, of which the state is given what the others leave.
///
///     program     code, stacks, what the allocator keeps
///     parcels     chunks on their way, and what decoding makes of them
///     readers     compressed bytes, zlib's windows, half lines
///     pieces      groups on their way into a snapshot, encoded, as states, and as lines
///     merging     a frame for each file that is merged
///     state       tables, arenas, tracked notifications: an equal share for each shard
struct MemoryBudget: Equatable {
    /// All of it, in bytes.
    let total: Int
    /// What groups and notifications may take together, in bytes.
    let state: Int
    private let threads: Int

    /// One shard's share of the state.
    var shard: Int { state / threads }

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
        let merging = Limits.mergedFiles * Limits.frameBytes * 2
        return Limits.programBytes + parcels + readers + pieces + merging
    }
}
