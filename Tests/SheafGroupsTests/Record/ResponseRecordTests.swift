import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Records that report a response to a notification (specification §16).
@Suite struct ResponseRecordTests {
    typealias Line = Example<String, String>

    private static let long = String(repeating: "x", count: 4_097)

    @Test(arguments: [
        Line("an action", #""action":"REPLY""#, "REPLY in no category of a @1000"),
        Line("a category", #""action":"REPLY","category":"c""#, "REPLY in c of a @1000"),
        Line(
            "the names of UNNotificationResponse",
            #""actionIdentifier":"REPLY","notification":{"request":{"identifier":"i","content":{"categoryIdentifier":"c"}}}"#,
            "REPLY in c of a @1000"),
        Line("other spellings", #""action_identifier":"R","category-identifier":"c""#, "R in c of a @1000"),
        Line("a bare payload", #""action":"R","aps":{"alert":"x","category":"c"}"#, "R in c of a @1000"),
        Line("a payload", #""action":"R","payload":{"aps":{"category":"c"}}"#, "R in c of a @1000"),
        Line(
            "a payload as a string", #""action":"R","payload":"{\"aps\":{\"category\":\"\\u0063\"}}""#,
            "R in c of a @1000"),
        Line(
            "its own category first",
            #""action":"R","category":"c","notification":{"request":{"content":{"category":"d"}}},"aps":{"category":"e"}"#,
            "R in c of a @1000"),
        Line(
            "that of the notification before that of the payload",
            #""action":"R","notification":{"request":{"content":{"category":"d"}}},"aps":{"category":"e"}"#,
            "R in d of a @1000"),
        Line("an empty category", #""action":"R","category":"","aps":{"category":"e"}"#, "R in e of a @1000"),
        Line(
            "a category of another type", #""action":"R","category":7,"payload":5"#,
            "R in no category of a @1000"),
        Line(
            "a payload that is not valid", #""action":"R","payload":"{""#, "R in no category of a @1000"),
        Line(
            "members of other types", #""action":"R","notification":{"request":[{"content":{}}]}"#,
            "R in no category of a @1000"),
        Line(
            "the first name", #""actionIdentifier":"B","action":"A""#, "A in no category of a @1000"),
        Line(
            "the first text", #""action":7,"actionIdentifier":"","action-identifier":"C""#,
            "C in no category of a @1000"),
        Line("the last of repeated keys", #""action":7,"action":"R""#, "R in no category of a @1000"),
        Line(
            "escapes", #""a\u0063tion" : "R\u0045PLY" , "c\u0061tegory" : "\u00e9""#,
            "REPLY in \u{e9} of a @1000"),
        Line(
            "a topic that is not for alerts", #""topic":"b.voip","action":"R""#,
            "R in no category of a @1000"),
        Line("no action", #""category":"c""#, "response.invalid"),
        Line("an empty action", #""action":"""#, "response.invalid"),
        Line("an action that is a number", #""action":1"#, "response.invalid"),
        Line("an action inside another member", #""x":{"action":"R"}"#, "response.invalid"),
        Line("an action that is too long", #""action":"\#(long)""#, "field.too-long"),
        Line("a category that is too long", #""action":"R","category":"\#(long)""#, "field.too-long"),
        Line("a device that is too long", #""action":"R","device":"\#(long)""#, "field.too-long"),
    ])
    func aResponseHasAnAction(_ line: Line) {
        let text = #"{"event":"response","app":"a","ts":1,\#(line.input)}"#
        #expect(ReadLine(text).summary == [line.expected])
    }

    @Test(arguments: [
        Line("no app", #"{"event":"response","action":"R"}"#, "app.missing"),
        Line("an invalid time", #"{"event":"response","app":"a","ts":"never"}"#, "timestamp.invalid"),
        Line(
            "an event with escapes", #"{"event":"resp\u006fnse","app":"\u0061","action":"R"}"#,
            "R in no category of a @0"),
        Line("another event", #"{"event":"Response","app":"a","action":"R"}"#, "payload.missing"),
        Line(
            "in a wrapper", #"{"message":"{\"event\":\"response\",\"app\":\"a\",\"action\":\"R\"}"}"#,
            "R in no category of a @0"),
        Line(
            "after spaces", "  { \"event\" : \"response\" , \"app\":\"a\", \"action\" : \"R\" }",
            "R in no category of a @0"),
    ])
    func theEnvelopeIsThatOfAPush(_ line: Line) {
        #expect(ReadLine(line.input).summary == [line.expected])
    }

    /// Pushes have members of their own next to `aps`, and envelopes next to the payload.
    @Test(arguments: [
        Line("a bare push", #"{"event":"response","app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        Line(
            "a payload and an empty action",
            #"{"event":"response","app":"a","action":"","payload":{"aps":{"alert":"x"}}}"#, "app=a body=x"),
        Line("no payload", #"{"event":"response","app":"a","payload":null}"#, "response.invalid"),
    ])
    func aRecordWithAPayloadAndNoActionIsAPush(_ line: Line) {
        #expect(ReadLine(line.input).summary == [line.expected])
    }

    @Test func theAppForRecordsWithoutOneApplies() {
        let line = ReadLine(#"{"event":"response","action":"R"}"#, app: "b")
        #expect(line.summary == ["R in no category of b @0"])
    }

    @Test func aRejectedResponseIsQuotedAsItWas() {
        let text = #"{"event":"response","app":"\u0061","payload":"\u007b}","action":""}"#
        #expect(ReadLine(text).records.map(\.rejectedText) == [text])
    }

    @Test func severalResponsesOfALineAreSeparateRecords() {
        let line =
            #"[{"event":"response","app":"a","action":"R"},{"event":"response","app":"b","action":"S"}]"#
        #expect(ReadLine(line).summary == ["R in no category of a @0", "S in no category of b @0"])
    }
}
