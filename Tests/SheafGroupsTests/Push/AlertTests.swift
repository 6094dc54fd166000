import Testing

@testable import SheafGroups

/// What an alert shows, and which records show nothing (specification §2 and §3).
@Suite struct AlertTests {
    struct Case: NamedCase {
        let name: String
        let aps: String
        let isNotification: Bool

        init(_ name: String, _ aps: String, _ isNotification: Bool) {
            self.name = name
            self.aps = aps
            self.isNotification = isNotification
        }
    }

    @Test(arguments: [
        Case("a text", #""alert":"x""#, true),
        Case("an empty text", #""alert":"""#, false),
        Case("no alert", #""sound":"default""#, false),
        Case("null", #""alert":null"#, false),
        Case("a number", #""alert":5"#, false),
        Case("a list", #""alert":["x"]"#, false),
        Case("an empty object", #""alert":{}"#, false),
        Case("a title", #""alert":{"title":"x"}"#, true),
        Case("a subtitle", #""alert":{"subtitle":"x"}"#, true),
        Case("a body", #""alert":{"body":"x"}"#, true),
        Case("a title key", #""alert":{"title-loc-key":"x"}"#, true),
        Case("a subtitle key", #""alert":{"subtitle-loc-key":"x"}"#, true),
        Case("a body key", #""alert":{"loc-key":"x"}"#, true),
        Case("empty texts", #""alert":{"title":"","subtitle":"","body":"","loc-key":""}"#, false),
        Case("texts of wrong types", #""alert":{"title":1,"subtitle":[],"body":{},"loc-key":true}"#, false),
        Case("arguments alone", #""alert":{"loc-args":["x"],"summary-arg":"x"}"#, false),
        Case("a launch image alone", #""alert":{"launch-image":"x"}"#, false),
        Case("content-available beside an alert", #""content-available":1,"alert":"x""#, true),
        Case("content-available alone", #""content-available":1"#, false),
        Case("a space", #""alert":" ""#, true),
    ])
    func whatShowsSomething(_ item: Case) {
        #expect(DecodedLine.aps(item.aps).outcome == (item.isNotification ? .notification : .silent))
    }

    @Test func aTextIsTheBody() {
        let decoded = DecodedLine.aps(#""alert":"Hello""#)
        #expect(decoded.body == "Hello")
        #expect(decoded.title == "")
    }

    struct Field: NamedCase {
        let name: String
        let key: String
        let read: @Sendable (DecodedLine) -> String
    }

    static let fields = [
        Field(name: "title", key: "title-loc-key", read: { $0.title }),
        Field(name: "subtitle", key: "subtitle-loc-key", read: { $0.subtitle }),
        Field(name: "body", key: "loc-key", read: { $0.body }),
    ]

    @Test(arguments: fields)
    func aKeyStandsForAMissingText(_ field: Field) {
        func shown(_ alert: String) -> String {
            field.read(DecodedLine.aps(#""alert":{"launch-image":"i",\#(alert)}"#))
        }
        #expect(shown(#""\#(field.key)":"KEY""#) == "KEY")
        #expect(shown(#""\#(field.name)":"","\#(field.key)":"KEY""#) == "KEY")
        #expect(shown(#""\#(field.name)":7,"\#(field.key)":"K\u0045Y""#) == "KEY")
        #expect(shown(#""\#(field.key)":"KEY","\#(field.name)":"text""#) == "text")
    }

    @Test func allTexts() {
        let decoded = DecodedLine.aps(
            #""alert":{"title":"T\n","subtitle":"\u00dc","body":"\ud83d\ude00","summary-arg":"\"A\""},"#
                + #""category":"c\/d","thread-id":"\\""#)
        #expect(decoded.title == "T\n")
        #expect(decoded.subtitle == "Ü")
        #expect(decoded.body == "😀")
        #expect(decoded.argument == "\"A\"")
        #expect(decoded.category == "c/d")
        #expect(decoded.thread == "\\")
        #expect(decoded.findings.isEmpty)
    }

    @Test func loneSurrogatesBecomeReplacementCharacters() {
        #expect(
            DecodedLine.aps(#""alert":"\ud800|\udc00|\ud800\ud800\udc00""#).body
                == "\u{fffd}|\u{fffd}|\u{fffd}\u{10000}")
    }

    @Test func aRepeatedAlertReplacesTheFirst() {
        let decoded = DecodedLine.aps(#""alert":{"title":"gone","summary-arg-count":5},"alert":"x""#)
        #expect(decoded.title == "")
        #expect(decoded.weight == 1)
        #expect(decoded.body == "x")
    }

    @Test func silentForEachOfItsReasons() {
        let shown = #""payload":{"aps":{"alert":"x"}}"#
        #expect(DecodedLine(#"{"app":"a",\#(shown)}"#).outcome == .notification)
        #expect(DecodedLine(#"{"app":"a.voip",\#(shown)}"#).outcome == .silent)
        #expect(DecodedLine(#"{"app":"a","push-type":"background",\#(shown)}"#).outcome == .silent)
        #expect(DecodedLine(#"{"app":"a","payload":{"aps":{}}}"#).outcome == .silent)
    }

    @Test func aSilentRecordHasFindingsAndMayBeUntimed() {
        let decoded = DecodedLine(#"{"app":"a","push-type":"background","payload":{"aps":{"badge":"3"}}}"#)
        #expect(decoded.outcome == .silent)
        #expect(decoded.findings == [.badgeType])
        #expect(decoded.isUntimed)
    }
}
