import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// Findings of the checks of a record, except for that about its payload's size.
@Suite struct PayloadChecksTests {
    /// A record, and whether the check finds a problem.
    typealias Record = Example<String, Bool>

    private func check(
        _ record: Record, _ problem: CheckFinding, settings: Settings = Settings(),
        profile: Profile = .ios12
    ) {
        let checked = CheckedLine(record.input, settings: settings, profile: profile)
        #expect(checked.problems == (record.expected ? [problem] : []))
        #expect(checked.isUnchanged)
        if case .rejected = checked.outcome { Issue.record("unexpectedly rejected: \(checked.outcome)") }
    }

    /// Returns a record with these members next to its payload.
    private static func record(_ members: String, _ aps: String = #""alert":"x""#) -> String {
        #"{"app":"a",\#(members),"payload":{"aps":{\#(aps)}}}"#
    }

    // MARK: Collapse identifiers

    private static func collapsed(_ name: String, _ value: String, _ isFound: Bool) -> Record {
        Record(name, record(#""apns-collapse-id":"\#(value)""#), isFound)
    }

    private static let x64 = String(repeating: "x", count: 64)

    @Test(arguments: [
        Record("absent", record(#""x":1"#), false),
        collapsed("empty", "", false),
        collapsed("64 bytes", x64, false),
        collapsed("65 bytes", x64 + "x", true),
        collapsed("64 bytes of 32 characters", String(repeating: "é", count: 32), false),
        collapsed("66 bytes of 33 characters", String(repeating: "é", count: 33), true),
        collapsed("64 bytes of 16 emoji", String(repeating: "😀", count: 16), false),
        collapsed("65 bytes of emoji and a letter", String(repeating: "😀", count: 16) + "x", true),
        collapsed("64 bytes written as escapes", String(repeating: "\\u00e9", count: 32), false),
        collapsed("66 bytes written as escapes", String(repeating: "\\u00e9", count: 33), true),
        collapsed("64 bytes of surrogate pairs", String(repeating: "\\ud83d\\ude00", count: 16), false),
        collapsed(
            "65 bytes of surrogate pairs and a letter", String(repeating: "\\ud83d\\ude00", count: 16) + "x",
            true),
        collapsed("63 bytes of lone surrogates", String(repeating: "\\ud83d", count: 21), false),
        collapsed("66 bytes of lone surrogates", String(repeating: "\\ud83d", count: 22), true),
        collapsed("64 quotes", String(repeating: "\\\"", count: 64), false),
        Record("the second name", record(#""collapse-id":"\#(x64)x""#), true),
        Record("among the headers", record(#""headers":{"apns-collapse-id":"\#(x64)x"}"#), true),
        Record(
            "after a shorter one",
            record(#""collapse-id":"\#(x64)x","apns-collapse-id":"x""#), false),
        Record("after an empty one", record(#""apns-collapse-id":"","collapse-id":"\#(x64)x""#), true),
        Record(
            "after one of the wrong type", record(#""apns-collapse-id":5,"collapse-id":"\#(x64)x""#), true),
        Record(
            "of a silent record", record(#""push-type":"background","collapse-id":"\#(x64)x""#, content), true
        ),
        Record("of a bare record", #"{"app":"a","collapse-id":"\#(x64)x","aps":{}}"#, true),
        Record("in the payload", #"{"app":"a","payload":{"collapse-id":"\#(x64)x","aps":{}}}"#, false),
    ])
    func longCollapseIdentifiersAreFound(_ record: Record) {
        check(record, .record(.collapseIdentifierTooLong))
    }

    // MARK: Priorities

    private static let background = #""push-type":"background","#
    private static let content = #""content-available":1"#

    /// Returns a background push with these members next to its payload.
    private static func silent(_ members: String) -> String { record(background + members, content) }

    @Test(arguments: [
        Record("background, 10", silent(#""apns-priority":10"#), true),
        Record("background, 10 as text", silent(#""apns-priority":"10""#), true),
        Record(
            "background, 10 as text with an escape", silent(#""apns-priority":"\u00310""#), true),
        Record("background, 10.0", silent(#""apns-priority":10.0"#), true),
        Record("background, 1e1", silent(#""apns-priority":1e1"#), true),
        Record("background, 5", silent(#""apns-priority":5"#), false),
        Record("background, 1", silent(#""apns-priority":1"#), false),
        Record("background, no priority", silent(#""x":1"#), false),
        Record("background, null", silent(#""apns-priority":null"#), false),
        Record("the second name", silent(#""priority":10"#), true),
        Record("among the headers", silent(#""headers":{"apns-priority":"10"}"#), true),
        Record("the first name counts", silent(#""priority":10,"apns-priority":5"#), false),
        Record(
            "the second before the headers",
            silent(#""headers":{"apns-priority":10},"priority":5"#), false),
        Record("null counts as absent", silent(#""apns-priority":null,"priority":10"#), true),
        Record(
            "an empty text counts as absent", silent(#""apns-priority":"","priority":10"#), true),
        Record(
            "another type counts as absent", silent(#""apns-priority":true,"priority":10"#), true
        ),
        Record(
            "background in spite of content of the wrong type",
            record(background + #""priority":10"#, #""content-available":"1""#), true),
        Record(
            "a push type with an escape", record(#""priority":10,"push-type":"back\u0067round""#, content),
            true),
        Record(
            "a push type among the headers",
            record(#""priority":10,"headers":{"apns-push-type":"background"}"#, content), true),
        Record("a push type in capitals", record(#""priority":10,"push-type":"BackGround""#, content), true),
        Record("an unknown push type", record(#""priority":10,"push-type":"backgrounds""#, content), false),
        Record(
            "a topic of any push type", #"{"topic":"a.push-type.x","priority":10,"aps":{\#(content)}}"#, false
        ),
        Record("an alert", record(#""priority":10,"push-type":"alert""#, content + #","alert":"x""#), false),
        Record("a call", record(#""priority":10,"push-type":"voip""#, content), false),
        Record("no push type, content", record(#""priority":10"#, content), true),
        Record("no push type, content 1.0", record(#""priority":10"#, #""content-available":1.0"#), true),
        Record(
            "no push type, content of the wrong type", record(#""priority":10"#, #""content-available":"1""#),
            false),
        Record("no push type, no content", record(#""priority":10"#, #""category":"x""#), false),
        Record("an empty push type is absent", record(#""priority":10,"push-type":"""#, content), true),
        Record("content and alert", record(#""priority":10"#, content + #","alert":"x""#), false),
        Record("content and an empty alert", record(#""priority":10"#, content + #","alert":"""#), false),
        Record("content and badge", record(#""priority":10"#, content + #","badge":0"#), false),
        Record("content and sound", record(#""priority":10"#, content + #","sound":"default""#), false),
        Record(
            "content and null",
            record(#""priority":10"#, content + #","alert":null,"badge":null,"sound":null"#),
            true),
        Record("content, priority 5", record(#""priority":5"#, content), false),
        Record(
            "content in a payload of text",
            #"{"app":"a","priority":10,"payload":"{\"aps\":{\"content-available\":1}}"}"#, true),
        Record(
            "alert in a payload of text",
            #"{"app":"a","priority":10,"payload":"{\"aps\":{\"content-available\":1,\"alert\":\"\"}}"}"#,
            false),
        Record("content of a bare record", #"{"app":"a","priority":10,"aps":{"content-available":1}}"#, true),
        Record(
            "content of a topic with its own push type",
            #"{"topic":"a.voip","priority":10,"payload":{"aps":{"content-available":1}}}"#, false),
        Record(
            "a priority in the payload", #"{"app":"a","payload":{"priority":10,"aps":{\#(content)}}}"#, false),
    ])
    func highBackgroundPrioritiesAreFound(_ record: Record) { check(record, .problem(.backgroundPriority)) }

    // MARK: Categories

    static let settings: Settings = {
        var settings = Settings()
        settings.apps["a"] = AppSettings()
        settings.apps["a"]?.categories = ["order": CategorySettings(), "größe": CategorySettings()]
        settings.apps["empty"] = AppSettings()
        return settings
    }()

    @Test(arguments: [
        Record("known", record(#""x":1"#, #""category":"order""#), false),
        Record("known with an escape", record(#""x":1"#, #""category":"gr\u00f6\u00dfe""#), false),
        Record("unknown", record(#""x":1"#, #""category":"offer""#), true),
        Record("unknown with an escape", record(#""x":1"#, #""category":"gr\u00f6\u00df""#), true),
        Record("in another case", record(#""x":1"#, #""category":"Order""#), true),
        Record("absent", record(#""x":1"#), false),
        Record("null", record(#""x":1"#, #""category":null"#), false),
        Record("empty", record(#""x":1"#, #""category":"""#), false),
        Record("of the wrong type", record(#""x":1"#, #""category":5"#), false),
        Record(
            "of an app without categories", #"{"app":"empty","payload":{"aps":{"category":"order"}}}"#, true),
        Record("of an unknown app", #"{"app":"b","payload":{"aps":{"category":"offer"}}}"#, false),
        Record(
            "of an app with an escape", #"{"app":"\u0061","payload":{"aps":{"category":"\u006ffer"}}}"#, true),
        Record(
            "of a topic with a suffix", #"{"topic":"a.voip","payload":{"aps":{"category":"offer"}}}"#, true),
        Record(
            "of an app in the payload",
            #"{"payload":{"Simulator Target Bundle":"a","aps":{"category":"offer"}}}"#, true),
        Record(
            "of an app among the headers",
            #"{"headers":{"apns-topic":"a"},"payload":{"aps":{"category":"offer"}}}"#, true),
        Record("of a silent record", record(#""push-type":"background""#, #""category":"offer""#), true),
        Record("of a bare record", #"{"app":"a","aps":{"category":"offer"}}"#, true),
        Record(
            "of a payload of text", #"{"app":"a","payload":"{\"aps\":{\"category\":\"off\\u0065r\"}}"}"#, true
        ),
        Record(
            "known, of a payload of text",
            #"{"app":"a","payload":"{\"aps\":{\"category\":\"\\u006frder\"}}"}"#, false),
    ])
    func unknownCategoriesAreFound(_ record: Record) {
        check(record, .problem(.categoryUnknown), settings: Self.settings)
        #expect(CheckedLine(record.input).problems == [], "without a configuration")
    }

    // MARK: Summaries

    private static func alert(_ name: String, _ fields: String, _ isFound: Bool) -> Record {
        Record(name, record(#""x":1"#, #""alert":{"body":"B"\#(fields)}"#), isFound)
    }

    @Test(arguments: [
        alert("neither", "", false),
        alert("an argument", #","summary-arg":"Ana""#, true),
        alert("a count", #","summary-arg-count":2"#, true),
        alert("both", #","summary-arg":"Ana","summary-arg-count":2"#, true),
        alert("null", #","summary-arg":null,"summary-arg-count":null"#, false),
        alert("an empty argument", #","summary-arg":"""#, false),
        alert("an argument of the wrong type", #","summary-arg":5"#, true),
        alert("a count of the wrong type", #","summary-arg-count":"2""#, true),
        Record("a text alert", record(#""x":1"#), false),
        Record(
            "of a silent record",
            record(#""push-type":"voip""#, #""alert":{"body":"B","summary-arg":"A"}"#), true),
        Record("of a bare record", #"{"app":"a","aps":{"alert":{"body":"B","summary-arg":"A"}}}"#, true),
        Record(
            "of a payload of text",
            #"{"app":"a","payload":"{\"aps\":{\"alert\":{\"body\":\"B\",\"summary-arg\":\"A\"}}}"}"#, true),
    ])
    func deprecatedSummaryFieldsAreFound(_ record: Record) {
        check(record, .record(.summaryDeprecated), profile: .ios15)
        #expect(CheckedLine(record.input).problems == [], "before iOS 15")
    }

    // MARK: Several findings

    @Test func recordMayHaveSeveralFindings() {
        let line = Self.record(
            #""priority":10,"push-type":"background","apns-id":"1","collapse-id":"\#(Self.x64)x""#,
            #""category":"offer","alert":{"summary-arg":"A","body":"\#(String(repeating: "x", count: 5000))"}"#
        )
        #expect(
            CheckedLine(line, settings: Self.settings, profile: .ios15).problems == [
                .record(.payloadTooLarge), .record(.collapseIdentifierTooLong), .record(.summaryDeprecated),
                .problem(.backgroundPriority), .problem(.categoryUnknown),
                .problem(.messageIdentifierInvalid), .problem(.backgroundShown),
            ])
    }

    /// The findings of rejected lines are not used, but checking such lines must be safe.
    @Test(arguments: [
        "", "{", "[]", "5", #"{"app":"a"}"#, #"{"app":"a","payload":5}"#, #"{"app":"a","payload":"{"}"#,
        #"{"payload":null,"aps":5}"#,
    ])
    func rejectedLinesAreSafeToCheck(_ line: String) {
        let checked = CheckedLine(line, settings: Self.settings, profile: .ios15)
        guard case .rejected = checked.outcome else {
            Issue.record("\(checked.outcome)")
            return
        }
        #expect(checked.isUnchanged)
    }

    @Test func setContainsInsertedProblems() {
        for problem in CheckProblem.allCases {
            var set = ProblemSet()
            #expect(set.isEmpty)
            set.insert(problem)
            #expect(!set.isEmpty)
            #expect(CheckProblem.allCases.filter { set.contains($0) } == [problem])
        }
    }
}
