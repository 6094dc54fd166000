/// How an app's server writes the time of a record. Each format is one of those in specification §2.
enum TimestampFormat: Sendable, Equatable {
    /// Milliseconds since 1970, as an integer.
    case milliseconds
    /// Seconds since 1970 with three fraction digits.
    case seconds
    /// RFC 3339 with three fraction digits; `offset` is in hours east of Greenwich, in `0...9`.
    case dateTime(offset: Int)

    /// Appends the time as a JSON value.
    ///
    /// - Parameter milliseconds: since 1970, not negative.
    func append(_ milliseconds: Int, to bytes: inout [UInt8]) {
        switch self {
        case .milliseconds:
            bytes.appendDecimal(milliseconds)
        case .seconds:
            bytes.appendDecimal(milliseconds / 1_000)
            bytes.append(UInt8(ascii: "."))
            bytes.appendDecimal(milliseconds % 1_000, width: 3)
        case .dateTime(let offset):
            Self.append(milliseconds, offset: offset, to: &bytes)
        }
    }

    private static func append(_ milliseconds: Int, offset: Int, to bytes: inout [UInt8]) {
        let local = milliseconds + offset * 3_600_000
        let (days, timeOfDay) = local.quotientAndRemainder(dividingBy: 86_400_000)
        let date = civilDate(daysSince1970: days)
        bytes.append(UInt8(ascii: "\""))
        bytes.appendDecimal(date.year, width: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(date.month, width: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(date.day, width: 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.appendDecimal(timeOfDay / 3_600_000, width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(timeOfDay / 60_000 % 60, width: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(timeOfDay / 1_000 % 60, width: 2)
        bytes.append(UInt8(ascii: "."))
        bytes.appendDecimal(timeOfDay % 1_000, width: 3)
        if offset == 0 {
            bytes.append(UInt8(ascii: "Z"))
        } else {
            bytes.append(UInt8(ascii: "+"))
            bytes.appendDecimal(offset, width: 2)
            bytes.append(UInt8(ascii: ":"))
            bytes.appendDecimal(0, width: 2)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns the Gregorian date of a day, 1970-01-01 or later.
    ///
    /// Years start in March, so that the leap day is the last day of its year and one formula yields the lengths of all
    /// months.
    private static func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

/// Writes numbers as text in place: creating a `String` for each would be most of a record's cost.
extension [UInt8] {
    /// Appends a number ≥ 0 in decimal, with leading zeros up to `width` digits.
    mutating func appendDecimal(_ number: Int, width: Int = 1) {
        // Starts at the last digit: dividing by a constant is several times faster than by a variable power of
        // ten.
        let start = count
        var rest = UInt64(number)
        repeat {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0 || count < start + width
        var low = start
        var high = count - 1
        while low < high {
            swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    /// Appends the lowest `digits` hexadecimal digits of a number.
    ///
    /// - Parameter letters: the digit for 10: `a` or `A`.
    mutating func appendHexadecimal(_ number: UInt64, digits: Int, letters: UInt8 = UInt8(ascii: "a")) {
        var shift = UInt64(digits) &* 4
        while shift > 0 {
            shift &-= 4
            let digit = UInt8(truncatingIfNeeded: (number &>> shift) & 15)
            append(digit < 10 ? UInt8(ascii: "0") &+ digit : letters &+ digit &- 10)
        }
    }

    /// Appends a random UUID (RFC 9562, version 4) in upper case, as the push service writes its identifiers.
    mutating func appendUUID(_ high: UInt64, _ low: UInt64) {
        let first = (high & ~0xF000) | 0x4000
        let second = (low & ~(3 << 62)) | (1 << 63)
        let letters = UInt8(ascii: "A")
        let hyphen = UInt8(ascii: "-")
        appendHexadecimal(first &>> 32, digits: 8, letters: letters)
        append(hyphen)
        appendHexadecimal(first &>> 16, digits: 4, letters: letters)
        append(hyphen)
        appendHexadecimal(first, digits: 4, letters: letters)
        append(hyphen)
        appendHexadecimal(second &>> 48, digits: 4, letters: letters)
        append(hyphen)
        appendHexadecimal(second, digits: 12, letters: letters)
    }
}
