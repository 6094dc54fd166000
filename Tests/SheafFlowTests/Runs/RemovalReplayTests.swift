import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// What a replay leaves on screen after removals (specification §15).
@Suite(.tags(.spilling)) struct RemovalReplayTests {
    struct Log: NamedCase {
        let name: String
        let lines: [String]
        var grouping = Grouping.automatic
        var byDevice = false
        /// The bodies on screen.
        let shown: Set<String>
        /// The numbers of removals, of removed notifications and of updates.
        let counts: [UInt64]
    }

    private static func push(
        _ body: String, at time: Int, app: String = "a", device: String? = nil, thread: String? = nil,
        id: String? = nil, collapse: String? = nil
    ) -> String {
        let members = [
            "\"app\":\"\(app)\",\"ts\":\(time)", device.map { "\"device\":\"\($0)\"" },
            id.map { "\"id\":\"\($0)\"" }, collapse.map { "\"collapse-id\":\"\($0)\"" },
            "\"aps\":{\"alert\":\"\(body)\"\(thread.map { ",\"thread-id\":\"\($0)\"" } ?? "")}",
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}\n"
    }

    private static func removal(at time: Int, app: String = "a", device: String? = nil, _ scope: String = "")
        -> String
    {
        let member = device.map { ",\"device\":\"\($0)\"" } ?? ""
        return "{\"event\":\"removed\",\"app\":\"\(app)\",\"ts\":\(time)\(member)\(scope)}\n"
    }

    static let logs = [
        Log(
            name: "of an app",
            lines: [push("1", at: 1), push("2", at: 2, app: "b"), removal(at: 3), push("4", at: 4)],
            shown: ["2", "4"], counts: [1, 1, 0]),
        Log(
            name: "before its notification in the log",
            lines: [removal(at: 3, #","ids":["x"]"#), push("1", at: 1, id: "x"), push("4", at: 4, id: "x")],
            shown: ["4"], counts: [1, 1, 0]),
        Log(
            name: "by collapse id, not by id",
            lines: [
                push("1", at: 1, id: "x", collapse: "c"), push("2", at: 2, id: "c"),
                push("3", at: 3, id: "x"),
                removal(at: 4, #","ids":["x"]"#),
            ], shown: ["1", "2"], counts: [1, 1, 0]),
        Log(
            name: "a removed notification that is updated later",
            lines: [
                push("1", at: 1, collapse: "c"), push("3", at: 3, collapse: "c"),
                removal(at: 2, #","ids":["c"]"#),
            ],
            shown: ["3"], counts: [1, 0, 1]),
        Log(
            name: "an updated notification that is removed later",
            lines: [
                push("1", at: 1, collapse: "c"), push("2", at: 2, collapse: "c"),
                removal(at: 3, #","ids":["c"]"#),
            ],
            shown: [], counts: [1, 1, 1]),
        Log(
            name: "an update that moves to another thread escapes the removal of the first",
            lines: [
                push("1", at: 1, thread: "t", collapse: "c"), push("2", at: 2, thread: "u", collapse: "c"),
                removal(at: 3, #","thread":"t""#),
            ], shown: ["2"], counts: [1, 0, 1]),
        Log(
            name: "of a thread, and of no thread",
            lines: [
                push("1", at: 1, thread: "t"), push("2", at: 2, thread: "u"), push("3", at: 3),
                removal(at: 4, #","thread":"t""#), removal(at: 5, #","thread":null"#),
            ], shown: ["2"], counts: [2, 2, 0]),
        Log(
            name: "of a thread of an app that has one group",
            lines: [
                push("1", at: 1, thread: "t"), push("2", at: 2, thread: "u"),
                removal(at: 3, #","thread":"t""#),
            ],
            grouping: .byApp, shown: [], counts: [1, 2, 0]),
        Log(
            name: "of a thread whose notifications are alone",
            lines: [
                push("1", at: 1, thread: "t"), push("2", at: 2, thread: "u"),
                removal(at: 3, #","thread":"t""#),
            ],
            grouping: .off, shown: ["2"], counts: [1, 1, 0]),
        Log(
            name: "on one device, and on all devices",
            lines: [
                push("1", at: 1, device: "d"), push("2", at: 2, device: "e"), push("3", at: 3),
                push("4", at: 4, device: "d", thread: "t"), push("5", at: 5, device: "e", thread: "t"),
                removal(at: 6, device: "d", #","thread":null"#), removal(at: 7, #","thread":"t""#),
            ], shown: ["2", "3"], counts: [2, 3, 0]),
        Log(
            name: "on one device, by device",
            lines: [
                push("1", at: 1, device: "d", id: "x"), push("2", at: 2, device: "e", id: "x"),
                removal(at: 3, device: "d", #","ids":["x"]"#),
            ], byDevice: true, shown: ["2"], counts: [1, 1, 0]),
        Log(
            name: "at the same time: the later line is newer",
            lines: [push("1", at: 1), removal(at: 1), push("2", at: 1)], shown: ["2"], counts: [1, 1, 0]),
        Log(
            name: "notifications with the same id are separate",
            lines: [push("1", at: 1, id: "x"), push("2", at: 2, id: "x"), removal(at: 2, #","ids":["y"]"#)],
            shown: ["1", "2"], counts: [1, 0, 0]),
        Log(
            name: "the newest of several removals counts",
            lines: [removal(at: 3), removal(at: 1), push("2", at: 2), push("4", at: 4), removal(at: 2)],
            shown: ["4"],
            counts: [3, 1, 0]),
    ]

    private func options(_ log: Log) -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.byDevice = log.byDevice
        options.settings.apps["a", default: AppSettings()].grouping = log.grouping
        return options
    }

    @Test(arguments: logs, [false, true])
    func removedNotificationsAreNotShown(_ log: Log, _ spills: Bool) async throws {
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
        var options = options(log)
        options.appliesRemovals = true
        options.spillsAlways = spills
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.grouped == UInt64(log.shown.count))
        let bodies = RandomLog.text(storage["out"]).matches(of: #/"leading":\{[^}]*"body":"(\d)"/#)
        let leading = Set(bodies.map { String($0.1) })
        #expect(leading.isSubset(of: log.shown))
        #expect(leading.isEmpty == log.shown.isEmpty)
        #expect(
            [statistics.removals?.applied, statistics.removals?.removed, statistics.updated] == log.counts)
        #expect(statistics.records == UInt64(log.lines.count))
    }

    @Test(arguments: logs)
    func withoutTheOptionRemovalsAreOnlyCounted(_ log: Log) async throws {
        let lines = log.lines.filter { !$0.contains("event") }
        let expected = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        _ = try await run(options(log), on: expected).get()
        let storage = MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
        let statistics = try await run(options(log), on: storage).get()
        #expect(statistics.removals == nil)
        #expect(statistics.removalsIgnored == log.counts[0])
        #expect(statistics.warnings.contains(.removalsIgnored(log.counts[0])))
        // The line numbers differ.
        func text(_ storage: MemoryStorage) -> String {
            RandomLog.text(storage["out"]).replacing(#/"line":\d+/#, with: "")
        }
        #expect(text(storage) == text(expected))
    }

    @Test(arguments: Seeds.several(4))
    func aLogWithoutRemovalsHasTheSameSnapshotWithTheOption(_ seed: UInt64) async throws {
        var (text, options) = try LogGenerator.pushes(120, seed: seed)
        var snapshots: [[UInt8]?] = []
        for applies in [false, true] {
            options.appliesRemovals = applies
            let storage = MemoryStorage(["log": .file(text)])
            _ = try await run(options, on: storage).get()
            snapshots.append(storage["out"])
        }
        #expect(snapshots[0] == snapshots[1])
    }
}
