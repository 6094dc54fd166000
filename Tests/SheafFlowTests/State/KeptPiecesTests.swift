import Dispatch
import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Notifications that are kept one by one although no newer version may replace them: they are removed in pieces, which
/// several threads may add to the groups of one shard.
@Suite struct KeptPiecesTests {
    /// More than two pieces.
    private static let count = 20_000

    private static var options: StateOptions {
        var options = ReplayOptions(sources: [])
        options.appliesRemovals = true
        return options.state
    }

    private static func notification(_ line: Int) -> NotificationText {
        var notification = NotificationText()
        notification.app = "app \(line % 3)"
        notification.thread = "thread \(line * 7 % 100)"
        notification.identifier = "\(line)"
        notification.title = String(repeating: "t", count: line % 40)
        notification.order = OrderKey(timestamp: Int64(line * 31 % 1_000), source: 0, line: UInt64(line))
        return notification
    }

    private static func routed(_ notification: NotificationText) -> (item: RoutedRecord, bytes: [UInt8]) {
        let (record, bytes) = notification.encoded()
        return (RoutedRecord(record, byDevice: false, in: bytes.span), bytes)
    }

    @Test func piecesBeginWithTheLastNotifications() throws {
        var table = ReplaceableTable(Self.options)
        for line in 0..<Self.count {
            let (item, bytes) = Self.routed(Self.notification(line))
            table.add(item, in: bytes.span)
        }
        var lines: [Int] = []
        var (counts, held): ([Int], Int) = ([], table.heldBytes)
        while var piece = table.removePiece() {
            counts.append(piece.count)
            #expect(table.count == Self.count - counts.reduce(0, +))
            #expect(table.heldBytes < held)
            held = table.heldBytes
            let isShown = { (record: inout NotificationRecord, _: Span<UInt8>) in
                record.weight = 5
                return record.order.line % 3 != 1
            }
            piece.removeSingle(keeping: isShown) { window in
                window.forEach { item, bytes in
                    let line = Int(item.record.order.line)
                    var expected = Self.notification(line)
                    expected.weight = 5
                    #expect(NotificationText(item.record, in: bytes) == expected)
                    lines.append(line)
                }
            }
            #expect(piece.count == 0)
        }
        #expect(counts == [20_000 - 2 * 8_192, 8_192, 8_192])
        #expect(lines == (0..<Self.count).reversed().filter { $0 % 3 != 1 })
    }

    @Test(arguments: [1, 4]) func severalThreadsAddToTheGroupsOfOneShard(_ threads: Int) throws {
        let shard = Shard(index: 0, count: 1, options: Self.options)
        var newest: [String: NotificationText] = [:]
        var counts: [String: UInt64] = [:]
        for line in 0..<Self.count {
            let notification = Self.notification(line)
            let (item, bytes) = Self.routed(notification)
            shard.restore(item, in: bytes.span)
            let key = "\(notification.app) \(notification.thread)"
            if newest[key].map({ $0.order < notification.order }) ?? true { newest[key] = notification }
            counts[key, default: 0] += 1
        }
        #expect(shard.groupCount == 0)
        let judge = Judge(nil, nil)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in _ = shard.foldSingle(by: judge) }
        let table = shard.takeTable()
        #expect(table.count == counts.count)
        var tallies: [CategoryTally] = []
        for index in 0..<table.count {
            let state = table.states[index]
            let store = table.store
            let key = "\(store.app(of: state).string) \(store.thread(of: state).string)"
            store.collectTallies(of: state, into: &tallies)
            #expect(tallies.reduce(1) { $0 + $1.count } == counts[key])
            #expect(state.leading.order == newest[key]?.order)
            let title = store.leadingBytes(of: state)[store.leadingRecord(of: state).title].string
            #expect(title == newest[key]?.title)
        }
    }
}
