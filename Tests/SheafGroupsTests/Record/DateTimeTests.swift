import Foundation
import TestSupport
import Testing

@testable import SheafGroups

/// RFC 3339 date-times and variants of them (specification §2, Timestamps).
@Suite struct DateTimeTests {
    typealias Case = Example<String, Int64>

    private func read(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        return DateTime(bytes.span)?.milliseconds
    }

    @Test(arguments: [
        Case("1970-01-01T00:00:00Z", 0), Case("1970-01-01t00:00:00z", 0),
        Case("1970-01-01T00:00:01.5Z", 1_500),
        Case("2023-11-14T22:13:20Z", 1_700_000_000_000),
        Case("2023-11-14T23:13:20+01:00", 1_700_000_000_000),
        Case("2023-11-14T12:43:20-09:30", 1_700_000_000_000),
        Case("2023-11-15T03:58:20+05:45", 1_700_000_000_000),
        Case("2023-11-14T22:13:20+00:00", 1_700_000_000_000),
        Case("2023-11-14T22:13:20-00:00", 1_700_000_000_000),
        Case("2023-11-15T22:12:20+23:59", 1_700_000_000_000),
        Case("2023-11-13T22:14:20-23:59", 1_700_000_000_000),
        Case("1985-04-12T23:20:50.52Z", 482_196_050_520),
        Case("1996-12-19T16:39:57-08:00", 851_042_397_000),
        Case("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130),
        // Fractions, rounded down.
        Case("2023-11-14T22:13:20.1Z", 1_700_000_000_100), Case("2023-11-14T22:13:20.12Z", 1_700_000_000_120),
        Case("2023-11-14T22:13:20.123Z", 1_700_000_000_123),
        Case("2023-11-14T22:13:20.1239999999999999999999999Z", 1_700_000_000_123),
        Case("2023-11-14T22:13:20.000999+00:00", 1_700_000_000_000),
        Case("2023-11-14T22:13:20.0Z", 1_700_000_000_000),
        // Leap years.
        Case("2000-02-29T00:00:00Z", 951_782_400_000), Case("2000-03-01T00:00:00Z", 951_868_800_000),
        Case("2024-02-29T23:59:59Z", 1_709_251_199_000), Case("2400-02-29T00:00:00Z", 13_574_563_200_000),
        Case("2100-03-01T00:00:00Z", 4_107_542_400_000),
        // A leap second is read as the first second of the next day.
        Case("2016-12-31T23:59:60Z", 1_483_228_800_000), Case("2016-12-31T23:59:60.5Z", 1_483_228_800_500),
        Case("1990-12-31T15:59:60-08:00", 662_688_000_000),
        Case("2017-01-01T05:44:60+05:45", 1_483_228_800_000),
        Case("2023-05-05T23:59:60Z", 1_683_331_200_000),
        // Before 1970, rounded down.
        Case("1969-12-31T23:59:59Z", -1_000), Case("1969-12-31T23:59:59.999Z", -1),
        Case("1969-12-31T23:59:59.9999Z", -1), Case("1969-12-31T23:59:59.0001Z", -1_000),
        Case("1969-12-31T23:59:60Z", 0), Case("1970-01-01T00:00:00+00:01", -60_000),
        Case("0000-01-01T00:00:00Z", -62_167_219_200_000), Case("0001-01-01T00:00:00Z", -62_135_596_800_000),
        Case("0000-02-29T00:00:00Z", -62_162_121_600_000), Case("1900-03-01T00:00:00Z", -2_203_891_200_000),
        Case("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        // Variants that logs have.
        Case("2023-11-14 22:13:20Z", 1_700_000_000_000), Case("2023-11-14T22:13:20", 1_700_000_000_000),
        Case("2023-11-14 22:13:20", 1_700_000_000_000), Case("2023-11-14T22:13:20.5", 1_700_000_000_500),
        Case("2023-11-14T22:13:20,5Z", 1_700_000_000_500), Case("2023-11-14 22:13:20,123", 1_700_000_000_123),
        Case("2023-11-14T23:13:20+0100", 1_700_000_000_000),
        Case("2023-11-14 12:43:20.25-0930", 1_700_000_000_250),
    ])
    func dateTimesAreConvertedToMilliseconds(_ item: Case) {
        #expect(read(item.input) == item.expected)
        let bytes = Array(item.input.utf8)
        #expect(Timestamp.milliseconds(text: bytes.span) == item.expected)
    }

    @Test(arguments: [
        "", "2023", "2023-11-14", "2023-11-14T22:13", "2023-11-14T22:13Z", "2023-11-14  22:13:20Z",
        "2023-11-14_22:13:20Z", "20231114T221320Z", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20,Z",
        "2023-11-14T22:13:20+01", "2023-11-14T22:13:20+010", "2023-11-14T22:13:20+01:0",
        "2023-11-14T22:13:20+24:00", "2023-11-14T22:13:20+01:60", "2023-11-14T22:13:20 +01:00",
        "2023-11-14T22:13:20Z ", " 2023-11-14T22:13:20Z", "2023-11-14T22:13:20ZZ", "2023-11-14T22:13:20.5 ",
        "2023-00-14T22:13:20Z", "2023-13-14T22:13:20Z", "2023-11-00T22:13:20Z", "2023-11-31T22:13:20Z",
        "2023-04-31T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "2024-02-30T00:00:00Z", "2023-01-32T00:00:00Z",
        "2023-11-14T24:00:00Z", "2023-11-14T22:60:20Z", "2023-11-14T22:13:61Z",
        "2023-11-14T22:13:60Z", "2016-12-31T23:59:60+01:00", "2016-12-31T22:59:60Z", "2016-12-31T23:58:60Z",
        "2016-12-31T23:59:61Z", "+2023-11-14T22:13:20Z", "-023-11-14T22:13:20Z", "12023-11-14T22:13:20Z",
        "2023-1-14T22:13:20Z", "2023-11-1T22:13:20Z", "2023-11-14T2:13:20Z", "２023-11-14T22:13:20Z",
        "2023-11-14T22:13:20x", "2023/11/14T22:13:20Z", "2023-11-14T22.13.20Z",
    ])
    func otherTextsAreInvalid(_ text: String) {
        #expect(read(text) == nil)
        let bytes = Array(text.utf8)
        // A year alone is read as a number.
        #expect(Timestamp.milliseconds(text: bytes.span) == (text == "2023" ? 2_023_000 : nil))
    }

    /// Compares days of 401 years with the calendar, each with a random time of day and offset.
    @Test(arguments: Seeds.several(1))
    func daysMatchTheCalendar(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        // Steps of random length keep the test to seconds instead of minutes.
        var day = -135_140
        while day < 11_323 {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let (hour, minute, second) = (random.below(24), random.below(60), random.below(60))
            let offset = random.below(2 * 1_439) - 1_439
            let text =
                "\(parts.year!)-\(two(parts.month!))-\(two(parts.day!))T\(two(hour)):\(two(minute)):\(two(second))"
                + "\(offset < 0 ? "-" : "+")\(two(abs(offset) / 60)):\(two(abs(offset) % 60))"
            let seconds = Int64(day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset * 60)
            #expect(read(text) == seconds * 1_000, "\(text)")
            #expect(
                DateTime.date(days: day) == (parts.year!, parts.month!, parts.day!), "\(parts)")
            day += 1 + random.below(120)
        }
    }
}
