@testable import SheafFlow

extension RecordModel {
    /// Returns the badge of a payload (§16); nil if it is not a whole number up to 2^53.
    static func badge(_ aps: JSONModel) -> UInt64? {
        guard case .number(let text)? = aps["badge"], let number = Double(text), number >= 0,
            number <= 9_007_199_254_740_992, number == number.rounded()
        else { return nil }
        return UInt64(number)
    }
}

extension ReplayModel {
    /// Whether the settings at the time of a record let it change its app's badge (§16).
    private func allowsBadge(_ record: RecordModel) -> Bool {
        guard tracksDelivery else { return true }
        var record = record
        // Nobody sees a silent record, whatever it asks for.
        if record.outcome == .silent { record.delivery.level = "active" }
        // Whether it is shown as an alert does not matter.
        guard let effect = effect(on: record, isAuthorized: true) else { return false }
        return !effect.isQuiet && setting("badge", for: record) != "false"
    }

    /// The statistics of the newest badges; nil if there are none.
    var badgeStatistics: Statistics.Badges? {
        var newest: [[String]: RecordModel] = [:]
        for record in badges where allowsBadge(record) {
            let key = [options.byDevice ? record.device : "", record.app]
            if let other = newest[key], record.isOlder(than: other) { continue }
            newest[key] = record
        }
        guard !newest.isEmpty else { return nil }
        let sorted = newest.sorted { first, second in
            for (a, b) in zip(first.key, second.key) where a != b { return precedes(a, b) }
            return false
        }
        return Statistics.Badges(
            areByDevice: options.byDevice,
            newest: sorted.map { key, record in
                Statistics.Badge(
                    device: key[0].isEmpty ? nil : key[0], app: key[1], badge: record.badge ?? 0,
                    timestamp: Int64(record.time))
            }, areTruncated: false)
    }
}
