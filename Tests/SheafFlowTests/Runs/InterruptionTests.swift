import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// How often pushes interrupted when they arrived, whether or not they were replaced or removed later (specification
/// §16).
@Suite(.tags(.spilling)) struct InterruptionTests {
    struct Log: NamedCase {
        let name: String
        let lines: [String]
        var configuration = "{}"
        /// Whether some settings follow pushes that they are for: a stream counts by the settings that it has read.
        var hasLateSettings = false
        /// Whether an app is opened, but none is closed.
        var staysOpen = false
        let banners: UInt64
        let sounds: UInt64
    }

    private typealias Logs = DeliveryReplayTests

    private static func push(_ time: Int, id: String = "", _ aps: String = "", collapse: String = "")
        -> String
    {
        "{\"app\":\"a\",\"ts\":\(time),\"device\":\"d\",\"id\":\"\(id)\",\"collapse-id\":\"\(collapse)\","
            + "\"aps\":{\"alert\":\"\(time)\",\"sound\":\"s\"\(aps)}}\n"
    }

    private static func event(_ time: Int, _ name: String, _ members: String) -> String {
        "{\"event\":\"\(name)\",\"app\":\"a\",\"ts\":\(time),\(members)}\n"
    }

    static let logs = [
        Log(
            name: "three versions, and one that was dismissed",
            lines: [
                push(1, collapse: "c"), push(2), push(3, collapse: "c"), push(4, id: "x"),
                push(5, collapse: "c"),
                event(6, "removed", #""ids":["x"]"#),
            ],
            banners: 5, sounds: 5),
        Log(
            name: "versions in any order",
            lines: [
                push(5, collapse: "c"), push(1, collapse: "c"), push(3, collapse: "c"),
                push(3, collapse: "e"),
            ],
            banners: 4, sounds: 4),
        Log(
            name: "versions with different levels",
            lines: [
                push(1, Logs.passive, collapse: "c"), push(2, Logs.critical, collapse: "c"),
                push(3, Logs.passive, collapse: "c"),
            ],
            banners: 1, sounds: 1),
        Log(
            name: "settings at the arrival of each version",
            lines: [
                push(1, collapse: "c"), Logs.set(2, Logs.quiet), push(3, collapse: "c"),
                Logs.set(4, Logs.off),
                push(5, collapse: "c"), Logs.set(6, Logs.prominent), push(7, collapse: "c"),
                Logs.set(8, "\"sounds\":false"), push(9, collapse: "c"), Logs.set(10, Logs.off),
            ],
            banners: 3, sounds: 2),
        Log(
            name: "settings that come after the versions that they are for",
            lines: [
                push(9, collapse: "c"), push(3, collapse: "c"), push(1, collapse: "c"), push(5, id: "x"),
                event(6, "removed", #""ids":["x"]"#), Logs.set(2, Logs.quiet), Logs.set(4, Logs.prominent),
            ],
            hasLateSettings: true, banners: 3, sounds: 3),
        Log(
            name: "a quiet app", lines: [push(1, collapse: "c"), push(2, Logs.critical, collapse: "c")],
            configuration: #"{"delivery":"quiet"}"#, banners: 1, sounds: 1),
        Log(
            name: "the sound of a result is not that of its push",
            lines: [
                push(1, id: "x", Logs.passive),
                event(
                    2, "modified", #""identifier":"x","content":{"title":"t","interruptionLevel":"critical"}"#
                ),
                push(3, collapse: "c"),
                event(
                    4, "modified", #""identifier":"c","content":{"title":"t","interruptionLevel":"passive"}"#),
                push(5, collapse: "c"),
            ],
            banners: 2, sounds: 2),
        Log(
            name: "a refused push does not arrive",
            lines: [
                push(1, id: "x", collapse: "c"), push(2, id: "y", collapse: "c"), push(3, id: "z"),
                event(4, "outcome", #""ids":["x","z"],"status":410"#),
            ],
            banners: 1, sounds: 1),
        Log(
            name: "a repeated push arrives once",
            lines: [
                push(1, id: "x", collapse: "c"), push(2, id: "x", collapse: "c"),
                push(3, id: "y", collapse: "c"),
                push(3, id: "y", collapse: "c"),
            ],
            banners: 2, sounds: 2),
        Log(
            name: "an app that is open",
            lines: [
                push(1, collapse: "c"), event(2, "app-opened", "\"device\":\"d\""), push(3, collapse: "c"),
                event(4, "app-closed", "\"device\":\"d\""), push(5, collapse: "c"),
            ],
            banners: 2, sounds: 2),
        Log(
            name: "an app that stays open",
            lines: [event(1, "app-opened", "\"device\":\"d\""), push(2), push(3)], staysOpen: true,
            banners: 0,
            sounds: 0),
        Log(name: "nothing", lines: [], banners: 0, sounds: 0),
    ]

    private static func options(_ log: Log) throws -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.profile = .ios15
        options.settings = try Settings(json: Array(log.configuration.utf8), file: "sheaf.json")
        options.delivery = true
        options.appliesRemovals = true
        (options.unique, options.appliesOutcomes) = (true, true)
        return options
    }

    private static func check(_ statistics: Statistics, _ log: Log) {
        #expect([statistics.delivery?.banners, statistics.delivery?.sounds] == [log.banners, log.sounds])
        #expect(statistics.records == UInt64(log.lines.count))
        let warns = statistics.warnings.contains { if case .appsStayOpen = $0 { true } else { false } }
        #expect(warns == log.staysOpen)
        let json = RandomLog.text(statistics.json())
        #expect(json.contains("\"banners\":\(log.banners),\"sounds\":\(log.sounds),"))
    }

    @Test(arguments: logs, [false, true])
    func eachPushInterruptsWhenItArrives(_ log: Log, _ spills: Bool) async throws {
        for every in [nil, Timeline(step: 2), Timeline(step: 100)] {
            for lines in [log.lines, log.lines.reversed()] {
                var options = try Self.options(log)
                options.spillsAlways = spills
                options.every = every
                let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
                Self.check(try await run(options, on: storage).get(), log)
            }
        }
    }

    @Test(arguments: logs) func streamsCountTheSame(_ log: Log) async throws {
        var options = try Self.options(log)
        options.every = Timeline(step: 2)
        options.lateness = 3
        if log.hasLateSettings { options.lateness = 1_000 }
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
        let statistics = try await run(options, on: storage).get()
        #expect([statistics.delivery?.banners, statistics.delivery?.sounds] == [log.banners, log.sounds])
    }

    @Test(arguments: logs.filter { !$0.hasLateSettings }) func liveGroupsCountTheSame(_ log: Log) throws {
        var options = LiveOptions()
        let replay = try Self.options(log)
        options.configuration = Configuration(replay.settings)
        options.profile = replay.profile
        (options.delivery, options.unique, options.appliesOutcomes) = (true, true, true)
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        for line in log.lines { try source.append(line) }
        try source.finish()
        Self.check(live.statistics(), log)
    }

    /// One partial result per line, in any order of merging neighbors.
    @Test(arguments: logs, [nil, Timeline(step: 2)])
    func partialResultsCountTheSame(_ log: Log, _ every: Timeline?) async throws {
        let storage = MemoryStorage([:])
        var paths: [String] = []
        for (index, line) in log.lines.enumerated() {
            var options = try Self.options(log)
            let path = "log \(100 + index)"
            storage[path] = Array(line.utf8)
            options.sources = [path]
            options.every = every
            options.partial = "\(path) partial"
            _ = try await run(options, on: storage).get()
            paths.append("\(path) partial")
        }
        guard paths.count > 2 else { return }
        var options = try Self.options(log)
        (options.delivery, options.unique, options.appliesOutcomes) = (false, false, false)
        options.appliesRemovals = false
        options.sources = Array(paths[1...])
        options.partial = "rest"
        _ = try await run(try Merge(options, storage: storage)).get()
        options.sources = [paths[0], "rest"]
        options.partial = nil
        Self.check(try await run(try Merge(options, storage: storage)).get(), log)
    }
}
