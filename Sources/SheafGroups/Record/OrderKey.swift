import SheafBytes

/// A record's rank in the order of all records: by time, then source, then line, then index in the line
/// (specification §4).
///
/// No two records have the same key. Source and line share a word, so a key has 20 bytes; in a structure with a key, a
/// field of 4 bytes after it takes no additional memory.
@usableFromInline package struct OrderKey: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// Milliseconds since 1970.
    @usableFromInline package let timestamp: Int64
    @usableFromInline let position: UInt64
    /// The record's index among the records of its line, from 0.
    @usableFromInline package let index: UInt32

    @inlinable static var lineBits: UInt64 { 40 }

    /// The exclusive upper bound of source ordinals.
    package static let maximumSources = 1 << (64 - Int(lineBits))
    /// The exclusive upper bound of line numbers.
    package static let maximumLines: UInt64 = 1 << lineBits
    /// The exclusive upper bound of indices in a line: a line has at most as many records. With it, `index + 1` and
    /// the line fit into one word.
    package static let maximumRecords: UInt32 = 1 << (64 - UInt32(lineBits)) - 1

    /// - Parameters:
    ///   - source: the source's ordinal, below `maximumSources`.
    ///   - line: the line's number, below `maximumLines`.
    ///   - index: the record's index among the records of its line, below `maximumRecords`.
    package init(timestamp: Int64, source: Int, line: UInt64, index: UInt32 = 0) {
        precondition(
            source < Self.maximumSources && line < Self.maximumLines && index < Self.maximumRecords,
            "source, line number or index out of range")
        self.timestamp = timestamp
        position = UInt64(source) << Self.lineBits | line
        self.index = index
    }

    /// Returns the key of the same record among more sources.
    ///
    /// - Parameter offset: the number added to the source's ordinal, which stays below `maximumSources`.
    package func moved(by offset: Int) -> OrderKey {
        OrderKey(timestamp: timestamp, source: source + offset, line: line, index: index)
    }

    @inlinable package var source: Int { Int(position >> Self.lineBits) }
    @inlinable package var line: UInt64 { position & (1 << Self.lineBits - 1) }

    /// The line and the index as one number, which is the line number for the first record of a line.
    package var lineAndIndex: UInt64 { Self.pack(line: line, number: index) }

    /// Returns a line number and a number of a record in that line as one number, which is the line number if the other
    /// number is 0.
    ///
    /// - Parameter number: at most `maximumRecords`.
    package static func pack(line: UInt64, number: UInt32) -> UInt64 { UInt64(number) << lineBits | line }

    /// Returns the two numbers of `pack`.
    package static func unpack(_ packed: UInt64) -> (line: UInt64, number: UInt32) {
        (packed & (1 << lineBits - 1), UInt32(packed >> lineBits))
    }

    /// Two words that sort keys in descending order, the newest first. They are equal for the records of one line with
    /// the same timestamp.
    package var newestFirst: TextWords {
        let time = UInt64(bitPattern: timestamp) ^ 1 << 63
        return TextWords(high: ~time, low: ~position)
    }

    /// Two words that sort keys in ascending order, like `newestFirst`.
    package var oldestFirst: TextWords {
        TextWords(high: UInt64(bitPattern: timestamp) ^ 1 << 63, low: position)
    }

    @inlinable @inline(__always)
    package static func < (a: OrderKey, b: OrderKey) -> Bool {
        if a.timestamp != b.timestamp { return a.timestamp < b.timestamp }
        return a.position == b.position ? a.index < b.index : a.position < b.position
    }
}

// MARK: - Positions

/// The position of a record in the sources of a run.
@usableFromInline package struct RecordPosition: Comparable, Hashable, Sendable {
    /// The source's ordinal.
    @usableFromInline package let source: Int
    /// A line number from 1. The position of damage has a byte offset in the stored source instead.
    @usableFromInline package let line: UInt64
    /// The record's index among the records of its line, from 0.
    @usableFromInline package var index: UInt32

    @inlinable package init(source: Int, line: UInt64, index: UInt32 = 0) {
        self.source = source
        self.line = line
        self.index = index
    }

    @usableFromInline package static func < (a: RecordPosition, b: RecordPosition) -> Bool {
        (a.source, a.line, a.index) < (b.source, b.line, b.index)
    }
}

extension OrderKey {
    /// The key of a record at a position.
    init(timestamp: Int64, _ position: RecordPosition) {
        self.init(
            timestamp: timestamp, source: position.source, line: position.line, index: position.index)
    }
}

// MARK: - Keyed lines

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
