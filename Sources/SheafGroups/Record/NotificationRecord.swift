import SheafBytes

/// One notification as it goes from decoding to its group: numbers, and where its texts stand in the buffer that
/// goes with it (a chunk's, or an arena block's).
///
/// Plain memory without references, so that a batch of them is one allocation that is used again.
public struct NotificationRecord: Sendable {
    public var order = OrderKey(timestamp: 0, source: 0, line: 0)
    /// What the notification counts for in sums: its `summary-arg-count`, 1 when it has none.
    public var weight: UInt32 = 1
    public var grouping = Grouping.automatic

    public var app = TextRange.none
    public var device = TextRange.none
    public var thread = TextRange.none
    public var identifier = TextRange.none
    public var collapseIdentifier = TextRange.none
    public var category = TextRange.none
    public var title = TextRange.none
    public var subtitle = TextRange.none
    public var body = TextRange.none
    public var argument = TextRange.none

    public init() {}

    /// Whether a newer version may replace this notification (specification §5).
    public var isReplaceable: Bool { !collapseIdentifier.isEmpty }
}

/// How an app's notifications are put into groups (specification §6).
public enum Grouping: String, Sendable, CaseIterable {
    /// By app and thread identifier.
    case automatic
    /// By app alone.
    case byApp
    /// Every notification alone.
    case off
}
