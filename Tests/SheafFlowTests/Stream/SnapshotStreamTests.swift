import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Snapshots that are written while records are read (specification §14).
@Suite(.tags(.extended)) struct SnapshotStreamTests {
    /// Runs a log as live snapshots and at the end, and returns both outputs and statistics.
    private func outputs(
        of log: RandomLog, _ options: ReplayOptions, lateness: Int64
    ) async throws -> [(text: String, statistics: Statistics)] {
        var results: [(String, Statistics)] = []
        for isLive in [false, true] {
            var options = options
            options.lateness = isLive ? lateness : nil
            let storage = log.storage()
            let statistics = try await run(options, on: storage).get()
            results.append((RandomLog.text(storage["out/snapshot"]), statistics))
        }
        return results
    }

    /// Options with several snapshots, and with the work split at random.
    private func options(_ log: RandomLog, _ random: inout SeededGenerator) -> ReplayOptions {
        var options = log.randomOptions(&random)
        options.every = options.every ?? Timeline(step: 900)
        // A snapshot for each millisecond takes long.
        let step = options.every?.step ?? 0
        options.every?.step = max(100, step)
        options.emit = random.chance(30) ? .all : .changes
        options.top = random.chance(20) ? 1 + random.below(3) : nil
        options.memory = nil
        options.stateBytes = nil
        options.format = random.pick([.ndjson, .ndjson, .json, .csv, .text(TextStyle())])
        return options
    }

    /// Nothing is late if the lateness is that of the whole log.
    @Test(arguments: Seeds.several(8)) func snapshotsAreThoseOfAReplay(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try RandomLog(seed: seed, lines: 140, files: 1, decides: false)
        for _ in 0..<4 {
            let outputs = try await outputs(of: log, options(log, &random), lateness: 4_000_000_000_000)
            #expect(outputs[0].text == outputs[1].text)
            #expect(outputs[1].statistics.late == 0)
            #expect(outputs[0].statistics.grouped == outputs[1].statistics.grouped)
            #expect(outputs[0].statistics.updated == outputs[1].statistics.updated)
            #expect(outputs[0].statistics.removals == outputs[1].statistics.removals)
            #expect(outputs[0].statistics.delivery == outputs[1].statistics.delivery)
            #expect(outputs[0].statistics.groups == outputs[1].statistics.groups)
        }
    }

    /// Whatever is late, the last snapshot is that of a replay.
    @Test(arguments: Seeds.several(6)) func theLastSnapshotIsExact(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try RandomLog(seed: seed, lines: 200, files: 1)
        for lateness in [0, 500, 1_500] {
            var options = options(log, &random)
            options.emit = .all
            options.top = nil
            options.format = .ndjson
            let outputs = try await outputs(of: log, options, lateness: Int64(lateness))
            #expect(Self.lastSnapshot(outputs[0].text) == Self.lastSnapshot(outputs[1].text))
            #expect(outputs[0].statistics.groups == outputs[1].statistics.groups)
            #expect(outputs[0].statistics.grouped == outputs[1].statistics.grouped)
        }
    }

    private static func lastSnapshot(_ text: String) -> [Substring] {
        let lines = text.split(separator: "\n")
        let last = lines.last?.prefix { $0 != "," }
        return lines.filter { $0.prefix { $0 != "," } == last && !$0.contains(",\"count\":0") }
    }

    /// What is late depends on the records alone.
    @Test(arguments: Seeds.several(6)) func chunksAndThreadsDoNotMatter(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try RandomLog(seed: seed, lines: 160, files: 1)
        var results: Set<String> = []
        for _ in 0..<6 {
            var options = log.randomOptions(&random)
            options.every = Timeline(step: 300)
            options.lateness = 700
            options.memory = nil
            options.stateBytes = nil
            let storage = log.storage()
            let statistics = try await run(options, on: storage).get()
            results.insert("\(statistics.late ?? 0)\n" + RandomLog.text(storage["out/snapshot"]))
        }
        #expect(results.count == 1)
    }

    @Test(arguments: [
        (Int64(0), ["10 t 1", "20 t 3", "31 t 4"], UInt64(1)),
        (5_000, ["10 t 1", "20 t 3", "31 t 4"], 1),
        (9_000, ["10 t 2", "20 t 3", "31 t 4"], 0),
    ])
    func aLateRecordIsPartOfTheNextSnapshot(_ lateness: Int64, _ expected: [String], _ late: UInt64)
        async throws
    {
        let times = [5, 17, 9, 31]
        let lines = times.map {
            "{\"app\":\"a\",\"ts\":\($0),\"aps\":{\"alert\":\"x\",\"thread-id\":\"t\"}}\n"
        }
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.every = Timeline(step: 10_000)
        options.lateness = lateness
        let statistics = try await run(options, on: storage).get()
        let found = RandomLog.text(storage["out"]).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/"at":(\d+)000,"app":"a","thread":"(.)","count":(\d+)/#).map {
                "\($0.1) \($0.2) \($0.3)"
            }
        }
        #expect(found == expected)
        #expect(statistics.late == late)
    }

    struct TimedLog: NamedCase {
        let name: String
        let lines: [String]
        var late: UInt64 = 0
    }

    /// Where `late` is 0, the outputs are equal, too.
    static let timedLogs = [
        TimedLog(
            name: "an empty list of ids",
            lines: [
                #"{"app":"a","aps":{"alert":"u"}}"#, #"{"ts":1.5,"event":"removed","app":"a","ids":[]}"#,
                #"{"ts":5.5,"app":"b","aps":{"alert":"v"}}"#,
            ]),
        TimedLog(
            name: "an empty id",
            lines: [
                #"{"app":"a","aps":{"alert":"u"}}"#, #"{"ts":1.5,"event":"removed","app":"a","ids":[""]}"#,
                #"{"ts":5.5,"app":"b","aps":{"alert":"v"}}"#,
            ]),
        TimedLog(
            name: "nothing cleared between records",
            lines: [
                #"{"ts":1.5,"app":"b","aps":{"alert":"v"}}"#,
                #"{"ts":7.5,"event":"cleared","app":"a","ids":[]}"#,
                #"{"ts":9.5,"app":"b","aps":{"alert":"v"}}"#,
            ]),
        TimedLog(
            name: "nothing removed at the end",
            lines: [
                #"{"ts":1.5,"app":"b","aps":{"alert":"v"}}"#,
                #"{"ts":7.5,"event":"removed","app":"a","ids":[]}"#,
            ]),
        TimedLog(
            name: "an untimed record after the first snapshot",
            lines: [
                #"{"ts":1.5,"app":"b","aps":{"alert":"v"}}"#, #"{"ts":7.5,"app":"b","aps":{"alert":"v"}}"#,
                #"{"app":"b","aps":{"alert":"v"}}"#, #"{"ts":9.5,"app":"b","aps":{"alert":"v"}}"#,
            ], late: 1),
        TimedLog(
            name: "an untimed removal after the first snapshot",
            lines: [
                #"{"ts":1.5,"app":"b","aps":{"alert":"v"}}"#, #"{"ts":7.5,"app":"b","aps":{"alert":"v"}}"#,
                #"{"event":"removed","app":"b"}"#, #"{"event":"removed","app":"b","ids":[]}"#,
                #"{"ts":9.5,"app":"b","aps":{"alert":"v"}}"#,
            ], late: 2),
    ]

    @Test(arguments: timedLogs, [ReplayOptions.Emission.changes, .all])
    func timesAreThoseOfAReplay(_ item: TimedLog, _ emit: ReplayOptions.Emission) async throws {
        var texts: [String] = []
        for lateness in [nil, 0] as [Int64?] {
            let storage = MemoryStorage([
                "log": .file(Array(item.lines.map { $0 + "\n" }.joined().utf8))
            ])
            var options = ReplayOptions(sources: ["log"])
            (options.output, options.emit, options.appliesRemovals) = ("out", emit, true)
            (options.every, options.lateness) = (Timeline(step: 1_000), lateness)
            let statistics = try await run(options, on: storage).get()
            if lateness != nil { #expect(statistics.late == item.late) }
            texts.append(RandomLog.text(storage["out"]))
        }
        #expect(!texts[0].isEmpty)
        if item.late == 0 { #expect(texts[0] == texts[1]) }
    }

    /// A record of a distant future, which must not hold back the snapshots before it.
    private static let bad = #"{"ts":4102444800,"app":"z","aps":{"alert":"x"}}"#

    private static func good(_ time: Int) -> String {
        "{\"ts\":\(1_000_000_000 + time),\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}"
    }

    @Test(arguments: [
        [bad] + (0..<30).map(good), (0..<30).map(good) + [bad],
        (0..<10).map(good) + [bad] + (10..<30).map(good),
        (0..<10).map(good) + [bad] + (10..<20).map(good) + [bad] + (20..<30).map(good),
    ])
    func aRecordThatIsAheadIsInTheLastSnapshot(_ lines: [String]) async throws {
        let ahead = UInt64(lines.count { $0 == Self.bad })
        var texts: [String] = []
        for lateness in [nil, 1_000] as [Int64?] {
            let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
            var options = ReplayOptions(sources: ["log"])
            (options.output, options.every, options.lateness) = ("out", Timeline(step: 5_000), lateness)
            let statistics = try await run(options, on: storage).get()
            #expect(
                statistics.warnings.contains(
                    lateness == nil
                        ? .future(newest: 4_102_444_800_000) : .ahead(ahead, newest: 4_102_444_800_000)))
            if lateness != nil { #expect(statistics.late == 0) }
            texts.append(RandomLog.text(storage["out"]))
        }
        #expect(texts[0] == texts[1])
    }

    /// Times between which there are very many snapshots of all groups.
    @Test func quietTimesDoNotFillADisk() async throws {
        for lateness in [nil, 1_000] as [Int64?] {
            let lines = [Self.good(0), Self.good(7), Self.bad]
            let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
            var options = ReplayOptions(sources: ["log"])
            (options.output, options.every, options.lateness) = ("out", Timeline(step: 1_000), lateness)
            options.emit = .all
            let result = await run(options, on: storage)
            if lateness == nil {
                guard case .failure(.usage) = result else {
                    Issue.record("\(result)")
                    continue
                }
                #expect(storage["out"] == nil)
            } else {
                let warnings = try result.get().warnings
                #expect(warnings.contains(.snapshotsLeftOut(3_102_444_792)))
                let lines = RandomLog.text(storage["out"]).split(separator: "\n")
                #expect(lines.count == 10)
                #expect(lines.last?.hasPrefix("{\"at\":4102444800000,\"app\":\"z\"") == true)
            }
        }
    }

    /// A source that ends no longer holds back the others, and one that has no records yet does.
    @Test func sourcesMayEndAtDifferentTimes() async throws {
        func line(_ app: String, _ time: Int) -> String {
            "{\"app\":\"\(app)\",\"ts\":\(time),\"aps\":{\"alert\":\"x\"}}\n"
        }
        let first = (1...40).map { line("a", 10 * $0) }.joined()
        let second = (1...10).map { line("b", 10 * $0 + 5) }.joined()
        let storage = MemoryStorage([
            "1": .file(Array(first.utf8)), "2": .file(Array(second.utf8)), "3": .file([]),
        ])
        var options = ReplayOptions(sources: ["1", "2", "3"])
        options.output = "out"
        options.threads = 3
        options.chunkBytes = 1
        options.every = Timeline(step: 50_000)
        options.lateness = 0
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.late == 0)
        options.lateness = nil
        let other = MemoryStorage([
            "1": .file(Array(first.utf8)), "2": .file(Array(second.utf8)), "3": .file([]),
        ])
        _ = try await run(options, on: other).get()
        #expect(storage["out"] == other["out"])
    }

    /// A group whose only replaceable notification has moved to another thread keeps the others, and only these.
    @Test func compactingKeepsTheNotificationsOfAGroup() throws {
        let live = try LiveGroups(
            {
                var options = LiveOptions()
                options.appliesRemovals = false
                return options
            }())
        let source = try live.addSource(named: "api")
        func push(_ time: Int64, _ thread: String, _ id: String?) throws {
            var push = Push(app: "a")
            push.timestamp = 1_700_000_000_000 + time
            (push.body, push.thread, push.collapseID) = ("x", thread, id)
            try source.add(push)
        }
        try push(1, "first", nil)
        try push(2, "first", "c")
        try push(3, "second", "c")
        for number in 4..<3_000 { try push(Int64(number), "\(number)", "moving") }
        #expect(live.count == 3)
        #expect(live.group(app: "a", thread: "first")?.count == 1)
    }

    @Test func memoryIsBoundedByTheGroupsAndTheOpenIntervals() throws {
        // A hundred intervals of 200 groups that are removed in the next one.
        var options = StateOptions(byDevice: false, maximumArguments: 16, rules: GroupingRules(Settings()))
        options.appliesRemovals = true
        var table = ScreenTable(options)
        var largest = [0, 0]
        for interval in 0..<100 {
            for group in 0..<200 {
                let text = "interval \(interval) group \(group) with a body that takes some memory"
                let bytes = Array(text.utf8)
                var record = NotificationRecord()
                record.app = TextRange(0..<8)
                record.thread = TextRange(0..<bytes.count)
                record.body = TextRange(0..<bytes.count)
                record.order = OrderKey(timestamp: Int64(interval), source: 0, line: UInt64(group + 1))
                let hash = Routing.groupHash(record, in: bytes.span)
                table.add(RoutedRecord(record: record, groupHash: hash, identityHash: hash), in: bytes.span)
            }
            var removal = RemovalRecord()
            let app = Array("interval".utf8)
            removal.app = TextRange(0..<app.count)
            removal.order = OrderKey(timestamp: Int64(interval), source: 0, line: 1_000)
            #expect(table.count == 200)
            table.remove(removal, in: app.span)
            #expect(table.count == 0)
            _ = table.takeChanges()
            if table.isSparse { table.compact() }
            largest[interval < 50 ? 0 : 1] = max(largest[interval < 50 ? 0 : 1], table.heldBytes)
        }
        #expect(largest[1] <= largest[0])
    }

    struct Refused: NamedCase {
        let name: String
        let change: @Sendable (inout ReplayOptions) -> Void
    }

    static let refused = [
        Refused(name: "a checkpoint at a pace") { options in
            options.checkpoint = "c"
            options.speed = 1
        },
        Refused(name: "a partial result") { $0.partial = "p" },
        Refused(name: "one snapshot") { $0.every = nil },
        Refused(name: "a negative lateness") { $0.lateness = -1 },
        Refused(name: "no speed") { $0.speed = 0 },
        Refused(name: "nothing may be ahead") { $0.maximumAhead = 0 },
        Refused(name: "no silence") { $0.idle = 0 },
        Refused(name: "a limit without a lateness") { options in
            options.lateness = nil
            options.given = [.maximumAhead]
        },
        Refused(name: "silence without a lateness") { options in
            options.lateness = nil
            options.given = [.idle]
        },
        Refused(name: "a speed without a lateness") { options in
            options.lateness = nil
            options.speed = 1
        },
    ]

    @Test(arguments: refused) func optionsThatDoNotFitAreRefused(_ item: Refused) {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.every = Timeline(step: 1_000)
        options.lateness = 0
        item.change(&options)
        #expect(throws: ReplayError.self) { try Replay(options, storage: MemoryStorage(["log": .file([])])) }
    }
}
