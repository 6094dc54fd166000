import Testing

@testable import SheafSynthesis

@Suite struct RandomStreamTests {
    @Test func outputsAreThoseOfTheReferenceImplementation() {
        var random = RandomStream(state: (1, 2, 3, 4))
        let expected: [UInt64] = [
            11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360,
            607_988_272_756_665_600, 16_172_922_978_634_559_625, 8_476_171_486_693_032_832,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test func seedingIsThatOfTheReferenceImplementation() {
        let seeds = (1...5).map { RandomStream.mix(1_234_567 &+ $0 &* RandomStream.step) }
        #expect(
            seeds == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func valuesFillTheRangeBelowTheBound(_ bound: Int) {
        var random = RandomStream(seed: 22)
        var seen = Set<Int>()
        for _ in 0..<20 * bound {
            seen.insert(random.below(bound))
        }
        #expect(seen == Set(0..<bound))
    }

    @Test(arguments: [(0, 0...0), (1_000, 10_000...10_000), (250, 2_300...2_700)])
    func chanceHasTheGivenProbability(_ perMille: Int, _ band: ClosedRange<Int>) {
        var random = RandomStream(seed: 23)
        let hits = (0..<10_000).count { _ in random.chance(perMille: perMille) }
        #expect(band.contains(hits))
    }
}
