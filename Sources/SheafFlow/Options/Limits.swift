import SheafBytes
import SheafGroups

/// Every bound of the machinery, in one place, with the relations between them.
public enum Limits {
    /// How full a chunk is, in bytes: large enough that handing it on costs nothing beside decoding it, small
    /// enough to stay in a core's cache between the stages.
    public static let chunkBytes = 384 << 10
    public static let chunkBytesRange = 1...(64 << 20)

    /// The longest line, in bytes (specification §1).
    public static let lineBytes = 1 << 20
    public static let lineBytesRange = 1...(1 << 30)

    /// The most distinct arguments that a summary names (specification §6).
    public static let arguments = 16
    public static let argumentsRange = 1...1024

    /// The most groups that a snapshot of those with the most notifications has: they are held in memory.
    public static let topRange = 1...10_000

    public static let threadsRange = 1...256

    /// Chunks in flight: each thread has one in hand, each source may have filled two, and two more are on their way
    /// through the shards. With more of them inflating would be further ahead, and not sooner done.
    static func chunks(threads: Int) -> Int { 3 * threads + 2 }

    /// How many sources are read at once. Each has a file open and about 100 KiB of zlib's and our own buffers.
    static func openSources(threads: Int) -> Int { threads }

    /// For how many records a shard loads ahead what it will look at: about as many cache lines as a core's first
    /// cache has room for beside them.
    static let prefetchedRecords = 16

    /// How many groups a thread renders before what was rendered is written: about 400 KiB of text.
    static let groupsPerPiece = 512

    /// How much text a thread renders before it is written, in bytes; one more line may go beyond it. There are two
    /// such buffers a thread: one is rendered while the other is written.
    static let pieceBytes = 512 << 10

    /// A group whose state takes so much is rendered alone, in bytes: its line may be several times as long.
    static let largeGroupBytes = 64 << 10

    /// What is kept of a group among those with the most notifications besides its state, in bytes.
    static let rankedGroupBytes = 64

    /// How deep folders of string tables are searched, and the largest table, in bytes.
    static let projectDepth = 32
    static let stringTableBytes = 64 << 20

    /// What is copied from a spool at once, in bytes.
    static let copyBytes = 256 << 10

    /// How much of a spilled run or a partial result is framed, checked and read at once, in bytes.
    static let frameBytes = 64 << 10

    /// How many files of state are merged at once, where memory has room for their frames; more of them are merged in
    /// several passes.
    static let mergedFiles = 64

    /// How many spools of rejected lines are open at once.
    static let openSpools = 64

    /// How many files are open whatever a run does: three outputs, a lock, two for a moment (a spool that is copied; a
    /// checkpoint and its folder), and nine of Dispatch: what it waits with, four signals, two clocks, and a look at its
    /// threads.
    static let keptFiles = 15

    /// As many open files as a run with the most threads can make use of.
    public static let openFiles = 2048

    /// How many times a frame's record may be in memory while its file is merged: in the frame, among the states of a group,
    /// and as a part of the group that these become.
    static let mergedFrameCopies = 3

    /// The longest frame that is read whatever the memory, in bytes: one record with the longest line of `lineBytes`, all
    /// categories and arguments that a group may have, and what shares the frame with it.
    static let leastFrameLimit = 16 << 20

    /// How much of a store that groups only pass through is used before it is thrown away, in bytes.
    static let passingStoreBytes = 1 << 20

    /// What the program takes whatever it does, in bytes: its code, stacks, and what the allocator keeps.
    static let programBytes = 16 << 20

    /// What an open source takes beside a half line, in bytes: compressed bytes and zlib's own.
    static let readerBytes = 320 << 10

    /// The least that a shard's groups are given, in bytes: two segments, and what is sorted of them.
    static let leastShardBytes = 6 << 20

    /// So much is inflated again at most, where a checkpoint stands in a compressed source whose blocks are not larger,
    /// in bytes; a source is read on for `checkpointFills` chunks to find such a place.
    static let checkpointDropBytes: UInt64 = 4 << 20
    static let checkpointFills = 8

    /// How long after one checkpoint the next one is made, and at least how many times as long as it holds everything
    /// up, where nothing else is asked for.
    public static let checkpointInterval = Duration.seconds(30)
    static let checkpointSpacing = 40

    /// How much state is written for a checkpoint in a second, as long as none has shown it.
    static let stateBytesPerSecond = 1 << 30

    /// The fewest records for which it is worth a warning that most of them are odd.
    static let recordsForWarning: UInt64 = 20
    /// Of how many apps without records the one is looked for that was probably meant.
    public static let suggestedApps = 3

    /// How many threads work where no number is given: one for each processor.
    public static var defaultThreads: Int {
        min(ProcessMemory.processorCount, threadsRange.upperBound)
    }

    /// Checks what a caller may set, at the start of a run.
    ///
    /// - Throws: `ReplayError.usage`, which names the value and its range.
    static func check(_ options: ReplayOptions) throws(ReplayError) {
        try check(options.threads, threadsRange, "the number of threads")
        try check(options.chunkBytes, chunkBytesRange, "the size of a chunk in bytes")
        try check(options.maximumLine, lineBytesRange, "the length of the longest line in bytes")
        try check(options.maximumArguments, argumentsRange, "the number of arguments in a summary")
        if let top = options.top {
            try check(top, topRange, "the number of groups with the most notifications")
        }
        if let lines = options.maximumLines { try check(lines, 1...Int.max, "the number of lines") }
        if let interval = options.checkpointInterval, interval <= .zero {
            throw .usage("the time between two checkpoints is \(interval), but must be longer than 0")
        }
        precondition(
            openFiles >= keptFiles + 4 * threadsRange.upperBound && keptFiles + 4 * openSpools <= openFiles,
            "more files would be open than are asked for")
        let capacity = ChunkFiller.chunkCapacity(
            targetBytes: options.chunkBytes, maximumLine: options.maximumLine)
        // Follows from the ranges above: a change of one bound can't quietly break another.
        precondition(capacity < Int(UInt32.max) / 2, "texts name places in a chunk in 32 bits")
    }

    private static func check(
        _ value: Int, _ range: ClosedRange<Int>, _ name: String
    ) throws(ReplayError) {
        guard !range.contains(value) else { return }
        throw .usage("\(name) is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
    }
}
