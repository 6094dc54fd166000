import TestSupport
import Testing

@testable import SheafBytes

/// JSON output (specification §10).
@Suite struct JSONTextTests {
    @Test(arguments: [
        ("", #""""#),
        ("plain", #""plain""#),
        ("/é€😀\u{7f}\u{80}\u{2028}", "\"/é€😀\u{7f}\u{80}\u{2028}\""),
        ("\"", #""\"""#),
        ("\\", #""\\""#),
        ("\\\"\\", #""\\\"\\""#),
        ("\u{8}\u{c}\n\r\t", #""\b\f\n\r\t""#),
        ("\u{0}\u{1}\u{b}\u{e}\u{f}\u{10}\u{1f}\u{20}", #""\u0000\u0001\u000b\u000e\u000f\u0010\u001f ""#),
        ("\na\n", #""\na\n""#),
        ("a\nb", #""a\nb""#),
    ])
    func stringsAreEscaped(_ content: String, _ expected: String) {
        #expect(text { $0.appendJSONString([UInt8](content).span) } == expected)
        #expect(
            text { $0.appendJSONStringOrNull([UInt8](content).span) } == (content.isEmpty ? "null" : expected)
        )
    }

    /// Text is scanned sixteen bytes at a time: the test escapes characters in every lane and after the last block.
    @Test func charactersAreEscapedAtEveryOffset() {
        for (special, escape) in [
            (0x00, #"\u0000"#), (0x1f, #"\u001f"#), (0x22, #"\""#), (0x5c, #"\\"#), (0x0a, #"\n"#),
        ] {
            for offset in 0...40 {
                for rest in [0, 1, 15, 16, 17] {
                    let before = String(repeating: "\u{7f}", count: offset)
                    let after = String(repeating: "é", count: rest)
                    let content = [UInt8](before) + [UInt8(special)] + [UInt8](after)
                    let written = text { $0.appendJSONString(content.span) }
                    #expect(written == "\"\(before)\(escape)\(after)\"", "offset \(offset), \(rest) after it")
                }
            }
        }
    }

    @Test func stringIsAppended() {
        let written = text {
            $0.append("{\"a\":")
            $0.appendJSONString([UInt8]("\n").span)
        }
        #expect(written == #"{"a":"\n""#)
    }

    /// Foundation and the scanner read back the same text.
    @Test(arguments: Seeds.several(1))
    func randomStringsAreReadBack(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var probe = FieldProbe(["a"])
        for round in 0..<500 {
            let scalars = (0..<random.number(0...30)).map { _ in
                Unicode.Scalar(
                    UInt32(
                        random.number(random.pick([0...0x7f, 0...0x2f, 0x80...0xd7ff, 0xe000...0x10ffff]))))!
            }
            let content = String(String.UnicodeScalarView(scalars))
            let written = text { $0.appendJSONString([UInt8](content).span) }
            let foundation = try #require(FoundationVerdict([UInt8](written)).value as? String)
            try #require(foundation.unicodeScalars.elementsEqual(scalars), "round \(round)")
            let (_, notes) = probe.scan([UInt8](#"{"a":\#(written)}"#))
            try #require(notes == ["a": .init(.string, content)], "round \(round)")
        }
    }

    @Test func decimalsAreFormatted() {
        func decimal(_ number: Int64) -> String { text { $0.appendDecimal(number) } }
        #expect(decimal(0) == "0")
        #expect(decimal(7) == "7")
        #expect(decimal(-7) == "-7")
        #expect(decimal(9) == "9")
        #expect(decimal(10) == "10")
        #expect(decimal(-10) == "-10")
        #expect(decimal(99) == "99")
        #expect(decimal(100) == "100")
        #expect(decimal(Int64.max) == "9223372036854775807")
        #expect(decimal(Int64.min) == "-9223372036854775808")
        #expect(text { (output: inout OutputBuffer) in output.appendDecimal(UInt64.min) } == "0")
        #expect(text { (output: inout OutputBuffer) in output.appendDecimal(UInt64(10)) } == "10")
        #expect(
            text { (output: inout OutputBuffer) in output.appendDecimal(UInt64.max) }
                == "18446744073709551615")
    }

    @Test func decimalsAreAppended() {
        let written = text {
            $0.append("12")
            $0.appendDecimal(-345 as Int64)
            $0.appendDecimal(6 as UInt64)
        }
        #expect(written == "12-3456")
    }

    @Test(arguments: Seeds.several(1))
    func randomDecimalsMatchDescriptions(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let number = Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64))
            #expect(text { $0.appendDecimal(number) } == "\(number)")
        }
    }
}
