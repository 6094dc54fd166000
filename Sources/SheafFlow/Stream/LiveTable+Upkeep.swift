import SheafBytes
import SheafGroups

extension LiveTable {
    /// Applies a change of settings to the notifications that are newer.
    mutating func change(_ change: SettingsRecord, in bytes: Span<UInt8>) {
        settings.add(change, in: bytes)
        if let newestAdded, change.order < newestAdded {
            oldestChange = min(oldestChange ?? change.order, change.order)
        }
    }

    /// Applies the settings to the newer notifications, if there are some that were added before them. O(n) then.
    mutating func reviewSettings() {
        guard let oldest = oldestChange else { return }
        oldestChange = nil
        var buffer: [UInt8] = []
        swap(&buffer, &expanded)
        defer { swap(&buffer, &expanded) }
        if entries.hasSiblings { separateSiblings(newerThan: oldest) }
        for index in 0..<entries.count where entries[index].isNeeded && oldest < entries[index].order {
            let record = shownRecord(at: index, into: &buffer)
            let fate = fate(of: record, in: buffer.span)
            guard fate != entries[index].fate else { continue }
            let item = RoutedRecord(record, byDevice: options.byDevice, in: buffer.span)
            replace(index, by: item, in: buffer.span, fate)
        }
    }
}

extension LiveTable {
    /// Makes each notification of an entry an entry of its own if one of them is newer than a change of settings, which may
    /// not apply to all of them.
    private mutating func separateSiblings(newerThan order: OrderKey) {
        for index in 0..<entries.count where order < entries[index].order {
            let count = entries.count(of: index)
            guard count > 1 else { continue }
            for order in entries.dropOldest(count - 1, of: index) { separate([order], from: index) }
        }
    }
}

// MARK: - Compacting

extension LiveTable {
    /// Whether `compact` would free much of the memory.
    var isSparse: Bool {
        let vacantGroups = groups.count - count
        return vacantCount > 1_000 && vacantCount > entries.count / 2
            || vacantGroups > 1_000 && vacantGroups > groups.count / 2
    }

    /// Whether `compact` would free an eighth of the memory or more, if it drops what was removed.
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
        var table = LiveTable(options)
        table.modifications = modifications
        var buffer: [UInt8] = []
        for index in groups.indices where !groups[index].isEmpty {
            // A state may still have members that have vanished.
            if let base = groups[index].base {
                table.merge(base, of: store, hash: groups[index].hash, isAlone: groups[index].isAlone)
            } else if groups[index].first == 0 {
                table.merge(
                    groups[index].state, of: store, hash: groups[index].hash, isAlone: groups[index].isAlone)
            }
        }
        var key: [UInt8] = []
        for index in 0..<entries.count where entries[index].isNeeded {
            let record = entries.record(at: index, into: &buffer)
            let bytes = buffer.span
            if dropsRemoved, entries[index].fate == .removed,
                removals.firstRemoval(of: record, in: bytes, key: &key, ignoresThreads: true) != nil
            {
                continue
            }
            let item = RoutedRecord(record, byDevice: options.byDevice, in: bytes)
            let siblings = entries.orders(of: index).dropLast()
            table.addEntry(item, in: bytes, entries[index].fate, siblings: Array(siblings))
        }
        _ = table.takeChanges()
        (table.removals, table.settings, table.newestAdded) = (removals, settings, newestAdded)
        (table.updated, table.hidden, table.oldestChange) = (updated, hidden, oldestChange)
        self = table
    }
}
