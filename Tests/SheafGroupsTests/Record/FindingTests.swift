import TestSupport
import Testing

@testable import SheafGroups

/// Fields of the wrong type are absent, and are recorded as findings (specification §2, Payload).
@Suite struct FindingTests {
    enum Parent { case aps, alert }

    struct Field: NamedCase {
        let name: String
        let parent: Parent
        let finding: Finding
        /// The names of those `values` that the field may have.
        let allowed: Set<String>
    }

    static let values = [
        "string": "\"x\"", "empty string": "\"\"", "number": "5", "fraction": "0.5", "bool": "true",
        "object": "{}", "array": "[]",
    ]
    static let texts: Set = ["string", "empty string"]
    static let numbers: Set = ["number", "fraction"]

    static let fields = [
        Field(name: "alert", parent: .aps, finding: .alertType, allowed: texts.union(["object"])),
        Field(name: "thread-id", parent: .aps, finding: .threadType, allowed: texts),
        Field(name: "category", parent: .aps, finding: .categoryType, allowed: texts),
        Field(name: "sound", parent: .aps, finding: .soundType, allowed: texts.union(["object"])),
        Field(name: "badge", parent: .aps, finding: .badgeType, allowed: numbers),
        Field(name: "content-available", parent: .aps, finding: .contentAvailableType, allowed: numbers),
        Field(name: "mutable-content", parent: .aps, finding: .mutableContentType, allowed: numbers),
        Field(name: "interruption-level", parent: .aps, finding: .interruptionLevelType, allowed: texts),
        Field(name: "relevance-score", parent: .aps, finding: .relevanceScoreType, allowed: numbers),
        Field(name: "title", parent: .alert, finding: .titleType, allowed: texts),
        Field(name: "subtitle", parent: .alert, finding: .subtitleType, allowed: texts),
        Field(name: "body", parent: .alert, finding: .bodyType, allowed: texts),
        Field(name: "title-loc-key", parent: .alert, finding: .titleLocKeyType, allowed: texts),
        Field(name: "title-loc-args", parent: .alert, finding: .titleLocArgsType, allowed: ["array"]),
        Field(name: "subtitle-loc-key", parent: .alert, finding: .subtitleLocKeyType, allowed: texts),
        Field(name: "subtitle-loc-args", parent: .alert, finding: .subtitleLocArgsType, allowed: ["array"]),
        Field(name: "loc-key", parent: .alert, finding: .locKeyType, allowed: texts),
        Field(name: "loc-args", parent: .alert, finding: .locArgsType, allowed: ["array"]),
        Field(name: "summary-arg", parent: .alert, finding: .summaryArgType, allowed: texts),
    ]

    private func findings(_ field: Field, _ value: String, asText: Bool) -> [Finding] {
        let member = "\"\(field.name)\":\(value)"
        let payload: String
        switch field.parent {
        case .aps: payload = "{\"aps\":{\(member)}}"
        case .alert: payload = "{\"aps\":{\"alert\":{\(member)}}}"
        }
        let written =
            asText
            ? "\"\(payload.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
            : payload
        return DecodedLine(#"{"app":"a","payload":\#(written)}"#).findings
    }

    @Test(arguments: fields)
    func fieldsOfTheWrongTypeAreFindings(_ field: Field) {
        for asText in [false, true] {
            for (kind, value) in Self.values {
                let expected = field.allowed.contains(kind) ? [] : [field.finding]
                #expect(findings(field, value, asText: asText) == expected, "\(kind)")
            }
            #expect(findings(field, "null", asText: asText) == [])
        }
    }

    @Test func recordMayHaveSeveralFindings() {
        let decoded = DecodedLine.aps(
            #""alert":{"body":"x","title":1,"loc-args":"y"},"badge":"z","category":{},"sound":5"#)
        #expect(decoded.findings == [.titleType, .locArgsType, .categoryType, .soundType, .badgeType])
        #expect(decoded.outcome == .notification)
        #expect(decoded.category == "")
    }

    @Test func envelopeFieldsHaveNoFindings() {
        let decoded = DecodedLine(
            #"{"app":5,"topic":"a","device":[],"id":{},"collapse-id":true,"push-type":7,"headers":5,"#
                + #""payload":{"aps":{"alert":"x"}}}"#)
        #expect(decoded.outcome == .notification)
        #expect(decoded.findings.isEmpty)
    }

    @Test func fieldsOfAReplacedAlertAreIgnored() {
        #expect(DecodedLine.aps(#""alert":{"title":5},"alert":"x""#).findings.isEmpty)
    }

    struct Count: NamedCase {
        let name: String
        let weight: UInt32
        let isValid: Bool

        init(_ name: String, _ weight: UInt32, _ isValid: Bool = true) {
            self.name = name
            self.weight = weight
            self.isValid = isValid
        }
    }

    @Test(arguments: [
        Count("1", 1), Count("2", 2), Count("10", 10), Count("2147483647", 2_147_483_647),
        Count("null", 1),
        Count("0", 1, false), Count("-1", 1, false), Count("-0", 1, false),
        Count("2147483648", 1, false), Count("4294967297", 1, false), Count("99999999999", 1, false),
        Count("18446744073709551617", 1, false), Count("1.0", 1, false), Count("1.5", 1, false),
        Count("1e1", 1, false), Count("\"5\"", 1, false), Count("true", 1, false), Count("[]", 1, false),
        Count("{}", 1, false),
    ])
    func summaryArgumentCountIsTheWeight(_ count: Count) {
        let decoded = DecodedLine.alert(#""summary-arg-count":\#(count.name)"#)
        #expect(decoded.weight == count.weight)
        #expect(decoded.findings == (count.isValid ? [] : [.summaryCountInvalid]))
    }

    @Test func weightIsOneWithoutASummaryArgumentCount() {
        #expect(DecodedLine.aps(#""alert":"x""#).weight == 1)
        #expect(DecodedLine.aps(#""alert":"x","summary-arg-count":5"#).weight == 1)
    }

    @Test func namesMatchTheSpecification() {
        for field in Self.fields { #expect("\(field.finding.name)" == "\(field.name).type") }
        #expect("\(Finding.threadMisplaced.name)" == "thread-id.misplaced")
        #expect("\(Finding.summaryCountInvalid.name)" == "summary-arg-count.invalid")
        #expect(Set(Finding.allCases.map { "\($0.name)" }).count == Finding.allCases.count)
    }

    @Test func setContainsInsertedFindings() {
        for finding in Finding.allCases {
            var set = FindingSet()
            #expect(set.isEmpty)
            set.insert(finding)
            #expect(!set.isEmpty)
            #expect(Finding.allCases.filter { set.contains($0) } == [finding])
        }
    }
}
