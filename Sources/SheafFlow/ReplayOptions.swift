import SheafGroups

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
    /// Where rejected lines go.
    public var rejects: String?
    /// Where statistics go.
    public var statistics: String?

    public var settings = Settings()
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
    public var threads = 1

    public init(sources: [String]) { self.sources = sources }
}
