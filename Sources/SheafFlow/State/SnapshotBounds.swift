import SheafBytes

/// Bounds what a record with a wrong time does to live snapshots: one dated 2100 neither withholds all later snapshots
/// nor makes the run write one for each minute until then.
struct SnapshotBounds: Equatable, Sendable {
    /// The number of records whose timestamps were ahead, and the newest of these timestamps.
    var ahead: UInt64 = 0
    var newestAhead: Int64?
    /// The number of snapshots of all groups that were left out.
    var leftOut: UInt64 = 0

    /// Returns whether a timestamp is ahead: by more than `Limits.aheadMilliseconds` both of an older record of its
    /// source and of the present.
    ///
    /// - Parameter present: returns the present, in milliseconds since 1970.
    func isAhead(_ timestamp: Int64, of other: Int64, _ present: () -> Int64) -> Bool {
        Self.exceeds(timestamp, other) && Self.exceeds(timestamp, present())
    }

    private static func exceeds(_ timestamp: Int64, _ other: Int64) -> Bool {
        let (difference, overflows) = timestamp.subtractingReportingOverflow(other)
        return overflows ? timestamp > other : difference > Limits.aheadMilliseconds
    }

    mutating func recordAhead(_ timestamp: Int64) {
        ahead += 1
        newestAhead = max(newestAhead ?? timestamp, timestamp)
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

    /// The present, in milliseconds since 1970.
    static func present() -> Int64 { Int64(time(nil)) * 1_000 }
}
