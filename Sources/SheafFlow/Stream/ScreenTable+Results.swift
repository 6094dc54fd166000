import SheafBytes
import SheafGroups

/// Replacing contents by the results of service extensions (specification §16).
extension ScreenTable {
    /// - Parameter result: the content; its collapse identifier is that of the notification.
    mutating func replaceContent(by result: NotificationRecord, in bytes: Span<UInt8>) {
        guard judge.add(.result(result), in: bytes) else { return }
        // Siblings have the same settings.
        if entries.hasSiblings { reviewSettings() }
        var buffer: [UInt8] = []
        let (app, identifier) = (bytes[result.app], bytes[result.collapseIdentifier])
        let found =
            entries.entries(of: .identifier, app: app, text: identifier)
            + entries.entries(ofPush: identifier, app: app)
        var siblings: [[UInt8]: Int] = [:]
        for index in found where entries[index].isNeeded && entries[index].order < result.order {
            let record = entries.record(at: index, into: &buffer)
            let item = RoutedRecord(record, byDevice: options.byDevice, in: buffer.span)
            var replacement: [UInt8] = []
            guard let shown = replaced(item, in: buffer.span, into: &replacement, only: result.order) else {
                continue
            }
            if found.count == 1 && !entries.hasSiblings || record.isReplaceable
                || isAlone(record, in: buffer.span)
            {
                replace(
                    index, by: shown, in: replacement.span, presence(of: shown.record, in: replacement.span))
                continue
            }
            withdraw(index)
            let key = siblingKey(of: record, in: buffer.span)
            if let other = siblings[key] {
                entries.absorb(index, into: other)
                removeAbsorbed(index)
            } else {
                siblings[key] = index
            }
        }
        // In their order, so that a run does not depend on hashes.
        for index in siblings.values.sorted() { putSiblings(index) }
    }

    /// Whether a notification is alone: those are never equal.
    private func isAlone(_ record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        var key: [UInt8] = []
        return (judge.settings(for: record, in: bytes, key: &key).grouping ?? record.grouping) == .off
    }

    /// Returns what equal siblings have in common: those with the same key have the same content and presence after any
    /// result that is for both of them, except that only the older ones may have been removed.
    private func siblingKey(of record: NotificationRecord, in bytes: Span<UInt8>) -> [UInt8] {
        var scope: [UInt8] = []
        let changes = judge.settings(for: record, in: bytes, key: &scope)
        var key: [UInt8] = []
        for number in [UInt64(record.traits.bits)] + changes.words + [
            UInt64(bytes[record.device].count), UInt64(bytes[record.thread].count),
        ] {
            key += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        for text in [record.device, record.thread, record.category] { key.append(bytes[text]) }
        return key
    }

    /// Removes an entry whose notifications are those of another one now.
    private mutating func removeAbsorbed(_ index: Int) {
        entries[index].presence = .removed
        vacantCount += 1
    }

    /// Makes a withdrawn entry with siblings a member of its group. Those that are removed with their new content
    /// become an entry of their own. O(log n).
    private mutating func putSiblings(_ index: Int) {
        var buffer: [UInt8] = []
        let shown = shownRecord(at: index, into: &buffer)
        func presence(at order: OrderKey) -> Presence {
            var record = shown
            record.order = order
            return self.presence(of: record, in: buffer.span)
        }
        let item = RoutedRecord(shown, byDevice: options.byDevice, in: buffer.span)
        let newest = presence(at: shown.order)
        // What removes one removes all that are older, and what suppresses one suppresses all.
        if !newest.isHiddenBySettings, newest != .removed {
            let removed = entries.count(of: index) { presence(at: $0) == .removed }
            if removed > 0 {
                entries.dropOldest(removed, of: index)
                hidden.removed &+= UInt64(removed)
            }
            let cleared = newest == .cleared ? 0 : entries.count(of: index) { presence(at: $0) == .cleared }
            if cleared > 0 {
                let oldest = entries.dropOldest(cleared, of: index)
                put(entries.appendCopy(of: index, oldest, chains: chains), item, in: buffer.span, .cleared)
            }
        }
        put(index, item, in: buffer.span, newest)
        if newest == .removed {
            countRemoved(index)
            entries.removeSiblings(of: index)
        }
    }

    /// Makes the oldest notifications of an entry, but not all, an entry of their own.
    ///
    /// - Returns: the new entry.
    mutating func split(_ index: Int, oldest count: Int) -> Int {
        separate(entries.dropOldest(count, of: index), from: index)
    }

    /// Adds an entry with notifications that were those of another one, which is a member of the same group.
    ///
    /// - Returns: the new entry.
    @discardableResult
    mutating func separate(_ orders: [OrderKey], from index: Int) -> Int {
        let copy = entries.appendCopy(of: index, orders, chains: chains)
        let entry = entries[index]
        (entries[copy].presence, entries[copy].period) = (entry.presence, entry.period)
        if entry.isShown { link(copy, to: Int(entry.group)) }
        return copy
    }

    /// Returns a notification with its newest content; nil if that is the one that was logged.
    ///
    /// - Parameters:
    ///   - buffer: becomes the buffer of its texts.
    ///   - order: that of the content; nil for any.
    func replaced(
        _ item: RoutedRecord, in bytes: Span<UInt8>, into buffer: inout [UInt8], only order: OrderKey? = nil
    ) -> RoutedRecord? {
        var key: [UInt8] = []
        guard let result = judge.newestResult(for: item.record, in: bytes, key: &key),
            order.map({ $0 == result.order }) ?? true
        else { return nil }
        var record = item.record
        judge.replaceContent(of: &record, in: bytes, by: result, into: &buffer)
        return RoutedRecord(record, byDevice: options.byDevice, in: buffer.span)
    }

    /// Returns the notification of an entry with its newest content, and writes its texts to the start of `buffer`,
    /// which may be longer.
    func shownRecord(at index: Int, into buffer: inout [UInt8]) -> NotificationRecord {
        var record = entries.record(at: index, into: &buffer)
        var key: [UInt8] = []
        if let result = judge.newestResult(for: record, in: buffer.span, key: &key) {
            var replacement: [UInt8] = []
            judge.replaceContent(of: &record, in: buffer.span, by: result, into: &replacement)
            buffer = replacement
        }
        return record
    }
}
