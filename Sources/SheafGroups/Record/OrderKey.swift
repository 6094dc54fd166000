import SheafBytes

/// A record's rank in the order of all records: by time, then source, then line (specification §4).
///
/// No two records have the same key. A key takes 16 bytes, because source and line share a word.
@usableFromInline package struct OrderKey: Comparable, Hashable, Sendable, BitwiseCopyable {
    /// Milliseconds since 1970.
    @usableFromInline package let timestamp: Int64
    @usableFromInline let position: UInt64

    @inlinable static var lineBits: UInt64 { 40 }

    /// The exclusive upper bound of source ordinals.
    package static let maximumSources = 1 << (64 - Int(lineBits))
    /// The exclusive upper bound of line numbers.
    package static let maximumLines: UInt64 = 1 << lineBits

    /// - Parameters:
    ///   - source: the source's ordinal, below `maximumSources`.
    ///   - line: the line's number, below `maximumLines`.
    package init(timestamp: Int64, source: Int, line: UInt64) {
        precondition(
            source < Self.maximumSources && line < Self.maximumLines, "source or line number out of range")
        self.timestamp = timestamp
        position = UInt64(source) << Self.lineBits | line
    }

    @inlinable package var source: Int { Int(position >> Self.lineBits) }
    @inlinable package var line: UInt64 { position & (1 << Self.lineBits - 1) }

    /// Two words that sort keys in descending order, the newest first.
    package var newestFirst: TextWords {
        let time = UInt64(bitPattern: timestamp) ^ 1 << 63
        return TextWords(high: ~time, low: ~position)
    }

    @inlinable @inline(__always)
    package static func < (a: OrderKey, b: OrderKey) -> Bool {
        a.timestamp == b.timestamp ? a.position < b.position : a.timestamp < b.timestamp
    }
}
