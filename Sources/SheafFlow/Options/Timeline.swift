import SheafBytes

/// The instants of a replay's snapshots: every multiple of a step since 1970 (specification §14).
///
/// ```swift
/// var options = ReplayOptions(sources: ["log.ndjson"])
/// // Each midnight in UTC+2.
/// options.every = Timeline(step: 86_400_000, offset: 7_200_000)
/// ```
///
/// An interval is the time between two instants. It ends at its instant, and so includes it.
public struct Timeline: Equatable, Sendable {
    /// The time between two instants, in milliseconds; at least 1.
    public var step: Int64
    /// The difference from UTC of the clock by which instants are multiples of the step, in milliseconds.
    public var offset: Int64

    /// - Parameters:
    ///   - step: the time between two instants, in milliseconds; at least 1.
    ///   - offset: the difference from UTC of the clock by which instants are multiples of the step, in milliseconds.
    public init(step: Int64, offset: Int64 = 0) {
        self.step = step
        self.offset = offset
    }

    /// Returns the number of the interval that a timestamp is in: that of its instant, divided by the step. Records
    /// without a timestamp have the timestamp 0 and are in every snapshot: they and all times before 1970 are in an
    /// interval that precedes all others.
    func interval(of timestamp: Int64) -> Int64 {
        guard timestamp > 0 else { return .min }
        let (local, overflows) = timestamp.addingReportingOverflow(offset)
        let time = overflows ? timestamp : local
        let quotient = time / step
        return quotient * step < time ? quotient + 1 : quotient
    }

    /// Whether two timestamps are in the same interval.
    func areTogether(_ a: Int64, _ b: Int64) -> Bool { interval(of: a) == interval(of: b) }

    /// Mixes the interval of a timestamp into the hash of what is kept for each interval.
    func hash(_ hash: UInt64, at timestamp: Int64) -> UInt64 {
        hash ^ (UInt64(bitPattern: interval(of: timestamp)) &* HashFactor.golden)
    }

    /// Returns the instant at which an interval ends, in milliseconds since 1970.
    func instant(of interval: Int64) -> Int64 {
        let (time, overflows) = interval.multipliedReportingOverflow(by: step)
        guard !overflows else { return interval < 0 ? .min : .max }
        let (instant, passes) = time.subtractingReportingOverflow(offset)
        return passes ? time : instant
    }
}

/// The times of some records.
struct TimeRange: Equatable, Sendable {
    /// The oldest time after 1970; `newest` if there is none.
    var oldest: Int64
    var newest: Int64

    init(_ timestamp: Int64) { (oldest, newest) = (timestamp, timestamp) }

    init(oldest: Int64, newest: Int64) { (self.oldest, self.newest) = (oldest, newest) }

    func union(_ other: TimeRange) -> TimeRange {
        let oldest = [oldest, other.oldest].filter { $0 > 0 }.min()
        let newest = max(newest, other.newest)
        return TimeRange(oldest: oldest ?? newest, newest: newest)
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
