import SheafBytes

/// Estimates how many records are repeated records of a push, of the same device, app and id (specification §18).
///
/// Of the pushes, those are counted whose id has a small hash. Whenever a sample has more than `maximumKeys` pushes,
/// half of the hashes that were small are no longer. Small logs are counted exactly, and larger ones by samples that
/// grow more slowly than they do: reading a log costs the same as long as most of its ids are not in the sample. The
/// result is a function of the set of records. With a tenth of 200,000 records repeated, the standard deviation of the
/// estimated share is 0.4 %.
///
/// Memory: at most 16 bytes for each of 32,768 places.
package struct RepeatCensus: Sendable {
    /// The share above which a log has repeated records that a user should know of.
    package static let notableShare = 0.001

    /// The records of a push; no hash in a free place.
    private struct Push {
        var hash: UInt64 = 0
        var records: UInt32 = 0
    }

    /// Open addressing, with linear probing.
    private var places: [Push] = []
    private var pushCount = 0
    /// How often the sample was halved.
    private var level = 0
    /// The most pushes of a sample. It doubles with `level`, so that the order of records does not matter: whichever come
    /// first, the sample is halved until all of them fit.
    private var maximumKeys = 256
    /// Ids with a `sampleHash` below this one are counted.
    package private(set) var limit: UInt64

    /// - Parameter isUsed: false to count no push.
    package init(isUsed: Bool = true) { limit = isUsed ? .max : 0 }

    /// Records a push whose id is counted. O(1) expected.
    package mutating func record(_ record: NotificationRecord, in bytes: Span<UInt8>) {
        let identifier = bytes[record.identifier]
        // These hashes differ between processes, but the result depends only on which pushes have the same one.
        var hash = identifier.hash(seed: 0) ^ bytes[record.app].endsHash
        if !record.device.isEmpty { hash ^= bytes[record.device].endsHash &* 3 }
        // The upper half decides whether the push is counted, the lower half tells it from others.
        add(1, max(1, identifier.sampleHash & ~0xffff_ffff | hash & 0xffff_ffff))
    }

    /// Adds the counts of other records.
    package mutating func add(_ other: RepeatCensus) {
        if other.limit < limit { lower(to: other.level) }
        for push in other.places where push.records > 0 && push.hash < limit { add(push.records, push.hash) }
    }

    /// The share of the pushes' records that are not the first one; nil if no push with an id was recorded.
    package var share: Double? {
        let records = places.reduce(UInt64(0)) { $0 + UInt64($1.records) }
        return records == 0 ? nil : Double(records - UInt64(pushCount)) / Double(records)
    }

    private mutating func add(_ count: UInt32, _ hash: UInt64) {
        insert(count, hash)
        while pushCount > maximumKeys { lower(to: level + 1) }
    }

    private mutating func insert(_ count: UInt32, _ hash: UInt64) {
        if pushCount * 2 >= places.count { rebuild(places: max(512, places.count * 2)) }
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        var push = places[place]
        while push.records > 0, push.hash != hash {
            place = (place + 1) & mask
            push = places[place]
        }
        if push.records == 0 { pushCount += 1 }
        places[place] = Push(hash: hash, records: push.records &+ count)
    }

    private mutating func lower(to newLevel: Int) {
        while level < newLevel {
            level += 1
            maximumKeys = min(maximumKeys * 2, 16_384)
        }
        limit = UInt64.max >> UInt64(newLevel)
        rebuild(places: places.count)
    }

    private mutating func rebuild(places count: Int) {
        let old = places
        places = [Push](repeating: Push(), count: count)
        pushCount = 0
        for push in old where push.records > 0 && push.hash < limit { insert(push.records, push.hash) }
    }
}
