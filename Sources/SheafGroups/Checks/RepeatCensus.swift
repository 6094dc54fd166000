import SheafBytes

/// Estimates how many records are repeated records of a push, of the same device, app and id (specification §18).
///
/// Of the pushes, those are counted whose id has a small hash: all of them up to `maximumKeys`, and of twice as many half.
/// The result is a function of the set of records. With a tenth of the records repeated, the standard deviation of the
/// estimated share is about half a percent.
///
/// Memory: at most 12 bytes for each of 2 × `maximumKeys` places.
package struct RepeatCensus: Sendable {
    private static let maximumKeys = 1 << 12
    /// The share above which a log has repeated records that a user should know of.
    package static let notableShare = 0.001

    /// Open addressing, with linear probing: the pushes' hashes, 0 for a free place, and the numbers of their records.
    private var keys: [UInt64] = []
    private var counts: [UInt32] = []
    private var keyCount = 0
    /// Ids with hashes up to this one are counted.
    private var limit = UInt64.max

    package init() {}

    /// Whether pushes with an id are counted.
    package func counts(_ identifier: Span<UInt8>) -> Bool {
        !identifier.isEmpty && identifier.endsHash <= limit
    }

    /// Records a push whose id is counted. O(1) expected.
    package mutating func record(_ record: NotificationRecord, in bytes: Span<UInt8>) {
        let ends = bytes[record.identifier].endsHash
        var hash = bytes[record.identifier].stableHash(seed: bytes[record.app].stableHash(seed: 0))
        if !record.device.isEmpty { hash = bytes[record.device].stableHash(seed: hash) }
        // The upper half decides whether the push is counted, the lower half tells it from others.
        add(1, max(1, ends & ~0xffff_ffff | hash & 0xffff_ffff))
    }

    /// Adds the counts of other records.
    package mutating func add(_ other: RepeatCensus) {
        if other.limit < limit { lower(to: other.limit) }
        for (key, count) in zip(other.keys, other.counts) where key > 0 && key <= limit { add(count, key) }
    }

    /// The share of the pushes' records that are not the first one; nil if no push with an id was recorded.
    package var share: Double? {
        let records = counts.reduce(UInt64(0)) { $0 + UInt64($1) }
        return records == 0 ? nil : Double(records - UInt64(keyCount)) / Double(records)
    }

    private mutating func add(_ count: UInt32, _ key: UInt64) {
        if keyCount * 2 >= keys.count { grow() }
        var place = Int(truncatingIfNeeded: key) & (keys.count - 1)
        while keys[place] != 0, keys[place] != key { place = (place + 1) & (keys.count - 1) }
        if keys[place] == 0 {
            keys[place] = key
            keyCount += 1
        }
        counts[place] &+= count
        while keyCount > Self.maximumKeys { lower(to: limit / 2) }
    }

    private mutating func grow() { rebuild(places: max(256, keys.count * 2)) }

    private mutating func lower(to newLimit: UInt64) {
        limit = newLimit
        rebuild(places: keys.count)
    }

    private mutating func rebuild(places: Int) {
        let old = zip(keys, counts)
        keys = [UInt64](repeating: 0, count: places)
        counts = [UInt32](repeating: 0, count: places)
        keyCount = 0
        for (key, count) in old where key > 0 && key <= limit { add(count, key) }
    }
}
