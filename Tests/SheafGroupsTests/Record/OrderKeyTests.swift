import SheafBytes
import Testing

@testable import SheafGroups

/// The order of records (specification §4).
@Suite struct OrderKeyTests {
    /// Keys in order, oldest first.
    static let ascending = [
        OrderKey(timestamp: .min, source: 0, line: 0),
        OrderKey(timestamp: -1, source: OrderKey.maximumSources - 1, line: OrderKey.maximumLines - 1),
        OrderKey(timestamp: 0, source: 0, line: 1),
        OrderKey(timestamp: 0, source: 0, line: 1, index: 1),
        OrderKey(timestamp: 0, source: 0, line: 1, index: OrderKey.maximumRecords - 1),
        OrderKey(timestamp: 0, source: 0, line: 2),
        OrderKey(timestamp: 0, source: 0, line: OrderKey.maximumLines - 1),
        OrderKey(timestamp: 0, source: 0, line: OrderKey.maximumLines - 1, index: 1),
        OrderKey(timestamp: 0, source: 1, line: 1),
        OrderKey(timestamp: 0, source: 255, line: 1),
        OrderKey(timestamp: 0, source: 256, line: 0),
        OrderKey(timestamp: 0, source: OrderKey.maximumSources - 1, line: 1),
        OrderKey(timestamp: 1, source: 0, line: 1),
        OrderKey(timestamp: .max, source: 0, line: 1),
    ]

    @Test func keysAreOrderedByTimeSourceLineAndIndex() {
        for (i, first) in Self.ascending.enumerated() {
            for (j, second) in Self.ascending.enumerated() {
                #expect((first < second) == (i < j), "\(first) and \(second)")
                #expect((first == second) == (i == j))
                #expect((first > second) == (i > j))
                // The words decide, or are equal for records of one line with one timestamp.
                if second.newestFirst < first.newestFirst { #expect(i < j) }
                let isTie = first.newestFirst == second.newestFirst
                #expect(
                    isTie
                        == ((first.timestamp, first.source, first.line)
                            == (second.timestamp, second.source, second.line)))
            }
        }
    }

    @Test func partsRoundTrip() {
        for (source, line, index) in [
            (0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1), (3, 5, 7),
            (OrderKey.maximumSources - 1, OrderKey.maximumLines - 1, OrderKey.maximumRecords - 1),
        ] as [(Int, UInt64, UInt32)] {
            let key = OrderKey(timestamp: -7, source: source, line: line, index: index)
            #expect(key.timestamp == -7)
            #expect(key.source == source)
            #expect(key.line == line)
            #expect(key.index == index)
            #expect(index > 0 || key.lineAndIndex == line)
            let parts = OrderKey.unpack(key.lineAndIndex)
            #expect(parts.line == line && parts.number == index)
        }
    }

    @Test func keyHasTwentyBytes() {
        #expect(MemoryLayout<OrderKey>.size == 20)
        #expect(OrderKey.maximumSources == 1 << 24)
        #expect(OrderKey.maximumLines == 1 << 40)
        #expect(OrderKey.maximumRecords == 1 << 24 - 1)
    }
}
