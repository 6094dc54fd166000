import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// The shapes that ship with Sheaf (specification §12.2), each with `auto` and forced.
@Suite struct ShapeTests {
    struct Case: NamedCase {
        let name: String
        /// The shape; the name that forces it.
        let shape: String
        let line: String
        var app: String?
        let records: [String]

        init(_ shape: String, _ name: String, _ line: String, app: String? = nil, _ records: String...) {
            self.name = "\(shape): \(name)"
            self.shape = shape
            self.line = line
            self.app = app
            self.records = records
        }

        /// A record that fits no shape.
        static let unmatched = "unmatched"

        init(_ shape: String, _ name: String, _ line: String, records: [String]) {
            self.name = "\(shape): \(name)"
            self.shape = shape
            self.line = line
            self.records = records
        }
    }

    @Test(arguments: fcm + sns + gorush + expo + oneSignal + parse + LocalShape.cases)
    func aShapeGivesItsRecords(_ item: Case) throws {
        let forced = try #require(LogInput(named: item.shape))
        for input in [LogInput.automatic, forced] {
            let line = ReadLine(item.line, input, app: item.app)
            let reason = input.name == forced.name ? "input.unmatched" : "payload.missing"
            #expect(line.summary == item.records.map { $0 == Case.unmatched ? reason : $0 }, "\(input.name)")
            #expect(line.isUnchangedAtTheEnd)
        }
    }

    /// After other entries of a shape, a line is not read as a native record first.
    @Test(arguments: fcm + sns + gorush + expo + oneSignal + parse + LocalShape.cases)
    func anEntryAfterOthersHasTheSameRecords(_ item: Case) {
        let line = ReadLine(item.line, app: item.app, expectsForeign: true)
        #expect(line.records == ReadLine(item.line, app: item.app).records)
        #expect(line.isUnchangedAtTheEnd)
    }

    /// Native records among entries of a shape, and lines that are neither.
    @Test(arguments: [
        #"{"app":"a","payload":{"aps":{"alert":"x"}}}"#, #"{"app":"a","aps":{"alert":"x"}}"#,
        #"{"app":"a","payload":"{\"aps\":{\"alert\":\"x\"}}"}"#, #"{"app":"a","payload":null}"#,
        #"{"event":"removed","app":"a","ids":["i"],"ts":1}"#, #"{"event":5,"message":{}}"#,
        #"{"schema":null,"payload":{"aps":{"alert":"x"}}}"#, #"{"schema":{},"name":"x"}"#, #"{"name":"x"}"#,
        "[]", "5", "{", "", #"[{"app":"a","aps":{"alert":"x"}}]"#,
        #"{"p\u0061yload":{"aps":{"alert":"x"}},"app":"a"}"#,
    ])
    func aNativeRecordAfterEntriesIsRead(_ text: String) {
        let line = ReadLine(text, expectsForeign: true)
        #expect(line.records == ReadLine(text).records)
    }

    static let fcm: [Case] = [
        Case(
            "fcm", "a message in an envelope",
            #"{"time":"2023-11-14T22:13:20Z","message":{"token":"d","notification":{"title":"T","body":"B"},"apns":{"headers":{"apns-topic":"a","apns-id":"i","apns-collapse-id":"c"},"payload":{"aps":{"thread-id":"t","category":"k"}}}}}"#,
            "app=a body=B category=k collapse=c device=d id=i thread=t title=T @1700000000000"),
        Case(
            "fcm", "a message alone",
            #"{"token":"d","notification":{"body":"B"},"apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"thread-id":"t"}}},"ts":1}"#,
            "app=a body=B device=d thread=t @1000"),
        Case(
            "fcm", "the alert of apns counts, not that of the notification",
            #"{"message":{"token":"d","notification":{"title":"T","body":"B"},"apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":{"body":"P"}}}}}}"#,
            "app=a body=P device=d"),
        Case(
            "fcm", "an alert that is a text",
            #"{"message":{"token":"d","notification":{"title":"T"},"apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"P"}}}}}"#,
            "app=a body=P device=d"),
        Case(
            "fcm", "a null alert is absent",
            #"{"message":{"token":"d","notification":{"title":"T"},"apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":null}}}}}"#,
            "app=a device=d title=T"),
        Case(
            "fcm", "no apns: the app from the envelope",
            #"{"bundle_id":"a","message":{"token":"d","notification":{"title":"T","body":"B"}}}"#,
            "app=a body=B device=d title=T"),
        Case(
            "fcm", "the app from the headers precedes the envelope's",
            #"{"app":"e","message":{"token":"d","notification":{"body":"B"},"apns":{"headers":{"apns-topic":"a"}}}}"#,
            "app=a body=B device=d"),
        Case(
            "fcm", "no app", #"{"message":{"token":"d","notification":{"body":"B"}}}"#, "app.missing"),
        Case(
            "fcm", "the app of the command",
            #"{"message":{"token":"d","notification":{"body":"B"}}}"#, app: "z", "app=z body=B device=d"),
        Case(
            "fcm", "a topic is no app",
            #"{"message":{"topic":"news","notification":{"body":"B"}}}"#, app: "z", "app=z body=B"),
        Case(
            "fcm", "a topic of a message alone is no app",
            #"{"topic":"news","notification":{"body":"B"}}"#, app: "z", "app=z body=B"),
        Case(
            "fcm", "a condition", #"{"message":{"condition":"'x' in topics","notification":{"body":"B"}}}"#,
            app: "z", "app=z body=B"),
        Case(
            "fcm", "only data", #"{"app":"a","message":{"token":"d","apns":{"payload":{"x":1}}}}"#,
            "aps.missing"),
        Case(
            "fcm", "a background push",
            #"{"message":{"token":"d","apns":{"headers":{"apns-topic":"a","apns-push-type":"background"},"payload":{"aps":{"alert":"x","content-available":1}}}}}"#,
            "silent"),
        Case(
            "fcm", "a payload that is a text",
            #"{"message":{"token":"d","apns":{"headers":{"apns-topic":"a"},"payload":"{\"aps\":{\"alert\":\"\\u0050\"}}"}}}"#,
            "app=a body=P device=d"),
        Case(
            "fcm", "a payload of another type",
            #"{"message":{"token":"d","apns":{"headers":{"apns-topic":"a"},"payload":[1]}}}"#,
            "payload.invalid"),
        Case(
            "fcm", "localized texts",
            #"{"message":{"token":"d","apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":{"title-loc-key":"T","loc-key":"K","loc-args":["x","\u0079"]}}}}}}"#,
            #"app=a body=K ["x","\u0079"] device=d title=T "#),
        Case(
            "fcm", "a body from the notification next to localized texts",
            #"{"message":{"token":"d","notification":{"title":"N"},"apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":{"loc-key":"K"}}}}}}"#,
            "app=a body=K  device=d"),
    ]

    static let sns: [Case] = [
        Case(
            "sns", "a notification",
            #"{"Type":"Notification","MessageId":"m","Message":"{\"default\":\"x\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"O\\\\u006ee\\\",\\\"thread-id\\\":\\\"t\\\"}}\"}","Timestamp":"2023-11-14T22:13:20.000Z","TargetArn":"arn:aws:sns:us-east-1:123456789012:endpoint/APNS/a/d","MessageAttributes":{"AWS.SNS.MOBILE.APNS.COLLAPSE_ID":{"Type":"String","Value":"c"}}}"#,
            "app=a body=One collapse=c device=d id=m thread=t @1700000000000"),
        Case(
            "sns", "a message that is an object",
            #"{"Type":"Notification","Message":{"APNS":{"aps":{"alert":"x"}}},"app":"a"}"#, "app=a body=x"),
        Case("sns", "a message alone", #"{"APNS":"{\"aps\":{\"alert\":\"x\"}}","app":"a"}"#, "app=a body=x"),
        Case("sns", "a sandbox", #"{"APNS_SANDBOX":{"aps":{"alert":"x"}},"app":"a"}"#, "app=a body=x"),
        Case(
            "sns", "APNS precedes the sandbox",
            #"{"APNS_SANDBOX":{"aps":{"alert":"s"}},"APNS":{"aps":{"alert":"x"}},"app":"a"}"#, "app=a body=x"),
        Case("sns", "voice", #"{"APNS_VOIP":{"aps":{"alert":"x"}},"app":"a"}"#, "silent"),
        Case(
            "sns", "attributes",
            #"{"APNS":{"aps":{"alert":"x"}},"app":"e","MessageAttributes":{"AWS.SNS.MOBILE.APNS.TOPIC":{"StringValue":"a"},"AWS.SNS.MOBILE.APNS.PUSH_TYPE":{"Value":"alert"}}}"#,
            "app=a body=x"),
        Case(
            "sns", "a push type of background",
            #"{"APNS":{"aps":{"alert":"x"}},"app":"a","MessageAttributes":{"AWS.SNS.MOBILE.APNS.PUSH_TYPE":{"Value":"background"}}}"#,
            "silent"),
        Case(
            "sns", "the destination of a delivery",
            #"{"APNS":{"aps":{"alert":"x"}},"delivery":{"destination":"arn:aws:sns:us-east-1:1:endpoint/APNS_SANDBOX/a/d"}}"#,
            "app=a body=x device=d"),
        Case(
            "sns", "an invalid payload", #"{"APNS":"{\"aps\":","app":"a"}"#, "payload.invalid"),
        Case("sns", "no aps", #"{"APNS":"{}","app":"a"}"#, "aps.missing"),
        Case("sns", "no app", #"{"APNS":{"aps":{"alert":"x"}}}"#, "app.missing"),
        Case(
            "sns", "a short endpoint",
            #"{"APNS":{"aps":{"alert":"x"}},"TargetArn":"arn:aws:sns:x:1:topic"}"#, "app.missing"),
    ]

    static let gorush: [Case] = [
        Case(
            "gorush", "a request",
            #"{"ts":1,"notifications":[{"tokens":["d","e"],"platform":1,"title":"T","subtitle":"S","message":"B","thread-id":"t","category":"k","topic":"a","collapse_id":"c"},{"tokens":["f"],"platform":1,"message":"C","topic":"a"}]}"#,
            "app=a body=B category=k collapse=c device=d subtitle=S thread=t title=T @1000",
            "app=a body=B category=k collapse=c device=e subtitle=S thread=t title=T @1000",
            "app=a body=C device=f @1000"),
        Case(
            "gorush", "other platforms, each token",
            #"{"notifications":[{"tokens":["d","e"],"platform":2,"message":"B"},{"tokens":["f"],"platform":3,"message":"B"},{"tokens":["g"],"platform":1,"message":"B","topic":"a"}]}"#,
            "other platform", "other platform", "other platform", "app=a body=B device=g"),
        Case(
            "gorush", "a notification alone", #"{"tokens":["d"],"platform":1,"message":"B","topic":"a"}"#,
            "app=a body=B device=d"),
        Case(
            "gorush", "an alert object",
            #"{"tokens":["d"],"platform":1,"message":"M","topic":"a","alert":{"title":"T","loc-key":"K","loc-args":["x"]}}"#,
            // Gorush sends `message` as the body of the alert.
            "app=a body=M device=d title=T"),
        Case(
            "gorush", "localized texts for each token",
            #"{"tokens":["d","e"],"platform":1,"topic":"a","alert":{"loc-key":"K","loc-args":["x"]}}"#,
            #"app=a body=K ["x"] device=d"#, #"app=a body=K ["x"] device=e"#),
        Case(
            "gorush", "no tokens", #"{"tokens":[],"platform":1,"message":"B","topic":"a"}"#, "app=a body=B"),
        Case(
            "gorush", "a background push",
            #"{"tokens":["d"],"platform":1,"content_available":true,"topic":"a"}"#, "silent"),
        Case(
            "gorush", "content_available is false, which builds nothing",
            #"{"tokens":["d"],"platform":1,"content_available":false,"topic":"a"}"#, "payload.missing"),
        Case(
            "gorush", "a push type",
            #"{"tokens":["d"],"platform":1,"message":"B","push_type":"Background","topic":"a"}"#, "silent"),
        Case(
            "gorush", "an unusable notification among usable ones",
            #"{"notifications":[{"tokens":["d"],"platform":1,"message":"B","topic":"a"},{"tokens":["e"],"platform":1,"message":"B"},7,{"tokens":["f"],"platform":1,"message":"C","topic":"a"}]}"#,
            "app=a body=B device=d", "app.missing", "json.not-object", "app=a body=C device=f"),
        Case(
            "gorush", "tokens with escapes",
            #"{"tokens":["\u0064","\"\\","e\n"],"platform":1,"message":"\u0042","topic":"\u0061"}"#,
            "app=a body=B device=d", "app=a body=B device=\"\\", "app=a body=B device=e\n"),
        Case(
            "gorush", "tokens that are not texts",
            #"{"tokens":["d",null,5,{},"",[]],"platform":1,"message":"B","topic":"a"}"#,
            "app=a body=B device=d", "app=a body=B", "app=a body=B device=5", "app=a body=B", "app=a body=B",
            "app=a body=B"),
    ]

    static let expo: [Case] = [
        Case(
            "expo", "a message",
            #"{"to":"ExponentPushToken[x]","title":"T","subtitle":"S","body":"B","categoryId":"k","ts":1}"#,
            app: "a", "app=a body=B category=k device=ExponentPushToken[x] subtitle=S title=T @1000"),
        Case(
            "expo", "several tokens", #"{"to":["ExpoPushToken[x]","ExpoPushToken[y]"],"body":"B"}"#, app: "a",
            "app=a body=B device=ExpoPushToken[x]", "app=a body=B device=ExpoPushToken[y]"),
        Case(
            "expo", "an array of messages",
            #"[{"to":["ExpoPushToken[x]","ExpoPushToken[y]"],"body":"B"},{"to":"ExpoPushToken[z]","body":"C"}]"#,
            app: "a", "app=a body=B device=ExpoPushToken[x]", "app=a body=B device=ExpoPushToken[y]",
            "app=a body=C device=ExpoPushToken[z]"),
        Case(
            "expo", "only data", #"{"to":"ExpoPushToken[x]","_contentAvailable":true}"#, app: "a", "silent"),
        Case("expo", "no app", #"{"to":"ExpoPushToken[x]","body":"B"}"#, "app.missing"),
        Case(
            "expo", "a token with escapes", #"{"to":["Expo\u0050ushToken[x]"],"body":"B"}"#, app: "a",
            "app=a body=B device=ExpoPushToken[x]"),
    ]

    static let oneSignal: [Case] = [
        Case(
            "onesignal", "a message",
            #"{"app_id":"o","id":"i","contents":{"de":"Eins","en":"One"},"headings":{"en":"T"},"thread_id":"t","collapse_id":"c","ios_category":"k","summary_arg":"s","summary_arg_count":3,"send_after":"2023-11-14 22:13:20 GMT+0000"}"#,
            app: "a",
            "app=a argument=s body=One category=k collapse=c id=i thread=t title=T @1700000000000 ×3"),
        Case(
            "onesignal", "the app id is no app", #"{"app_id":"o","contents":{"en":"One"}}"#, "app.missing"),
        Case(
            "onesignal", "time of completion",
            #"{"app_id":"o","bundle_id":"a","headings":{"en":"T"},"completed_at":1700000000}"#,
            "app=a title=T @1700000000000"),
        Case(
            "onesignal", "null dates",
            #"{"app_id":"o","bundle_id":"a","headings":{"en":"T"},"send_after":null,"completed_at":null,"ts":1}"#,
            "app=a title=T @1000"),
        Case(
            "onesignal", "only another language",
            #"{"app_id":"o","bundle_id":"a","contents":{"de":"Eins"},"thread_id":"t"}"#, "silent"),
    ]

    static let parse: [Case] = [
        Case(
            "parse", "data",
            #"{"where":{},"data":{"alert":"A","threadId":"t","category":"k"},"push_time":"2023-11-14T22:13:20Z","app":"a"}"#,
            "app=a body=A category=k thread=t @1700000000000"),
        Case(
            "parse", "an alert object in a body",
            #"{"body":{"channels":["c"],"data":{"alert":{"title":"T","body":"B"}},"push_time":{"iso":"2023-11-14T22:13:20Z"}},"app":"a"}"#,
            "app=a body=B title=T @1700000000000"),
        Case(
            "parse", "no query", #"{"data":{"alert":"A"},"app":"a"}"#, Case.unmatched),
        Case(
            "parse", "a background push",
            #"{"where":{},"data":{"alert":"","content-available":1},"app":"a"}"#, "silent"),
    ]

    /// The texts of the preferred language are used, or else those in English.
    @Test func oneSignalUsesTheLocale() throws {
        let line =
            #"{"app_id":"o","app":"a","contents":{"de":"Eins","en":"One"},"headings":{"en":"T","de-AT":"Ö"}}"#
        for (locale, expected) in [
            ("de", "app=a body=Eins title=T"), ("de_AT", "app=a body=Eins title=Ö"),
            ("de-AT", "app=a body=Eins title=Ö"), ("fr", "app=a body=One title=T"),
            ("en_GB", "app=a body=One title=T"),
        ] {
            let identifier = try #require(LocaleIdentifier(locale))
            let input = LogInput.automatic.localized(identifier)
            #expect(ReadLine(line, input).summary == [expected], "\(locale)")
        }
    }

    /// A value of the wrong type is absent, with its finding, as in a native record.
    @Test func localNotificationsHaveTheFindingsOfFields() {
        for (content, expected) in [
            (#""body":"B""#, []), (#""title":"","body":"B","badge":null"#, []), (#""title":5"#, []),
            (#""title":{"en":"T"}"#, [.titleType]),
            (#""subtitle":[],"body":true"#, [.subtitleType, .bodyType]),
            (#""body":"B","threadIdentifier":{}"#, [.threadType]),
            (#""body":"B","categoryIdentifier":{}"#, [.categoryType]),
            (#""body":"B","summaryArgument":{}"#, [.summaryArgType]),
            (#""body":"B","summaryArgumentCount":0"#, [.summaryCountInvalid]),
            (#""body":"B","sound":1"#, [.soundType]), (#""body":"B","badge":"3""#, [.badgeType]),
            (#""body":"B","interruptionLevel":{}"#, [.interruptionLevelType]),
            (#""body":"B","relevanceScore":"x""#, [.relevanceScoreType]),
        ] as [(String, [Finding])] {
            for line in [
                #"{"app":"a","identifier":"i","content":{\#(content)},"trigger":null}"#,
                #"{"app":"a","request":{"identifier":"i","content":{\#(content)}}}"#,
            ] {
                #expect(ReadLine(line).records.map(\.findings) == [expected], "\(line)")
            }
        }
    }

    static let order: [Example<String, String>] = [
        .init(
            "native before fcm",
            #"{"app":"a","aps":{"alert":"n"},"apns":{"payload":{"aps":{"alert":"f"}}}}"#, "app=a body=n"),
        .init(
            "fcm before sns",
            #"{"app":"a","apns":{"payload":{"aps":{"alert":"f"}}},"APNS":{"aps":{"alert":"s"}}}"#,
            "app=a body=f"),
        .init(
            "sns before gorush",
            #"{"app":"a","tokens":["d"],"platform":1,"message":"g","APNS":{"aps":{"alert":"s"}}}"#,
            "app=a body=s"),
        .init(
            "gorush before expo",
            #"{"app":"a","tokens":["d"],"platform":1,"message":"g","to":"ExpoPushToken[x]","body":"e"}"#,
            "app=a body=g device=d"),
        .init(
            "expo before onesignal",
            #"{"app":"a","to":"ExpoPushToken[x]","body":"e","app_id":"o","contents":{"en":"o"}}"#,
            "app=a body=e device=ExpoPushToken[x]"),
        .init(
            "native before local",
            #"{"app":"a","aps":{"alert":"n"},"identifier":"i","content":{"title":"l"},"trigger":{}}"#,
            "app=a body=n"),
        .init(
            "a native payload before local",
            #"{"app":"a","payload":{"aps":{"alert":"n"}},"identifier":"i","content":{"title":"l"}}"#,
            "app=a body=n"),
        .init(
            "fcm before local",
            #"{"app":"a","message":{"token":"d","notification":{"body":"f"}},"identifier":"i","content":{"title":"l"}}"#,
            "app=a body=f device=d"),
        .init(
            "expo before local",
            #"{"app":"a","to":"ExpoPushToken[x]","body":"e","identifier":"i","content":{"title":"l"}}"#,
            "app=a body=e device=ExpoPushToken[x]"),
        .init(
            "onesignal before local",
            #"{"app":"a","app_id":"o","contents":{"en":"o"},"identifier":"i","content":{"title":"l"}}"#,
            "app=a body=o"),
        .init(
            "parse before local",
            #"{"app":"a","where":{},"data":{"alert":"p"},"identifier":"i","content":{"title":"l"}}"#,
            "app=a body=p"),
    ]

    /// The first shape that an entry fits counts, in the order in which `sheaf inputs` lists them.
    @Test(arguments: order)
    func theFirstShapeCounts(_ item: Example<String, String>) {
        #expect(ReadLine(item.input).summary == [item.expected])
    }

    @Test func aForcedShapeReadsNoOther() throws {
        let native = #"{"app":"a","aps":{"alert":"x"}}"#
        let fcm = #"{"app":"a","apns":{"payload":{"aps":{"alert":"f"}}}}"#
        for shape in InputShape.all {
            let input = try #require(LogInput(named: shape.name))
            #expect(ReadLine(native, input).records.first?.outcome == .rejected(.inputUnmatched))
        }
        let apns = try #require(LogInput(named: "apns"))
        #expect(ReadLine(fcm, apns).summary == ["payload.missing"])
        #expect(ReadLine(native, apns).summary == ["app=a body=x"])
    }
}
