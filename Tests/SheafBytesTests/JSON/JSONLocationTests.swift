import TestSupport
import Testing

@testable import SheafBytes

@Suite struct JSONLocationTests {
    static let configuration = """
        {
          "showPreviews": "always",
          "apps": {"com.example.a": {"name": "A"},
            "com.example.b": {
              "name": "}{\\"\\n,",
              "list": [1, [2], {"categories": {"x": 1}}],
              "categories"
                :
                {
                "m\\u00e9": {"options": []}
              }
            }
          },
          "": {"last": null}
        }
        """

    struct Case: NamedCase {
        let keys: [String]
        let line: Int?
        var name: String { keys.joined(separator: " / ") }

        init(_ keys: String..., line: Int?) {
            self.keys = keys
            self.line = line
        }
    }

    @Test(arguments: [
        Case(line: nil),
        Case("showPreviews", line: 2),
        Case("apps", line: 3),
        Case("apps", "com.example.a", line: 3),
        Case("apps", "com.example.a", "name", line: 3),
        Case("apps", "com.example.b", line: 4),
        Case("apps", "com.example.b", "name", line: 5),
        Case("apps", "com.example.b", "categories", line: 7),
        Case("apps", "com.example.b", "categories", "mé", line: 10),
        Case("apps", "com.example.b", "categories", "mé", "options", line: 10),
        Case("", line: 14),
        Case("", "last", line: 14),
        Case("missing", line: nil),
        Case("name", line: nil),
        Case("apps", "com.example.c", line: nil),
        Case("apps", "com.example.a", "missing", line: nil),
        Case("showPreviews", "inside a string", line: nil),
        Case("apps", "com.example.b", "list", "categories", line: nil),
        Case("", "last", "inside null", line: nil),
    ])
    func linesOfKeysAreFound(_ test: Case) {
        #expect(JSONLocation.line(of: test.keys, in: [UInt8](Self.configuration)) == test.line)
    }

    /// A text, and the line and column of the first byte that is not allowed; nil if the text is valid.
    typealias ErrorCase = Example<String, [Int]?>

    @Test(arguments: [
        ErrorCase("an object", "{}", nil),
        ErrorCase("a number", " 1\n", nil),
        ErrorCase("the configuration", configuration, nil),
        ErrorCase("an empty text", "", [1, 1]),
        ErrorCase("a line feed", "\n", [2, 1]),
        ErrorCase("a letter", "x", [1, 1]),
        ErrorCase("a misspelt literal", #"{"a": tru}"#, [1, 7]),
        ErrorCase("no colon", #"{"a" 1}"#, [1, 6]),
        ErrorCase("no value", #"{"a":}"#, [1, 6]),
        ErrorCase("a key without quotes", "{a:1}", [1, 2]),
        ErrorCase("no comma between members", #"{"a":1 "b":2}"#, [1, 8]),
        ErrorCase("no comma between members on two lines", "{\"a\":1\n\"b\":2}", [2, 1]),
        ErrorCase("no comma between elements", "[1 2]", [1, 4]),
        ErrorCase("no comma between elements, in an object", #"{"a":[1 2]}"#, [1, 9]),
        ErrorCase("no comma between members, inside", #"{"a":{"b":1 "c":2}}"#, [1, 13]),
        ErrorCase("a comma at the end of an object", "{\"a\":1,\n}", [2, 1]),
        ErrorCase("a comma at the end of a list", "[1,\n\n ]", [3, 2]),
        ErrorCase("the wrong bracket", "[1}", [1, 3]),
        ErrorCase("the wrong brace", #"{"a":1]"#, [1, 7]),
        ErrorCase("an object that does not end", "{\"a\":1\n", [2, 1]),
        ErrorCase("a list that does not end", #"{"a":[1"#, [1, 8]),
        ErrorCase("a string that does not end", #"{"a"#, [1, 4]),
        ErrorCase("a line feed in a string", "{\"a\nb\":1}", [1, 4]),
        ErrorCase("an invalid escape", #"["a\x"]"#, [1, 4]),
        ErrorCase("a leading zero", "[01]", [1, 3]),
        ErrorCase("a number that does not end", "[1.]", [1, 4]),
        ErrorCase("text after the value", "{}\n{}", [2, 1]),
        ErrorCase("columns are bytes", #"["é😀" x]"#, [1, 11]),
        ErrorCase("too deep", String(repeating: "[", count: 200), [1, 129]),
    ])
    func firstErrorIsLocated(_ test: ErrorCase) {
        let location = JSONLocation.firstError(in: [UInt8](test.input)).map { [$0.line, $0.column] }
        #expect(location == test.expected)
    }

    @Test(arguments: [
        "", " ", "{", "[]", "\"a\"", "null", #"{"a"}"#, #"{"a":"#, #"{"a":1"#, #"{"a":1,}"#, #"{"a" 1}"#,
        #"{"b":tru,"a":1}"#,
        #"{"b":"\u1","a":1}"#, #"{"b":"\u@@@@","a":1}"#, #"{"\u1":0,"a":1}"#, #"{"\u":0,"a":1}"#, #"{"\"#,
        #"{"b\"#, #"{"b":"\"#,
        #"{"b":"\x","a":1}"#, "{\"b\":\"\u{1}\",\"a\":1}", "\u{feff}{\"a\":1}", #"{"a":1}{"#,
        #"{"b":[}],"a":1}"#,
    ])
    func invalidTextHasNoLines(_ json: String) {
        #expect(JSONLocation.line(of: ["a"], in: [UInt8](json)) == nil)
    }

    @Test func invalidUTF8HasNoLines() {
        #expect(JSONLocation.line(of: ["a"], in: [UInt8](#"{"b":""#) + [0xff] + [UInt8](#"","a":1}"#)) == nil)
    }
}
