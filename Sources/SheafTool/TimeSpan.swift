import ArgumentParser

/// A length of time as a user writes it: `30`, `30s`, `500ms`, `5m`, `1h`.
struct TimeSpan {
    private let milliseconds: Int

    private static let units: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000),
    ]

    init?(argument: String) {
        for unit in Self.units where argument.hasSuffix(unit.suffix) {
            guard let number = Int(argument.dropLast(unit.suffix.count)), number > 0 else { continue }
            let (product, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
            guard !overflow else { return nil }
            milliseconds = product
            return
        }
        return nil
    }

    /// Parses an option's value.
    ///
    /// - Throws: `ValidationError` that explains how to write a time.
    static func parse(_ text: String) throws -> TimeSpan {
        if let time = TimeSpan(argument: text) { return time }
        if OptionValue.isTooLarge(text, isValid: { TimeSpan(argument: $0) != nil }) {
            throw ValidationError("it is too large")
        }
        throw ValidationError(
            "a time is a whole number above 0, in seconds or with ms, s, m or h, such as 30s or 5m")
    }

    var duration: Duration { .milliseconds(milliseconds) }
}
