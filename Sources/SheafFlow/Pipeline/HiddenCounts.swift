/// The numbers of newest versions of notifications that are not on screen at the end.
struct HiddenCounts: Equatable, Sendable {
    /// Those that were removed (specification §15).
    var removed: UInt64 = 0
    /// Those that settings suppressed when they arrived (§16), removed or not.
    var suppressed: UInt64 = 0

    static func += (counts: inout HiddenCounts, other: HiddenCounts) {
        counts.removed += other.removed
        counts.suppressed += other.suppressed
    }
}
