import SheafBytes
import SheafGroups

extension StateWriter {
    /// Writes a table's notifications in the section's order.
    mutating func add(_ table: ReplaceableTable) throws(ReplayError) {
        var expanded: [UInt8] = []
        var record = OutputBuffer()
        for index in ReplaceableOrder.sorted(table) {
            let notification = table.record(at: Int(index), into: &expanded)
            record.removeAll()
            EncodedNotification.append(notification, in: expanded.span, to: &record)
            try add(record.bytes, to: .notifications)
        }
    }

    /// Writes sorted groups, which are in the section's order.
    ///
    /// - Parameter rules: which apps' groups are alone.
    mutating func add(_ groups: borrowing SortedGroups, _ rules: GroupingRules) throws(ReplayError) {
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        /// By the app's symbol.
        let isAlone = (0...UInt32(groups.store.apps.count)).map {
            rules.grouping(of: groups.store.apps.text(of: $0)) == .off
        }
        for place in 0..<groups.count {
            if place + Self.lookahead < groups.count { groups.prefetchState(at: place + Self.lookahead) }
            if place + Self.lookahead / 2 < groups.count {
                groups.prefetchContents(at: place + Self.lookahead / 2)
            }
            let state = groups.state(at: place)
            record.removeAll()
            encoder.append(
                state, of: groups.store, isAlone: isAlone[Int(groups.store.appSymbol(of: state))],
                to: &record)
            try add(record.bytes, to: .groups)
        }
    }

    /// How many groups ahead memory is asked for.
    private static var lookahead: Int { 16 }
}
