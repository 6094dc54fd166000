import TestSupport
import Testing

@testable import SheafBytes

/// The members of objects and the elements of arrays, one after the other.
@Suite struct JSONMembersTests {
    private func members(_ text: String, from start: Int = 0) -> [String] {
        let chunk = Chunk(Array(text.utf8))
        let bytes = chunk.bytes
        var members = JSONMembers(at: start)
        var found: [String] = []
        while let member = members.next(in: bytes) {
            found.append("\(bytes.extracting(member.key).string)=\(bytes.extracting(member.value).string)")
        }
        return found
    }

    private func elements(_ text: String) -> [String] {
        let chunk = Chunk(Array(text.utf8))
        let bytes = chunk.bytes
        var elements = JSONMembers(at: 0)
        var found: [String] = []
        while let element = elements.nextElement(in: bytes) { found.append(bytes.extracting(element).string) }
        return found
    }

    @Test(arguments: [
        Example("{}", []), Example("{ }", []), Example(#"{"a":1}"#, ["a=1"]),
        Example(#"{ "a" : 1 , "b" : [ 2 , 3 ] }"#, ["a=1", "b=[ 2 , 3 ]"]),
        Example(#"{"":"","a":"}\",{"}"#, [#"="""#, #"a="}\",{""#]),
        Example(#"{"\"":{"a":[{}]},"b":null}"#, [#"\"={"a":[{}]}"#, "b=null"]),
        Example("{\"a\":\n-1.5e3\t,\r\"b\":true}", ["a=-1.5e3", "b=true"]),
    ])
    func objectsHaveMembers(_ object: Example<String, [String]>) {
        #expect(members(object.input) == object.expected)
        let inside = #"{"x":"# + object.input + #","y":5}"#
        #expect(members(inside, from: 5) == object.expected, "inside another object")
    }

    @Test(arguments: [
        Example("[]", []), Example("[ ]", []), Example("[1]", ["1"]), Example("[\"\"]", ["\"\""]),
        Example(#"[ "a,b" , [1,2],{"c":[3]} , null ]"#, [#""a,b""#, "[1,2]", #"{"c":[3]}"#, "null"]),
    ])
    func arraysHaveElements(_ array: Example<String, [String]>) {
        #expect(elements(array.input) == array.expected)
    }

    /// Other texts end the iteration.
    @Test(arguments: [
        "", "{", "[", "{,}", "{\"a", "{\"a\"", "{\"a\":", "{1:2}", "5", "{\"a\":1", "[,", "[1,", "{\"", "{}}",
    ])
    func invalidTextsEnd(_ text: String) {
        #expect(members(text).count <= 2)
        #expect(elements(text).count <= 2)
    }
}

/// The ends of values in valid text, and texts decoded into another chunk.
@Suite struct JSONExtentTests {
    struct Value: NamedCase {
        let name: String
        /// The value, a bar, and the text after the value.
        let text: String

        init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    @Test(arguments: [
        Value("number", "17|,"), Value("negative fraction", "-1.5e+3|}"), Value("word", "null| ,"),
        Value("word at the end of a list", "true|]"), Value("string", #""x"|:"#),
        Value("empty string", #"""|,"#),
        Value("quote in a string", #""a\"b"|,"#), Value("backslash at a string's end", #""a\\"|,"x""#),
        Value("brackets in a string", #""}]{["|}"#), Value("object", #"{"a":{"b":[1,{}]}}|,"#),
        Value("object with a string", #"{"a":"}\"}"}|}"#), Value("spaces inside", "[ 1 , 2 ]| ]"),
        Value("empty object", "{}|"), Value("number at the end of the text", "12|"),
    ])
    func endIsAfterTheValue(_ value: Value) {
        let parts = value.text.split(separator: "|", omittingEmptySubsequences: false)
        let bytes = Array(parts.joined().utf8)
        #expect(bytes.span.endOfJSONValue(from: 0) == parts[0].utf8.count)
        let shifted = Array("[ ".utf8) + bytes
        #expect(shifted.span.endOfJSONValue(from: 2) == parts[0].utf8.count + 2)
    }

    @Test(arguments: ["", "\"", "\"\\", "{", "[\"\\u", "{\"a\":"])
    func invalidTextIsNotReadPastItsEnd(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(bytes.span.endOfJSONValue(from: 0) == bytes.count)
    }

    /// Strings are read eight bytes at a time: whatever their length, and wherever they have escapes.
    @Test func stringsEndAtTheirQuotes() {
        for length in 0..<40 {
            for escape in -1..<length {
                var text = Array(repeating: UInt8(ascii: "x"), count: length)
                if escape >= 0 { text.replaceSubrange(escape...escape, with: Array(#"\""#.utf8)) }
                let string = Array("\"".utf8) + text + Array("\"".utf8)
                for rest in ["", ",", #", "next""#, #"\\\\\\\\"#] {
                    let bytes = string + Array(rest.utf8)
                    #expect(bytes.span.endOfJSONValue(from: 0) == string.count)
                }
            }
        }
        // Bytes that differ from a quote or a backslash in one bit, or follow one.
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
            let bytes = Array("\"".utf8) + Array(repeating: byte, count: 9) + Array("\"!!!!!!!!".utf8)
            #expect(bytes.span.endOfJSONValue(from: 0) == 11)
        }
    }

    @Test(arguments: [("", 0), ("x", 0), (" \t\r\nx", 4), ("  ", 2)])
    func endOfSpaceIsFound(text: String, end: Int) {
        #expect(Array(text.utf8).span.endOfJSONSpace(from: 0) == end)
    }

    @Test(arguments: [
        ("plain", "plain"), ("", ""), (#"\u00e9\n\ud83d\ude00"#, "é\n😀"), (#"\ud800"#, "\u{fffd}"),
        (#"a\"b"#, "a\"b"),
    ])
    func decodedCopyLeavesTheOriginalUnchanged(written: String, text: String) {
        let line = "\"\(written)\""
        let chunk = Chunk(Array(line.utf8))
        let copy = Chunk(capacity: max(1, written.utf8.count + 1))
        for _ in 0..<2 {
            let range = copy.copyDecoded(TextRange(1..<(1 + written.utf8.count)), of: chunk)
            #expect(copy.bytes(of: range).string == text)
            #expect(chunk.bytes.string == line + "\n")
        }
    }
}

/// The elements of JSON arrays as texts.
@Suite struct JSONArrayTextsTests {
    @Test(
        arguments: [
            ("[]", []), ("[ ]", []), (#"["a"]"#, ["a"]),
            (#"["",""]"#, ["", ""]), (#"[ "a" , "b" ]"#, ["a", "b"]),
            ("[1,-2.50,1e3]", ["1", "-2.50", "1e3"]),
            ("[true,null]", ["true", "null"]), (#"[["a", 1],{"b":"]"}]"#, [#"["a", 1]"#, #"{"b":"]"}"#]),
            (#"["\u00e9\n\ud83d\ude00","\\"]"#, ["é\n😀", "\\"]), (#"["\ud800"]"#, ["\u{fffd}"]),
        ] as [(String, [String])])
    func elementsAreConvertedToTexts(_ json: String, _ texts: [String]) {
        let found = Array(json.utf8).span.jsonArrayTexts
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == texts)
    }

    /// Reading invalid JSON terminates within its bytes.
    @Test(arguments: Seeds.several(3))
    func invalidTextIsNotReadPastItsEnd(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [#"""#, #"\"#, "[", "]", "{", "}", ",", " ", "a", "\u{1}", "9", "é"]
        for _ in 0..<2_000 {
            let bytes = Array((0..<random.below(12)).map { _ in random.pick(pieces) }.joined().utf8)
            _ = bytes.span.jsonArrayTexts
            for start in bytes.indices { #expect(bytes.span.endOfJSONValue(from: start) <= bytes.count) }
        }
    }
}
