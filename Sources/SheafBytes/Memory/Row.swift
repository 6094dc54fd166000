/// Three words, in the order of the first two.
@usableFromInline package struct Row: Comparable, BitwiseCopyable, Sendable {
    @usableFromInline package var high: UInt64
    @usableFromInline package var low: UInt64
    /// Not compared.
    @usableFromInline package var value: UInt64

    @inlinable package init(high: UInt64, low: UInt64, value: UInt64) {
        (self.high, self.low, self.value) = (high, low, value)
    }

    @inlinable @inline(__always)
    package static func < (a: Row, b: Row) -> Bool { a.high == b.high ? a.low < b.low : a.high < b.high }

    @inlinable @inline(__always)
    package static func == (a: Row, b: Row) -> Bool { a.high == b.high && a.low == b.low }
}
