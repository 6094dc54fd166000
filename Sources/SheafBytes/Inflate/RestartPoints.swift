/// The restart points that a source has come to and that may still be asked for.
///
///     ──┬───────┬──────────────────┬────────┬──▶ inflated bytes
///       first   second             …        newest
///                  ▲─────── reach ──────────▲
///
/// Invariants: never empty; in their order; the second one lies inside the reach, so that each place in it has a
/// point at or before it. Memory: two points for each `spacing` bytes of the reach, and two more, however many
/// members there are.
struct RestartPoints {
    private var points: [RestartPoint]
    /// So many inflated bytes before the newest point, places are asked for.
    var reach = 0

    /// Inflating so many bytes once more costs nothing: closer than that no three points are kept.
    private static let spacing: UInt64 = 32 << 10

    init(_ first: RestartPoint) { points = [first] }

    /// Adds a point that lies at or behind all others. O(1) but for those that are forgotten.
    mutating func add(_ point: RestartPoint) {
        let count = points.count
        if count > 1, point.bytesInflated - points[count - 2].bytesInflated < Self.spacing {
            points.removeLast()
        }
        points.append(point)
        let needed = points.lastIndex { $0.bytesInflated + UInt64(reach) <= point.bytesInflated }
        points.removeFirst(needed ?? 0)
    }

    /// The newest point at or before a place, which is inside the reach.
    func newest(before place: UInt64) -> RestartPoint {
        guard let point = points.last(where: { $0.bytesInflated <= place }) else {
            preconditionFailure("a place from which all points are forgotten")
        }
        return point
    }

    var count: Int { points.count }
}
