import Foundation
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Outcomes that come later, and repeated records, in whole replays (specification §18). Random logs have them too.
@Suite(.tags(.spilling)) struct DecisionReplayTests {
    /// A log, what is on screen, and the numbers of updated, repeated and refused notifications.
    struct Log: NamedCase {
        let name: String
        let lines: [String]
        let bodies: [String]
        var updated: UInt64 = 0
        var repeated: UInt64 = 0
        var refused: [String: UInt64] = [:]
        var isUnique = true
        var hasOutcomes = true
    }

    private static func push(
        _ body: String, _ time: Int, id: String? = nil, collapse: String? = nil, device: String = "d",
        _ rest: String = ""
    ) -> String {
        let names = [("id", id), ("collapse-id", collapse)].compactMap { name, value in
            value.map { ",\"\(name)\":\"\($0)\"" }
        }
        return
            "{\"app\":\"a\",\"device\":\"\(device)\",\"ts\":\(1_700_000_000 + time)\(names.joined())\(rest),\"aps\":{\"alert\":\"\(body)\"}}"
    }

    private static func outcome(_ members: String, _ time: Int) -> String {
        "{\"event\":\"outcome\",\"ts\":\(1_700_000_000 + time),\(members)}"
    }

    static let logs = [
        Log(
            name: "a refused push", lines: [push("one", 1, id: "x"), outcome(#""id":"x","status":410"#, 2)],
            bodies: [], refused: ["410": 1]),
        Log(
            name: "an outcome before its push",
            lines: [outcome(#""id":"x","status":410,"reason":"Gone""#, 0), push("one", 1, id: "x")],
            bodies: [],
            refused: ["Gone": 1]),
        Log(
            name: "the newest outcome counts, whatever the order of the lines",
            lines: [
                outcome(#""id":"x","status":200"#, 5), push("one", 1, id: "x"),
                outcome(#""id":"x","status":410"#, 4),
            ], bodies: ["one"]),
        Log(
            name: "a later outcome against that of the record",
            lines: [push("one", 1, id: "x", #","status":200"#), outcome(#""id":"x","status":410"#, 2)],
            bodies: [], refused: ["410": 1]),
        Log(
            name: "a retry that was accepted",
            lines: [push("one", 1, id: "x", #","status":503"#), outcome(#""id":"x","success":true"#, 2)],
            bodies: ["one"]),
        Log(
            name: "an older version stays",
            lines: [
                push("one", 1, id: "x", collapse: "c"), push("two", 2, id: "y", collapse: "c"),
                outcome(#""id":"y","status":410"#, 3),
            ], bodies: ["one"], refused: ["410": 1]),
        Log(
            name: "a refused version between others",
            lines: [
                push("one", 1, id: "x", collapse: "c"), push("two", 2, id: "y", collapse: "c"),
                push("three", 3, id: "z", collapse: "c"), outcome(#""id":"y","status":410"#, 4),
            ], bodies: ["three"], updated: 1, refused: ["410": 1]),
        Log(
            name: "a collapse id names the pushes before",
            lines: [
                push("one", 1, collapse: "c"), outcome(#""collapse-id":"c","status":410"#, 2),
                push("two", 3, collapse: "c"),
            ], bodies: ["two"], refused: ["410": 1]),
        Log(
            name: "ids on another device, and of another app",
            lines: [
                push("one", 1, id: "x"), push("two", 1, id: "x", device: "e"),
                outcome(#""ids":["x"],"device":"e","app":"a","status":410"#, 2),
                outcome(#""id":"x","app":"b","status":400"#, 3),
            ], bodies: ["one"], refused: ["410": 1]),
        Log(
            name: "the first record of a push counts",
            lines: [push("retry", 5, id: "x"), push("one", 1, id: "x"), push("again", 9, id: "x")],
            bodies: ["one"], repeated: 2),
        Log(
            name: "repeats of another device or without an id are other pushes",
            lines: [
                push("one", 1, id: "x"), push("two", 2, id: "x", device: "e"), push("three", 3),
                push("three", 3),
            ], bodies: ["one", "three", "three", "two"]),
        Log(
            name: "the records of a push have one outcome",
            lines: [push("one", 1, id: "x", #","status":503"#), push("one", 2, id: "x", #","status":200"#)],
            bodies: ["one"], repeated: 1, hasOutcomes: false),
        Log(
            name: "a repeated version does not replace a newer one",
            lines: [
                push("one", 1, id: "x", collapse: "c"), push("two", 2, id: "y", collapse: "c"),
                push("one", 3, id: "x", collapse: "c"),
            ], bodies: ["two"], updated: 1, repeated: 1),
        Log(
            name: "without the options",
            lines: [
                push("one", 1, id: "x"), push("one", 1, id: "x"), outcome(#""id":"x","status":410"#, 3),
                push("two", 2, id: "y", #","status":410"#),
            ], bodies: ["one", "one"], refused: ["410": 1], isUnique: false, hasOutcomes: false),
    ]

    /// Whether state is spilled, over time, live, or merged from two partial results.
    enum Way: CaseIterable {
        case once, spilled, overTime, live, merged
    }

    @Test(arguments: logs, Way.allCases) func pushesAreDecided(_ log: Log, _ way: Way) async throws {
        let text = log.lines.joined(separator: "\n")
        let storage = MemoryStorage(["log": .file(Array(text.utf8))])
        var options = ReplayOptions(sources: ["log"])
        (options.unique, options.appliesOutcomes) = (log.isUnique, log.hasOutcomes)
        (options.output, options.order) = ("out", .key)
        options.settings.apps["a", default: AppSettings()].grouping = .off
        var statistics: Statistics
        switch way {
        case .once: statistics = try await run(options, on: storage).get()
        case .spilled:
            options.spillsAlways = true
            statistics = try await run(options, on: storage).get()
        case .overTime, .live:
            (options.every, options.emit) = (Timeline(step: 3_600_000), .all)
            if way == .live { options.lateness = 60_000 }
            statistics = try await run(options, on: storage).get()
        case .merged:
            var parts: [String] = []
            for (index, line) in log.lines.enumerated() {
                storage["log \(index)"] = Array(line.utf8)
                options.sources = ["log \(index)"]
                options.partial = "part \(index)"
                _ = try await run(options, on: storage).get()
                parts.append("part \(index)")
            }
            options.partial = nil
            options.sources = parts
            statistics = try Merge(options, storage: storage).run()
        }
        let bodies = try String(decoding: storage["out"] ?? [], as: UTF8.self).split(separator: "\n").map {
            line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (object?["leading"] as? [String: Any])?["body"] as? String ?? ""
        }
        #expect(bodies.sorted() == log.bodies)
        #expect(statistics.updated == log.updated)
        #expect(statistics.repeated == (log.isUnique ? log.repeated : nil))
        let refused = statistics.refused?.counts.map { ($0.reason ?? "", $0.count) } ?? []
        #expect(Dictionary(uniqueKeysWithValues: refused) == log.refused)
        #expect(statistics.records == UInt64(log.lines.count))
    }

    /// The snapshot of a log whose lines were repeated at random places and in other files is that of the log, apart from
    /// sources and lines.
    @Test(arguments: Seeds.several(6)) func repeatedLinesChangeNothing(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<300).map { index in
            Self.push(
                "body \(index)", random.below(10_000), id: "id \(index)",
                collapse: random.chance(30) ? "c\(random.below(20))" : nil, device: "d\(random.below(5))")
        }
        var options = ReplayOptions(sources: ["first", "second"])
        options.unique = true
        options.output = "out"
        func snapshot(_ files: [String: [String]]) async throws -> (text: String, repeated: UInt64?) {
            let entries = files.mapValues { MemoryStorage.Entry.file(Array($0.joined(separator: "\n").utf8)) }
            let storage = MemoryStorage(entries)
            let statistics = try await run(options, on: storage).get()
            let text = String(decoding: storage["out"] ?? [], as: UTF8.self)
            return (text.replacing(#/,"source":"[a-z]+","line":\d+/#, with: ""), statistics.repeated)
        }
        // Of records with the same time the order is that of the lines, so that these stay in their order.
        var (repeated, other) = (lines, [String]())
        for _ in 0..<40 {
            let line = random.pick(lines)
            let place = (repeated.firstIndex(of: line) ?? 0) + 1
            repeated.insert(line, at: place + random.below(repeated.count - place + 1))
            other.append(random.pick(lines))
        }
        let original = try await snapshot(["first": lines, "second": []])
        let found = try await snapshot(["first": repeated, "second": other])
        #expect(found.text == original.text)
        #expect(original.repeated == 0 && found.repeated == 80)
    }

    @Test func warningsNameWhatWasNotApplied() async throws {
        let lines = (0..<50).map { Self.push("b", $0, id: "x\($0)") } + [Self.push("b", 3, id: "x3")]
        let text = (lines + [Self.outcome(#""id":"x1","status":410"#, 9)]).joined(separator: "\n")
        let storage = MemoryStorage(["log": .file(Array(text.utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.byDevice = true
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.outcomesIgnored == 1)
        #expect(statistics.warnings == [.outcomesIgnored(1), .repeatedPushes(share: 1.0 / 51)])
        options.unique = true
        options.appliesOutcomes = true
        #expect(try await run(options, on: storage).get().warnings.isEmpty)
    }

    @Test func partialResultsWithPushesThatWaitAreNotCut() async throws {
        let storage = MemoryStorage(["log": .file(Array(Self.push("b", 1, id: "x").utf8))])
        var options = ReplayOptions(sources: ["log"])
        (options.unique, options.partial) = (true, "part")
        _ = try await run(options, on: storage).get()
        var sampling = ReplayOptions(sources: ["part"])
        sampling.output = "sample"
        #expect(throws: ReplayError.self) {
            try PartialRun(.sampleKeys, sampling, storage: storage).run()
        }
    }
}
