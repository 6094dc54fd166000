import SheafBytes
import SheafGroups

/// A shard's groups by key: open addressing over indices, with part of each hash beside its index.
///
///     buckets   [ hash 32 | index + 1 32 ] …     a power of two, at most two thirds used, linear probing
///     states    [ GroupState ] …                 in the order of first sight, never moved
///
/// Invariants: an index is in one bucket, or in none when its notification is alone by the app's grouping.
/// A miss costs one bucket's cache line; only equal hash bits lead to a comparison of texts.
struct GroupTable {
    private(set) var store: GroupStore
    private(set) var states = SegmentedArray<GroupState>()
    private var buckets = [UInt64](repeating: 0, count: 256)
    private var used = 0

    init(maximumArguments: Int) { store = GroupStore(maximumArguments: maximumArguments) }

    var count: Int { states.count }

    /// Adds a notification to its group. O(1), and the categories and arguments of that group.
    ///
    /// - Parameter hash: of the group's key.
    mutating func add(_ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64) {
        if record.grouping == .off {
            states.append(store.start(record, in: bytes))
            return
        }
        let tag = hash & 0xffff_ffff
        var bucket = Int(tag) & (buckets.count - 1)
        while true {
            let entry = buckets[bucket]
            if entry == 0 { break }
            if entry >> 32 == tag {
                let index = Int(entry & 0xffff_ffff) - 1
                if store.matches(states[index], record, in: bytes) {
                    store.add(record, in: bytes, to: &states[index])
                    return
                }
            }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        precondition(states.count < Int(UInt32.max) - 1, "a shard holds at most 2^32 - 2 groups")
        states.append(store.start(record, in: bytes))
        buckets[bucket] = tag << 32 | UInt64(states.count)
        used += 1
        if used * 3 > buckets.count * 2 { grow() }
    }

    private mutating func grow() {
        let old = buckets
        buckets = [UInt64](repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 {
            var bucket = Int(entry >> 32) & (buckets.count - 1)
            while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
            buckets[bucket] = entry
        }
    }
}
