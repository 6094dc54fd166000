import SheafBytes
import SheafGroups

/// Notifications that a newer version may replace, the newest version of each (specification §5).
///
/// They are in no group until the input is at its end: which group is known only then. Keyed by device, app and
/// collapse identifier. They are kept one by one, so their size counts: an entry is 32 bytes, its texts are one
/// block, compacted, which is written again when a newer version comes.
struct ReplaceableTable: Sendable {
    private struct Entry: Sendable {
        var order: OrderKey
        var groupHash: UInt64
        var weight: UInt32
        var texts: PackedNotification
    }

    private var compactor = NotificationCompactor()
    /// For the compacted texts of the record that is being added; `add` takes it out for as long.
    private var buffer: [UInt8] = []
    private var texts = NotificationStore()
    private var entries = SegmentedArray<Entry>()
    private var index = HashIndex()
    /// How many versions were not the newest.
    private(set) var updated: UInt64 = 0

    var count: Int { entries.count }

    /// Bytes of memory in use, and what sorting the notifications takes: their entries, half of them twice.
    var heldBytes: Int {
        compactor.heldBytes + texts.heldBytes + entries.heldBytes + index.heldBytes
            + entries.count * (MemoryLayout<ReplaceableOrder.Entry>.stride * 3 / 2)
    }

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
        var compacted: [UInt8] = []
        swap(&compacted, &buffer)
        defer { swap(&compacted, &buffer) }
        let record = compactor.compact(item.record, in: bytes, into: &compacted)
        let found = index.find(item.identityHash) {
            texts.isSameNotification(entries[$0].texts, record, in: compacted.span)
        }
        guard let found else {
            index.insert(entries.count, hash: item.identityHash)
            entries.append(
                Entry(
                    order: record.order, groupHash: item.groupHash, weight: record.weight,
                    texts: texts.insert(record, in: compacted.span)))
            return
        }
        updated += 1
        guard entries[found].order < record.order else { return }
        entries[found].order = record.order
        entries[found].groupHash = item.groupHash
        entries[found].weight = record.weight
        texts.replace(&entries[found].texts, by: record, in: compacted.span)
    }

    /// The notification at an index: the record, and the buffer of its texts in place of what is in `expanded`.
    func record(at index: Int, into expanded: inout [UInt8]) -> NotificationRecord {
        let entry = entries[index]
        var record = compactor.expand(
            texts.record(of: entry.texts), in: texts.bytes(of: entry.texts), into: &expanded)
        record.order = entry.order
        record.weight = entry.weight
        return record
    }

    /// Calls `body` with each notification: its group's hash, the record, and the buffer of its texts, which is
    /// used again for the next one.
    ///
    /// - Parameter isWanted: of a group's hash; what is not wanted is passed over at little cost.
    func forEach(
        where isWanted: (UInt64) -> Bool = { _ in true },
        _ body: (UInt64, NotificationRecord, Span<UInt8>) -> Void
    ) {
        var expanded: [UInt8] = []
        for index in 0..<entries.count {
            let hash = entries[index].groupHash
            guard isWanted(hash) else { continue }
            let record = record(at: index, into: &expanded)
            body(hash, record, expanded.span)
        }
    }
}
