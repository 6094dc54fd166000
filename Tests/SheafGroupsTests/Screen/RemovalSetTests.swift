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

    /// A notification of a device is also in the scopes of removals without one.
    @Test(arguments: [[], ["d"], [""], ["d", ""], ["e"]] as [[String]])
    func removalsAreThoseOfTheDeviceAndOfAll(_ devices: [String]) {
        var events = ScreenEvents(nil, tracksDelivery: false)
        for (index, device) in devices.enumerated() {
            var removal = Self.removal(at: 9 - Int64(index))
            removal.device = TextRange(3..<(3 + device.utf8.count))
            events.add(.removal(removal), in: Array("app\(device)".utf8).span)
        }
        for device in ["d", ""] {
            var key: [UInt8] = []
            var record = NotificationRecord()
            record.app = TextRange(0..<3)
            record.device = TextRange(3..<(3 + device.utf8.count))
            record.order = OrderKey(timestamp: 1, source: 0, line: 1)
            let found = events.removals.first(of: record, in: Array("app\(device)".utf8).span, key: &key)
            let expected = devices.lastIndex { $0 == device || $0.isEmpty }.map { 9 - Int64($0) }
            #expect(found?.timestamp == expected, "\(device)")
        }
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

    /// Removals of very many scopes are found, and no others, whatever the filter of scopes has room for.
    @Test(arguments: Seeds.several(3), [false, true])
    func scopesAreFoundAmongMany(_ seed: UInt64, _ keepsThreadsOfApps: Bool) {
        var random = SeededGenerator(seed: seed)
        var events = ScreenEvents(nil, tracksDelivery: keepsThreadsOfApps)
        /// By device, app, kind and text: the newest removal.
        var newest: [[String]: Int64] = [:]
        func text(_ prefix: String, _ count: Int) -> String {
            let number = random.below(count)
            return number == 0 ? "" : "\(prefix) \(number)"
        }
        for time in 1...4_000 {
            var texts: [UInt8] = []
            var removal = RemovalRecord()
            let scope = random.pick([RemovalScope.app, .thread, .identifier])
            let device = text("device", 30)
            let app = "app \(random.below(20))"
            let name =
                switch scope {
                case .app: ""
                case .thread: text("thread", 40)
                case .identifier: "id \(random.below(900))"
                }
            removal.scope = scope
            removal.device = texts.appendText(Array(device.utf8).span)
            removal.app = texts.appendText(Array(app.utf8).span)
            removal.text = texts.appendText(Array(name.utf8).span)
            removal.order = OrderKey(timestamp: Int64(time), source: 0, line: 1)
            events.add(.removal(removal), in: texts.span)
            newest[[device, app, "\(scope)", name]] = Int64(time)
            if scope == .thread, keepsThreadsOfApps { newest[[device, app, "any thread"]] = Int64(time) }
        }
        var key: [UInt8] = []
        for _ in 0..<4_000 {
            var texts: [UInt8] = []
            var record = NotificationRecord()
            let (device, app) = (text("device", 40), "app \(random.below(30))")
            let (thread, identifier) = (text("thread", 60), text("id", 1_200))
            record.device = texts.appendText(Array(device.utf8).span)
            record.app = texts.appendText(Array(app.utf8).span)
            record.grouping = random.chance(50) ? .byApp : .automatic
            if record.grouping != .byApp || keepsThreadsOfApps {
                record.thread = texts.appendText(Array(thread.utf8).span)
            }
            record.identifier = texts.appendText(Array(identifier.utf8).span)
            record.order = OrderKey(timestamp: Int64(random.below(4_000)), source: 0, line: 1)
            let own = record.thread.isEmpty ? "" : thread
            let isOfAnyThread = record.grouping == .byApp && keepsThreadsOfApps
            let found = [device, ""].flatMap { device -> [Int64?] in
                [
                    newest[[device, app, "app", ""]],
                    newest[isOfAnyThread ? [device, app, "any thread"] : [device, app, "thread", own]],
                    identifier.isEmpty ? nil : newest[[device, app, "identifier", identifier]],
                ]
            }
            let expected = found.compactMap { $0 }.filter { $0 > record.order.timestamp }.min()
            #expect(events.removals.first(of: record, in: texts.span, key: &key)?.timestamp == expected)
        }
    }
}
