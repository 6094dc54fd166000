/// The range of a text in the buffer that contains it: an offset and a length, both in bytes.
///
/// An empty range is an absent text: everywhere in the contract, an empty text counts as absent, so no separate flag
/// is stored.
public struct TextRange: Sendable, Equatable {
    public var start: UInt32
    public var count: UInt32

    @inlinable
    public static var none: TextRange { TextRange(start: 0, count: 0) }

    @inlinable
    public init(start: UInt32, count: UInt32) {
        self.start = start
        self.count = count
    }

    @inlinable
    public init(_ range: Range<Int>) {
        self.init(start: UInt32(range.lowerBound), count: UInt32(range.count))
    }

    @inlinable
    public var isEmpty: Bool { count == 0 }

    @inlinable
    public var range: Range<Int> { Int(start)..<(Int(start) + Int(count)) }
}

extension Span where Element == UInt8 {
    /// The bytes of `text`, a range in this buffer. Traps if the range is not inside the buffer.
    @inlinable
    public subscript(text: TextRange) -> Span<UInt8> {
        @_lifetime(copy self)
        get { extracting(text.range) }
    }
}
