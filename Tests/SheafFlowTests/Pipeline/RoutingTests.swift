import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The shard of a notification: only the distribution of work depends on it.
@Suite struct RoutingTests {
    @Test(arguments: [1, 2, 3, 7, 256])
    func shardsAreInRange(_ count: Int) {
        var random = SeededGenerator(seed: 1)
        var seen = Set<Int>()
        for _ in 0..<20 * count { seen.insert(Routing.shard(of: random.next(), count: count)) }
        #expect(Routing.shard(of: 0, count: count) == 0)
        #expect(Routing.shard(of: .max, count: count) == count - 1)
        #expect(seen.allSatisfy { (0..<count).contains($0) })
        #expect(seen.count > count / 2)
    }

    private func hashes(_ change: (inout NotificationText) -> Void) -> (group: UInt64, identity: UInt64) {
        var notification = NotificationText()
        notification.thread = "t"
        notification.device = "d"
        notification.collapseIdentifier = "c"
        change(&notification)
        let (record, bytes) = notification.encoded()
        return (Routing.groupHash(record, in: bytes.span), Routing.identityHash(record, in: bytes.span))
    }

    @Test func groupsAreHashedByTheirKeyOnly() {
        let group = hashes { _ in }.group
        #expect(hashes { $0.body = "x" }.group == group)
        #expect(hashes { $0.collapseIdentifier = "x" }.group == group)
        #expect(hashes { $0.order = OrderKey(timestamp: 1, source: 1, line: 1) }.group == group)
        #expect(hashes { $0.app = "x" }.group != group)
        #expect(hashes { $0.thread = "x" }.group != group)
        #expect(hashes { $0.device = "x" }.group != group)
    }

    @Test func versionsAreHashedByTheirIdentityOnly() {
        let identity = hashes { _ in }.identity
        #expect(hashes { $0.thread = "x" }.identity == identity)
        #expect(hashes { $0.body = "x" }.identity == identity)
        #expect(hashes { $0.app = "x" }.identity != identity)
        #expect(hashes { $0.collapseIdentifier = "x" }.identity != identity)
        #expect(hashes { $0.device = "x" }.identity != identity)
    }

    @Test func ungroupedNotificationsAreDistributed() {
        func group(_ line: UInt64) -> UInt64 {
            hashes {
                $0.grouping = .off
                $0.order = OrderKey(timestamp: 0, source: 0, line: line)
            }.group
        }
        #expect(Set((1...100).map { Routing.shard(of: group($0), count: 4) }) == [0, 1, 2, 3])
    }

    /// The records of a line are distributed like lines.
    @Test func ungroupedNotificationsOfOneLineAreDistributed() {
        func group(_ index: UInt32) -> UInt64 {
            hashes {
                $0.grouping = .off
                $0.order = OrderKey(timestamp: 0, source: 0, line: 7, index: index)
            }.group
        }
        #expect(Set((0..<100).map(group)).count == 100)
        for count in [2, 4, 16] {
            let shards = (0..<200).map { Routing.shard(of: group($0), count: count) }
            for shard in 0..<count {
                #expect(shards.count { $0 == shard } > 100 / count, "shard \(shard) of \(count)")
            }
        }
    }

    /// A key field whose texts are crafted to collide, and the seed that its hash would start from without a secret.
    struct CraftedField: NamedCase {
        let name: String
        let field: NotificationText.RangePath
        let seed: UInt64
        let hash: @Sendable (NotificationRecord, Span<UInt8>) -> UInt64
    }

    static let craftedFields: [CraftedField] = {
        let app = Array("app".utf8)
        let group: @Sendable (NotificationRecord, Span<UInt8>) -> UInt64 = { Routing.groupHash($0, in: $1) }
        let identity: @Sendable (NotificationRecord, Span<UInt8>) -> UInt64 = {
            Routing.identityHash($0, in: $1)
        }
        let groupApp = CraftedCollisions.hash(app, seed: 1)
        let identityApp = CraftedCollisions.hash(app, seed: 2)
        return [
            CraftedField(name: "a group's app", field: \.app, seed: 1, hash: group),
            CraftedField(name: "a group's thread", field: \.thread, seed: groupApp, hash: group),
            CraftedField(
                name: "a group's device", field: \.device, seed: CraftedCollisions.hash([], seed: groupApp),
                hash: group),
            CraftedField(name: "an identity's app", field: \.app, seed: 2, hash: identity),
            CraftedField(
                name: "a collapse identifier", field: \.collapseIdentifier, seed: identityApp, hash: identity),
            CraftedField(
                name: "an identity's device", field: \.device,
                seed: CraftedCollisions.hash(app, seed: identityApp), hash: identity),
        ]
    }()

    /// A table with crafted keys compares about as few of them as one with other keys: 20,000 keys that really collided
    /// would take 200 million comparisons.
    @Test(arguments: craftedFields)
    func craftedKeysDoNotCollide(_ crafted: CraftedField) {
        let count = 20_000
        var index = HashIndex()
        var comparisons = 0
        for (number, text) in CraftedCollisions.texts(count, seed: crafted.seed).enumerated() {
            let bytes = Array("app".utf8) + text
            var record = NotificationRecord()
            record.app = TextRange(0..<3)
            // Only those that newer versions may replace are found by their identity.
            record.collapseIdentifier = record.app
            record[keyPath: crafted.field] = TextRange(3..<bytes.count)
            let hash = crafted.hash(record, bytes.span)
            _ = index.find(hash) { _ in
                comparisons += 1
                return false
            }
            index.insert(number, hash: hash)
        }
        #expect(comparisons < count / 100)
    }
}
