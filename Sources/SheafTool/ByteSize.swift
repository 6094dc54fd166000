import ArgumentParser

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
