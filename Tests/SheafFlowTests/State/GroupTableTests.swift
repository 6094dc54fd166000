import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// A shard's groups, compared with a dictionary (specification §6).
@Suite struct GroupTableTests {
    struct Key: Hashable {
        let device: String
        let app: String
        let thread: String
    }

    static let hashings = [
        Hashing(name: "as routed", notifications: 1_200, hash: { Routing.groupHash($0, in: $1) }),
        Hashing(name: "all equal", notifications: 260, hash: { _, _ in 0 }),
        Hashing(name: "all at the end of the table", notifications: 260, hash: { _, _ in .max }),
        Hashing(
            name: "different only in bits that the table ignores",
            notifications: 260, hash: { Routing.groupHash($0, in: $1) << 32 }),
        Hashing(
            name: "a few buckets", notifications: 1_200, hash: { Routing.groupHash($0, in: $1) & 0x0f0000ff }),
    ]

    private func counts(_ table: borrowing GroupTable) -> [Key: Int] {
        var counts: [Key: Int] = [:]
        var tallies: [CategoryTally] = []
        for index in 0..<table.count {
            let state = table.states[index]
            let store = table.store
            let key = Key(
                device: store.device(of: state).string, app: store.app(of: state).string,
                thread: store.thread(of: state).string)
            #expect(counts[key] == nil, "\(key) has two groups")
            store.collectTallies(of: state, into: &tallies)
            counts[key] = tallies.reduce(1) { $0 + Int($1.count) }
        }
        return counts
    }

    @Test(arguments: hashings, Seeds.several(2))
    func randomNotificationsAreGroupedByKey(_ hashing: Hashing, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = GroupTable(maximumArguments: 2)
        var expected: [Key: Int] = [:]
        for line in 0..<hashing.notifications {
            var notification = NotificationText()
            notification.app = "app \(random.below(7))"
            notification.thread = random.chance(20) ? "" : "thread \(random.below(40))"
            notification.device = random.pick(["", "d", "e"])
            notification.order = OrderKey(timestamp: 0, source: 0, line: UInt64(line))
            let key = Key(
                device: notification.device, app: notification.app, thread: notification.thread)
            expected[key, default: 0] += 1
            let (record, bytes) = notification.encoded()
            table.add(record, in: bytes.span, hash: hashing.hash(record, bytes.span))
        }
        #expect(expected.count > 171, "the table must have grown")
        #expect(counts(table) == expected)
        #expect(table.count == expected.count)
    }

    @Test func aNewTableIsEmpty() {
        let table = GroupTable(maximumArguments: 1)
        #expect(table.count == 0)
    }

    @Test func eachNotificationIsAloneWithGroupingOff() {
        var table = GroupTable(maximumArguments: 1)
        for line in 0..<400 {
            var notification = NotificationText()
            notification.grouping = .off
            notification.order = OrderKey(timestamp: 0, source: 0, line: UInt64(line))
            let (record, bytes) = notification.encoded()
            table.add(record, in: bytes.span, hash: 0)
        }
        #expect(table.count == 400)
        #expect((0..<400).allSatisfy { table.states[$0].isSingle })
    }

    /// Their order keys differ in the index alone, which also orders them: the newest comes first.
    @Test func recordsOfOneLineAreAloneWithGroupingOff() {
        var random = SeededGenerator(seed: 1)
        let notifications = (0..<40).map { index in
            var notification = NotificationText()
            notification.grouping = .off
            notification.order = OrderKey(timestamp: 7, source: 0, line: 3, index: UInt32(index))
            notification.body = "\(index)"
            return notification
        }
        for order in ReplayOptions.Order.allCases {
            var table = GroupTable(maximumArguments: 1)
            for notification in notifications.shuffled(using: &random) {
                let (record, bytes) = notification.encoded()
                table.add(record, in: bytes.span, hash: Routing.groupHash(record, in: bytes.span))
            }
            #expect(table.count == 40)
            let sorted = SortedGroups(table, order: order, byDevice: false)
            #expect((0..<40).map { sorted.state(at: $0).leading.order.index } == (0..<40).reversed())
        }
    }

    @Test func keysAreNotConcatenated() {
        var table = GroupTable(maximumArguments: 1)
        let keys = [("ab", "", "c"), ("a", "b", "c"), ("a", "", "bc"), ("", "a", "bc"), ("abc", "", "")]
        for _ in 0..<2 {
            for (device, thread, app) in keys where !app.isEmpty {
                var notification = NotificationText()
                notification.device = device
                notification.thread = thread
                notification.app = app
                let (record, bytes) = notification.encoded()
                table.add(record, in: bytes.span, hash: 17)
            }
        }
        #expect(table.count == 4)
    }
}
