import SheafBytes

/// The instants of a replay's snapshots: every multiple of a step since 1970 (specification §14).
///
/// ```swift
/// var options = ReplayOptions(sources: ["log.ndjson"])
/// // Each midnight in UTC+2.
/// options.every = Timeline(step: 86_400_000, offset: 7_200_000)
/// ```
///
/// On the clock of a time zone, each local day begins an interval; with a step of several days, the days since 1970 are
/// counted. Weeks begin on Monday.
///
/// An interval is the time between two instants. It ends at its instant, and so includes it.
public struct Timeline: Equatable, Sendable {
    /// The time between two instants, in milliseconds; at least 1.
    public var step: Int64 {
        didSet { zone = zone.map { ZonedIntervals(step: step, origin: origin, $0.clock) } }
    }
    /// The difference from UTC of the clock by which instants are multiples of the step, in milliseconds; 0 with a
    /// `clock`.
    public var offset: Int64
    /// The time on the clock from which multiples of the step are counted, in milliseconds since 1970.
    @usableFromInline let origin: Int64

    /// The length of a week, and the first Monday on any clock, in milliseconds since 1970.
    private static let week: Int64 = 7 * 86_400_000
    private static let monday: Int64 = 4 * 86_400_000

    /// Whether each step is a number of weeks that begin on Monday.
    package var countsWeeks: Bool { origin != 0 }
    /// The intervals on the clock of a time zone; nil if its difference from UTC is `offset` at all times.
    @usableFromInline package private(set) var zone: ZonedIntervals?

    /// The clock of the time zone in whose days instants are; nil if they are multiples of the step.
    public var clock: LocalClock? { zone?.clock }

    /// One interval for all times after 1970.
    package static let whole = Timeline(step: .max)

    /// - Parameters:
    ///   - step: the time between two instants, in milliseconds; at least 1.
    ///   - offset: the difference from UTC of the clock by which instants are multiples of the step, in milliseconds.
    public init(step: Int64, offset: Int64 = 0) { self.init(step: step, offset: offset, origin: 0) }

    private init(step: Int64, offset: Int64, origin: Int64, _ clock: LocalClock? = nil) {
        (self.step, self.offset, self.origin) = (step, offset, origin)
        zone = clock.map { ZonedIntervals(step: step, origin: origin, $0) }
    }

    /// - Parameters:
    ///   - step: the time between two instants, in milliseconds: a part of a day that divides it, or several days.
    ///   - clock: the clock of the time zone in whose days the instants are.
    public init(step: Int64, clock: LocalClock) {
        self.init(step: step, offset: 0, origin: 0, clock)
    }

    /// The instants at which each week ends, or every few weeks: a week begins on Monday. Counted from 5 January 1970.
    ///
    /// - Parameters:
    ///   - weeks: the number of weeks between two instants, from 1 to 15 billion.
    ///   - offset: the difference of the clock from UTC, in milliseconds.
    public init(weeks: Int64, offset: Int64 = 0) {
        self.init(step: weeks * Self.week, offset: offset, origin: Self.monday)
    }

    /// The instants at which each week ends, or every few weeks, on the clock of a time zone.
    ///
    /// - Parameters:
    ///   - weeks: the number of weeks between two instants, from 1 to 15 billion.
    ///   - clock: the time zone.
    public init(weeks: Int64, clock: LocalClock) {
        self.init(step: weeks * Self.week, offset: 0, origin: Self.monday, clock)
    }

    /// A timeline with the same clock whose steps are weeks that begin on Monday; nil if the step is not whole weeks.
    package var inWeeks: Timeline? {
        step % Self.week == 0 ? Timeline(step: step, offset: offset, origin: Self.monday, clock) : nil
    }

    public static func == (a: Timeline, b: Timeline) -> Bool {
        (a.step, a.offset, a.origin) == (b.step, b.offset, b.origin) && a.clock == b.clock
    }

    /// Returns the difference from UTC at a time of the clock by which instants are counted, in minutes.
    package func minutes(at time: Int64) -> Int { clock?.minutes(at: time) ?? Int(offset / 60_000) }

    /// Returns the number of the interval that a timestamp is in: that of its instant, divided by the step. Records
    /// without a timestamp have the timestamp 0 and are in every snapshot: they and all times before 1970 are in an
    /// interval that precedes all others.
    @inlinable package func interval(of timestamp: Int64) -> Int64 {
        guard timestamp > 0 else { return .min }
        if let zone { return zone.interval(of: timestamp) }
        let (local, overflows) = timestamp.addingReportingOverflow(offset &- origin)
        let time = overflows ? timestamp : local
        let quotient = time / step
        return quotient * step < time ? quotient + 1 : quotient
    }

    /// Whether two timestamps are in the same interval.
    @inlinable package func areTogether(_ a: Int64, _ b: Int64) -> Bool { interval(of: a) == interval(of: b) }

    /// Mixes the interval of a timestamp into the hash of an entry that is kept for each interval.
    @inlinable package func hash(_ hash: UInt64, at timestamp: Int64) -> UInt64 {
        hash ^ (UInt64(bitPattern: interval(of: timestamp)) &* UInt64.goldenRatio)
    }

    /// Returns the instant at which an interval ends, in milliseconds since 1970.
    package func instant(of interval: Int64) -> Int64 {
        if let zone { return zone.instant(of: interval) }
        let (time, overflows) = interval.multipliedReportingOverflow(by: step)
        guard !overflows else { return interval < 0 ? .min : .max }
        let (instant, passes) = time.subtractingReportingOverflow(offset &- origin)
        return passes ? time : instant
    }
}
