import SheafText

/// The clock of the device that shows notifications.
package struct ScreenClock: Sendable, Equatable {
    /// Milliseconds since 1970.
    package let now: Int64
    /// The clock of the device's time zone.
    package let zone: LocalClock

    package init(now: Int64, zone: LocalClock) {
        self.now = now
        self.zone = zone
    }

    fileprivate func localTime(of time: Int64) -> LocalTime {
        LocalTime(milliseconds: time, offset: zone.minutes(at: time))
    }
}

/// How the screen shows when a notification arrived (specification §14).
package enum ShownTime: Equatable {
    case now
    case minutesAgo(Int)
    case hoursAgo(Int)
    /// Minutes since midnight.
    case timeOfDay(Int)
    /// Minutes since midnight.
    case yesterday(Int)
    /// The day of the week, from 0 for Sunday, and minutes since midnight.
    case weekday(Int, Int)
    /// The year is nil if it is the current one.
    case date(year: Int?, month: Int, day: Int)

    /// - Parameters:
    ///   - timestamp: the notification's, in milliseconds since 1970; without one (0) nothing is shown.
    ///   - clock: the clock of the device.
    package init?(_ timestamp: Int64, on clock: ScreenClock) {
        guard timestamp != 0 else { return nil }
        let time = clock.localTime(of: timestamp)
        let current = clock.localTime(of: clock.now)
        // Far more than a week if it does not fit.
        let (difference, overflows) = clock.now.subtractingReportingOverflow(timestamp)
        let minutes = overflows ? Int.max : Int(difference / 60_000)
        switch (timestamp <= clock.now, current.day - time.day) {
        case (false, 0): self = .timeOfDay(time.minute)
        case (true, _) where minutes < 1: self = .now
        case (true, _) where minutes < 60: self = .minutesAgo(minutes)
        case (true, 0): self = .hoursAgo(minutes / 60)
        case (true, 1): self = .yesterday(time.minute)
        case (true, 2...6): self = .weekday(time.weekday, time.minute)
        default:
            let date = time.date
            self = .date(
                year: date.year == current.date.year ? nil : date.year, month: date.month, day: date.day)
        }
    }
}

/// Writes times as the screen shows them: relative to a clock, in a locale.
package struct ShownTimes: Sendable {
    private let clock: ScreenClock
    private let texts: TimeTexts

    package init(_ clock: ScreenClock, _ texts: TimeTexts) {
        self.clock = clock
        self.texts = texts
    }

    /// Appends a time; appends nothing for a timestamp of 0.
    ///
    /// - Parameters:
    ///   - timestamp: milliseconds since 1970.
    ///   - now: the time on the device's clock; nil for that of the clock that was given before.
    package func append(_ timestamp: Int64, now: Int64? = nil, to output: inout [UInt8]) {
        let clock = now.map { ScreenClock(now: $0, zone: self.clock.zone) } ?? self.clock
        switch ShownTime(timestamp, on: clock) {
        case nil: break
        case .now: texts.appendNow(to: &output)
        case .minutesAgo(let minutes): texts.appendMinutesAgo(minutes, to: &output)
        case .hoursAgo(let hours): texts.appendHoursAgo(hours, to: &output)
        case .timeOfDay(let minute): texts.appendTimeOfDay(minute, to: &output)
        case .yesterday(let minute): texts.appendYesterday(minute, to: &output)
        case .weekday(let weekday, let minute): texts.appendWeekday(weekday, minute, to: &output)
        case .date(let year, let month, let day):
            texts.appendDate(year: year, month: month, day: day, to: &output)
        }
    }
}
