/// Sums of weights that saturate at a limit instead of overflowing.
///
/// `min(a + b, maximum)` is associative and commutative for nonnegative numbers, so a saturated sum does not depend
/// on how the state was split and merged. A group reaches the limit with 34 million notifications of the largest
/// weight, 2,147,483,647.
@usableFromInline package enum WeightSum {
    /// The largest sum: 72,057,594,037,927,936. Two of them can be added without overflow.
    @inlinable package static var maximum: UInt64 { 1 << 56 }

    /// The sum of two weights or sums, each at most `maximum`.
    @inlinable
    @inline(__always)
    package static func adding(_ a: UInt64, _ b: UInt64) -> UInt64 { min(a + b, maximum) }
}
