import SheafGroups

/// How far the records of a source have come: what the watermark of live snapshots follows (specification §14).
///
/// A timestamp is ahead if it is later than both the present and the source's other records by more than a limit. The
/// watermark does not follow it. If a source begins with times after the present, only its next records tell whether
/// they are wrong:
///
///     2026 2026 2100 2026 …    2100 is ahead
///     2100 2026 2026 2026 …    2100 turns out to be ahead
///     2100 2100 2100 2100 …    a log from the future: after `Limits.futureRecords` of them the watermark follows all
struct SourceTime: Equatable, Sendable {
    /// The newest timestamp, without those that are ahead; nil before the first one.
    var newest: Int64?
    /// The records with a timestamp as long as all of them are from the future; else nil.
    var future: FutureRecords?
    /// When the last records of a live source arrived, or when it began, in milliseconds of `RunClock.uptime`; nil for a
    /// source that is not live.
    var arrival: Int64?

    /// The last record that was counted as ahead or as one from the future: a removal of several identifiers is several
    /// events.
    private var counted: OrderKey?

    init(newest: Int64? = nil, arrival: Int64? = nil) { (self.newest, self.arrival) = (newest, arrival) }

    /// The number of some records that are later than the present by more than the limit, and their times.
    struct FutureRecords: Equatable, Sendable {
        var count: UInt64
        var times: TimeRange
    }

    /// What tells that a timestamp is ahead.
    struct Limit: Sendable {
        /// How far a timestamp may be ahead, in milliseconds.
        let milliseconds: Int64
        /// Returns the present, in milliseconds since 1970.
        let present: @Sendable () -> Int64

        func isExceeded(by timestamp: Int64, after other: Int64) -> Bool {
            let (difference, overflows) = timestamp.subtractingReportingOverflow(other)
            return overflows ? timestamp > other : difference > milliseconds
        }

        func isFuture(_ timestamp: Int64) -> Bool { isExceeded(by: timestamp, after: present()) }
    }

    /// Records the timestamp of the source's next record.
    ///
    /// - Parameters:
    ///   - order: that of the record, which has a timestamp.
    ///   - bounds: counts the records that are ahead.
    /// - Returns: whether this one is.
    mutating func add(_ order: OrderKey, _ limit: Limit, _ bounds: inout SnapshotBounds) -> Bool {
        let timestamp = order.timestamp
        guard let known = newest else {
            newest = timestamp
            if limit.isFuture(timestamp) { addFuture(order) }
            return false
        }
        if order == counted { return future == nil }
        guard future != nil else {
            if limit.isExceeded(by: timestamp, after: known), limit.isFuture(timestamp) {
                counted = order
                bounds.recordAhead(FutureRecords(count: 1, times: TimeRange(timestamp)))
                return true
            }
            newest = max(known, timestamp)
            return false
        }
        if limit.isFuture(timestamp) {
            let count = addFuture(order)
            // Until there are enough of them, the oldest of those that differ by more than the limit counts.
            if count >= Limits.futureRecords {
                newest = max(known, timestamp)
            } else if limit.isExceeded(by: known, after: timestamp) {
                newest = timestamp
            } else if !limit.isExceeded(by: timestamp, after: known) {
                newest = max(known, timestamp)
            }
            return false
        }
        newest = max(known, timestamp)
        if let future, limit.isExceeded(by: future.times.newest, after: timestamp) {
            bounds.recordAhead(future)
            newest = timestamp
        }
        future = nil
        return false
    }

    /// Returns the time up to which the source's records are expected to have arrived: the newest timestamp, plus the
    /// time for which a live source has been silent if that is long enough; nil if it is not known.
    ///
    /// - Parameters:
    ///   - uptime: the present of the clock for arrivals; nil to ignore silence.
    ///   - idle: the time after which a source is silent, in milliseconds.
    ///   - others: the newest timestamp of any source, for one that has been silent from the start.
    func reached(at uptime: Int64?, idle: Int64, others: Int64?) -> Int64? {
        guard let uptime, let arrival, uptime - arrival >= idle, let time = newest ?? others else {
            return newest
        }
        let (reached, overflows) = time.addingReportingOverflow(uptime - arrival)
        return overflows ? .max : reached
    }

    /// - Returns: the number of records from the future.
    @discardableResult
    private mutating func addFuture(_ order: OrderKey) -> UInt64 {
        counted = order
        let count = (future?.count ?? 0) + 1
        let times = TimeRange(order.timestamp)
        future = FutureRecords(count: count, times: future?.times.union(times) ?? times)
        return count
    }
}

/// Bounds what records with wrong times do to live snapshots: one dated 2100 neither withholds all later snapshots nor
/// makes the run write one for each minute until then.
struct SnapshotBounds: Equatable, Sendable {
    /// The number of records whose timestamps were ahead, and the newest of these timestamps.
    var ahead: UInt64 = 0
    var newestAhead: Int64?
    /// The number of snapshots of all groups that were left out.
    var leftOut: UInt64 = 0

    mutating func recordAhead(_ records: SourceTime.FutureRecords) {
        ahead += records.count
        newestAhead = max(newestAhead ?? .min, records.times.newest)
    }

    /// Returns the interval of the next snapshot of all groups: the next one, or the next one with records if there are
    /// more than `Limits.snapshots` without any between them.
    ///
    /// - Parameters:
    ///   - written: the interval of the last snapshot.
    ///   - changed: the next interval with records, or the last one.
    func interval(after written: Int64, before changed: Int64) -> Int64 {
        let (next, overflows) = written.addingReportingOverflow(1)
        guard !overflows, written > .min else { return changed }
        let (gap, isHuge) = changed.subtractingReportingOverflow(next)
        return changed > next && (isHuge || gap > Int64(Limits.snapshots)) ? changed : next
    }

    /// Records a snapshot of all groups, and how many were left out before it.
    mutating func recordWritten(_ interval: Int64, after written: Int64) {
        guard interval > written, written > .min else { return }
        leftOut += UInt64(interval - written - 1)
    }
}
