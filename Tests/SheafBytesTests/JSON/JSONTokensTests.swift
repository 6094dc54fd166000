import TestSupport
import Testing

@testable import SheafBytes

/// The grammar of numbers (RFC 8259, section 6).
@Suite struct NumberTests {
    static let valid: [ValueCase] = [
        .valid(.number, "zero", "0"),
        .valid(.number, "minus zero", "-0"),
        .valid(.number, "one digit", "7"),
        .valid(.number, "digits", "1234567890"),
        .valid(.number, "minus", "-12"),
        .valid(.number, "fraction", "0.5"),
        .valid(.number, "fraction with zeros", "10.0100"),
        .valid(.number, "minus zero fraction", "-0.0"),
        .valid(.number, "exponent", "1e5"),
        .valid(.number, "capital exponent", "1E5"),
        .valid(.number, "exponent plus", "1e+5"),
        .valid(.number, "capital exponent minus", "1E-5"),
        .valid(.number, "exponent zero", "1e0"),
        .valid(.number, "exponent leading zeros", "1e007"),
        .valid(.number, "zero exponent", "0e1"),
        .valid(.number, "minus zero exponent", "-0E+0"),
        .valid(.number, "fraction and exponent", "-12.75e-3"),
        .valid(.number, "beyond a double", "1e999"),
        .valid(.number, "beyond 64 bits", "18446744073709551616"),
        .valid(.number, "1000 digits", String(repeating: "9", count: 1000)),
        .valid(.number, "1000 fraction digits", "0." + String(repeating: "1", count: 1000)),
        .valid(.number, "1000 exponent digits", "1e" + String(repeating: "1", count: 1000)),
    ]

    static let invalid: [ValueCase] = [
        .invalid("only a minus", "-"),
        .invalid("two minus", "--1"),
        .invalid("plus", "+1"),
        .invalid("only a plus", "+"),
        .invalid("leading zero", "01"),
        .invalid("two zeros", "00"),
        .invalid("minus leading zero", "-01"),
        .invalid("zero and fraction after zero", "00.5"),
        .invalid("point at the end", "1."),
        .invalid("minus zero point", "-0."),
        .invalid("point first", ".1"),
        .invalid("minus point", "-.1"),
        .invalid("only a point", "."),
        .invalid("two points", "1.2.3"),
        .invalid("two points together", "1..2"),
        .invalid("point and exponent", "1.e5"),
        .invalid("exponent without digits", "1e"),
        .invalid("capital exponent without digits", "1E"),
        .invalid("exponent plus without digits", "1e+"),
        .invalid("exponent minus without digits", "1e-"),
        .invalid("exponent two signs", "1e+-5"),
        .invalid("exponent with fraction", "1e1.5"),
        .invalid("two exponents", "1e5e5"),
        .invalid("exponent first", "e5"),
        .invalid("hexadecimal", "0x1"),
        .invalid("binary", "0b1"),
        .invalid("underscore", "1_0"),
        .invalid("grouping", "1 000"),
        .invalid("letter after a digit", "1a"),
        .invalid("minus after a digit", "1-"),
        .invalid("subtraction", "1-2"),
        .invalid("infinity", "Infinity"),
        .invalid("minus infinity", "-Infinity"),
        .invalid("not a number", "NaN"),
        .invalid("minus not a number", "-NaN"),
        .invalid("minus space digit", "- 1"),
        .invalid("fraction space", "1. 5"),
        .invalid("Arabic digits", "٣"),
        .invalid("fullwidth digit", "１"),
        .invalid("slash, just below the digits", "1/"),
        .invalid("colon, just above the digits", "1:"),
        .invalid("1000 digits and a letter", String(repeating: "9", count: 1000) + "f"),
    ]

    @Test(arguments: valid + invalid)
    func numbersAreValidatedInEveryPosition(_ value: ValueCase) { expectCorrect(value) }
}

/// The literals `true`, `false` and `null` (RFC 8259, section 3).
@Suite struct LiteralTests {
    static let valid: [ValueCase] = [
        .valid(.bool, "true", "true"),
        .valid(.bool, "false", "false"),
        .valid(.null, "null", "null"),
    ]

    static let invalid: [ValueCase] =
        [
            "t", "tr", "tru", "truE", "True", "TRUE", "truee", "true1", "true\"\"", "truefalse", "tfue",
            "tnull", "yes",
            "f", "fa", "fal", "fals", "falsE", "False", "FALSE", "falsee", "fals3", "falze", "off",
            "n", "nu", "nul", "nulL", "Null", "NULL", "nulll", "null0", "nil", "none", "nule", "undefined",
        ].map { .invalid($0, $0) }

    @Test(arguments: valid + invalid)
    func literalsAreValidatedInEveryPosition(_ value: ValueCase) { expectCorrect(value) }
}

/// The characters that may follow a backslash (RFC 8259, section 7).
@Suite struct EscapeTests {
    static let valid: [ValueCase] = [
        .escape("quote", #"\""#),
        .escape("backslash", #"\\"#),
        .escape("slash", #"\/"#),
        .escape("backspace", #"\b"#),
        .escape("form feed", #"\f"#),
        .escape("line feed", #"\n"#),
        .escape("carriage return", #"\r"#),
        .escape("tab", #"\t"#),
        .escape("hexadecimal", #"\u0041"#),
        .escape("lower hexadecimal", #"\uabcd"#),
        .escape("upper hexadecimal", #"\uABCD"#),
        .escape("mixed hexadecimal", #"\uaBcD"#),
        .escape("all digits", #"\u0123\u4567\u89ab\ucdef\uCDEF"#),
        .escape("null", #"\u0000"#),
        .escape("the largest", #"\uffff"#),
        .escape("a pair", #"\ud83d\ude00"#),
        .escape("an upper pair", #"\uD83D\uDE00"#),
        .escape("a lone high surrogate", #"\ud800"#),
        .escape("a lone high surrogate in text", #"a\uDBFFb"#),
        .escape("a lone low surrogate", #"\udc00"#),
        .escape("two high surrogates", #"\ud800\ud800"#),
        .escape("surrogates in the wrong order", #"\udc00\ud800"#),
        .escape("a high surrogate and another escape", #"\ud800\n"#),
        .escape("several with text between", #"\u0041\u0042 \u0043a\u0044\n\u0045"#),
        .escape("a fifth digit", #"\u00411"#),
        .escape("a letter after an escape", #"\nn"#),
        .escape("two backslashes", #"\\\\"#),
        .escape("a backslash and a quote", #"\\\""#),
        .escape("sixteen escapes", String(repeating: #"\n"#, count: 16)),
        .escape("escapes after multibyte characters", #"é\n€\t😀\r"#),
    ]

    static let invalid: [ValueCase] = [
        .invalidEscape("x", #"\x41"#),
        .invalidEscape("capital U", #"\U0041"#),
        .invalidEscape("capital N", #"\N"#),
        .invalidEscape("a", #"\a"#),
        .invalidEscape("v", #"\v"#),
        .invalidEscape("e", #"\e"#),
        .invalidEscape("zero", #"\0"#),
        .invalidEscape("octal", #"\101"#),
        .invalidEscape("apostrophe", #"\'"#),
        .invalidEscape("space", #"\ "#),
        .invalidEscape("g", #"\g"#),
        .invalidEscape("nothing after u", #"\u"#),
        .invalidEscape("one digit", #"\u1"#),
        .invalidEscape("two digits", #"\u12"#),
        .invalidEscape("three digits", #"\u123"#),
        .invalidEscape("three digits and a letter", #"\u123g"#),
        .invalidEscape("invalid first digit", #"\ug123"#),
        .invalidEscape("invalid second digit", #"\u1g23"#),
        .invalidEscape("invalid third digit", #"\u12g3"#),
        .invalidEscape("just below 0", #"\u000/"#),
        .invalidEscape("just above 9", #"\u000:"#),
        .invalidEscape("just below A", #"\u000@"#),
        .invalidEscape("just above F", #"\u000G"#),
        .invalidEscape("just below a", #"\u000`"#),
        .invalidEscape("just above f", #"\u000g"#),
        .invalidEscape("braces", #"\u{41}"#),
        .invalidEscape("plus", #"\u+041"#),
        .invalidEscape("minus", #"\u-041"#),
        .invalidEscape("space in digits", #"\u 041"#),
        .invalidEscape("a high surrogate and half an escape", #"\ud83d\ud"#),
        .invalidEscape("a high surrogate and an invalid escape", #"\ud83d\x"#),
        .invalidEscape("half an escape after others", #"\u0041\u00e9\u00"#),
        .invalidEscape("an invalid digit after other escapes", #"\u0041\u00e9\u00g0"#),
        .invalidEscape("an invalid escape after another", #"\u0041\x"#),
        .invalidEscape("a fullwidth digit", #"\u０041"#),
        .invalidEscape("a multibyte character", #"\é"#),
        .invalidEscape("a backslash at the end", #"\"#),
        .invalidEscape("three backslashes at the end", #"\\\"#),
        .string("a raw line feed", [0x5c, 0x0a], isValid: false),
        .string("a raw null", [0x5c, 0x00], isValid: false),
        .string("a raw null in digits", [0x5c, 0x75, 0x30, 0x30, 0x00, 0x31], isValid: false),
        .string("a continuation", [0x5c, 0x80], isValid: false),
    ]

    @Test(arguments: valid + invalid)
    func escapesAreValidatedInEveryPosition(_ value: ValueCase) { expectCorrect(value) }

    /// Tries every byte after a backslash.
    @Test func onlyTheEightLettersAreValid() {
        var scanner = DocumentScanner()
        // `u` needs digits; a quote leaves the string open.
        let letters = Set(#"\/bfnrt"#.utf8)
        for byte in UInt8.min ... .max where byte != 0x75 && byte != 0x22 {
            let value = ValueCase.string("", [0x5c, byte], isValid: letters.contains(byte))
            let mistakes = scanner.mistakes(about: value)
            #expect(mistakes == [], "byte \(byte)")
        }
    }

    /// Tries every byte as each of the four digits.
    @Test(arguments: 0..<4)
    func onlyHexadecimalDigitsAreValid(_ index: Int) {
        var scanner = DocumentScanner()
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for byte in UInt8.min ... .max where byte != 0x22 {
            var content = [UInt8](#"\u1111"#)
            content[2 + index] = byte
            let mistakes = scanner.mistakes(about: .string("", content, isValid: digits.contains(byte)))
            #expect(mistakes == [], "byte \(byte)")
        }
    }
}

extension ValueCase {
    fileprivate static func escape(_ name: String, _ content: String) -> ValueCase {
        string(name, [UInt8](content), isValid: true)
    }

    fileprivate static func invalidEscape(_ name: String, _ content: String) -> ValueCase {
        string(name, [UInt8](content), isValid: false)
    }
}

/// Strings are scanned sixteen bytes at a time: special bytes are tried in every lane of a block, and at every offset
/// around the boundary between two blocks.
@Suite struct VectorTests {
    struct Special: NamedCase {
        let name: String
        let bytes: [UInt8]
        let isValid: Bool
    }

    static let specials = [
        Special(name: "no special byte", bytes: [], isValid: true),
        Special(name: "an escape", bytes: [0x5c, 0x6e], isValid: true),
        Special(name: "an escaped quote", bytes: [0x5c, 0x22], isValid: true),
        Special(name: "an escaped backslash", bytes: [0x5c, 0x5c], isValid: true),
        Special(name: "a long escape", bytes: [UInt8](#"\ud83d\ude00"#), isValid: true),
        Special(name: "two bytes", bytes: [0xc3, 0xa9], isValid: true),
        Special(name: "three bytes", bytes: [0xe2, 0x82, 0xac], isValid: true),
        Special(name: "four bytes", bytes: [0xf0, 0x9f, 0x98, 0x80], isValid: true),
        Special(
            name: "multibyte characters and an escape",
            bytes: [0xf0, 0x9f, 0x98, 0x80, 0x5c, 0x74, 0xc3, 0xa9], isValid: true),
        Special(name: "delete", bytes: [0x7f], isValid: true),
        Special(name: "a null byte", bytes: [0x00], isValid: false),
        Special(name: "a tab", bytes: [0x09], isValid: false),
        Special(name: "the last control character", bytes: [0x1f], isValid: false),
        Special(name: "an invalid escape", bytes: [0x5c, 0x78], isValid: false),
        Special(
            name: "an escape with too few digits", bytes: [0x5c, 0x75, 0x30, 0x30, 0x67, 0x30], isValid: false
        ),
        Special(name: "a continuation byte", bytes: [0xbf], isValid: false),
        Special(name: "a truncated character", bytes: [0xf0, 0x9f, 0x98], isValid: false),
        Special(name: "FF", bytes: [0xff], isValid: false),
    ]

    @Test(arguments: specials)
    func specialBytesAreFoundAtEveryOffset(_ special: Special) {
        var scanner = DocumentScanner()
        for offset in 0...40 {
            let before = [UInt8](repeating: UInt8(ascii: "a"), count: offset)
            for rest in [0, 1, 15, 16, 17] {
                let content = before + special.bytes + [UInt8](repeating: UInt8(ascii: "z"), count: rest)
                let mistakes = scanner.mistakes(about: .string("", content, isValid: special.isValid))
                #expect(mistakes == [], "offset \(offset), \(rest) after it")
            }
        }
    }

    /// In a text with an escape every few bytes, whole blocks are moved over: a special byte may be anywhere in the next
    /// one, and its backslash at the end of the block before.
    @Test(arguments: specials)
    func specialBytesAreFoundAmongEscapes(_ special: Special) {
        var scanner = DocumentScanner()
        for offset in 0...70 {
            let escapes = [UInt8](String(repeating: #"\"key\\\":\/"#, count: 6).utf8)
            // An escape is not divided.
            var before = Array(escapes.prefix(offset))
            if before.reversed().prefix(while: { $0 == 0x5c }).count % 2 == 1 { before.append(0x5c) }
            for rest in [0, 1, 16, 31, 32] {
                let after = [UInt8](repeating: UInt8(ascii: "z"), count: rest)
                let content = before + special.bytes + after
                let mistakes = scanner.mistakes(about: .string("", content, isValid: special.isValid))
                #expect(mistakes == [], "offset \(offset), \(rest) after it")
            }
        }
    }

    /// An unterminated string of any length ends with the text; the bytes after the text are not read.
    @Test func unterminatedStringIsInvalid() {
        var scanner = FieldScanner(FieldPlan())
        for count in 0...40 {
            let text = [UInt8]("{\"") + [UInt8](repeating: UInt8(ascii: "a"), count: count)
            let chunk = Chunk(text + [UInt8]("\":0}"))
            let outcome = scanner.scan(TextRange(0..<text.count), of: chunk)
            #expect(outcome == .invalid, "\(count) letters")
            let whole = scanner.scan(TextRange(0..<(text.count + 4)), of: chunk)
            #expect(whole == .object, "\(count) letters")
        }
    }
}
