import Testing

@testable import SheafBytes

/// RFC 8259, section 7: what may follow a backslash.
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
        .escape("a digit behind four", #"\u00411"#),
        .escape("a letter behind an escape", #"\nn"#),
        .escape("two backslashes", #"\\\\"#),
        .escape("a backslash and a quote", #"\\\""#),
        .escape("sixteen escapes", String(repeating: #"\n"#, count: 16)),
        .escape("an escape behind a wide character", #"é\n€\t😀\r"#),
    ]

    static let invalid: [ValueCase] = [
        .noEscape("x", #"\x41"#),
        .noEscape("capital U", #"\U0041"#),
        .noEscape("capital N", #"\N"#),
        .noEscape("a", #"\a"#),
        .noEscape("v", #"\v"#),
        .noEscape("e", #"\e"#),
        .noEscape("zero", #"\0"#),
        .noEscape("octal", #"\101"#),
        .noEscape("apostrophe", #"\'"#),
        .noEscape("space", #"\ "#),
        .noEscape("g", #"\g"#),
        .noEscape("nothing behind u", #"\u"#),
        .noEscape("one digit", #"\u1"#),
        .noEscape("two digits", #"\u12"#),
        .noEscape("three digits", #"\u123"#),
        .noEscape("three digits and a letter", #"\u123g"#),
        .noEscape("first digit wrong", #"\ug123"#),
        .noEscape("second digit wrong", #"\u1g23"#),
        .noEscape("third digit wrong", #"\u12g3"#),
        .noEscape("before 0", #"\u000/"#),
        .noEscape("behind 9", #"\u000:"#),
        .noEscape("before A", #"\u000@"#),
        .noEscape("behind F", #"\u000G"#),
        .noEscape("before a", #"\u000`"#),
        .noEscape("behind f", #"\u000g"#),
        .noEscape("braces", #"\u{41}"#),
        .noEscape("plus", #"\u+041"#),
        .noEscape("minus", #"\u-041"#),
        .noEscape("space in digits", #"\u 041"#),
        .noEscape("high and half an escape", #"\ud83d\ud"#),
        .noEscape("high and a wrong escape", #"\ud83d\x"#),
        .noEscape("a wide digit", #"\u０041"#),
        .noEscape("a wide character", #"\é"#),
        .noEscape("a backslash at the end", #"\"#),
        .noEscape("three backslashes at the end", #"\\\"#),
        .string("a raw line feed", [0x5c, 0x0a], isValid: false),
        .string("a raw null", [0x5c, 0x00], isValid: false),
        .string("a raw null in digits", [0x5c, 0x75, 0x30, 0x30, 0x00, 0x31], isValid: false),
        .string("a continuation", [0x5c, 0x80], isValid: false),
    ]

    @Test(arguments: valid + invalid)
    func inEveryPlace(_ value: ValueCase) { expectCorrect(value) }

    /// Every byte behind a backslash.
    @Test func everyLetter() {
        var scanner = PlaceScanner()
        // `u` needs digits; a quote leaves the string open.
        let letters = Set(#"\/bfnrt"#.utf8)
        for byte in UInt8.min ... .max where byte != 0x75 && byte != 0x22 {
            let value = ValueCase.string("", [0x5c, byte], isValid: letters.contains(byte))
            let mistakes = scanner.mistakes(about: value)
            #expect(mistakes == [], "byte \(byte)")
        }
    }

    /// Every byte as each of the four digits.
    @Test(arguments: 0..<4)
    func everyDigit(_ place: Int) {
        var scanner = PlaceScanner()
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for byte in UInt8.min ... .max where byte != 0x22 {
            var content = [UInt8](#"\u1111"#)
            content[2 + place] = byte
            let mistakes = scanner.mistakes(about: .string("", content, isValid: digits.contains(byte)))
            #expect(mistakes == [], "byte \(byte)")
        }
    }
}

extension ValueCase {
    fileprivate static func escape(_ name: String, _ content: String) -> ValueCase {
        string(name, [UInt8](content), isValid: true)
    }

    fileprivate static func noEscape(_ name: String, _ content: String) -> ValueCase {
        string(name, [UInt8](content), isValid: false)
    }
}
