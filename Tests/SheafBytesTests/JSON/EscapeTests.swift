import Testing

@testable import SheafBytes

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
