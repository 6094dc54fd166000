import TestSupport
import Testing

@testable import SheafBytes

@Suite struct PoolTests {
    @Test func removedIndicesAreReused() {
        var pool = Pool<String>()
        #expect(pool.count == 0)
        #expect(pool.insert("a") == 1)
        #expect(pool.insert("b") == 2)
        #expect(pool.count == 2)
        pool.remove(1)
        #expect(pool.count == 1)
        #expect(pool[2] == "b")
        #expect(pool.insert("c") == 1)
        #expect(pool.insert("d") == 3)
        #expect(pool[1] == "c")
        pool[1] += "!"
        #expect(pool[1] == "c!")
    }

    /// Random operations compared with a model: indices are stable, never 0, and unique.
    @Test(arguments: Seeds.several(1))
    func behavesLikeADictionary(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pool = Pool<Int>()
        var model: [(index: UInt32, element: Int)] = []
        var used: Set<UInt32> = [0]
        for round in 0..<6000 {
            if random.below(5) < 3 || model.isEmpty {
                let index = pool.insert(round)
                try #require(used.insert(index).inserted, "round \(round)")
                model.append((index, round))
            } else {
                let position = random.below(model.count)
                if random.oneIn(3) {
                    pool[model[position].index] += 1
                    model[position].element += 1
                } else {
                    model.swapAt(position, model.count - 1)
                    let removed = model.removeLast()
                    pool.remove(removed.index)
                    used.remove(removed.index)
                }
            }
            try #require(pool.count == model.count, "round \(round)")
        }
        for (index, element) in model { try #require(pool[index] == element) }
    }

    @Test func copiesAreIndependent() {
        var pool = Pool<Int>()
        let index = pool.insert(1)
        var copy = pool
        copy[index] = 2
        copy.remove(index)
        #expect(pool[index] == 1)
        #expect(pool.count == 1 && copy.count == 0)
        #expect(pool.insert(3) == 2)
        #expect(copy.insert(4) == 1)
    }
}
