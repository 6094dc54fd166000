import SheafBytes

/// An RFC 3339 date-time, or a variant that logs have: `2026-11-21T06:30:00.25+01:00`, `2026-11-21 06:30:00,25`.
///
/// `T` and `Z` may be in either case. A space may replace `T`, and a comma the decimal point of a fraction, which has
/// any number of digits. An offset may lack its colon, and follow a space and `GMT` or `UTC`; without an offset the
/// time is UTC. A leap second is accepted
/// only where one can occur, at 23:59:60 UTC, and counts as the first second of the next day, as in POSIX time.
package struct DateTime {
    /// Milliseconds since 1970, rounded down; negative before then.
    let milliseconds: Int64
    /// The minutes by which the time as written is ahead of UTC.
    let offset: Int

    /// Parses `text`; nil if it is not a date-time.
    package init?(_ text: Span<UInt8>) {
        var reader = Reader(text)
        guard let year = reader.number(digits: 4), reader.take(UInt8(ascii: "-")),
            let month = reader.number(digits: 2), reader.take(UInt8(ascii: "-")),
            let day = reader.number(digits: 2), reader.takeSeparator(),
            let hour = reader.number(digits: 2), reader.take(UInt8(ascii: ":")),
            let minute = reader.number(digits: 2), reader.take(UInt8(ascii: ":")),
            let second = reader.number(digits: 2)
        else { return nil }
        var thousandths = 0
        if reader.take(UInt8(ascii: ".")) || reader.take(UInt8(ascii: ",")) {
            guard let fraction = reader.thousandths() else { return nil }
            thousandths = fraction
        }
        guard let offset = reader.offsetMinutes(), reader.isAtEnd else { return nil }
        guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let minutes = (Self.days(toYear: year, month: month, day: day) * 24 + hour) * 60 + minute - offset
        let lastMinuteOfDay = 24 * 60 - 1
        if second == 60, Self.modulo(minutes, 24 * 60) != lastMinuteOfDay { return nil }
        self.offset = offset
        milliseconds = Int64((minutes * 60 + second) * 1000 + thousandths)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days since 1970-01-01. Years begin in March, so that the leap day is the last day of a
    /// year (Hinnant's `days_from_civil`).
    static func days(toYear year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the date of a day, given as the number of days since 1970-01-01 (Hinnant's `civil_from_days`).
    ///
    /// - Parameter days: at most 2^62 in either direction.
    static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let dayOfEra = modulo(shifted, 146_097)
        let era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// Returns the remainder of a division that rounds down: from 0 to `divisor` - 1.
    static func modulo(_ number: Int, _ divisor: Int) -> Int {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension DateTime {
    private struct Reader: ~Escapable {
        private let text: Span<UInt8>
        private var index = 0

        @_lifetime(copy text)
        init(_ text: Span<UInt8>) { self.text = text }

        var isAtEnd: Bool { index == text.count }

        private var digit: Int? {
            guard index < text.count, text[index].isDigit else { return nil }
            return Int(text[index] - UInt8(ascii: "0"))
        }

        mutating func number(digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let digit else { return nil }
                number = number * 10 + digit
                index += 1
            }
            return number
        }

        mutating func take(_ byte: UInt8) -> Bool {
            guard index < text.count, text[index] == byte else { return false }
            index += 1
            return true
        }

        /// Consumes a letter, in either case, if it is next.
        mutating func takeLetter(_ lowercase: UInt8) -> Bool {
            guard index < text.count, text[index] | 0x20 == lowercase else { return false }
            index += 1
            return true
        }

        /// Consumes the separator of date and time, if it is next.
        mutating func takeSeparator() -> Bool { takeLetter(UInt8(ascii: "t")) || take(UInt8(ascii: " ")) }

        /// Reads the digits of a fraction, at least one; digits after the third are ignored.
        mutating func thousandths() -> Int? {
            guard digit != nil else { return nil }
            var result = 0
            var unit = 100
            while let digit {
                result += digit * unit
                unit /= 10
                index += 1
            }
            return result
        }

        /// Consumes a space and the name of universal time, `GMT` or `UTC` in upper case, if they are next.
        mutating func takeZoneName() -> Bool {
            guard index + 4 <= text.count, text[index] == UInt8(ascii: " ") else { return false }
            let name = text.extracting(index + 1..<index + 4)
            guard name.isEqual(to: "GMT") || name.isEqual(to: "UTC") else { return false }
            index += 4
            return true
        }

        /// Reads `Z`, an offset in hours and minutes, or the end of the text. Returns minutes east of UTC.
        mutating func offsetMinutes() -> Int? {
            if isAtEnd || takeLetter(UInt8(ascii: "z")) { return 0 }
            if takeZoneName(), isAtEnd { return 0 }
            let isWest = take(UInt8(ascii: "-"))
            guard isWest || take(UInt8(ascii: "+")), let hours = number(digits: 2) else { return nil }
            _ = take(UInt8(ascii: ":"))
            guard let minutes = number(digits: 2), hours < 24, minutes < 60 else { return nil }
            let offset = hours * 60 + minutes
            return isWest ? -offset : offset
        }
    }
}

// MARK: - Local times

/// A day and a time of day on a clock.
struct LocalTime: Equatable {
    /// The number of days since 1970-01-01.
    let day: Int
    /// The minutes since midnight.
    let minute: Int

    /// - Parameters:
    ///   - milliseconds: milliseconds since 1970.
    ///   - offset: the minutes by which the time zone is ahead of UTC, less than a day.
    init(milliseconds: Int64, offset: Int) {
        let rest = DateTime.modulo(Int(milliseconds), Self.minuteMilliseconds)
        // The division comes first, because the sum of milliseconds may overflow.
        let minutes =
            Int(milliseconds) / Self.minuteMilliseconds - (milliseconds < 0 && rest > 0 ? 1 : 0) + offset
        minute = DateTime.modulo(minutes, Self.dayMinutes)
        day = (minutes - minute) / Self.dayMinutes
    }

    /// The day of the week, from 0 for Sunday to 6.
    var weekday: Int { DateTime.modulo(day + Self.weekdayOf1970, 7) }

    /// The date in the Gregorian calendar; years before the year 1 are 0 and negative.
    var date: (year: Int, month: Int, day: Int) { DateTime.date(days: day) }

    private static let minuteMilliseconds = 60_000
    private static let dayMinutes = 24 * 60
    /// 1970-01-01 is a Thursday.
    private static let weekdayOf1970 = 4
}

/// Writes instants as RFC 3339 date-times.
package enum InstantText {
    /// Returns the date-time of an instant: `2026-01-05T18:00:00+02:00`, with milliseconds only if there are any.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - offset: the minutes by which the clock is ahead of UTC, less than a day.
    package static func text(_ time: Int64, offset: Int) -> String {
        let local = LocalTime(milliseconds: time, offset: offset)
        let (year, month, day) = local.date
        let rest = DateTime.modulo(Int(time), 60_000)
        let fraction = rest % 1_000 == 0 ? "" : "." + Numbers.padded(String(rest % 1_000), to: 3)
        let date = [Numbers.padded(String(year), to: 4), two(month), two(day)].joined(separator: "-")
        let clock = [local.minute / 60, local.minute % 60, rest / 1_000].map(two).joined(separator: ":")
        let sign = offset < 0 ? "-" : "+"
        let zone = offset == 0 ? "Z" : "\(sign)\(two(abs(offset) / 60)):\(two(abs(offset) % 60))"
        return "\(date)T\(clock)\(fraction)\(zone)"
    }

    private static func two(_ number: Int) -> String { Numbers.padded(String(number), to: 2) }
}
