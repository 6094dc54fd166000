import SheafBytes

/// The key of a keyed line: the record's source, and its line there, as the page on partial results describes it.
///
///     ORDINAL⇥LINE⇥json
///
/// Both numbers are unsigned decimals, which may have leading zeros.
package struct LineKey: Equatable, Sendable {
    /// The source's ordinal, below `OrderKey.maximumSources`.
    package let ordinal: Int
    /// The line's number, from 1, below `OrderKey.maximumLines`.
    package let line: UInt64
    /// The number of bytes, with both tabs.
    package let byteCount: Int

    /// Why a line has no valid key.
    package enum Problem: Error {
        /// It does not begin with two numbers and tabs.
        case malformed
        case ordinalOutOfRange
        case lineOutOfRange
    }

    /// The maximum number of digits of a number: those of any 64-bit number.
    private static let maximumDigits = 20
    /// The maximum length of a key, in bytes.
    package static let maximumBytes = 2 * (maximumDigits + 1)

    /// Reads the key that a line begins with.
    package init(_ text: Span<UInt8>) throws(Problem) {
        var index = 0
        guard let ordinal = Self.number(text, &index, upTo: UInt64(OrderKey.maximumSources)),
            let line = Self.number(text, &index, upTo: OrderKey.maximumLines)
        else { throw .malformed }
        guard ordinal < UInt64(OrderKey.maximumSources) else { throw .ordinalOutOfRange }
        guard line > 0, line < OrderKey.maximumLines else { throw .lineOutOfRange }
        self.ordinal = Int(ordinal)
        self.line = line
        byteCount = index
    }

    /// Reads a number and the tab after it; nil if either is missing. Greater numbers than `limit` are read as `limit`.
    @inline(__always)
    private static func number(_ text: Span<UInt8>, _ index: inout Int, upTo limit: UInt64) -> UInt64? {
        let end = min(text.count, index + maximumDigits)
        let start = index
        var number: UInt64 = 0
        while index < end {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            // The limit is far below a tenth of the greatest number.
            number = min(number &* 10 &+ UInt64(digit), limit)
            index += 1
        }
        guard index > start, index < text.count, text[index] == UInt8(ascii: "\t") else { return nil }
        index += 1
        return number
    }
}
