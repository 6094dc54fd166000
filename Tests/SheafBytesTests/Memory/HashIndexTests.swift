import TestSupport
import Testing

@testable import SheafBytes

@Suite struct HashIndexTests {
    /// A family of hashes: colliding entirely, in the stored half, in the bucket bits, or not at all.
    struct Hashes: NamedCase {
        let name: String
        let hash: @Sendable (Int) -> UInt64
    }

    static let kinds = [
        Hashes(name: "all equal") { _ in 7 },
        Hashes(name: "all zero") { _ in 0 },
        Hashes(name: "all ones") { _ in .max },
        Hashes(name: "low half equal") { UInt64($0) << 32 | 5 },
        Hashes(name: "low bits equal") { UInt64($0) << 12 },
        Hashes(name: "consecutive") { UInt64($0) },
        Hashes(name: "consecutive, wrapping around the last bucket") { UInt64(62 + $0) },
        Hashes(name: "few") { UInt64($0 % 10) &* 0x9e37_79b9_7f4a_7c15 },
        Hashes(name: "many") { UInt64($0 + 1) &* 0x9e37_79b9_7f4a_7c15 },
    ]

    /// Covers counts around the first doubling of the buckets, and past the next ones.
    @Test(arguments: kinds, [0, 1, 2, 42, 43, 44, 85, 86, 300])
    func everyElementIsFound(_ hashes: Hashes, _ count: Int) {
        var index = HashIndex()
        for element in 0..<count {
            #expect(index.find(hashes.hash(element)) { $0 == element } == nil)
            index.insert(element, hash: hashes.hash(element))
        }
        for element in 0..<count {
            #expect(index.find(hashes.hash(element)) { $0 == element } == element)
        }
        #expect(index.find(hashes.hash(count)) { $0 == count } == nil)
    }

    /// Only elements with the same stored half of the hash are compared.
    @Test func onlyEqualHashesAreCompared() {
        var index = HashIndex()
        for element in 0..<200 { index.insert(element, hash: UInt64(element % 50)) }
        for hash in 0..<50 as Range<UInt64> {
            var compared: [Int] = []
            let found = index.find(hash) { element in
                compared.append(element)
                return false
            }
            #expect(found == nil)
            #expect(compared.sorted() == stride(from: Int(hash), to: 200, by: 50).map { $0 })
        }
    }

    @Test(arguments: Seeds.several(2))
    func behavesLikeADictionary(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = HashIndex()
        var model: [UInt64: Int] = [:]
        var hashes: [UInt64] = []
        for round in 0..<5000 {
            let hash = random.oneIn(3) ? UInt64(random.below(500)) : random.next()
            let found = index.find(hash) { hashes[$0] == hash }
            #expect(found == model[hash], "round \(round)")
            guard found == nil else { continue }
            index.insert(hashes.count, hash: hash)
            model[hash] = hashes.count
            hashes.append(hash)
        }
    }

    @Test func copiesAreIndependent() {
        var index = HashIndex()
        index.insert(0, hash: 1)
        var copy = index
        copy.insert(1, hash: 2)
        #expect(index.find(2) { _ in true } == nil)
        #expect(copy.find(1) { _ in true } == 0)
        #expect(copy.find(2) { _ in true } == 1)
    }

    @Test func largestIndexIsFound() {
        var index = HashIndex()
        index.insert(HashIndex.maximumCount - 1, hash: .max)
        #expect(index.find(.max) { _ in true } == HashIndex.maximumCount - 1)
    }

    @Test func indexAboveTheMaximumTraps() async {
        await #expect(processExitsWith: .failure) {
            var index = HashIndex()
            index.insert(HashIndex.maximumCount, hash: 0)
        }
    }
}
