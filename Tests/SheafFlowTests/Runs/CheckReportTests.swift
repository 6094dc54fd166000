import SheafBytes
import SheafGroups
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// A report's bytes, as text and as JSON.
@Suite struct CheckReportTests {
    private static let paths = ["logs/a.ndjson", "logs/b.ndjson.gz"]

    private static func report(
        _ tally: (inout CheckTally) -> Void, damages: [Int: SourceDamage] = [:], paths: [String] = paths
    ) -> CheckReport {
        var counts = CheckTally()
        tally(&counts)
        return CheckReport(counts, damages: damages, sources: paths)
    }

    private static let some = report(
        {
            $0.lines = 2_400
            $0.blank = 55
            $0.records = 2_345
            for line in [9, 7, 8] {
                $0.count(.rejected(.jsonInvalid), at: RecordPosition(source: 0, line: UInt64(line)))
            }
            $0.count(.record(.payloadTooLarge), at: RecordPosition(source: 1, line: 1_000_000))
            for line in 0..<1_204 {
                $0.count(.untimed, at: RecordPosition(source: 1, line: UInt64(line + 1)))
            }
        }, damages: [1: SourceDamage(reason: .truncated, offset: 48_211)])

    private static func text(_ report: CheckReport, _ style: TextStyle = TextStyle()) -> String {
        String(decoding: report.text(style), as: UTF8.self)
    }

    @Test func reportAsText() {
        #expect(
            Self.text(Self.some) == """
                error        1  gzip.truncated
                                logs/b.ndjson.gz at byte 48211
                                The compressed data ends early; everything before that was
                                checked.
                error        3  json.invalid
                                logs/a.ndjson:7
                                Not exactly one JSON value in valid UTF-8.
                error        1  payload.too-large
                                logs/b.ndjson.gz:1000000
                                Over 4096 bytes, or 5120 for VoIP: Apple's service refuses it
                                (PayloadTooLarge).
                warning  1,204  untimed
                                logs/b.ndjson.gz:1
                                No timestamp: the record counts as older than every dated one.

                2,345 records from 2 sources: 5 errors, 1,204 warnings

                """)
    }

    @Test func reportAsNarrowText() {
        #expect(
            Self.text(Self.some, TextStyle(width: 40)) == """
                error        1  gzip.truncated
                                …ndjson.gz at byte 48211
                                The compressed data ends
                                early; everything before
                                that was checked.
                error        3  json.invalid
                                logs/a.ndjson:7
                                Not exactly one JSON
                                value in valid UTF-8.
                error        1  payload.too-large
                                logs/b.ndjson.gz:1000000
                                Over 4096 bytes, or 5120
                                for VoIP: Apple's
                                service refuses it
                                (PayloadTooLarge).
                warning  1,204  untimed
                                logs/b.ndjson.gz:1
                                No timestamp: the record
                                counts as older than
                                every dated one.

                2,345 records from 2 sources: 5 errors,
                1,204 warnings

                """)
    }

    @Test func reportAsJSON() {
        #expect(
            String(decoding: Self.some.json(), as: UTF8.self)
                == #"{"sources":2,"lines":2400,"blank":55,"records":2345,"errors":5,"warnings":1204,"findings":["#
                + #"{"name":"gzip.truncated","severity":"error","count":1,"#
                + #""first":{"source":"logs/b.ndjson.gz","offset":48211}},"#
                + #"{"name":"json.invalid","severity":"error","count":3,"first":{"source":"logs/a.ndjson","line":7}},"#
                + #"{"name":"payload.too-large","severity":"error","count":1,"#
                + #""first":{"source":"logs/b.ndjson.gz","line":1000000}},"#
                + #"{"name":"untimed","severity":"warning","count":1204,"#
                + #""first":{"source":"logs/b.ndjson.gz","line":1}}]}"# + "\n")
    }

    @Test func reportWithoutFindings() {
        let report = Self.report({ ($0.lines, $0.records) = (1, 1) }, paths: ["-"])
        #expect(Self.text(report) == "1 record from 1 source: 0 errors, 0 warnings\n")
        #expect(
            String(decoding: report.json(), as: UTF8.self)
                == #"{"sources":1,"lines":1,"blank":0,"records":1,"errors":0,"warnings":0,"findings":[]}"#
                + "\n")
    }

    /// Every finding at once, on a terminal with 60 columns: no line is longer.
    @Test func theReportFitsTheTerminal() {
        let long = String(repeating: "folder/", count: 30) + "日本.ndjson"
        let report = Self.report(
            { tally in
                tally.lines = 2_000_000_000
                for finding in CheckFinding.all {
                    for _ in 0..<1_000 {
                        tally.count(finding, at: RecordPosition(source: 0, line: 1_234_567))
                    }
                }
            }, paths: [long])
        let text = Self.text(report, TextStyle(width: 60))
        for line in text.split(separator: "\n") {
            let columns = line.reduce(0) { $0 + DisplayText.columns(of: $1) }
            #expect(columns <= 60, "\(line)")
        }
        #expect(text.contains("…er/folder/folder/folder/日本.ndjson:1234567\n"))
        // Without a width, names are not shortened.
        #expect(Self.text(report).contains("  \(long):1234567\n"))
    }

    /// Only visible characters of source names reach a terminal.
    @Test func controlCharactersInNamesAreMadeVisible() {
        let path = "a\u{1b}[2Jb\nc\u{202e}d\u{7f}"
        let report = Self.report(
            { $0.count(.untimed, at: RecordPosition(source: 0, line: 3)) },
            damages: [0: SourceDamage(reason: .corrupt, offset: 5)], paths: [path])
        for width in [nil, 60] {
            let text = Self.text(report, TextStyle(width: width))
            #expect(text.contains("a␛[2Jb␊c<U+202E>d␡:3\n"))
            #expect(text.contains("a␛[2Jb␊c<U+202E>d␡ at byte 5\n"))
            #expect(
                text.unicodeScalars.allSatisfy {
                    $0 == "\n" || !$0.properties.isBidiControl && $0.value >= 0x20
                })
        }
        #expect(report.damagedSources.map(\.source) == [path])
    }

    @Test func findingsAreColoured() {
        let report = Self.report { $0.count(.untimed, at: RecordPosition(source: 0, line: 3)) }
        let text = Self.text(report, TextStyle(width: 60, hasColours: true))
        #expect(text.hasPrefix("\u{1b}[1;33mwarning\u{1b}[0m  1  \u{1b}[1muntimed\u{1b}[0m\n"))
        let plain = text.replacing(#/\u{1b}\[[0-9;]*m/#, with: "")
        #expect(plain == Self.text(report, TextStyle(width: 60)))
    }

    // MARK: Tallies

    @Test(arguments: CheckFinding.all) func eachFindingIsCountedSeparately(_ finding: CheckFinding) {
        var tally = CheckTally()
        tally.count(finding, at: RecordPosition(source: 3, line: 4))
        for other in CheckFinding.all {
            #expect(tally[other].count == (other == finding ? 1 : 0))
            #expect(tally[other].first == (other == finding ? RecordPosition(source: 3, line: 4) : nil))
        }
    }

    /// The first position is the smallest, in whatever order they are added.
    @Test func talliesAddUp() {
        let positions = [(1, 9), (0, 40), (1, 2), (0, 41)].map { RecordPosition(source: $0.0, line: $0.1) }
        for split in 0...positions.count {
            var first = CheckTally()
            var second = CheckTally()
            first.lines = 3
            second.lines = 4
            second.blank = 1
            for position in positions[..<split] { first.count(.untimed, at: position) }
            for position in positions[split...] { second.count(.untimed, at: position) }
            first.add(second)
            #expect(first.lines == 7 && first.blank == 1)
            #expect(first[.untimed].count == 4)
            #expect(first[.untimed].first == RecordPosition(source: 0, line: 40))
        }
    }

    @Test func findingsOfARecordAreCounted() {
        var findings = FindingSet()
        findings.insert(.badgeType)
        findings.insert(.threadMisplaced)
        var problems = ProblemSet()
        problems.insert(.backgroundPriority)
        var tally = CheckTally()
        let position = RecordPosition(source: 0, line: 1)
        tally.count(FindingSet(), ProblemSet(), isUntimed: false, at: position)
        tally.count(findings, problems, isUntimed: true, at: position)
        let found = CheckFinding.all.filter { tally[$0].count > 0 }.map(\.name)
        #expect(found == ["priority.background", "badge.type", "thread-id.misplaced", "untimed"])
    }
}
