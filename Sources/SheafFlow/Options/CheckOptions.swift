import SheafGroups

/// What a check is asked to do.
public struct CheckOptions: Sendable {
    /// Files, folders, or `-` for standard input, in their order.
    public var sources: [String]
    /// Where the report goes; `-` is standard output.
    public var output = "-"
    /// How it is written.
    public var format = CheckFormat.text(TextStyle())
    /// Whose apps' categories are known: `category.unknown` is about no others.
    public var settings = Settings()
    /// The files that `settings` was read from: the report may replace none of them.
    public var configurationFiles: [String] = []
    /// Which system's rules are looked at.
    public var profile = Profile.ios12

    /// The longest line in bytes; longer ones are rejected.
    public var maximumLine = Limits.lineBytes
    /// How full chunks are, in bytes. No result depends on it.
    public var chunkBytes = Limits.chunkBytes
    /// Threads that work, and the most sources that are open at once. No result depends on it.
    public var threads = Limits.defaultThreads

    public init(sources: [String]) { self.sources = sources }

    /// A replay's options with what the two have in common, for the stages that both have.
    var asReplay: ReplayOptions {
        var options = ReplayOptions(sources: sources)
        options.output = output
        options.settings = settings
        options.profile = profile
        options.maximumLine = maximumLine
        options.chunkBytes = chunkBytes
        options.threads = threads
        return options
    }
}

/// How a check's report is written.
public enum CheckFormat: Sendable, Equatable {
    /// What a person reads.
    case text(TextStyle)
    /// One JSON object.
    case json
}
