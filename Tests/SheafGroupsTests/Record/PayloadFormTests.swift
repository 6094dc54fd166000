import TestSupport
import Testing

@testable import SheafGroups

/// The forms of a payload: an object, a text, or the record itself (specification §2).
@Suite struct PayloadFormTests {
    @Test func bareFormIsDecoded() {
        let decoded = DecodedLine(
            #"{"Simulator Target Bundle":"com.example","aps":{"alert":{"title":"T"},"thread-id":"t"},"id":"1"}"#
        )
        #expect(decoded.outcome == .notification)
        #expect(decoded.app == "com.example")
        #expect(decoded.thread == "t")
        #expect(decoded.title == "T")
        #expect(decoded.identifier == "1")
    }

    @Test func bareFormMayHaveANullPayload() {
        let decoded = DecodedLine(#"{"app":"a","payload":null,"aps":{"alert":"x"}}"#)
        #expect(decoded.outcome == .notification)
        #expect(decoded.body == "x")
    }

    @Test func payloadTakesPrecedenceOverTheBareForm() {
        let decoded = DecodedLine(
            #"{"app":"a","aps":{"alert":"bare"},"payload":{"aps":{"alert":"payload"}}}"#)
        #expect(decoded.body == "payload")
    }

    @Test func bundleOutsideAPayloadIsIgnored() {
        let decoded = DecodedLine(
            #"{"Simulator Target Bundle":"outside","payload":{"aps":{"alert":"x"}}}"#)
        #expect(decoded.outcome == .rejected(.appMissing))
    }

    @Test func payloadMayBeAString() {
        let decoded = DecodedLine(
            #"{"app":"a","payload":"{\"aps\":{\"alert\":{\"title\":\"T\",\"body\":\"B\"},\"category\":\"c\"}}"}"#
        )
        #expect(decoded.outcome == .notification)
        #expect(decoded.title == "T")
        #expect(decoded.body == "B")
        #expect(decoded.category == "c")
    }

    @Test func payloadTextMayHaveNoEscapes() {
        #expect(DecodedLine(#"{"app":"a","payload":"{}"}"#).outcome == .rejected(.apsMissing))
    }

    @Test func bundleInAPayloadTextIsRead() {
        let decoded = DecodedLine(
            #"{"payload":"{\"Simulator Target Bundle\":\"com.\\u0065xample\",\"aps\":{\"alert\":\"x\"}}"}"#)
        #expect(decoded.app == "com.example")
    }

    struct Text: NamedCase {
        let name: String
        /// The text as written in a payload that is a text.
        let written: String
        let text: String
    }

    @Test(arguments: [
        Text(name: "a quote", written: #"\\\""#, text: "\""),
        Text(name: "a backslash", written: #"\\\\"#, text: "\\"),
        Text(name: "a line feed", written: #"\\n"#, text: "\n"),
        Text(name: "a scalar, escaped outside", written: #"\u00e9"#, text: "é"),
        Text(name: "a scalar, escaped inside", written: #"\\u00e9"#, text: "é"),
        Text(name: "a scalar, its backslash escaped by number", written: #"\u005cu00e9"#, text: "é"),
        Text(name: "a pair, escaped inside", written: #"\\ud83d\\ude00"#, text: "😀"),
        Text(name: "a pair, escaped outside", written: #"\ud83d\ude00"#, text: "😀"),
        Text(name: "half a pair inside", written: #"\\ud83d"#, text: "\u{fffd}"),
        Text(name: "half a pair outside", written: #"\ude00"#, text: "\u{fffd}"),
        Text(name: "a slash, escaped twice", written: #"\\\/"#, text: "/"),
        Text(name: "a control character", written: #"\\u0001"#, text: "\u{1}"),
        Text(name: "plain", written: "日本", text: "日本"),
    ])
    func nestedEscapesAreDecoded(_ text: Text) {
        let line =
            #"{"app":"a","payload":"{\"aps\":{\"alert\":{\"title\":\"<\#(text.written)>\","#
            + #"\"body\":\"after\"},\"thread-id\":\"\#(text.written)\"}}"}"#
        let decoded = DecodedLine(line)
        #expect(decoded.outcome == .notification)
        #expect(decoded.title == "<\(text.text)>")
        #expect(decoded.body == "after")
        #expect(decoded.thread == text.text)
    }

    @Test func decodedPayloadKeepsTheEnvelope() {
        let decoded = DecodedLine(
            #"{"app":"\u0061","payload":"{\"aps\":{\"alert\":\"x\\ty\"}}","device":"\u0064","id":"\u0069"}"#)
        #expect(decoded.app == "a")
        #expect(decoded.device == "d")
        #expect(decoded.identifier == "i")
        #expect(decoded.body == "x\ty")
    }

    @Test func repeatedPayloadReplacesTheFirst() {
        #expect(
            DecodedLine(#"{"app":"a","payload":{"aps":{"alert":"x"}},"payload":{}}"#).outcome
                == .rejected(.apsMissing))
        let decoded = DecodedLine(
            #"{"app":"a","payload":"{}","payload":{"aps":{"alert":{"body":"gone"},"alert":{"title":"T"}}}}"#)
        #expect(decoded.title == "T")
        #expect(decoded.body == "")
    }

    @Test func depthOfAPayloadTextIsCountedSeparately() {
        let inner = String(repeating: "[", count: 126) + String(repeating: "]", count: 126)
        let deep = #"{"app":"a","x":\#(inner),"payload":{"aps":{"alert":"x"}}}"#
        #expect(DecodedLine(deep).outcome == .notification)
        let asText = #"{"app":"a","payload":"{\"aps\":{\"alert\":\"x\"},\"x\":\#(inner)}"}"#
        #expect(DecodedLine(asText).outcome == .notification)
    }
}
