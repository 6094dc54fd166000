import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Whether the push service refused a push (specification §18): every row of the table on the page on records, in each
/// form of a record.
@Suite struct OutcomeTests {
    struct Row: NamedCase {
        let members: String
        let isRefused: Bool
        let isUnknown: Bool
        let reason: String
        var name: String { members }
    }

    private static let page = "Documentation/reference/records.md"

    static let rows: [Row] =
        (try? DocumentedTable.rows("| members | outcome | reason |", of: page))?.map { row in
            let cells = row.text.split(separator: "|", omittingEmptySubsequences: false)
            return Row(
                members: row.names[0], isRefused: cells[0].contains("refused"),
                isUnknown: cells[0].contains("outcome.unknown"),
                reason: cells[1].filter { $0 != "`" }.trimmingSpaces)
        } ?? []

    @Test func thePageHasManyRows() { #expect(Self.rows.count >= 40) }

    @Test(arguments: rows)
    func aRecordIsThatOfThePage(_ row: Row) throws {
        let forms = [
            #"{"app":"a","payload":{"aps":{"alert":"x"}},\#(row.members)}"#,
            #"{"app":"a","payload":"{\"aps\":{\"alert\":\"x\"}}",\#(row.members)}"#,
            #"{\#(row.members),"app":"a","aps":{"alert":"x"}}"#,
        ]
        for form in forms {
            let decoded = Decoded(form)
            #expect(decoded.outcome == (row.isRefused ? .refused : .notification), "\(form)")
            #expect(decoded.findings.contains(.outcomeUnknown) == row.isUnknown, "\(form)")
            if row.isRefused { #expect(decoded.reason == row.reason, "\(form)") }
        }
    }

    @Test(arguments: rows)
    func anEntryOfAnotherShapeIsThatOfThePage(_ row: Row) throws {
        let entry = #"{"bundle":"a","apns":{"aps":{"alert":"x"}},\#(row.members)}"#
        let record = try #require(
            ReadLine(entry, LogInput(mapping: #"{"fields":{"app":["/bundle"],"payload":["/apns"]}}"#)).records
                .first)
        #expect(record.outcome == (row.isRefused ? .refused : .notification))
    }

    @Test(arguments: [
        (#"{"fields":{"payload":["/apns"],"status":["/answer/http"]}}"#, #""answer":{"http":410}"#, true),
        (#"{"fields":{"payload":["/apns"],"status":["/answer/http"]}}"#, #""answer":{"http":200}"#, false),
        (#"{"fields":{"payload":["/apns"],"status":[]}}"#, #""status":410"#, false),
        (#"{"fields":{"payload":["/apns"],"success":["/sent"]}}"#, #""sent":false"#, true),
        (#"{"fields":{"payload":["/apns"],"reason":["/why"]}}"#, #""why":"Unregistered""#, true),
        (#"{"fields":{"payload":["/apns"],"reason":[]}}"#, #""reason":"a friend""#, false),
        (#"{"fields":{"payload":["/apns"],"status":["/a","/b"]}}"#, #""a":"sent","b":"failed""#, true),
    ])
    func aMappingSaysWhereTheOutcomeIs(_ mapping: String, _ members: String, _ isRefused: Bool) throws {
        let entry = #"{"app":"a","apns":{"aps":{"alert":"x"}},\#(members)}"#
        let record = try #require(ReadLine(entry, LogInput(mapping: mapping)).records.first)
        #expect(record.outcome == (isRefused ? .refused : .notification))
    }

    @Test func thePayloadsOwnMembersAreNoOutcome() {
        let line =
            #"{"app":"a","payload":{"aps":{"alert":"x"},"status":"failed","success":false,"reason":"r"}}"#
        #expect(Decoded(line).outcome == .notification)
    }

    @Test func aRefusedSilentPushIsRefused() {
        #expect(
            Decoded(#"{"app":"a","status":410,"payload":{"aps":{"content-available":1}}}"#).outcome
                == .refused)
    }

    @Test func anInvalidRecordIsRejected() {
        #expect(Decoded(#"{"status":410,"payload":{"aps":{"alert":"x"}}}"#).outcome == .rejected(.appMissing))
    }

    @Test func eventsHaveNoOutcome() {
        #expect(Decoded(#"{"app":"a","event":"cleared","status":"failed"}"#).outcome == .removal)
    }

    /// A line's outcome, with what only this suite looks at.
    private struct Decoded {
        let outcome: RecordDecoder.Outcome
        let findings: FindingSet
        let reason: String

        init(_ line: String) {
            let chunk = Chunk(Array(line.utf8))
            var decoder = RecordDecoder(keepsRejectedText: false)
            outcome = decoder.decode(
                TextRange(0..<line.utf8.count), of: chunk, at: RecordPosition(source: 0, line: 1))
            findings = decoder.findings
            reason = outcome == .refused ? chunk.bytes(of: decoder.refusal).string : ""
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
