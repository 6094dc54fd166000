import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// How a replay counts responses (specification §16).
@Suite(.tags(.spilling)) struct ResponseReplayTests {
    private static func response(_ app: String, _ action: String, _ time: Int = 1) -> String {
        #"{"event":"response","app":"\#(app)","ts":\#(time),"action":"\#(action)","category":"c"}"#
    }

    private static let push = #"{"app":"a","ts":1,"aps":{"alert":"x"}}"#

    private static func statistics(
        _ lines: [String], _ change: (inout ReplayOptions) -> Void = { _ in }
    ) throws -> (statistics: Statistics, json: String, snapshot: [UInt8]?) {
        let text = Array(lines.map { $0 + "\n" }.joined().utf8)
        let storage = MemoryStorage(["log": .file(text)])
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.statistics) = ("out", "stats")
        options.threads = 2
        change(&options)
        let statistics = try Replay(options, storage: storage).run()
        return (statistics, String(decoding: storage["stats"] ?? [], as: UTF8.self), storage["out"])
    }

    @Test func responsesAreCountedByCategoryAndAction() throws {
        let lines = [
            Self.push, Self.response("b", "OPEN"), Self.response("a", "REPLY"), Self.response("a", "OPEN"),
            Self.response("b", "OPEN"), #"{"event":"response","app":"a","action":"REPLY"}"#,
        ]
        let run = try Self.statistics(lines)
        #expect(
            run.json.contains(
                #""responses":{"total":5,"counts":["#
                    + #"{"app":"a","category":null,"action":"REPLY","count":1},"#
                    + #"{"app":"a","category":"c","action":"OPEN","count":1},"#
                    + #"{"app":"a","category":"c","action":"REPLY","count":1},"#
                    + #"{"app":"b","category":"c","action":"OPEN","count":2}],"others":0},"untimed":1,"#))
        #expect(run.json.contains(#""records":6,"grouped":1,"#))
        #expect(run.statistics.warnings.isEmpty)
        // Responses are in no group.
        #expect(run.snapshot == (try Self.statistics([Self.push])).snapshot)
    }

    @Test func withoutResponsesThereIsNoMember() throws {
        let run = try Self.statistics([Self.push])
        #expect(run.statistics.responses == nil)
        #expect(!run.json.contains("responses"))
    }

    @Test func responsesOutsideTheWindowAreNotCounted() throws {
        let run = try Self.statistics((1...4).map { Self.response("a", "OPEN", $0) }) {
            ($0.since, $0.until) = (2_000, 3_000)
        }
        #expect(run.statistics.responses?.total == 2)
        #expect(run.statistics.outsideWindow == .init(earlier: 1, later: 1))
    }

    @Test func anAppWithResponsesHasRecords() throws {
        let run = try Self.statistics([Self.response("a", "OPEN")]) {
            $0.settings.apps["a"] = AppSettings()
        }
        #expect(run.statistics.warnings.isEmpty)
    }

    /// Those of the smallest combinations are counted, however the log is divided.
    @Test func atTheLimitTheResultDependsOnlyOnTheRecords() throws {
        let limit = Limits.responseKinds
        let actions = (0..<limit + 40).map { String($0 + 10_000) }
        var random = SeededGenerator(seed: 5)
        let lines = (actions + actions + actions.prefix(300)).shuffled(using: &random)
            .map { Self.response("a", $0) }
        let whole = try Self.statistics(lines)
        let responses = try #require(whole.statistics.responses)
        #expect(responses.total == UInt64(lines.count))
        #expect(responses.counts.map(\.action) == Array(actions.prefix(limit)))
        #expect(responses.counts.map(\.count) == (0..<limit).map { $0 < 300 ? 3 : 2 })
        #expect(responses.others == 80)
        #expect(whole.statistics.warnings == [.otherResponses(80, of: responses.total)])

        let parts = [lines[..<500], lines[500..<510], lines[510...]].map { part in
            MergedParts.partial(Array(part)) { $0.chunkBytes = 4_096 }
        }
        var entries: [String: MemoryStorage.Entry] = [:]
        for (index, part) in parts.enumerated() { entries["\(index)"] = .file(part) }
        let storage = MemoryStorage(entries)
        var options = ReplayOptions(sources: ["1", "2"])
        options.partial = "12"
        _ = try Merge(options, storage: storage).run()
        options = ReplayOptions(sources: ["0", "12"])
        options.output = "out"
        let merged = try Merge(options, storage: storage).run()
        #expect(merged.responses == responses)
        #expect(merged.warnings == whole.statistics.warnings)
    }
}
