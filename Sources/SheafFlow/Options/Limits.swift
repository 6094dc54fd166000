import SheafBytes
import SheafGroups

/// All bounds of a run, and the relations between them.
///
/// ```swift
/// var options = ReplayOptions(sources: ["logs"])
/// options.threads = min(16, Limits.threadsRange.upperBound)
/// ```
public enum Limits {
    /// The target size of a chunk, in bytes: large enough that the cost of passing it on is negligible compared to
    /// decoding it, small enough to stay in a core's cache between stages.
    public static let chunkBytes = 384 << 10
    /// The maximum target size of a chunk while snapshots are written, in bytes. A checkpoint waits for the chunks that
    /// were read, whose snapshots may take most of a run.
    public static let liveChunkBytes = 64 << 10
    public static let chunkBytesRange = 1...(64 << 20)

    /// The maximum length of a line, in bytes (specification §1).
    public static let lineBytes = 1 << 20
    public static let lineBytesRange = 1...(1 << 30)

    /// The maximum number of distinct arguments in a summary (specification §6).
    public static let arguments = 16
    public static let argumentsRange = 1...1024

    /// The range of `ReplayOptions.top`. It is bounded because these groups are held in memory.
    public static let topRange = 1...10_000

    /// The maximum number of combinations of app, category and action whose responses are counted separately.
    public static let responseKinds = 1024
    /// The number of reasons by which statistics and checks count refused pushes.
    public static let refusalReasons = 1024

    /// The maximum number of newest badges in the statistics: one for each app, or for each device and app.
    public static let badges = 4096
    /// The number of the newest badges of an app on a device that live runs keep at least, in case settings come later
    /// than they do.
    static let liveBadges = 64

    /// The maximum number of locales of devices whose texts are in memory at once, and of those that each renderer keeps.
    static let locales = 64
    static let renderedLocales = 8

    /// The maximum number of snapshots of all groups: those of eleven days at intervals of a second.
    public static let snapshots = 1_000_000

    /// The number of consecutive snapshots of all groups without any change from which there is a warning.
    static let unchangedSnapshots: Int64 = 100

    /// The default of `ReplayOptions.maximumAhead`: an hour, since clocks that are set to another time zone differ by as
    /// much or more.
    public static let aheadMilliseconds: Int64 = 3_600_000

    /// The number of records at the start of a source that must all be from the future before live snapshots follow any
    /// of them.
    static let futureRecords: UInt64 = 16

    /// The default of `ReplayOptions.idle`: half a minute.
    public static let idleMilliseconds: Int64 = 30_000
    /// The longest time between two checks whether snapshots are due because of silence, in milliseconds.
    static let idleCheckMilliseconds: Int64 = 1_000

    /// The bytes of a snapshot's lines in a page, about: with everything else the page has at most 2 MB.
    static let pageLineBytes = 1_000_000
    /// The bytes of the lines of single notifications, of the groups with the most notifications, and of measures, about.
    static let pageMemberBytes = 400_000
    static let pageThreadBytes = 60_000
    static let pageMeasureBytes = 400_000
    /// The number of configured apps whose names are in a page.
    static let pageNames = 1_000
    /// The number of groups with the most notifications of all people that a report shows.
    package static let pageThreads = 20
    /// The number of people whose screens a report may show.
    public static let reportPeopleRange = 1...1_000
    /// The bytes of a number and its comma, on average.
    static let pageNumberBytes = 3
    /// The bytes of a line that are kept to find the device if it is too long: it has at most two texts of 4,096 bytes.
    static let pageKeyBytes = 32_768
    /// The number of intervals, and of apps or their parts, whose measures are in a page.
    static let pageIntervals = 400
    static let pageApps = 60

    /// The range of `MeasureOptions.fold`: more groups are not on any screen.
    public static let foldRange = 1...1_000

    public static let threadsRange = 1...256

    /// The range of the number of partitions that a job's keys are cut into.
    public static let partitionsRange = 1...10_000

    /// The number of keys that samples of many files have together.
    static let sampledKeys = 1 << 18

    /// The number of scopes of removals that ranges of keys may have: of 4 bytes each.
    static let removedScopes = 1 << 25

    /// The range of `ReplayOptions.timeZoneOffset`, in minutes: that of an offset in an RFC 3339 date-time.
    public static let timeZoneOffsetRange = -1439...1439

    /// The number of chunks in flight: each thread works on one, each source may have filled two, and two more are
    /// being added to shards. More chunks would only let inflating run further ahead; it would not finish sooner.
    static func chunks(threads: Int) -> Int { 3 * threads + 2 }

    /// The size of a chunk's decoded records, and that of its rejects, from which they are passed on before the chunk
    /// is decoded further, in bytes: half of the chunk, for which `MemoryBudget` has room. A line of 400 bytes gives a
    /// record of a third of its size.
    package static func partBytes(_ chunks: ChunkSizes) -> Int {
        max(chunks.targetBytes / 2, minimumPartBytes)
    }

    /// The minimum of `partBytes`, since dividing small chunks would only take time.
    private static let minimumPartBytes = 64 << 10

    /// The number of sources that are read at once. Each has an open file and `readerBytes` of buffers, the
    /// decoder's included, and up to `windowBytes` for zstd.
    static func openSources(threads: Int) -> Int { threads }

    /// The number of records for which a shard prefetches table entries: about as many cache lines as fit into a core's
    /// L1 cache along with the records.
    static let prefetchedRecords = 16

    /// The number of notifications that a thread collects for all shards together. With many threads each shard gets fewer
    /// at once, so that the memory for them grows with the number of threads, not with its square.
    static let collectedNotifications = 64

    /// The maximum number of groups that a thread renders into one piece: about 400 KiB of text.
    static let groupsPerPiece = 512

    /// The amount of text that a thread renders before writing it, in bytes; the last line may exceed it. Each thread
    /// has two such buffers: one is rendered while the other is written.
    static let pieceBytes = 512 << 10

    /// The size of the devices of a snapshot up to which text shortens their identifiers, in bytes.
    static let shownDeviceBytes = 4 << 20

    /// The state size from which a group is rendered alone, in bytes: its line may be several times as long.
    static let largeGroupBytes = 64 << 10

    /// The memory that ranking a group takes in addition to its state, in bytes.
    static let rankedGroupBytes = 64

    /// The maximum size of a configuration, in bytes. People write them by hand: a larger file is something else.
    package static let configurationBytes = 64 << 20

    /// The maximum size of a file of named sources, in bytes: enough for all ordinals.
    static let sourceListBytes = 2 << 30

    /// The maximum depth of the search for string tables, and the maximum size of a table, in bytes.
    static let projectDepth = 32
    static let stringTableBytes = 64 << 20

    /// The buffer size for copying a spool, in bytes.
    static let copyBytes = 256 << 10

    /// The target size of a frame in a spilled run or a partial result, in bytes.
    static let frameBytes = 64 << 10

    /// The maximum number of state files in one merge, if memory has room for their frames. More files take several
    /// passes.
    static let mergedFiles = 64

    /// The maximum number of open spools of rejected lines.
    static let openSpools = 64

    /// The number of files that are open in any run: three outputs, a lock, two opened briefly (a spool that is copied;
    /// a checkpoint and its folder), and nine of Dispatch: its event loop, four signals, two clocks, and its list of
    /// threads.
    static let keptFiles = 15

    /// The number of open files that a run with the maximum number of threads can use.
    public static let openFiles = 2048

    /// The number of copies of a frame's record in memory while its file is merged: in the frame, among the encoded
    /// states of a group, and in the merged group.
    static let mergedFrameCopies = 3

    /// The frame length that is accepted for any memory budget, in bytes: one record with the longest line of
    /// `lineBytes`, all categories and arguments that a group may have, and the other records in its frame.
    static let minimumFrameLimit = 16 << 20

    /// The size at which a store for temporary groups is replaced by an empty one, in bytes.
    static let temporaryStoreBytes = 1 << 20

    /// The fixed memory use of the program, in bytes: its code, stacks, and memory that the allocator retains.
    static let programBytes = 16 << 20

    /// The memory for an open source in addition to an incomplete line, in bytes: compressed bytes, the
    /// decoder's tables, and the last inflated bytes.
    static let readerBytes = 384 << 10

    /// The memory for decoding zstd frames that each open source has without taking it from the state, in bytes: enough
    /// for windows of 2 MiB, which `zstd` writes by default, and for a first block that is examined for its format.
    static let windowBytes = 3 << 20

    /// The memory for an output that is compressed with zstd, in bytes: a window of 2 MiB, tables and a block.
    static let zstdOutputBytes = 4 << 20

    /// The minimum memory for a shard's groups, in bytes: two segments, and the entries for sorting them.
    static let minimumShardBytes = 6 << 20

    /// The maximum memory for one table of groups or notifications, in bytes: half of the room in an arena, since a table may
    /// grow by as much while the notifications that were kept are added to groups.
    static let maximumTableBytes = ByteArena.maximumBytes / 2

    /// The maximum number of bytes that are inflated again when a run resumes in a compressed source, unless the source
    /// has larger blocks. A source is read for up to `checkpointFills` more chunks to find such a restart point.
    static let checkpointDropBytes: UInt64 = 4 << 20
    static let checkpointFills = 8

    /// The default time between two checkpoints, and the minimum ratio of that time to the time that a checkpoint
    /// pauses the run.
    public static let checkpointInterval = Duration.seconds(30)
    static let checkpointSpacing = 40

    /// The assumed rate at which a checkpoint writes state, in bytes per second, until the first one is measured.
    static let stateBytesPerSecond = 1 << 30

    /// The minimum number of records for a warning about most of them.
    private static let recordsForWarning: UInt64 = 20
    /// Returns whether some records are most of a log that has enough of them to judge by.
    package static func isMajority(_ count: UInt64, of records: UInt64) -> Bool {
        records >= recordsForWarning && count > records / 2
    }
    /// The maximum size of the first lines of a log that are kept to look for the cause of rejects, in bytes.
    static let sampledBytes = 1 << 16
    /// The maximum number of apps without records for which a similar name is suggested.
    public static let suggestedApps = 3

    /// The default number of threads: one per processor.
    public static var defaultThreads: Int {
        min(CurrentProcess.processorCount, threadsRange.upperBound)
    }

    /// Asserts the relations between limits, for sizes within their ranges.
    static func assertRelations(_ chunks: ChunkSizes) {
        precondition(
            openFiles >= keptFiles + 4 * threadsRange.upperBound && keptFiles + 4 * openSpools <= openFiles,
            "the limit on open files covers all consumers")
        // Follows from the ranges above. Guards against a change to one of them.
        precondition(chunks.capacity < Int(UInt32.max) / 2, "text ranges in a chunk have 32-bit offsets")
    }
}
