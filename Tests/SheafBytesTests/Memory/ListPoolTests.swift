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
            if random.oneIn(50) {
                pool.remove(lists[index], count: count)
                lists[index] = .empty
                model[index] = []
            } else if count > 0, random.oneIn(3) {
                let elementIndex = random.below(count)
                pool.edit(elementIndex, of: lists[index], count: count) { $0 = UInt64(round) }
                model[index][elementIndex] = UInt64(round)
            } else {
                pool.append(UInt64(round), to: &lists[index], count: count)
                model[index].append(UInt64(round))
            }
        }
        for (list, elements) in zip(lists, model) {
            try #require(Self.contents(list, elements.count, of: pool) == elements)
        }
    }

    /// The room of a removed list is used again, even if it is larger than the list.
    @Test func removedListMakesRoom() {
        var pool = Pool()
        var list = Pool.List.empty
        for count in 0..<1000 { pool.append(UInt64(count), to: &list, count: count) }
        let before = pool.heldBytes
        for round in 0..<5 {
            pool.remove(list, count: 1000)
            list = .empty
            for count in 0..<1024 { pool.append(UInt64(count + round), to: &list, count: count) }
            #expect(Self.contents(list, 1024, of: pool) == (0..<1024).map { UInt64($0 + round) })
            pool.remove(list, count: 1024)
            list = .empty
            for count in 0..<1000 { pool.append(UInt64(count), to: &list, count: count) }
        }
        #expect(pool.heldBytes == before)
        pool.remove(.empty, count: 0)
    }

    /// The room of a list that is not the pool's may be outside a segment.
    @Test func listOutsideThePoolCannotBeRemoved() async {
        await #expect(processExitsWith: .failure) {
            var pool = Self.twoSegments()
            pool.remove(Pool.List(start: UInt32(Pool.maximumCount - 4)), count: 5)
        }
        await #expect(processExitsWith: .failure) {
            var pool = Self.twoSegments()
            pool.remove(Pool.List(start: UInt32(3 * Pool.maximumCount)), count: 4)
        }
    }

    /// A pool with two segments.
    private static func twoSegments() -> Pool {
        var pool = Pool()
        for _ in 0..<3 {
            var list = Pool.List.empty
            for count in 0..<(Pool.maximumCount / 2) { pool.append(1, to: &list, count: count) }
        }
        return pool
    }

    @Test func listOfAnotherPoolMayHaveOtherElements() {
        let pool = Self.twoSegments()
        #expect(Self.contents(Pool.List(start: 6), 2, of: pool) == [1, 1])
    }

    @Test func listCannotCrossASegment() async {
        await #expect(processExitsWith: .failure) {
            _ = Self.twoSegments().elements(of: Pool.List(start: UInt32(Pool.maximumCount)), count: 2)
        }
        await #expect(processExitsWith: .failure) {
            var pool = Self.twoSegments()
            pool.edit(1, of: Pool.List(start: UInt32(Pool.maximumCount)), count: 2) { $0 = 9 }
        }
        await #expect(processExitsWith: .failure) {
            var pool = Self.twoSegments()
            var list = Pool.List(start: UInt32(Pool.maximumCount - 2))
            pool.append(9, to: &list, count: 3)
        }
    }

    @Test func listOutsideThePoolTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Self.twoSegments().elements(of: Pool.List(start: UInt32(3 * Pool.maximumCount)), count: 1)
        }
        await #expect(processExitsWith: .failure) {
            _ = Self.twoSegments().elements(of: .empty, count: 1)
        }
        await #expect(processExitsWith: .failure) {
            var pool = Self.twoSegments()
            var list = Pool.List.empty
            pool.append(9, to: &list, count: 3)
        }
        await #expect(processExitsWith: .failure) {
            var pool = Self.twoSegments()
            var list = Pool.List.empty
            pool.append(9, to: &list, count: -1)
        }
    }

    @Test func copiesAreIndependent() {
        var pool = Pool()
        var list = Pool.List.empty
        for count in 0..<5 { pool.append(UInt64(count), to: &list, count: count) }
        var copy = pool
        var other = list
        copy.edit(2, of: other, count: 5) { $0 = 20 }
        copy.append(5, to: &other, count: 5)
        #expect(Self.contents(list, 5, of: pool) == [0, 1, 2, 3, 4])
        #expect(Self.contents(other, 6, of: copy) == [0, 1, 20, 3, 4, 5])
    }
}
