import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// Baselines, disabled rules and severities.
@Suite(.serialized) struct CheckBaselineTests {
    private static let untimed = #"{"app":"a","aps":{"alert":"x"}}"# + "\n"
    private static let good = #"{"app":"a","ts":1,"aps":{"alert":"x"}}"# + "\n"
    private static let bad = "{bad\n"

    private static func files(_ logs: [String: String]) -> [String: MemoryStorage.Entry] {
        logs.mapValues { .file(Array($0.utf8)) }
    }

    private func report(
        _ logs: [String: String], _ change: (inout CheckOptions) -> Void = { _ in }
    ) async throws -> CheckReport {
        var options = CheckOptions(sources: logs.keys.sorted())
        options.format = .json
        options.output = "report"
        change(&options)
        return try await run(options, on: MemoryStorage(Self.files(logs))).get()
    }

    /// The findings as "name source:line count".
    private func findings(_ report: CheckReport) -> [String] {
        report.findings.map { item in
            guard case .line(let line) = item.position else { return "\(item.finding.name) \(item.source)" }
            return "\(item.finding.name) \(item.source):\(line) \(item.count)"
        }
    }

    private static let logs = [
        "a": untimed + bad + untimed, "b": bad + good, "c": good + untimed,
    ]

    // MARK: Rules

    @Test func disabledRulesAreNotCounted() async throws {
        let report = try await report(Self.logs) { $0.disabled = [.untimed] }
        #expect(findings(report) == ["json.invalid a:2 2"])
        #expect(report.errors == 2)
        #expect(report.warnings == 0)
        #expect(report.known == 0)
    }

    @Test func severitiesMoveFindings() async throws {
        let report = try await report(Self.logs) {
            $0.severities = [.untimed: .error, .rejected(.jsonInvalid): .warning]
        }
        #expect(findings(report) == ["untimed a:1 3", "json.invalid a:2 2"])
        #expect(report.findings.map(\.severity) == [.error, .warning])
        #expect(report.errors == 3)
        #expect(report.warnings == 2)
        #expect(
            String(decoding: report.json(), as: UTF8.self).contains(#""name":"untimed","severity":"error""#))
    }

    @Test func rulesAreListedInTheOrderOfReports() {
        var options = CheckOptions(sources: [])
        #expect(CheckRules(options).rules.map(\.finding) == CheckFinding.all)
        options.disabled = [.source(.truncated)]
        options.severities = [.untimed: .error, .source(.badHeader): .warning]
        let rules = CheckRules(options).rules
        #expect(rules.count == CheckFinding.all.count - 1)
        let severities = rules.map(\.severity)
        #expect(severities == severities.sorted { a, b in a == .error && b == .warning })
        #expect(rules.first { $0.severity == .warning }?.finding == .source(.badHeader))
    }

    // MARK: Baselines

    @Test func aWrittenBaselineKnowsEverything() async throws {
        let storage = MemoryStorage(Self.files(Self.logs))
        var options = CheckOptions(sources: ["a", "b", "c"])
        options.output = "report"
        options.baselineOutput = "known.json"
        for threads in [1, 4] {
            options.threads = threads
            options.chunkBytes = threads
            let first = try await run(options, on: storage).get()
            #expect(findings(first) == ["json.invalid a:2 2", "untimed a:1 3"])
            #expect(
                String(decoding: storage["known.json"] ?? [], as: UTF8.self) == """
                    {"version":1,"findings":[
                     {"name":"json.invalid","source":"a","count":1},
                     {"name":"json.invalid","source":"b","count":1},
                     {"name":"untimed","source":"a","count":2},
                     {"name":"untimed","source":"c","count":1}]}

                    """)
        }
        // Updated in place.
        options.baseline = try CheckBaseline(contentsOf: "known.json", storage: storage)
        let second = try await run(options, on: storage).get()
        #expect(second.findings == [])
        #expect(second.known == 5)
        #expect(second.totals == "7 records from 3 sources: 0 errors, 0 warnings, 5 known")
        #expect(
            String(decoding: second.json(), as: UTF8.self)
                == #"{"sources":3,"lines":7,"blank":0,"records":7,"errors":0,"warnings":0,"known":5,"findings":[]}"#
                + "\n")
        let third = try CheckBaseline(contentsOf: "known.json", storage: storage)
        #expect(third.entries == options.baseline?.entries)
    }

    @Test func anEmptyLogWritesAnEmptyBaseline() async throws {
        let storage = MemoryStorage(["a": .file([])])
        var options = CheckOptions(sources: ["a"])
        options.baselineOutput = "known.json"
        _ = try await run(options, on: storage).get()
        #expect(storage["known.json"] == Array(#"{"version":1,"findings":[]}"#.utf8) + [10])
        #expect(try CheckBaseline(contentsOf: "known.json", storage: storage).entries == [])
    }

    typealias Known = Example<[CheckBaseline.Entry], [String]>

    @Test(arguments: [
        Known("nothing", [], ["json.invalid a:2 2", "untimed a:1 3"]),
        Known(
            "exactly", [.init(.untimed, source: "a", count: 2), .init(.untimed, source: "c", count: 1)],
            ["json.invalid a:2 2"]),
        Known(
            "one fewer: the excess is new", [.init(.untimed, source: "a", count: 1)],
            ["json.invalid a:2 2", "untimed a:1 2"]),
        Known(
            "only the second source's are new", [.init(.untimed, source: "a", count: 9)],
            ["json.invalid a:2 2", "untimed c:2 1"]),
        Known(
            "another source", [.init(.untimed, source: "d", count: 9)],
            ["json.invalid a:2 2", "untimed a:1 3"]),
        Known("any number", [.init(.untimed, source: "a")], ["json.invalid a:2 2", "untimed c:2 1"]),
        Known("any source", [.init(.untimed, count: 2)], ["json.invalid a:2 2", "untimed c:2 1"]),
        Known("any source and number", [.init(.untimed)], ["json.invalid a:2 2"]),
        Known(
            "own entries before shared ones",
            [.init(.untimed, count: 1), .init(.untimed, source: "a", count: 2)],
            ["json.invalid a:2 2"]),
        Known(
            "repeated entries add up",
            [.init(.untimed, source: "a", count: 1), .init(.untimed, source: "a", count: 1)],
            ["json.invalid a:2 2", "untimed c:2 1"]),
        Known(
            "the largest numbers", [.init(.untimed, count: .max), .init(.untimed, count: .max)],
            ["json.invalid a:2 2"]),
    ])
    func onlyNewFindingsAreReported(_ known: Known) async throws {
        for threads in [1, 3] {
            let report = try await report(Self.logs) {
                $0.baseline = CheckBaseline(known.input)
                $0.threads = threads
                $0.chunkBytes = 1
            }
            #expect(findings(report) == known.expected)
            #expect(report.known + report.errors + report.warnings == 5)
        }
    }

    /// The identity of a finding does not depend on its line.
    @Test func linesBeforeAKnownFindingDoNotMatter() async throws {
        let known = CheckBaseline([.init(.untimed, source: "a", count: 1)])
        let text = String(repeating: Self.good, count: 50) + Self.untimed
        let report = try await report(["a": text]) { $0.baseline = known }
        #expect(report.findings == [])
    }

    @Test func damageMayBeKnown() async throws {
        let zipped = gzip(Array(Self.good.utf8))
        let storage = MemoryStorage(["a.gz": .file(zipped.dropLast(3) + [])])
        var options = CheckOptions(sources: ["a.gz"])
        options.baseline = CheckBaseline([.init(.source(.truncated), source: "a.gz", count: 1)])
        let report = try await run(options, on: storage).get()
        #expect(report.findings == [])
        #expect(report.damagedSources.count == 1)
    }

    // MARK: Mistakes in baselines

    @Test(arguments: [
        Example("", "known.json:1: not valid JSON at column 1"),
        Example("{\"version\":1,\n\"findings\":[}", "known.json:2: not valid JSON at column 13"),
        Example("[]", "known.json: expected an object"),
        Example("{}", "known.json: the key 'version' is missing"),
        Example(
            #"{"version":2,"findings":[]}"#,
            "known.json:1: version: not the version of this program's baselines, 1: write the baseline again"),
        Example(
            #"{"version":1,"findings":[{"name":"untimd"}]}"#,
            "known.json:1: findings: finding 1: unknown rule 'untimd', did you mean 'untimed'?"),
        Example(
            #"{"version":1,"findings":[{"name":"untimed"},{"name":"untimed","count":-1}]}"#,
            "known.json:1: findings: finding 2: the count must be a whole number, 0 or more"),
        Example(
            #"{"version":1,"findings":[{"name":"untimed","count":0.5}]}"#,
            "known.json:1: findings: finding 1: the count must be a whole number, 0 or more"),
        Example(
            #"{"version":1,"findings":[{"name":"untimed","count":"1"}]}"#,
            "known.json: findings.count: expected a number"),
        Example(#"{"version":1,"findings":{}}"#, "known.json:1: findings: expected a list"),
        Example(
            #"{"version":1,"findings":[{"source":"a"}]}"#, "known.json:1: findings: the key 'name' is missing"
        ),
    ])
    func mistakesAreLocated(_ mistake: Example<String, String>) {
        let storage = MemoryStorage(["known.json": .file(Array(mistake.input.utf8))])
        let error = #expect(throws: ConfigurationError.self) {
            try CheckBaseline(contentsOf: "known.json", storage: storage)
        }
        #expect(error?.description.hasPrefix(mistake.expected) == true, "\(String(describing: error))")
    }

    @Test func aMissingBaselineIsAnError() {
        let error = #expect(throws: ConfigurationError.self) {
            try CheckBaseline(contentsOf: "none", storage: MemoryStorage([:]))
        }
        #expect(error?.description.hasPrefix("none: the baseline cannot be read: ") == true)
    }

    @Test func outputsDoNotReplaceInputs() {
        func error(_ change: (inout CheckOptions) -> Void) -> ReplayError? {
            let storage = MemoryStorage([
                "a": .file([]), "known.json": .file(Array(#"{"version":1,"findings":[]}"#.utf8)),
            ])
            var options = CheckOptions(sources: ["a"])
            options.baseline = try? CheckBaseline(contentsOf: "known.json", storage: storage)
            change(&options)
            return #expect(throws: ReplayError.self) { _ = try LogCheck(options, storage: storage) }
        }
        #expect(
            error { $0.output = "known.json" }
                == .usage("'known.json' is a configuration file: the report would replace it"))
        #expect(
            error { $0.baselineOutput = "a" } == .usage("'a' is a source: the baseline would replace it"))
        #expect(
            error { ($0.output, $0.baselineOutput) = ("x", "x") }
                == .usage("the baseline and the report would both be written to 'x'"))
    }
}
