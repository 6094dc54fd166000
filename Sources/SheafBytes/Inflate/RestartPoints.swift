/// The restart points that a source has reached and that may still be requested.
///
///     ──┬───────┬──────────────────┬────────┬──▶ inflated bytes
///       first   second             …        newest
///                  ▲─────── reach ──────────▲
///
/// Invariants: never empty; in order; the second one is inside the reach, so that each position in the reach has a
/// point at or before it. Memory: two points for each `spacing` bytes of the reach, and two more, regardless of the
/// number of members.
struct RestartPoints {
    private var points: [RestartPoint]
    /// How far before the newest point positions can be requested, in inflated bytes.
    var reach = 0

    /// The distance, in inflated bytes, that costs next to nothing to inflate again: no three points are closer
    /// together.
    private static let spacing: UInt64 = 32 << 10

    init(_ first: RestartPoint) { points = [first] }

    /// Adds a point at or after all others. O(1), and the number of points that are removed.
    mutating func add(_ point: RestartPoint) {
        let count = points.count
        if count > 1, point.bytesInflated - points[count - 2].bytesInflated < Self.spacing {
            points.removeLast()
        }
        points.append(point)
        let needed = points.lastIndex { $0.bytesInflated + UInt64(reach) <= point.bytesInflated }
        points.removeFirst(needed ?? 0)
    }

    /// Returns the newest point at or before a position inside the reach.
    func newest(before position: UInt64) -> RestartPoint {
        guard let point = points.last(where: { $0.bytesInflated <= position }) else {
            preconditionFailure("no restart point at or before the position")
        }
        return point
    }

    var count: Int { points.count }
}
