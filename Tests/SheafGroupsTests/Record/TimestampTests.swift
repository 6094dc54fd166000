import TestSupport
import Testing

@testable import SheafGroups

/// Numeric timestamps (specification §2, Timestamps).
@Suite struct TimestampTests {
    /// A timestamp, and its milliseconds; nil if it is invalid.
    typealias Case = Example<String, Int64?>

    /// Reads the timestamp as a JSON number and as the text of one.
    private func read(_ text: String) -> (number: Int64?, text: Int64?) {
        let bytes = Array(text.utf8)
        return (Timestamp.milliseconds(number: bytes.span), Timestamp.milliseconds(text: bytes.span))
    }

    @Test(arguments: [
        Case("0", 0), Case("1", 1_000), Case("1700000000", 1_700_000_000_000),
        Case("0.0", 0), Case("0e5", 0), Case("0e999999999999999999999", 0), Case("-0", 0), Case("-0.0", 0),
        Case("-0e7", 0),
        // Units.
        Case("99999999999", 99_999_999_999_000), Case("100000000000", 100_000_000_000),
        Case("100000000001", 100_000_000_001), Case("99999999999.999", 99_999_999_999_999),
        Case("99999999999.9999", 99_999_999_999_999),
        Case("99999999999999", 99_999_999_999_999), Case("100000000000000", 100_000_000_000),
        Case("100000000000001", 100_000_000_000), Case("99999999999999.9", 99_999_999_999_999),
        Case("99999999999999999", 99_999_999_999_999), Case("100000000000000000", 100_000_000_000),
        Case("100000000000000001", 100_000_000_000), Case("99999999999999999.9", 99_999_999_999_999),
        Case("1e11", 100_000_000_000), Case("1e14", 100_000_000_000), Case("1e17", 100_000_000_000),
        Case("0.1e12", 100_000_000_000), Case("9.9999999999e10", 99_999_999_999_000),
        // Fractions.
        Case("1700000000.123", 1_700_000_000_123), Case("1700000000.1239999", 1_700_000_000_123),
        Case("1700000000.9999999999999999999999999999", 1_700_000_000_999),
        Case("1700000000.0009999999999999999999999999", 1_700_000_000_000),
        Case("1700000000.001", 1_700_000_000_001), Case("1700000000.29", 1_700_000_000_290),
        Case("1700000000123.9", 1_700_000_000_123), Case("1700000000123999", 1_700_000_000_123),
        Case("1700000000123999.9", 1_700_000_000_123), Case("1700000000123999999", 1_700_000_000_123),
        Case("0.001", 1), Case("0.0009", 0), Case("0.9999", 999), Case("1.0005", 1_000),
        // Exponents.
        Case("17e8", 1_700_000_000_000), Case("17E+8", 1_700_000_000_000), Case("1.7e9", 1_700_000_000_000),
        Case("1700000000123e-3", 1_700_000_000_123), Case("17000000001239e-4", 1_700_000_000_123),
        Case("1.700000000123e9", 1_700_000_000_123), Case("1e-3", 1), Case("1e-4", 0),
        Case("0.000000000017e20", 1_700_000_000_000),
        Case("17000000000000000000000000000e-19", 1_700_000_000_000),
        // The largest and the smallest numbers.
        Case("9223372036854775807999999", 9_223_372_036_854_775_807), Case("9223372036854775808000000", nil),
        Case("9.223372036854775807e24", 9_223_372_036_854_775_807), Case("9.223372036854775808e24", nil),
        Case("1e25", nil), Case("1e26", nil), Case("1e999999999999999999999999", nil),
        Case("1e-999999999999999999999999", 0), Case("-1e-999999999999999999999999", nil),
        Case("0.00000000000000000000000000000000000001", 0),
        // Negative numbers are invalid.
        Case("-1", nil), Case("-0.0001", nil), Case("-1700000000", nil),
    ])
    func numbersAreConvertedToMilliseconds(_ item: Case) {
        let (number, text) = read(item.input)
        #expect(number == item.expected)
        #expect(text == item.expected)
    }

    @Test(arguments: [
        "", " ", "1 ", " 1", "+1", "01", "00", "1.", ".5", "1e", "1e+", "e5", "0x10", "1_000", "1,5", "NaN",
        "Infinity", "now", "--1", "1-1", "1.5.2", "1e5e5", "-", "１", "1\u{0}",
    ])
    func otherTextsAreInvalid(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Timestamp.milliseconds(text: bytes.span) == nil)
    }

    @Test(arguments: [100_000_000_000, 100_000_000_000_000, 100_000_000_000_000_000] as [Int64])
    func numbersAroundABoundaryMatchTheModel(_ boundary: Int64) {
        for number in (boundary - 3)...(boundary + 3) {
            let text = String(number)
            #expect(read(text).number == DecimalModel.milliseconds(text), "\(text)")
            for fraction in ["0", "5", "9999999"] {
                #expect(
                    read("\(text).\(fraction)").number == DecimalModel.milliseconds("\(text).\(fraction)"))
            }
        }
    }

    /// Compares numbers of up to about 30 digits, with a point and an exponent anywhere, with the model.
    @Test(arguments: Seeds.several(4))
    func randomNumbersMatchTheModel(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func digits(_ count: Int) -> String {
            String((0..<count).map { _ in random.pick(Array("00123456789999")) })
        }
        for _ in 0..<1_500 {
            var text = random.chance(10) ? "-" : ""
            let whole = digits(1 + random.below(20))
            text += whole.hasPrefix("0") ? "0" : whole
            if random.chance(50) { text += "." + digits(1 + random.below(12)) }
            if random.chance(40) {
                text += random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + digits(1 + random.below(2))
            }
            #expect(read(text).number == DecimalModel.milliseconds(text), "\(text)")
        }
    }

    @Test func modelIsExact() {
        #expect(DecimalModel.milliseconds("1700000000.123") == 1_700_000_000_123)
        #expect(DecimalModel.milliseconds("17e8") == 1_700_000_000_000)
        #expect(DecimalModel.milliseconds("100000000000000001") == 100_000_000_000)
        #expect(DecimalModel.milliseconds("-1") == nil)
    }

    // MARK: - Timestamps of records

    private func decode(_ members: String) -> DecodedLine {
        DecodedLine(#"{"app":"a",\#(members)"payload":{"aps":{"alert":"x"}}}"#)
    }

    @Test(arguments: [
        Case(#""timestamp":5,"#, 5_000), Case(#""ts":5,"#, 5_000), Case(#""ts":6,"timestamp":5,"#, 5_000),
        Case(#""timestamp":null,"ts":5,"#, 5_000), Case(#""timestamp":"5","#, 5_000),
        Case(#""timestamp":"\u0035","#, 5_000), Case(#""timestamp":5,"timestamp":6,"#, 6_000),
        Case(#""timestamp":"1970-01-01T00:00:05Z","#, 5_000), Case(#""timestamp":5,"ts":"never","#, 5_000),
        Case(#""timestamp":0,"#, 0),
    ])
    func firstNameThatIsNotNullWins(_ item: Case) {
        let decoded = decode(item.input)
        #expect(decoded.outcome == .notification)
        #expect(decoded.order.timestamp == item.expected)
        #expect(!decoded.isUntimed)
    }

    @Test(arguments: ["", #""timestamp":null,"#, #""timestamp":null,"ts":null,"#, #""headers":{"ts":5},"#])
    func recordWithoutATimestampIsUntimed(_ members: String) {
        let decoded = decode(members)
        #expect(decoded.outcome == .notification)
        #expect(decoded.order.timestamp == 0)
        #expect(decoded.isUntimed)
    }

    @Test(arguments: [#""timestamp":"","ts":5,"#, #""timestamp":false,"ts":5,"#, #""ts":"5 ","#])
    func invalidTimestampIsRejected(_ members: String) {
        #expect(decode(members).outcome == .rejected(.timestampInvalid))
    }
}
