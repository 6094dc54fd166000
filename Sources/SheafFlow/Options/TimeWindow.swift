/// The range of timestamps of the records that a replay groups (specification §14).
///
/// Records without a timestamp are in every window.
struct TimeWindow: Equatable, Sendable {
    /// The oldest timestamp in the window, in milliseconds since 1970; nil for no limit.
    var since: Int64?
    /// The newest timestamp in the window, in milliseconds since 1970; nil for no limit.
    var until: Int64?

    /// The relation of a record to a window.
    enum Position {
        case earlier, inside, later
    }

    /// Whether every timestamp is in the window.
    var isUnlimited: Bool { since == nil && until == nil }

    func position(of timestamp: Int64) -> Position {
        if let since, timestamp < since { return .earlier }
        if let until, timestamp > until { return .later }
        return .inside
    }
}

extension TimeWindow {
    /// The options that give this window, as part of a message.
    var shown: OptionMessage {
        switch (since, until) {
        case (nil, nil): "neither \(.since) nor \(.until)"
        case (let since?, nil): "\(.since) \(since)"
        case (nil, let until?): "\(.until) \(until)"
        case (let since?, let until?): "\(.since) \(since) \(.until) \(until)"
        }
    }
}
