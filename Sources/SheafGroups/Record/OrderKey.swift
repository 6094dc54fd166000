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
