import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// Lines that are made to break the reading of entries in place: escaped quotes where JSON is read again, texts in
/// texts, and very many elements.
@Suite struct HostileEntryTests {
    /// What was read from a line: for each record the app, the device and the body, or why it was rejected.
    private static func records(
        of line: String, _ input: LogInput, annex: Int? = nil
    ) -> [String] {
        let bytes = Array(line.utf8)
        let chunk = Chunk(bytes, annex: annex ?? bytes.count + 1 + input.constantBytes)
        let reader = EntryReader(input)
        var decoder = RecordDecoder(keepsRejectedText: true)
        reader.begin(TextRange(0..<bytes.count), of: chunk, reason: nil, &decoder)
        var records: [String] = []
        while let item = reader.next(in: chunk, &decoder, at: RecordPosition(source: 0, line: 1)) {
            guard item.outcome == .notification else {
                records.append("\(item.outcome)")
                continue
            }
            let record = decoder.record
            records.append(
                [record.app, record.device, record.body].map { chunk.bytes(of: $0).string }
                    .joined(separator: " "))
        }
        return records
    }

    private static func mapping(_ json: String) throws -> LogInput {
        try LogInput(json: Array(json.utf8), file: "m.json")
    }

    typealias Case = Example<String, [String]>

    @Test(arguments: [
        Case(
            "entries in texts with escapes, in an array",
            #"["{\"app\":\"a\",\"aps\":{\"alert\":\"\\u0062\"}}","{\"app\":\"c\",\"aps\":{\"alert\":\"d\"}}"]"#,
            ["a  b", "c  d"]),
        Case(
            "texts in objects in texts, in an array",
            #"{"Records":["{\"body\":\"{\\\"app\\\":\\\"a\\\",\\\"aps\\\":{\\\"alert\\\":\\\"b\\\"}}\"}",{"body":"{\"app\":\"c\",\"aps\":{\"alert\":\"d\"}}"}]}"#,
            ["a  b", "c  d"]),
        Case(
            "a payload in a text that is not a payload",
            #"{"message":{"apns":{"payload":"{\"x\":\"\\\"\"}"},"app":"a","aps":{"alert":"b"}}}"#,
            ["rejected(SheafGroups.RejectReason.apsMissing)"]),
        Case(
            "a time with escapes in a wrapper",
            #"{"logEvents":[{"message":"{\"app\":\"a\",\"aps\":{\"alert\":\"b\"}}","time":"2026-01-31T12:00:00\u005a"}]}"#,
            ["a  b"]),
        Case(
            "tokens with escaped quotes",
            #"{"notifications":[{"tokens":["a\",\"b","c\u0022","d"],"platform":1,"message":"m","topic":"t"}]}"#,
            [#"t a","b m"#, #"t c" m"#, "t d m"]),
    ]) func automaticInput(_ line: Case) {
        #expect(Self.records(of: line.input, .automatic) == line.expected)
        #expect(Self.records(of: line.input, .automatic, annex: 1 << 16) == line.expected)
    }

    @Test func anEntryInATextAtAnIndexIsRead() throws {
        let input = try Self.mapping(#"{"unwrap":["/a/1"]}"#)
        let line = #"{"a":[0,"{\"app\":\"a\",\"aps\":{\"alert\":\"\\u0062\"}}"]}"#
        #expect(Self.records(of: line, input) == ["a  b"])
    }

    @Test func anAppInTheEntryDoesNotChangeItsText() throws {
        let input = try Self.mapping(#"{"unwrap":["/e"],"fields":{"app":["/e/x","/app"]}}"#)
        let line = #"{"e":{"x":"\",\"app\":\"q","app":"a","aps":{"alert":"b"}}}"#
        #expect(Self.records(of: line, input) == ["a  b"])
    }

    @Test func anObjectIsReadAfterATextInItWasDecoded() throws {
        let input = try Self.mapping(#"{"unwrap":["/a/b/c","/a"]}"#)
        let line = #"{"a":{"b":"{\"x\":\"\\\"\"}","app":"a","aps":{"alert":"d"}}}"#
        #expect(Self.records(of: line, input) == ["a  d"])
    }

    @Test func anArrayIsReadAfterATextInItWasDecoded() throws {
        let input = try Self.mapping(
            #"{"fields":{"device":["/t/*/id"],"payload":[],"payload/aps/alert":"/t/0/text","app":"/t/1/app"}}"#
        )
        let line = #"{"t":[{"id":"x\u0022]","text":"\"},{\"id\":\"y"},{"id":"z","app":"a\u0062"}]}"#
        #expect(Self.records(of: line, input) == [#"ab x"] "},{"id":"y"#, #"ab z "},{"id":"y"#])
    }

    @Test func keysAreEqualIfTheirBytesAre() throws {
        let input = try Self.mapping(
            "{\"fields\":{\"device\":[\"/\u{e9}\",\"/e\u{301}\"],\"payload\":\"/p\",\"app\":\"/app\"}}")
        for key in ["\u{e9}", "e\u{301}"] {
            let line = "{\"app\":\"a\",\"\(key)\":\"d\",\"p\":{\"aps\":{\"alert\":\"b\"}}}"
            #expect(Self.records(of: line, input) == ["a d b"])
        }
    }

    /// With a walk through the array for each pointer and record, this takes hours.
    @Test func aLongArrayIsReadOnce() throws {
        let count = 20_000
        let pointers = (0..<150).map { "\"/t/\(count - 1 - $0)/missing\"" }.joined(separator: ",")
        let input = try Self.mapping(
            #"{"fields":{"device":["/t/*"],"id":[\#(pointers)],"payload":"/p","app":"/t/\#(count - 1)"}}"#)
        let tokens = (0..<count).map { "\"t\($0)\"" }.joined(separator: ",")
        let line = #"{"t":[\#(tokens)],"p":{"aps":{"alert":"b"}}}"#
        let records = Self.records(of: line, input)
        #expect(records.count == count)
        #expect(records.last == "t\(count - 1) t\(count - 1) b")
    }

    @Test func aPartOfAVeryLongTextIsAbsent() throws {
        let input = try Self.mapping(
            #"{"fields":{"app":[{"pointer":"/a","separator":":","part":1},{"constant":"c"}]}}"#)
        for (length, app) in [(4094, "b"), (4095, "c")] {
            let line = #"{"a":"\#(String(repeating: "x", count: length)):b","aps":{"alert":"d"}}"#
            #expect(Self.records(of: line, input) == ["\(app)  d"])
        }
    }
}
