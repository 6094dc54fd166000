import TestSupport
import Testing

@testable import SheafGroups

/// How a mapping file's fields are read (specification §12.4): precedence, conditions, parts, arrays and overrides.
@Suite struct MappingReadingTests {
    struct Case: NamedCase {
        let name: String
        let mapping: String
        let line: String
        let records: [String]

        init(_ name: String, _ mapping: String, _ line: String, _ records: String...) {
            self.name = name
            self.mapping = mapping
            self.line = line
            self.records = records
        }

        /// A mapping with these fields.
        static func fields(_ name: String, _ fields: String, _ line: String, _ records: String...) -> Case {
            Case(name: name, mapping: #"{"fields":{\#(fields)}}"#, line: line, records: records)
        }

        private init(name: String, mapping: String, line: String, records: [String]) {
            self.name = name
            self.mapping = mapping
            self.line = line
            self.records = records
        }
    }

    @Test(arguments: envelope + conditions + payloads + texts + arrays + unwrapping + pointers)
    func aMappingGivesItsRecords(_ item: Case) {
        let line = ReadLine(item.line, LogInput(mapping: item.mapping))
        #expect(line.summary == item.records)
        #expect(line.isUnchangedAtTheEnd)
    }

    /// The named input reads what lines have at a pointer, whatever else they look like.
    @Test func linesAreUnwrappedFirst() throws {
        struct Line: NamedCase {
            let name: String
            let input: String
            let unwrap: [String]
            let line: String
            let records: [String]
        }
        let fcm =
            #"{"message":{"token":"d","apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"x"}}}}}"#
        let text = #""{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}""#
        let lines = [
            Line(
                name: "a shape", input: "fcm", unwrap: ["/r"], line: #"{"ts":1,"r":\#(fcm)}"#,
                records: ["app=a body=x device=d @1000"]),
            Line(
                name: "the first that leads to an entry", input: "auto", unwrap: ["/q", "/r"],
                line: #"{"q":"x","r":\#(fcm)}"#, records: ["app=a body=x device=d"]),
            Line(
                name: "a native record in a text", input: "apns", unwrap: ["/r"], line: #"{"r":\#(text)}"#,
                records: ["app=a body=x"]),
            Line(
                name: "a line that looks like a record itself", input: "auto", unwrap: ["/r"],
                line: #"{"app":"o","aps":{"alert":"outside"},"r":\#(text)}"#, records: ["app=a body=x"]),
            Line(
                name: "nothing there", input: "auto", unwrap: ["/r"],
                line: #"{"app":"a","aps":{"alert":"x"}}"#,
                records: ["app=a body=x"]),
            Line(
                name: "a text without an entry", input: "auto", unwrap: ["/r"],
                line: #"{"r":"\u0041\"","app":"a","aps":{"alert":"\u0078"}}"#, records: ["app=a body=x"]),
            Line(
                name: "once", input: "auto", unwrap: ["/payload"],
                line: #"{"payload":{"app":"a","payload":{"app":"i","aps":{"alert":"x"}}}}"#,
                records: ["app=a body=x"]),
            Line(
                name: "inside a wrapper", input: "auto", unwrap: ["/r"], line: #"{"log":{"r":\#(fcm)}}"#,
                records: ["app=a body=x device=d"]),
            Line(
                name: "in each element of a line", input: "auto", unwrap: ["/r"],
                line: #"[{"r":\#(fcm)},{"r":\#(text)}]"#, records: ["app=a body=x device=d", "app=a body=x"]),
        ]
        for item in lines {
            let input = try #require(LogInput(named: item.input)).unwrapping(item.unwrap)
            #expect(ReadLine(item.line, input).summary == item.records, "\(item.name)")
        }
    }

    @Test func whatLinesAreUnwrappedWithIdentifiesTheInput() throws {
        let input = try #require(LogInput(named: "fcm"))
        #expect(try input.unwrapping(["/a", "/b"]).name == "fcm in /a, /b")
        #expect(try input.unwrapping([]).name == "fcm")
        for (pointers, message) in [
            (["a"], "a pointer begins with '/': write '/a'"),
            ([""], "'' is the entry itself, which wraps nothing"),
            (["/a/*"], "'/a/*' has '*': arrays of entries are read with 'each' in a mapping file"),
            (["/a", "/a"], "'/a' is given twice"),
            ((0..<252).map { "/k\($0)" }, "at most 251 are supported"),
        ] {
            let error = #expect(throws: PointerError.self) { try input.unwrapping(pointers) }
            #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
        }
    }

    static let envelope: [Case] = [
        .fields(
            "the first candidate that is present", #""device":["/x","/y"]"#,
            #"{"y":"2","x":"1","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1"),
        .fields(
            "a null is absent", #""device":["/x","/y"]"#,
            #"{"y":"2","x":null,"app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=2"),
        .fields(
            "an empty text is absent", #""device":["/x","/y"]"#,
            #"{"y":"2","x":"","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=2"),
        .fields(
            "a number counts as its digits", #""device":["/x","/y"]"#,
            #"{"y":"2","x":12.50,"app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=12.50"),
        .fields(
            "an object is not a text", #""device":["/x","/y"]"#,
            #"{"y":"2","x":{},"app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=2"),
        .fields(
            "a mapped field has no other names", #""device":["/x"]"#,
            #"{"device":"d","app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        .fields(
            "no candidates: never", #""device":[]"#, #"{"device":"d","app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x"),
        .fields(
            "native names after a candidate", #""device":["/x",{"native":true}]"#,
            #"{"device":"d","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=d"),
        .fields(
            "native names before a candidate", #""device":[{"native":true},"/x"]"#,
            #"{"x":"1","device_token":"d","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=d"),
        .fields(
            "other fields keep their names", #""device":["/x"]"#,
            #"{"x":"1","topic":"a","id":"i","collapse-id":"c","ts":1,"aps":{"alert":"x"}}"#,
            "app=a body=x collapse=c device=1 id=i @1000"),
        .fields(
            "headers keep their names", #""device":["/x"]"#,
            #"{"headers":{"apns-topic":"a","apns-id":"i","apns-push-type":"background"},"aps":{"alert":"x"}}"#,
            "silent"),
        .fields(
            "a constant", #""app":[{"constant":"k"}]"#, #"{"app":"a","aps":{"alert":"x"}}"#, "app=k body=x"),
        .fields(
            "a constant after a pointer", #""app":["/b",{"constant":"k"}]"#,
            #"{"b":"b","aps":{"alert":"x"}}"#, "app=b body=x"),
        .fields(
            "a constant with a suffix", #""app":{"constant":"k.voip"}"#, #"{"aps":{"alert":"x"}}"#, "silent"),
        .fields(
            "a constant time", #""timestamp":[{"constant":"2023-11-14T22:13:20Z"}]"#,
            #"{"app":"a","ts":1,"aps":{"alert":"x"}}"#, "app=a body=x @1700000000000"),
        .fields(
            "a time below a key", #""timestamp":["/sent/at"]"#,
            #"{"app":"a","sent":{"at":1700000000},"aps":{"alert":"x"}}"#, "app=a body=x @1700000000000"),
        .fields(
            "a time of another type", #""timestamp":["/sent","/ts"]"#,
            #"{"app":"a","sent":true,"ts":1,"aps":{"alert":"x"}}"#, "timestamp.invalid"),
        .fields(
            "a time with escapes", #""timestamp":["/sent"]"#,
            #"{"app":"a","sent":"2023-11-14T22:13\u003a20Z","aps":{"alert":"x"}}"#,
            "app=a body=x @1700000000000"),
        .fields(
            "an app that is missing", #""app":["/x"]"#, #"{"app":"a","aps":{"alert":"x"}}"#, "app.missing"),
        .fields(
            "a push type", #""push-type":["/kind"]"#, #"{"app":"a","kind":"VoIP","aps":{"alert":"x"}}"#,
            "silent"),
        .fields(
            "one value for two fields", #""device":["/x"],"collapse-id":["/x"],"id":["/x"]"#,
            #"{"app":"a","x":"\u0031","aps":{"alert":"x"}}"#, "app=a body=x collapse=1 device=1 id=1"),
        .fields(
            "a text that is longer than a push can carry", #""device":["/x"]"#,
            #"{"app":"a","x":"\#(String(repeating: "d", count: 4_097))","aps":{"alert":"x"}}"#,
            "field.too-long"),
        .fields(
            "a text as long as a push can carry", #""payload/aps/category":["/x"]"#,
            #"{"app":"a","x":"\#(String(repeating: "d", count: 4_096))","aps":{"alert":"x"}}"#,
            "app=a body=x category=\(String(repeating: "d", count: 4_096))"),
    ]

    static let conditions: [Case] = [
        .fields(
            "when: present", #""app":[{"pointer":"/x","when":["/y"]},"/z"]"#,
            #"{"x":"1","y":0,"z":"2","aps":{"alert":"x"}}"#, "app=1 body=x"),
        .fields(
            "when: absent", #""app":[{"pointer":"/x","when":["/y"]},"/z"]"#,
            #"{"x":"1","z":"2","aps":{"alert":"x"}}"#, "app=2 body=x"),
        .fields(
            "when: null", #""app":[{"pointer":"/x","when":["/y"]},"/z"]"#,
            #"{"x":"1","y":null,"z":"2","aps":{"alert":"x"}}"#, "app=2 body=x"),
        .fields(
            "when: a value", #""app":[{"constant":"k","when":[{"pointer":"/y","equals":["v",2]}]},"/y"]"#,
            #"{"y":"\u0076","aps":{"alert":"x"}}"#, "app=k body=x"),
        .fields(
            "when: another value",
            #""app":[{"constant":"k","when":[{"pointer":"/y","equals":["v",2]}]},"/y"]"#,
            #"{"y":"w","aps":{"alert":"x"}}"#, "app=w body=x"),
        .fields(
            "when: part of a text", #""app":[{"constant":"k","when":{"pointer":"/y","contains":"v"}},"/y"]"#,
            #"{"y":"uvw","aps":{"alert":"x"}}"#, "app=k body=x"),
        .fields(
            "when: a value that another field has decoded",
            #""device":["/y"],"payload/aps/category":[{"constant":"k","when":[{"pointer":"/y","equals":"v"}]}]"#,
            #"{"app":"a","y":"\u0076","aps":{"alert":"x"}}"#, "app=a body=x category=k device=v"),
        .fields(
            "when: equal to null", #""app":[{"constant":"k","when":[{"pointer":"/y","equals":null}]},"/z"]"#,
            #"{"y":null,"z":"2","aps":{"alert":"x"}}"#, "app=k body=x"),
        .fields(
            "when: absent, which does not equal null",
            #""app":[{"constant":"k","when":[{"pointer":"/y","equals":null}]},"/z"]"#,
            #"{"z":"2","aps":{"alert":"x"}}"#, "app=2 body=x"),
        .fields(
            "when: one of two", #""app":[{"pointer":"/x","when":["/y","/w"]},"/z"]"#,
            #"{"x":"1","y":1,"z":"2","aps":{"alert":"x"}}"#, "app=2 body=x"),
        .fields(
            "unless: present", #""app":[{"pointer":"/x","unless":"/y"},"/z"]"#,
            #"{"x":"1","y":false,"z":"2","aps":{"alert":"x"}}"#, "app=2 body=x"),
        .fields(
            "unless: null", #""app":[{"pointer":"/x","unless":"/y"},"/z"]"#,
            #"{"x":"1","y":null,"z":"2","aps":{"alert":"x"}}"#, "app=1 body=x"),
        .fields(
            "unless: one of two", #""app":[{"pointer":"/x","unless":["/y","/w"]},"/z"]"#,
            #"{"x":"1","w":1,"z":"2","aps":{"alert":"x"}}"#, "app=2 body=x"),
        .fields(
            "a constant with a condition", #""app":[{"constant":"k","when":["/y"]},{"constant":"n"}]"#,
            #"{"aps":{"alert":"x"}}"#, "app=n body=x"),
        .fields(
            "inside a text", #""app":[{"constant":"k","when":["/y/z"]},{"constant":"n"}]"#,
            #"{"y":"{\"z\":1}","aps":{"alert":"x"}}"#, "app=k body=x"),
        .fields(
            "a part", #""device":[{"pointer":"/x","separator":"/","part":1}]"#,
            #"{"app":"a","x":"p/q/r","aps":{"alert":"x"}}"#, "app=a body=x device=q"),
        .fields(
            "the last part", #""device":[{"pointer":"/x","separator":"/","part":2}]"#,
            #"{"app":"a","x":"p/q/\u0072","aps":{"alert":"x"}}"#, "app=a body=x device=r"),
        .fields(
            "the first part of a text without a separator",
            #""device":[{"pointer":"/x","separator":"/","part":0}]"#,
            #"{"app":"a","x":"p","aps":{"alert":"x"}}"#, "app=a body=x device=p"),
        .fields(
            "too few parts", #""device":[{"pointer":"/x","separator":"/","part":1},"/y"]"#,
            #"{"app":"a","x":"p","y":"q","aps":{"alert":"x"}}"#, "app=a body=x device=q"),
        .fields(
            "an empty part", #""device":[{"pointer":"/x","separator":"/","part":1},"/y"]"#,
            #"{"app":"a","x":"p//r","y":"q","aps":{"alert":"x"}}"#, "app=a body=x device=q"),
        .fields(
            "a separator that is escaped", #""device":[{"pointer":"/x","separator":"/","part":1}]"#,
            #"{"app":"a","x":"p\/q\u002fr","aps":{"alert":"x"}}"#, "app=a body=x device=q"),
        .fields(
            "two parts of one text",
            #""app":[{"pointer":"/x","separator":":","part":0}],"device":[{"pointer":"/x","separator":":","part":1}]"#,
            #"{"x":"\u0061:\u0062","aps":{"alert":"x"}}"#, "app=a body=x device=b"),
        Case(
            "an entry that is for another platform",
            #"{"otherPlatform":[{"pointer":"/os","equals":["android",2,true]}]}"#,
            #"{"os":"\u0061ndroid","app":"a","aps":{"alert":"x"}}"#, "other platform"),
        Case(
            "a platform by a number", #"{"otherPlatform":[{"pointer":"/os","equals":["android",2,true]}]}"#,
            #"{"os":2.0,"app":"a","aps":{"alert":"x"}}"#, "other platform"),
        Case(
            "a platform that is true", #"{"otherPlatform":[{"pointer":"/os","equals":["android",2,true]}]}"#,
            #"{"os":true,"app":"a","aps":{"alert":"x"}}"#, "other platform"),
        Case(
            "the own platform", #"{"otherPlatform":[{"pointer":"/os","equals":["android",2,true]}]}"#,
            #"{"os":"2","app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        Case(
            "entries that fit a condition", #"{"when":[{"pointer":"/k","contains":"us"}]}"#,
            #"[{"k":"push","app":"a","aps":{"alert":"x"}},{"k":"p","app":"a","aps":{"alert":"x"}},{"app":"a","aps":{"alert":"x"}}]"#,
            "app=a body=x", "input.unmatched", "input.unmatched"),
        Case(
            "entries with a null", #"{"when":[{"pointer":"/k","equals":[null,2]}]}"#,
            #"[{"k":null,"app":"a","aps":{"alert":"x"}},{"k":2,"app":"a","aps":{"alert":"x"}},{"k":"null","app":"a","aps":{"alert":"x"}},{"app":"a","aps":{"alert":"x"}}]"#,
            "app=a body=x", "app=a body=x", "input.unmatched", "input.unmatched"),
        Case(
            "alternatives", #"{"when":[["/k","/l"],"/m"]}"#,
            #"[{"k":1,"l":1,"app":"a","aps":{"alert":"x"}},{"k":1,"app":"a","aps":{"alert":"x"}},{"m":0,"app":"a","aps":{"alert":"x"}}]"#,
            "app=a body=x", "input.unmatched", "app=a body=x"),
    ]

    static let payloads: [Case] = [
        .fields(
            "elsewhere", #""payload":["/apns"]"#, #"{"app":"a","apns":{"aps":{"alert":"x"}}}"#, "app=a body=x"
        ),
        .fields(
            "as a text", #""payload":["/apns"]"#, #"{"app":"a","apns":"{\"aps\":{\"alert\":\"\\u0078\"}}"}"#,
            "app=a body=x"),
        .fields(
            "a text inside a text", #""payload":["/x/apns"]"#,
            #"{"app":"a","x":"{\"apns\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"\\\\u0078\\\\n\\\"}}\"}"}"#,
            "app=a body=x\n"),
        .fields(
            "aps as a text", #""payload":["/apns"]"#,
            #"{"app":"a","apns":{"aps":"{\"alert\":\"x\",\"thread-id\":\"\\u0074\"}"}}"#,
            "app=a body=x thread=t"),
        .fields(
            "the first that is present", #""payload":["/p","/q"]"#,
            #"{"app":"a","p":null,"q":{"aps":{"alert":"x"}}}"#, "app=a body=x"),
        .fields(
            "of another type", #""payload":["/p","/q"]"#, #"{"app":"a","p":5,"q":{"aps":{"alert":"x"}}}"#,
            "payload.invalid"),
        .fields(
            "a text that is no object", #""payload":["/p"]"#, #"{"app":"a","p":"[]"}"#, "payload.invalid"),
        .fields("missing", #""payload":["/p"]"#, #"{"app":"a"}"#, "payload.missing"),
        .fields(
            "mapped, so neither payload nor aps counts", #""payload":["/p"]"#,
            #"{"app":"a","payload":{"aps":{"alert":"x"}},"aps":{"alert":"y"}}"#, "payload.missing"),
        .fields("without aps", #""payload":["/p"]"#, #"{"app":"a","p":{"alert":"x"}}"#, "aps.missing"),
        .fields(
            "without aps next to an override", #""payload":["/p"],"payload/aps/thread-id":["/t"]"#,
            #"{"app":"a","p":{"alert":"x"}}"#, "aps.missing"),
        .fields(
            "the entry itself", #""payload":[""]"#, #"{"app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        .fields(
            "an override", #""payload/aps/thread-id":["/t"]"#,
            #"{"app":"a","t":"mine","payload":{"aps":{"alert":"x","thread-id":"t"}}}"#,
            "app=a body=x thread=mine"),
        .fields(
            "an override that is absent", #""payload/aps/thread-id":["/t"]"#,
            #"{"app":"a","payload":{"aps":{"alert":"x","thread-id":"t"}}}"#, "app=a body=x thread=t"),
        .fields(
            "an override that is null", #""payload/aps/thread-id":["/t"]"#,
            #"{"app":"a","t":null,"payload":{"aps":{"alert":"x","thread-id":"t"}}}"#,
            "app=a body=x thread=t"),
        .fields(
            "an override from the payload itself",
            #""payload/aps/thread-id":["/payload/conversation","/payload/aps/thread-id"]"#,
            #"{"app":"a","payload":{"conversation":"\u0063","aps":{"alert":"x","thread-id":"t"}}}"#,
            "app=a body=x thread=c"),
        .fields(
            "an override of a payload that is a text", #""payload/aps/category":["/payload/kind"]"#,
            #"{"app":"a","payload":"{\"kind\":\"\\u006b\",\"aps\":{\"alert\":\"x\"}}"}"#,
            "app=a body=x category=k"),
        .fields(
            "an override with a constant", #""payload/aps/category":[{"constant":"k"}]"#,
            #"{"app":"a","aps":{"alert":"x","category":"c"}}"#, "app=a body=x category=k"),
        .fields(
            "a payload that is built", #""payload/aps/alert/title":["/t"],"payload/aps/alert/body":["/b"]"#,
            #"{"app":"a","t":"T","b":"B"}"#, "app=a body=B title=T"),
        .fields(
            "a payload in which nothing is found", #""payload/aps/alert/title":["/t"]"#, #"{"app":"a"}"#,
            "payload.missing"),
        .fields(
            "a payload in which only an empty text is found", #""payload/aps/alert/title":["/t"]"#,
            #"{"app":"a","t":""}"#, "payload.missing"),
        .fields(
            "an object where a text is needed, which may wrap an entry",
            #""payload/aps/alert/body":["/message"]"#,
            #"{"message":{"app":"a","message":"B"}}"#, "app=a body=B"),
        Case(
            "an empty text of an entry that fits a condition",
            #"{"when":["/k"],"fields":{"payload/aps/alert/title":["/t"]}}"#, #"{"app":"a","k":1,"t":""}"#,
            "silent"),
        Case(
            "no text of an entry that fits a condition",
            #"{"when":["/k"],"fields":{"payload/aps/alert/title":["/t"]}}"#, #"{"app":"a","k":1}"#,
            "payload.missing"),
        .fields(
            "an empty body next to an alert that is a text",
            #""payload/aps/alert/title":["/t"],"payload/aps/alert/body":["/b"]"#,
            #"{"app":"a","t":"T","b":"","aps":{"alert":"x"}}"#, "app=a body=x title=T"),
        .fields(
            "a text after a value of another type", #""payload/aps/alert/title":["/t","/u"]"#,
            #"{"app":"a","t":{},"u":"U"}"#, "app=a title=U"),
        .fields(
            "the payload's own text after a value of another type", #""payload/aps/thread-id":["/t"]"#,
            #"{"app":"a","t":{},"aps":{"alert":"x","thread-id":"u"}}"#, "app=a body=x thread=u"),
        .fields(
            "a title next to an alert that is a text", #""payload/aps/alert/title":["/t"]"#,
            #"{"app":"a","t":"T","aps":{"alert":"x"}}"#, "app=a body=x title=T"),
        .fields(
            "a title and a body next to an alert that is a text",
            #""payload/aps/alert/title":["/t"],"payload/aps/alert/body":["/b"]"#,
            #"{"app":"a","t":"T","b":"B","aps":{"alert":"x"}}"#, "app=a body=B title=T"),
        .fields(
            "a whole alert", #""payload/aps/alert":["/x"]"#,
            #"{"app":"a","x":{"title":"T","loc-key":"K","summary-arg":"s"},"aps":{"thread-id":"t"}}"#,
            "app=a argument=s body=K  thread=t title=T"),
        .fields(
            "a whole alert as a text", #""payload/aps/alert":["/x"]"#,
            #"{"app":"a","x":"\u0058","aps":{"alert":"y"}}"#, "app=a body=X"),
        .fields(
            "a whole aps", #""payload/aps":["/x"]"#, #"{"app":"a","x":{"alert":"x"}}"#, "app=a body=x"),
        .fields(
            "a weight", #""payload/aps/alert/summary-arg-count":["/n"]"#,
            #"{"app":"a","n":3,"aps":{"alert":{"body":"x"}}}"#, "app=a body=x ×3"),
        .fields(
            "a duplicate key: the last counts", #""payload/aps/thread-id":["/t"],"device":["/d"]"#,
            #"{"app":"a","t":"1","d":"1","aps":{"alert":"x"},"t":"2","d":"2","aps":{"alert":"y"}}"#,
            "app=a body=y device=2 thread=2"),
        .fields(
            "a duplicate object: nothing of the first counts", #""device":["/o/d","/o/e"]"#,
            #"{"app":"a","o":{"d":"1"},"aps":{"alert":"x"},"o":{"e":"2"}}"#, "app=a body=x device=2"),
        .fields(
            "a duplicate in a text", #""device":["/o/d"]"#,
            #"{"app":"a","o":"{\"d\":\"1\",\"d\":\"2\"}","aps":{"alert":"x"}}"#, "app=a body=x device=2"),
        .fields(
            "a misplaced thread", #""payload":["/p"]"#,
            #"{"app":"a","p":{"aps":{"alert":{"body":"x","thread-id":"t"}}}}"#, "app=a body=x thread=t"),
        .fields(
            "the app of the payload", #""payload":["/p"]"#,
            #"{"p":{"Simulator Target Bundle":"a","aps":{"alert":"x"}}}"#, "app=a body=x"),
    ]

    static let texts: [Case] = [
        .fields(
            "a key and arguments from different places",
            #""payload/aps/alert/loc-key":["/k"],"payload/aps/alert/loc-args":["/v"]"#,
            #"{"v":["\u0031",2,{"a":"]"}],"app":"a","k":"\u004b"}"#, #"app=a body=K ["\u0031",2,{"a":"]"}]"#),
        .fields(
            "arguments before other texts, which stay as they are",
            #""payload/aps/alert/loc-key":["/k"],"payload/aps/alert/loc-args":["/v"],"payload/aps/alert/title":["/t"]"#,
            #"{"v":["1"],"t":"T","aps":{"thread-id":"t","category":"c"},"app":"a","device":"d","id":"i","k":"K"}"#,
            #"app=a body=K ["1"] category=c device=d id=i thread=t title=T"#),
        .fields(
            "arguments that are no array", #""payload/aps/alert/loc-args":["/v"]"#,
            #"{"app":"a","v":"x","aps":{"alert":{"loc-key":"K"}}}"#, "app=a body=K "),
        .fields(
            "a body precedes its key", #""payload/aps/alert/body":["/b"]"#,
            #"{"app":"a","b":"B","aps":{"alert":{"loc-key":"K"}}}"#, "app=a body=B"),
        .fields(
            "a key for each record of an array",
            #""device":["/d/*"],"payload/aps/alert/loc-key":["/k"],"payload/aps/alert/loc-args":["/v"]"#,
            #"{"app":"a","d":["1","2","3"],"k":"K","v":["a long argument, longer than the devices"]}"#,
            #"app=a body=K ["a long argument, longer than the devices"] device=1"#,
            #"app=a body=K ["a long argument, longer than the devices"] device=2"#,
            #"app=a body=K ["a long argument, longer than the devices"] device=3"#),
        .fields(
            "texts in other scripts", #""payload/aps/alert/title":["/t"]"#,
            #"{"app":"a","t":"\ud83d\ude00 é\ud800","aps":{"alert":"x"}}"#, "app=a body=x title=😀 é\u{fffd}"),
    ]

    static let arrays: [Case] = [
        .fields(
            "one record for each element", #""device":["/d/*"]"#,
            #"{"d":["1","\u0032"],"app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1",
            "app=a body=x device=2"),
        .fields(
            "members of the elements", #""device":["/d/*/token"],"id":["/d/*/id"],"app":["/d/*/app","/app"]"#,
            #"{"d":[{"token":"1","id":"i"},{"token":"\u0032","app":"b"},{}],"app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=1 id=i", "app=b body=x device=2", "app=a body=x"),
        .fields(
            "elements that are texts with an object", #""device":["/d/*/token"]"#,
            #"{"d":["{\"token\":\"1\"}","{\"token\":\"\\u0032\"}","x"],"app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=1", "app=a body=x device=2", "app=a body=x"),
        .fields(
            "an array in a text", #""device":["/x/d/*"]"#,
            #"{"x":"{\"d\":[\"1\",\"\\u0032\"]}","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1",
            "app=a body=x device=2"),
        .fields(
            "an empty array: one record", #""device":["/d/*","/e"]"#,
            #"{"d":[],"e":"1","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1"),
        .fields(
            "no array: one record", #""device":["/d/*","/d"]"#, #"{"d":"1","app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=1"),
        .fields(
            "times of elements", #""device":["/d/*/t"],"timestamp":["/d/*/at","/ts"]"#,
            #"{"d":[{"t":"1","at":2},{"t":"2"},{"t":"3","at":"never"}],"ts":1,"app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=1 @2000", "app=a body=x device=2 @1000", "timestamp.invalid"),
        .fields(
            "a value with escapes next to elements with escapes", #""device":["/d/*"],"app":["/o/0"]"#,
            #"{"d":["\u0031","\u0032","\u0033"],"o":["\u0061\u0062"],"aps":{"alert":"x"}}"#,
            "app=ab body=x device=1", "app=ab body=x device=2", "app=ab body=x device=3"),
        .fields(
            "a record that is rejected does not affect the others",
            #""device":["/d/*/t"],"app":["/d/*/app"]"#,
            #"{"d":[{"t":"1"},{"t":"2","app":"a"}],"aps":{"alert":"x"}}"#, "app.missing",
            "app=a body=x device=2"),
    ]

    static let unwrapping: [Case] = [
        Case(
            "unwrap", #"{"unwrap":["/event/body"]}"#, #"{"event":{"body":{"app":"a","aps":{"alert":"x"}}}}"#,
            "app=a body=x"),
        Case(
            "unwrap a text", #"{"unwrap":["/event/body"]}"#,
            #"{"event":{"body":"{\"app\":\"\\u0061\",\"aps\":{\"alert\":\"x\"}}"}}"#, "app=a body=x"),
        Case(
            "unwrap in a text", #"{"unwrap":["/event/body"]}"#,
            #"{"event":"{\"body\":\"{\\\"app\\\":\\\"a\\\",\\\"aps\\\":{\\\"alert\\\":\\\"x\\\"}}\"}"}"#,
            "app=a body=x"),
        Case(
            "a payload that was written as JSON twice", #"{"fields":{"payload":["/d"]}}"#,
            #"{"app":"a","d":"\"{\\\"aps\\\":{\\\"alert\\\":\\\"\\u00fc\\\"}}\""}"#, "app=a body=ü"),
        Case(
            "a payload that is a text of another text", #"{"fields":{"payload":["/d"]}}"#,
            #"{"app":"a","d":"\"x\""}"#, "payload.invalid"),
        Case(
            "unwrap the first", #"{"unwrap":["/b","/c"]}"#,
            #"{"c":{"app":"a","aps":{"alert":"c"}},"b":{"app":"a","aps":{"alert":"b"}}}"#, "app=a body=b"),
        Case(
            "unwrap an array", #"{"unwrap":["/b"]}"#,
            #"{"b":[{"app":"a","aps":{"alert":"x"}},{"app":"a","aps":{"alert":"y"}}]}"#, "app=a body=x",
            "app=a body=y"),
        Case(
            "nothing to unwrap", #"{"unwrap":["/b"]}"#, #"{"app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        Case(
            "the outer time and app", #"{"unwrap":["/b"],"fields":{"timestamp":["/at"],"app":["/of"]}}"#,
            #"{"at":1,"of":"o","b":{"aps":{"alert":"x"}}}"#, "app=o body=x @1000"),
        Case(
            "the inner time and app", #"{"unwrap":["/b"],"fields":{"timestamp":["/at"],"app":["/of"]}}"#,
            #"{"at":1,"of":"o","b":{"at":2,"of":"i","aps":{"alert":"x"}}}"#, "app=i body=x @2000"),
        Case(
            "the outer device and id", #"{"unwrap":["/b"],"fields":{"device":["/d","/of"],"id":["/i"]}}"#,
            #"{"of":"o","i":"1","b":{"app":"a","aps":{"alert":"x"}}}"#, "app=a body=x device=o id=1"),
        Case(
            "the inner device and id", #"{"unwrap":["/b"],"fields":{"device":["/d"],"id":["/i"]}}"#,
            #"{"d":"o","i":"1","b":{"d":"j","i":"2","app":"a","aps":{"alert":"x"}}}"#,
            "app=a body=x device=j id=2"),
        Case(
            "names of a native record outside, which may be those of a wrapper",
            #"{"unwrap":["/b"],"fields":{"device":[{"native":true}]}}"#,
            #"{"device":"o","id":"1","b":{"app":"a","aps":{"alert":"x"}}}"#, "app=a body=x"),
        Case(
            "the device around an array, whose elements share no id",
            #"{"each":["/b/*"],"fields":{"device":["/d"],"id":["/i"]}}"#,
            #"{"d":"o","b":[{"app":"a","aps":{"alert":"x"}},{"d":"j","i":"2","app":"a","aps":{"alert":"y"}}],"i":"1"}"#,
            "app=a body=x device=o id=1", "app=a body=y device=j id=2"),
        Case(
            "conditions for what is unwrapped", #"{"unwrap":["/b"],"when":[["/aps"]]}"#,
            #"{"b":{"app":"a","aps":{"alert":"x"}}}"#, "app=a body=x"),
        Case(
            "conditions for what is unwrapped, which do not hold", #"{"unwrap":["/b"],"when":[["/k"]]}"#,
            #"{"b":{"app":"a","aps":{"alert":"x"}}}"#, "input.unmatched"),
        Case(
            "conditions for what wraps an entry",
            #"{"unwrap":["/b"],"when":[[{"pointer":"/k","equals":"push"}]]}"#,
            #"{"k":"push","b":{"app":"a","aps":{"alert":"x"}}}"#, "app=a body=x"),
        Case(
            "conditions for what wraps an entry, which do not hold",
            #"{"unwrap":["/b"],"when":[[{"pointer":"/k","equals":"push"}]]}"#,
            #"{"k":"call","b":{"app":"a","aps":{"alert":"x"}}}"#, "input.unmatched"),
        Case(
            "conditions and nothing to unwrap", #"{"unwrap":["/b"],"when":[["/aps"]]}"#,
            #"{"app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        Case(
            "an entry that fits after it was unwrapped is whole", #"{"unwrap":["/b"],"when":[["/app"]]}"#,
            #"{"b":{"app":"a","aps":{"alert":"x"},"b":{"app":"i","aps":{"alert":"y"}}}}"#, "app=a body=x"),
        Case(
            "conditions for elements", #"{"each":["/b/*"],"when":[["/aps"]]}"#,
            #"{"b":[{"app":"a","aps":{"alert":"x"}},{"app":"a"}]}"#, "app=a body=x", "input.unmatched"),
        Case(
            "conditions for what elements wrap", #"{"unwrap":["/c"],"each":["/b/*"],"when":[["/aps"]]}"#,
            #"{"b":[{"c":{"app":"a","aps":{"alert":"x"}}},{"c":"{\"app\":\"a\",\"aps\":{\"alert\":\"y\"}}"}]}"#,
            "app=a body=x", "app=a body=y"),
        Case(
            "a time with escapes inside what is unwrapped",
            #"{"unwrap":["/b"],"fields":{"timestamp":["/at","/b/at"]}}"#,
            #"{"b":{"at":"2023-11-14T22:13\u003a20Z","app":"a","aps":{"alert":"x"}}}"#,
            "app=a body=x @1700000000000"),
        Case(
            "a text in quotes, where pointers lead into a text",
            #"{"fields":{"payload/aps/thread-id":{"constant":"t"}}}"#,
            #"{"app":"a","payload":{"aps":{"alert":"\"say \\\"x\\\"\""}}}"#,
            #"app=a body="say \"x\"" thread=t"#),
        Case(
            "each", #"{"each":["/batch/*"]}"#,
            #"{"batch":[{"app":"a","aps":{"alert":"x"}},"{\"app\":\"a\",\"aps\":{\"alert\":\"\\\"y\\\"\"}}",5]}"#,
            "app=a body=x", "app=a body=\"y\"", "json.not-object"),
        Case(
            "each, below the elements", #"{"each":["/batch/*/job"],"fields":{"timestamp":["/at"]}}"#,
            #"{"at":1,"batch":[{"job":{"app":"a","aps":{"alert":"x"}}},{"at":2,"job":"{\"app\":\"a\",\"aps\":{\"alert\":\"y\"}}"},{"at":3,"job":{"at":4,"app":"a","aps":{"alert":"z"}}},{}]}"#,
            "app=a body=x @1000", "app=a body=y @2000", "app=a body=z @4000", "payload.missing"),
        Case(
            "each, below elements that are texts", #"{"each":["/batch/*/job"]}"#,
            #"{"batch":["{\"job\":{\"app\":\"a\",\"aps\":{\"alert\":\"\\u0078\"}}}","{\"job\":{\"app\":\"a\",\"aps\":{\"alert\":\"a longer text than before\",\"thread-id\":\"t\"}}}"]}"#,
            "app=a body=x", "app=a body=a longer text than before thread=t"),
        Case(
            "an own time only", #"{"fields":{"timestamp":["/at"]}}"#,
            #"[{"ts":1,"app":"a","aps":{"alert":"x"}}]"#, "app=a body=x"),
        Case(
            "native events", #"{"each":["/batch/*"],"fields":{"payload/aps/thread-id":["/chat"]}}"#,
            #"{"batch":[{"app":"a","chat":"c","aps":{"alert":"x"}},{"ts":1,"event":"removed","app":"a","ids":["\u0069"]},{"ts":2,"event":"opened","app":"a","id":"i"},{"ts":3,"event":"gone","app":"a"}]}"#,
            "app=a body=x thread=c", "removes identifier i of a",
            "removes identifier i of a", "payload.missing"),
        Case(
            "native events with a payload", #"{"fields":{"payload/aps/thread-id":["/chat"]}}"#,
            #"[{"ts":1,"event":"removed","app":"a","id":"i","chat":"c","aps":{"alert":"x"}},{"event":"opens a screen","app":"a","chat":"c","payload":{"aps":{"alert":"x"}}},{"event":"delivered","app":"a","chat":"c","aps":{"alert":"x"}}]"#,
            "removes identifier i of a", "app=a body=x thread=c", "app=a body=x thread=c"),
        Case(
            "an event next to another payload", #"{"fields":{"payload":["/push"]}}"#,
            #"{"event":"opened","app":"a","push":{"aps":{"alert":"x"}}}"#, "app=a body=x"),
        Case(
            "no native events with a condition", #"{"when":["/mine"],"fields":{"device":["/who"]}}"#,
            #"{"ts":1,"mine":1,"event":"removed","app":"a","ids":["i"]}"#, "payload.missing"),
        Case(
            "wrappers are removed, too", #"{"fields":{"device":["/who"]}}"#,
            #"{"logEvents":[{"timestamp":1,"message":"{\"who\":\"d\",\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}"}]}"#,
            "app=a body=x device=d @1000"),
        Case(
            "Kafka Connect's, too", #"{"fields":{"device":["/who"]}}"#,
            #"{"schema":null,"payload":{"who":"d","app":"a","payload":{"aps":{"alert":"x"}}}}"#,
            "app=a body=x device=d"),
    ]

    static let pointers: [Case] = [
        .fields(
            "an escaped slash", #""device":["/a~1b"]"#, #"{"a/b":"1","app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=1"),
        .fields(
            "an escaped tilde", #""device":["/a~0b"]"#, #"{"a~b":"1","app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=1"),
        .fields(
            "an escaped tilde before a 1", #""device":["/a~01"]"#,
            #"{"a~1":"1","a/":"2","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1"),
        .fields(
            "keys that are written with escapes", #""device":["/é/b"]"#,
            #"{"\u00e9":{"\u0062":"1"},"app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1"),
        .fields(
            "an index", #""device":["/d/1"]"#, #"{"d":["1","\u0032","3"],"app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=2"),
        .fields(
            "an index as a key", #""device":["/d/1"]"#, #"{"d":{"1":"k"},"app":"a","aps":{"alert":"x"}}"#,
            "app=a body=x device=k"),
        .fields(
            "an index with a leading zero is a key", #""device":["/d/01"]"#,
            #"{"d":["1","2"],"app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        .fields(
            "an index past the end", #""device":["/d/2","/e"]"#,
            #"{"d":["1","2"],"e":"e","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=e"),
        .fields(
            "indices in arrays of arrays", #""device":["/d/1/0/t"]"#,
            #"{"d":[[],[{"t":"1"}]],"app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1"),
        .fields(
            "an index in a text with an array", #""device":["/d/0"]"#,
            #"{"d":"[\"1\"]","e":"e","app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        .fields(
            "below an index that is a text", #""device":["/d/0/t"]"#,
            #"{"d":["{\"t\":\"\\u0031\"}"],"app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1"),
        .fields(
            "the payload at an index", #""payload":["/p/1"]"#,
            #"{"p":[0,{"aps":{"alert":"\u0078"}}],"app":"a"}"#, "app=a body=x"),
        .fields(
            "a star is a key of objects only in a text", #""device":["/d/*"]"#,
            #"{"d":{"*":"1"},"app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        .fields(
            "below a text that is no object", #""device":["/d/t","/d"]"#,
            #"{"d":"\u0031","app":"a","aps":{"alert":"x"}}"#, "app=a body=x device=1"),
    ]
}
