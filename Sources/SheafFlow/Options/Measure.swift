/// What is measured of each person in an interval (specification §19).
public enum Measure: String, Sendable, CaseIterable {
    /// Pushes that the push service did not refuse, and that were not silent.
    case pushes
    /// Pushes that were a newer version of a notification.
    case updates
    /// Notifications that a removal took off the screen.
    case removed
    /// Pushes that settings kept from appearing.
    case suppressed
    /// Pushes that the push service refused.
    case refused
    /// Pushes that interrupted with a banner.
    case banners
    /// Pushes that interrupted with a sound.
    case sounds
    /// Responses that opened a notification.
    case opened
    /// Responses that dismissed one.
    case dismissed
    /// Responses with any other action.
    case actions
    /// Groups on screen at the end of the interval.
    case groups
    /// Notifications on screen then.
    case notifications
    /// Notifications in the largest of these groups.
    case largest
    /// Notifications in all but the first of these groups, the newest ones first.
    case buried

    /// The first measure of the screen at an instant; the preceding ones count events in an interval.
    static let firstOfScreen = groups.index

    /// The place among all measures.
    package var index: Int {
        switch self {
        case .pushes: 0
        case .updates: 1
        case .removed: 2
        case .suppressed: 3
        case .refused: 4
        case .banners: 5
        case .sounds: 6
        case .opened: 7
        case .dismissed: 8
        case .actions: 9
        case .groups: 10
        case .notifications: 11
        case .largest: 12
        case .buried: 13
        }
    }
}

/// A person among others in the order of their values, as a percentage: the 95th of 100, or the 999th of 1,000.
public struct Quantile: Sendable {
    /// In thousandths of a percent; from 1 to 100,000.
    public let thousandths: Int

    /// - Parameter text: a number of percent, with up to three decimals, above 0 and up to 100; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isDecimal = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard isDecimal, parts[0].count <= 3, let whole = Int(parts[0]) else { return nil }
        let decimals = parts.count > 1 ? String(parts[1]) : ""
        guard decimals.count <= 3, let rest = Int((decimals + "000").prefix(3)),
            (1...100_000).contains(whole * 1_000 + rest)
        else { return nil }
        thousandths = whole * 1_000 + rest
    }

    /// The percent, without zeros at the end: `95`, `99.9`.
    public var text: String {
        let (whole, rest) = (thousandths / 1_000, thousandths % 1_000)
        guard rest > 0 else { return "\(whole)" }
        var decimals = String(String(rest + 1_000).dropFirst())
        while decimals.last == "0" { decimals.removeLast() }
        return "\(whole).\(decimals)"
    }

    /// Returns the rank of the quantile among the ascending values of people, from 1.
    func rank(among people: UInt64) -> UInt64 {
        let (high, low) = people.multipliedFullWidth(by: UInt64(thousandths))
        let (quotient, remainder) = UInt64(100_000).dividingFullWidth((high, low))
        return max(1, quotient + (remainder > 0 ? 1 : 0))
    }
}
