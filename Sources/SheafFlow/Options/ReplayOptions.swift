import SheafBytes
import SheafGroups
import SheafText

/// The options of a replay or a merge.
///
/// ```swift
/// var options = ReplayOptions(sources: ["logs", "today.ndjson.gz"])
/// options.output = "groups.json"
/// options.format = .json
/// options.top = 100
/// options.memory = 512 << 20
/// ```
///
/// Values out of range are errors of the run that uses them (`Limits`).
public struct ReplayOptions: Sendable {
    /// The order of the groups in a snapshot.
    public enum Order: String, Sendable, CaseIterable {
        /// By device, app and thread, in byte order.
        case key
        /// By leading notification, newest first.
        case recent
    }

    /// The groups in each of several snapshots.
    public enum Emission: String, Sendable, CaseIterable {
        /// Those whose notifications are not those of the previous snapshot.
        case changes
        /// All groups, and those that have been emptied since the previous snapshot.
        case all
    }

    /// Files, folders, or `-` for standard input, in order.
    public var sources: [String]
    /// The sources with the names and numbers that they have in a job of many runs, in the order of these numbers,
    /// instead of `sources`; nil if the sources of this run are numbered from 0. With `isKeyed`, the names of the
    /// sources that keys refer to.
    public var namedSources: [NamedSource]?
    /// Whether each line of `sources` has a key: `ORDINAL⇥LINE⇥json`, in any order, for records that are already in a
    /// table or a topic. The snapshot is that of a replay of `namedSources`, which keys refer to; their paths are not
    /// read. Without `namedSources`, the name of a source is its ordinal in decimal.
    public var isKeyed = false
    /// Whether slices of partial results are compressed with zstd, under names that end in `.zst`.
    public var compressesSlices = false
    /// The sources that the partial results of a merge must cover: these, and no others; nil for any.
    public var expectedSources: [NamedSource]?
    /// The path of the snapshot; `-` is standard output.
    public var output = "-"
    /// The path of the partial result, which is written instead of a snapshot; nil for a snapshot.
    public var partial: String?
    /// The path of the file for rejected lines; nil for none.
    public var rejects: String?
    /// The path of the statistics; nil for none.
    public var statistics: String?
    /// Whether `Statistics.badges` has the newest badges, which takes time for each record with a badge. It has them
    /// anyway if `statistics` is given.
    public var badges = false

    /// The format of the snapshot.
    public var format = SnapshotFormat.ndjson
    /// The command that the user typed, which a page shows; nil for none.
    public var command: String?
    /// The number of groups to write, those with the most notifications; nil for all groups, in `order`.
    public var top: Int?
    /// The maximum number of snapshot lines; nil for no limit. Only whole groups are written, and always at least one.
    /// `RunProgress.groupsLeftOut` counts the groups that are left out.
    public var maximumLines: Int?
    /// How each app's notifications are grouped and shown; `apply(_:)` sets it from a file.
    public var settings = Settings()
    /// The strings that `settings` refers to in string tables.
    package var strings = ResolvedStrings()
    /// Sheaf's own texts in the locale of the snapshot.
    package var texts = LocalizedTexts()
    /// The files that `settings` and `strings` were read from. No output ever replaces one of them.
    package var configurationFiles: [String] = []
    /// The options that a user has chosen, also if the value is the default: those without an effect are errors of the
    /// run. Empty for programs that set options regardless of others.
    package var given: Set<RunOption> = []
    /// The files that `namedSources` or `expectedSources` were read from, which no output replaces either.
    package var listFiles: [String] = []
    /// The locale of the texts that groups are shown with, unless the log has that of a device and delivery is tracked. A
    /// configuration with string tables is read for one locale: `apply(_:)` sets both.
    public var locale: LocaleIdentifier {
        get { texts.locale }
        set { texts = LocalizedTexts(newValue) }
    }
    /// The system version whose rules the snapshot follows.
    public var profile = Profile.ios12
    /// Whether each device has its own groups.
    public var byDevice = false
    /// The order of the groups.
    public var order = Order.key
    /// The time on the device's clock, in milliseconds since 1970: text shows how long before it a group's leading
    /// notification arrived. nil for the instant of each snapshot of `every`, or for `until`; without any of them, and
    /// in other formats, no times are shown.
    public var now: Int64?
    /// The minutes by which the device's time zone is ahead of UTC, for the days and times of day in text.
    public var timeZoneOffset = 0
    /// The device's time zone, for the days and times of day in text; nil for one that differs from UTC by
    /// `timeZoneOffset` at all times.
    public var timeZone: LocalClock?
    /// Whether the receiving device is locked.
    public var locked = false
    /// The maximum number of distinct arguments in a summary.
    public var maximumArguments = Limits.arguments

    /// How the entries of the sources are read.
    public var input = LogInput.automatic
    /// The app of records that have none; nil to reject them.
    public var defaultApp: String?
    /// The apps whose records are grouped; empty for all. A change of settings without an app is for all of them.
    public var onlyApps: [String] = []
    /// The devices whose records are grouped; empty for all. A removal, a change of settings or the result of a service
    /// extension without a device is for all of them.
    public var onlyDevices: [String] = []
    /// The oldest timestamp of the records that are grouped, in milliseconds since 1970; nil for no limit. Records
    /// without a timestamp are always grouped.
    public var since: Int64?
    /// The instant of the snapshot, in milliseconds since 1970: no record with a newer timestamp is grouped; nil for
    /// the end of the log.
    public var until: Int64?
    /// Whether removals are applied, which takes memory for each notification. Without it they are only counted.
    public var appliesRemovals = false
    /// Whether snapshots report how notifications were delivered, which takes memory for each notification. They do so
    /// too if `settings` has any `DeliverySettings`.
    public var delivery = false
    /// Whether of several records of the same push, which retries and log shippers write, only the first one counts: that
    /// with the smallest order key among those with the same device, app and id. Takes memory for each push with an id.
    public var unique = false
    /// Whether outcomes are applied that were logged apart from their pushes, so that a push that was refused never
    /// appeared. Takes memory for each push with an id or a collapse identifier. Without it they are only counted.
    public var appliesOutcomes = false
    /// The instants of the snapshots; nil for one snapshot at the end.
    public var every: Timeline?
    /// How much later than newer ones records may arrive, in milliseconds: snapshots of `every` are then written while
    /// records are read, each as soon as no source has older records by that much. nil to write all of them at the end.
    public var lateness: Int64?
    /// How far a timestamp may be ahead of both the present and its source's other records, in milliseconds, before it is
    /// one of a wrong clock: with `lateness`, the snapshots do not follow it, and the record is part of the last one.
    public var maximumAhead = Limits.aheadMilliseconds
    /// The time after which a source that is a pipe counts as silent, in milliseconds: with `lateness`, the snapshots
    /// then no longer wait for its next record: its time passes.
    public var idle = Limits.idleMilliseconds
    /// How many times faster than it happened records are released, with `lateness`; nil for as fast as they are read.
    public var speed: Double?
    /// The groups in each snapshot of `every`.
    public var emit = Emission.changes
    /// What is measured instead of writing snapshots; nil for snapshots.
    package var measures: MeasureOptions?
    /// What a merge of partial results with measures writes, except for the division, which they have.
    package var measuresOfMerge = MeasureOptions()
    /// The maximum length of a line, in bytes; longer lines are rejected.
    public var maximumLine = Limits.lineBytes
    /// The target size of a chunk, in bytes. No result depends on it.
    public var chunkBytes = Limits.chunkBytes
    /// The decoder of gzip data. No result depends on it.
    public var inflater = Inflater.standard
    /// The number of worker threads, which is also the number of shards and the maximum number of open sources. No
    /// result depends on it.
    public var threads = Limits.defaultThreads

    /// The memory budget of the run, in bytes; nil for half of the memory that this process may use. State that exceeds
    /// it is spilled to disk and merged at the end. No result depends on it.
    public var memory: Int?
    /// The folder for spilled state; nil for the system's temporary folder.
    public var spillFolder: String?
    /// The folder for checkpoints, from which an interrupted replay resumes; nil for no checkpoints.
    public var checkpoint: String?
    /// The time between two checkpoints; nil for `Limits.checkpointInterval`, or longer when writing the state would
    /// take more than 1 / `Limits.checkpointSpacing` of the time.
    public var checkpointInterval: Duration?
    /// The number of chunks between two checkpoints, regardless of time, for tests; nil to use `checkpointInterval`.
    var checkpointChunks: Int?
    /// The size after which the records of a chunk are passed on before it is decoded further, in bytes, for tests; nil
    /// for `Limits.partBytes`.
    var partBytes: Int?
    /// The clocks of snapshots that are written while records are read, for tests.
    var clock = RunClock()
    /// The number of files that may be open, for tests; nil for the system's limit.
    var openFiles: Int?
    /// The maximum size of the state, in bytes, for tests; nil for what `memory` leaves for it.
    var stateBytes: Int?
    /// Whether state is spilled whenever possible, for tests.
    package var spillsAlways = ReplayOptions.spillsAlwaysByDefault

    /// Whether `SHEAF_SPILL=always` is in the environment, so that all tests can run with spilling.
    private static let spillsAlwaysByDefault = CurrentProcess.environment("SHEAF_SPILL") == "always"

    /// - Parameter sources: files, folders, or `-` for standard input, in order.
    public init(sources: [String]) { self.sources = sources }
}

/// The version of this package, which the command and the reports for other programs name.
package enum SheafVersion {
    package static let current = "0.1.0"
}
