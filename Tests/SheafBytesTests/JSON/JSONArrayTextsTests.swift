import TestSupport
import Testing

@testable import SheafBytes

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
