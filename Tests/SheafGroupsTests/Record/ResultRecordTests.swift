import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Results of service extensions (specification §16).
@Suite struct ResultRecordTests {
    typealias Line = Example<String, String>

    private static let aps = #""aps":{"alert":"n"}"#

    @Test(arguments: [
        Line("a bare payload", #""id":"x","elapsed":1,\#(aps)"#, "modifies app=a body=n collapse=x @1000"),
        Line(
            "a payload", #""id":"x","elapsed":1,"payload":{"aps":{"alert":{"title":"t","body":"n"}}}"#,
            "modifies app=a body=n collapse=x title=t @1000"),
        Line(
            "a payload as text", #""id":"x","elapsed":1,"payload":"{\"aps\":{\"alert\":\"n\"}}""#,
            "modifies app=a body=n collapse=x @1000"),
        Line(
            "the collapse id first", #""id":"x","collapse-id":"\u0063","elapsed":1,\#(aps)"#,
            "modifies app=a body=n collapse=c @1000"),
        Line(
            "a content", #""id":"x","content":{"title":"t","subtitle":"s","body":"\u006e"}"#,
            "modifies app=a body=n collapse=x subtitle=s title=t @1000"),
        Line(
            "everything of a content",
            #""id":"x","content":{"body":"n","threadIdentifier":"th","categoryIdentifier":"k","summaryArgument":"z"}"#,
            "modifies app=a argument=z body=n category=k collapse=x thread=th @1000"),
        Line(
            "a request", #""request":{"identifier":"r\u0031","content":{"body":"n"}},"elapsed":0.5"#,
            "modifies app=a body=n collapse=r1 @1000"),
        Line(
            "a notification", #""notification":{"request":{"identifier":"r","content":{"body":"n"}}}"#,
            "modifies app=a body=n collapse=r @1000"),
        Line(
            "its own id before that of a request",
            #""id":"x","request":{"identifier":"r","content":{"body":"n"}}"#,
            "modifies app=a body=n collapse=x @1000"),
        Line(
            "a payload before a content", #""id":"x","elapsed":1,\#(aps),"content":{"body":"other"}"#,
            "modifies app=a body=n collapse=x @1000"),
        Line(
            "members that are null or empty",
            #""identifier":null,"content":null,"request":{"identifier":"","content":7},"notification":{"request":{"identifier":"r","content":{"body":"n"}}}"#,
            "modifies app=a body=n collapse=r @1000"),
        Line("no content", #""id":"x","elapsed":30"#, "modifies app=a collapse=x @1000"),
        Line("a content that is a text", #""id":"x","content":"n""#, "modifies app=a collapse=x @1000"),
        Line(
            "null", #""id":"x","payload":null,"content":null,"elapsed":null"#,
            "modifies app=a collapse=x @1000"),
        Line(
            "a payload that shows nothing", #""id":"x","elapsed":1,"aps":{"sound":"s"}"#,
            "modifies app=a collapse=x @1000"),
        Line(
            "a payload without aps", #""id":"x","elapsed":1,"payload":{"y":1}"#,
            "modifies app=a collapse=x @1000"),
        Line(
            "a device", #""id":"x","device":"d","content":{"body":"n"}"#,
            "modifies app=a body=n collapse=x device=d @1000"),
        Line("a push with an event of its own", #""id":"x",\#(aps)"#, "app=a body=n id=x @1000"),
        Line("no identifier", #""elapsed":1,\#(aps)"#, "modification.invalid"),
        Line("an empty identifier", #""id":"","elapsed":1,\#(aps)"#, "modification.invalid"),
        Line("nothing", #""x":1"#, "modification.invalid"),
        Line("a time as text", #""id":"x","elapsed":"1",\#(aps)"#, "modification.invalid"),
        Line("a time before the push", #""id":"x","elapsed":-0.5,\#(aps)"#, "modification.invalid"),
        Line(
            "a device that is a number", #""id":"x","device":7,"elapsed":1,\#(aps)"#, "modification.invalid"),
        Line("a payload that is a number", #""id":"x","elapsed":1,"payload":7"#, "payload.invalid"),
        Line("a payload that is no JSON", #""id":"x","elapsed":1,"payload":"{""#, "payload.invalid"),
        Line(
            "an identifier that is too long",
            #""elapsed":1,"id":"\#(String(repeating: "x", count: 4_097))",\#(aps)"#,
            "field.too-long"),
        Line(
            "a thread that is too long",
            #""id":"x","content":{"body":"n","threadIdentifier":"\#(String(repeating: "x", count: 4_097))"}"#,
            "field.too-long"),
    ])
    func aResultHasAnIdentifierAndAContent(_ line: Line) {
        let text = #"{"event":"modified","app":"a","ts":1,\#(line.input)}"#
        #expect(ReadLine(text).summary == [line.expected])
    }

    @Test func withoutAnAppItIsRejected() {
        #expect(ReadLine(#"{"event":"modified","id":"x","elapsed":1}"#).summary == ["app.missing"])
    }

    /// The text that a reject quotes is that of the line, although localized texts are packed in place.
    @Test func aRejectedResultKeepsItsText() {
        let text =
            #"{"event":"modified","app":"a","ts":1,"elapsed":"1","id":"x","aps":{"alert":{"loc-key":"K","loc-args":["\u00e9"],"title":"T","summary-arg":"z"}}}"#
        let record = ReadLine(text).records.first
        #expect(record?.outcome == .rejected(.resultInvalid))
        #expect(record?.rejectedText == text)
    }
}
