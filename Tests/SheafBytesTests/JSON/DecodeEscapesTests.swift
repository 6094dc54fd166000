import TestSupport
import Testing

@testable import SheafBytes

@Suite struct DecodeEscapesTests {
    typealias Case = Example<String, String>

    @Test(arguments: [
        Case("empty", "", ""),
        Case("no escape", "é€😀/", "é€😀/"),
        Case("two-character escapes", #"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
        Case("null", #"\u0000"#, "\u{0}"),
        Case("last of one byte", #"\u007f"#, "\u{7f}"),
        Case("first of two bytes", #"\u0080"#, "\u{80}"),
        Case("last of two bytes", #"\u07FF"#, "\u{7ff}"),
        Case("first of three bytes", #"\u0800"#, "\u{800}"),
        Case("last before the surrogates", #"\uD7FF"#, "\u{d7ff}"),
        Case("first after the surrogates", #"\uE000"#, "\u{e000}"),
        Case("last of three bytes", #"\uffff"#, "\u{ffff}"),
        Case("first pair", #"\ud800\udc00"#, "\u{10000}"),
        Case("last pair", #"\uDBFF\uDFFF"#, "\u{10ffff}"),
        Case("mixed case", #"\uD83d\uDe00"#, "😀"),
        Case("consecutive pairs", #"\ud83d\ude00\ud83d\ude01"#, "😀😁"),
        Case("a lone high surrogate", #"\ud800"#, "\u{fffd}"),
        Case("a lone low surrogate", #"\udfff"#, "\u{fffd}"),
        Case("a high surrogate before a letter", #"\udbffx"#, "\u{fffd}x"),
        Case("a high surrogate before a two-character escape", #"\ud800\n"#, "\u{fffd}\n"),
        Case("a high surrogate before another character", #"\ud800\u0041"#, "\u{fffd}A"),
        Case("a high surrogate before a pair", #"\ud800\ud83d\ude00"#, "\u{fffd}😀"),
        Case("two high surrogates", #"\ud800\udbff"#, "\u{fffd}\u{fffd}"),
        Case("low before high", #"\udc00\ud800"#, "\u{fffd}\u{fffd}"),
        Case("low after a pair", #"\ud83d\ude00\ude00"#, "😀\u{fffd}"),
        Case("a high surrogate before text that looks like an escape", #"\ud83d\\ude00"#, "\u{fffd}\\ude00"),
        Case("an escaped backslash before u", #"\\u0041"#, #"\u0041"#),
        Case("a digit after an escape", #"\u00410"#, "A0"),
    ])
    func escapesAreDecoded(_ test: Case) {
        // The text is followed by the second half of a surrogate pair, which must not be read.
        let chunk = Chunk([UInt8]("xx" + test.input + #"\udc00"#))
        let text = chunk.decodeEscapes(TextRange(2..<(2 + test.input.utf8.count)))
        #expect(chunk.bytes(of: text).string == test.expected)
        #expect(text.start == 2)
        #expect(chunk.bytes(of: TextRange(0..<2)).string == "xx")
        #expect(text.range.upperBound <= 2 + test.input.utf8.count)
    }

    /// Texts are decoded by blocks: escapes are tried at every place of a block and across its end, after letters and among
    /// other escapes.
    @Test(arguments: [
        Case("a quote", #"\""#, "\""), Case("a backslash", #"\\"#, #"\"#), Case("a slash", #"\/"#, "/"),
        Case("a letter", #"\n"#, "\n"), Case("digits", #"\u00e9"#, "é"),
        Case("a pair", #"\ud83d\ude00"#, "😀"),
        Case("a lone surrogate", #"\udc00"#, "\u{fffd}"), Case("JSON", #"\"a\":\"\\\"\""#, #""a":"\"""#),
        Case("a backslash before a letter", #"\\n"#, #"\n"#),
        Case("a backslash before an escape", #"\\\n"#, "\\\n"),
    ])
    func escapesAreDecodedAtEveryPlace(_ test: Case) {
        for (prefix, decoded) in [("a", "a"), (#"\""#, "\""), (#"\t"#, "\t"), ("é", "é")] {
            for count in 0...40 {
                for rest in [0, 1, 31, 40] {
                    let (before, after) = (
                        String(repeating: prefix, count: count), String(repeating: "z", count: rest)
                    )
                    let written = before + test.input + after
                    let chunk = Chunk([UInt8](written + #"\u"#))
                    let text = chunk.decodeEscapes(TextRange(0..<written.utf8.count))
                    let expected = String(repeating: decoded, count: count) + test.expected + after
                    #expect(chunk.bytes(of: text).string == expected, "\(count) × \(prefix), \(rest)")
                }
            }
        }
    }

    /// Text that no scan found valid may be decoded to anything that fits, without touching the bytes around it.
    @Test(arguments: [
        Case("a backslash", #"\"#, ""), Case("a backslash at the end", #"abc\"#, "abc"),
        Case("no digits", #"abc\u"#, "abc"), Case("one digit", #"abc\uf"#, "abc"),
        Case("three digits", #"abc\uffe"#, "abc"),
        Case("half a pair", #"abc\ud83d\ude0"#, "abc\u{fffd}"),
        Case("three digits after other escapes", #"\u0041\u00e9\uffe"#, "Aé"),
        Case("a letter after another escape", #"\u0041\u"#, "A"),
        Case("a backslash after another escape", #"\u0041\"#, "A"),
    ])
    func truncatedEscapesEndTheText(_ test: Case) {
        let count = test.input.utf8.count
        let chunk = Chunk([UInt8]("xx" + test.input + "ffff"))
        let text = chunk.decodeEscapes(TextRange(2..<(2 + count)))
        #expect(chunk.bytes(of: text).string == test.expected)
        #expect(chunk.bytes.string.hasPrefix("xx"))
        #expect(chunk.bytes.string.hasSuffix("ffff\n"))
    }

    @Test(arguments: Seeds.several(4))
    func anyBytesAreDecodedInPlace(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<2000 {
            let alphabet = [UInt8](#"\\\\uuud8cDfF01x"#) + [0, 0xff]
            let bytes = (0..<random.number(1...60)).map { _ in random.pick(alphabet) }
            let start = random.number(0...bytes.count)
            let end = random.number(start...bytes.count)
            let chunk = Chunk(bytes + [1, 2, 3])
            let text = chunk.decodeEscapes(TextRange(start..<end))
            try #require(text.range.lowerBound == start && text.range.upperBound <= end, "round \(round)")
            let after = [UInt8](copying: chunk.bytes)
            try #require(Array(after[..<start]) == Array(bytes[..<start]), "round \(round)")
            try #require(Array(after[end...]) == bytes[end...] + [1, 2, 3, 10], "round \(round)")
            let copy = Chunk(capacity: end - start + 1)
            let copied = copy.copyDecoded(TextRange(start..<end), of: Chunk(bytes))
            let isEqual = copy.bytes(of: copied).isEqual(to: chunk.bytes(of: text))
            try #require(isEqual, "round \(round)")
        }
    }

    /// Decodes random texts, in which every scalar has one of its permitted forms, and compares with Foundation.
    @Test(arguments: Seeds.several(4))
    func decodesLikeFoundation(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<500 {
            let scalars = (0..<random.number(0...40)).map { _ in scalar(&random) }
            let written = scalars.map { Self.written($0, &random) }.joined()
            let chunk = Chunk([UInt8](written))
            let decoded = chunk.bytes(of: chunk.decodeEscapes(TextRange(0..<written.utf8.count))).string
            let foundation = try #require(FoundationVerdict([UInt8]("\"\(written)\"")).value as? String)
            try #require(
                Array(decoded.utf8) == Array(foundation.utf8), "round \(round): \(written)")
            try #require(
                decoded.unicodeScalars.elementsEqual(scalars), "round \(round): \(written)")
        }
    }

    private func scalar(_ random: inout SeededGenerator) -> Unicode.Scalar {
        let ranges: [ClosedRange<Int>] = [
            0...0x7f, 0...0x7f, 0x20...0x5c, 0x80...0x7ff, 0x800...0xd7ff, 0xe000...0xffff,
            0x10000...0x10ffff,
        ]
        return Unicode.Scalar(UInt32(random.number(random.pick(ranges))))!
    }

    private static func written(_ scalar: Unicode.Scalar, _ random: inout SeededGenerator) -> String {
        let short: [Unicode.Scalar: String] = [
            "\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\u{8}": #"\b"#, "\u{c}": #"\f"#, "\n": #"\n"#,
            "\r": #"\r"#,
            "\t": #"\t"#,
        ]
        if let escape = short[scalar], random.oneIn(2) { return escape }
        let mustBeEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        guard mustBeEscaped || random.oneIn(2) else { return String(Character(scalar)) }
        let isUpper = random.oneIn(2)
        return String(Character(scalar)).utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: isUpper)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
