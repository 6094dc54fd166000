import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Quantiles and the numbers of a distribution (specification §19).
@Suite struct MeasureRowTests {
    struct Text: NamedCase {
        let name: String
        /// nil if the text is not a quantile.
        let text: String?
        var thousandths = 0
    }

    static let texts = [
        Text(name: "50", text: "50", thousandths: 50_000),
        Text(name: "100", text: "100", thousandths: 100_000),
        Text(name: "99.9", text: "99.9", thousandths: 99_900),
        Text(name: "99.990", text: "99.99", thousandths: 99_990),
        Text(name: "0.001", text: "0.001", thousandths: 1), Text(name: "5.0", text: "5", thousandths: 5_000),
        Text(name: "050", text: "50", thousandths: 50_000), Text(name: "0", text: nil),
        Text(name: "0.0", text: nil), Text(name: "100.001", text: nil), Text(name: "101", text: nil),
        Text(name: "99.9999", text: nil), Text(name: "-5", text: nil), Text(name: "+5", text: nil),
        Text(name: "5.", text: nil), Text(name: ".5", text: nil), Text(name: "", text: nil),
        Text(name: "p95", text: nil), Text(name: "9٥", text: nil), Text(name: "1e1", text: nil),
        Text(name: "1.2.3", text: nil),
    ]

    @Test(arguments: texts) func quantilesAreRead(_ text: Text) {
        let quantile = Quantile(text.name)
        #expect(quantile?.text == text.text)
        #expect(quantile?.thousandths ?? 0 == text.thousandths)
    }

    struct Ranks: NamedCase {
        let name: String
        let people: UInt64
        let rank: UInt64
    }

    @Test(arguments: [
        Ranks(name: "50", people: 1, rank: 1), Ranks(name: "50", people: 2, rank: 1),
        Ranks(name: "50", people: 3, rank: 2), Ranks(name: "95", people: 20, rank: 19),
        Ranks(name: "95", people: 21, rank: 20), Ranks(name: "99.9", people: 1_000, rank: 999),
        Ranks(name: "99.9", people: 1_001, rank: 1_000), Ranks(name: "100", people: 7, rank: 7),
        Ranks(name: "0.001", people: 7, rank: 1), Ranks(name: "100", people: .max, rank: .max),
    ])
    func ranksAreRoundedUp(_ ranks: Ranks) throws {
        #expect(try #require(Quantile(ranks.name)).rank(among: ranks.people) == ranks.rank)
    }

    private func row(_ people: UInt64, _ values: [(UInt64, Int64)], _ quantiles: String...) -> MeasureRow {
        MeasureRow(
            at: 0, app: nil, part: [], measure: .pushes, people: people, values.map { (key: $0, value: $1) },
            quantiles.compactMap { Quantile($0) })
    }

    @Test func zerosCountAsValues() {
        let found = row(4, [(3, 1)], "50", "75", "76", "100")
        #expect((found.zero, found.sum, found.max) == (3, 3, 3))
        #expect(found.quantiles == [0, 0, 3, 3])
        #expect(found.meanThousandths == 750)
    }

    @Test func meansAreRounded() {
        #expect(row(3, [(1, 1)]).meanThousandths == 333)
        #expect(row(3, [(2, 1)]).meanThousandths == 667)
        #expect(row(16, [(1, 1)]).meanThousandths == 63)
        #expect(row(2_000, [(1, 1)]).meanThousandths == 1)
        #expect(row(2_001, [(1, 1)]).meanThousandths == 0)
        #expect(row(1_000, [(1 << 60, 1)]).meanThousandths == 1 << 60)
    }
}
