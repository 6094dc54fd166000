import ArgumentParser

/// A number of bytes as people write it: `1048576`, `1024KiB`, `1MiB`.
struct ByteSize: ExpressibleByArgument, CustomStringConvertible {
    let bytes: Int

    private static let units: [(suffix: String, bytes: Int)] = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30),
        ("B", 1), ("", 1),
    ]

    init(_ bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        for unit in Self.units where argument.hasSuffix(unit.suffix) {
            guard let number = Int(argument.dropLast(unit.suffix.count)), number >= 0 else { continue }
            let (product, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
            guard !overflow else { return nil }
            bytes = product
            return
        }
        return nil
    }

    var defaultValueDescription: String { description }

    /// With the largest unit that leaves a whole number.
    var description: String {
        for unit in Self.units.prefix(3).reversed() where bytes > 0 && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.suffix)"
        }
        return "\(bytes)"
    }
}
