/// Converts timestamps as logs write them to milliseconds since 1970 (specification §2).
///
/// Uses exact decimal arithmetic, because 1700000000.123 seconds as a binary fraction would round down to .122.
package enum Timestamp {
    /// Converts a JSON number. Its magnitude determines its unit: seconds below 1e11, milliseconds below 1e14,
    /// microseconds below 1e17, else nanoseconds. The result is rounded down to a millisecond.
    ///
    /// - Returns: nil for a negative number, for invalid syntax, and for a time that does not fit in 64 bits.
    package static func milliseconds(number text: Span<UInt8>) -> Int64? {
        if let plain = plainMilliseconds(text) { return plain }
        guard let decimal = Decimal(text) else { return nil }
        guard decimal.digitCount > 0 else { return 0 }
        if decimal.isNegative { return nil }
        let shift: Int
        switch decimal.magnitude {
        case ...11: shift = 3
        case ...14: shift = 0
        case ...17: shift = -3
        default: shift = -6
        }
        return decimal.roundedDown(shiftedBy: shift, in: text)
    }

    /// A fast path for what most logs write: seconds or milliseconds with 9 to 14 digits, or seconds with three
    /// decimals.
    private static func plainMilliseconds(_ text: Span<UInt8>) -> Int64? {
        guard text.count >= 9, text.count <= 15, text[0] > UInt8(ascii: "0") else { return nil }
        if text[text.count - 4] == UInt8(ascii: ".") {
            guard let seconds = text.extracting(droppingLast: 4).shortDecimal, seconds < 100_000_000_000,
                let thousandths = text.extracting(last: 3).shortDecimal
            else { return nil }
            return Int64(seconds * 1000 + thousandths)
        }
        guard text.count <= 14, let number = text.shortDecimal else { return nil }
        return Int64(number < 100_000_000_000 ? number * 1000 : number)
    }

    /// Converts a date-time, in any of the forms of `DateTime`; nil for any other text.
    ///
    /// - Returns: the milliseconds since 1970, and the minutes by which the time as written is ahead of UTC.
    package static func instant(dateTime text: String) -> (milliseconds: Int64, offset: Int)? {
        DateTime(Array(text.utf8).span).map { ($0.milliseconds, $0.offset) }
    }

    /// Converts an RFC 3339 date-time, or the digits of a number.
    package static func milliseconds(text: Span<UInt8>) -> Int64? {
        DateTime(text)?.milliseconds ?? milliseconds(number: text)
    }
}

/// The significant digits of a decimal number, as a part of its text.
///
///     0.00120e5    digits "120" (the first at `first`), magnitude 3: it is 0.120 × 10^3
private struct Decimal {
    /// The number of significant digits, from the first one that is not 0 to the last one written; 0 for zero.
    private(set) var digitCount = 0
    /// The number is 0.d₁d₂d₃… × 10^magnitude with d₁ not 0.
    private(set) var magnitude = 0
    private(set) var isNegative = false
    private var first = 0

    /// Parses `text` as a JSON number; nil if it is invalid.
    init?(_ text: Span<UInt8>) {
        var index = 0
        func byte(_ index: Int) -> UInt8 { index < text.count ? text[index] : 0 }
        func isDigit(_ index: Int) -> Bool { byte(index).isDigit }

        if byte(index) == UInt8(ascii: "-") {
            isNegative = true
            index += 1
        }
        guard isDigit(index) else { return nil }
        if byte(index) == UInt8(ascii: "0"), isDigit(index + 1) { return nil }
        while isDigit(index) {
            take(text[index], at: index)
            if digitCount > 0 { magnitude += 1 }
            index += 1
        }
        if byte(index) == UInt8(ascii: ".") {
            index += 1
            guard isDigit(index) else { return nil }
            while isDigit(index) {
                take(text[index], at: index)
                if digitCount == 0 { magnitude -= 1 }
                index += 1
            }
        }
        if byte(index) | 0x20 == UInt8(ascii: "e") {
            index += 1
            let isDown = byte(index) == UInt8(ascii: "-")
            if isDown || byte(index) == UInt8(ascii: "+") { index += 1 }
            guard isDigit(index) else { return nil }
            var exponent = 0
            while isDigit(index) {
                // A larger exponent is out of range in either direction, so its exact value does not matter.
                if exponent < 1_000_000_000_000 {
                    exponent = exponent * 10 + Int(text[index] - UInt8(ascii: "0"))
                }
                index += 1
            }
            magnitude += isDown ? -exponent : exponent
        }
        guard index == text.count else { return nil }
    }

    private mutating func take(_ digit: UInt8, at index: Int) {
        if digitCount == 0 {
            guard digit != UInt8(ascii: "0") else { return }
            first = index
        }
        digitCount += 1
    }

    /// Returns the number times 10^`shift`, rounded down; nil if it does not fit.
    func roundedDown(shiftedBy shift: Int, in text: Span<UInt8>) -> Int64? {
        let wanted = magnitude + shift
        guard wanted > 0 else { return 0 }
        guard wanted <= 19 else { return nil }
        var result: Int64 = 0
        var index = first
        for taken in 0..<wanted {
            var digit: Int64 = 0
            if taken < digitCount {
                if text[index] == UInt8(ascii: ".") { index += 1 }
                digit = Int64(text[index] - UInt8(ascii: "0"))
                index += 1
            }
            let (tenfold, overflow) = result.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            result = sum
        }
        return result
    }
}
