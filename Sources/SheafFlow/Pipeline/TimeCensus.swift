import SheafGroups

/// The times of the records that several snapshots follow, counted in buckets: finds the few records to which most of a
/// log's span is due, and the longest time without a record.
///
/// All buckets have the same width, a power of two: the smallest one with which there are at most `limit` of them. The
/// census is therefore a function of the set of records, in whatever order they are added.
///
/// Memory: `limit` buckets.
struct TimeCensus: Equatable, Sendable {
    /// The number of records by the number of their bucket: the time after 1970, shifted.
    private var buckets: [Int64: UInt64] = [:]
    private var shift: Int64 = 10
    /// The bucket of the last records and their number, which is not in `buckets` yet.
    private var last: (bucket: Int64, count: UInt64) = (0, 0)
    /// The records with the oldest and with the newest time.
    private var oldest: OrderKey?
    private var newest: OrderKey?

    /// The greatest number of buckets.
    static var limit: Int { 1_024 }

    /// Records a time, if it is after 1970.
    mutating func record(_ order: OrderKey) {
        guard order.timestamp > 0 else { return }
        if order < oldest ?? order || oldest == nil { oldest = order }
        if newest ?? order < order || newest == nil { newest = order }
        let bucket = order.timestamp >> shift
        if bucket == last.bucket { return last.count += 1 }
        settle()
        last = (order.timestamp >> shift, 1)
    }

    mutating func add(_ other: TimeCensus) {
        var other = other
        settle()
        other.settle()
        while shift < other.shift { widen() }
        while other.shift < shift { other.widen() }
        for (bucket, count) in other.buckets { buckets[bucket, default: 0] += count }
        narrowToLimit()
        oldest = [oldest, other.oldest].compactMap(\.self).min()
        newest = [newest, other.newest].compactMap(\.self).max()
    }

    static func == (a: TimeCensus, b: TimeCensus) -> Bool {
        var (a, b) = (a, b)
        a.settle()
        b.settle()
        return a.buckets == b.buckets && a.shift == b.shift && a.oldest == b.oldest && a.newest == b.newest
    }

    /// Adds the last records to their bucket.
    private mutating func settle() {
        guard last.count > 0 else { return }
        buckets[last.bucket, default: 0] += last.count
        last = (0, 0)
        narrowToLimit()
    }

    private mutating func narrowToLimit() {
        while buckets.count > Self.limit { widen() }
    }

    private mutating func widen() {
        var wider: [Int64: UInt64] = [:]
        for (bucket, count) in buckets { wider[bucket >> 1, default: 0] += count }
        buckets = wider
        shift += 1
    }
}

// MARK: - Findings

extension TimeCensus {
    /// A few records to which most of a log's span is due.
    struct Outliers: Equatable, Sendable {
        /// The number of records before `start`, and of those after `end`.
        var earlier: UInt64
        var later: UInt64
        var count: UInt64
        /// A time from which on, and one until which, all others are. In milliseconds since 1970.
        var start: Int64
        var end: Int64
        /// The records with the oldest and with the newest time.
        var oldest: OrderKey
        var newest: OrderKey
    }

    /// Returns the fewest records, fewer than one in 1,000, without which the log's span is about as short as it can be,
    /// if it is then at most half as long. O(n²) for n buckets.
    func outliers() -> Outliers? {
        var census = self
        census.settle()
        let sorted = census.buckets.orderedByKey()
        let count = sorted.reduce(0) { $0 + $1.value }
        guard let oldest, let newest, count > 0 else { return nil }
        let removable = (count - 1) / 1_000
        func candidates(_ buckets: some Sequence<(key: Int64, value: UInt64)>) -> [(
            bucket: Int64, count: UInt64
        )] {
            var (candidates, before): ([(Int64, UInt64)], UInt64) = ([], 0)
            for (bucket, count) in buckets where before <= removable {
                candidates.append((bucket, before))
                before += count
            }
            return candidates
        }
        let starts = candidates(sorted.map { ($0.key, $0.value) })
        let ends = candidates(sorted.reversed().map { ($0.key, $0.value) })
        var shortest = Int64.max
        for start in starts {
            for end in ends where start.bucket <= end.bucket && start.count + end.count <= removable {
                shortest = min(shortest, end.bucket - start.bucket)
            }
        }
        // The fewest records: without one more, the span is a little shorter, too.
        var best: Outliers?
        for start in starts {
            for end in ends
            where start.bucket <= end.bucket && start.count + end.count <= removable
                && (end.bucket - start.bucket) / 2 <= shortest
            {
                if let best, best.earlier + best.later <= start.count + end.count { continue }
                best = Outliers(
                    earlier: start.count, later: end.count, count: count, start: start.bucket << census.shift,
                    end: (end.bucket << census.shift) + (1 << census.shift - 1), oldest: oldest,
                    newest: newest)
            }
        }
        guard let best, best.earlier + best.later > 0 else { return nil }
        return best.end - best.start <= (newest.timestamp - oldest.timestamp) / 2 ? best : nil
    }

    /// Returns the longest time without a record, to the width of a bucket; nil with fewer than two buckets.
    func longestGap() -> (start: Int64, end: Int64)? {
        var census = self
        census.settle()
        let sorted = census.buckets.orderedByKey().map(\.key)
        let gaps = zip(sorted, sorted.dropFirst()).map {
            (start: ($0 + 1) << census.shift, end: $1 << census.shift)
        }
        return gaps.max { $0.end - $0.start < $1.end - $1.start }
    }
}
