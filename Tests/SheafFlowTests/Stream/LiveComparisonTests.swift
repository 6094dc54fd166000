import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Snapshots that are written while records are read are those of an ordinary run with the same options, byte for byte,
/// unless a record is late. Then the late records are counted, and the last snapshot is the same.
///
/// The ordinary run is compared with a model, too. A round is a random log of notifications, updates, removals, settings
/// and results of service extensions, some without a time and some late, and random options. `SHEAF_TEST_ROUNDS=100`
/// makes 1,000 of them.
@Suite struct LiveComparisonTests {
    @Test(arguments: Seeds.several(10)) func aRound(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &* 61 &+ 5)
        let log = try RandomLog(
            seed: seed, lines: 40 + random.below(120), files: random.pick([1, 1, 2, 3]),
            inOrder: random.chance(80), identifiers: random.pick([nil, 1, 3]),
            // The model computes each snapshot separately: one for each millisecond takes minutes.
            shortestStep: seed % 5 == 0 ? 1_000 : 100)
        var options = Self.options(log, &random)
        let lateness = random.pick([0, 0, 100, 700, 2_000, 20_000, 4_000_000_000_000] as [Int64])
        let live = try await Self.output(of: log, Self.split(options, log, &random), lateness: lateness)
        let ordinary = try await Self.output(of: log, Self.split(options, log, &random), lateness: nil)
        // The instants of live snapshots also follow pushes that turn out to be refused or repeated.
        let isDecided =
            !ordinary.statistics.contains(#/"repeated":[1-9]/#) && !ordinary.statistics.contains("refused")
        let isExact = live.late == 0 && (isDecided || !log.options.unique && !log.options.appliesOutcomes)
        #expect(Self.comparable(live.statistics, isExact) == Self.comparable(ordinary.statistics, isExact))
        let storage = log.storage()
        _ = try await run(Self.split(log.options, log, &random), on: storage).get()
        #expect(log.problem(storage, statistics: nil) == nil)
        if isExact {
            #expect(live.text == ordinary.text, "lateness \(lateness)")
            return
        }
        (options.emit, options.top, options.format) = (.all, nil, .ndjson)
        let liveStates = try await Self.output(of: log, Self.split(options, log, &random), lateness: lateness)
        let states = try await Self.output(of: log, Self.split(options, log, &random), lateness: nil)
        #expect(Self.lastSnapshot(liveStates.text) == Self.lastSnapshot(states.text), "lateness \(lateness)")
    }

    /// The options that both runs have.
    private static func options(_ log: RandomLog, _ random: inout SeededGenerator) -> ReplayOptions {
        var options = log.options
        options.every = options.every ?? Timeline(step: random.pick([300, 900, 3_600_000]))
        options.emit = random.chance(30) ? .all : .changes
        options.order = random.pick([.key, .recent])
        options.top = random.chance(20) ? 1 + random.below(3) : nil
        options.format = random.pick([.ndjson, .ndjson, .json, .csv, .text(TextStyle())])
        if random.chance(20) { options.onlyApps = ["com.example.chat", "com.a/b"] }
        if random.chance(20) { options.onlyDevices = ["d1", "d3"] }
        return options
    }

    /// The options with the work split at random: in threads, chunks and spilled runs.
    private static func split(
        _ options: ReplayOptions, _ log: RandomLog, _ random: inout SeededGenerator
    ) -> ReplayOptions {
        let other = log.randomOptions(&random)
        var options = options
        (options.threads, options.chunkBytes, options.partBytes) = (
            other.threads, other.chunkBytes, other.partBytes
        )
        options.spillsAlways = other.spillsAlways
        return options
    }

    private static func output(
        of log: RandomLog, _ options: ReplayOptions, lateness: Int64?
    ) async throws -> (text: String, statistics: String, late: UInt64?) {
        var options = options
        options.lateness = lateness
        let storage = log.storage()
        let late = try await run(options, on: storage).get().late
        var statistics = RandomLog.statistics(storage).replacing(#/,"late":[0-9]+/#, with: "")
        // Those of live snapshots follow only what the records of the pushes tell.
        if options.unique || options.appliesOutcomes {
            statistics.replace(#/"badges":\[.*?\],"badgesTruncated":(true|false),/#, with: "")
        }
        return (RandomLog.text(storage["out/snapshot"]), statistics, late)
    }

    /// Returns the lines of the last snapshot without those of groups that have been emptied.
    private static func lastSnapshot(_ text: String) -> [Substring] {
        let lines = text.split(separator: "\n")
        let last = lines.last?.prefix { $0 != "," }
        return lines.filter { $0.prefix { $0 != "," } == last && !$0.contains(#/"count":0[,}]/#) }
            .map { $0.drop { $0 != "," } }
    }

    /// Returns statistics. Those of a run with late records have the sum of removed, suppressed and quiet notifications:
    /// which of them a notification is depends on whether settings came before the removal. What interrupted follows the
    /// settings that were read before.
    private static func comparable(_ statistics: String, _ isExact: Bool) -> String {
        guard !isExact else { return statistics }
        let statistics = statistics.replacing(#/"(banners|sounds)":[0-9]+,/#, with: "")
        guard statistics.contains(#/"removed":.*"suppressed":/#) else { return statistics }
        let hidden = statistics.matches(of: #/"(?:removed|suppressed|quiet)":([0-9]+)/#).compactMap {
            Int($0.1)
        }
        return statistics.replacing(#/"(removed|suppressed|quiet)":[0-9]+,/#, with: "")
            + " hidden \(hidden.reduce(0, +))"
    }
}
