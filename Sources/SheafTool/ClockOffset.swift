import ArgumentParser

/// A difference from UTC as a user writes it: `+02:00`, `-0330`, `Z`.
struct ClockOffset {
    let milliseconds: Int64

    init?(argument: String) {
        if argument == "Z" || argument == "z" {
            milliseconds = 0
            return
        }
        guard let match = argument.wholeMatch(of: #/([+-])(\d\d):?(\d\d)/#),
            let hours = Int64(match.2), let minutes = Int64(match.3), hours < 24, minutes < 60
        else { return nil }
        milliseconds = (hours * 60 + minutes) * (match.1 == "-" ? -60_000 : 60_000)
    }

    /// The offset in minutes.
    var minutes: Int { Int(milliseconds / 60_000) }

    /// Parses an option's value.
    ///
    /// - Throws: `ValidationError` that explains how to write an offset.
    static func parse(_ text: String) throws -> ClockOffset {
        if let offset = ClockOffset(argument: text) { return offset }
        throw ValidationError("an offset is hours and minutes after a sign, such as +02:00 or -03:30")
    }
}
