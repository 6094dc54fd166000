import TestSupport
import Testing

@testable import SheafGroups

/// What log shippers and queues wrap around entries, and the indices of records in a line (specification §12.3, §12.5).
@Suite struct WrapperTests {
    private static let entry: String = #"{"app":"a","aps":{"alert":"x \"q\" \\ \u00e9"}}"#
    private static let shown = #"app=a body=x "q" \ é"#

    static let wrappers: [Example<String, Int>] = [
        .init("message, object", #"{"message":\#(entry)}"#, 1),
        .init("message, text", #"{"message":\#(quoted(entry))}"#, 1),
        .init("log, object", #"{"log":\#(entry),"stream":"stdout"}"#, 1),
        .init("log, text", #"{"log":\#(quoted(entry).dropLast())\n","stream":"stdout"}"#, 1),
        .init("payload with a schema, object", #"{"schema":{"type":"struct"},"payload":\#(entry)}"#, 1),
        .init("payload with a schema, text", #"{"schema":{"type":"string"},"payload":\#(quoted(entry))}"#, 1),
        .init("payload with a null schema", #"{"schema":null,"payload":\#(entry)}"#, 1),
        .init("payload before its schema", #"{"payload":\#(entry),"schema":null}"#, 1),
        .init("log events", #"{"logEvents":[{"message":\#(quoted(entry))},{"message":\#(entry)}]}"#, 2),
        .init(
            "Lambda", #"{"Records":[{"Sns":{"message":\#(entry)}},{"Sns":\#(quoted(entry))}]}"#, 2),
        .init("SQS", #"{"Records":[{"body":\#(quoted(entry))},{"body":\#(entry)}]}"#, 2),
        .init("array", "[\(entry),\(entry),\(entry)]", 3),
        .init("array of texts", "[\(quoted(entry)),\(quoted(entry))]", 2),
        .init("array of arrays", "[[\(entry)],[\(entry),\(entry)]]", 3),
        .init("message, array", #"{"message":[\#(entry),\#(entry)]}"#, 2),
        .init("message, array as a text", #"{"message":\#(quoted("[\(entry),\(entry)]"))}"#, 2),
        .init("array with spaces", " [ \(entry) , \(entry) ] ", 2),
        .init("other members", #"{"a":[{}],"message":\#(entry),"b":"{\"aps\":{}}"}"#, 1),
    ]

    @Test(arguments: wrappers)
    func aWrapperIsRemoved(_ item: Example<String, Int>) throws {
        let apns = try #require(LogInput(named: "apns"))
        for input in [LogInput.automatic, apns] {
            let line = ReadLine(item.input, input)
            #expect(line.summary == Array(repeating: Self.shown, count: item.expected), "\(input.name)")
            #expect(line.isUnchangedAtTheEnd)
        }
    }

    /// Each wrapper inside each other one, with every shape.
    @Test(arguments: Nest.all)
    func wrappersMayBeNested(_ nest: Nest) throws {
        let reader = EntryReader(.automatic)
        for (line, expected) in [
            (Self.entry, [Self.shown]),
            (
                #"{"notifications":[{"tokens":["d","\u0065"],"platform":1,"message":"\"x\"","topic":"a"}]}"#,
                [#"app=a body="x" device=d"#, #"app=a body="x" device=e"#]
            ),
            (
                #"{"message":{"token":"d","notification":{"body":"\"x\""},"apns":{"headers":{"apns-topic":"a"}}}}"#,
                [#"app=a body="x" device=d"#]
            ),
            (
                #"{"Type":"Notification","Message":"{\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"x\\\"}}\"}","app":"a"}"#,
                ["app=a body=x"]
            ),
            (
                #"{"to":["ExpoPushToken[x]"],"body":"\"x\"","app":"a"}"#,
                [#"app=a body="x" device=ExpoPushToken[x]"#]
            ),
            (#"{"app_id":"o","contents":{"en":"x"},"app":"a"}"#, ["app=a body=x"]),
            (#"{"where":{},"data":{"alert":"x"},"app":"a"}"#, ["app=a body=x"]),
            (#"{"content":{"body":"\"x\""},"trigger":null,"app":"a"}"#, [#"app=a body="x""#]),
            (
                #"{"request":{"identifier":"i","content":{"body":"x"}},"app":"a"}"#,
                ["app=a body=x collapse=i id=i"]
            ),
        ] {
            for outer in Nest.wrappers {
                let wrapped = outer.wrap(nest.wrapper.wrap(line))
                #expect(ReadLine(wrapped, by: reader).summary == expected, "\(wrapped)")
            }
        }
    }

    struct Nest: NamedCase {
        let wrapper: Wrapper
        var name: String { wrapper.name }

        struct Wrapper: NamedCase {
            let name: String
            let wrap: @Sendable (String) -> String
        }

        static let wrappers: [Wrapper] = [
            .init(name: "message") { #"{"message":\#($0)}"# },
            .init(name: "message as a text") { #"{"host":"h","message":\#(quoted($0))}"# },
            .init(name: "log as a text") { #"{"log":\#(quoted($0)),"stream":"stdout"}"# },
            .init(name: "schema") { #"{"schema":{"type":"struct"},"payload":\#($0)}"# },
            .init(name: "schema and a text") { #"{"schema":null,"payload":\#(quoted($0))}"# },
            .init(name: "log events") { #"{"logEvents":[{"id":"1","message":\#(quoted($0))}]}"# },
            .init(name: "Lambda") { #"{"Records":[{"EventSource":"aws:sns","Sns":\#($0)}]}"# },
            .init(name: "SQS") { #"{"Records":[{"messageId":"m","body":\#(quoted($0))}]}"# },
            .init(name: "array") { "[\($0)]" },
            .init(name: "array of a text") { "[\(quoted($0))]" },
        ]
        static let all = wrappers.map { Nest(wrapper: $0) }
    }

    @Test(arguments: Nest.wrappers)
    func wrappersAreRemovedUpToFourDeep(_ wrapper: Nest.Wrapper) {
        let reader = EntryReader(.automatic)
        var line = Self.entry
        for depth in 1...5 {
            line = wrapper.wrap(line)
            let read = ReadLine(line, by: reader)
            if depth <= 4 {
                #expect(read.summary == [Self.shown], "\(depth) deep")
            } else {
                #expect(read.records.count == 1)
                guard case .rejected = read.records.first?.outcome else {
                    Issue.record("\(depth) deep: \(read.summary)")
                    return
                }
            }
        }
    }

    /// What a shape consists of does not count as a wrapper.
    @Test func shapesMayBeFourDeep() {
        let reader = EntryReader(.automatic)
        for (line, count) in [
            (#"{"notifications":[{"tokens":["d","e"],"platform":1,"message":"x","topic":"a"}]}"#, 2),
            (#"{"message":{"token":"d","notification":{"body":"x"}},"app":"a"}"#, 1),
        ] {
            let wrapped = (1...4).reduce(line) { line, _ in #"{"log":\#(quoted(line))}"# }
            let read = ReadLine(wrapped, by: reader)
            #expect(read.summary == ReadLine(line, by: reader).summary)
            #expect(read.records.count == count)
            #expect(read.records.allSatisfy { $0.outcome == .notification })
        }
    }

    // MARK: Times and apps of wrappers
    static let times: [Example<String, String>] = [
        .init(
            "the entry's own", #"{"timestamp":5,"message":{"app":"a","ts":1,"aps":{"alert":"x"}}}"#,
            "app=a body=x @1000"),
        .init(
            "the wrapper's", #"{"timestamp":5,"message":{"app":"a","aps":{"alert":"x"}}}"#,
            "app=a body=x @5000"),
        .init(
            "the wrapper's under another name",
            #"{"log":"{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}\n","time":"2023-11-14T22:13:20.123456789Z"}"#,
            "app=a body=x @1700000000123"),
        .init(
            "the innermost wrapper's",
            #"{"ts":9,"message":{"ts":5,"log":{"app":"a","aps":{"alert":"x"}}}}"#, "app=a body=x @5000"),
        .init(
            "an outer wrapper's", #"{"ts":9,"message":{"log":{"app":"a","aps":{"alert":"x"}}}}"#,
            "app=a body=x @9000"),
        .init(
            "a null time is absent", #"{"ts":9,"message":{"app":"a","ts":null,"aps":{"alert":"x"}}}"#,
            "app=a body=x @9000"),
        .init(
            "that of a log event",
            #"{"ts":9,"logEvents":[{"timestamp":1700000000000,"message":{"app":"a","aps":{"alert":"x"}}}]}"#,
            "app=a body=x @1700000000000"),
        .init(
            "none", #"{"message":{"app":"a","aps":{"alert":"x"}}}"#, "app=a body=x"),
        .init(
            "with escapes", #"{"ts":"\u0039","message":{"app":"a","aps":{"alert":"x"}}}"#,
            "app=a body=x @9000"),
        .init(
            "an invalid one", #"{"ts":"never","message":{"app":"a","aps":{"alert":"x"}}}"#,
            "timestamp.invalid"),
        .init(
            "an invalid one that does not count",
            #"{"ts":"never","message":{"app":"a","ts":1,"aps":{"alert":"x"}}}"#, "app=a body=x @1000"),
        .init(
            "the entry's own is invalid", #"{"ts":9,"message":{"app":"a","ts":"never","aps":{"alert":"x"}}}"#,
            "timestamp.invalid"),
        .init(
            "that of another shape",
            #"{"ts":9,"message":{"to":"ExpoPushToken[x]","body":"B","app":"a"}}"#,
            "app=a body=B device=ExpoPushToken[x] @9000"),
        .init(
            "the own one of another shape",
            #"{"ts":9,"message":{"to":"ExpoPushToken[x]","body":"B","app":"a","ts":1}}"#,
            "app=a body=B device=ExpoPushToken[x] @1000"),
        .init(
            "the own one of a message alone",
            #"{"ts":9,"message":{"token":"d","time":1,"bundle_id":"a","notification":{"body":"B"}}}"#,
            "app=a body=B device=d @1000"),
        .init(
            "a wrapper has no app", #"{"app":"w","message":{"aps":{"alert":"x"}}}"#, "app.missing"),
    ]

    @Test(arguments: times)
    func aWrappersTimeCountsIfTheEntryHasNone(_ item: Example<String, String>) {
        #expect(ReadLine(item.input).summary == [item.expected])
    }

    /// The time of one element is not that of the next.
    @Test func timesAreForgotten() {
        let entry = #"{"app":"a","aps":{"alert":"x"}}"#
        let line =
            #"[{"ts":1,"message":\#(entry)},\#(entry),{"message":\#(entry)},{"ts":2,"message":[\#(entry),\#(entry)]},\#(entry)]"#
        #expect(
            ReadLine(line).summary == [
                "app=a body=x @1000", "app=a body=x", "app=a body=x", "app=a body=x @2000",
                "app=a body=x @2000",
                "app=a body=x",
            ])
    }

    @Test func theDefaultAppIsTheLast() {
        let line = #"[{"app":"a","aps":{"alert":"x"}},{"aps":{"alert":"y"}},{"app":"","aps":{"alert":"z"}}]"#
        #expect(
            ReadLine(line, app: "d").summary == ["app=a body=x", "app=d body=y", "app=d body=z"])
        #expect(ReadLine(#"{"aps":{"alert":"y"}}"#, app: "d").summary == ["app=d body=y"])
        #expect(ReadLine(#"{"aps":{"alert":"y"}}"#, app: "d.voip").summary == ["silent"])
    }

    // MARK: Values that only look like wrappers
    static let others: [Example<String, [String]>] = [
        .init("a message that is a text", #"{"message":"Hello"}"#, ["payload.missing"]),
        .init("a message that begins like an entry", #"{"message":"{not json"}"#, ["json.invalid"]),
        .init("an empty object", #"{"message":{}}"#, ["payload.missing"]),
        .init("an empty line array", "[]", ["json.not-object"]),
        .init("numbers", "[1,2]", ["json.not-object"]),
        .init("texts", #"["a","b"]"#, ["json.not-object"]),
        .init("empty records", #"{"Records":[]}"#, ["payload.missing"]),
        .init(
            "an app with a schema", #"{"schema":1,"app":"a","payload":{"aps":{"alert":"x"}}}"#,
            ["app=a body=x"]),
        .init(
            "an app of its own",
            #"{"schema":{"type":"struct"},"app":"a","payload":{"aps":{"alert":"x"}}}"#, ["app=a body=x"]),
        .init(
            "an app among the headers",
            #"{"schema":null,"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"x"}}}"#, ["app=a body=x"]
        ),
        .init(
            "a record next to a message",
            #"{"app":"a","aps":{"alert":"x"},"message":{"app":"b","aps":{"alert":"y"}}}"#,
            ["app=a body=x"]),
        .init("a text line", #""{\"app\":\"a\"}""#, ["json.not-object"]),
        .init("an object of no shape", #"{"a":1}"#, ["payload.missing"]),
        .init("trailing text", #"[{"app":"a","aps":{"alert":"x"}}] 1"#, ["json.invalid"]),
        .init("an invalid array", #"[{"app":"a","aps":{"alert":"x"}},]"#, ["json.invalid"]),
    ]

    @Test(arguments: others)
    func otherLinesAreRejected(_ item: Example<String, [String]>) {
        let line = ReadLine(item.input)
        #expect(line.summary == item.expected)
        for record in line.records {
            if case .rejected = record.outcome { #expect(record.rejectedText == item.input) }
        }
    }

    // MARK: Indices and rejects

    @Test func unusableElementsAreRejectedWithTheirIndexAndText() {
        let elements = [
            #"{"app":"a","aps":{"alert":"1"}}"#, "7",
            #"{"app":"\u0061","ts":"never","aps":{"alert":"\"2\""}}"#,
            #""text""#, "null", #"{"aps":{"alert":"\u0033"}}"#, #"{"app":"a","payload":"{\"aps\":1}"}"#,
            #"{"app":"a","aps":{"alert":"4"}}"#, "[]", #"["a"]"#, #""{\"app\":5}""#, #""\u0061""#, "{}",
        ]
        let line = ReadLine("[ \(elements.joined(separator: " , ")) ]")
        #expect(
            line.summary == [
                "app=a body=1", "json.not-object", "timestamp.invalid", "json.not-object", "json.not-object",
                "app.missing", "aps.missing", "app=a body=4", "json.not-object", "json.not-object",
                "payload.missing", "json.not-object", "payload.missing",
            ])
        #expect(line.records.map(\.index) == (0..<13).map { UInt32($0) })
        for (record, text) in zip(line.records, elements) {
            if case .rejected = record.outcome { #expect(record.rejectedText == text) }
        }
    }

    /// The index counts the records of the line, whichever array they come from.
    @Test func indicesFollowEachOther() {
        let entry = #"{"app":"a","aps":{"alert":"x"}}"#
        let gorush = #"{"tokens":["d","e"],"platform":1,"message":"B","topic":"a"}"#
        let line = ReadLine(
            "[\(entry),[\(gorush),5],{\"message\":\(entry)},{\"Records\":[{\"body\":\(gorush)}]}]")
        #expect(
            line.summary == [
                "app=a body=x", "app=a body=B device=d", "app=a body=B device=e", "json.not-object",
                "app=a body=x", "app=a body=B device=d", "app=a body=B device=e",
            ])
        #expect(line.records.map(\.index) == (0..<7).map { UInt32($0) })
    }
    static let indexed: [Example<String, Bool>] = [
        .init("a native record", #"{"app":"a","aps":{"alert":"x"}}"#, false),
        .init("a message", #"{"message":{"app":"a","aps":{"alert":"x"}}}"#, false),
        .init("an array of one", #"[{"app":"a","aps":{"alert":"x"}}]"#, true),
        .init("one token", #"{"tokens":["d"],"platform":1,"message":"B","topic":"a"}"#, true),
        .init("a rejected line", #"{"a":1}"#, false),
    ]

    @Test(arguments: indexed)
    func onlyRecordsOfArraysHaveAnIndex(_ item: Example<String, Bool>) {
        #expect(ReadLine(item.input).records.map { $0.index != nil } == [item.expected])
    }

    @Test func aRejectOfAnEntryQuotesIt() {
        let inner = #"{"app":"\u0061","ts":"never","aps":{"alert":"x\n"}}"#
        let line = #"{"message":\#(quoted(inner))}"#
        #expect(ReadLine(line).records.map(\.rejectedText) == [line])
        let elements = #"{"Records":[{"body":\#(quoted(inner))},{"body":5}]}"#
        #expect(
            ReadLine(elements).records.map(\.rejectedText) == [
                #"{"body":\#(quoted(inner))}"#, #"{"body":5}"#,
            ])
    }

    /// The rejects of the same element do not depend on earlier elements.
    @Test func rejectsOfAnElementAreThoseOfTheElementAlone() {
        let reader = EntryReader(.automatic)
        for element in [
            #"{"app":"a","payload":5}"#, #"{"app":"a","payload":{}}"#, #"{"app":"a","payload":"{"}"#,
            #"{"app":"a","payload":[]}"#, #"{"aps":{"alert":"x"}}"#,
            #"{"app":"a","ts":-1,"aps":{"alert":"x"}}"#,
            #"{"app":"a","aps":5}"#, #"{"app":"a"}"#,
        ] {
            let alone = ReadLine(element, by: reader).summary
            for line in ["[\(element)]", #"{"message":\#(element)}"#, #"{"message":\#(quoted(element))}"#] {
                #expect(ReadLine(line, by: reader).summary == alone, "\(line)")
            }
        }
    }
}
