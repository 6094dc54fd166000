import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// Reports for other programs: SARIF and the annotations of GitHub Actions.
@Suite struct CheckFormatTests {
    private static func report(
        _ paths: [String], _ change: (inout CheckOptions) -> Void = { _ in },
        _ tally: (inout CheckTally) -> Void = { _ in }, damages: [Int: SourceDamage] = [:]
    ) -> CheckReport {
        var options = CheckOptions(sources: [])
        options.format = .sarif
        change(&options)
        var counts = CheckTally(countsSources: true)
        tally(&counts)
        return CheckReport(counts, damages: damages, sources: paths, options: options)
    }

    private static func some(_ change: (inout CheckOptions) -> Void = { _ in }) -> CheckReport {
        report(
            ["logs/a b.ndjson", "/var/log/é:1,%.gz"], change,
            { tally in
                tally.lines = 9
                for line in [7, 3] {
                    tally.count(.rejected(.jsonInvalid), at: RecordPosition(source: 0, line: UInt64(line)))
                }
                tally.count(.rejected(.jsonInvalid), at: RecordPosition(source: 1, line: 4))
                tally.count(.problem(.apsKeyCustom), at: RecordPosition(source: 0, line: 2)) {
                    "'or\u{1b}der'"
                }
            }, damages: [1: SourceDamage(reason: .truncated, offset: 48_211)])
    }

    @Test func annotationsAreLines() {
        #expect(
            String(decoding: Self.some().github(), as: UTF8.self) == """
                ::error file=/var/log/é%3A1%2C%25.gz,line=1,title=gzip.truncated::The compressed data ends early; \
                everything before that was checked. At byte 48211.
                ::error file=logs/a b.ndjson,line=3,title=json.invalid::Not exactly one JSON value in valid UTF-8. (2 times)
                ::error file=/var/log/é%3A1%2C%25.gz,line=4,title=json.invalid::Not exactly one JSON value in valid UTF-8.
                ::warning file=logs/a b.ndjson,line=2,title=aps.custom-key::An app's own keys belong next to aps, not in it. \
                First: 'or␛der'

                """)
    }

    private static func refused(_ reasons: [String]) -> CheckReport {
        report(["a"], { _ in }) { tally in
            tally.records = UInt64(reasons.count)
            for reason in reasons { tally.refusals.count(Array(reason.utf8).span) }
        }
    }

    /// Refused pushes are information: they are neither errors nor warnings in any format.
    @Test func refusedPushesAreANote() throws {
        let report = Self.refused(["Unregistered", "BadDeviceToken", "Unregistered", ""])
        #expect(report.errors == 0 && report.warnings == 0)
        let sentence = "4 pushes refused by the push service: "
        let notice = String(decoding: report.github(), as: UTF8.self)
        #expect(notice.hasPrefix("::notice title=refused::\(sentence)2 Unregistered"), "\(notice)")
        #expect(notice.split(separator: "\n").count == 1)
        let run = try #require((try object(report)["runs"] as? [[String: Any]])?.first)
        #expect((run["results"] as? [Any])?.isEmpty == true)
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == true)
        let note = try #require((invocation["toolExecutionNotifications"] as? [[String: Any]])?.first)
        #expect(note["level"] as? String == "note")
        let text = (note["message"] as? [String: Any])?["text"] as? String
        #expect(text == String(notice.dropFirst("::notice title=refused::".count).dropLast()))
        #expect(Self.some().sarif().contains(Array("invocations".utf8)) == false)
    }

    /// A push and later outcomes of it may each tell the refusal, so that outcomes are not counted as pushes.
    @Test func laterOutcomesAreCountedApart() throws {
        let storage = MemoryStorage()
        storage["log"] = Array(
            """
            {"app":"a","id":"1","status":410,"reason":"Unregistered","aps":{"alert":"x"}}
            {"app":"a","event":"outcome","id":"1","status":410,"reason":"Unregistered"}
            {"app":"a","event":"outcome","ids":["1","2"],"status":429}
            {"app":"a","event":"outcome","id":"2","status":200}

            """.utf8)
        let report = try LogCheck(CheckOptions(sources: ["log"]), storage: storage).run()
        #expect(report.refused?.total == 1)
        #expect(report.laterRefusals?.total == 3)
        let lines = [
            "1 push refused by the push service: 1 Unregistered",
            "3 refusals reported by outcomes of other records: 2 429, 1 Unregistered",
        ]
        let text = String(decoding: report.text(TextStyle()), as: UTF8.self)
        #expect(text.contains(lines.joined(separator: "\n") + "\n"), "\(text)")
        let notices = String(decoding: report.github(), as: UTF8.self)
        #expect(notices == lines.map { "::notice title=refused::\($0)\n" }.joined())
        let run = try #require((try object(report)["runs"] as? [[String: Any]])?.first)
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        let notes = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
        #expect(notes.map { ($0["message"] as? [String: Any])?["text"] as? String } == lines)
    }

    @Test func theSchemaTellsBooleansFromNumbers() throws {
        let schema = try JSONSchema(Array(Repository.contents(of: "Data/check/sarif-schema.json")))
        let log = String(decoding: Self.refused(["Unregistered"]).sarif(), as: UTF8.self)
        #expect(try schema.errors(in: Array(log.utf8)) == [])
        let mistake = log.replacing("\"executionSuccessful\":true", with: "\"executionSuccessful\":1")
        #expect(mistake != log)
        #expect(try !schema.errors(in: Array(mistake.utf8)).isEmpty)
    }

    /// A reason is a text of the log, which begins no new command.
    @Test func reasonsCannotBeInjected() {
        let text = String(decoding: Self.refused(["x\n::error::y"]).github(), as: UTF8.self)
        #expect(text.split(whereSeparator: \.isNewline).count == 1)
    }

    /// Nothing in a source's name or a key begins a new command.
    @Test func annotationsCannotBeInjected() {
        let report = Self.report(["a\n::error::x\r\n::warning::y"], { _ in }) { tally in
            tally.count(.problem(.apsKeyCustom), at: RecordPosition(source: 0, line: 1)) {
                "'\n::error::z'"
            }
        }
        let text = String(decoding: report.github(), as: UTF8.self)
        #expect(text.split(whereSeparator: \.isNewline).count == 1)
        #expect(text.hasPrefix("::warning file="))
    }

    @Test func noFindingsAreNoAnnotations() {
        #expect(Self.report(["a"]).github() == [])
    }

    @Test(arguments: [
        Example("a.ndjson", "a.ndjson"), Example("logs/a b.ndjson", "logs/a%20b.ndjson"),
        Example("/var/log/a", "file:///var/log/a"), Example("a:b", "a%3Ab"),
        Example("é%?#", "%C3%A9%25%3F%23"),
        Example("-", "-"), Example("a~b_c.d", "a~b_c.d"), Example("..//a", "..//a"),
        Example(SystemPath.text([0x61, 0xe9]), "a%E9"), Example("//a", "file:////a"),
    ])
    func pathsAreURIReferences(_ path: Example<String, String>) {
        #expect(CheckReport.uri(ofPath: path.input) == path.expected)
    }

    private func object(_ report: CheckReport) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(report.sarif())) as? [String: Any])
    }

    @Test func resultsHaveLocations() throws {
        let log = try object(Self.some())
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.map { $0["id"] as? String } == CheckFinding.all.map(\.name))
        let results = try #require(run["results"] as? [[String: Any]])
        let found = try results.map { result in
            let rule = rules[try #require(result["ruleIndex"] as? Int)]["id"] as? String
            #expect(rule == result["ruleId"] as? String)
            let locations = try #require(result["locations"] as? [[String: Any]])
            let physical = try #require(locations.first?["physicalLocation"] as? [String: Any])
            let artifact = try #require(physical["artifactLocation"] as? [String: Any])
            let region = try #require(physical["region"] as? [String: Any])
            let message = try #require(result["message"] as? [String: Any])
            #expect((message["text"] as? String)?.isEmpty == false)
            return
                "\(rule ?? "") \(result["level"] ?? "") \(artifact["uri"] ?? ""):\(region["startLine"] ?? "") "
                + "\(result["occurrenceCount"] ?? "") \(result["baselineState"] ?? "-")"
        }
        #expect(
            found == [
                "gzip.truncated error file:///var/log/%C3%A9%3A1%2C%25.gz:1 1 -",
                "json.invalid error logs/a%20b.ndjson:3 2 -",
                "json.invalid error file:///var/log/%C3%A9%3A1%2C%25.gz:4 1 -",
                "aps.custom-key warning logs/a%20b.ndjson:2 1 -",
            ])
    }

    @Test func theToolHasItsVersion() throws {
        let run = try #require((try object(Self.report(["a"]))["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "sheaf")
        #expect(driver["version"] as? String == SheafVersion.current)
        let page = try #require(URL(string: driver["informationUri"] as? String ?? ""))
        #expect(page.scheme == "https" && page.host?.isEmpty == false)
    }

    @Test func rulesHaveTheirSources() throws {
        let run = try #require((try object(Self.some())["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let rule = try #require(rules.first { $0["id"] as? String == "payload.too-large" })
        #expect(
            (rule["help"] as? [String: Any])?["text"] as? String
                == "Over 4096 bytes, or 5120 for VoIP: Apple's service refuses it (PayloadTooLarge). "
                + "(Apple: Generating a remote notification: PayloadTooLarge)")
    }

    /// Every report is valid according to the schema's definitions of what it contains.
    @Test(arguments: ["plain", "changed rules", "baseline", "empty", "refused", "every finding"])
    func logsAreValid(_ name: String) throws {
        let report =
            switch name {
            case "plain": Self.some()
            case "changed rules":
                Self.some {
                    $0.disabled = [.untimed]
                    $0.severities = [.rejected(.jsonInvalid): .warning]
                }
            case "baseline":
                Self.some { $0.baseline = CheckBaseline([.init(.rejected(.jsonInvalid), count: 1)]) }
            case "empty": Self.report([])
            case "refused": Self.refused(["Unregistered", ""])
            default:
                Self.report(["a"], { _ in }) { tally in
                    for (index, finding) in CheckFinding.all.enumerated() {
                        tally.count(finding, at: RecordPosition(source: 0, line: UInt64(index + 1)))
                    }
                }
            }
        let schema = try JSONSchema(Array(Repository.contents(of: "Data/check/sarif-schema.json")))
        #expect(try schema.errors(in: report.sarif()) == [])
    }

    /// The validator finds mistakes, so that it would find one in a report.
    @Test(arguments: [
        ("\"version\":\"2.1.0\"", "\"version\":\"2.0.0\""), ("\"ruleId\":", "\"rule-id\":"),
        ("\"startLine\":3", "\"startLine\":0"), ("\"startLine\":3", "\"startLine\":\"3\""),
        ("\"level\":\"warning\"", "\"level\":\"warn\""), ("\"occurrenceCount\":2", "\"occurrenceCount\":0"),
        ("\"name\":\"sheaf\",", ""), ("\"informationUri\":\"https:", "\"informationUri\":\""),
        ("\"startLine\":3", ""), ("\"text\":\"Not exactly", "\"texts\":\"Not exactly"),
        ("logs/a%20b.ndjson\"},", "logs/a b.ndjson\"},"), ("\"results\":[", "\"results\":[5,"),
    ])
    func theSchemaFindsMistakes(_ text: String, _ mistake: String) throws {
        let log = String(decoding: Self.some().sarif(), as: UTF8.self)
        #expect(log.contains(text))
        let schema = try JSONSchema(Array(Repository.contents(of: "Data/check/sarif-schema.json")))
        let changed = Array(log.replacing(text, with: mistake).utf8)
        #expect(try !schema.errors(in: changed).isEmpty, "\(mistake)")
    }

    @Test func resultsAreLimited() throws {
        let paths = (0..<25_010).map { "\($0)" }
        let report = Self.report(paths, { _ in }) { tally in
            for source in paths.indices {
                tally.count(.untimed, at: RecordPosition(source: source, line: 1))
            }
        }
        let run = try #require((try object(report)["runs"] as? [[String: Any]])?.first)
        #expect((run["results"] as? [Any])?.count == CheckReport.maximumResults)
        #expect(report.warnings == 25_010)
    }
}
