import ArgumentParser
import SheafFlow
import SheafGroups

/// Parses option values; its messages name the valid ones.
enum OptionValue {
    /// Parses percentiles, such as `50,95,99.9`.
    static func quantiles(_ text: String) throws -> [Quantile] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            if let quantile = Quantile(String(part)) { return quantile }
            throw ValidationError(
                "'\(part)' is not a percentile: write numbers above 0 up to 100, with at most three decimals, such as "
                    + "50,95,99.9")
        }
    }

    /// Parses an option's value as a whole number. The run checks its range.
    static func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
        if let number = Number(text) { return number }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw ValidationError("it must be a whole number")
        }
        guard text.hasPrefix("-") else { throw ValidationError("it is too large") }
        throw ValidationError(Number.isSigned ? "it is too small" : "it must be 0 or more")
    }

    /// Parses an option's value as a number above 0.
    static func positive(_ text: String) throws -> Double {
        guard let number = Double(text), number > 0, number.isFinite else {
            throw ValidationError("it must be a number above 0, such as 1, 0.5 or 60")
        }
        return number
    }

    /// Parses an option's value as a share of a whole.
    static func share(_ text: String) throws -> Double {
        guard let number = Double(text), (0...1).contains(number) else {
            throw ValidationError("it must be a number from 0 to 1, such as 0.02 for 2 %")
        }
        return number
    }

    /// Whether only the number of a value with a unit is wrong: with a smaller one it would be valid.
    static func isTooLarge(_ text: String, isValid: (String) -> Bool) -> Bool {
        let digits = text.prefix { $0.isASCII && $0.isWholeNumber }
        return digits.contains { $0 != "0" } && isValid("1" + text.dropFirst(digits.count))
    }

    /// Parses a length of time as a user writes it, `30`, `30s`, `500ms`, `5m`, `1h` or `1d`, into milliseconds.
    ///
    /// - Throws: `ValidationError` that explains how to write a time.
    static func timeSpan(_ text: String) throws -> Int64 {
        if let milliseconds = milliseconds(text) { return milliseconds }
        if isTooLarge(text, isValid: { milliseconds($0) != nil }) {
            throw ValidationError("it is too large")
        }
        throw ValidationError(
            "a time is a whole number above 0, in seconds or with ms, s, m, h or d, such as 30s or 5m")
    }

    /// Parses the time between snapshots, which may also be a number of weeks, `1w`, as a timeline in UTC.
    ///
    /// - Throws: `ValidationError` that explains how to write a time.
    static func step(_ text: String) throws -> Timeline {
        if text.hasSuffix("w") {
            guard let weeks = Int64(text.dropLast()), weeks > 0, text.first != "+" else {
                throw ValidationError("weeks are a whole number above 0, such as 1w")
            }
            guard weeks <= 100_000 else { throw ValidationError("it is too large") }
            return Timeline(weeks: weeks)
        }
        return Timeline(step: try timeSpan(text))
    }

    /// Parses a length of time that may be 0.
    static func timeSpanFromZero(_ text: String) throws -> Int64 {
        ["0", "0ms", "0s"].contains(text) ? 0 : try timeSpan(text)
    }

    private static let timeUnits: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("", 1000),
    ]

    private static func milliseconds(_ text: String) -> Int64? {
        for unit in timeUnits where text.hasSuffix(unit.suffix) {
            guard let number = Int64(text.dropLast(unit.suffix.count)), number > 0 else { continue }
            let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
            return overflow ? nil : product
        }
        return nil
    }

    /// Parses the name of a time zone.
    ///
    /// - Throws: `ValidationError` with the nearest name.
    static func timeZone(_ name: String) throws -> LocalClock {
        var clock = LocalClock(offset: 0)
        try Failure.validating { clock = try LocalClock(zone: name) }
        return clock
    }

    /// Parses a difference from UTC as a user writes it, `+02:00`, `-0330` or `Z`, into minutes.
    ///
    /// - Throws: `ValidationError` that explains how to write an offset.
    static func clockOffset(_ text: String) throws -> Int {
        if text == "Z" || text == "z" { return 0 }
        guard let match = text.wholeMatch(of: #/([+-])(\d\d):?(\d\d)/#),
            let hours = Int(match.2), let minutes = Int(match.3), hours < 24, minutes < 60
        else {
            throw ValidationError(
                "an offset is hours and minutes after a sign, such as +02:00 or -03:30")
        }
        return (hours * 60 + minutes) * (match.1 == "-" ? -1 : 1)
    }
}

/// A number of bytes as a user writes it: `1048576`, `1024KiB`, `1MiB`, `1g`.
struct ByteSize: CustomStringConvertible {
    let bytes: Int

    private static let units: [(suffix: String, bytes: Int)] = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30),
        ("B", 1), ("", 1),
    ]

    init(_ bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        for unit in Self.units where argument.lowercased().hasSuffix(unit.suffix.lowercased()) {
            let digits = argument.dropLast(unit.suffix.count)
            guard digits.allSatisfy(\.isWholeNumber), let number = Int(digits) else { continue }
            let (product, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
            guard !overflow else { return nil }
            bytes = product
            return
        }
        return nil
    }

    /// Parses an option's value.
    ///
    /// - Throws: `ValidationError` that explains how to write a size.
    static func parse(_ text: String) throws -> ByteSize {
        if let size = ByteSize(argument: text) { return size }
        if OptionValue.isTooLarge(text, isValid: { ByteSize(argument: $0) != nil }) {
            throw ValidationError("it is too large")
        }
        throw ValidationError(
            decimalAdvice(text)
                ?? "a size is a whole number, in bytes or with KiB, MiB or GiB, such as 64MiB")
    }

    /// Advice on a decimal unit, which probably means the binary one; the user has to decide.
    private static func decimalAdvice(_ text: String) -> String? {
        let lower = text.lowercased()
        for (suffix, binary, zeros) in [("kb", "KiB", 3), ("mb", "MiB", 6), ("gb", "GiB", 9)]
        where lower.hasSuffix(suffix) {
            let digits = text.dropLast(2)
            guard !digits.isEmpty, digits.allSatisfy(\.isWholeNumber),
                ByteSize(argument: digits + binary) != nil
            else { return nil }
            let bytes = digits + String(repeating: "0", count: zeros)
            return "units are powers of 1024: write \(digits)\(binary), or \(bytes) without a unit"
        }
        return nil
    }

    /// The size in the largest unit that yields a whole number.
    var description: String {
        for unit in Self.units.prefix(3).reversed() where bytes > 0 && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.suffix)"
        }
        return "\(bytes)"
    }
}

/// A point in time as a user writes it: `2026-01-05T18:00:00Z`, `2026-01-05 19:00+01:00`, `2026-01-05`, `yesterday`,
/// `1767636000000`.
struct Instant {
    /// The milliseconds since 1970, if the clock is UTC where none is written.
    private let milliseconds: Int64
    /// The number of days before the present one, whose first moment it is; nil for a time that is written.
    private let daysAgo: Int64?
    /// The minutes by which the time as written is ahead of UTC; nil if that is not written.
    let offset: Int?

    init?(argument: String) {
        daysAgo = Self.days[argument]
        if daysAgo != nil {
            (milliseconds, offset) = (0, nil)
            return
        }
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

    private static let days: [String: Int64] = ["today": 0, "yesterday": 1]

    /// Returns the milliseconds since 1970.
    ///
    /// - Parameters:
    ///   - clock: the clock of a day, and of a time that is written without an offset.
    ///   - present: the present, in milliseconds since 1970.
    func milliseconds(
        on clock: LocalClock = LocalClock(offset: 0), present: Int64 = RunClock.system.present()
    ) -> Int64 {
        if let daysAgo {
            let local = present + clock.offset(at: present)
            let day: Int64 = 86_400_000
            return clock.time(ofLocal: local - local % day - daysAgo * day)
        }
        return offset == nil ? clock.time(ofLocal: milliseconds) : milliseconds
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
            "a time is a date, with or without a time of day, such as 2026-01-05T18:00:00Z, today, yesterday, or a "
                + "number of milliseconds since 1970"
        )
    }
}

// Placeholders for option values, the same in every command.
extension ArgumentHelp {
    static func file(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "FILE") }
    static func folder(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "DIR") }
    static func number(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "N") }
    static func size(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "SIZE") }
    static func time(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "TIME") }
    static func name(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "NAME") }
}
