import SheafBytes
import SheafGroups
import Synchronization
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Live snapshots of logs with wrong times, and of sources that are silent.
@Suite(.tags(.extended)) struct BadClockTests {
    // MARK: - Records that are ahead

    /// Whatever is ahead, the last snapshot and the counts are those of an ordinary run, and the number of records that
    /// are ahead is that of a model.
    ///
    /// - Parameter decides: whether later records may decide pushes; the instants then follow those that they leave out.
    @Test(arguments: Seeds.several(8), [false, true])
    func theLastSnapshotIsExact(_ seed: UInt64, _ decides: Bool) async throws {
        var random = SeededGenerator(seed: seed &* 13 &+ 7)
        let log = try RandomLog(
            seed: seed, lines: 60 + random.below(140), files: 1, inOrder: random.chance(40),
            identifiers: random.pick([nil, 2, 30]), decides: decides)
        var options = log.randomOptions(&random)
        options.every = Timeline(step: random.pick([100, 300, 1_700, 3_600_000]))
        (options.emit, options.top, options.format) = (.all, nil, .ndjson)
        (options.memory, options.stateBytes) = (nil, nil)
        let present = 1_700_000_000_000 + Int64(random.pick([-5_000, 500, 1_000, 2_000, 9_000]))
        options.clock.present = { present }
        options.maximumAhead = random.pick([1, 400, 1_000, 4_000])
        let ordinary = log.storage()
        let expected = try await run(options, on: ordinary).get()
        options.lateness = random.pick([0, 300, 2_000, 4_000_000_000_000])
        let live = log.storage()
        let statistics = try await run(options, on: live).get()
        func lines(_ storage: MemoryStorage) -> [Substring] {
            let lines = Self.lastSnapshot(RandomLog.text(storage["out/snapshot"]))
            return decides ? lines.map { $0.drop { $0 != "," } } : lines
        }
        #expect(lines(live) == lines(ordinary))
        #expect(statistics.grouped == expected.grouped)
        #expect(statistics.updated == expected.updated)
        #expect(statistics.groups == expected.groups)
        #expect(statistics.records == expected.records)
        #expect(statistics.repeated == expected.repeated)
        #expect(statistics.refused == expected.refused)
        guard !decides else { return }
        let times = Self.times(of: log.model)
        #expect(statistics.ahead == Self.ahead(times, present, options.maximumAhead))
    }

    /// If nothing is late, each snapshot before the last one is that of a log without the records that are ahead.
    @Test(arguments: Seeds.several(12)) func recordsThatAreAheadAreInNoOtherSnapshot(_ seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed &* 29 &+ 3)
        var lines: [String] = []
        var others: [String] = []
        var ahead: UInt64 = 0
        let start = 1_700_000_000_000
        let appliesRemovals = random.chance(70)
        for number in 0..<120 {
            let isAhead = random.chance(20)
            let time =
                isAhead ? start + 4_000_000 + random.below(2_000_000_000_000) : start + 1_000 * number
            let kind =
                random.chance(15)
                ? #""event":"removed","ids":["c\#(random.below(6))"]"#
                : random.chance(10)
                    ? #""event":"cleared""#
                    : #""collapse-id":"c\#(random.below(6))","aps":{"alert":"\#(number)","thread-id":"t\#(random.below(3))"}"#
            let line = #"{"app":"a\#(random.below(2))","ts":\#(time),\#(kind)}"#
            lines.append(line)
            if isAhead, appliesRemovals || !line.contains("event") { ahead += 1 }
            // A blank line, so that the others keep their numbers.
            others.append(isAhead ? "" : line)
        }
        // Their own last snapshot is as of the newest record.
        let last = #"{"app":"z","ts":\#(start + 200_000),"aps":{"alert":"x"}}"#
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.every, options.emit) = ("out", Timeline(step: 5_000), .all)
        options.appliesRemovals = appliesRemovals
        options.delivery = random.chance(50)
        options.threads = 1 + random.below(3)
        options.chunkBytes = random.pick([1, 300, 5_000])
        options.clock.present = { 1_700_000_100_000 }
        options.maximumAhead = 3_600_000
        options.lateness = random.pick([0, 10_000])
        func output(_ lines: [String]) async throws -> ([Substring], Statistics) {
            let storage = MemoryStorage(["log": .file(Array((lines.joined(separator: "\n") + "\n").utf8))])
            let statistics = try await run(options, on: storage).get()
            return (RandomLog.text(storage["out"]).split(separator: "\n"), statistics)
        }
        let (found, statistics) = try await output(lines + [last])
        let (expected, _) = try await output(others + [last])
        func before(_ lines: [Substring]) -> [Substring] {
            lines.filter { line in
                let at = line.firstMatch(of: #/^\{"at":([0-9]+)/#).flatMap { Int($0.1) } ?? .max
                return at < start + 200_000
            }
        }
        #expect(before(found) == before(expected))
        #expect(!before(found).isEmpty)
        #expect(statistics.late == 0)
        // If the first record is ahead, the second one tells.
        #expect(statistics.ahead == ahead)
    }

    /// The times of the records that snapshots follow, in the order of the log.
    private static func times(of model: ReplayModel) -> [Int64] {
        let records =
            model.notifications + model.results + (model.options.appliesRemovals ? model.removals : [])
        return records.sorted { $0.line < $1.line }.map { Int64($0.time) }.filter { $0 != 0 }
    }

    /// The number of times that are ahead: each is compared with all others that came before it and are not.
    private static func ahead(_ times: [Int64], _ present: Int64, _ limit: Int64) -> UInt64 {
        var others: [Int64] = []
        var count = 0
        for time in times {
            let isFuture = time - present > limit
            let areFuture = others.allSatisfy { $0 - present > limit }
            if let newest = others.max() {
                if isFuture, !areFuture, time - newest > limit {
                    count += 1
                    continue
                }
                if !isFuture, areFuture, newest - time > limit {
                    count += others.count
                    others = []
                }
            }
            others.append(time)
        }
        return UInt64(count)
    }

    private static func lastSnapshot(_ text: String) -> [Substring] {
        let lines = text.split(separator: "\n")
        let last = lines.last?.prefix { $0 != "," }
        return lines.filter { $0.prefix { $0 != "," } == last && !$0.contains(#/"count":0[,}]/#) }
    }

    struct DatedLog: NamedCase {
        let name: String
        /// The times of the records, in seconds after a moment in 2023.
        let times: [Int]
        /// The instants of the snapshots with a record, likewise, and the number of all groups in each.
        let snapshots: [String]
        var ahead: UInt64 = 0
    }

    /// 2100, in seconds after the moment.
    private static let future = 2_402_444_800

    static let datedLogs = [
        DatedLog(
            name: "an old log", times: [1, 12, 23], snapshots: ["10 1", "20 2", "23 3"]),
        DatedLog(
            name: "a record dated 2100 in it", times: [1, future, 12, 23],
            snapshots: ["10 1", "20 2", "30 3", "\(future) 4"], ahead: 1),
        DatedLog(
            name: "several", times: [1, future, 12, future - 500_000_000, 23, future + 7],
            snapshots: ["10 1", "20 2", "30 3", "\(future + 7) 6"], ahead: 3),
        DatedLog(
            name: "at the start", times: [future, 1, 12, 23],
            snapshots: ["10 1", "20 2", "30 3", "\(future) 4"], ahead: 1),
        DatedLog(
            name: "a log from 2100", times: [future, future + 11, future + 22],
            snapshots: ["\(future) 1", "\(future + 20) 2", "\(future + 22) 3"]),
        DatedLog(
            name: "a gap of a day in a log from 2100", times: [future, future + 11, future + 86_400],
            snapshots: ["\(future) 1", "\(future + 20) 2", "\(future + 86_400) 3"]),
        DatedLog(
            name: "a record of a year later", times: [1, 31_536_000], snapshots: ["10 1", "31536000 2"]),
    ]

    /// The present is a day after the log, except for the last one.
    @Test(arguments: datedLogs) func snapshotsFollowTheTimesThatAreRight(_ item: DatedLog) async throws {
        let start: Int64 = 1_700_000_000
        let lines = item.times.enumerated().map { number, time in
            #"{"app":"a\#(number)","ts":\#(start + Int64(time)),"aps":{"alert":"x"}}"# + "\n"
        }
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.every, options.emit) = ("out", Timeline(step: 10_000), .all)
        let present = item.name.contains("later") ? start + 40_000_000 : start + 86_400
        options.clock.present = { present * 1_000 }
        options.lateness = 0
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        let statistics = try await run(options, on: storage).get()
        var counts: [Int64: Int] = [:]
        for line in RandomLog.text(storage["out"]).split(separator: "\n") {
            let at = try #require(line.firstMatch(of: #/^\{"at":([0-9]+)/#).flatMap { Int64($0.1) })
            counts[at / 1_000 - start, default: 0] += 1
        }
        // Those between them have the groups of the previous one.
        let found = counts.sorted { $0.key < $1.key }
        let changed = zip(found, [(0, 0)] + found.map { ($0.key, $0.value) }).filter { $0.value != $1.1 }.map(
            \.0)
        #expect(changed.map { "\($0.key) \($0.value)" } == item.snapshots)
        #expect(statistics.ahead == item.ahead)
        #expect(statistics.late == 0)
    }

    /// What is ahead takes no more memory than what is on screen, although each record is in an interval of its own.
    @Test(arguments: [(false, false), (true, false), (true, true)])
    func recordsThatAreAheadTakeBoundedMemory(_ isReplaceable: Bool, _ tracksAll: Bool) throws {
        var options = Self.state
        options.appliesRemovals = tracksAll
        let stream = Self.stream(options)
        stream.begin(0, isLive: false)
        var largest = [0, 0]
        let count = 40_000
        for number in 0..<count {
            try Self.add(1_000_000 + Int64(number), to: stream, isReplaceable: isReplaceable)
            try Self.add(
                5_000_000_000 + 100_000 * Int64(number % 9_973) + Int64(number), to: stream,
                isReplaceable: isReplaceable)
            let half = number < count / 2 ? 0 : 1
            largest[half] = max(largest[half], stream.heldBytes)
        }
        #expect(stream.bounds.ahead == UInt64(count))
        #expect(largest[1] <= largest[0] + 65_536)
    }

    // MARK: - Warnings

    struct WarnedLog: NamedCase {
        let name: String
        /// The times of the records in seconds.
        let times: [Int]
        var emit = ReplayOptions.Emission.all
        var step: Int64 = 86_400_000
        let warnings: [String]
    }

    private static let regular = (0..<2_000).map { 1_700_000_000 + $0 }

    static let warnedLogs = [
        WarnedLog(name: "a regular log", times: regular, step: 1_000, warnings: []),
        WarnedLog(
            name: "four records", times: [1, 2, 3].map { 1_700_000_000 + $0 } + [4_102_444_800],
            warnings: ["future", "27805 unchanged"]),
        WarnedLog(
            name: "four records, changes alone",
            times: [1, 2, 3].map { 1_700_000_000 + $0 } + [4_102_444_800],
            emit: .changes, warnings: ["future"]),
        WarnedLog(
            name: "one of many", times: regular + [4_102_444_800], emit: .changes,
            warnings: ["0+1 of 2001, log:2001"]),
        WarnedLog(
            name: "an old one of many", times: [5] + regular,
            warnings: ["1+0 of 2001, log:2000", "19674 unchanged"]),
        WarnedLog(
            name: "a week", times: regular + [1_700_600_000], step: 3_600_000,
            warnings: ["0+1 of 2001, log:2001", "165 unchanged"]),
        WarnedLog(name: "three days", times: [1_700_000_000, 1_700_259_200], step: 3_600_000, warnings: []),
    ]

    @Test(arguments: warnedLogs) func timesThatMakeSnapshotsRepeatAreNamed(_ item: WarnedLog) async throws {
        let lines = item.times.map { #"{"app":"a","ts":\#($0),"aps":{"alert":"x"}}"# + "\n" }
        for lateness in [nil, 0] as [Int64?] {
            var options = ReplayOptions(sources: ["log"])
            (options.output, options.every, options.emit) = ("out", Timeline(step: item.step), item.emit)
            options.clock.present = { 1_800_000_000_000 }
            (options.threads, options.chunkBytes, options.lateness) = (2, 1_000, lateness)
            let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
            var found: [String] = []
            for warning in try await run(options, on: storage).get().warnings {
                switch warning {
                case .future: found.append("future")
                case .unchangedSnapshots(let count, _, _): found.append("\(count) unchanged")
                case .outliers(let outliers):
                    let line = outliers.later > 0 ? outliers.newest.line : outliers.records - 1
                    found.append(
                        "\(outliers.earlier)+\(outliers.later) of \(outliers.records), \(outliers.newest.source):\(line)"
                    )
                case .ahead: found.append("ahead")
                case .snapshotsLeftOut: found.append("left out")
                default: found.append("\(warning)")
                }
            }
            guard lateness != nil, item.times.contains(4_102_444_800) else {
                #expect(found == item.warnings)
                continue
            }
            // What is ahead has a warning of its own, and no snapshot is repeated until then.
            #expect(found == (item.emit == .all ? ["ahead", "left out"] : ["ahead"]))
        }
    }

    // MARK: - Silence

    private static let state = StateOptions(
        byDevice: false, maximumArguments: 16, rules: GroupingRules(Settings()))

    /// A clock that a test sets.
    private final class TestClock: Sendable {
        private let milliseconds = Mutex<Int64>(0)
        var uptime: Int64 { milliseconds.withLock { $0 } }

        func advance(by time: Int64) { milliseconds.withLock { $0 += time } }
    }

    private static func stream(
        _ state: StateOptions, emit: ReplayOptions.Emission = .changes, _ clock: TestClock = TestClock()
    ) -> SnapshotStream {
        var options = ReplayOptions(sources: ["a", "b"])
        (options.format, options.every, options.emit) = (.ndjson, Timeline(step: 10_000), emit)
        return SnapshotStream(
            Timeline(step: 10_000), WatermarkRules(lateness: 2_000, maximumAhead: 3_600_000, idle: 30_000),
            state,
            options.selection, options.style, names: SourceNames(SourceTable(paths: ["a", "b"])),
            clock: RunClock(present: { 2_000_000 }, uptime: { clock.uptime }))
    }

    private static func add(
        _ time: Int64, _ source: Int = 0, to stream: SnapshotStream, isReplaceable: Bool = false,
        _ output: SnapshotStream.Output = { _ in }
    ) throws {
        var bytes: [UInt8] = []
        var record = NotificationRecord()
        record.app = bytes.appendText(Array("app \(time % 3)".utf8).span)
        if isReplaceable { record.collapseIdentifier = bytes.appendText(Array("c \(time % 7)".utf8).span) }
        record.body = bytes.appendText(Array("body \(time % 10)".utf8).span)
        record.order = OrderKey(timestamp: time, source: source, line: UInt64(time))
        let item = RoutedRecord(record, byDevice: false, in: bytes.span)
        try stream.add(.notification(item), of: source, in: bytes.span, output)
        stream.recordArrival(of: source)
    }

    struct SilentSource: NamedCase {
        let name: String
        /// What happens: `source@time` is a record, `+n` that n milliseconds pass, `end source` the end of a source.
        let events: String
        /// The instants of the snapshots that are written because of each event.
        let written: String
        var late: UInt64 = 0
        var emit = ReplayOptions.Emission.changes
        /// Whether the second source is live, too.
        var areBothLive = true
    }

    static let silentSources = [
        SilentSource(
            name: "records alone", events: "0@15000 0@21000 0@23000 0@36000", written: "- - 20000 30000"),
        SilentSource(
            name: "a silence", events: "0@15000 +29999 +1", written: "- - 20000"),
        SilentSource(
            name: "time passes", events: "0@15000 +30000 0@65000 +29999 +1", written: "- 20000 - - 70000"),
        SilentSource(
            name: "nothing is left", events: "0@15000 +30000 +90000", written: "- 20000 -"),
        SilentSource(
            name: "all groups", events: "0@15000 +30000 +90000", written: "- 20000 -", emit: .all),
        SilentSource(
            name: "a late record", events: "0@15000 +30000 0@16000 +29999 +1 end",
            written: "- 20000 - - 30000 -",
            late: 1),
        SilentSource(
            name: "a late record at the end", events: "0@15000 +30000 0@16000 end",
            written: "- 20000 - 30000",
            late: 1),
        SilentSource(
            name: "the end after a silence", events: "0@15000 +30000 end", written: "- 20000 -"),
        SilentSource(
            name: "the end", events: "0@15000 end", written: "- 15000"),
        SilentSource(
            name: "one of two sources is silent",
            events: "1@15000 0@15000 0@25000 +10000 0@35000 +20000 0@45000 +1",
            written: "- - - - - 20000,30000 - 40000"),
        SilentSource(
            name: "one of two sources has no record", events: "open1 0@15000 0@25000 +10000 0@35000 +20000",
            written: "- - - - - 20000,30000"),
        SilentSource(
            name: "a file is never silent", events: "1@15000 0@15000 0@25000 +90000", written: "- - - -",
            areBothLive: false),
        SilentSource(
            name: "a file without records yet", events: "open1 0@15000 0@25000 +90000", written: "- - - -",
            areBothLive: false),
    ]

    @Test(arguments: silentSources) func silenceLetsTimePass(_ item: SilentSource) throws {
        let clock = TestClock()
        let stream = Self.stream(Self.state, emit: item.emit, clock)
        stream.begin(0, isLive: true)
        if item.events.contains("1") && (item.events.contains("1@1") || item.events.contains("open1")) {
            stream.begin(1, isLive: item.areBothLive)
        }
        var instants: [String] = []
        let output: SnapshotStream.Output = { bytes in
            for line in bytes.string.split(separator: "\n") {
                let at = String(line.firstMatch(of: #/"at":([0-9]+)/#)?.1 ?? "?")
                if instants.last != at { instants.append(at) }
            }
        }
        var written: [String] = []
        for event in item.events.split(separator: " ") {
            instants = []
            if event.hasPrefix("+"), let time = Int64(event.dropFirst()) {
                clock.advance(by: time)
                try stream.writeDue(at: clock.uptime, output)
            } else if event == "end" {
                stream.end(0)
                stream.end(1)
                try stream.finish(output)
            } else if event != "open1" {
                let parts = event.split(separator: "@").compactMap { Int64($0) }
                try Self.add(parts[1], Int(parts[0]), to: stream, output)
            }
            written.append(instants.isEmpty ? "-" : instants.joined(separator: ","))
        }
        #expect(written.joined(separator: " ") == item.written)
        #expect(stream.late == item.late)
    }

    // MARK: - The engine for programs

    @Test(arguments: [(nil, UInt64(0)), (3_600_000, 2), (9_000_000_000_000, 0)] as [(Int64?, UInt64)])
    func theEngineCountsWhatIsAhead(_ maximum: Int64?, _ ahead: UInt64) throws {
        var options = LiveOptions()
        options.maximumAhead = maximum
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "a")
        for time in [1_700_000_000, 4_102_444_800, 1_700_000_001, 4_102_444_805] {
            try source.append(#"{"app":"a","ts":\#(time),"aps":{"alert":"x"}}"# + "\n")
        }
        #expect(live.statistics().ahead == ahead)
        #expect(live.group(app: "a")?.count == 4)
    }

    @Test func aLimitThatIsNotPositiveIsRefused() {
        var options = LiveOptions()
        options.maximumAhead = 0
        #expect(throws: ReplayError.usage("\(.maximumAhead) is 0 ms, but must be longer than 0")) {
            try LiveGroups(options)
        }
    }
}
