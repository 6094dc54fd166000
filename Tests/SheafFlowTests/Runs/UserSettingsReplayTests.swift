import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// How a replay groups and shows notifications as persons choose (specification §16).
@Suite(.tags(.spilling)) struct UserSettingsReplayTests {
    struct Log: NamedCase {
        let name: String
        let lines: [String]
        var configuration = "{}"
        var byDevice = false
        var locked = false
        var every: Timeline?
        /// The lines of the result in a short form.
        let shown: [String]
    }

    private static func push(
        _ time: Int, _ thread: String = "", app: String = "a", device: String = "", collapse: String = ""
    ) -> String {
        "{\"app\":\"\(app)\",\"ts\":\(time),\"device\":\"\(device)\",\"collapse-id\":\"\(collapse)\","
            + "\"id\":\"\(time)\",\"aps\":{\"alert\":\"\(time)\",\"thread-id\":\"\(thread)\"}}\n"
    }

    private static func set(_ time: Int, _ settings: String, app: String? = "a", device: String? = nil)
        -> String
    {
        DeliveryReplayTests.set(time, settings, app: app, device: device)
    }

    private static func grouping(_ word: String) -> String { "\"grouping\":\"\(word)\"" }
    private static func previews(_ word: String) -> String { "\"showPreviews\":\"\(word)\"" }
    private static func locale(_ tag: String) -> String { "\"locale\":\"\(tag)\"" }
    private static func clear(_ time: Int, _ members: String) -> String {
        "{\"event\":\"cleared\",\"app\":\"a\",\"ts\":\(time),\(members)}\n"
    }

    static let logs = [
        Log(
            name: "by app, for newer notifications",
            lines: [push(1, "t"), push(2, "u"), set(3, grouping("byApp")), push(4, "t"), push(5, "u")],
            shown: ["a - 2 5", "a t 1 1", "a u 1 2"]),
        Log(
            name: "off, and automatic again",
            lines: [
                push(1, "t"), set(2, grouping("off")), push(3, "t"), push(4, "t"),
                set(5, grouping("automatic")), push(6, "t"),
            ],
            shown: ["a t 2 6", "a t 1 4", "a t 1 3"]),
        Log(
            name: "by thread, where the configuration groups by app",
            lines: [push(1, "t"), push(2), set(3, grouping("automatic")), push(4, "t"), push(5)],
            configuration: #"{"apps":{"a":{"grouping":"byApp"}}}"#, shown: ["a - 3 5", "a t 1 4"]),
        Log(
            name: "together, where the configuration separates",
            lines: [push(1, "t"), set(2, grouping("automatic")), push(3, "t"), push(4, "t")],
            configuration: #"{"apps":{"a":{"grouping":"off"}}}"#, shown: ["a t 2 4", "a t 1 1"]),
        Log(
            name: "the more specific change counts",
            lines: [
                set(1, grouping("off"), app: nil), set(2, grouping("byApp"), device: "d"),
                push(3, "t", device: "d"), push(4, "u", device: "d"), push(5, "t", device: "e"),
                push(6, "t"), push(7, "t", app: "b"),
            ],
            shown: ["a - 2 4", "a t 1 6", "a t 1 5", "b t 1 7"]),
        Log(
            name: "devices",
            lines: [
                set(1, grouping("off"), app: nil, device: "e"), push(3, "t", device: "d"),
                push(4, "t", device: "d"), push(5, "t", device: "e"), push(6, "t", device: "e"),
            ],
            byDevice: true, shown: ["d a t 2 4", "e a t 1 6", "e a t 1 5"]),
        Log(
            name: "a removal of a thread is one of the app's group",
            lines: [
                push(1, "t"), push(2, "u"), set(3, grouping("byApp")), push(4, "t"), push(5, "u"), push(6),
                clear(7, "\"thread\":\"t\""), push(8, "t"),
            ],
            shown: ["a - 1 8", "a u 1 2"]),
        Log(
            name: "a removal of those without a thread",
            lines: [
                push(1, "t"), push(2), set(3, grouping("byApp")), push(4, "t"), push(5),
                set(6, grouping("off")), push(7, "t"), push(8), clear(9, "\"thread\":null"),
            ],
            shown: ["a t 1 1", "a t 1 7"]),
        Log(
            name: "a newer version is grouped as at its own time",
            lines: [
                push(1, "t"), set(2, grouping("off")), push(3, "t", collapse: "c"),
                set(4, grouping("automatic")), push(5, "t", collapse: "c"),
            ],
            shown: ["a t 2 5"]),
        Log(
            name: "over time: a version that is alone joins a group",
            lines: [
                push(1, "t"), set(11, grouping("off")), push(12, "t", collapse: "c"),
                set(21, grouping("automatic")), push(22, "t", collapse: "c"), set(31, grouping("off")),
                push(32, "t", collapse: "c"), push(42, "t", collapse: "c"),
            ],
            every: Timeline(step: 10_000),
            shown: [
                "10 a t 1 1", "20 a t 1 12", "30 a t 2 22", "30 a t 0 12", "40 a t 1 1", "40 a t 1 32",
                "42 a t 1 42",
            ]),
        Log(
            name: "previews of the newest one count",
            lines: [
                push(1, "t"), set(2, previews("never")), push(3, "t"), push(4, "u"),
                set(5, previews("always")), push(6, "t"),
            ],
            shown: ["a t 3 6", "a u 1 Notification"]),
        Log(
            name: "previews of a locked device",
            lines: [
                push(1, "t"), set(2, previews("whenAuthenticated")), push(3, "u"),
                set(4, previews("always"), device: "d"), push(5, "v", device: "d"), push(6, "u"),
            ],
            configuration: #"{"showPreviews":"never"}"#, locked: true,
            shown: ["a t 1 Notification", "a u 2 2 Notifications", "a v 1 5"]),
        Log(
            name: "previews of a device that is not locked",
            lines: [push(1, "t"), set(2, previews("whenAuthenticated")), push(3, "u")],
            configuration: #"{"apps":{"a":{"showPreviews":"never"}}}"#,
            shown: ["a t 1 Notification", "a u 1 3"]),
        Log(
            name: "the locale of the newest one counts",
            lines: [
                push(1, "t"), set(2, locale("de")), push(3, "t"), push(4, "u"), set(5, locale("fr-CA")),
                push(6, "u"), push(7, "v"), set(8, locale("ar")),
            ],
            configuration: hidden,
            shown: ["a t 2 2 Mitteilungen", "a u 2 2 notifications", "a v 1 Notification"]),
        Log(
            name: "locales of devices, of an app on a device, and of all",
            lines: [
                set(1, locale("ja"), app: nil), set(2, locale("de_DE"), app: nil, device: "d"),
                set(3, locale("es"), app: "b", device: "d"), push(4, device: "d"),
                push(5, app: "b", device: "d"),
                push(6, device: "e"), push(7, app: "b", device: "e"), push(8),
            ],
            configuration: hidden, byDevice: true,
            shown: [
                "a - 1 通知", "d a - 1 Mitteilung", "d b - 1 Notificación", "e a - 1 通知", "e b - 1 通知",
            ]),
        Log(
            name: "a locale without texts, and that of the run again",
            lines: [
                set(1, locale("sv")), push(2, "t"), set(3, locale("de")), push(4, "u"),
                set(5, locale("en-US")), push(6, "v"),
            ],
            configuration: hidden,
            shown: ["a t 1 Notification", "a u 1 Mitteilung", "a v 1 Notification"]),
        Log(
            name: "a version has the locale of its own time",
            lines: [
                set(1, locale("de")), push(2, "t", collapse: "c"), set(3, locale("it")),
                push(4, "t", collapse: "c"), push(5, "u", collapse: "e"), clear(6, "\"ids\":[\"c\"]"),
            ],
            configuration: hidden, shown: ["a u 1 Notifica"]),
        Log(
            name: "over time: a group has the locale of its leading notification",
            lines: [
                push(1, "t"), set(11, locale("de")), push(21, "t"), push(31, "t", collapse: "c"),
                clear(41, "\"ids\":[\"c\"]"), push(51, "t"), set(61, locale("pl")), push(62, "u"),
            ],
            configuration: hidden, every: Timeline(step: 10_000),
            shown: [
                "10 a t 1 Notification", "30 a t 2 2 Mitteilungen", "40 a t 3 3 Mitteilungen",
                "50 a t 2 2 Mitteilungen", "60 a t 3 3 Mitteilungen", "62 a u 1 Powiadomienie",
            ]),
    ]

    private static let hidden = #"{"showPreviews":"never"}"#

    /// Notifications that are delivered quietly are in Notification Center, and not on the lock screen.
    @Test(arguments: [false, true], [false, true])
    func aLockedDeviceLeavesQuietNotificationsOut(_ locked: Bool, _ isMerged: Bool) async throws {
        let critical =
            #"{"app":"a","ts":4,"aps":{"alert":"4","thread-id":"t","sound":{"critical":1}}}"# + "\n"
        let lines = [
            Self.push(1, "t"), Self.set(2, #""delivery":"quiet""#), Self.push(3, "t"), critical,
            Self.push(5, "u", collapse: "c"), Self.push(6, "u", collapse: "c"),
            Self.set(7, #""delivery":"prominent","provisional":true"#), Self.push(8, "v"),
            Self.set(9, #""provisional":false"#), Self.push(10, "v"), Self.set(11, #""delivery":"off""#),
            Self.push(12, "w"),
        ]
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.delivery) = ("out", true)
        if isMerged {
            options.partial = "partial"
            _ = try await run(options, on: storage).get()
            (options.partial, options.delivery, options.sources) = (nil, false, ["partial"])
        }
        options.locked = locked
        let statistics =
            isMerged
            ? try await run(try Merge(options, storage: storage)).get()
            : try await run(options, on: storage).get()
        let shown = try Self.shown(RandomLog.text(storage["out"]))
        #expect(shown == (locked ? ["a t 2 4", "a v 1 10"] : ["a t 3 4", "a u 1 6", "a v 2 10"]))
        #expect(statistics.delivery?.quiet == (locked ? 3 : nil))
        #expect(statistics.delivery?.suppressed == 1 && statistics.updated == 1)
        #expect(statistics.records == 12)
        #expect(RandomLog.text(statistics.json()).contains(#""suppressed":1,"quiet":3,"#) == locked)
    }

    private static func options(_ log: Log) throws -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.settings = try Settings(json: Array(log.configuration.utf8), file: "sheaf.json")
        options.delivery = true
        options.appliesRemovals = true
        (options.byDevice, options.locked, options.every) = (log.byDevice, log.locked, log.every)
        return options
    }

    /// Returns the instant in seconds, the device, app and thread, and the number and the text of each line.
    private static func shown(_ text: String) throws -> [String] {
        try text.split(separator: "\n").map { line in
            let group = try JSONModel(Array(line.utf8))
            func number(_ value: JSONModel?) -> Int? {
                if case .number(let text)? = value { Int(text) } else { nil }
            }
            let parts = [
                number(group["at"]).map { "\($0 / 1_000)" }, group["device"]?.text, group["app"]?.text,
                group["thread"]?.text ?? "-", number(group["count"]).map { "\($0)" },
                group["display"]?["body"]?.text
                    ?? number(group["leading"]?["timestamp"]).map { "\($0 / 1_000)" },
            ]
            return parts.compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test(arguments: logs, [false, true])
    func groupsAreThoseOfThePerson(_ log: Log, _ spills: Bool) async throws {
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
        var options = try Self.options(log)
        options.spillsAlways = spills
        _ = try await run(options, on: storage).get()
        #expect(try Self.shown(RandomLog.text(storage["out"])) == log.shown)
    }

    /// Snapshots while reading have the same lines.
    @Test(arguments: logs.filter { $0.every != nil })
    func liveSnapshotsAreTheSame(_ log: Log) async throws {
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
        var options = try Self.options(log)
        options.lateness = 0
        _ = try await run(options, on: storage).get()
        #expect(try Self.shown(RandomLog.text(storage["out"])) == log.shown)
    }

    /// One partial result per line; the configuration of the merge counts for previews, and a person's choice does
    /// before it.
    @Test(arguments: logs) func partialResultsAreTheSame(_ log: Log) async throws {
        let storage = MemoryStorage([:])
        var options = try Self.options(log)
        var paths: [String] = []
        for (index, line) in log.lines.enumerated() {
            let path = "log \(100 + index)"
            storage[path] = Array(line.utf8)
            (options.sources, options.partial) = ([path], "\(path) partial")
            _ = try await run(options, on: storage).get()
            paths.append("\(path) partial")
        }
        options.every = nil
        options.sources = Array(paths.dropFirst())
        options.partial = "rest"
        _ = try await run(try Merge(options, storage: storage)).get()
        (options.sources, options.partial) = ([paths[0], "rest"], nil)
        _ = try await run(try Merge(options, storage: storage)).get()
        #expect(try Self.shown(RandomLog.text(storage["out"])) == log.shown)
    }

    /// Without delivery, changes are only counted, and the configuration decides.
    @Test func withoutDeliveryNothingChanges() async throws {
        let lines = [Self.set(1, Self.grouping("off")), Self.push(2, "t"), Self.push(3, "t")]
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        let statistics = try await run(options, on: storage).get()
        #expect(try Self.shown(RandomLog.text(storage["out"])) == ["a t 2 3"])
        #expect(statistics.settingsIgnored == 1)
    }
}
