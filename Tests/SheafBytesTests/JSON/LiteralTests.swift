import Testing

@testable import SheafBytes

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
