import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// How a replay replaces contents by the results of service extensions (specification §16).
@Suite(.tags(.spilling)) struct ResultReplayTests {
    struct Log: NamedCase {
        let name: String
        let lines: [String]
        var configuration = "{}"
        var byDevice = false
        /// Each group's thread, its count, and its leading body.
        let shown: [String]
        /// The numbers of results that replaced a content, and of those that did not.
        var counts: [UInt64] = [1, 0]
    }

    static func push(_ time: Int, _ members: String = "", aps: String = "") -> String {
        "{\"app\":\"a\",\"ts\":\(time),\"aps\":{\"alert\":{\"title\":\"T\",\"body\":\"\(time)\"}\(aps)}\(members)}"
    }

    /// Returns a result with the content in a payload.
    static func result(
        _ time: Int, _ members: String, elapsed: String = "2", aps: String = #""alert":"new""#
    ) -> String {
        "{\"event\":\"modified\",\"app\":\"a\",\"ts\":\(time),\"elapsed\":\(elapsed),\"payload\":{\"aps\":{\(aps)}},\(members)}"
    }

    static let (x, y, c, d, e) = (
        #","id":"x""#, #","id":"y""#, #","id":"x","collapse-id":"c""#, #","device":"d""#, #","device":"e""#
    )
    static let (forX, forY, forC) = (#""id":"x""#, #""id":"y""#, #""collapse-id":"c""#)
    static let thread = #","thread-id":"t""#

    static let logs = [
        Log(name: "a result", lines: [push(1, x), push(2, y), result(3, forY)], shown: ["- 2 new"]),
        Log(
            name: "a result that is read first", lines: [result(3, forY), push(1, x), push(2, y)],
            shown: ["- 2 new"]),
        Log(name: "a result that is older", lines: [result(1, forX), push(2, x)], shown: ["- 1 2"]),
        Log(
            name: "results at the time of the push: the later line is newer",
            lines: [result(1, forX), push(1, x), push(1, y), result(1, forY)], shown: ["- 2 new"],
            counts: [2, 0]),
        Log(
            name: "in time, and too late",
            lines: [
                push(1, x), push(2, y, aps: thread), result(3, forX, elapsed: "30"),
                result(3, forY, elapsed: "30.001"),
            ], shown: ["- 1 new", "t 1 2"], counts: [1, 1]),
        Log(
            name: "a limit", lines: [push(1, x), result(2, forX, elapsed: "6")],
            configuration: #"{"serviceExtensionLimit":5}"#, shown: ["- 1 1"], counts: [0, 1]),
        Log(
            name: "an app's limit", lines: [push(1, x), result(2, forX, elapsed: "6")],
            configuration: #"{"serviceExtensionLimit":5,"apps":{"a":{"serviceExtensionLimit":6.0}}}"#,
            shown: ["- 1 new"]),
        Log(
            name: "no time that it took", lines: [push(1, x), result(2, forX, elapsed: "null")],
            shown: ["- 1 new"]),
        Log(
            name: "without a content",
            lines: [
                push(1, x), result(2, forX, aps: ""), result(2, forX, aps: #""alert":"""#),
                result(2, forX, aps: #""sound":"s""#),
                #"{"event":"modified","app":"a","ts":3,"id":"x","elapsed":30}"#,
            ], shown: ["- 1 1"], counts: [0, 4]),
        Log(
            name: "a UNNotificationContent",
            lines: [
                push(1, x),
                #"{"event":"modified","app":"a","ts":2,"id":"x","content":{"body":"c","threadIdentifier":"t"}}"#,
            ], shown: ["t 1 c"]),
        Log(
            name: "a UNNotificationRequest",
            lines: [
                push(1, x),
                #"{"event":"modified","app":"a","ts":2,"request":{"identifier":"x","content":{"body":"r"}}}"#,
            ], shown: ["- 1 r"]),
        Log(
            name: "a payload that was logged as text",
            lines: [
                push(1, x),
                #"{"event":"modified","app":"a","ts":2,"id":"x","elapsed":1,"payload":"{\"aps\":{\"alert\":\"n\"}}"}"#,
            ], shown: ["- 1 n"]),
        Log(
            name: "the thread stays unless there is another",
            lines: [push(1, x, aps: thread), push(2, y, aps: thread), result(3, forY)],
            shown: ["t 2 new"]),
        Log(
            name: "another thread",
            lines: [
                push(1, x, aps: thread), push(2, y, aps: thread),
                result(3, forX, aps: #""alert":"n","thread-id":"u""#),
            ],
            shown: ["t 1 2", "u 1 n"]),
        Log(
            name: "the newest result counts",
            lines: [
                push(1, x), result(4, forX), result(3, forX, aps: #""alert":"older""#),
                result(5, forX, elapsed: "31", aps: #""alert":"late""#),
            ], shown: ["- 1 new"], counts: [2, 1]),
        Log(
            name: "an update has its own content", lines: [push(1, c), result(2, forC), push(3, c)],
            shown: ["- 1 3"]),
        Log(
            name: "the result of an update", lines: [push(1, c), push(3, c), result(4, forC)],
            shown: ["- 1 new"]
        ),
        Log(
            name: "a version by its own id",
            lines: [push(1, c), push(3, #","id":"z","collapse-id":"c""#), result(4, forX)], shown: ["- 1 3"]),
        Log(
            name: "the newest version by its own id",
            lines: [push(1, c), push(3, #","id":"z","collapse-id":"c""#), result(4, #""id":"z""#)],
            shown: ["- 1 new"]),
        Log(
            name: "one of several with an id after another was updated",
            lines: [
                push(1, c + d), push(2, c + e), push(3, #","id":"z","collapse-id":"c","device":"d""#),
                result(4, forX),
            ], byDevice: true, shown: ["- 1 3", "- 1 new"]),
        Log(
            name: "a notification with a collapse id by its id", lines: [push(1, c), result(2, forX)],
            shown: ["- 1 new"]),
        Log(
            name: "devices", lines: [push(1, x + d), push(2, x + e), result(3, forX + d)], byDevice: true,
            shown: ["- 1 new", "- 1 2"]),
        Log(
            name: "a result without a device is for any",
            lines: [push(1, x + d), push(2, x + e), result(3, forX)],
            byDevice: true, shown: ["- 1 new", "- 1 new"]),
        Log(
            name: "of the results for one device and for any, the newest counts",
            lines: [
                push(1, x + d), push(2, x + e), result(3, forX + d, aps: #""alert":"d""#), result(4, forX),
                result(5, forX + e, aps: #""alert":"e""#),
            ], byDevice: true, shown: ["- 1 new", "- 1 e"], counts: [3, 0]),
        Log(
            name: "another app's result",
            lines: [push(1, x), #"{"event":"modified","app":"b","ts":2,"id":"x","content":{"body":"b"}}"#],
            shown: ["- 1 1"]),
        Log(
            name: "a push whose event has the same name",
            lines: [push(1, x), push(2, y + #","event":"modified""#)], shown: ["- 2 2"], counts: [0, 0]),
        Log(
            name: "settings apply to the new content",
            lines: [
                push(1, x), push(2, y),
                result(3, forX, aps: #""alert":"now critical","interruption-level":"critical""#),
            ], configuration: #"{"delivery":"criticalOnly"}"#, shown: ["- 1 now critical"]),
        Log(
            name: "removed with the thread of the new content",
            lines: [
                push(1, x), push(2, y), result(3, forX, aps: #""alert":"n","thread-id":"t""#),
                #"{"event":"cleared","app":"a","ts":4,"thread":"t"}"#,
            ], shown: ["- 1 2"]),
        Log(
            name: "not removed with the thread that was logged",
            lines: [
                push(1, x), #"{"event":"cleared","app":"a","ts":4,"thread":null}"#,
                result(3, forX, aps: #""alert":"n","thread-id":"t""#),
            ], shown: ["t 1 n"]),
        Log(
            name: "shown again with a result that comes after the removal",
            lines: [
                push(1, x), #"{"event":"cleared","app":"a","ts":3,"thread":null}"#,
                result(4, forX, aps: #""alert":"n","thread-id":"t""#),
            ], shown: ["t 1 n"]),
        Log(
            name: "removed by its identifier",
            lines: [push(1, x), #"{"event":"removed","app":"a","ts":3,"ids":["x"]}"#, result(4, forX)],
            shown: []),
        Log(
            name: "a single thread for an app",
            lines: [push(1, x), result(2, forX, aps: #""alert":"n","thread-id":"t""#)],
            configuration: #"{"apps":{"a":{"grouping":"byApp"}}}"#, shown: ["- 1 n"]),
        Log(
            name: "each notification on its own",
            lines: [push(1, x), push(2, y), result(3, forX, aps: #""alert":"n","thread-id":"t""#)],
            configuration: #"{"apps":{"a":{"grouping":"off"}}}"#, shown: ["- 1 2", "t 1 n"]),
    ]

    @Test(arguments: logs, [false, true])
    func aResultReplacesTheContent(_ log: Log, _ spills: Bool) async throws {
        var options = try Self.options(log)
        options.spillsAlways = spills
        let storage = MemoryStorage(["log": .file(Self.text(log))])
        let statistics = try await run(options, on: storage).get()
        #expect(try Self.shown(storage["out"]) == log.shown)
        #expect([statistics.delivery?.modified, statistics.delivery?.expired] == log.counts)
        #expect(statistics.warnings.allSatisfy { if case .repeatedPushes = $0 { true } else { false } })
    }

    /// One partial result per line: the limits that count are those of the runs that read the log.
    @Test(arguments: logs) func mergedPartsHaveTheContents(_ log: Log) async throws {
        let storage = MemoryStorage([:])
        var options = try Self.options(log)
        var paths: [String] = []
        for (index, line) in log.lines.enumerated() {
            storage["log \(100 + index)"] = Array(line.utf8)
            options.sources = ["log \(100 + index)"]
            options.partial = "partial \(100 + index)"
            _ = try await run(options, on: storage).get()
            paths.append("partial \(100 + index)")
        }
        options.settings.serviceExtensionLimit = 0
        options.sources = paths
        options.partial = nil
        let statistics = try await run(try Merge(options, storage: storage)).get()
        #expect(try Self.shown(storage["out"]) == log.shown)
        #expect([statistics.delivery?.modified, statistics.delivery?.expired] == log.counts)
    }

    /// The live groups have the same contents, whether they are asked in between or not.
    @Test(arguments: logs)
    func liveGroupsHaveTheContents(_ log: Log) throws {
        var options = LiveOptions()
        options.configuration = Configuration(try Settings(json: Array(log.configuration.utf8), file: "c"))
        (options.delivery, options.appliesRemovals, options.byDevice) = (true, true, log.byDevice)
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        for line in log.lines {
            #expect(try source.append(Array((line + "\n").utf8).span).isEmpty)
            _ = live.snapshot()
        }
        let shown = live.snapshot().map { "\($0.thread ?? "-") \($0.count) \($0.leading.body ?? "-")" }
        #expect(shown == log.shown)
    }

    private static func text(_ log: Log) -> [UInt8] { Array(log.lines.map { $0 + "\n" }.joined().utf8) }

    private static func options(_ log: Log) throws -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.threads) = ("out", 2)
        (options.delivery, options.appliesRemovals, options.byDevice) = (true, true, log.byDevice)
        options.settings = try Settings(json: Array(log.configuration.utf8), file: "c")
        return options
    }

    private static func shown(_ lines: [UInt8]?) throws -> [String] {
        try LiveLog.groups(lines ?? []).map { "\($0.thread ?? "-") \($0.count) \($0.leading.body ?? "-")" }
    }

    @Test func snapshotsHaveTheContentOfTheirTime() async throws {
        let lines = [
            Self.push(1, Self.x), Self.result(2, Self.forX), Self.push(3, Self.y),
            Self.result(4, Self.forX, aps: #""alert":"newer","thread-id":"t""#),
            #"{"event":"cleared","app":"a","ts":5,"thread":null}"#,
        ]
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.delivery, options.appliesRemovals) = ("out", true, true)
        options.every = Timeline(step: 1_000)
        let expected = [
            "1000 - 1 1", "2000 - 1 new", "3000 - 2 3", "4000 - 1 3", "4000 t 1 newer", "5000 - 0 -",
        ]
        for lateness in [nil, Int64(0)] {
            options.lateness = lateness
            for order in [lines, lateness == nil ? lines.reversed() : lines] {
                let storage = MemoryStorage(["log": .file(Array(order.map { $0 + "\n" }.joined().utf8))])
                _ = try await run(options, on: storage).get()
                let lines = RandomLog.text(storage["out"]).split(separator: "\n").map { line in
                    let at = line.firstMatch(of: #/"at":(\d+)/#)?.1 ?? ""
                    let thread = line.firstMatch(of: #/"thread":"(\w+)"/#)?.1 ?? "-"
                    let count = line.firstMatch(of: #/"count":(\d+)/#)?.1 ?? ""
                    let body = line.firstMatch(of: #/"leading":.*?"body":"(\w+)"/#)?.1 ?? "-"
                    return "\(at) \(thread) \(count) \(body)"
                }
                #expect(lines == expected, "lateness \(String(describing: lateness))")
            }
        }
    }

    @Test func withoutTheOptionResultsAreIgnoredWithAWarning() async throws {
        let lines = [
            Self.push(1, Self.x), Self.result(2, Self.forX), Self.result(3, Self.forX, elapsed: "31"),
        ]
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.statistics) = ("out", "stats")
        let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.warnings == [.modificationsIgnored(2)])
        #expect(RandomLog.text(storage["stats"]).contains("\"modificationsIgnored\":2,"))
        #expect(statistics.records == 3)
        #expect(try Self.shown(storage["out"]) == ["- 1 1"])
    }

    @Test(arguments: [
        #""id":"x","elapsed":"2""#, #""id":"x","elapsed":-1"#, #""id":"x","elapsed":true"#, #""elapsed":2"#,
        #""id":"","elapsed":2"#, #""id":"x","elapsed":2,"device":5"#,
    ])
    func anInvalidResultIsRejected(_ members: String) async throws {
        let line = #"{"event":"modified","app":"a","ts":1,\#(members),"aps":{"alert":"n"}}"#
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.delivery) = ("out", true)
        let storage = MemoryStorage(["log": .file(Array(line.utf8))])
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.rejected.map { "\($0.reason.name)" } == ["modification.invalid"])
    }

    /// Sorted by time, the group that it has left, and in which it was the newest, is as new as its new one.
    @Test(arguments: [nil, 0] as [Int64?], [false, true])
    func aNotificationMayLeaveTheGroupThatItLeads(lateness: Int64?, spillsAlways: Bool) async throws {
        let lines = [
            #"{"ts":1,"app":"a","collapse-id":"x","aps":{"alert":"x","thread-id":"one"}}"#,
            #"{"ts":9,"app":"a","event":"modified","collapse-id":"x","elapsed":1,"aps":{"alert":"y","thread-id":"two"}}"#,
        ]
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.delivery, options.order) = ("out", true, .recent)
        (options.every, options.lateness) = (Timeline(step: 1_000), lateness)
        options.spillsAlways = spillsAlways
        let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
        _ = try await run(options, on: storage).get()
        let found = RandomLog.text(storage["out"]).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/"at":(\d+)000,.*"thread":"(\w+)","count":(\d)/#).map {
                "\($0.1) \($0.2) \($0.3)"
            }
        }
        #expect(found == ["1 one 1", "9 two 1", "9 one 0"])
    }

    @Test func anObserverSeesTheNewContentOfALaterPush() async throws {
        var options = LiveOptions()
        options.delivery = true
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        #expect(try source.append(Array((Self.result(3, Self.forX) + "\n").utf8).span).isEmpty)
        var arrivals = live.arrivals(app: "a", thread: nil).makeAsyncIterator()
        #expect(try source.append(Array((Self.push(1, Self.x) + "\n").utf8).span).isEmpty)
        #expect(await arrivals.next()?.notification.body == "new")
    }
}
