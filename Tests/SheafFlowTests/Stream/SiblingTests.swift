import SheafBytes
import SheafGroups
import Testing

@testable import SheafFlow

/// Notifications that share an id, and a result of a service extension after each of them: the number of contents to
/// replace does not grow with them.
@Suite struct SiblingTests {
    private let options: StateOptions

    init() {
        var options = StateOptions(byDevice: false, maximumArguments: 16, rules: GroupingRules(Settings()))
        options.delivery = DeliveryRules(Settings(), profile: .ios15)
        options.appliesRemovals = true
        self.options = options
    }

    /// A notification, or a result for it, in a buffer of its own.
    private static func record(_ time: Int, body: String, isResult: Bool) -> (NotificationRecord, [UInt8]) {
        var bytes: [UInt8] = []
        var record = NotificationRecord()
        record.app = bytes.appendText(Array("app".utf8).span)
        let id = bytes.appendText(Array("id".utf8).span)
        if isResult { record.collapseIdentifier = id } else { record.identifier = id }
        record.body = bytes.appendText(Array(body.utf8).span)
        record.order = OrderKey(timestamp: Int64(time), source: 0, line: UInt64(time))
        return (record, bytes)
    }

    private static func add(_ time: Int, to table: inout ScreenTable) {
        let (record, bytes) = record(time, body: "logged", isResult: false)
        table.add(RoutedRecord(record, byDevice: false, in: bytes.span), in: bytes.span)
    }

    private static func modify(_ time: Int, _ table: inout ScreenTable) {
        let (result, bytes) = record(time, body: "result \(time)", isResult: true)
        table.apply(.result(result), in: bytes.span)
    }

    private static func neededEntries(_ table: ScreenTable) -> Int {
        (0..<table.entries.count).count { table.entries[$0].isNeeded }
    }

    private static func removal(before time: Int) -> (RemovalRecord, [UInt8]) {
        var bytes: [UInt8] = []
        var removal = RemovalRecord()
        removal.scope = .app
        removal.app = bytes.appendText(Array("app".utf8).span)
        removal.order = OrderKey(timestamp: Int64(time), source: 0, line: 0)
        return (removal, bytes)
    }

    @Test func siblingsWithTheSameContentAreOneEntry() {
        var table = ScreenTable(options)
        for number in 0..<2_000 {
            Self.add(10 + 2 * number, to: &table)
            #expect(Self.neededEntries(table) <= 2)
            Self.modify(11 + 2 * number, &table)
            #expect(Self.neededEntries(table) == 1)
            _ = table.takeChanges()
            if table.isSparse { table.compact() }
            #expect(table.entries.count < 2_100)
        }
        let group = table.shownGroups[0]
        table.refresh(group)
        #expect(table.store.notificationCount(of: table.groups[group].state) == 2_000)
        #expect(table.store.delivery(of: table.groups[group].state)?.active == 2_000)
    }

    /// Changes that wait for a review take little memory, however many they are, and all of them are reviewed.
    @Test func manyLateChangesAreReviewed() {
        var table = ScreenTable(options)
        let count = 3_000
        for time in 1...count { Self.add(10 * time, to: &table) }
        for time in 1...count {
            var change = SettingsRecord()
            change.order = OrderKey(timestamp: Int64(10 * time - 5), source: 0, line: UInt64(time))
            change.settings.delivery.delivery = time % 3 == 0 ? .off : .prominent
            table.change(change, in: [UInt8]().span)
            #expect(table.lateChanges.count <= LateChange.limit)
        }
        _ = table.takeChanges()
        #expect(table.lateChanges.isEmpty && table.hidden.suppressed == UInt64(count / 3))
        let group = table.shownGroups[0]
        table.refresh(group)
        #expect(table.store.notificationCount(of: table.groups[group].state) == UInt64(count - count / 3))
    }

    /// A removal that arrives late removes those that are older, and a change of settings that does applies to the
    /// newer ones.
    @Test func lateRecordsSeparateSiblings() {
        var table = ScreenTable(options)
        for number in 0..<100 {
            Self.add(10 + 2 * number, to: &table)
            Self.modify(11 + 2 * number, &table)
        }
        let (removal, bytes) = Self.removal(before: 10 + 2 * 30)
        table.remove(removal, in: bytes.span)
        #expect(table.hidden.removed == 30)
        var change = SettingsRecord()
        change.order = OrderKey(timestamp: 10 + 2 * 60, source: 0, line: 0)
        change.settings.delivery.delivery = .off
        table.change(change, in: [UInt8]().span)
        _ = table.takeChanges()
        #expect(table.hidden.suppressed == 40)
        let group = table.shownGroups[0]
        table.refresh(group)
        #expect(table.store.notificationCount(of: table.groups[group].state) == 30)
        // The next result is for those that are left: of two kinds.
        Self.modify(1_000, &table)
        #expect(Self.neededEntries(table) == 2)
        #expect(table.hidden.suppressed == 40 && table.hidden.removed == 30)
    }
}
