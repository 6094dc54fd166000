import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Which shard a notification goes to: nothing depends on it but the work's shares.
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

    @Test func groupsAreHashedByTheirKeyAlone() {
        let group = hashes { _ in }.group
        #expect(hashes { $0.body = "x" }.group == group)
        #expect(hashes { $0.collapseIdentifier = "x" }.group == group)
        #expect(hashes { $0.order = OrderKey(timestamp: 1, source: 1, line: 1) }.group == group)
        #expect(hashes { $0.app = "x" }.group != group)
        #expect(hashes { $0.thread = "x" }.group != group)
        #expect(hashes { $0.device = "x" }.group != group)
    }

    @Test func versionsAreHashedByTheirIdentityAlone() {
        let identity = hashes { _ in }.identity
        #expect(hashes { $0.thread = "x" }.identity == identity)
        #expect(hashes { $0.body = "x" }.identity == identity)
        #expect(hashes { $0.app = "x" }.identity != identity)
        #expect(hashes { $0.collapseIdentifier = "x" }.identity != identity)
        #expect(hashes { $0.device = "x" }.identity != identity)
    }

    @Test func notificationsAloneAreSpread() {
        func group(_ line: UInt64) -> UInt64 {
            hashes {
                $0.grouping = .off
                $0.order = OrderKey(timestamp: 0, source: 0, line: line)
            }.group
        }
        #expect(Set((1...100).map { Routing.shard(of: group($0), count: 4) }) == [0, 1, 2, 3])
    }
}
