/// The range of a text in the buffer that contains it: an offset and a length, both in bytes.
///
/// An empty range is an absent text: an empty text counts as absent (specification §2), so no separate flag
/// is stored.
@usableFromInline package struct TextRange: Sendable, Equatable {
    @usableFromInline package var start: UInt32
    @usableFromInline package var count: UInt32

    @inlinable
    package static var none: TextRange { TextRange(start: 0, count: 0) }

    @inlinable
    package init(start: UInt32, count: UInt32) {
        self.start = start
        self.count = count
    }

    @inlinable
    package init(_ range: Range<Int>) {
        self.init(start: UInt32(range.lowerBound), count: UInt32(range.count))
    }

    @inlinable
    package var isEmpty: Bool { count == 0 }

    @inlinable
    package var range: Range<Int> { Int(start)..<(Int(start) + Int(count)) }
}

extension Span where Element == UInt8 {
    /// The bytes of `text`, a range in this buffer. Traps if the range is not inside the buffer.
    @inlinable
    package subscript(text: TextRange) -> Span<UInt8> {
        @_lifetime(copy self)
        get { extracting(text.range) }
    }
}
