import TestSupport
import Testing

@testable import SheafFlow

@Suite struct SourceTableTests {
    @Test(arguments: [[], [0], [5], [0, 1, 2], [3, 4], [0, 2], [1, 5, 6, 900], [2, 1 << 20]])
    func aSetHasItsOrdinals(_ ordinals: [Int]) {
        let set = OrdinalSet(ascending: ordinals)
        for ordinal in [-1, 0, 1, 2, 3, 4, 5, 6, 7, 899, 900, 901, 1 << 20, 1 << 24] {
            #expect(set.contains(ordinal) == ordinals.contains(ordinal), "\(ordinal)")
        }
        for (index, ordinal) in ordinals.enumerated() { #expect(set.index(of: ordinal) == index) }
    }

    @Test func aTableHasNamesByOrdinal() {
        let table = SourceTable(named: [.init(ordinal: 2, name: "b"), .init(ordinal: 900, name: "a")])
        #expect(table.name(of: 2) == "b")
        #expect(table.name(of: 900) == "a")
        #expect(table.ordinals.bounds == 2..<901)
        #expect(table.digest != SourceTable(named: [.init(ordinal: 2, name: "b")]).digest)
    }

    // MARK: Lines

    private static func lines(_ lines: some Sequence<UInt64>) -> LineSet? {
        var set: LineSet?
        for line in lines {
            if set == nil { set = LineSet(line: line) } else { set?.add(line) }
        }
        return set
    }

    struct Pair: NamedCase {
        let name: String
        let first: [UInt64]
        let second: [UInt64]
        let intersects: Bool
    }

    static let pairs = [
        Pair(name: "equal", first: [7], second: [7], intersects: true),
        Pair(name: "equal, in another order", first: [1, 9, 5], second: [9, 5, 1], intersects: true),
        Pair(name: "one after the other", first: [1, 2, 3], second: [4, 5], intersects: false),
        Pair(name: "interleaved", first: [1, 3, 5], second: [2, 4, 6], intersects: false),
        Pair(name: "a gap", first: [1, 2], second: [100, 200], intersects: false),
        Pair(name: "dense, with one in common", first: [1, 2, 3], second: [3, 4, 5], intersects: true),
        Pair(name: "inside", first: [1, 2, 3, 4], second: [2], intersects: true),
    ]

    @Test(arguments: pairs) func certainRepetitionsAreFound(_ pair: Pair) throws {
        let first = try #require(Self.lines(pair.first))
        let second = try #require(Self.lines(pair.second))
        #expect(first.certainlyIntersects(second) == pair.intersects)
        #expect(second.certainlyIntersects(first) == pair.intersects)
        #expect(!first.hasRepeated && !second.hasRepeated)
    }

    @Test func theOrderOfLinesDoesNotMatter() throws {
        var random = SeededGenerator(seed: 1)
        let lines = (1...50).map { _ in 1 + UInt64(random.below(1_000_000)) }
        let whole = try #require(Self.lines(lines))
        var parts = try #require(Self.lines(lines[30...]))
        parts.add(try #require(Self.lines(lines[..<30].shuffled(using: &random))))
        #expect(whole == parts)
        #expect(LineSet(count: whole.count, first: whole.first, last: whole.last, sum: whole.sum) == whole)
    }

    @Test func impossibleSetsAreRefused() {
        let limit: UInt64 = 1 << 40
        for (count, first, last): (UInt64, UInt64, UInt64) in [
            (0, 1, 1), (1, 0, 1), (1, 2, 1), (3, 1, 2), (1, 1, limit),
        ] {
            #expect(LineSet(count: count, first: first, last: last, sum: 0) == nil)
        }
        #expect(LineSet(count: 2, first: 1, last: 2, sum: 0) != nil)
    }
}
