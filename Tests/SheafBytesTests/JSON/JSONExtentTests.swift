import SheafBytes
import TestSupport
import Testing

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
