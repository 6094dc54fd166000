import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Which timestamps of a source are ahead: the present is 1,000, and the limit 100.
@Suite struct SourceTimeTests {
    struct Case: NamedCase {
        let name: String
        let times: [Int64]
        let ahead: UInt64
        let newest: Int64?
        var newestAhead: Int64?
    }

    static let cases = [
        Case(name: "no record", times: [], ahead: 0, newest: nil),
        Case(name: "the past", times: [5, 900, 7], ahead: 0, newest: 900),
        Case(name: "an old log", times: [1, 3, 2], ahead: 0, newest: 3),
        Case(name: "a gap in an old log", times: [1, 800], ahead: 0, newest: 800),
        Case(name: "as far as allowed", times: [900, 1_100], ahead: 0, newest: 1_100),
        Case(name: "too far", times: [900, 1_101], ahead: 1, newest: 900, newestAhead: 1_101),
        Case(name: "near the source's records", times: [1_050, 1_120], ahead: 0, newest: 1_120),
        Case(name: "one in between", times: [900, 5_000, 901], ahead: 1, newest: 901, newestAhead: 5_000),
        Case(
            name: "several that agree", times: [900, 5_000, 5_001, 5_002, 902], ahead: 3, newest: 902,
            newestAhead: 5_002),
        Case(name: "the first record", times: [5_000, 900], ahead: 1, newest: 900, newestAhead: 5_000),
        Case(
            name: "the first records", times: [5_000, 9_000, 900, 901], ahead: 2, newest: 901,
            newestAhead: 9_000),
        Case(name: "from the future", times: [5_000, 5_050, 5_120], ahead: 0, newest: 5_120),
        Case(name: "a gap in the future", times: [5_000, 5_101], ahead: 0, newest: 5_000),
        Case(name: "backwards in the future", times: [5_101, 5_000], ahead: 0, newest: 5_000),
        Case(
            name: "gaps in a log from the future", times: (0..<20).map { 5_000 + 200 * $0 }, ahead: 0,
            newest: 8_800),
        Case(
            name: "a long start", times: (0..<20).map { 5_000 + 200 * $0 } + [900], ahead: 20, newest: 900,
            newestAhead: 8_800),
        Case(name: "around the limit", times: [1_101, 1_050], ahead: 0, newest: 1_101),
        Case(
            name: "the last instant", times: [900, .max, 901], ahead: 1, newest: 901, newestAhead: .max),
        Case(name: "the first instant", times: [.min, 900, .min], ahead: 0, newest: 900),
        Case(
            name: "the last and the first instant", times: [.max, .min], ahead: 1, newest: .min,
            newestAhead: .max),
    ]

    private static let limit = SourceTime.Limit(milliseconds: 100, present: { 1_000 })

    private static func order(_ time: Int64, _ line: Int) -> OrderKey {
        OrderKey(timestamp: time, source: 0, line: UInt64(line))
    }

    @Test(arguments: cases) func timesAreAhead(_ item: Case) {
        var (time, bounds) = (SourceTime(), SnapshotBounds())
        for (line, timestamp) in item.times.enumerated() {
            _ = time.add(Self.order(timestamp, line + 1), Self.limit, &bounds)
        }
        #expect(bounds.ahead == item.ahead)
        #expect(bounds.newestAhead == item.newestAhead)
        #expect(time.newest == item.newest)
    }

    /// A removal of several identifiers is several events.
    @Test(arguments: [[900, 5_000, 900], [5_000, 900]] as [[Int64]])
    func aRecordCountsOnce(_ times: [Int64]) {
        var (time, bounds) = (SourceTime(), SnapshotBounds())
        for (line, timestamp) in times.enumerated() {
            let answers = (0..<3).map { _ in
                time.add(Self.order(timestamp, line + 1), Self.limit, &bounds)
            }
            #expect(Set(answers).count == 1)
        }
        #expect(bounds.ahead == 1)
    }

    struct Silence: NamedCase {
        let name: String
        let newest: Int64?
        let uptime: Int64?
        let reached: Int64?
        var arrival: Int64? = 50
    }

    static let silences = [
        Silence(name: "not yet silent", newest: 700, uptime: 79, reached: 700),
        Silence(name: "just silent", newest: 700, uptime: 80, reached: 730),
        Silence(name: "silent for long", newest: 700, uptime: 3_050, reached: 3_700),
        Silence(name: "only records count", newest: 700, uptime: nil, reached: 700),
        Silence(name: "not live", newest: 700, uptime: 3_050, reached: 700, arrival: nil),
        Silence(name: "no record yet", newest: nil, uptime: 79, reached: nil),
        Silence(name: "silent from the start", newest: nil, uptime: 90, reached: 540),
        Silence(name: "no record, not live", newest: nil, uptime: 90, reached: nil, arrival: nil),
        Silence(name: "the last instant", newest: .max - 1, uptime: 90, reached: .max),
    ]

    @Test(arguments: silences) func timeGoesOnWhileALiveSourceIsSilent(_ item: Silence) {
        let time = SourceTime(newest: item.newest, arrival: item.arrival)
        #expect(time.reached(at: item.uptime, idle: 30, others: 500) == item.reached)
    }
}
