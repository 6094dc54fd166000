import ArgumentParser
import SheafGroups

/// A point in time as a user writes it: `2026-01-05T18:00:00Z`, `2026-01-05 19:00:00.250+01:00`, `1767636000000`.
struct Instant: Comparable {
    /// The milliseconds since 1970.
    let milliseconds: Int64
    /// The minutes by which the time as written is ahead of UTC.
    let offset: Int

    init?(argument: String) {
        if let milliseconds = Int64(argument) {
            (self.milliseconds, offset) = (milliseconds, 0)
        } else if let instant = Timestamp.instant(dateTime: argument) {
            (milliseconds, offset) = instant
        } else {
            return nil
        }
    }

    /// Parses an option's value.
    ///
    /// - Throws: `ValidationError` that explains how to write a time.
    static func parse(_ text: String) throws -> Instant {
        if let instant = Instant(argument: text) { return instant }
        throw ValidationError(
            "a time is a date with a time of day, such as 2026-01-05T18:00:00Z, or a number of milliseconds since 1970"
        )
    }

    static func == (a: Instant, b: Instant) -> Bool { a.milliseconds == b.milliseconds }

    static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }
}
