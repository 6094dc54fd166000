import SheafGroups

/// The times of some records.
package struct TimeRange: Equatable, Sendable {
    /// The oldest time after 1970; `newest` if there is none.
    var oldest: Int64
    var newest: Int64

    init(_ timestamp: Int64) { (oldest, newest) = (timestamp, timestamp) }

    init(oldest: Int64, newest: Int64) { (self.oldest, self.newest) = (oldest, newest) }

    func union(_ other: TimeRange?) -> TimeRange {
        guard let other else { return self }
        let newest = max(newest, other.newest)
        if oldest > 0, other.oldest > 0 {
            return TimeRange(oldest: min(oldest, other.oldest), newest: newest)
        }
        let oldest = max(oldest, other.oldest)
        return TimeRange(oldest: oldest > 0 ? oldest : newest, newest: newest)
    }
}

/// The intervals and instants of the snapshots of some records.
struct SnapshotClock: Sendable {
    let timeline: Timeline
    /// The number of the first and the last interval.
    let first: Int64
    let last: Int64
    /// The instant of the last snapshot.
    private let newest: Int64

    /// - Parameter times: the times of all notifications and removals; nil if none has a timestamp.
    init(_ timeline: Timeline, _ times: TimeRange?) {
        self.timeline = timeline
        let times = times ?? TimeRange(0)
        first = timeline.interval(of: times.oldest)
        last = timeline.interval(of: times.newest)
        newest = times.newest
    }

    /// Returns the interval of a timestamp, which is at least the first one.
    func interval(of timestamp: Int64) -> Int64 { max(first, timeline.interval(of: timestamp)) }

    /// Returns the instant of an interval, in milliseconds since 1970: that of the newest record for the last one.
    func instant(of interval: Int64) -> Int64 { interval >= last ? newest : timeline.instant(of: interval) }
}
