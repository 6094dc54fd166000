import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// The file with all findings of a check.
@Suite struct CheckFindingsTests {
    private static func check(
        _ files: [String: String], _ change: (inout CheckOptions) -> Void = { _ in }
    ) async throws -> (lines: [String], report: CheckReport) {
        let storage = MemoryStorage(files.mapValues { .file(Array($0.utf8)) })
        var options = CheckOptions(sources: files.keys.sorted())
        (options.output, options.findingsOutput, options.threads) = ("report", "findings", 1)
        change(&options)
        let report = try await run(options, on: storage).get()
        #expect(storage.openFiles == 0)
        #expect(Set(storage.entries.keys) == Set(files.keys).union(["report", "findings"]))
        let text = String(decoding: storage["findings"] ?? [], as: UTF8.self)
        return (text.split(separator: "\n").map(String.init), report)
    }

    /// Returns the members from the app on of the findings of one line.
    private static func findings(_ line: String) async throws -> [String] {
        let start = #"{"source":"log","line":1,"index":0,"#
        return try await check(["log": line + "\n"]).lines.map { line in
            #expect(line.hasPrefix(start))
            return String(line.dropFirst(start.count).dropLast())
        }
    }

    typealias Case = Example<String, [String]>

    @Test(arguments: [
        Case("nothing", #"{"app":"a","ts":1,"aps":{"alert":"x"}}"#, []),
        Case(
            "several of a record, in the order of the report",
            #"{"app":"a","device":"d","aps":{"alert":"x","badge":-1,"order":1,"sound":5}}"#,
            [
                #""app":"a","device":"d","rule":"sound.type","severity":"error","value":"5""#,
                #""app":"a","device":"d","rule":"badge.negative","severity":"error","value":"-1""#,
                #""app":"a","device":"d","rule":"untimed","severity":"warning","value":null"#,
                #""app":"a","device":"d","rule":"aps.custom-key","severity":"warning","value":"order","detail":"'order'""#,
            ]),
        Case(
            "texts with escapes, before they are decoded in place",
            #"{"app":"\u0061","ts":1,"apns-id":"\u0031\"","aps":{"alert":{"title":["\u0041"],"body":"\u0042"}}}"#,
            [
                #""app":"a","device":null,"rule":"BadMessageId","severity":"error","value":"1\"""#,
                #""app":"a","device":null,"rule":"title.type","severity":"error","value":"[\"\\u0041\"]""#,
            ]),
        Case(
            "a payload that was logged as text",
            #"{"app":"a","ts":1,"payload":"{\"aps\":{\"alert\":\"x\",\"badge\":\"\\u0031\"}}"}"#,
            [#""app":"a","device":null,"rule":"badge.type","severity":"error","value":"1""#]),
        Case(
            "a silent record", #"{"app":"a","device":"d","ts":1,"push-type":"background","aps":{"badge":3}}"#,
            [#""app":"a","device":"d","rule":"background.shown","severity":"error","value":"3""#]),
        Case(
            "a timestamp", #"{"app":"a","ts":"\u0079esterday","aps":{"alert":"x"}}"#,
            [#""app":"a","device":null,"rule":"timestamp.invalid","severity":"error","value":"yesterday""#]),
        Case(
            "a long value, cut between characters",
            #"{"app":"a","ts":1,"aps":{"alert":"x","category":"c","interruption-level":"x\#(String(repeating: "é", count: 99))"}}"#,
            [
                #""app":"a","device":null,"rule":"interruption-level.unknown","severity":"error","value":"x\#(String(repeating: "é", count: 63))""#
            ]),
        Case(
            "another shape", #"{"tokens":["t"],"platform":1,"topic":"a","message":"x","badge":-2,"ts":1}"#,
            [
                #""app":"a","device":"t","rule":"badge.negative","severity":"error","value":"-2""#
            ]),
    ])
    func findingsHaveTheirValues(_ example: Case) async throws {
        #expect(try await Self.findings(example.input) == example.expected)
    }

    /// Sources that end before their turn wait in spools; records of one line have their index.
    private static let files: [String: String] = {
        var files: [String: String] = [:]
        for source in 0..<4 {
            files["log \(source)"] = (0..<200).map { line in
                switch (line + source) % 5 {
                case 0: #"{"app":"a\#(line % 7)","aps":{"alert":"x","k\#(line)":1}}"#
                case 1: #"{"app":"b","device":"d\#(line)","ts":1,"aps":{"alert":{"title":\#(line)}}}"#
                case 2:
                    #"[{"app":"a","aps":{"alert":"x"}},{"app":"a","ts":1,"aps":{"alert":"y"}},5,{"app":"c","aps":{}}]"#
                case 3: "{bad \(line)"
                default: ""
                }
            }.map { $0 + "\n" }.joined()
        }
        return files
    }()

    @Test(arguments: [(1, 1 << 20), (2, 1), (3, 300), (7, 4_000)])
    func theBytesDependOnTheSourcesAlone(_ threads: Int, _ chunkBytes: Int) async throws {
        let (expected, report) = try await Self.check(Self.files)
        let (lines, _) = try await Self.check(Self.files) {
            ($0.threads, $0.chunkBytes) = (threads, chunkBytes)
        }
        #expect(lines == expected)
        for item in report.findings {
            #expect(lines.count { $0.contains("\"rule\":\"\(item.finding.name)\"") } == item.count)
        }
        #expect(UInt64(lines.count) == report.errors + report.warnings)
        let positions = lines.map { line in
            line.matches(of: /"log (\d)","line":(\d+),"index":(\d+)/).first.map { match in
                [Int(match.1) ?? 0, Int(match.2) ?? 0, Int(match.3) ?? 0]
            } ?? [9]
        }
        #expect(positions == positions.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(positions.contains { $0.last == 3 })
    }

    /// The first findings of a rule and source are the known ones; entries without a source are used up in order.
    @Test(arguments: [1, 5]) func knownFindingsAreLeftOut(_ threads: Int) async throws {
        let all = try await Self.check(Self.files).lines
        var known: [String: Int] = [
            "json.invalid log 1": 7, "json.invalid": 30, "untimed": 65, "aps.custom-key": 9_999,
        ]
        let (lines, report) = try await Self.check(Self.files) { options in
            (options.threads, options.chunkBytes) = (threads, 500)
            options.baseline = CheckBaseline([
                .init(.rejected(.jsonInvalid), source: "log 1", count: 7),
                .init(.rejected(.jsonInvalid), count: 30), .init(.untimed, count: 65),
                .init(.problem(.apsKeyCustom)),
            ])
            options.disabled = [.record(.titleType)]
        }
        let expected = all.filter { line in
            let rule = String(line.firstMatch(of: /"rule":"([^"]*)"/)?.1 ?? "")
            if rule == "title.type" { return false }
            for key in ["\(rule) \(line.dropFirst(11).prefix(5))", rule] {
                guard let count = known[key], count > 0 else { continue }
                known[key] = count - 1
                return false
            }
            return true
        }
        #expect(lines == expected)
        #expect(UInt64(lines.count) == report.errors + report.warnings)
        #expect(report.known > 100)
    }

    /// A line with far more findings than fit into a part of a chunk.
    @Test func aLineMayHaveManyFindings() async throws {
        let count = 3_000
        let line =
            "[" + [String](repeating: #"{"app":"a","aps":{"x":1}}"#, count: count).joined(separator: ",")
            + "]\n"
        let (lines, report) = try await Self.check(["log": line + line]) { $0.threads = 2 }
        #expect(report.records == UInt64(2 * count))
        #expect(lines.count == 4 * count)
        for (index, line) in lines.enumerated() {
            #expect(line.contains("\"line\":\(1 + index / (2 * count)),\"index\":\(index / 2 % count),"))
        }
    }

    @Test func damageAndAppsFollowTheRecords() async throws {
        let line = #"{"app":"a","ts":1,"aps":{"alert":"x","thread-id":"T"}}"#
        let lines = (0..<20).map { line.replacing("T", with: "\($0)") + "\n" }.joined()
        let zipped = gzip(Array((lines + "{bad\n").utf8))
        let storage = MemoryStorage(["a.gz": .file(zipped + [1, 2, 3]), "b": .file(Array("{bad\n".utf8))])
        var options = CheckOptions(sources: ["a.gz", "b"])
        (options.output, options.findingsOutput) = ("report", "findings")
        _ = try await run(options, on: storage).get()
        #expect(
            String(decoding: storage["findings"] ?? [], as: UTF8.self) == """
                {"source":"a.gz","line":21,"index":0,"app":null,"device":null,"rule":"json.invalid","severity":"error","value":"{bad"}
                {"source":"b","line":1,"index":0,"app":null,"device":null,"rule":"json.invalid","severity":"error","value":"{bad"}
                {"source":"a.gz","line":null,"index":null,"offset":\(zipped.count),"app":null,"device":null,"rule":"gzip.garbage","severity":"error","value":null}
                {"source":"a.gz","line":null,"index":null,"app":"a","device":null,"rule":"threads.single","severity":"warning","value":null,"detail":"20 of 20 threads"}

                """)
    }
}
