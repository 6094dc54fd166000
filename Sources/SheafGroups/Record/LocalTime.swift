/// A day and a time of day in a time zone with a fixed offset from UTC.
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
