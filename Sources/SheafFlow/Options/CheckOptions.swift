import SheafGroups

/// The options of a check.
///
/// ```swift
/// var options = CheckOptions(sources: ["today.ndjson"])
/// options.profile = .ios15
/// options.format = .json
/// options.output = "report.json"
/// ```
public struct CheckOptions: Sendable {
    /// Files, folders, or `-` for standard input, in order.
    public var sources: [String]
    /// The path of the report; `-` is standard output.
    public var output = "-"
    /// The format of the report.
    public var format = CheckFormat.text(TextStyle())
    /// The apps whose categories are known: `category.unknown` is reported only for these apps.
    public var settings = Settings()
    /// The files that `settings` was read from. The report never replaces one of them.
    package var configurationFiles: [String] = []
    /// The system version whose rules are checked.
    public var profile = Profile.ios12

    /// How the entries of the sources are read.
    public var input = LogInput.automatic
    /// The app of records that have none; nil to reject them.
    public var defaultApp: String?
    /// The maximum length of a line, in bytes; longer lines are rejected.
    public var maximumLine = Limits.lineBytes
    /// The target size of a chunk, in bytes. No result depends on it.
    public var chunkBytes = Limits.chunkBytes
    /// The number of worker threads, and the maximum number of open sources. No result depends on it.
    public var threads = Limits.defaultThreads

    /// - Parameter sources: files, folders, or `-` for standard input, in order.
    public init(sources: [String]) { self.sources = sources }

    var chunks: ChunkSizes {
        ChunkSizes(
            targetBytes: chunkBytes, maximumLine: maximumLine, constantBytes: inputs.constantBytes)
    }

    var inputs: InputOptions { InputOptions(log: input, defaultApp: defaultApp) }

    var files: RunFiles {
        RunFiles(resultName: "the report", result: output, configuration: configurationFiles)
    }
}

/// The format of a check's report.
///
/// ```swift
/// let format = CheckFormat.text(TextStyle(width: 80))
/// ```
public enum CheckFormat: Sendable, Equatable {
    /// Text for people to read.
    case text(TextStyle)
    /// A single JSON object.
    case json
}
