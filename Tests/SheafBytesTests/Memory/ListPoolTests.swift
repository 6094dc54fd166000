import TestSupport
import Testing

@testable import SheafBytes

@Suite struct ListPoolTests {
    private typealias Pool = ListPool<UInt64>

    private static func contents(_ list: Pool.List, _ count: Int, of pool: Pool) -> [UInt64] {
        let elements = pool.elements(of: list, count: count)
        return elements.indices.map { elements[$0] }
    }

    @Test func emptyListHasNoElements() {
        let pool = Pool()
        #expect(Self.contents(.empty, 0, of: pool) == [])
        #expect(Pool.maximumCount == 1 << 18)
    }

    /// Grows one list through every capacity, up to a segment of its own.
    @Test func listGrowsToTheMaximumCount() {
        var pool = Pool()
        var list = Pool.List.empty
        for count in 0..<Pool.maximumCount { pool.append(UInt64(count), to: &list, count: count) }
        let elements = pool.elements(of: list, count: Pool.maximumCount)
        #expect(elements.indices.allSatisfy { elements[$0] == UInt64($0) })
    }

    /// Random lists compared with arrays: lists never share elements.
    @Test(arguments: Seeds.several(2))
    func behavesLikeArrays(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pool = Pool()
        var lists = [Pool.List](repeating: .empty, count: 300)
        var model = [[UInt64]](repeating: [], count: lists.count)
        for round in 0..<20_000 {
            // The nested choice makes a few lists long.
            let index = random.below(1 + random.below(lists.count))
            let count = model[index].count
            if count > 0, random.oneIn(3) {
                let place = random.below(count)
                pool.replace(place, of: lists[index], count: count, by: UInt64(round))
                model[index][place] = UInt64(round)
            } else {
                pool.append(UInt64(round), to: &lists[index], count: count)
                model[index].append(UInt64(round))
            }
        }
        for (list, elements) in zip(lists, model) {
            try #require(Self.contents(list, elements.count, of: pool) == elements)
        }
    }

    @Test func copiesAreIndependent() {
        var pool = Pool()
        var list = Pool.List.empty
        for count in 0..<5 { pool.append(UInt64(count), to: &list, count: count) }
        var copy = pool
        var other = list
        copy.replace(2, of: other, count: 5, by: 20)
        copy.append(5, to: &other, count: 5)
        #expect(Self.contents(list, 5, of: pool) == [0, 1, 2, 3, 4])
        #expect(Self.contents(other, 6, of: copy) == [0, 1, 20, 3, 4, 5])
    }
}
