/// Entries of local notifications, as `UNNotificationRequest` and `UNNotification` describe them.
enum LocalShape {
    typealias Case = ShapeTests.Case

    static let cases = contents + recognition + identity + envelopes + types + lines

    private static func request(_ name: String, _ line: String, _ records: String...) -> Case {
        Case("local", name, line, records: records)
    }

    private static let contents: [Case] = [
        request(
            "all fields",
            #"{"ts":1,"app":"a","device":"d","identifier":"i","content":{"title":"T","subtitle":"S","body":"B","threadIdentifier":"t","categoryIdentifier":"k","summaryArgument":"s","summaryArgumentCount":3,"sound":"default","badge":2,"userInfo":{"x":1}},"trigger":{"repeats":false,"timeInterval":60}}"#,
            "app=a argument=s body=B category=k collapse=i device=d id=i subtitle=S thread=t title=T @1000 ×3"
        ),
        request(
            "texts with escapes",
            #"{"app":"a","identifier":"\u0069","content":{"title":"\u0054","body":"\"B\"\n","threadIdentifier":"\u0074"},"trigger":{}}"#,
            "app=a body=\"B\"\n collapse=i id=i thread=t title=T"),
        request(
            "empty texts are absent",
            #"{"app":"a","identifier":"i","content":{"title":"","subtitle":"","body":"B","threadIdentifier":"","categoryIdentifier":"","summaryArgument":""}}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "only a badge and empty texts",
            #"{"app":"a","identifier":"i","content":{"title":"","subtitle":"","body":"","badge":1},"trigger":null}"#,
            "silent"),
        request(
            "only empty texts",
            #"{"app":"a","identifier":"i","content":{"title":"","body":""},"trigger":null}"#,
            "silent"),
        request(
            "a content that is a text",
            #"{"app":"a","identifier":"i","content":"{\"title\":\"T\",\"body\":\"\\u0042\"}"}"#,
            "app=a body=B collapse=i id=i title=T"),
        request(
            "a content before the one of a request",
            #"{"app":"a","identifier":"i","content":{"title":"T"},"request":{"identifier":"j","content":{"body":"B"}}}"#,
            "app=a collapse=i id=i title=T"),
        request(
            "a delivered notification",
            #"{"app":"a","device":"d","request":{"identifier":"i","content":{"title":"T","subtitle":"S","body":"B","threadIdentifier":"t","categoryIdentifier":"k","summaryArgument":"s","summaryArgumentCount":2},"trigger":null},"date":"2023-11-14T22:13:20Z"}"#,
            "app=a argument=s body=B category=k collapse=i device=d id=i subtitle=S thread=t title=T @1700000000000 ×2"
        ),
    ]

    private static let recognition: [Case] = [
        request(
            "a subtitle and an identifier", #"{"app":"a","identifier":"i","content":{"subtitle":"S"}}"#,
            "app=a collapse=i id=i subtitle=S"),
        request(
            "a title and a trigger", #"{"app":"a","content":{"title":"T"},"trigger":{}}"#, "app=a title=T"),
        request(
            "a body and a null trigger", #"{"app":"a","content":{"body":"B"},"trigger":null}"#, "app=a body=B"
        ),
        request(
            "an identifier and a null trigger",
            #"{"app":"a","identifier":"i","content":{"body":"B"},"trigger":null}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "a request and a trigger", #"{"app":"a","request":{"content":{"subtitle":"S"},"trigger":{}}}"#,
            "app=a subtitle=S"),
        request(
            "a request and a null trigger",
            #"{"app":"a","request":{"content":{"title":"T"},"trigger":null}}"#,
            "app=a title=T"),
        request(
            "neither an identifier nor a trigger", #"{"app":"a","content":{"title":"T"}}"#, Case.unmatched),
        request(
            "a request without an identifier or a trigger",
            #"{"app":"a","request":{"content":{"title":"T"}}}"#,
            Case.unmatched),
        request("no content", #"{"app":"a","identifier":"i","trigger":{}}"#, Case.unmatched),
        request(
            "a null content", #"{"app":"a","identifier":"i","content":null,"trigger":{}}"#, Case.unmatched),
        request(
            "an empty content", #"{"app":"a","identifier":"i","content":{},"trigger":{}}"#, Case.unmatched),
        request(
            "a content without texts", #"{"app":"a","identifier":"i","content":{"url":"/x"},"trigger":{}}"#,
            Case.unmatched),
        request(
            "null texts", #"{"app":"a","identifier":"i","content":{"title":null,"body":null}}"#,
            Case.unmatched),
        request(
            "a content of another type", #"{"app":"a","identifier":"i","content":["title"],"trigger":{}}"#,
            Case.unmatched),
        request(
            "texts outside of a content", #"{"app":"a","identifier":"i","title":"T","trigger":{}}"#,
            Case.unmatched),
        request(
            "contents", #"{"app":"a","identifier":"i","contents":{"title":"T"},"trigger":{}}"#,
            Case.unmatched),
    ]

    private static let identity: [Case] = [
        request(
            "another id is the id", #"{"app":"a","id":"x","identifier":"i","content":{"body":"B"}}"#,
            "app=a body=B collapse=i id=x"),
        request(
            "an identifier precedes a collapse id",
            #"{"app":"a","collapse-id":"c","identifier":"i","content":{"body":"B"}}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "a collapse id without an identifier",
            #"{"app":"a","collapse-id":"c","content":{"body":"B"},"trigger":{}}"#,
            "app=a body=B collapse=c"),
        request(
            "an empty identifier", #"{"app":"a","identifier":"","content":{"body":"B"},"trigger":{}}"#,
            "app=a body=B"),
        request(
            "a number", #"{"app":"a","identifier":12,"content":{"body":"B"}}"#,
            "app=a body=B collapse=12 id=12"),
        request(
            "an identifier of another type", #"{"app":"a","identifier":{"x":1},"content":{"body":"B"}}"#,
            "app=a body=B"),
        request(
            "that of a request precedes the entry's",
            #"{"app":"a","identifier":"e","request":{"identifier":"i","content":{"body":"B"}}}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "an entry's, of a request without one",
            #"{"app":"a","identifier":"e","request":{"content":{"body":"B"},"trigger":null}}"#,
            "app=a body=B collapse=e id=e"),
    ]

    private static let envelopes: [Case] = [
        request("no app", #"{"identifier":"i","content":{"body":"B"}}"#, "app.missing"),
        Case(
            "local", "the app of the command", #"{"identifier":"i","content":{"body":"B"}}"#, app: "z",
            "app=z body=B collapse=i id=i"),
        request(
            "names of other services",
            #"{"bundleId":"a","deviceToken":"d","time":"2023-11-14T22:13:20Z","identifier":"i","content":{"body":"B"}}"#,
            "app=a body=B collapse=i device=d id=i @1700000000000"),
        request(
            "an invalid time", #"{"app":"a","date":"soon","identifier":"i","content":{"body":"B"}}"#,
            "timestamp.invalid"),
        request(
            "a push type has no meaning",
            #"{"app":"a","push-type":"background","identifier":"i","content":{"body":"B"}}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "a payload that is not an object",
            #"{"app":"a","payload":[1],"identifier":"i","content":{"body":"B"}}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "an identifier that is longer than any",
            #"{"app":"a","identifier":"\#(String(repeating: "i", count: 4_097))","content":{"body":"B"}}"#,
            "field.too-long"),
    ]

    private static let types: [Case] = [
        request(
            "a title of another type",
            #"{"app":"a","identifier":"i","content":{"title":{"en":"T"},"body":"B"}}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "no text of the right type",
            #"{"app":"a","identifier":"i","content":{"title":{"en":"T"},"subtitle":["S"],"body":true}}"#,
            "silent"),
        request(
            "a number as a title", #"{"app":"a","identifier":"i","content":{"title":5}}"#,
            "app=a collapse=i id=i title=5"),
        request(
            "other fields",
            #"{"app":"a","identifier":"i","content":{"body":"B","threadIdentifier":{},"categoryIdentifier":[],"summaryArgument":true,"summaryArgumentCount":"2","sound":1,"badge":"3","interruptionLevel":{},"relevanceScore":"x"}}"#,
            "app=a body=B collapse=i id=i"),
        request(
            "null fields",
            #"{"app":"a","identifier":"i","content":{"body":"B","title":null,"threadIdentifier":null,"badge":null,"sound":null},"trigger":null}"#,
            "app=a body=B collapse=i id=i"),
    ]

    private static let lines: [Case] = [
        request(
            "an array",
            #"[{"app":"a","identifier":"i","content":{"body":"B"}},{"app":"a","content":{"title":"T"}},{"app":"a","content":{"title":"\u0055"},"trigger":null},{"app":"a","request":{"identifier":"j","content":{"body":"C"}},"date":1}]"#,
            "app=a body=B collapse=i id=i", Case.unmatched, "app=a title=U",
            "app=a body=C collapse=j id=j @1000"),
        request(
            "the time of a wrapper",
            #"{"time":1700000000,"log":"{\"app\":\"a\",\"identifier\":\"i\",\"content\":{\"body\":\"B\"}}"}"#,
            "app=a body=B collapse=i id=i @1700000000000"),
    ]
}
