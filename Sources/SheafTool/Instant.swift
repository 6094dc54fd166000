import ArgumentParser
import SheafGroups

/// A point in time as a user writes it: `2026-01-05T18:00:00Z`, `2026-01-05 19:00+01:00`, `2026-01-05`, `1767636000000`.
struct Instant {
    /// The milliseconds since 1970, if the clock is UTC where none is written.
    private let milliseconds: Int64
    /// The minutes by which the time as written is ahead of UTC; nil if that is not written.
    let offset: Int?

    init?(argument: String) {
        if let milliseconds = Int64(argument) {
            (self.milliseconds, offset) = (milliseconds, 0)
            return
        }
        for text in [argument, Self.addingSeconds(argument), argument + "T00:00:00"] {
            guard let instant = Timestamp.instant(dateTime: text) else { continue }
            milliseconds = instant.milliseconds
            // Nothing follows an offset.
            offset = Timestamp.instant(dateTime: text + "Z") == nil ? instant.offset : nil
            return
        }
        return nil
    }

    /// Returns the milliseconds since 1970.
    ///
    /// - Parameter clock: the clock of a time that is written without an offset; nil for UTC.
    func milliseconds(on clock: ClockOffset?) -> Int64 {
        offset == nil ? milliseconds - (clock?.milliseconds ?? 0) : milliseconds
    }

    /// Inserts seconds after hours and minutes: `2026-01-05T18:00Z`.
    private static func addingSeconds(_ text: String) -> String {
        let minutes = text.prefix(16)
        return minutes + ":00" + text.dropFirst(minutes.count)
    }

    /// Parses an option's value.
    ///
    /// - Throws: `ValidationError` that explains how to write a time.
    static func parse(_ text: String) throws -> Instant {
        if let instant = Instant(argument: text) { return instant }
        throw ValidationError(
            "a time is a date, with or without a time of day, such as 2026-01-05T18:00:00Z, or a number of "
                + "milliseconds since 1970"
        )
    }
}
