import SheafBytes
import SheafGroups

/// Removing notifications from the screen.
extension ScreenTable {
    mutating func remove(_ removal: RemovalRecord, in bytes: Span<UInt8>) {
        // What settings suppress can't be removed.
        reviewSettings()
        guard judge.add(.removal(removal), in: bytes) else { return }
        switch removal.scope {
        case .identifier:
            removeChain(.identifier, removal.text, removal, in: bytes)
        case .app, .thread:
            guard removal.device.isEmpty else {
                return removeChain(.device, removal.device, removal, in: bytes)
            }
            let grouping = options.rules.grouping(of: bytes[removal.app])
            if removal.scope == .thread, !options.byDevice, grouping != .off, !judge.changesGroupings {
                if let group = group(ofThread: grouping == .byApp ? .none : removal.text, removal, in: bytes)
                {
                    removeMembers(of: group, removal, in: bytes)
                }
                return
            }
            guard let app = store.apps.find(bytes[removal.app]), Int(app) < groupsOfApps.count else { return }
            for group in groupsOfApps[Int(app)] { removeMembers(of: Int(group), removal, in: bytes) }
        }
    }

    private mutating func removeMembers(of group: Int, _ removal: RemovalRecord, in bytes: Span<UInt8>) {
        var removesAll = removal.scope == .app
        if !removesAll {
            let thread = store.thread(of: groups[group].state)
            removesAll = thread.isEqual(to: bytes[removal.text])
            // A removal of any thread is one of the notifications that are grouped by app.
            if !removesAll, !thread.isEmpty { return }
        }
        for index in members(of: group) where removesAll || isByApp(index, bytes[removal.app]) {
            removeEntry(index, removal)
        }
    }

    /// Whether a notification on screen is grouped by its app.
    private func isByApp(_ index: Int, _ app: Span<UInt8>) -> Bool {
        guard case .shown(let effect) = entries[index].presence else { return false }
        return (effect.grouping ?? options.rules.grouping(of: app)) == .byApp
    }

    /// Removes those entries of a chain that are older than a removal and concern it.
    private mutating func removeChain(
        _ chain: ScreenEntries.Chain, _ text: TextRange, _ removal: RemovalRecord, in bytes: Span<UInt8>
    ) {
        for index in entries.entries(of: chain, app: bytes[removal.app], text: bytes[text])
        where entries[index].isShown && entries.count(of: index, where: { $0 < removal.order }) > 0
            && concerns(index, removal, in: bytes)
        {
            removeEntry(index, removal)
        }
    }

    /// Returns the group of a removal's app and a thread, if groups have no devices.
    private func group(ofThread thread: TextRange, _ removal: RemovalRecord, in bytes: Span<UInt8>) -> Int? {
        var record = NotificationRecord()
        (record.app, record.thread) = (removal.app, thread)
        let hash = Routing.groupHash(record, in: bytes)
        return groupIndex.find(hash) { store.matches(groups[$0].state, record, in: bytes) }
    }

    /// Removes those notifications of an entry that are older than a removal.
    private mutating func removeEntry(_ index: Int, _ removal: RemovalRecord) {
        let count = entries.count(of: index) { $0 < removal.order }
        guard count > 0 else { return }
        let index = count < entries.count(of: index) ? split(index, oldest: count) : index
        unlink(index)
        entries[index].presence = removal.scope == .thread && options.delivery != nil ? .cleared : .removed
        recordVanishing(index)
        hidden.removed &+= UInt64(count)
        removed?.append((index, UInt64(count)))
        guard entries[index].presence == .removed else { return }
        countRemoved(index)
        entries.removeSiblings(of: index)
    }

    /// Records that an entry's notification has been removed, for `compact`.
    mutating func countRemoved(_ index: Int) {
        removedCount += 1
        if !entries[index].isReplaceable { vacantCount += 1 }
    }

    /// Whether a removal of an entry's identifier, or of its device and app, is also one of its device or its thread.
    private func concerns(_ index: Int, _ removal: RemovalRecord, in bytes: Span<UInt8>) -> Bool {
        if removal.scope == .app || removal.scope == .thread && isByApp(index, bytes[removal.app]) {
            return true
        }
        var buffer: [UInt8] = []
        let record = shownRecord(at: index, into: &buffer)
        let own = buffer.span
        if removal.scope == .thread { return own[record.thread].isEqual(to: bytes[removal.text]) }
        // Of the entries of an identifier, some have it as their collapse identifier.
        return own[record.removalIdentifier].isEqual(to: bytes[removal.text])
            && (removal.device.isEmpty || own[record.device].isEqual(to: bytes[removal.device]))
    }
}
