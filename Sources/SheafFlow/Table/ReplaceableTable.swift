import SheafBytes
import SheafGroups

/// Notifications that a newer version may replace, the newest version of each (specification §5).
///
/// They are in no group until the input is at its end: which group is known only then. Keyed by device, app and
/// collapse identifier; open addressing as in `GroupTable`. An entry's texts are one block, which is written
/// again when a newer version comes.
struct ReplaceableTable: Sendable {
    private struct Entry: Sendable {
        var order: OrderKey
        var weight: UInt32
        var grouping: Grouping
        var groupHash: UInt64
        var texts: PackedNotification
    }

    private var texts = NotificationStore()
    private var entries = SegmentedArray<Entry>()
    private var buckets = [UInt64](repeating: 0, count: 256)
    /// How many versions were not the newest.
    private(set) var updated: UInt64 = 0

    var count: Int { entries.count }

    /// Keeps the notification, or the version that is there when that is newer.
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        let tag = item.identityHash & 0xffff_ffff
        var bucket = Int(tag) & (buckets.count - 1)
        while true {
            let entry = buckets[bucket]
            if entry == 0 { break }
            if entry >> 32 == tag {
                let index = Int(entry & 0xffff_ffff) - 1
                if texts.isSameNotification(entries[index].texts, item.record, in: bytes) {
                    replace(index, by: item, in: bytes)
                    return
                }
            }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        precondition(entries.count < Int(UInt32.max) - 1, "a shard holds at most 2^32 - 2 notifications")
        entries.append(
            Entry(
                order: item.record.order, weight: item.record.weight, grouping: item.record.grouping,
                groupHash: item.groupHash, texts: texts.insert(item.record, in: bytes)))
        buckets[bucket] = tag << 32 | UInt64(entries.count)
        if entries.count * 3 > buckets.count * 2 { grow() }
    }

    private mutating func replace(_ index: Int, by item: RoutedRecord, in bytes: Span<UInt8>) {
        updated += 1
        guard entries[index].order < item.record.order else { return }
        entries[index].order = item.record.order
        entries[index].weight = item.record.weight
        entries[index].groupHash = item.groupHash
        texts.replace(&entries[index].texts, by: item.record, in: bytes)
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

    /// Calls `body` with each notification: its group's hash, the record, and the buffer of its texts.
    func forEach(_ body: (UInt64, NotificationRecord, Span<UInt8>) -> Void) {
        for index in 0..<entries.count {
            let entry = entries[index]
            var record = texts.record(of: entry.texts)
            record.order = entry.order
            record.weight = entry.weight
            record.grouping = entry.grouping
            body(entry.groupHash, record, texts.bytes(of: entry.texts))
        }
    }
}
