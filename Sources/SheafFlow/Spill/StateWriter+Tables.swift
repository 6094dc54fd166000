import SheafBytes
import SheafGroups

extension StateWriter {
    /// Writes a table's notifications in the section's order.
    mutating func add(_ table: ReplaceableTable) throws(ReplayError) {
        try add(table, order: ReplaceableOrder.sorted(table))
    }

    /// Writes the contents of tables in their current order.
    mutating func addUnsorted(
        _ notifications: ReplaceableTable, _ groups: GroupTable, _ rules: GroupingRules
    ) throws(ReplayError) {
        try add(notifications, order: 0..<UInt32(notifications.count))
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        let store = groups.store
        let states = groups.states
        let isAlone = Self.isAlone(store, rules)
        for index in 0..<states.count {
            if index + Self.lookahead < states.count { store.prefetch(states[index + Self.lookahead]) }
            let state = states[index]
            record.removeAll()
            encoder.append(
                state, of: store, isAlone: isAlone[Int(store.appSymbol(of: state))], to: &record)
            try add(record.bytes, to: .groups)
        }
    }

    private mutating func add(
        _ table: ReplaceableTable, order: some Sequence<UInt32>
    ) throws(ReplayError) {
        var expanded: [UInt8] = []
        var record = OutputBuffer()
        for index in order {
            let notification = table.record(at: Int(index), into: &expanded)
            record.removeAll()
            EncodedNotification.append(notification, in: expanded.span, to: &record)
            try add(record.bytes, to: .notifications)
        }
    }

    /// Returns whether an app's grouping is `off`, by the app's symbol.
    private static func isAlone(_ store: GroupStore, _ rules: GroupingRules) -> [Bool] {
        (0...UInt32(store.apps.count)).map { rules.grouping(of: store.apps.text(of: $0)) == .off }
    }

    /// Writes sorted groups, which are in the section's order.
    ///
    /// - Parameter rules: the grouping of each app.
    mutating func add(_ groups: borrowing SortedGroups, _ rules: GroupingRules) throws(ReplayError) {
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        let isAlone = Self.isAlone(groups.store, rules)
        for index in 0..<groups.count {
            if index + Self.lookahead < groups.count { groups.prefetchState(at: index + Self.lookahead) }
            if index + Self.lookahead / 2 < groups.count {
                groups.prefetchContents(at: index + Self.lookahead / 2)
            }
            let state = groups.state(at: index)
            record.removeAll()
            encoder.append(
                state, of: groups.store, isAlone: isAlone[Int(groups.store.appSymbol(of: state))],
                to: &record)
            try add(record.bytes, to: .groups)
        }
    }

    /// The distance of prefetching, in groups.
    private static var lookahead: Int { 16 }
}
