import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Snapshots at several instants (specification §14).
@Suite(.tags(.extended, .spilling)) struct TimelineReplayTests {
    struct Log: NamedCase {
        let name: String
        let lines: [String]
        var step: Int64 = 10_000
        var emit = ReplayOptions.Emission.changes
        var order = ReplayOptions.Order.key
        var top: Int?
        var grouping = Grouping.automatic
        var byDevice = false
        /// Each line: the instant in seconds, the thread, and the number of notifications with the leading one's body.
        let snapshots: [String]
    }

    private static func push(
        _ body: String, at time: Double?, thread: String = "t", device: String? = nil, collapse: String? = nil
    )
        -> String
    {
        let members = [
            "\"app\":\"a\"", time.map { "\"ts\":\($0)" }, device.map { "\"device\":\"\($0)\"" },
            collapse.map { "\"collapse-id\":\"\($0)\"" },
            "\"aps\":{\"alert\":\"\(body)\",\"thread-id\":\"\(thread)\"}",
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}\n"
    }

    private static func removal(at time: Double, _ member: String = "") -> String {
        "{\"event\":\"removed\",\"app\":\"a\",\"ts\":\(time)\(member)}\n"
    }

    static let logs = [
        Log(name: "nothing", lines: [], snapshots: []),
        Log(
            name: "only silent records",
            lines: ["{\"app\":\"a\",\"ts\":5,\"aps\":{\"content-available\":1}}\n"], snapshots: []),
        Log(name: "one record", lines: [push("1", at: 13)], snapshots: ["13 t 1×1"]),
        Log(
            name: "at instants and between them",
            lines: [push("1", at: 10), push("2", at: 10.001), push("3", at: 30)],
            snapshots: ["10 t 1×1", "20 t 2×2", "30 t 3×3"]),
        Log(
            name: "the end is an instant", lines: [push("1", at: 12), push("2", at: 20)],
            snapshots: ["20 t 2×2"]),
        Log(
            name: "instants without changes have no lines",
            lines: [push("1", at: 12), push("2", at: 95, thread: "u")],
            snapshots: ["20 t 1×1", "95 u 1×2"]),
        Log(
            name: "all groups at each instant", lines: [push("1", at: 12), push("2", at: 45, thread: "u")],
            emit: .all,
            snapshots: ["20 t 1×1", "30 t 1×1", "40 t 1×1", "45 t 1×1", "45 u 1×2"]),
        Log(
            name: "in any order", lines: [push("3", at: 30), push("1", at: 10), push("2", at: 11)],
            snapshots: ["10 t 1×1", "20 t 2×2", "30 t 3×3"]),
        Log(
            name: "no time: in every snapshot",
            lines: [push("0", at: nil, thread: "u"), push("1", at: 12), push("2", at: 25)],
            snapshots: ["20 t 1×1", "20 u 1×0", "25 t 2×2"]),
        Log(name: "no times at all", lines: [push("0", at: nil)], snapshots: ["0 t 1×0"]),
        Log(
            name: "an update in the same group",
            lines: [push("1", at: 5, collapse: "c"), push("2", at: 15, collapse: "c")],
            snapshots: ["10 t 1×1", "15 t 1×2"]),
        Log(
            name: "an update in the same interval",
            lines: [push("1", at: 5, collapse: "c"), push("2", at: 6, collapse: "c"), push("3", at: 15)],
            snapshots: ["10 t 1×2", "15 t 2×3"]),
        Log(
            name: "an update that moves",
            lines: [push("1", at: 5, collapse: "c"), push("2", at: 15, thread: "u", collapse: "c")],
            snapshots: ["10 t 1×1", "15 t 0", "15 u 1×2"]),
        Log(
            name: "an update that moves back and forth",
            lines: (0..<6).map {
                push("\($0)", at: Double(10 * $0 + 5), thread: $0 % 2 == 0 ? "t" : "u", collapse: "c")
            },
            snapshots: [
                "10 t 1×0", "20 t 0", "20 u 1×1", "30 t 1×2", "30 u 0", "40 t 0", "40 u 1×3", "50 t 1×4",
                "50 u 0",
                "55 t 0", "55 u 1×5",
            ]),
        Log(
            name: "removed, and there in the snapshot before",
            lines: [push("1", at: 5), push("2", at: 6, thread: "u"), removal(at: 25, #","thread":"t""#)],
            snapshots: ["10 t 1×1", "10 u 1×2", "25 t 0"]),
        Log(
            name: "removed before the first snapshot",
            lines: [push("1", at: 5), removal(at: 6), push("2", at: 15)],
            snapshots: ["15 t 1×2"]),
        Log(
            name: "removed and updated",
            lines: [
                push("1", at: 5, collapse: "c"), removal(at: 15, #","ids":["c"]"#),
                push("2", at: 35, collapse: "c"),
            ], snapshots: ["10 t 1×1", "20 t 0", "35 t 1×2"]),
        Log(
            name: "removed and updated in one interval",
            lines: [
                push("1", at: 5, collapse: "c"), removal(at: 15, #","ids":["c"]"#),
                push("2", at: 16, collapse: "c"),
            ], snapshots: ["10 t 1×1", "16 t 1×2"]),
        Log(
            name: "the leading one is removed",
            lines: [push("1", at: 5), push("2", at: 6, collapse: "c"), removal(at: 25, #","ids":["c"]"#)],
            snapshots: ["10 t 2×2", "25 t 1×1"]),
        Log(
            name: "removed twice",
            lines: [push("1", at: 5), removal(at: 15), push("2", at: 25), removal(at: 35)],
            snapshots: ["10 t 1×1", "20 t 0", "30 t 1×2", "35 t 0"]),
        Log(
            name: "a removal is the newest record",
            lines: [push("1", at: 5), removal(at: 95, #","thread":"x""#)], emit: .all,
            snapshots: ["10", "20", "30", "40", "50", "60", "70", "80", "90", "95"].map { "\($0) t 1×1" }),
        Log(
            name: "recent first",
            lines: [push("1", at: 5), push("2", at: 6, thread: "u"), push("3", at: 15, thread: "s")],
            order: .recent, snapshots: ["10 u 1×2", "10 t 1×1", "15 s 1×3"]),
        Log(
            name: "recent first, and some emptied",
            lines: [
                push("1", at: 5), push("2", at: 6, thread: "u"), push("3", at: 15),
                push("4", at: 16, thread: "v"),
                removal(at: 25, #","thread":"t""#), removal(at: 26, #","thread":"u""#),
                push("5", at: 27, thread: "w"),
            ], order: .recent,
            snapshots: ["10 u 1×2", "10 t 1×1", "20 v 1×4", "20 t 2×3", "27 w 1×5", "27 t 0", "27 u 0"]),
        Log(
            name: "the largest of each snapshot",
            lines: [
                push("1", at: 5), push("2", at: 6, thread: "u"), push("3", at: 7, thread: "u"),
                push("4", at: 15),
                removal(at: 25, #","thread":"t""#), push("5", at: 26, thread: "v"),
            ], emit: .all, top: 1, snapshots: ["10 u 2×3", "20 t 2×4", "26 u 2×3"]),
        Log(
            name: "alone and updated",
            lines: [
                push("1", at: 5, collapse: "c"), push("2", at: 15, collapse: "c"),
                push("3", at: 25, collapse: "c"),
                removal(at: 26), push("4", at: 35, collapse: "c"),
            ], grouping: .off, snapshots: ["10 t 1×1", "20 t 1×2", "30 t 0", "35 t 1×4"]),
        Log(
            name: "each alone",
            lines: [
                push("1", at: 5), push("2", at: 6), push("3", at: 15), removal(at: 25, #","thread":"t""#),
            ],
            grouping: .off, snapshots: ["10 t 1×2", "10 t 1×1", "20 t 1×3", "25 t 0", "25 t 0", "25 t 0"]),
        Log(
            name: "by device",
            lines: [
                push("1", at: 5, device: "e"), push("2", at: 6, device: "d"), push("3", at: 15, device: "d"),
            ],
            byDevice: true, snapshots: ["10 t 1×2", "10 t 1×1", "15 t 2×3"]),
    ]

    private func options(_ log: Log) -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.appliesRemovals = true
        options.every = Timeline(step: log.step)
        options.emit = log.emit
        options.order = log.order
        options.top = log.top
        options.byDevice = log.byDevice
        options.settings.apps["a", default: AppSettings()].grouping = log.grouping
        return options
    }

    private func storage(_ log: Log) -> MemoryStorage {
        MemoryStorage(["log": .file(Array(log.lines.joined().utf8))])
    }

    @Test(arguments: logs, [false, true])
    func snapshotsHaveTheChanges(_ log: Log, _ spills: Bool) async throws {
        let storage = storage(log)
        var options = options(log)
        options.spillsAlways = spills
        let statistics = try await run(options, on: storage).get()
        let found = RandomLog.text(storage["out"]).split(separator: "\n").map { line -> String in
            func value(_ name: String) -> String {
                line.firstMatch(of: try! Regex("\"\(name)\":\"?([^,\"}]*)")).map {
                    String($0[1].substring ?? "")
                } ?? ""
            }
            let count = value("count") == "0" ? "0" : "\(value("count"))×\(value("body"))"
            let seconds = (Double(value("at")) ?? 0) / 1_000
            return
                "\(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)") \(value("thread")) \(count)"
        }
        #expect(found == log.snapshots)
        #expect(statistics.records == UInt64(log.lines.count))
    }

    /// The last snapshot with all groups is that of a replay without intervals.
    @Test(arguments: Seeds.several(5)) func theLastSnapshotIsThatOfAReplay(_ seed: UInt64) async throws {
        let log = try RandomLog(seed: seed, lines: 150, files: 3)
        var options = log.options
        options.every = nil
        let whole = log.storage()
        let expected = try await run(options, on: whole).get()
        options.every = Timeline(step: 700)
        options.emit = .all
        let storage = log.storage()
        let statistics = try await run(options, on: storage).get()
        let lines = RandomLog.text(storage["out/snapshot"]).split(separator: "\n")
        let newest = lines.compactMap { $0.firstMatch(of: #/"at":(-?\d+)/#).flatMap { Int64($0.1) } }.max()
        let last = lines.filter { $0.hasPrefix("{\"at\":\(newest ?? 0),") && !$0.contains(",\"count\":0") }
            .map { "{" + $0.replacing("{\"at\":\(newest ?? 0),", with: "", maxReplacements: 1) + "\n" }
        #expect(last.joined() == RandomLog.text(whole["out/snapshot"]))
        #expect(statistics.groups == expected.groups)
        #expect(statistics.grouped == expected.grouped)
    }

    /// Snapshots of groups in memory are those of groups in files, for any order and selection of their lines.
    @Test(arguments: Seeds.several(12)) func memoryAndFilesGiveTheSameSnapshots(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try RandomLog(seed: seed, lines: 400, files: 3)
        var options = log.options
        options.every = Timeline(step: random.pick([100, 700, 3_000, 90_000]))
        options.emit = random.pick([.changes, .changes, .all])
        options.order = random.pick([.key, .recent])
        options.top = random.pick([nil, nil, 1, 3])
        options.format = random.pick([.ndjson, .json, .csv, .text(TextStyle())])
        options.threads = 1 + random.below(4)
        options.maximumArguments = random.pick([1, 2, 16])
        if random.chance(30) { options.maximumLines = random.below(200) }
        var found: [(Statistics, [UInt8]?)] = []
        for spills in [false, true] {
            options.spillsAlways = spills
            let storage = log.storage()
            found.append((try await run(options, on: storage).get(), storage["out/snapshot"]))
        }
        #expect(RandomLog.text(found[0].1) == RandomLog.text(found[1].1))
        #expect(found[0].0.groups == found[1].0.groups)
        #expect(found[0].0.grouped == found[1].0.grouped)
        #expect(found[0].0.updated == found[1].0.updated)
        #expect(found[0].0.removals == found[1].0.removals)
    }

    /// A group whose line is larger than a piece is written while it is rendered, among the lines of other shards.
    @Test(arguments: [1, 3], [nil, 7]) func groupsMayBeLarge(_ threads: Int, _ lines: Int?) async throws {
        let long = String(repeating: "x", count: 3_000)
        var log = ""
        for number in 0..<1_200 {
            let argument = number % 3 == 0 ? "\(number) \(long)" : "short"
            log +=
                #"{"app":"a","ts":\#(1_700_000_000 + number),"aps":{"alert":{"body":"b","summary-arg":"\#(argument)"},"#
                + #""thread-id":"\#(number % 5)"}}"# + "\n"
        }
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.every = Timeline(step: 100_000)
        options.maximumArguments = 1_000
        options.threads = threads
        options.format = .text(TextStyle())
        if let lines { options.maximumLines = lines } else { options.format = .ndjson }
        var found: [[UInt8]?] = []
        for spills in [false, true] {
            options.spillsAlways = spills
            let storage = MemoryStorage(["log": .file(Array(log.utf8))])
            _ = try await run(options, on: storage).get()
            found.append(storage["out"])
        }
        #expect(found[0] == found[1])
        #expect(lines != nil || found[0]?.count ?? 0 > 4 << 20)
    }

    @Test func aTableHasTheInstantsFirst() async throws {
        let log = try #require(Self.logs.first { $0.name == "removed twice" })
        let storage = storage(log)
        var options = options(log)
        options.format = .csv
        _ = try await run(options, on: storage).get()
        let rows = RandomLog.text(storage["out"]).split(separator: "\r\n")
        let columns = rows[0].split(separator: ",")
        #expect(columns[..<4] == ["at_ms", "app", "thread", "count"])
        #expect(
            rows.dropFirst().map { $0.split(separator: ",").prefix(4).joined(separator: " ") } == [
                "10000 a t 1", "20000 a t 0", "30000 a t 1", "35000 a t 0",
            ])
        // An emptied group has all columns, too.
        for row in rows where row.hasSuffix(",,") {
            #expect(row.count { $0 == "," } == columns.count - 1)
        }
    }

    @Test func aTextHasAHeadingForEachInstant() async throws {
        let log = try #require(Self.logs.first { $0.name == "removed and updated" })
        let storage = storage(log)
        var options = options(log)
        options.format = .text(TextStyle(width: 40))
        options.every?.offset = 7_200_000
        _ = try await run(options, on: storage).get()
        #expect(
            RandomLog.text(storage["out"]) == """
                1970-01-01T02:00:10+02:00

                a                                    now
                  1

                1970-01-01T02:00:20+02:00

                a
                  t
                  –

                1970-01-01T02:00:35+02:00

                a                                    now
                  2

                """)
    }
}
