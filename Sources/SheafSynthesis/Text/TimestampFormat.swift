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
