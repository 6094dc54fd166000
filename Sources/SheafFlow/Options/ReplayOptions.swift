import SheafBytes
import SheafGroups
import SheafText

/// What a replay is asked to do.
public struct ReplayOptions: Sendable {
    public enum Order: String, Sendable, CaseIterable {
        /// By device, app and thread, in byte order.
        case key
        /// The group with the newest leading notification first.
        case recent
    }

    /// Files, folders, or `-` for standard input, in their order.
    public var sources: [String]
    /// Where the snapshot goes; `-` is standard output.
    public var output = "-"
    /// Where the mergeable state goes, instead of a snapshot.
    public var partial: String?
    /// Where rejected lines go.
    public var rejects: String?
    /// Where statistics go.
    public var statistics: String?

    /// How the snapshot is written.
    public var format = SnapshotFormat.ndjson
    /// How many groups are written, those with the most notifications; nil: all of them, in `order`.
    public var top: Int?
    /// The most lines of a snapshot that are written, in whole groups but at least one group; nil: all of them. The
    /// groups that are left out are counted in `Progress.groupsLeftOut`.
    public var maximumLines: Int?
    public var settings = Settings()
    /// What `settings` names of string tables.
    public var strings = ResolvedStrings()
    /// What Sheaf itself says, in the locale that the snapshot is written in.
    public var texts = LocalizedTexts()
    /// The files that `settings` and `strings` were read from: no output may replace one.
    public var configurationFiles: [String] = []
    /// Which system's rules the snapshot follows.
    public var profile = Profile.ios12
    /// Whether a device has groups of its own.
    public var byDevice = false
    public var order = Order.key
    /// Whether the device that is replayed is locked.
    public var locked = false
    public var maximumArguments = Limits.arguments

    /// The longest line in bytes; longer ones are rejected.
    public var maximumLine = Limits.lineBytes
    /// How full chunks are, in bytes. No result depends on it.
    public var chunkBytes = Limits.chunkBytes
    /// Threads that work, which are as many as shards, and the most sources that are open at once. No result depends
    /// on it.
    public var threads = Limits.defaultThreads

    /// How much memory all of it may take, in bytes; nil: half of the memory that this process may use. State that would
    /// take more is put on disk and merged at the end. No result depends on it.
    public var memory: Int?
    /// The folder for state that does not fit; nil: the system's for temporary files.
    public var spillFolder: String?
    /// The folder for a checkpoint, from which the same replay goes on when it was ended; nil: none.
    public var checkpoint: String?
    /// How long after one checkpoint the next one is made; nil: `Limits.checkpointInterval`, or longer where so much is
    /// held that writing it would take more than a part in `Limits.checkpointSpacing` of the time.
    public var checkpointInterval: Duration?
    /// A checkpoint behind so many chunks, whatever the time, for tests; nil: by time.
    var checkpointChunks: Int?
    /// How many files may be opened, for tests; nil: as many as the system allows.
    var openFiles: Int?
    /// The most that state may take, in bytes, for tests; nil: what `memory` leaves for it.
    var stateBytes: Int?
    /// Whether state is put on disk whenever that can be done, for tests.
    public var spillsAlways = ReplayOptions.spillsAlwaysByDefault

    /// Whether `SHEAF_SPILL=always` is in the environment: all tests can be run so.
    private static let spillsAlwaysByDefault = ProcessEnvironment.value("SHEAF_SPILL") == "always"

    public init(sources: [String]) { self.sources = sources }

    /// How groups are shown: made once a snapshot, as there may be many thousands of apps.
    var presentation: Presentation {
        Presentation(settings, strings: strings, texts: texts, locked: locked)
    }
}
