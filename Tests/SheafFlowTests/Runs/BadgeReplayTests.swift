import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// The newest badge of each app (specification §16).
@Suite(.tags(.spilling)) struct BadgeReplayTests {
    private static func push(
        _ time: Int, _ badge: String, app: String = "a", device: String? = nil,
        alert: String = #""alert":"x","#
    ) -> String {
        let device = device.map { #""device":"\#($0)","# } ?? ""
        return #"{"app":"\#(app)","ts":\#(time),\#(device)"aps":{\#(alert)"badge":\#(badge)}}"#
    }

    private static func replay(
        _ lines: [String], _ change: (inout ReplayOptions) -> Void = { $0.statistics = "stats" }
    ) throws -> (statistics: Statistics, json: String) {
        let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.threads = 3
        options.chunkBytes = 100
        change(&options)
        let statistics = try Replay(options, storage: storage).run()
        return (statistics, String(decoding: storage["stats"] ?? [], as: UTF8.self))
    }

    private static let lines = [
        push(2, "5"), push(1, "9"), push(3, "\"7\""), push(1, "4", app: "b"),
        push(2, "0", app: "b", device: "e", alert: ""), push(2, "6", app: "a", device: "d"),
        push(1, "8", app: "a", device: "d"),
    ]

    @Test func theNewestBadgeOfAnAppIsReported() throws {
        let found = try Self.replay(Self.lines)
        #expect(
            found.json.contains(
                #""badges":[{"app":"a","badge":6,"timestamp":2000},{"app":"b","badge":0,"timestamp":2000}],"#
                    + #""badgesTruncated":false,"untimed":0,"#))
        #expect(!found.statistics.warnings.contains(.badgesTruncated))
    }

    @Test func devicesHaveTheirOwnBadges() throws {
        let found = try Self.replay(Self.lines) {
            $0.statistics = "stats"
            $0.byDevice = true
        }
        #expect(
            found.json.contains(
                #""badges":[{"device":null,"app":"a","badge":5,"timestamp":2000},"#
                    + #"{"device":null,"app":"b","badge":4,"timestamp":1000},"#
                    + #"{"device":"d","app":"a","badge":6,"timestamp":2000},"#
                    + #"{"device":"e","app":"b","badge":0,"timestamp":2000}],"badgesTruncated":false,"#))
    }

    @Test func badgesOfLocalNotificationsCount() throws {
        let line =
            #"{"ts":1,"app":"a","identifier":"i","content":{"title":"x","body":"y","badge":3},"trigger":null}"#
        #expect(try Self.replay([line]).statistics.badges?.newest.map(\.badge) == [3])
    }

    @Test func badgesOutsideTheWindowDoNotCount() throws {
        let found = try Self.replay((1...4).map { Self.push($0, "\($0)") }) {
            ($0.badges, $0.since, $0.until) = (true, 2_000, 3_000)
        }
        #expect(found.statistics.badges?.newest.map(\.badge) == [3])
    }

    @Test func badgesAreReportedOnlyIfTheyAreWanted() throws {
        #expect(try Self.replay(Self.lines) { _ in }.statistics.badges == nil)
        #expect(try Self.replay(Self.lines) { $0.badges = true }.statistics.badges?.newest.count == 2)
        let none = try Self.replay([#"{"app":"a","ts":1,"aps":{"alert":"x"}}"#])
        #expect(none.statistics.badges == nil && !none.json.contains("badges"))
        // A partial result has them for the merge, whatever is reported.
        let partial = try Self.replay(Self.lines) { $0.partial = "partial" }
        #expect(partial.statistics.badges == nil)
    }

    struct Log: NamedCase {
        let name: String
        let lines: [String]
        var configuration = "{}"
        /// The newest badges by app.
        let badges: [UInt64]
    }

    private static func set(
        _ time: Int, _ settings: String, app: String = "a", device: String? = nil
    ) -> String {
        String(DeliveryReplayTests.set(time, settings, app: app, device: device).dropLast())
    }

    private static func critical(_ time: Int, _ badge: String) -> String {
        push(time, badge, alert: #""alert":"x","interruption-level":"critical","#)
    }

    static let tracked = [
        Log(name: "no settings", lines: [push(1, "5"), push(2, "6")], badges: [6]),
        Log(
            name: "quiet apps", lines: [push(1, "5"), push(2, "6", app: "b")],
            configuration: #"{"apps":{"a":{"delivery":"quiet"}}}"#, badges: [6]),
        Log(
            name: "provisional apps", lines: [push(1, "5"), push(2, "6", app: "b")],
            configuration: #"{"provisional":true,"apps":{"b":{"provisional":false}}}"#, badges: [6]),
        Log(
            name: "apps that are off", lines: [push(1, "5"), critical(2, "6")],
            configuration: #"{"delivery":"off"}"#, badges: []),
        Log(
            name: "critical alerts", lines: [critical(1, "5"), push(2, "6")],
            configuration: #"{"delivery":"criticalOnly"}"#, badges: [5]),
        Log(
            name: "critical alerts without the entitlement", lines: [critical(1, "5"), push(2, "6")],
            configuration: #"{"delivery":"criticalOnly","critical":false}"#, badges: []),
        Log(
            name: "silent records are not critical",
            lines: [push(1, "5", alert: #""interruption-level":"critical","#)],
            configuration: #"{"delivery":"quiet"}"#, badges: []),
        Log(
            name: "no authorization", lines: [push(1, "5"), critical(2, "6")],
            configuration: #"{"badge":false}"#, badges: []),
        Log(
            name: "alerts and sounds do not matter", lines: [push(1, "5")],
            configuration: #"{"alert":false,"sound":false,"sounds":false}"#, badges: [5]),
        Log(
            name: "settings over time",
            lines: [
                push(1, "5"), set(2, #""badge":false"#), push(3, "6"), set(4, #""badge":true"#),
                set(5, #""delivery":"quiet""#), push(6, "7"),
            ], badges: [5]),
        Log(
            name: "settings that are read last",
            lines: [
                push(7, "8"), push(3, "6"), push(5, "7"), set(6, #""badge":false"#), push(1, "5"),
                set(2, #""badge":false"#), set(4, #""badge":true"#),
            ], badges: [7]),
        Log(
            name: "settings of a device",
            lines: [
                push(1, "5", device: "d"), push(2, "6", device: "e"), push(3, "7", device: "d"),
                set(2, #""delivery":"quiet""#, device: "d"), push(4, "8", app: "b", device: "d"),
            ], badges: [6, 8]),
        Log(
            name: "an open app",
            lines: [#"{"event":"app-opened","app":"a","ts":1}"#, push(2, "5")], badges: [5]),
        Log(
            name: "a result",
            lines: [
                push(1, "5"), set(2, #""badge":false"#),
                #"{"event":"modified","app":"a","ts":3,"id":"i","content":{"body":"x","badge":6}}"#,
            ], badges: [5]),
    ]

    /// In memory, from disk, over time, live, and merged from one partial result for each line.
    @Test(arguments: tracked) func settingsDecideWhichBadgesCount(_ log: Log) throws {
        let settings = try Settings(json: Array(log.configuration.utf8), file: "sheaf.json")
        func set(_ options: inout ReplayOptions) {
            (options.delivery, options.badges, options.settings) = (true, true, settings)
        }
        let changes: [(inout ReplayOptions) -> Void] = [
            { _ in }, { $0.spillsAlways = true }, { ($0.unique, $0.appliesOutcomes) = (true, true) },
            { $0.every = Timeline(step: 1_000) },
            { ($0.every, $0.lateness) = (Timeline(step: 1_000), 60_000) },
            { ($0.every, $0.lateness) = (Timeline(step: 1_000), 0) },
        ]
        for (index, change) in changes.enumerated() {
            let badges = try Self.replay(log.lines) {
                set(&$0)
                change(&$0)
            }.statistics.badges
            #expect(badges?.newest.map(\.badge) ?? [] == log.badges, "\(index)")
        }
        var entries: [String: MemoryStorage.Entry] = [:]
        for (index, line) in log.lines.enumerated() {
            entries["\(index)"] = .file(MergedParts.partial([line]) { $0.delivery = true })
        }
        let storage = MemoryStorage(entries)
        var options = ReplayOptions(sources: log.lines.indices.map(String.init))
        set(&options)
        options.output = "out"
        let merged = try Merge(options, storage: storage).run().badges
        #expect(merged?.newest.map(\.badge) ?? [] == log.badges)
    }

    /// Live runs keep few old badges of an app on a device.
    @Test func liveRunsKeepTheNewestBadgesAndOneThatCounts() throws {
        var options = LiveOptions()
        options.delivery = true
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "s")
        func add(_ line: String) throws { try source.append(line + "\n") }
        try add(Self.push(1, "5"))
        try add(Self.set(2, #""badge":false"#))
        for time in 3...1_000 { try add(Self.push(time, "\(time)")) }
        let held = live.heldBytes
        #expect(live.statistics().badges?.newest.map(\.badge) == [5])
        try add(Self.set(990, #""badge":true"#))
        #expect(live.statistics().badges?.newest.map(\.badge) == [1_000])
        try add(Self.set(991, #""badge":false"#))
        #expect(live.statistics().badges?.newest.map(\.badge) == [991])
        for time in 1_001...1_500 { try add(Self.push(time, "\(time)", alert: "")) }
        #expect(live.statistics().badges?.newest.map(\.badge) == [991])
        #expect(live.heldBytes < held + 20_000)
    }

    private static func merge(_ parts: [[UInt8]], byDevice: Bool) throws -> Statistics {
        var entries: [String: MemoryStorage.Entry] = [:]
        for (index, part) in parts.enumerated() { entries["\(index)"] = .file(part) }
        let storage = MemoryStorage(entries)
        var options = ReplayOptions(sources: Array(parts.indices.dropFirst()).map(String.init))
        options.partial = "rest"
        _ = try Merge(options, storage: storage).run()
        options = ReplayOptions(sources: ["0", "rest"])
        (options.output, options.statistics) = ("out", "stats")
        return try Merge(options, storage: storage).run()
    }

    /// Of two records with the same time, the one in the later source is newer, also after a merge.
    @Test func aMergeMovesSources() throws {
        let parts = [[Self.push(2, "1")], [Self.push(1, "2"), Self.push(2, "3")], [Self.push(2, "4")]]
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let merged = try Self.merge(
                order.map { MergedParts.partial(parts[$0]) }, byDevice: false)
            let last = parts[order[2]].last ?? ""
            let expected = try Self.replay([last]).statistics.badges
            #expect(merged.badges == expected)
        }
    }

    @Test(arguments: [false, true])
    func atTheLimitTheResultDependsOnlyOnTheRecords(_ byDevice: Bool) throws {
        let limit = Limits.badges
        let names = (0..<limit + 25).map { String($0 + 10_000) }
        var random = SeededGenerator(seed: 9)
        let lines = (1...2).flatMap { time in
            names.map { name in
                byDevice
                    ? Self.push(time, "\(time)", device: name) : Self.push(time, "\(time)", app: name)
            }
        }.shuffled(using: &random)
        let whole = try Self.replay(lines) {
            ($0.statistics, $0.byDevice, $0.chunkBytes) = ("stats", byDevice, 10_000)
        }
        let badges = try #require(whole.statistics.badges)
        #expect(badges.newest.map { byDevice ? $0.device : $0.app } == Array(names.prefix(limit)))
        #expect(badges.newest.allSatisfy { $0.badge == 2 } && badges.areTruncated)
        #expect(whole.statistics.warnings.contains(.badgesTruncated))

        let parts = [lines[..<3_000], lines[3_000..<3_001], lines[3_001...]].map { part in
            MergedParts.partial(Array(part)) { $0.byDevice = byDevice }
        }
        let merged = try Self.merge(parts, byDevice: byDevice)
        #expect(merged.badges == badges)
        #expect(merged.warnings.contains(.badgesTruncated))
    }
}
