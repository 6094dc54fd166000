import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Records that change settings (specification §16).
@Suite struct SettingsRecordTests {
    typealias Line = Example<String, String>

    @Test(arguments: [
        Line("delivery", #""delivery":"quiet""#, "sets quiet for a @1000"),
        Line("prominent", #""delivery":"prominent""#, "sets prominent for a @1000"),
        Line("off", #""delivery":"off""#, "sets off for a @1000"),
        Line("only critical ones", #""delivery":"criticalOnly""#, "sets criticalOnly for a @1000"),
        Line(
            "everything",
            #""delivery":"off","provisional":true,"sounds":false,"serviceExtension":true,"device":"d""#,
            "sets off, provisional true, sounds false, serviceExtension true for a, d @1000"),
        Line(
            "escapes", #""deliv\u0065ry" : "\u0071uiet" , "so\u0075nds" : false"#,
            "sets quiet, sounds false for a @1000"),
        Line(
            "critical alerts", #""critical":false,"sounds":true"#,
            "sets sounds true, critical false for a @1000"),
        Line("critical alerts again", #""cr\u0069tical":true"#, "sets critical true for a @1000"),
        Line("critical alerts by a number", #""critical":1"#, "settings.invalid"),
        Line(
            "authorizations", #""alert":false,"badge":true,"sound":false"#,
            "sets alert false, badge true, sound false for a @1000"),
        Line(
            "authorizations and null", #""al\u0065rt":true,"badge":null,"sound":null"#,
            "sets alert true for a @1000"),
        Line("a badge that is a number", #""badge":1,"alert":true"#, "settings.invalid"),
        Line("a sound with a name", #""sound":"default","alert":true"#, "settings.invalid"),
        Line("what only a configuration has", #""foreground":true"#, "settings.invalid"),
        Line("grouping", #""grouping":"byApp""#, "sets grouping byApp for a @1000"),
        Line("no grouping", #""group\u0069ng":"o\u0066f""#, "sets grouping off for a @1000"),
        Line(
            "grouping and delivery", #""grouping":"automatic","delivery":"quiet""#,
            "sets quiet, grouping automatic for a @1000"),
        Line(
            "previews", #""showPreviews":"whenAuthenticated""#,
            "sets previews whenAuthenticated for a @1000"),
        Line("hidden previews", #""showPreviews":"never""#, "sets previews never for a @1000"),
        Line(
            "previews and null", #""showPreviews":"always","grouping":null"#,
            "sets previews always for a @1000"),
        Line("an unknown grouping", #""grouping":"byapp""#, "settings.invalid"),
        Line("a grouping that is a switch", #""grouping":false"#, "settings.invalid"),
        Line("unknown previews", #""showPreviews":"locked","sounds":true"#, "settings.invalid"),
        Line("previews that are a switch", #""showPreviews":true"#, "settings.invalid"),
        Line("previews that are empty", #""showPreviews":"""#, "settings.invalid"),
        Line("a locale", #""locale":"de""#, "sets locale de for a @1000"),
        Line("a locale as a phone writes it", #""locale":"zh_TW""#, "sets locale zh-Hant-TW for a @1000"),
        Line(
            "a locale in any case, with escapes", #""loc\u0061le":"P\u0054-br","sounds":true"#,
            "sets sounds true, locale pt-BR for a @1000"),
        Line("a deprecated locale", #""locale":"iw-IL""#, "sets locale he-IL for a @1000"),
        Line("a locale of a region", #""locale":"es-419""#, "sets locale es-419 for a @1000"),
        Line("a locale with a variant", #""locale":"en_US_POSIX""#, "sets locale en-US for a @1000"),
        Line("null as locale", #""locale":null,"sounds":true"#, "sets sounds true for a @1000"),
        Line("only null as locale", #""locale":null"#, "settings.invalid"),
        Line("an unknown locale", #""locale":"xx","sounds":true"#, "settings.invalid"),
        Line("an unknown region", #""locale":"de-XX""#, "settings.invalid"),
        Line("an empty locale", #""locale":"""#, "settings.invalid"),
        Line("a language's name", #""locale":"German""#, "settings.invalid"),
        Line("a locale that is a number", #""locale":7"#, "settings.invalid"),
        Line("a locale in a list", #""locale":["de"]"#, "settings.invalid"),
        Line("a locale with a zero", #""locale":"de\u0000""#, "settings.invalid"),
        Line(
            "a long locale", #""locale":"de\#(String(repeating: "-x", count: 500))""#, "settings.invalid"),
        Line("the last of repeated locales", #""locale":"?","locale":"fr""#, "sets locale fr for a @1000"),
        Line(
            "the last of repeated groupings", #""grouping":7,"grouping":"off""#,
            "sets grouping off for a @1000"),
        Line("the last of repeated keys", #""sounds":7,"sounds":true"#, "sets sounds true for a @1000"),
        Line("null", #""delivery":null,"sounds":true,"provisional":null"#, "sets sounds true for a @1000"),
        Line(
            "other members", #""id":"x","ids":7,"aps":{"alert":"x"},"sounds":true"#,
            "sets sounds true for a @1000"),
        Line("a value inside another", #""x":{"delivery":"off"}"#, "settings.invalid"),
        Line("nothing", #""id":"x""#, "settings.invalid"),
        Line("only null", #""delivery":null"#, "settings.invalid"),
        Line("an unknown word", #""delivery":"Off""#, "settings.invalid"),
        Line("an empty word", #""delivery":"""#, "settings.invalid"),
        Line("a word that is a number", #""delivery":1"#, "settings.invalid"),
        Line("a switch that is a word", #""delivery":"off","sounds":"false""#, "settings.invalid"),
        Line("a switch that is a number", #""sounds":0"#, "settings.invalid"),
        Line("a switch that is an object", #""provisional":{}"#, "settings.invalid"),
        Line(
            "a device that is too long",
            #""sounds":true,"device":"\#(String(repeating: "x", count: 4_097))""#, "field.too-long"),
        Line(
            "a device that is too long, and an unknown value",
            #""sounds":1,"device":"\#(String(repeating: "x", count: 4_097))""#, "field.too-long"),
        Line("a device that is null", #""sounds":true,"device":null"#, "sets sounds true for a @1000"),
        Line("a device that is a number", #""sounds":true,"device":7"#, "settings.invalid"),
        Line("several devices", #""sounds":true,"device":["d","e"]"#, "settings.invalid"),
        Line("a token that is a number", #""sounds":true,"token":7"#, "settings.invalid"),
        Line("a topic that is a number", #""sounds":true,"topic":7"#, "sets sounds true for a @1000"),
    ])
    func aChangeHasKnownSettings(_ line: Line) {
        let text = #"{"event":"settings","app":"a","ts":1,\#(line.input)}"#
        #expect(ReadLine(text).summary == [line.expected])
    }

    @Test(arguments: [
        Line("no app", #"{"event":"settings","sounds":true}"#, "sets sounds true for all apps @0"),
        Line(
            "no app on a device", #"{"event":"settings","device":"\u0064","sounds":true}"#,
            "sets sounds true for all apps, d @0"),
        Line(
            "nothing but a topic's suffix", #"{"event":"settings","app":".voip","sounds":true}"#,
            "app.missing"),
        Line("an app that is a number", #"{"event":"settings","app":7,"sounds":true}"#, "settings.invalid"),
        Line("several apps", #"{"event":"settings","bundle-id":["a"],"sounds":true}"#, "settings.invalid"),
        Line(
            "a topic among the headers that is a number",
            #"{"event":"settings","headers":{"apns-topic":7},"sounds":true}"#, "settings.invalid"),
        Line(
            "an app with another name that is a number", #"{"event":"settings","bundle_id":7,"sounds":true}"#,
            "settings.invalid"),
        Line(
            "an app that is null", #"{"event":"settings","app":null,"sounds":true}"#,
            "sets sounds true for all apps @0"),
        Line("a time that is none", #"{"event":"settings","ts":"never","x":1}"#, "timestamp.invalid"),
        Line(
            "an event with escapes", #"{"event":"s\u0065ttings","app":"\u0061","sounds":true}"#,
            "sets sounds true for a @0"),
        Line(
            "an app that ends with an escaped quote", #"{"app":"a\"","event":"settings","sounds":true}"#,
            "sets sounds true for a\" @0"),
        Line("another event", #"{"event":"setting","app":"a","sounds":true}"#, "payload.missing"),
        Line(
            "in a wrapper", #"{"message":"{\"event\":\"settings\",\"app\":\"a\",\"delivery\":\"off\"}"}"#,
            "sets off for a @0"),
        Line(
            "after spaces", "  { \"event\" : \"settings\" , \"sounds\" : false }",
            "sets sounds false for all apps @0"),
    ])
    func theEnvelopeIsThatOfAPush(_ line: Line) {
        #expect(ReadLine(line.input).summary == [line.expected])
    }

    /// Pushes have members of their own next to `aps`, and envelopes next to the payload.
    @Test(arguments: [
        Line("a bare push", #"{"event":"settings","app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        Line(
            "a payload", #"{"event":"settings","app":"a","payload":{"aps":{"alert":"x"}}}"#, "app=a body=x"),
        Line(
            "a payload as text", #"{"event":"settings","app":"a","payload":"{\"aps\":{\"alert\":\"x\"}}"}"#,
            "app=a body=x"),
        Line(
            "null for a setting", #"{"event":"settings","app":"a","sounds":null,"aps":{"alert":"x"}}"#,
            "app=a body=x"),
        Line(
            "a setting", #"{"event":"settings","app":"a","sounds":true,"aps":{"alert":"x"}}"#,
            "sets sounds true for a @0"),
        Line(
            "a setting with an unknown value",
            #"{"event":"settings","app":"a","sounds":1,"aps":{"alert":"x"}}"#, "settings.invalid"),
        Line(
            "a grouping", #"{"event":"settings","app":"a","grouping":"off","aps":{"alert":"x"}}"#,
            "sets grouping off for a @0"),
        Line(
            "an authorization", #"{"event":"settings","app":"a","alert":false,"aps":{"alert":"x"}}"#,
            "sets alert false for a @0"),
        Line(
            "members of a push",
            #"{"event":"settings","app":"a","alert":"y","badge":1,"sound":"s","aps":{"alert":"x"}}"#,
            "app=a body=x"),
        Line(
            "a setting and members of a push",
            #"{"event":"settings","app":"a","badge":1,"sounds":true,"sound":"s","aps":{"alert":"x"}}"#,
            "sets sounds true for a @0"),
        Line(
            "no payload", #"{"event":"settings","app":"a","payload":null}"#, "settings.invalid"),
    ])
    func aRecordWithAPayloadAndNoSettingIsAPush(_ line: Line) {
        #expect(ReadLine(line.input).summary == [line.expected])
    }

    @Test(arguments: [
        Line(
            "closed", #"{"event":"app-closed","app":"a","ts":1,"device":"d"}"#,
            "sets open false for a, d @1000"),
        Line("without a device", #"{"event":"app_closed","app":"a","ts":1}"#, "sets open false for a @1000"),
        Line(
            "escapes", #"{"event":"app-clos\u0065d","topic":"\u0061","device":null}"#,
            "sets open false for a @0"),
        Line(
            "a name of its own", #"{"event":"appClosed","app":"a","sounds":true,"aps":{"alert":"x"}}"#,
            "sets open false for a @0"),
        Line("without an app", #"{"event":"app-closed","device":"d"}"#, "app.missing"),
        Line(
            "a device that is a number", #"{"event":"app-closed","app":"a","device":7}"#, "settings.invalid"),
        Line("a time that is none", #"{"event":"app-closed","app":"a","ts":"never"}"#, "timestamp.invalid"),
        Line("another event", #"{"event":"app-close","app":"a"}"#, "payload.missing"),
    ])
    func aClosedAppIsAChange(_ line: Line) {
        #expect(ReadLine(line.input).summary == [line.expected])
    }

    @Test func anOpenedAppIsARemovalAndAChange() {
        for (event, opens) in [("app-opened", true), ("appOpened", true), ("cleared", false)] {
            let line = #"{"event":"\#(event)","app":"a","ts":1,"device":"d"}"#
            let chunk = Chunk(Array(line.utf8), annex: 100)
            var decoder = RecordDecoder(keepsRejectedText: false)
            let text = TextRange(0..<line.utf8.count)
            let outcome = decoder.decode(text, of: chunk, at: RecordPosition(source: 0, line: 1))
            #expect(outcome == .removal && decoder.opensApp == opens, "\(event)")
            guard opens else { continue }
            let change = decoder.settings
            #expect(change.settings.shown == "open true" && change.order.timestamp == 1_000)
            #expect(chunk.bytes(of: change.app).string + chunk.bytes(of: change.device).string == "ad")
        }
    }

    /// `--app` names the app of pushes; a change without one is for all apps.
    @Test func anAppForRecordsWithoutOneDoesNotApply() {
        let line = ReadLine(#"{"event":"settings","sounds":true}"#, app: "b")
        #expect(line.summary == ["sets sounds true for all apps @0"])
    }

    @Test func aRejectedChangeIsQuotedAsItWas() {
        let text = #"{"event":"settings","app":"\u0061","delivery":"o\u0066f!"}"#
        #expect(ReadLine(text).records.map(\.rejectedText) == [text])
    }

    @Test func severalChangesOfALineAreSeparateRecords() {
        let line = #"[{"event":"settings","app":"a","sounds":true},{"event":"settings","delivery":"off"}]"#
        #expect(ReadLine(line).summary == ["sets sounds true for a @0", "sets off for all apps @0"])
    }
}
