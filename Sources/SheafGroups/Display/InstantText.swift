import SheafBytes

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
