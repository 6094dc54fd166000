import Testing

@testable import SheafSynthesis

@Suite struct ZipfSamplerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var count: Int
        var flattening = 0

        var testDescription: String { "\(count) ranks, flattened by \(flattening)" }
    }

    /// The frequencies of the most frequent ranks are proportional to 1 / (k + flattening), for k from 1, within four
    /// standard deviations.
    @Test(arguments: [
        Case(count: 1), Case(count: 2), Case(count: 3), Case(count: 10), Case(count: 200),
        Case(count: 50_000),
        Case(count: 2, flattening: 1), Case(count: 1_000, flattening: 250),
    ])
    func frequenciesFollowZipfsLaw(_ instance: Case) {
        let seed: UInt64 = 20
        let draws = 200_000
        let sampler = ZipfSampler(count: instance.count, flattening: instance.flattening)
        var random = RandomStream(seed: seed)
        var counts = Array(repeating: 0, count: instance.count)
        for _ in 0..<draws {
            counts[sampler.rank(using: &random)] += 1
        }
        let weights = (1...instance.count).map { 1 / Double($0 + instance.flattening) }
        let sum = weights.reduce(0, +)
        for rank in 0..<min(instance.count, 20) {
            let share = weights[rank] / sum
            let mean = Double(draws) * share
            let deviation = (mean * (1 - share)).squareRoot()
            #expect(abs(Double(counts[rank]) - mean) <= 4 * deviation + 0.5, "rank \(rank), seed \(seed)")
        }
    }

    @Test func everyRankOccurs() {
        let sampler = ZipfSampler(count: 50)
        var random = RandomStream(seed: 21)
        var seen = Set<Int>()
        for _ in 0..<20_000 {
            seen.insert(sampler.rank(using: &random))
        }
        #expect(seen == Set(0..<50))
    }

    /// Vose's method as published, with the table in memory.
    private struct AliasTable {
        var own: [UInt64]
        var other: [Int]
        let total: UInt64

        init(count: Int, flattening: Int) {
            let unit = (UInt64(1) << 62) / UInt64(count)
            let weights = (1...count).map { unit / UInt64($0 + flattening) }
            let sum = weights.reduce(0, +)
            var levels = weights.map { $0 * UInt64(count) }
            total = sum
            own = Array(repeating: sum, count: count)
            other = Array(0..<count)
            var short = levels.indices.filter { levels[$0] < sum }
            var tall = levels.indices.filter { levels[$0] >= sum }
            while let receiver = short.popLast(), let donor = tall.popLast() {
                own[receiver] = levels[receiver]
                other[receiver] = donor
                levels[donor] -= sum - levels[receiver]
                if levels[donor] < sum { short.append(donor) } else { tall.append(donor) }
            }
        }

        func rank(using random: inout RandomStream) -> Int {
            let rank = random.below(own.count)
            return random.below(total) < own[rank] ? rank : other[rank]
        }
    }

    /// With any number of blocks, every draw equals the table's, so that logs stay the same.
    @Test(arguments: [
        Case(count: 1), Case(count: 2), Case(count: 3), Case(count: 7), Case(count: 24), Case(count: 200),
        Case(count: 4_099), Case(count: 1, flattening: 1), Case(count: 5, flattening: 2),
        Case(count: 1_000, flattening: 250), Case(count: 3_001, flattening: 751),
        Case(count: 50, flattening: 1 << 40), Case(count: 70_001),
    ])
    func drawsEqualThoseOfATable(_ instance: Case) {
        let table = AliasTable(count: instance.count, flattening: instance.flattening)
        for blocks in [1, 2, 3, 10, 64, ZipfSampler.maximumBlocks]
        where instance.count < 10_000 || blocks > 10 {
            let sampler = ZipfSampler(count: instance.count, flattening: instance.flattening, blocks: blocks)
            var expected = RandomStream(seed: 22)
            var random = expected
            for draw in 0..<4_000 {
                let rank = sampler.rank(using: &random)
                guard rank == table.rank(using: &expected) else {
                    Issue.record("draw \(draw) with \(blocks) blocks is \(rank)")
                    return
                }
            }
        }
    }

    @Test func theLargestSamplersDrawValidRanks() {
        for flattening in [0, 2_500_000] {
            let sampler = ZipfSampler(
                count: LogShape.devicesRange.upperBound, flattening: flattening)
            var random = RandomStream(seed: 23)
            for _ in 0..<100 {
                #expect(LogShape.devicesRange.contains(sampler.rank(using: &random)))
            }
        }
    }
}
