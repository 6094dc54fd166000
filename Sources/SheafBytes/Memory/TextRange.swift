/// Where a text stands in the buffer that holds it: an offset and a length, both in bytes.
///
/// An empty range is an absent text. Everywhere in the contract an empty text counts as none, so no flag is
/// kept beside it.
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
    /// The bytes of `text`, which stands in this buffer. Traps when it does not.
    @inlinable
    public subscript(text: TextRange) -> Span<UInt8> {
        @_lifetime(copy self)
        get { extracting(text.range) }
    }
}
