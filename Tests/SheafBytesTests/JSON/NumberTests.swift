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
