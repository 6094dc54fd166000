import TestSupport
import Testing

@testable import SheafBytes

/// The grammar of objects and arrays (RFC 8259, sections 2, 4 and 5).
@Suite struct StructureTests {
    static let valid: [ValueCase] = [
        .valid(.object, "empty object", "{}"),
        .valid(.object, "empty object with space", "{ \t}"),
        .valid(.object, "one member", #"{"a":1}"#),
        .valid(.object, "members", #"{"a":1,"b":"","c":[],"d":{},"e":null}"#),
        .valid(.object, "repeated keys", #"{"a":1,"a":2}"#),
        .valid(.object, "empty key", #"{"":0}"#),
        .valid(.object, "objects in an object", #"{"a":{"b":{}},"c":{}}"#),
        .valid(.object, "space everywhere", "{ \"a\" : 1 , \"b\" : [ ] }"),
        .valid(.array, "empty array", "[]"),
        .valid(.array, "empty array with space", "[ \n]"),
        .valid(.array, "elements", #"[1,"",[],{},null,true]"#),
        .valid(.array, "arrays in an array", "[[],[[]],[]]"),
        .valid(.array, "objects in an array", #"[{},{"a":[{}]},{}]"#),
        .valid(.array, "space everywhere between elements", "[ 1 , [ ] , { } ]"),
        .valid(.string, "empty string", "\"\""),
        .valid(.string, "braces in a string", #""{[}],:""#),
    ]

    static let invalid: [ValueCase] =
        [
            "{", "[", "}", "]", "{]", "[}", "[{]}", "{\"a\":[}]", "[[]", "{\"a\":{}", "[]]", "{}}", "[1}",
            "{\"a\":1]",
            "{,}", "{,\"a\":1}", "{\"a\":1,}", "{\"a\":1, }", "{\"a\":1,,\"b\":2}", "{\"a\":1 \"b\":2}",
            "{\"a\":1;\"b\":2}",
            "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\"=1}", "{\"a\",1}", "{\"a\":,}", "{:1}",
            "{\"a\":1:2}",
            "{\"a\":1,\"b\"}", "{\"a\":1,\"b\":}", "{\"a\":1,2}", "{\"a\":1 2}",
            "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}", "{{}:1}", "{{}}",
            "[,]", "[,1]", "[1,]", "[1, ]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[\"a\":1]", "[[],]",
            "[{},]", "[1",
            "[1,", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":\"",
            "\"", "\"a", "'a'", "a", "\"a\"b", "\"a\"\"b\"", "{}{}", "[][]", "{} []", "1 2", "\"a\" 1",
            "null null",
            "//", "/**/1", "1//", "#", "1#", "{}x", "\\", "{\"a\":1}\\", "\u{0}", "1\u{0}", "\u{0}1",
            "{}\u{0}",
        ].map { .invalid($0.debugDescription, $0) }

    @Test(arguments: valid + invalid)
    func structureIsValidatedInEveryPosition(_ value: ValueCase) { expectCorrect(value) }

    struct Document: NamedCase {
        let name: String
        let text: String
        let outcome: FieldScanner.Outcome
    }

    @Test(arguments: [
        Document(name: "an empty text", text: "", outcome: .invalid),
        Document(name: "a space", text: " ", outcome: .invalid),
        Document(name: "spaces", text: " \t\r\n", outcome: .invalid),
        Document(name: "a null byte", text: "\u{0}", outcome: .invalid),
        Document(name: "a byte order mark", text: "\u{feff}", outcome: .invalid),
        Document(name: "a byte order mark before an object", text: "\u{feff}{}", outcome: .invalid),
        Document(name: "a byte order mark after an object", text: "{}\u{feff}", outcome: .invalid),
        Document(name: "an object", text: "{}", outcome: .object),
        Document(name: "an object with space around", text: " \t\r\n{}\n\r\t ", outcome: .object),
        Document(name: "an array", text: "[]", outcome: .notObject),
        Document(name: "a string with space around", text: " \"{}\" ", outcome: .notObject),
        Document(name: "a number with space around", text: "\t0\n", outcome: .notObject),
        Document(name: "a literal with space around", text: " null ", outcome: .notObject),
        Document(name: "an array of objects", text: "[{}]", outcome: .notObject),
        Document(name: "an object and a comma", text: "{},", outcome: .invalid),
        Document(name: "a comma and an object", text: ",{}", outcome: .invalid),
    ])
    func documentsAreClassified(_ document: Document) {
        var scanner = DocumentScanner()
        let outcome = scanner.outcome(of: [UInt8](document.text))
        #expect(outcome == document.outcome)
    }

    /// No proper prefix of an object is valid, and the scan does not read the bytes after the prefix.
    @Test func prefixesAreInvalid() {
        let text = [UInt8](
            #"{"wanted":"é\n😀","other":[1.5e+3,true,null,{"k":[{}]}],"object":{"inner":-0,"x":false},"y":{}}"#
        )
        let chunk = Chunk(text)
        var scanner = FieldScanner(FieldPlan())
        for count in 0..<text.count {
            let outcome = scanner.scan(TextRange(0..<count), of: chunk)
            #expect(outcome == .invalid, "\(count) bytes")
        }
        let whole = scanner.scan(TextRange(0..<text.count), of: chunk)
        #expect(whole == .object)
        #expect(
            [UInt8](copying: chunk.bytes) == text + [UInt8(ascii: "\n")], "a scan does not change its text")
    }
}
