/// Isolates items of a list by putting them between U+2068 and U+2069: those with a character of the direction
/// opposite to the locale's, so that they don't reorder the other items on the screen.
///
/// The rule and the characters (`ListTables`) are those of the ICU in Foundation.
struct ItemIsolation: Sendable {
    /// In ascending order; empty if no item is isolated.
    private let characters: [ClosedRange<UInt32>]

    static let none = ItemIsolation(characters: [])

    private init(characters: [ClosedRange<UInt32>]) { self.characters = characters }

    init(_ locale: LocaleIdentifier) {
        let isRightToLeft = LocaleTable(ListTables.rightToLeft).value(inheritedBy: locale) == "yes"
        self.init(
            characters: Self.ranges(
                isRightToLeft ? ListTables.leftToRightCharacters : ListTables.rightToLeftCharacters))
    }

    /// Parses ranges such as `5be 5c0 5d0-5ea`.
    private static func ranges(_ text: String) -> [ClosedRange<UInt32>] {
        text.split(separator: " ").map { range in
            let bounds = range.split(separator: "-").map { bound in
                guard let value = UInt32(bound, radix: 16) else {
                    preconditionFailure("invalid code point '\(bound)' in the table of characters")
                }
                return value
            }
            return bounds[0]...bounds[bounds.count - 1]
        }
    }

    /// Isolates the item from `start` to the end of the output, if necessary.
    func isolate(from start: Int, in output: inout [UInt8]) {
        guard !characters.isEmpty, isNeeded(from: start, in: output) else { return }
        output.insert(contentsOf: Self.opening, at: start)
        output.append(contentsOf: Self.closing)
    }

    private static let opening = Array("\u{2068}".utf8)
    private static let closing = Array("\u{2069}".utf8)

    /// Returns whether the bytes from `start` have a character to isolate. Invalid UTF-8 has no direction.
    private func isNeeded(from start: Int, in bytes: [UInt8]) -> Bool {
        var index = start
        while index < bytes.count {
            guard let scalar = UTF8Scalar(bytes, at: index) else {
                index += 1
                continue
            }
            if contains(scalar.value) { return true }
            index += scalar.length
        }
        return false
    }

    private func contains(_ scalar: UInt32) -> Bool {
        var candidates = characters[...]
        while let middle = candidates.indices.middle {
            if candidates[middle].contains(scalar) { return true }
            candidates =
                scalar < candidates[middle].lowerBound ? candidates[..<middle] : candidates[(middle + 1)...]
        }
        return false
    }
}

extension Range<Int> {
    fileprivate var middle: Int? { isEmpty ? nil : lowerBound + count / 2 }
}
