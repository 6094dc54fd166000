import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Replays of the records between two instants (specification §14).
@Suite(.tags(.spilling)) struct WindowTests {
    /// A log with a record per hour from 1 to 4, each in the group of its hour, and two versions of a notification.
    private static let log = [
        WarningTests.line(thread: "1", time: 1_700_003_600),
        WarningTests.line(thread: "2", time: 1_700_007_200),
        WarningTests.line(thread: "3", time: 1_700_010_800),
        WarningTests.line(thread: "4", time: 1_700_014_400),
        WarningTests.line(thread: "old", collapse: "c", time: 1_700_003_600),
        WarningTests.line(thread: "new", collapse: "c", time: 1_700_014_400),
        WarningTests.line(thread: "5", time: 1_700_010_800, pushType: "background"),
        WarningTests.line(thread: "always", time: nil),
    ]

    private static func milliseconds(hour: Int64) -> Int64 { (1_700_000_000 + hour * 3_600) * 1_000 }

    struct Window: NamedCase {
        let name: String
        var since: Int64?
        var until: Int64?
        let threads: Set<String>
        /// The numbers of earlier and later records; nil without a window.
        let outside: [UInt64]?
        var silent: UInt64 = 0
    }

    static let windows = [
        Window(name: "none", threads: ["1", "2", "3", "4", "new", "always"], outside: nil, silent: 1),
        Window(
            name: "since, exactly", since: milliseconds(hour: 3), threads: ["3", "4", "new", "always"],
            outside: [3, 0], silent: 1),
        Window(
            name: "since, a millisecond later", since: milliseconds(hour: 3) + 1,
            threads: ["4", "new", "always"], outside: [5, 0]),
        Window(
            name: "until, exactly", until: milliseconds(hour: 3), threads: ["1", "2", "3", "old", "always"],
            outside: [0, 2], silent: 1),
        Window(
            name: "until, a millisecond earlier", until: milliseconds(hour: 3) - 1,
            threads: ["1", "2", "old", "always"], outside: [0, 4]),
        Window(
            name: "both", since: milliseconds(hour: 2), until: milliseconds(hour: 2),
            threads: ["2", "always"], outside: [2, 4]),
        Window(
            name: "before all records", until: 0, threads: ["always"], outside: [0, 7]),
        Window(
            name: "all times", since: .min, until: .max, threads: ["1", "2", "3", "4", "new", "always"],
            outside: [0, 0], silent: 1),
    ]

    @Test(arguments: windows) func recordsOutsideAreCounted(_ window: Window) async throws {
        let storage = MemoryStorage(["log": .file(Array(Self.log.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.statistics = "stats"
        options.since = window.since
        options.until = window.until
        let statistics = try await run(options, on: storage).get()
        let lines = RandomLog.text(storage["out"]).split(separator: "\n")
        let threads = lines.compactMap { $0.firstMatch(of: #/"thread":"([^"]*)"/#).map { String($0.1) } }
        #expect(Set(threads) == window.threads)
        #expect(threads.count == window.threads.count)
        #expect(statistics.outsideWindow.map { [$0.earlier, $0.later] } == window.outside)
        #expect(statistics.silent == window.silent)
        #expect(statistics.records == 8)
        let json = RandomLog.text(storage["stats"])
        if let outside = window.outside {
            #expect(json.contains(#","earlier":\#(outside[0]),"later":\#(outside[1]),"untimed":1,"#))
        } else {
            #expect(!json.contains("earlier"))
        }
    }

    /// The statistics of a merge are those of one replay.
    @Test func mergedStatisticsHaveTheWindow() async throws {
        let storage = MemoryStorage([
            "a": .file(Array(Self.log.prefix(3).joined().utf8)),
            "b": .file(Array(Self.log.dropFirst(3).joined().utf8)),
        ])
        var options = ReplayOptions(sources: ["a", "b"])
        options.output = "whole"
        options.since = Self.milliseconds(hour: 2)
        options.until = Self.milliseconds(hour: 3)
        let whole = try await run(options, on: storage).get()
        for name in ["a", "b"] {
            options.sources = [name]
            options.partial = "\(name).partial"
            _ = try await run(options, on: storage).get()
        }
        var merging = ReplayOptions(sources: ["a.partial", "b.partial"])
        merging.output = "merged"
        let merged = try await merge(merging, on: storage).get()
        #expect(RandomLog.text(storage["merged"]) == RandomLog.text(storage["whole"]))
        #expect(merged.comparable == whole.comparable)
        #expect(merged.outsideWindow == .init(earlier: 2, later: 2))
    }

    struct Empty: NamedCase {
        let name: String
        var since: Int64?
        var until: Int64?
        var line = WarningTests.line(time: 1_700_003_600)
        let warnings: [ReplayWarning]
    }

    static let empty = [
        Empty(name: "all earlier", since: .max, warnings: [.emptyWindow(earlier: 1, later: 0)]),
        Empty(name: "all later", until: 0, warnings: [.emptyWindow(earlier: 0, later: 1)]),
        Empty(
            name: "an untimed record in addition", since: 0, until: 1,
            line: WarningTests.line(time: 1_700_003_600) + WarningTests.line(time: nil),
            warnings: [.emptyWindow(earlier: 0, later: 1)]),
        Empty(name: "in the window", since: 0, until: .max, warnings: []),
        Empty(
            name: "a silent record in the window", since: 0,
            line: WarningTests.line(time: 1_700_003_600, pushType: "background"), warnings: []),
        Empty(name: "no records", until: 0, line: "", warnings: []),
    ]

    /// An app in the settings matches its records, whenever they are.
    @Test func appsOutsideTheWindowAreInTheLog() async throws {
        let lines = [
            WarningTests.line("com.a", time: 1_700_000_000), WarningTests.line("com.b", time: 1_700_003_600),
        ]
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.settings.apps["com.b"] = AppSettings()
        options.until = 1_700_000_000_000
        #expect(try await run(options, on: storage).get().warnings == [])
    }

    @Test func windowWithoutTimesIsRefused() async {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        (options.since, options.until) = (2, 1)
        let result = await run(options, on: MemoryStorage(["log": .file([])]))
        #expect(throws: ReplayError.usage("\(.until) is before \(.since): no time is between them")) {
            try result.get()
        }
    }

    @Test(arguments: empty) func windowWithoutRecordsIsSuspicious(_ item: Empty) async throws {
        let storage = MemoryStorage(["log": .file(Array(item.line.utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.since = item.since
        options.until = item.until
        #expect(try await run(options, on: storage).get().warnings == item.warnings)
    }
}
