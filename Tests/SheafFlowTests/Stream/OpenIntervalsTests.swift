import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The records of intervals whose snapshots are not due yet.
@Suite struct OpenIntervalsTests {
    private static let timeline = Timeline(step: 10)
    private static let options = StateOptions(
        byDevice: false, maximumArguments: 16, rules: GroupingRules(Settings()))

    /// A notification of one of a few apps, with a body that tells it from others.
    private static func item(_ number: Int, at time: Int64) -> (RoutedRecord, [UInt8]) {
        var bytes: [UInt8] = []
        var record = NotificationRecord()
        record.app = bytes.appendText(Array("app \(number % 3)".utf8).span)
        record.body = bytes.appendText(Array("body \(number)".utf8).span)
        record.order = OrderKey(timestamp: time, source: 0, line: UInt64(number + 1))
        return (RoutedRecord(record, byDevice: false, in: bytes.span), bytes)
    }

    private static func add(
        _ number: Int, at time: Int64, to open: inout OpenIntervals, isTracked: Bool = false
    ) {
        let (item, bytes) = item(number, at: time)
        open.add(item, in: bytes.span, to: timeline.interval(of: time), isTracked: isTracked)
    }

    /// More intervals than a process may have memory mappings.
    @Test(arguments: [false, true]) func anIntervalTakesLittleMemory(_ isTracked: Bool) {
        var open = OpenIntervals(Self.timeline, maximumArguments: 16)
        let count = 70_000
        for number in 0..<count {
            Self.add(number, at: 10 * Int64(number + 1), to: &open, isTracked: isTracked)
        }
        #expect(open.heldBytes < count * 700)
        #expect(open.first == 1)
        var table = ScreenTable(Self.options)
        for number in 0..<count { open.move(Int64(number + 1), to: &table) }
        #expect(open.isEmpty && open.first == nil)
        #expect(table.count == 3)
        #expect(
            table.groups.reduce(0) { $0 + table.store.notificationCount(of: $1.state) } == UInt64(count))
    }

    /// Intervals come and go at random, next to a model with a table for each of them.
    @Test(arguments: Seeds.several(4)) func intervalsAreIndependent(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var open = OpenIntervals(Self.timeline, maximumArguments: 16)
        var model: [Int64: [Int]] = [:]
        var (number, next) = (0, Int64(1))
        for round in 0..<200 {
            for _ in 0..<random.below(60) {
                // The first snapshot takes the records without a time: later ones are late.
                let interval = round < 3 && random.chance(5) ? .min : next + Int64(random.below(40))
                let time = interval == .min ? 0 : interval * 10 - Int64(random.below(10))
                Self.add(number, at: time, to: &open, isTracked: random.chance(20))
                model[interval, default: []].append(number)
                number += 1
            }
            #expect(open.first == model.keys.filter { $0 > .min }.min())
            if round < 2 { continue }
            let taken = round == 2 ? .min : open.first ?? next
            var table = ScreenTable(Self.options)
            open.move(taken, to: &table)
            let numbers = model.removeValue(forKey: taken) ?? []
            var found: [String: UInt64] = [:]
            for group in table.groups {
                found[table.store.app(of: group.state).string] = table.store.notificationCount(
                    of: group.state)
            }
            var expected: [String: UInt64] = [:]
            for number in numbers { expected["app \(number % 3)", default: 0] += 1 }
            #expect(found == expected)
            if taken > .min { next = taken + 1 }
        }
        while let first = open.first {
            var table = ScreenTable(Self.options)
            open.move(first, to: &table)
        }
        #expect(open.isEmpty)
    }

    /// What is held does not grow while as many intervals come as go.
    @Test(arguments: [false, true]) func theStatesOfTakenIntervalsAreDropped(_ isTracked: Bool) {
        var open = OpenIntervals(Self.timeline, maximumArguments: 16)
        var table = ScreenTable(Self.options)
        var largest = [0, 0]
        for number in 0..<40_000 {
            Self.add(number, at: 10 * Int64(number + 1), to: &open, isTracked: isTracked)
            if number >= 500 { open.move(Int64(number - 499), to: &table) }
            largest[number / 20_000] = max(largest[number / 20_000], open.heldBytes)
        }
        #expect(largest[1] <= largest[0] + largest[0] / 4)
    }
}
