import SheafGroups

/// The options of `LiveGroups`: how records are read, grouped and shown, as in `ReplayOptions`.
public struct LiveOptions: Sendable {
    /// How each app's notifications are grouped and shown, and in which locale.
    public var configuration = Configuration()
    /// The system version whose rules apply.
    public var profile = Profile.ios12
    /// Whether each device has its own groups.
    public var byDevice = false
    /// Whether the receiving device is locked.
    public var locked = false
    /// The order of the groups in a snapshot.
    public var order = ReplayOptions.Order.key
    /// The maximum number of distinct arguments in a summary.
    public var maximumArguments = Limits.arguments
    /// How the entries of the sources are read.
    public var input = LogInput.automatic
    /// The app of records that have none; nil to reject them.
    public var defaultApp: String?
    /// Whether groups report how their notifications were delivered, and suppressed ones are left out. Also on if the
    /// configuration has settings of delivery. Each notification is then kept, which takes memory.
    public var delivery = false
    /// Whether removals are applied. Each notification is then kept, which takes memory; without it removals are only
    /// counted.
    public var appliesRemovals = true
    /// The maximum length of a line, in bytes; longer lines are rejected.
    public var maximumLine = Limits.lineBytes
    /// The memory for what is on screen, in bytes: further records are refused once it is in use.
    public var memory = 256 << 20

    public init() {}

    /// The options of a replay that has the same results.
    var replay: ReplayOptions {
        var options = ReplayOptions(sources: [])
        options.apply(configuration)
        options.profile = profile
        options.byDevice = byDevice
        options.locked = locked
        options.order = order
        options.maximumArguments = maximumArguments
        options.input = input
        options.defaultApp = defaultApp
        options.delivery = delivery
        options.appliesRemovals = appliesRemovals
        options.maximumLine = maximumLine
        options.chunkBytes = Limits.liveChunkBytes
        options.threads = 1
        options.badges = true
        return options
    }
}
