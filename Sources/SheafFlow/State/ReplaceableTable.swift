import SheafBytes
import SheafGroups

/// The notifications that are kept one by one: the newest version (in each interval of a timeline) of each that a newer
/// version may replace (specification §5), and all others that removals (§15) or settings (§16) may concern.
///
/// Replaceable notifications are keyed by device, app and collapse identifier. None is in a group until all input is
/// read: only then is it known whether it is on screen, and in which group. They are kept individually, so their size
/// matters: an entry is 40 bytes, and its texts are one compacted block, which is rewritten when a newer version
/// arrives.
struct ReplaceableTable: Sendable {
    private struct Entry: Sendable {
        var order: OrderKey
        var weight: UInt32
        var groupHash: UInt64
        var texts: PackedNotification
        var traits: NotificationTraits
    }

    /// The intervals that versions are kept for; nil if only the newest is kept.
    private let timeline: Timeline?
    /// Whether of other versions the arrival is kept, and with it the category.
    private let keepsReplaced: Bool
    private let keepsCategories: Bool
    private var compactor = NotificationCompactor()
    /// The buffer for the compacted texts of the record that is being added. `add` takes it out while it runs.
    private var buffer: [UInt8] = []
    private var texts = NotificationStore()
    private var entries = SegmentedArray<Entry>()
    private var index = HashIndex()
    /// The number of versions that were not the newest.
    private(set) var updated: UInt64 = 0

    init(_ options: StateOptions) {
        timeline = options.versions
        keepsReplaced = options.delivery != nil
        keepsCategories = options.division == .category
    }

    var count: Int { entries.count }

    /// The memory in use, in bytes, and the memory for sorting the notifications: their entries, half of them twice.
    var heldBytes: Int {
        compactor.heldBytes + texts.heldBytes + entries.heldBytes + index.heldBytes
            + entries.count * (MemoryLayout<SortKey>.stride * 3 / 2)
    }

    /// Prefetches the memory that `add` will access.
    ///
    /// - Parameter timestamp: that of the notification that will be added.
    func prefetch(_ step: PrefetchStep, hash: UInt64, at timestamp: Int64) {
        let hash = timeline?.hash(hash, at: timestamp) ?? hash
        switch step {
        case .bucket: index.prefetch(hash)
        case .entry: if let found = index.candidate(hash) { entries.prefetch(found) }
        case .texts: if let found = index.candidate(hash) { texts.prefetch(entries[found].texts) }
        }
    }

    /// Frees the index. No notification can be added afterwards.
    mutating func releaseIndex() { index = HashIndex() }

    /// Keeps the notification, unless the table has a newer version of it. Of two versions, the older one's arrival may be
    /// kept.
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        var compacted: [UInt8] = []
        swap(&compacted, &buffer)
        defer { swap(&compacted, &buffer) }
        let record = compactor.compact(item.record, in: bytes, into: &compacted)
        guard record.isReplaceable, !record.traits.isReplaced else {
            return append(record, item, compacted.span)
        }
        let timestamp = record.order.timestamp
        let hash = timeline?.hash(item.identityHash, at: timestamp) ?? item.identityHash
        let found = index.find(hash) {
            texts.isSameNotification(entries[$0].texts, record, in: compacted.span)
                && timeline?.areTogether(entries[$0].order.timestamp, timestamp) ?? true
        }
        guard let found else {
            index.insert(entries.count, hash: hash)
            return append(record, item, compacted.span)
        }
        updated += 1
        guard keepsReplaced else {
            if entries[found].order < record.order { replace(found, by: record, item, in: compacted.span) }
            return
        }
        let (order, traits) = (entries[found].order, entries[found].traits)
        let isNewer = order < record.order
        // The texts of the older version are replaced.
        var expanded: [UInt8] = []
        var older = isNewer && keepsCategories ? self.record(at: found, into: &expanded) : item.record
        if isNewer {
            (older.order, older.traits) = (order, traits)
            replace(found, by: record, item, in: compacted.span)
        }
        older = older.replaced(keepsCategory: keepsCategories)
        older =
            isNewer && keepsCategories
            ? compactor.compact(older, in: expanded.span, into: &compacted)
            : compactor.compact(older, in: bytes, into: &compacted)
        append(older, item, compacted.span)
    }

    /// Replaces a version by a newer one.
    ///
    /// - Parameter record: the newer one, compacted.
    private mutating func replace(
        _ index: Int, by record: NotificationRecord, _ item: RoutedRecord, in bytes: Span<UInt8>
    ) {
        entries[index].order = record.order
        entries[index].groupHash = item.groupHash
        entries[index].weight = record.weight
        entries[index].traits = record.traits
        texts.replace(&entries[index].texts, by: record, in: bytes)
    }

    private mutating func append(
        _ record: NotificationRecord, _ item: RoutedRecord, _ bytes: Span<UInt8>
    ) {
        entries.append(
            Entry(
                order: record.order, weight: record.weight, groupHash: item.groupHash,
                texts: texts.insert(record, in: bytes), traits: record.traits))
    }

    /// Replaces contents by the results of service extensions, and groupings by those that persons chose. O(n) if there
    /// are any.
    ///
    /// - Parameter byDevice: whether groups are separated by device.
    mutating func replaceContents(by judge: Judge, byDevice: Bool) {
        guard judge.replacesContents else { return }
        var (expanded, replaced, key): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        for index in 0..<entries.count where !entries[index].traits.isReplaced {
            var record = record(at: index, into: &expanded)
            let logged = record.grouping
            if judge.changesGroupings,
                let grouping = judge.settings(for: record, in: expanded.span, key: &key).grouping
            {
                record.grouping = grouping
            }
            if let result = judge.newestResult(for: record, in: expanded.span, key: &key) {
                judge.replaceContent(of: &record, in: expanded.span, by: result, into: &replaced)
                replace(
                    index, by: RoutedRecord(record, byDevice: byDevice, in: replaced.span), in: replaced.span)
            } else if record.grouping != logged {
                replace(
                    index, by: RoutedRecord(record, byDevice: byDevice, in: expanded.span), in: expanded.span)
            }
        }
    }

    /// Replaces the content of a notification.
    private mutating func replace(_ index: Int, by item: RoutedRecord, in bytes: Span<UInt8>) {
        entries[index].groupHash = item.groupHash
        entries[index].weight = item.record.weight
        entries[index].traits = item.record.traits
        var compacted: [UInt8] = []
        swap(&compacted, &buffer)
        defer { swap(&compacted, &buffer) }
        let compact = compactor.compact(item.record, in: bytes, into: &compacted)
        var packed = entries[index].texts
        texts.replace(&packed, by: compact, in: compacted.span)
        entries[index].texts = packed
    }

    /// Returns the notification at an index, and writes its texts to the start of `expanded`, which may be longer.
    func record(at index: Int, into expanded: inout [UInt8]) -> NotificationRecord {
        let entry = entries[index]
        var record = compactor.expand(
            texts.record(of: entry.texts), in: texts.bytes(of: entry.texts), into: &expanded)
        record.order = entry.order
        record.weight = entry.weight
        record.traits = entry.traits
        return record
    }

    /// Calls `body` with each notification: its group's hash, the record, and the buffer of its texts, which is reused
    /// for the next notification.
    ///
    /// - Parameter isWanted: whether to include a group, by its hash. Skipping a notification is cheap.
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

// MARK: - Order

// The order is that of `NotificationEntry`: by device, app and identifier; then those without a collapse identifier
// first, and the oldest first.
//
// Contiguous compact keys are compared: the device's first 16 bytes, the app's rank, and the identifier's first 16
// bytes. Texts are expanded and compared only if the keys are tied.

extension ReplaceableTable {
    private struct SortKey {
        let index: UInt32
        let deviceCount: UInt32
        let device: TextWords
        let identifier: TextWords
        var appRank: UInt32
    }

    /// Returns the notifications' indices in order. O(n log n).
    func sortedIndices() -> [UInt32] {
        var expanded: [UInt8] = []
        var apps = SymbolTable()
        var keys: [SortKey] = []
        keys.reserveCapacity(count)
        for index in 0..<count {
            let record = record(at: index, into: &expanded)
            let bytes = expanded.span
            keys.append(
                SortKey(
                    index: UInt32(index), deviceCount: record.device.count,
                    device: TextWords(bytes[record.device]),
                    identifier: TextWords(bytes[record.removalIdentifier]),
                    appRank: apps.symbol(for: bytes[record.app])))
        }
        let ranks = apps.ranks
        for index in keys.indices { keys[index].appRank = ranks[Int(keys[index].appRank)] }
        var (first, second): ([UInt8], [UInt8]) = ([], [])
        keys.sort { precedes($0, $1, &first, &second) }
        return keys.map(\.index)
    }

    /// - Parameters:
    ///   - mine: a buffer for the texts of `a`.
    ///   - theirs: a buffer for the texts of `b`.
    private func precedes(
        _ a: SortKey, _ b: SortKey, _ mine: inout [UInt8], _ theirs: inout [UInt8]
    ) -> Bool {
        if a.device != b.device { return a.device < b.device }
        // Equal words mean equal devices only if they hold the whole device.
        let isShort = max(a.deviceCount, b.deviceCount) <= UInt32(TextWords.byteCount)
        if isShort {
            if a.deviceCount != b.deviceCount { return a.deviceCount < b.deviceCount }
            if a.appRank != b.appRank { return a.appRank < b.appRank }
            if a.identifier != b.identifier { return a.identifier < b.identifier }
        }
        let first = record(at: Int(a.index), into: &mine)
        let second = record(at: Int(b.index), into: &theirs)
        let (own, other) = (mine.span, theirs.span)
        let devices = own[first.device].compare(to: other[second.device])
        if devices != 0 { return devices < 0 }
        if a.appRank != b.appRank { return a.appRank < b.appRank }
        let identifiers = own[first.removalIdentifier].compare(to: other[second.removalIdentifier])
        if identifiers != 0 { return identifiers < 0 }
        if first.isReplaceable != second.isReplaceable { return second.isReplaceable }
        return first.order < second.order
    }
}
