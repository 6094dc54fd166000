import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// The order of a snapshot's lines, in one shard and merged from several (specification §10).
@Suite(.tags(.spilling)) struct SortedGroupsTests {
    /// Returns the device, app, thread and line of each group in the order of a snapshot with several shards.
    private func order(
        _ notifications: [NotificationText], _ order: ReplayOptions.Order, shards count: Int
    ) -> [String] {
        var tables = (0..<count).map { _ in GroupTable(maximumArguments: 1) }
        for notification in notifications {
            let (record, bytes) = notification.encoded()
            let hash = Routing.groupHash(record, in: bytes.span)
            tables[Routing.shard(of: hash, count: count)].add(record, in: bytes.span, hash: hash)
        }
        let shards = tables.map { SortedShard(SortedGroups($0, order: order, byDevice: true)) }
        var indices = Array(repeating: 0, count: count)
        var result: [String] = []
        while true {
            let left = shards.indices.filter { indices[$0] < shards[$0].groups.count }
            guard var first = left.first else { return result }
            for other in left.dropFirst() {
                let (mine, theirs) = (shards[other], shards[first])
                if mine.groups.precedes(indices[other], theirs.groups, indices[first]) { first = other }
            }
            let shard = shards[first]
            let state = shard.groups.state(at: indices[first])
            indices[first] += 1
            let store = shard.groups.store
            let device = store.device(of: state).string
            let app = store.app(of: state).string
            let thread = store.thread(of: state).string
            result.append("\(device)|\(app)|\(thread) \(state.leading.order.line)")
        }
    }

    private static func notification(
        _ device: String, _ app: String, _ thread: String, _ line: UInt64, _ grouping: Grouping = .automatic
    ) -> NotificationText {
        var notification = NotificationText()
        notification.device = device
        notification.app = app
        notification.thread = thread
        notification.grouping = grouping
        notification.order = OrderKey(timestamp: Int64(line / 2), source: 0, line: line)
        return notification
    }

    /// Notifications in the order of a snapshot sorted by key.
    static let byKey = [
        notification("", "A", "", 4), notification("", "a", "", 5), notification("", "a", "t", 3),
        notification("", "a", "t/", 18), notification("", "a", "te\u{301}", 17),
        notification("", "a", "té", 16),
        notification("", "a.b", "", 6), notification("", "a/", "", 2), notification("", "ab", "s", 7),
        notification("", "off", "", 15, .off), notification("", "off", "", 9, .off),
        notification("", "off", "", 8, .off),
        notification("", "off", "x", 10, .off), notification("D", "a", "", 14),
        notification("d", "a", "", 11),
        notification("d", "a", "t", 13), notification("dd", "A", "", 12),
    ]

    private func expected(_ notifications: [NotificationText]) -> [String] {
        notifications.map { "\($0.device)|\($0.app)|\($0.thread) \($0.order.line)" }
    }

    @Test(arguments: [1, 2, 7], Seeds.several(2))
    func keysAreSortedInByteOrder(_ shards: Int, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let mixed = Self.byKey.shuffled(using: &random)
        #expect(
            order(mixed, .key, shards: shards).map { Array($0.utf8) }
                == expected(Self.byKey).map { Array($0.utf8) })
    }

    @Test(arguments: [1, 2, 7], Seeds.several(2))
    func recentGroupsComeFirst(_ shards: Int, _ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let mixed = Self.byKey.shuffled(using: &random)
        let recent = mixed.sorted { $0.order > $1.order }
        #expect(order(mixed, .recent, shards: shards) == expected(recent))
    }

    @Test func anEmptySnapshotHasNoGroups() {
        #expect(order([], .key, shards: 2) == [])
        #expect(order([], .recent, shards: 1) == [])
    }
}
