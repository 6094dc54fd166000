import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// The newest versions of replaceable notifications, compared with a dictionary (specification §5).
@Suite(.tags(.spilling)) struct ReplaceableTableTests {
    struct Key: Hashable {
        let device: String
        let app: String
        let collapse: String
    }

    @Test(
        arguments: [
            Hashing(name: "as routed", notifications: 1_000, hash: { Routing.identityHash($0, in: $1) }),
            Hashing(name: "all equal", notifications: 320, hash: { _, _ in 0xffff_ffff }),
        ], Seeds.several(2))
    func onlyTheNewestVersionsAreKept(_ hashing: Hashing, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = ReplaceableTable(
            StateOptions(byDevice: true, maximumArguments: 16, rules: GroupingRules(Settings())))
        var expected: [Key: NotificationText] = [:]
        let lines = Array(1...hashing.notifications).shuffled(using: &random)
        for line in lines {
            var notification = NotificationText()
            notification.app = "app \(random.below(5))"
            notification.device = random.pick(["", "d", "e"])
            notification.collapseIdentifier = "c \(random.below(30))"
            notification.thread = "thread of \(line)"
            notification.body = String(repeating: "b", count: random.below(90))
            notification.weight = UInt32(line)
            // The app determines the grouping.
            notification.grouping = notification.app == "app 0" ? .off : .automatic
            notification.order = OrderKey(
                timestamp: Int64(random.below(4)), source: 0, line: UInt64(line / 8),
                index: UInt32(line % 8))
            let key = Key(
                device: notification.device, app: notification.app,
                collapse: notification.collapseIdentifier)
            if expected[key].map({ $0.order < notification.order }) ?? true { expected[key] = notification }
            let (record, bytes) = notification.encoded()
            table.add(
                RoutedRecord(
                    record: record, groupHash: UInt64(line) << 32,
                    identityHash: hashing.hash(record, bytes.span)),
                in: bytes.span)
        }
        #expect(table.count == expected.count)
        #expect(expected.count > 171, "the table must have grown")
        #expect(table.updated == UInt64(lines.count - expected.count))
        var found: [Key: NotificationText] = [:]
        table.forEach { window in
            window.forEach { item, bytes in
                let notification = NotificationText(item.record, in: bytes)
                #expect(
                    item.groupHash == UInt64(notification.weight) << 32,
                    "the hash is that of the newest version")
                let key = Key(
                    device: notification.device, app: notification.app,
                    collapse: notification.collapseIdentifier)
                #expect(found[key] == nil)
                found[key] = notification
            }
        }
        #expect(found == expected)
    }

    @Test func aNewTableIsEmpty() {
        let table = ReplaceableTable(
            StateOptions(byDevice: true, maximumArguments: 16, rules: GroupingRules(Settings())))
        #expect(table.count == 0)
        #expect(table.updated == 0)
        table.forEach { $0.forEach { _, _ in Issue.record("the table is not empty") } }
    }
}
