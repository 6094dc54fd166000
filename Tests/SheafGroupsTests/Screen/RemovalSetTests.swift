import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// The removals that are kept for notifications that may come later.
@Suite struct RemovalSetTests {
    private static let app = Array("app".utf8)

    private static func removal(at time: Int64, line: UInt64 = 1) -> RemovalRecord {
        var removal = RemovalRecord()
        removal.app = TextRange(0..<app.count)
        removal.order = OrderKey(timestamp: time, source: 0, line: line)
        return removal
    }

    private static func first(after time: Int64, in events: ScreenEvents) -> Int64? {
        var key: [UInt8] = []
        var record = NotificationRecord()
        record.app = TextRange(0..<app.count)
        record.order = OrderKey(timestamp: time, source: 0, line: 1)
        return events.removals.first(of: record, in: app.span, key: &key)?.timestamp
    }

    @Test(arguments: Seeds.several(3)) func theNewestOfEachIntervalIsKept(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let timeline = Timeline(step: 10)
        var events = ScreenEvents(timeline, tracksDelivery: false)
        var times = (0..<300).map { _ in Int64(1 + random.below(400)) }
        for time in times { events.add(.removal(Self.removal(at: time)), in: Self.app.span) }
        var newest: [Int64: Int64] = [:]
        for time in times {
            let interval = timeline.interval(of: time)
            newest[interval] = max(newest[interval] ?? 0, time)
        }
        times = newest.values.sorted()
        #expect(events.count == times.count)
        for time in 0..<402 as Range<Int64> {
            #expect(Self.first(after: time, in: events) == times.first { $0 > time })
        }
    }

    @Test func aScopeMayHaveVeryManyIntervals() {
        let count: Int64 = 100_000
        var events = ScreenEvents(Timeline(step: 1), tracksDelivery: false)
        for time in 1...count { events.add(.removal(Self.removal(at: time)), in: Self.app.span) }
        #expect(events.count == Int(count))
        #expect(Self.first(after: count - 1, in: events) == count)
        #expect(Self.first(after: count, in: events) == nil)
        #expect(events.heldBytes > Int(count) * MemoryLayout<OrderKey>.stride)
    }

    @Test func withoutIntervalsOneIsKept() {
        var events = ScreenEvents(nil, tracksDelivery: false)
        for time in [5, 9, 7] as [Int64] { events.add(.removal(Self.removal(at: time)), in: Self.app.span) }
        #expect(events.count == 1)
        #expect(Self.first(after: 1, in: events) == 9)
    }

    // MARK: - Threads

    private static let texts = Array("apptu".utf8)

    private static func first(
        of thread: Range<Int>?, _ grouping: Grouping, in events: ScreenEvents
    ) -> Int64? {
        var key: [UInt8] = []
        var record = NotificationRecord()
        record.app = TextRange(0..<3)
        if let thread { record.thread = TextRange(thread) }
        record.grouping = grouping
        record.order = OrderKey(timestamp: 1, source: 0, line: 1)
        return events.removals.first(of: record, in: texts.span, key: &key)?.timestamp
    }

    /// If persons may group an app in their own way, a removal of any thread removes the notifications that are grouped
    /// by app, and that of a thread the others.
    @Test(arguments: [true, false]) func aRemovalOfAThreadIsOneOfTheAppsGroup(_ tracksDelivery: Bool) {
        var events = ScreenEvents(nil, tracksDelivery: tracksDelivery)
        for (thread, time) in [(3..<4, 7), (4..<5, 5)] as [(Range<Int>, Int64)] {
            var removal = Self.removal(at: time)
            (removal.scope, removal.text) = (.thread, TextRange(thread))
            events.add(.removal(removal), in: Self.texts.span)
        }
        for grouping in [Grouping.automatic, .off] {
            #expect(Self.first(of: 3..<4, grouping, in: events) == 7)
            #expect(Self.first(of: 4..<5, grouping, in: events) == 5)
            #expect(Self.first(of: nil, grouping, in: events) == nil)
        }
        for thread in [3..<4, 4..<5, nil] {
            let exact: Int64? = thread.map { $0.lowerBound == 3 ? 7 : 5 }
            #expect(Self.first(of: thread, .byApp, in: events) == (tracksDelivery ? 7 : exact))
        }
        #expect(events.count == 2)
    }
}
