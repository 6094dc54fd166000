import TestSupport
import Testing

@testable import SheafGroups

/// The texts that an alert shows, and records that show nothing (specification §2 and §3).
@Suite struct AlertTests {
    /// Members of `aps`, and whether they are shown.
    typealias Case = Example<String, Bool>

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
        Case(
            "texts of the wrong type", #""alert":{"title":1,"subtitle":[],"body":{},"loc-key":true}"#, false),
        Case("only arguments", #""alert":{"loc-args":["x"],"summary-arg":"x"}"#, false),
        Case("only a launch image", #""alert":{"launch-image":"x"}"#, false),
        Case("content-available and an alert", #""content-available":1,"alert":"x""#, true),
        Case("only content-available", #""content-available":1"#, false),
        Case("a space", #""alert":" ""#, true),
    ])
    func alertWithTextIsANotification(_ item: Case) {
        #expect(DecodedLine.aps(item.input).outcome == (item.expected ? .notification : .silent))
    }

    @Test func textAlertIsTheBody() {
        let decoded = DecodedLine.aps(#""alert":"Hello""#)
        #expect(decoded.body == "Hello")
        #expect(decoded.title == "")
    }

    struct Field: NamedCase {
        let name: String
        let key: String
        let arguments: String
        let read: @Sendable (DecodedLine) -> String
    }

    static let fields = [
        Field(name: "title", key: "title-loc-key", arguments: "title-loc-args", read: { $0.title }),
        Field(
            name: "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args", read: { $0.subtitle }),
        Field(name: "body", key: "loc-key", arguments: "loc-args", read: { $0.body }),
    ]

    @Test(arguments: fields)
    func keyReplacesAMissingText(_ field: Field) {
        func shown(_ alert: String) -> String {
            field.read(DecodedLine.aps(#""alert":{"launch-image":"i",\#(alert)}"#))
        }
        #expect(shown(#""\#(field.key)":"KEY""#) == "KEY")
        #expect(shown(#""\#(field.name)":"","\#(field.key)":"KEY""#) == "KEY")
        #expect(shown(#""\#(field.name)":7,"\#(field.key)":"K\u0045Y""#) == "KEY")
        #expect(shown(#""\#(field.key)":"KEY","\#(field.name)":"text""#) == "text")
    }

    /// Members of an alert, and the arguments of each localized text, by the text's name.
    typealias ArgumentsCase = Example<String, [String: String]>

    @Test(arguments: [
        ArgumentsCase("no arguments", #""loc-key":"K""#, ["body": ""]),
        ArgumentsCase("an empty list", #""loc-key":"K","loc-args":[]"#, ["body": "[]"]),
        ArgumentsCase("a list", #""loc-key":"K","loc-args":["a", "b"]"#, ["body": #"["a", "b"]"#]),
        ArgumentsCase("before the key", #""loc-args":["a"],"loc-key":"K""#, ["body": #"["a"]"#]),
        ArgumentsCase(
            "escapes", #""loc-args":["\u0041\"]","\\"],"loc-key":"K""#, ["body": #"["\u0041\"]","\\"]"#]),
        ArgumentsCase(
            "elements that are not texts", #""loc-args":[1,-2.5,null,[["x]"]],{"a":"}"}],"loc-key":"K""#,
            ["body": #"[1,-2.5,null,[["x]"]],{"a":"}"}]"#]),
        ArgumentsCase(
            "the last of two lists", #""loc-args":[1],"loc-key":"K","loc-args":[2]"#, ["body": "[2]"]),
        ArgumentsCase("not a list", #""loc-key":"K","loc-args":"a""#, ["body": ""]),
        ArgumentsCase("in addition to a text", #""body":"B","loc-key":"K","loc-args":["a"]"#, [:]),
        ArgumentsCase("without a key", #""title":"T","loc-args":["a"],"loc-key":"""#, [:]),
        ArgumentsCase(
            "of all texts",
            #""title-loc-args":["t"],"subtitle-loc-args":["s"],"loc-args":["b"],"loc-key":"K","title-loc-key":"K","#
                + #""subtitle-loc-key":"K""#,
            ["title": #"["t"]"#, "subtitle": #"["s"]"#, "body": #"["b"]"#]),
    ])
    func argumentsAreKeptWithTheirKeys(_ item: ArgumentsCase) {
        #expect(DecodedLine.aps(#""alert":{\#(item.input)}"#).localArguments == item.expected)
    }

    /// The texts of an alert in any order and with any escapes: packing arguments with their keys changes nothing else.
    @Test(arguments: Seeds.several(4))
    func packedAlertsKeepTheirTexts(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var members: [String] = []
            var expected: [String: String] = [:]
            var lists: [String: String] = [:]
            for field in Self.fields {
                let text = random.pick([
                    "", "", "text", "\u{e9}\u{1f600}", String(repeating: "long ", count: 30),
                ])
                let key = random.pick(["", "K", "key.with.dots", "\u{5d0}"])
                let list = random.pick(["", #"[]"#, #"["a","\u00e9"]"#, "[1,{\"a\":[]}]"])
                if !text.isEmpty || random.below(3) == 0 {
                    members.append("\"\(field.name)\":\(Self.json(text, &random))")
                }
                members.append("\"\(field.key)\":\(Self.json(key, &random))")
                if !list.isEmpty { members.append("\"\(field.arguments)\":\(list)") }
                expected[field.name] = text.isEmpty ? key : text
                if text.isEmpty, !key.isEmpty { lists[field.name] = list }
            }
            let argument = random.pick(["", "Ana"])
            let isMisplaced = random.below(2) == 0
            if !argument.isEmpty { members.append(#""summary-arg":"Ana""#) }
            if isMisplaced { members.append(#""thread-id":"t\u0031""#) }
            var order = members.indices.map { $0 }
            order.shuffle(using: &random)
            let alert = "{\(order.map { members[$0] }.joined(separator: random.pick([",", " , "])))}"
            let stale =
                random.below(4) == 0 ? #""alert":{"title-loc-key":"stale","loc-args":["stale"]},"# : ""
            let thread = isMisplaced ? "" : #","thread-id":"t1""#
            let aps = #"{\#(stale)"category":"c","alert":\#(alert)\#(thread)}"#
            let payload = #"{"aps":\#(aps)}"#
            let written = random.below(2) == 0 ? payload : Self.json(payload, &random)
            let line = #"{"app":"a","id":"i","payload":\#(written),"device":"d\u0031","collapse-id":"x"}"#
            let decoded = DecodedLine(line)
            let isShown = expected.values.contains { !$0.isEmpty }
            #expect(decoded.outcome == (isShown ? .notification : .silent), "\(line)")
            guard isShown else { continue }
            for field in Self.fields { #expect(field.read(decoded) == expected[field.name], "\(line)") }
            #expect(decoded.localArguments == lists, "\(line)")
            #expect(
                [decoded.argument, decoded.thread, decoded.category, decoded.device, decoded.identifier]
                    + [decoded.collapseIdentifier, decoded.app]
                    == [argument, "t1", "c", "d1", "i", "x", "a"], "\(line)")
        }
    }

    /// Returns the text as a JSON string with some characters escaped.
    private static func json(_ text: String, _ random: inout SeededGenerator) -> String {
        var json = "\""
        for unit in text.utf16 {
            let isPlain = unit < 0x80 && unit >= 0x20 && unit != 0x22 && unit != 0x5c
            if isPlain, random.below(4) > 0 {
                json.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return json + "\""
    }

    @Test func everyTextIsDecoded() {
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

    @Test func repeatedAlertReplacesTheFirst() {
        let decoded = DecodedLine.aps(#""alert":{"title":"gone","summary-arg-count":5},"alert":"x""#)
        #expect(decoded.title == "")
        #expect(decoded.weight == 1)
        #expect(decoded.body == "x")
    }

    @Test func recordIsSilentForEachReason() {
        let shown = #""payload":{"aps":{"alert":"x"}}"#
        #expect(DecodedLine(#"{"app":"a",\#(shown)}"#).outcome == .notification)
        #expect(DecodedLine(#"{"app":"a.voip",\#(shown)}"#).outcome == .silent)
        #expect(DecodedLine(#"{"app":"a","push-type":"background",\#(shown)}"#).outcome == .silent)
        #expect(DecodedLine(#"{"app":"a","payload":{"aps":{}}}"#).outcome == .silent)
    }

    @Test func silentRecordHasFindingsAndMayBeUntimed() {
        let decoded = DecodedLine(#"{"app":"a","push-type":"background","payload":{"aps":{"badge":"3"}}}"#)
        #expect(decoded.outcome == .silent)
        #expect(decoded.findings == [.badgeType])
        #expect(decoded.isUntimed)
    }
}
