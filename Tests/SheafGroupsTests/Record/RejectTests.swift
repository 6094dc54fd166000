import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Reject reasons and their precedence (specification §2, Rejects).
@Suite struct RejectTests {
    typealias Case = Example<String, RejectReason>

    static let payload = #""payload":{"aps":{"alert":"x"}}"#
    static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    static let cases = [
        Case("too deep", #"{"x":\#(nested(128)),\#(payload)}"#, .jsonTooDeep),
        Case("too deep at the top", nested(129), .jsonTooDeep),
        Case("truncated", #"{"app":"a","#, .jsonInvalid),
        Case("two values", "{} {}", .jsonInvalid),
        Case("not a value", "x", .jsonInvalid),
        Case("invalid in a skipped value", #"{"app":"a","x":[01],\#(payload)}"#, .jsonInvalid),
        Case("invalid after the payload", #"{"app":"a",\#(payload),"x":tru}"#, .jsonInvalid),
        Case("a control character in a text", "{\"app\":\"a\u{1}\",\(payload)}", .jsonInvalid),
        Case("an array", "[{}]", .jsonNotObject),
        Case("a text", "\"{}\"", .jsonNotObject),
        Case("a number", "17", .jsonNotObject),
        Case("null", "null", .jsonNotObject),
        Case("neither form", #"{"app":"a"}"#, .payloadMissing),
        Case("an empty object", "{}", .payloadMissing),
        Case("a null payload", #"{"app":"a","payload":null}"#, .payloadMissing),
        Case("a payload that is a number", #"{"app":"a","payload":5}"#, .payloadInvalid),
        Case("a payload that is a list", #"{"app":"a","payload":[]}"#, .payloadInvalid),
        Case("a payload that is a Boolean", #"{"app":"a","payload":true}"#, .payloadInvalid),
        Case("a payload of empty text", #"{"app":"a","payload":""}"#, .payloadInvalid),
        Case("a payload of other text", #"{"app":"a","payload":"hello"}"#, .payloadInvalid),
        Case("a payload text with a list", #"{"app":"a","payload":"[]"}"#, .payloadInvalid),
        Case("a payload text, truncated", #"{"app":"a","payload":"{\"aps\":{"}"#, .payloadInvalid),
        Case(
            "a payload text whose escapes decode to invalid JSON", #"{"app":"a","payload":"{\u0000}"}"#,
            .payloadInvalid
        ),
        Case(
            "a payload text, too deep", #"{"app":"a","payload":"{\"x\":\#(nested(128))}"}"#, .payloadInvalid),
        Case(
            "an invalid payload next to aps", #"{"app":"a","payload":5,"aps":{"alert":"x"}}"#, .payloadInvalid
        ),
        Case("a payload without aps", #"{"app":"a","payload":{}}"#, .apsMissing),
        Case("aps of the wrong type", #"{"app":"a","payload":{"aps":[]}}"#, .apsMissing),
        Case("aps null in a payload", #"{"app":"a","payload":{"aps":null}}"#, .apsMissing),
        Case("aps null, bare", #"{"app":"a","aps":null}"#, .apsMissing),
        Case("aps of the wrong type, bare", #"{"app":"a","aps":"x"}"#, .apsMissing),
        Case("a payload text without aps", #"{"app":"a","payload":"{\"x\":1}"}"#, .apsMissing),
        Case("aps only next to the payload", #"{"app":"a","payload":{},"aps":{"alert":"x"}}"#, .apsMissing),
        Case("no app", "{\(payload)}", .appMissing),
        Case("an empty app", #"{"app":"",\#(payload)}"#, .appMissing),
        Case("an app of the wrong type", #"{"app":17,\#(payload)}"#, .appMissing),
        Case("an unreadable timestamp", #"{"app":"a","ts":"soon",\#(payload)}"#, .timestampInvalid),
        Case("a negative timestamp", #"{"app":"a","ts":-1,\#(payload)}"#, .timestampInvalid),
        Case("an empty timestamp", #"{"app":"a","ts":"",\#(payload)}"#, .timestampInvalid),
        Case("a timestamp of the wrong type", #"{"app":"a","ts":true,\#(payload)}"#, .timestampInvalid),
        Case("a timestamp object", #"{"app":"a","ts":{},\#(payload)}"#, .timestampInvalid),
        Case(
            "an invalid timestamp before a valid one", #"{"app":"a","ts":5,"timestamp":[],\#(payload)}"#,
            .timestampInvalid),
        Case(
            "a silent record may be rejected too", #"{"app":"a.voip","ts":-1,\#(payload)}"#, .timestampInvalid
        ),
    ]

    @Test(arguments: cases)
    func recordsAreRejected(_ item: Case) {
        #expect(DecodedLine(item.input).outcome == .rejected(item.expected))
    }

    /// Each line also has the defects for the reasons of lower precedence.
    @Test(arguments: [
        Case("invalid before everything else", #"{"ts":-1"#, .jsonInvalid),
        Case("not an object before everything else", "[-1]", .jsonNotObject),
        Case("payload missing before app and time", #"{"ts":-1}"#, .payloadMissing),
        Case("payload invalid before app and time", #"{"ts":-1,"payload":5}"#, .payloadInvalid),
        Case("aps missing before app and time", #"{"ts":-1,"payload":{}}"#, .apsMissing),
        Case("app missing before time", "{\"ts\":-1,\(payload)}", .appMissing),
        Case(
            "time before a long field", "{\"app\":\"\(text(4097))\",\"ts\":-1,\(payload)}", .timestampInvalid),
    ])
    func firstReasonWins(_ item: Case) {
        #expect(DecodedLine(item.input).outcome == .rejected(item.expected))
    }

    /// Returns a text of `count` bytes.
    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// A line with a field of limited length, whose value replaces TEXT.
    struct Field: NamedCase {
        let name: String
        let template: String

        func line(_ text: String) -> String { template.replacing("TEXT", with: text) }
    }

    static let fields: [Field] = [
        ("app", #"{"app":"TEXT",\#(payload)}"#),
        ("topic with a suffix", #"{"headers":{"apns-topic":"TEXT.voip"},\#(payload)}"#),
        ("bundle", #"{"aps":{"alert":"x"},"Simulator Target Bundle":"TEXT"}"#),
        ("device", #"{"app":"a","token":"TEXT",\#(payload)}"#),
        ("collapse id", #"{"app":"a","collapse-id":"TEXT",\#(payload)}"#),
        ("collapse id of headers", #"{"app":"a","headers":{"apns-collapse-id":"TEXT"},\#(payload)}"#),
        ("thread", #"{"app":"a","aps":{"alert":"x","thread-id":"TEXT"}}"#),
        ("misplaced thread", #"{"app":"a","aps":{"alert":{"body":"x","thread-id":"TEXT"}}}"#),
        ("category", #"{"app":"a","aps":{"alert":"x","category":"TEXT"}}"#),
        ("summary argument", #"{"app":"a","aps":{"alert":{"loc-key":"x","summary-arg":"TEXT"}}}"#),
        (
            "thread in a string",
            #"{"app":"a","payload":"{\"aps\":{\"alert\":\"x\",\"thread-id\":\"TEXT\"}}"}"#
        ),
    ].flatMap { name, template in
        [
            Field(name: name, template: template),
            Field(
                name: "\(name) of a silent record",
                template: #"{"push-type":"background","# + template.dropFirst()),
        ]
    }

    /// Specification §2: no push can carry more than 4,096 bytes.
    @Test(arguments: fields)
    func fieldsAreLimitedToTheSizeOfAPush(_ field: Field) {
        for (count, isRejected) in [(4095, false), (4096, false), (4097, true), (200_000, true)] {
            let outcome = DecodedLine(field.line(Self.text(count))).outcome
            #expect((outcome == .rejected(.fieldTooLong)) == isRejected, "\(count) bytes")
        }
    }

    /// Bytes are counted after decoding escapes, and the rejected line is quoted unchanged.
    @Test(arguments: fields)
    func lengthsAreCountedAfterDecoding(_ field: Field) {
        let (escape, text) = field.name.contains("in a string") ? (#"\\u00e9"#, "é") : (#"\u00e9"#, "é")
        let half = String(repeating: escape, count: 2048)
        #expect(DecodedLine(field.line(half)).outcome != .rejected(.fieldTooLong))
        for line in [field.line(half + "x"), field.line(String(repeating: text, count: 2049))] {
            let decoded = DecodedLine(line)
            #expect(decoded.outcome == .rejected(.fieldTooLong))
            #expect(decoded.rejectedText == line)
        }
    }

    /// Other texts are limited only by the length of the line.
    @Test(arguments: [
        #"{"app":"a","id":"TEXT","aps":{"alert":"x"}}"#, #"{"app":"a","aps":{"alert":"TEXT"}}"#,
        #"{"app":"a","aps":{"alert":{"title":"TEXT","subtitle":"TEXT","body":"TEXT"}}}"#,
        #"{"app":"a","other":"TEXT","aps":{"alert":"x","sound":"TEXT"}}"#,
        #"{"app":"a","topic":"TEXT","device":"d","token":"TEXT","aps":{"alert":"x"}}"#,
    ])
    func otherTextsMayBeLong(_ line: String) {
        let line = line.replacing("TEXT", with: Self.text(100_000))
        #expect(DecodedLine(line).outcome == .notification)
    }

    @Test func depthOf128IsAllowed() {
        #expect(
            DecodedLine(#"{"app":"a","x":\#(Self.nested(127)),\#(Self.payload)}"#).outcome == .notification)
    }

    /// Covers every reason after which texts may already have been decoded in place.
    @Test(arguments: [
        Case("payload text", #"{"app":"\u0061","payload":"{\"x\":\u005bnope"}"#, .payloadInvalid),
        Case("payload text without aps", #"{"app":"\u0061","payload":"{\"a\\n\":\"\\\\\"}"}"#, .apsMissing),
        Case(
            "bundle in a payload text",
            #"{"payload":"{\"Simulator Target Bundle\":\".v\\u006fip\",\"aps\":{}}"}"#, .appMissing),
        Case("topic that is only a suffix", #"{"app":"\u002evoip","payload":{"aps":{}}}"#, .appMissing),
        Case("timestamp", #"{"app":"\u0061\/","ts":"\u0031x","payload":{"aps":{}}}"#, .timestampInvalid),
        Case("nothing decoded", #"{"payload":{"aps":{"alert":"\u0061"}}}"#, .appMissing),
        Case("invalid", #"{"app":"\u0061""#, .jsonInvalid),
    ])
    func rejectedTextIsUnchanged(_ item: Case) {
        let decoded = DecodedLine(item.input)
        #expect(decoded.outcome == .rejected(item.expected))
        #expect(decoded.rejectedText == item.input)
    }

    @Test func earlierRejectedTextIsNotQuoted() {
        var decoder = RecordDecoder(keepsRejectedText: true)
        let first = DecodedLine(#"{"app":"\u0061","ts":-1,"payload":{"aps":{}}}"#, by: &decoder)
        #expect(first.outcome == .rejected(.timestampInvalid))
        let second = DecodedLine("[]", by: &decoder)
        #expect(second.outcome == .rejected(.jsonNotObject))
        #expect(second.rejectedText == "[]")
    }

    @Test func decoderForgetsThePreviousRecord() {
        var decoder = RecordDecoder(keepsRejectedText: false)
        let full = DecodedLine(
            #"{"app":"a","device":"d","id":"i","collapse-id":"c","payload":{"aps":{"thread-id":"t","category":"k","#
                + #""alert":{"title":"T","subtitle":"S","body":"B","summary-arg":"A","summary-arg-count":7,"#
                + #""loc-args":1}}}}"#,
            by: &decoder)
        #expect(full.weight == 7)
        #expect(full.findings == [.locArgsType])
        #expect(full.isUntimed)
        let bare = DecodedLine(#"{"app":"b","ts":1,"payload":{"aps":{"alert":"x"}}}"#, by: &decoder)
        #expect(bare.outcome == .notification)
        #expect(bare.weight == 1)
        #expect(bare.findings.isEmpty)
        #expect(!bare.isUntimed)
        let texts = [
            bare.device, bare.thread, bare.identifier, bare.collapseIdentifier, bare.category, bare.title,
            bare.subtitle, bare.argument,
        ]
        #expect(texts.joined() == "")
        #expect(bare.body == "x")
    }

    @Test func namesMatchTheSpecification() {
        let names = RejectReason.allCases.map { "\($0.name)" }
        #expect(
            names == [
                "line.too-long", "json.too-deep", "json.invalid", "json.not-object", "payload.missing",
                "payload.invalid", "aps.missing", "app.missing", "timestamp.invalid", "field.too-long",
                "removal.invalid", "settings.invalid", "response.invalid", "modification.invalid",
                "outcome.invalid", "input.unmatched",
            ])
        #expect(RejectReason.allCases.map(\.rawValue) == Array(0..<16))
    }
}
