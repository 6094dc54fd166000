import SheafBytes
import SheafGroups

/// Notifications that a newer version may replace, the newest version of each (specification §5).
///
/// They are in no group until the input is at its end: which group is known only then. Keyed by device, app and
/// collapse identifier. An entry's texts are one block, which is written
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
    private var index = HashIndex()
    /// How many versions were not the newest.
    private(set) var updated: UInt64 = 0

    var count: Int { entries.count }

    /// Starts to load what `add` will look at.
    func prefetch(_ step: PrefetchStep, hash: UInt64) {
        switch step {
        case .bucket: index.prefetch(hash)
        case .entry: if let found = index.candidate(hash) { entries.prefetch(found) }
        case .texts: if let found = index.candidate(hash) { texts.prefetch(entries[found].texts) }
        }
    }

    /// Keeps the notification, or the version that is there when that is newer.
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        let found = index.find(item.identityHash) {
            texts.isSameNotification(entries[$0].texts, item.record, in: bytes)
        }
        if let found {
            replace(found, by: item, in: bytes)
            return
        }
        index.insert(entries.count, hash: item.identityHash)
        entries.append(
            Entry(
                order: item.record.order, weight: item.record.weight, grouping: item.record.grouping,
                groupHash: item.groupHash, texts: texts.insert(item.record, in: bytes)))
    }

    private mutating func replace(_ index: Int, by item: RoutedRecord, in bytes: Span<UInt8>) {
        updated += 1
        guard entries[index].order < item.record.order else { return }
        entries[index].order = item.record.order
        entries[index].weight = item.record.weight
        entries[index].groupHash = item.groupHash
        texts.replace(&entries[index].texts, by: item.record, in: bytes)
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
