import SheafBytes

/// One notification on its way from decoding to its group: numbers, and the ranges of its texts in the buffer that
/// accompanies it (a chunk or an arena block).
///
/// Plain memory without references, so that a batch of records is a single allocation that can be reused.
public struct NotificationRecord: Sendable {
    public var order = OrderKey(timestamp: 0, source: 0, line: 0)
    /// The notification's weight in sums: its `summary-arg-count`, or 1 if absent.
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

/// How an app's notifications are grouped (specification §6).
public enum Grouping: String, Sendable, CaseIterable {
    /// By app and thread identifier.
    case automatic
    /// By app alone.
    case byApp
    /// Each notification on its own.
    case off
}
