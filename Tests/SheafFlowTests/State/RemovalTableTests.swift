import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The removals that are kept until the notifications are known that they concern.
@Suite struct RemovalTableTests {
    private static let app = Array("app".utf8)

    private static func removal(at time: Int64, line: UInt64 = 1) -> RemovalRecord {
        var removal = RemovalRecord()
        removal.app = TextRange(0..<app.count)
        removal.order = OrderKey(timestamp: time, source: 0, line: line)
        return removal
    }

    private static func first(after time: Int64, in table: RemovalTable) -> Int64? {
        var key: [UInt8] = []
        let order = OrderKey(timestamp: time, source: 0, line: 1)
        return table.firstRemoval(after: order, .app, device: Span(), app: app.span, Span(), key: &key)?
            .timestamp
    }

    @Test(arguments: Seeds.several(3)) func theNewestOfEachIntervalIsKept(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let timeline = Timeline(step: 10)
        var table = RemovalTable(timeline)
        var times = (0..<300).map { _ in Int64(1 + random.below(400)) }
        for time in times { table.add(Self.removal(at: time), in: Self.app.span) }
        var newest: [Int64: Int64] = [:]
        for time in times {
            let interval = timeline.interval(of: time)
            newest[interval] = max(newest[interval] ?? 0, time)
        }
        times = newest.values.sorted()
        #expect(table.count == times.count)
        for time in 0..<402 as Range<Int64> {
            #expect(Self.first(after: time, in: table) == times.first { $0 > time })
        }
    }

    @Test func aScopeMayHaveVeryManyIntervals() {
        let count: Int64 = 100_000
        var table = RemovalTable(Timeline(step: 1))
        for time in 1...count { table.add(Self.removal(at: time), in: Self.app.span) }
        #expect(table.count == Int(count))
        #expect(Self.first(after: count - 1, in: table) == count)
        #expect(Self.first(after: count, in: table) == nil)
        #expect(table.heldBytes > Int(count) * MemoryLayout<OrderKey>.stride)
    }

    @Test func withoutIntervalsOneIsKept() {
        var table = RemovalTable(nil)
        for time in [5, 9, 7] as [Int64] { table.add(Self.removal(at: time), in: Self.app.span) }
        #expect(table.count == 1)
        #expect(Self.first(after: 1, in: table) == 9)
    }
}
