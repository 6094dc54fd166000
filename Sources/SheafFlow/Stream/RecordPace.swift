/// When records are due that are released at a multiple of their own pace.
///
/// Wrong clocks neither stop a run nor change the pace of other records. Records from the future have a pace of their
/// own, which begins again wherever their times are further apart than a timestamp may be ahead:
///
///     2026 2100 2026 2026 …    2100 is ahead (`SourceTime`), and has no pace
///     2100 2026 2026 2026 …    2100 is the future: the pace of the others begins with 2026
///     2100 2100 2101 2101 …    a log from the future: no wait for 2101
struct RecordPace: Sendable {
    private let speed: Double
    private let limit: SourceTime.Limit
    /// The first record that is not from the future.
    private var origin: Origin?
    /// The first one of the current records from the future, and the newest of their times.
    private var future: (origin: Origin, newest: Int64)?

    /// A record, and when it was released.
    private struct Origin {
        /// The record's time, in milliseconds since 1970.
        let time: Int64
        /// In milliseconds of `RunClock.uptime`.
        let uptime: Int64
    }

    /// - Parameters:
    ///   - speed: how many times faster than it happened; greater than 0.
    ///   - limit: tells what is the future.
    init(speed: Double, _ limit: SourceTime.Limit) { (self.speed, self.limit) = (speed, limit) }

    /// Returns how long a record must wait, in milliseconds; 0 or less if it is due. The first record is due at once.
    ///
    /// - Parameters:
    ///   - timestamp: milliseconds since 1970, of a record that is not ahead.
    ///   - uptime: the present, in milliseconds of `RunClock.uptime`.
    mutating func delay(of timestamp: Int64, at uptime: Int64) -> Double {
        let origin: Origin
        if limit.isFuture(timestamp) {
            if let newest = future?.newest,
                limit.isExceeded(by: timestamp, after: newest)
                    || limit.isExceeded(by: newest, after: timestamp)
            {
                future = nil
            }
            origin = future?.origin ?? Origin(time: timestamp, uptime: uptime)
            future = (origin, max(future?.newest ?? timestamp, timestamp))
        } else {
            origin = self.origin ?? Origin(time: timestamp, uptime: uptime)
            self.origin = origin
        }
        return Double(timestamp - origin.time) / speed - Double(uptime - origin.uptime)
    }
}
