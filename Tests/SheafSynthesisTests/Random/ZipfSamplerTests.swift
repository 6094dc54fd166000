import Testing

@testable import SheafSynthesis

@Suite struct ZipfSamplerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var count: Int
        var flattening = 0

        var testDescription: String { "\(count) ranks, flattened by \(flattening)" }
    }

    /// The most frequent ranks come as often as 1 / (k + flattening) of the sum says, within four standard
    /// deviations.
    @Test(arguments: [
        Case(count: 1), Case(count: 2), Case(count: 3), Case(count: 10), Case(count: 200),
        Case(count: 50_000),
        Case(count: 2, flattening: 1), Case(count: 1_000, flattening: 250),
    ])
    func frequencies(_ instance: Case) {
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
}
