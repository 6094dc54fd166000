import ArgumentParser

/// A length of time as people write it: `30`, `30s`, `500ms`, `5m`, `1h`.
struct TimeSpan: ExpressibleByArgument {
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

    var duration: Duration { .milliseconds(milliseconds) }
}
