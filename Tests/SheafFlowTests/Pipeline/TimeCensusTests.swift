import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The times of a log: the few records to which its span is due, and the longest time without any.
@Suite struct TimeCensusTests {
    private static func census(_ times: some Sequence<Int64>) -> TimeCensus {
        var census = TimeCensus()
        for (line, time) in times.enumerated() {
            census.record(OrderKey(timestamp: time, source: 0, line: UInt64(line + 1)))
        }
        return census
    }

    /// The sum of several censuses, in any order, is that of all records.
    @Test(arguments: Seeds.several(8)) func theOrderDoesNotMatter(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let scale = random.pick([1_000, 1_000_000, 4_000_000_000_000])
        let orders = (1...4_000).map { line in
            OrderKey(
                timestamp: Int64(random.below(scale)) - Int64(random.below(50)), source: 0, line: UInt64(line)
            )
        }
        var whole = TimeCensus()
        for order in orders { whole.record(order) }
        for _ in 0..<3 {
            var parts = Array(repeating: TimeCensus(), count: 1 + random.below(4))
            for order in orders.shuffled(using: &random) { parts[random.below(parts.count)].record(order) }
            var sum = TimeCensus()
            for part in parts.shuffled(using: &random) { sum.add(part) }
            #expect(sum == whole)
            #expect(sum.outliers() == whole.outliers())
            #expect(sum.longestGap()?.start == whole.longestGap()?.start)
        }
    }

    struct Log: NamedCase {
        let name: String
        let times: [Int64]
        /// The numbers of earlier and later records; nil if there are no outliers.
        let outliers: [UInt64]?
    }

    private static let start: Int64 = 1_700_000_000_000
    private static let future: Int64 = 4_102_444_800_000
    private static func regular(_ count: Int) -> [Int64] { (0..<count).map { start + 1_000 * Int64($0) } }

    static let logs = [
        Log(name: "nothing", times: [], outliers: nil),
        Log(name: "one record", times: [start], outliers: nil),
        Log(name: "no time", times: Array(repeating: 0, count: 3_000), outliers: nil),
        Log(name: "one instant", times: Array(repeating: start, count: 3_000), outliers: nil),
        Log(name: "a regular log", times: regular(5_000), outliers: nil),
        Log(name: "one of a thousand", times: regular(999) + [future], outliers: nil),
        Log(name: "one of a thousand and one", times: regular(1_000) + [future], outliers: [0, 1]),
        Log(name: "one at the start", times: [5_000] + regular(1_000), outliers: [1, 0]),
        Log(name: "both ends", times: [5_000] + regular(2_000) + [future], outliers: [1, 1]),
        Log(
            name: "both ends, of which one is left", times: [5_000] + regular(1_500) + [future],
            outliers: [0, 1]),
        Log(name: "too many", times: regular(3_000) + (0..<5).map { future + $0 }, outliers: nil),
        Log(
            name: "several", times: regular(6_000) + (0..<5).map { future - 86_400_000_000 * $0 },
            outliers: [0, 5]),
        Log(name: "before 1970", times: regular(3_000) + [-future, 0], outliers: nil),
        Log(name: "a long weekend", times: regular(5_000) + [start + 9_000_000], outliers: nil),
        Log(name: "a fortnight", times: regular(5_000) + [start + 1_209_600_000], outliers: [0, 1]),
    ]

    @Test(arguments: logs) func outliersAreFewRecordsThatMakeMostOfTheSpan(_ log: Log) throws {
        let found = Self.census(log.times).outliers()
        #expect(found.map { [$0.earlier, $0.later] } == log.outliers)
        guard let found else { return }
        let times = log.times.filter { $0 > 0 }
        #expect(found.count == UInt64(times.count))
        // The limits select exactly the others.
        #expect(UInt64(times.count { $0 < found.start }) == found.earlier)
        #expect(UInt64(times.count { $0 > found.end }) == found.later)
        #expect(found.oldest.timestamp == times.min())
        #expect(found.newest.timestamp == times.max())
    }

    /// As a replay of their sources does: a partial result over time has the newest time.
    @Test(arguments: [nil, Timeline(step: 5_000)]) func mergesWarnOfTheFuture(_ every: Timeline?) async throws
    {
        let storage = MemoryStorage([:])
        for (path, time) in [("1", Self.start), ("2", Self.start + 5_000_000)] {
            storage[path] = MergedParts.partial([#"{"app":"a","ts":\#(time),"aps":{"alert":"x"}}"#]) {
                $0.every = every
            }
        }
        for (present, warns) in [(Self.start + 5_000_000, false), (Self.start, true)] {
            var options = ReplayOptions(sources: ["1", "2"])
            options.output = "out"
            options.clock.present = { present }
            let statistics = try await run(try Merge(options, storage: storage)).get()
            #expect(
                statistics.warnings.contains(.future(newest: Self.start + 5_000_000))
                    == (warns && every != nil))
        }
    }

    @Test func theLongestGapIsFound() throws {
        #expect(Self.census([]).longestGap() == nil)
        #expect(Self.census([Self.start]).longestGap() == nil)
        let gap = try #require(Self.census(Self.regular(50) + [Self.future, Self.future + 3]).longestGap())
        #expect(gap.start > Self.start + 49_000 && gap.start <= Self.start + 49_000 + 1_024)
        #expect(gap.end <= Self.future && gap.end > Self.future - 1_024)
    }
}
