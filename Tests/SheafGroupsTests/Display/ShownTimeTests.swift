import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// Which time the screen shows (specification §14).
@Suite struct ShownTimeTests {
    struct Case: NamedCase {
        let name: String
        let time: String
        /// The clock, whose offset is that of the device.
        let now: String
        let shown: ShownTime?

        init(_ name: String, _ time: String, at now: String, _ shown: ShownTime?) {
            (self.name, self.time, self.now, self.shown) = (name, time, now, shown)
        }
    }

    private static let noon = "2026-01-08T12:00:00Z"

    @Test(arguments: [
        Case("the same instant", "2026-01-08T12:00:00Z", at: noon, .now),
        Case("59.999 seconds", "2026-01-08T11:59:00.001Z", at: noon, .now),
        Case("60 seconds", "2026-01-08T11:59:00Z", at: noon, .minutesAgo(1)),
        Case("2 minutes less 1 ms", "2026-01-08T11:58:00.001Z", at: noon, .minutesAgo(1)),
        Case("59 minutes", "2026-01-08T11:00:00.001Z", at: noon, .minutesAgo(59)),
        Case("60 minutes", "2026-01-08T11:00:00Z", at: noon, .hoursAgo(1)),
        Case("2 hours less 1 ms", "2026-01-08T10:00:00.001Z", at: noon, .hoursAgo(1)),
        Case("midnight", "2026-01-08T00:00:00Z", at: noon, .hoursAgo(12)),
        Case("a whole day", "2026-01-08T00:00:00Z", at: "2026-01-08T23:59:59.999Z", .hoursAgo(23)),
        Case("before midnight", "2026-01-07T23:59:59.999Z", at: noon, .yesterday(1_439)),
        Case("yesterday's midnight", "2026-01-07T00:00:00Z", at: noon, .yesterday(0)),
        Case("before yesterday's midnight", "2026-01-06T23:59:59.999Z", at: noon, .weekday(2, 1_439)),
        Case("6 days", "2026-01-02T00:00:00Z", at: noon, .weekday(5, 0)),
        Case("7 days", "2026-01-01T23:59:59.999Z", at: noon, .date(year: nil, month: 1, day: 1)),
        Case("the first day of a year", "2026-01-01T00:00:00Z", at: noon, .date(year: nil, month: 1, day: 1)),
        Case("another year", "2025-12-31T23:59:59.999Z", at: noon, .date(year: 2025, month: 12, day: 31)),
        // An hour counts before the day.
        Case("minutes before midnight", "2026-01-07T23:50:00Z", at: "2026-01-08T00:30:00Z", .minutesAgo(40)),
        Case("seconds before midnight", "2025-12-31T23:59:30Z", at: "2026-01-01T00:00:00Z", .now),
        Case(
            "an hour before midnight", "2026-01-07T23:00:00Z", at: "2026-01-08T00:00:00Z",
            .yesterday(1_380)),
        Case(
            "yesterday in another year", "2025-12-31T08:00:00Z", at: "2026-01-01T12:00:00Z", .yesterday(480)),
        Case(
            "a weekday in another year", "2025-12-30T08:00:00Z", at: "2026-01-01T12:00:00Z", .weekday(2, 480)),
        Case(
            "a leap day", "2024-02-29T08:00:00Z", at: "2024-03-07T12:00:00Z",
            .date(year: nil, month: 2, day: 29)),
        Case("the day after a leap day", "2024-02-29T08:00:00Z", at: "2024-03-01T12:00:00Z", .yesterday(480)),
        Case(
            "no leap day", "2023-02-28T08:00:00Z", at: "2023-03-01T12:00:00Z", .yesterday(480)),
        Case(
            "leap years apart", "2020-02-29T08:00:00Z", at: "2024-02-29T12:00:00Z",
            .date(year: 2020, month: 2, day: 29)),
        // Days and times of day are those of the clock.
        Case(
            "east of UTC", "2026-01-07T22:00:00Z", at: "2026-01-08T12:00:00+02:00", .hoursAgo(12)),
        Case(
            "before midnight east of UTC", "2026-01-07T21:59:00Z", at: "2026-01-08T12:00:00+02:00",
            .yesterday(1_439)),
        Case(
            "before midnight west of UTC", "2026-01-08T09:29:00Z", at: "2026-01-08T12:00:00-09:30",
            .yesterday(1_439)),
        Case("midnight west of UTC", "2026-01-08T09:30:00Z", at: "2026-01-08T12:00:00-09:30", .hoursAgo(12)),
        Case(
            "a quarter of an hour", "2026-01-05T18:00:00Z", at: "2026-01-08T12:00:00+05:45",
            .weekday(1, 23 * 60 + 45)),
        Case(
            "another year east of UTC", "2025-12-31T22:00:00Z", at: "2026-02-08T12:00:00+02:00",
            .date(year: nil, month: 1, day: 1)),
        Case(
            "another year west of UTC", "2026-01-01T02:00:00Z", at: "2026-02-08T12:00:00-03:00",
            .date(year: 2025, month: 12, day: 31)),
        // Newer than the clock.
        Case("1 ms later", "2026-01-08T12:00:00.001Z", at: noon, .timeOfDay(720)),
        Case("later that day", "2026-01-08T23:59:59Z", at: noon, .timeOfDay(1_439)),
        Case("the next day", "2026-01-09T00:00:00Z", at: noon, .date(year: nil, month: 1, day: 9)),
        Case("the next year", "2027-01-09T00:00:00Z", at: noon, .date(year: 2027, month: 1, day: 9)),
        Case("without a timestamp", "1970-01-01T00:00:00Z", at: noon, nil),
        Case("without a timestamp, at that time", "1970-01-01T00:00:00Z", at: "1970-01-01T00:00:00Z", nil),
        // Before 1970.
        Case("1 ms before 1970", "1969-12-31T23:59:59.999Z", at: "1970-01-01T00:00:30Z", .now),
        Case(
            "an hour before 1970", "1969-12-31T22:59:59.999Z", at: "1970-01-01T00:00:30Z", .yesterday(1_379)),
        Case(
            "a year before 1970", "0001-03-01T00:00:00Z", at: "1970-01-01T00:00:30Z",
            .date(year: 1, month: 3, day: 1)),
    ])
    func timesDependOnTheClock(_ item: Case) throws {
        let time = try #require(Timestamp.instant(dateTime: item.time)).milliseconds
        let now = try #require(Timestamp.instant(dateTime: item.now))
        let clock = ScreenClock(
            now: now.milliseconds, zone: LocalClock(offset: Int64(now.offset) * 60_000))
        #expect(ShownTime(time, on: clock) == item.shown)
    }

    /// Any 64-bit number is a valid time.
    @Test(arguments: [
        (Int64.min, Int64.max), (.max, .min), (.min, .min), (.max, .max), (1, .max), (-1, .min),
    ])
    func extremeTimesAreShown(_ time: Int64, _ now: Int64) {
        for offset in [-1_439, 0, 1_439] {
            let shown = ShownTime(
                time, on: ScreenClock(now: now, zone: LocalClock(offset: Int64(offset) * 60_000)))
            #expect(shown != nil && (shown == .now) == (time == now), "\(offset)")
        }
    }

    @Test func timesAreWritten() throws {
        let now = try #require(Timestamp.instant(dateTime: Self.noon)).milliseconds
        let times = ShownTimes(ScreenClock(now: now, zone: LocalClock(offset: 0)), LocalizedTexts().times)
        let (minute, hour) = (Int64(60_000), Int64(3_600_000))
        let found = [0, minute, hour, -hour, 13 * hour, 37 * hour, 240 * hour, 8_784 * hour, now].map { age in
            text { times.append(now - age, to: &$0) }
        }
        #expect(
            found == [
                "now", "1m ago", "1h ago", "1:00 PM", "Yesterday, 11:00 PM", "Tuesday, 11:00 PM",
                "December 29, 2025", "January 7, 2025", "",
            ])
    }
}
