import Testing

@testable import SheafGroups

/// The order of records (specification §4).
@Suite struct OrderKeyTests {
    /// Keys in order, oldest first.
    static let ascending = [
        OrderKey(timestamp: .min, source: 0, line: 0),
        OrderKey(timestamp: -1, source: OrderKey.maximumSources - 1, line: OrderKey.maximumLines - 1),
        OrderKey(timestamp: 0, source: 0, line: 1),
        OrderKey(timestamp: 0, source: 0, line: 2),
        OrderKey(timestamp: 0, source: 0, line: OrderKey.maximumLines - 1),
        OrderKey(timestamp: 0, source: 1, line: 1),
        OrderKey(timestamp: 0, source: 255, line: 1),
        OrderKey(timestamp: 0, source: 256, line: 0),
        OrderKey(timestamp: 0, source: OrderKey.maximumSources - 1, line: 1),
        OrderKey(timestamp: 1, source: 0, line: 1),
        OrderKey(timestamp: .max, source: 0, line: 1),
    ]

    @Test func keysAreOrderedByTimeSourceAndLine() {
        for (i, first) in Self.ascending.enumerated() {
            for (j, second) in Self.ascending.enumerated() {
                #expect((first < second) == (i < j), "\(first) and \(second)")
                #expect((first == second) == (i == j))
                #expect((first > second) == (i > j))
            }
        }
    }

    @Test func partsRoundTrip() {
        for (source, line) in [
            (0, 0), (0, 1), (1, 0), (OrderKey.maximumSources - 1, OrderKey.maximumLines - 1),
        ] as [(Int, UInt64)] {
            let key = OrderKey(timestamp: -7, source: source, line: line)
            #expect(key.timestamp == -7)
            #expect(key.source == source)
            #expect(key.line == line)
        }
    }

    @Test func keyHasSixteenBytes() {
        #expect(MemoryLayout<OrderKey>.size == 16)
        #expect(OrderKey.maximumSources == 1 << 24)
        #expect(OrderKey.maximumLines == 1 << 40)
    }
}
