import TestSupport
import Testing

@testable import SheafGroups

/// Lists in ascending order whose elements come in any order.
@Suite struct OrderedListTests {
    struct Sequence: NamedCase {
        let name: String
        let times: [Int64]
    }

    private static func shuffled(_ count: Int64) -> [Int64] {
        var random = SeededGenerator(seed: 7)
        return (1...count).shuffled(using: &random)
    }

    static let sequences = [
        Sequence(name: "none", times: []), Sequence(name: "one", times: [5]),
        Sequence(name: "ascending", times: Array(1...3_000)),
        Sequence(name: "descending", times: (1...3_000).reversed()),
        Sequence(name: "shuffled", times: shuffled(3_000)),
        Sequence(name: "one block", times: shuffled(512)), Sequence(name: "one more", times: shuffled(513)),
    ]

    private static func order(_ time: Int64) -> OrderKey { OrderKey(timestamp: time, source: 0, line: 1) }

    private static func elements(_ list: OrderedList<OrderKey>) -> [Int64] {
        var (times, position) = ([Int64](), ListPosition.start)
        while !list.isEnd(position) {
            times.append(list[position].timestamp)
            position = list.position(after: position)
        }
        return times
    }

    @Test(arguments: sequences) func elementsAreAscending(_ sequence: Sequence) {
        var list = OrderedList<OrderKey>()
        for time in sequence.times {
            let position = list.insert(Self.order(time))
            #expect(list[position].timestamp == time)
        }
        let sorted = sequence.times.sorted()
        #expect(Self.elements(list) == sorted)
        #expect(list.last?.timestamp == sorted.last)
        for time in stride(from: 0, through: 3_001, by: 1) as StrideThrough<Int64> {
            let position = list.position(newerThan: Self.order(time))
            #expect(list.isEnd(position) == !(time < sorted.last ?? 0))
            #expect(list.first(newerThan: Self.order(time))?.timestamp == sorted.first { time < $0 })
            #expect(
                list.position(before: position).map { list[$0].timestamp } == sorted.last { !(time < $0) })
        }
    }

    @Test(arguments: sequences) func elementsAreRemoved(_ sequence: Sequence) {
        for isRemoved in [{ $0 % 3 == 0 }, { $0 < 1_500 }, { $0 > 600 }, { _ in true }, { _ in false }]
            as [(Int64) -> Bool]
        {
            var list = OrderedList<OrderKey>()
            for time in sequence.times { list.insert(Self.order(time)) }
            #expect(list.count == sequence.times.count && list.isEnd(list.end))
            list.removeAll { isRemoved($0.timestamp) }
            let left = sequence.times.filter { !isRemoved($0) }.sorted()
            #expect(Self.elements(list) == left && list.count == left.count)
            #expect(list.position(before: list.end).map { list[$0].timestamp } == left.last)
        }
    }

    @Test(arguments: sequences) func theNewestOfEachIntervalIsKept(_ sequence: Sequence) {
        var list = OrderedList<OrderKey>()
        let timeline = Timeline(step: 3)
        for time in sequence.times { _ = list.add(Self.order(time), timeline) }
        let newest = Dictionary(sequence.times.map { (timeline.interval(of: $0), $0) }, uniquingKeysWith: max)
        #expect(Self.elements(list) == newest.values.sorted())
    }
}
