import SheafBytes
import SheafGroups

extension StateWriter {
    /// Writes notifications and other records in the section's order.
    mutating func add(
        _ table: ReplaceableTable, _ events: ScreenEvents, _ options: StateOptions
    ) throws(ReplayError) {
        try add(
            table, order: ReplaceableOrder.sorted(table), EventSequence(events, isSorted: true), options)
    }

    /// Writes the contents of tables in their current order.
    mutating func addUnsorted(
        _ notifications: ReplaceableTable, _ events: ScreenEvents, _ groups: GroupTable,
        _ options: StateOptions
    ) throws(ReplayError) {
        try add(
            notifications, order: Array(0..<UInt32(notifications.count)),
            EventSequence(events, isSorted: false), options)
        try addUnsorted(groups, options.rules)
    }

    /// Writes the groups of a table in their current order.
    ///
    /// - Parameter rules: the grouping of each app.
    mutating func addUnsorted(_ groups: GroupTable, _ rules: GroupingRules) throws(ReplayError) {
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        let store = groups.store
        let states = groups.states
        let isAlone = store.isAlone(rules)
        for index in 0..<states.count {
            if index + Self.lookahead < states.count { store.prefetch(states[index + Self.lookahead]) }
            let state = states[index]
            record.removeAll()
            encoder.append(
                state, of: store, isAlone: isAlone[Int(store.appSymbol(of: state))], to: &record)
            try add(record.bytes, to: .groups)
        }
    }

    /// Writes notifications and events, each in the given order, as one sequence.
    private mutating func add(
        _ table: ReplaceableTable, order: [UInt32], _ events: EventSequence, _ options: StateOptions
    ) throws(ReplayError) {
        var events = events
        var expanded: [UInt8] = []
        var record = OutputBuffer()
        for index in order {
            let notification = table.record(at: Int(index), into: &expanded)
            let bytes = expanded.span
            while events.precedes(notification, in: bytes), events.encodeNext(to: &record) {
                try add(record.bytes, to: .notifications)
            }
            record.removeAll()
            record.append(notification, in: bytes, tracksAll: options.tracksAll)
            try add(record.bytes, to: .notifications)
        }
        while events.encodeNext(to: &record) { try add(record.bytes, to: .notifications) }
    }

    /// Writes sorted groups, which are in the section's order.
    ///
    /// - Parameter rules: the grouping of each app.
    mutating func add(_ groups: borrowing SortedGroups, _ rules: GroupingRules) throws(ReplayError) {
        var encoder = GroupEncoder()
        var record = OutputBuffer()
        let isAlone = groups.store.isAlone(rules)
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

extension GroupStore {
    /// Returns whether an app's grouping is `off`, by the app's symbol.
    func isAlone(_ rules: GroupingRules) -> [Bool] {
        (0...UInt32(apps.count)).map { rules.grouping(of: apps.text(of: $0)) == .off }
    }
}
