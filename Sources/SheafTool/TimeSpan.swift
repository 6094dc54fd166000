import ArgumentParser

/// A length of time as a user writes it: `30`, `30s`, `500ms`, `5m`, `1h`, `1d`.
struct TimeSpan {
    let milliseconds: Int64

    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("", 1000),
    ]

    init?(argument: String) {
        for unit in Self.units where argument.hasSuffix(unit.suffix) {
            guard let number = Int64(argument.dropLast(unit.suffix.count)), number > 0 else { continue }
            let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
            guard !overflow else { return nil }
            milliseconds = product
            return
        }
        return nil
    }

    /// Parses an option's value, which may be 0.
    ///
    /// - Throws: `ValidationError` that explains how to write a time.
    static func parseFromZero(_ text: String) throws -> TimeSpan {
        ["0", "0ms", "0s"].contains(text) ? TimeSpan(milliseconds: 0) : try parse(text)
    }

    private init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Parses an option's value.
    ///
    /// - Throws: `ValidationError` that explains how to write a time.
    static func parse(_ text: String) throws -> TimeSpan {
        if let time = TimeSpan(argument: text) { return time }
        if OptionValue.isTooLarge(text, isValid: { TimeSpan(argument: $0) != nil }) {
            throw ValidationError("it is too large")
        }
        throw ValidationError(
            "a time is a whole number above 0, in seconds or with ms, s, m, h or d, such as 30s or 5m")
    }

    var duration: Duration { .milliseconds(milliseconds) }
}
