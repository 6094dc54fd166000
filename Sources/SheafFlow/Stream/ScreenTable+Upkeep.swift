import SheafBytes
import SheafGroups

/// A change of settings that came after notifications that it may be for.
struct LateChange {
    let order: OrderKey
    /// Notifications that are newer follow other settings anyway; nil for no limit.
    var end: OrderKey?
    /// Empty for all.
    var device: [UInt8] = []
    var app: [UInt8] = []

    /// The greatest number of changes that are kept one by one until they are reviewed.
    static var limit: Int { 1_024 }

    /// Returns a change for all devices and apps that affects all notifications that either of two affects.
    func union(_ other: LateChange) -> LateChange {
        let end = end.flatMap { end in other.end.map { max(end, $0) } }
        return LateChange(order: min(order, other.order), end: end)
    }
}

extension ScreenTable {
    /// Applies a change of settings to the notifications that are newer.
    mutating func change(_ change: SettingsRecord, in bytes: Span<UInt8>) {
        let end = judge.add(change, in: bytes)
        guard let newestAdded, change.order < newestAdded else { return }
        var late = LateChange(order: change.order, end: end)
        late.device.append(bytes[change.device])
        late.app.append(bytes[change.app])
        lateChanges.append(late)
        if lateChanges.count > LateChange.limit {
            lateChanges = [lateChanges.dropFirst().reduce(lateChanges[0]) { $0.union($1) }]
        }
    }

    /// The oldest of the settings that were added since the last review and are older than a notification.
    var oldestChange: OrderKey? { lateChanges.map(\.order).min() }

    /// Applies late changes of settings to the notifications that were added before them. O(the notifications that are
    /// newer than a change and older than the next one that replaces it, or those of its device and app).
    mutating func reviewSettings() {
        guard !lateChanges.isEmpty else { return }
        var changes: [LateChange] = []
        swap(&changes, &lateChanges)
        var buffer: [UInt8] = []
        swap(&buffer, &expanded)
        defer { swap(&buffer, &expanded) }
        var general: LateChange?
        for change in changes {
            let blocks = entries.candidates(newerThan: change.order, upTo: change.end)
            if change.device.isEmpty || change.app.isEmpty || blocks.count <= Self.fewBlocks {
                // One review for all of these.
                general = general?.union(change) ?? change
            } else {
                let indices = entries.entries(
                    of: .device, app: change.app.span, text: change.device.span)
                review(indices, after: change, &buffer)
            }
        }
        guard let general else { return }
        for block in entries.candidates(newerThan: general.order, upTo: general.end) {
            review(block, after: general, &buffer)
        }
    }

    /// The number of blocks of entries that are reviewed rather than the entries of a device and app.
    private static var fewBlocks: Int { 4 }

    /// Judges those entries again that have a notification that is newer than a change.
    private mutating func review(
        _ indices: some Sequence<Int>, after change: LateChange, _ buffer: inout [UInt8]
    ) {
        for index in indices where entries[index].isNeeded && change.order < entries[index].order {
            // The change may not apply to all siblings.
            if entries.count(of: index) > 1 {
                for order in entries.dropOldest(entries.count(of: index) - 1, of: index) {
                    let copy = separate([order], from: index)
                    if change.order < order { review(copy, &buffer) }
                }
            }
            review(index, &buffer)
        }
    }

    private mutating func review(_ index: Int, _ buffer: inout [UInt8]) {
        let record = shownRecord(at: index, into: &buffer)
        let presence = presence(of: record, in: buffer.span)
        guard presence != entries[index].presence else { return }
        let item = RoutedRecord(record, byDevice: options.byDevice, in: buffer.span)
        replace(index, by: item, in: buffer.span, presence)
    }
}

// MARK: - Compacting

extension ScreenTable {
    /// Whether `compact` would free much of the memory.
    var isSparse: Bool {
        let vacantGroups = groups.count - count
        return vacantCount > 1_000 && vacantCount > entries.count / 2
            || vacantGroups > 1_000 && vacantGroups > groups.count / 2
    }

    /// True if `compact` would free an eighth of the memory or more by dropping removed notifications.
    var hasRemovals: Bool {
        let removed = vacantCount + removedCount + groups.count - count
        return removed > 0 && removed >= (entries.count + groups.count) / 8
    }

    /// Drops entries and groups that are no longer needed. Must be called right after `takeChanges`. O(n).
    ///
    /// - Parameter dropsRemoved: whether removed notifications that may have versions are dropped. Older versions that
    ///   are added later are then removed, too, but do not count as replaced. Those that were removed with their thread
    ///   stay, because an older version may have another thread.
    mutating func compact(dropsRemoved: Bool = false) {
        var table = ScreenTable(options)
        table.judge = judge
        table.mergeBases(of: self)
        var buffer: [UInt8] = []
        var key: [UInt8] = []
        for index in 0..<entries.count where entries[index].isNeeded {
            let record = entries.record(at: index, into: &buffer)
            let bytes = buffer.span
            if dropsRemoved, entries[index].presence == .removed,
                judge.firstRemoval(of: record, in: bytes, key: &key, ignoresThreads: true) != nil
            {
                continue
            }
            let item = RoutedRecord(record, byDevice: options.byDevice, in: bytes)
            let siblings = entries.orders(of: index).dropLast()
            table.addEntry(item, in: bytes, entries[index].presence, siblings: Array(siblings))
        }
        _ = table.takeChanges()
        (table.newestAdded, table.lateChanges) = (newestAdded, lateChanges)
        (table.updated, table.hidden) = (updated, hidden)
        table.pushes = pushes
        self = table
    }

    /// Merges the notifications of another table that nothing can remove.
    private mutating func mergeBases(of other: ScreenTable) {
        for group in other.groups where !group.isEmpty {
            // A state may still have members that have vanished.
            if let base = group.base {
                merge(base, of: other.store, hash: group.hash, isAlone: group.isAlone)
            } else if group.memberCount == 0 {
                merge(group.state, of: other.store, hash: group.hash, isAlone: group.isAlone)
            }
        }
    }
}

// MARK: - Merging

extension ScreenTable {
    /// Whether there may be changes that `takeChanges` has not returned.
    var hasChanges: Bool { !changed.isEmpty || !lateChanges.isEmpty }

    /// Returns an empty table that judges notifications by the settings of this one.
    func withSettingsAlone() -> ScreenTable {
        var table = ScreenTable(options)
        var events = EventSequence(judge.events, isSorted: false)
        while events.next({ event, bytes -> Void in
            if case .settings = event { table.judge.add(event, in: bytes) }
        }) != nil {}
        return table
    }

    /// Adds the records of another table that has the same settings. O(n).
    mutating func add(_ other: ScreenTable) {
        var other = other
        other.reviewSettings()
        // Those that other records decide are decided again, among the pushes of this table.
        let waiting = other.pushes
        other.withdrawPushes()
        var events = EventSequence(other.judge.events, isSorted: false)
        while events.next({ event, bytes -> Void in
            if case .settings = event { return }
            apply(event, in: bytes)
        }) != nil {}
        mergeBases(of: other)
        // Those of all records, once the pushes that are decided again are withdrawn.
        let (banners, sounds) = (hidden.banners &+ other.hidden.banners, hidden.sounds &+ other.hidden.sounds)
        updated &+= other.updated
        // Of removed notifications, only those that may have versions are still there.
        hidden.removed &+= other.hidden.removed
        var buffer: [UInt8] = []
        for index in 0..<other.entries.count where other.entries[index].isNeeded {
            var record = other.entries.record(at: index, into: &buffer)
            switch other.entries[index].presence {
            case .cleared, .removed: hidden.removed &-= UInt64(other.entries.count(of: index))
            case .shown, .suppressed, .quiet, .refused: break
            }
            for order in other.entries.orders(of: index) {
                record.order = order
                add(RoutedRecord(record, byDevice: options.byDevice, in: buffer.span), in: buffer.span)
            }
        }
        (hidden.banners, hidden.sounds) = (banners, sounds)
        pushes.repeated += waiting.repeated
        waiting.forEach { _, record, bytes in
            _ = addDecided(RoutedRecord(record, byDevice: options.byDevice, in: bytes), in: bytes)
        }
    }
}
