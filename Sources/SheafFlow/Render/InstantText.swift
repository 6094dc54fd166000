import SheafBytes

/// Writes instants as RFC 3339 date-times.
enum InstantText {
    /// Returns the date-time of an instant: `2026-01-05T18:00:00+02:00`, with milliseconds only if there are any.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - offset: the difference of the clock from UTC, in milliseconds.
    static func text(_ time: Int64, offset: Int64) -> String {
        let (local, overflows) = time.addingReportingOverflow(offset)
        let shown = overflows ? time : local
        let day: Int64 = 86_400_000
        let days = shown >= 0 ? shown / day : (shown + 1) / day - 1
        let rest = Int(shown - days * day)
        let (year, month, dayOfMonth) = date(days: Int(days))
        func two(_ number: Int) -> String { Numbers.padded(String(number), to: 2) }
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map(two).joined(separator: ":")
        let thousandths = rest % 1_000
        let fraction = thousandths == 0 ? "" : "." + Numbers.padded(String(thousandths), to: 3)
        let minutes = Int(overflows ? 0 : offset / 60_000)
        let zone =
            minutes == 0
            ? "Z" : (minutes < 0 ? "-" : "+") + two(abs(minutes) / 60) + ":" + two(abs(minutes) % 60)
        return
            "\(Numbers.padded(String(year), to: 4))-\(two(month))-\(two(dayOfMonth))T\(clock)\(fraction)\(zone)"
    }

    /// Returns the date of a day, given as the number of days since 1970-01-01 (Hinnant's `civil_from_days`).
    private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
