import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// How a replay reports the delivery of notifications (specification §16).
@Suite(.tags(.spilling)) struct DeliveryReplayTests {
    struct Log: NamedCase {
        let name: String
        let lines: [String]
        /// The configuration; the run has the option of delivery, too.
        var configuration = "{}"
        var removals = false
        var byDevice = false
        /// The `delivery` objects of the groups, as numbers in their order.
        let shown: [String]
        /// The numbers of changes, of suppressed notifications and of updates.
        let counts: [UInt64]
    }

    /// Returns a push with a sound.
    static func push(
        _ time: Int, _ aps: String = "", app: String = "a", device: String? = nil, collapse: String? = nil
    ) -> String {
        let members = [
            "\"app\":\"\(app)\",\"ts\":\(time)", device.map { "\"device\":\"\($0)\"" },
            collapse.map { "\"collapse-id\":\"\($0)\"" },
            "\"aps\":{\"alert\":\"\(time)\",\"sound\":\"s\"\(aps)}",
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}\n"
    }

    static func set(_ time: Int, _ settings: String, app: String? = "a", device: String? = nil) -> String {
        let members = [
            app.map { "\"app\":\"\($0)\"" }, device.map { "\"device\":\"\($0)\"" }, "\"ts\":\(time)",
            settings,
        ]
        return "{\"event\":\"settings\",\(members.compactMap { $0 }.joined(separator: ","))}\n"
    }

    static let passive = #","interruption-level":"passive""#
    static let critical = #","interruption-level":"critical""#
    static let sensitive = #","interruption-level":"time-sensitive""#
    static let mutable = #","mutable-content":1"#
    static let (off, quiet, prominent) = (
        #""delivery":"off""#, #""delivery":"quiet""#, #""delivery":"prominent""#
    )

    static let logs = [
        Log(
            name: "levels", lines: [push(1), push(2, passive), push(3, critical), push(4, sensitive)],
            shown: ["1 1 1 1 3 3 0"], counts: [0, 0, 0]),
        Log(
            name: "quiet", lines: [push(1), push(2, critical), push(3, sensitive)],
            configuration: #"{"delivery":"quiet"}"#, shown: ["1 1 1 0 1 1 0"], counts: [0, 0, 0]),
        Log(
            name: "critical alerts that a person does not allow",
            lines: [
                push(1, critical), set(2, #""critical":false"#), push(3, critical), set(4, quiet),
                push(5, critical), set(6, #""critical":true"#), push(7, critical),
            ],
            shown: ["2 0 2 0 3 3 0"], counts: [3, 0, 0]),
        Log(
            name: "critical alerts of an app without the entitlement",
            lines: [
                push(1, critical), set(2, #""critical":true"#), push(3, critical),
                push(4, critical, app: "b"),
            ],
            configuration: #"{"delivery":"criticalOnly","apps":{"a":{"critical":false}}}"#,
            shown: ["1 0 0 0 1 1 0"], counts: [1, 2, 0]),
        Log(
            name: "an app that is off", lines: [push(1), push(2, app: "b"), push(3, critical)],
            configuration: #"{"apps":{"a":{"delivery":"off"}}}"#, shown: ["0 0 1 0 1 1 0"],
            counts: [0, 2, 0]),
        Log(
            name: "an app wins over all apps", lines: [push(1), push(2, app: "b")],
            configuration: #"{"delivery":"off","sounds":false,"apps":{"a":{"delivery":"prominent"}}}"#,
            shown: ["0 0 1 0 1 0 0"], counts: [0, 1, 0]),
        Log(
            name: "only critical ones", lines: [push(1), push(2, critical), push(3, sensitive)],
            configuration: #"{"delivery":"criticalOnly"}"#, shown: ["1 0 0 0 1 1 0"], counts: [0, 2, 0]),
        Log(
            name: "extensions", lines: [push(1, mutable), push(2), push(3, mutable, app: "b")],
            configuration: #"{"apps":{"a":{"serviceExtension":true}}}"#,
            shown: ["0 0 2 0 2 2 1", "0 0 1 0 1 1 0"], counts: [0, 0, 0]),
        Log(
            name: "a change in the middle", lines: [push(1), set(2, quiet), push(3), push(4, critical)],
            shown: ["1 0 2 0 2 2 0"], counts: [1, 0, 0]),
        Log(
            name: "a change that is read last", lines: [push(3), push(4, critical), push(1), set(2, quiet)],
            shown: ["1 0 2 0 2 2 0"], counts: [1, 0, 0]),
        Log(
            name: "changes at the same time: the later line is newer",
            lines: [push(1), set(1, quiet), push(1), set(1, off), push(1), set(1, prominent), push(1)],
            shown: ["0 0 3 0 2 2 0"], counts: [3, 1, 0]),
        Log(
            name: "an app that was off does not show its notifications later",
            lines: [set(3, prominent), push(4), set(1, off), push(2)], shown: ["0 0 1 0 1 1 0"],
            counts: [2, 1, 0]),
        Log(
            name: "keys change one by one",
            lines: [
                set(1, #""sounds":false,"delivery":"quiet""#), push(2), set(3, prominent), push(4),
                set(5, #""sounds":true"#), push(6),
            ], shown: ["0 0 3 0 2 1 0"], counts: [3, 0, 0]),
        Log(
            name: "a change wins over the configuration, key by key", lines: [set(1, prominent), push(2)],
            configuration: #"{"apps":{"a":{"delivery":"off","sounds":false}}}"#, shown: ["0 0 1 0 1 0 0"],
            counts: [1, 0, 0]),
        Log(
            name: "a change for all apps wins over an app's configuration",
            lines: [set(1, prominent, app: nil), push(2)],
            configuration: #"{"apps":{"a":{"delivery":"off"}}}"#, shown: ["0 0 1 0 1 1 0"],
            counts: [1, 0, 0]),
        Log(
            name: "the device's app first, then the app, the device, and all",
            lines: [
                set(1, prominent, device: "d"), set(2, off), set(3, quiet, app: nil, device: "e"),
                set(4, off, app: nil), push(5, device: "d"), push(6, device: "e"),
                push(7, app: "b", device: "e"), push(8, app: "b", device: "d"), push(9, app: "c"),
            ], byDevice: true, shown: ["0 0 1 0 1 1 0", "0 0 1 0 0 0 0"], counts: [4, 3, 0]),
        Log(
            name: "an older change of a narrower scope wins",
            lines: [set(1, quiet, device: "d"), set(2, off), push(3, device: "d"), push(4, device: "e")],
            shown: ["0 0 1 0 0 0 0"], counts: [2, 1, 0]),
        Log(
            name: "a change on a device does not concern notifications without one",
            lines: [set(1, off, device: "d"), push(2), push(3, device: "d")], shown: ["0 0 1 0 1 1 0"],
            counts: [1, 1, 0]),
        Log(
            name: "the newest version counts",
            lines: [push(1, critical, collapse: "c"), push(2, passive, collapse: "c")],
            shown: ["0 0 0 1 0 0 0"], counts: [0, 0, 1]),
        Log(
            name: "a newest version that is suppressed replaces the older ones",
            lines: [push(1, collapse: "c"), set(2, off), push(3, collapse: "c"), push(1)],
            shown: ["0 0 1 0 1 1 0"], counts: [1, 1, 1]),
        Log(
            name: "a suppressed version that is updated later",
            lines: [push(4, collapse: "c"), set(1, off), push(2, collapse: "c"), set(3, quiet)],
            shown: ["0 0 1 0 0 0 0"], counts: [2, 0, 1]),
        Log(
            name: "removed and suppressed notifications are counted once",
            lines: [
                push(1), set(2, off), push(3), #"{"event":"removed","app":"a","ts":4}"# + "\n", set(5, quiet),
                push(6),
            ], removals: true, shown: ["0 0 1 0 0 0 0"], counts: [2, 1, 0]),
        Log(
            name: "grouping off", lines: [push(1), set(2, quiet), push(3)],
            configuration: #"{"apps":{"a":{"grouping":"off"}}}"#, shown: ["0 0 1 0 0 0 0", "0 0 1 0 1 1 0"],
            counts: [1, 0, 0]),
        Log(
            name: "records without a time",
            lines: [
                "{\"event\":\"settings\",\"app\":\"a\",\(quiet)}\n", push(1),
                "{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}\n",
            ], shown: ["0 0 2 0 0 0 0"], counts: [1, 0, 0]),
        Log(
            name: "authorizations", lines: [push(1), set(2, #""sound":false"#), push(3), push(4, critical)],
            configuration: #"{"alert":false}"#, shown: ["1 0 2 0 0 2 0"], counts: [1, 0, 0]),
        Log(
            name: "sounds need both switches",
            lines: [
                set(1, #""sound":true"#), push(2), set(3, #""sounds":true"#), push(4),
                set(5, #""sound":false"#),
                push(6),
            ],
            configuration: #"{"sounds":false}"#, shown: ["0 0 3 0 3 1 0"], counts: [3, 0, 0]),
        Log(
            name: "an open app", lines: [push(1), open(2), push(3), push(4, critical), close(5), push(6)],
            shown: ["1 0 3 0 2 2 0"], counts: [2, 0, 0]),
        Log(
            name: "an open app that presents notifications",
            lines: [open(1), push(2), open(3, app: "b"), push(4, app: "b")],
            configuration: #"{"apps":{"a":{"foreground":true}}}"#,
            shown: ["0 0 1 0 1 1 0", "0 0 1 0 0 0 0"], counts: [2, 0, 0]),
        Log(
            name: "an app that is open on a device",
            lines: [
                push(9, device: "d"), close(8, device: "d"), push(5, device: "d"), push(6, device: "e"),
                open(4, device: "d"), push(3, device: "d"), close(7),
            ],
            byDevice: true, shown: ["0 0 3 0 2 2 0", "0 0 1 0 1 1 0"], counts: [3, 0, 0]),
        Log(
            name: "an open app is quiet, too", lines: [open(1), push(2), set(3, off), push(4)],
            configuration: #"{"foreground":true,"delivery":"quiet"}"#, shown: ["0 0 1 0 0 0 0"],
            counts: [2, 1, 0]),
        Log(
            name: "opening an app removes its notifications",
            lines: [push(1), open(2), push(3), open(4, app: "b"), close(5)], removals: true,
            shown: ["0 0 1 0 0 0 0"], counts: [1, 0, 0]),
        Log(name: "nothing", lines: [], shown: [], counts: [0, 0, 0]),
    ]

    static func open(_ time: Int, app: String = "a", device: String? = nil) -> String {
        event("app-opened", time, app, device)
    }

    static func close(_ time: Int, app: String = "a", device: String? = nil) -> String {
        event("app-closed", time, app, device)
    }

    private static func event(_ name: String, _ time: Int, _ app: String, _ device: String?) -> String {
        let device = device.map { ",\"device\":\"\($0)\"" } ?? ""
        return "{\"event\":\"\(name)\",\"app\":\"\(app)\",\"ts\":\(time)\(device)}\n"
    }

    private static func options(_ log: Log) throws -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.profile = .ios15
        options.byDevice = log.byDevice
        options.settings = try Settings(json: Array(log.configuration.utf8), file: "sheaf.json")
        options.delivery = true
        options.appliesRemovals = log.removals
        return options
    }

    private static func shown(_ text: String) -> [String] {
        text.matches(of: #/"delivery":\{([^}]*)\}/#).map { match in
            match.1.matches(of: #/\d+/#).map { String($0.0) }.joined(separator: " ")
        }
    }

    @Test(arguments: logs, [false, true])
    func groupsReportTheirDelivery(_ log: Log, _ spills: Bool) async throws {
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
        var options = try Self.options(log)
        options.spillsAlways = spills
        let statistics = try await run(options, on: storage).get()
        #expect(Self.shown(RandomLog.text(storage["out"])) == log.shown)
        let delivery = statistics.delivery
        #expect([delivery?.settings, delivery?.suppressed, statistics.updated] == log.counts)
        #expect(statistics.settingsIgnored == 0)
        #expect(statistics.records == UInt64(log.lines.count))
    }

    /// One partial result per line, in any order of merging neighbors; the configuration of the merge counts.
    @Test(arguments: logs) func partialResultsReportTheSame(_ log: Log) async throws {
        let storage = MemoryStorage([:])
        var paths: [String] = []
        for (index, line) in log.lines.enumerated() {
            let path = "log \(100 + index)"
            storage[path] = Array(line.utf8)
            var options = try Self.options(log)
            options.settings.delivery = DeliverySettings()
            for app in options.settings.apps.keys { options.settings.apps[app]?.delivery.delivery = .off }
            options.sources = [path]
            options.partial = "\(path) partial"
            options.profile = .ios12
            _ = try await run(options, on: storage).get()
            paths.append("\(path) partial")
        }
        guard paths.count > 2 else { return }
        var options = try Self.options(log)
        options.delivery = false
        options.sources = Array(paths[1...])
        options.partial = "rest"
        _ = try await run(try Merge(options, storage: storage)).get()
        options.sources = [paths[0], "rest"]
        options.partial = nil
        let statistics = try await run(try Merge(options, storage: storage)).get()
        #expect(Self.shown(RandomLog.text(storage["out"])) == log.shown)
        let delivery = statistics.delivery
        #expect([delivery?.settings, delivery?.suppressed, statistics.updated] == log.counts)
    }

    /// Without the option and the keys, there is nothing of it, and changes are counted with a warning.
    @Test(arguments: logs) func withoutTheOptionNothingChanges(_ log: Log) async throws {
        var options = try Self.options(log)
        options.delivery = false
        options.settings.delivery = DeliverySettings()
        for app in options.settings.apps.keys { options.settings.apps[app]?.delivery = DeliverySettings() }
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
        let statistics = try await run(options, on: storage).get()
        #expect(!RandomLog.text(storage["out"]).contains("delivery"))
        #expect(statistics.delivery == nil)
        // An opening is a removal.
        let openings = log.removals ? 0 : log.lines.count { $0.contains("app-opened") }
        let ignored = log.counts[0] - UInt64(openings)
        #expect(statistics.settingsIgnored == ignored && statistics.removalsIgnored == UInt64(openings))
        #expect(statistics.warnings.contains(.settingsIgnored(ignored)) == (ignored > 0))
        #expect(statistics.records == UInt64(log.lines.count))
        let json = RandomLog.text(statistics.json())
        #expect(json.contains("\"settingsIgnored\"") == (ignored > 0))
        #expect(!json.contains("\"suppressed\""))
    }

    /// The keys of a configuration have the same effect as the option.
    @Test func aConfigurationTurnsDeliveryOn() async throws {
        for (configuration, isOn) in [
            ("{}", false), (#"{"sounds":true}"#, true), (#"{"apps":{"z":{"serviceExtension":false}}}"#, true),
        ] {
            var options = ReplayOptions(sources: ["log"])
            options.output = "out"
            options.settings = try Settings(json: Array(configuration.utf8), file: "sheaf.json")
            let storage = MemoryStorage(["log": .file(Array(Self.push(1).utf8))])
            let statistics = try await run(options, on: storage).get()
            #expect((statistics.delivery != nil) == isOn)
            #expect(Self.shown(RandomLog.text(storage["out"])) == (isOn ? ["0 0 1 0 1 1 0"] : []))
        }
    }

    @Test(arguments: Seeds.several(4))
    func theOptionOnlyAddsItsMember(_ seed: UInt64) async throws {
        var (text, options) = try LogGenerator.pushes(120, seed: seed)
        var snapshots: [String] = []
        for delivery in [false, true] {
            options.delivery = delivery
            let storage = MemoryStorage(["log": .file(text)])
            _ = try await run(options, on: storage).get()
            snapshots.append(RandomLog.text(storage["out"]))
        }
        #expect(snapshots[1].contains("\"delivery\""))
        #expect(snapshots[0] == snapshots[1].replacing(#/,"delivery":\{[^}]*\}/#, with: ""))
    }

    /// All levels count with iOS 15, whose snapshots the other random tests do not have.
    @Test(arguments: Seeds.several(8))
    func snapshotsOfIOS15MatchTheModel(_ seed: UInt64) async throws {
        var generator = LogGenerator(seed: seed &+ 500)
        let text = Array(generator.lines(120).joined(separator: [UInt8(ascii: "\n")]))
        var options = try generator.options()
        options.sources = ["log"]
        options.output = "out"
        options.profile = .ios15
        LogGenerator.addDelivery(to: &options, seed: seed)
        options.delivery = true
        options.appliesRemovals = seed % 2 == 0
        let storage = MemoryStorage(["log": .file(text)])
        _ = try await run(options, on: storage).get()
        let expected = ReplayModel([(path: "log", text: text)], options).snapshot
        #expect(RandomLog.text(storage["out"]) == expected)
    }
}
