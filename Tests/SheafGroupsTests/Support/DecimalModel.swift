/// Converts timestamps with long arithmetic on digits: slow, exact, and independent of the real implementation.
enum DecimalModel {
    /// Returns the milliseconds for a JSON number (specification §2); nil when it is negative or exceeds 64 bits.
    static func milliseconds(_ text: String) -> Int64? {
        var rest = Substring(text)
        let isNegative = rest.hasPrefix("-")
        if isNegative { rest = rest.dropFirst() }
        let parts = rest.split(whereSeparator: { $0 == "e" || $0 == "E" })
        let exponent = parts.count == 2 ? Int(parts[1].drop { $0 == "+" })! : 0
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count == 2 ? String(mantissa[1]) : ""
        let digits = String(mantissa[0]) + fraction
        guard digits.contains(where: { $0 != "0" }) else { return 0 }
        if isNegative { return nil }
        let pointPosition = mantissa[0].count + exponent
        let whole = wholePart(digits, pointPosition)
        let shift =
            switch whole.count {
            case ...11: 3
            case ...14: 0
            case ...17: -3
            default: -6
            }
        let result = wholePart(digits, pointPosition + shift)
        return result.isEmpty ? 0 : Int64(result)
    }

    /// Returns the digits before a decimal point at `position`, without leading zeros.
    private static func wholePart(_ digits: String, _ position: Int) -> String {
        guard position > 0 else { return "" }
        let padded = digits + String(repeating: "0", count: max(0, position - digits.count))
        return String(padded.prefix(position).drop { $0 == "0" })
    }
}
