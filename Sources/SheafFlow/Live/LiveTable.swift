import SheafBytes
import SheafGroups

/// The groups on screen, kept up to date record by record.
///
///     notification that nothing can remove ──add──────────▶ the group's base
///     any other ──▶ entry, by identity ──member of──▶ group: base ⊕ members
///     removal ──finds──▶ entries: by identifier, or by device and app, or the members of a group
///
/// Records may be added in any order: a newer version replaces an older one that is added later, and a removal is kept
/// for the older notifications that are added after it. What is on screen is then that of a replay of the same
/// records.
///
/// Memory: a group takes its state, and a second one if it has a base and members. An entry takes 64 bytes and its
/// texts, a removed one that may have versions 64 bytes. Entries that are no longer needed are dropped when they are
/// most of all (`compact`).
struct LiveTable {
    let options: StateOptions
    private(set) var store: GroupStore
    private(set) var groups: [Group] = []
    private var groupIndex = HashIndex()
    /// The groups of each app, by the app's symbol.
    private var groupsOfApps: [[UInt32]] = []
    private var entries = SegmentedArray<Entry>()
    private var identities = HashIndex()
    /// The first entry of each identifier of an app, and of each app of a device.
    private var identifiers = HashIndex()
    private var devices = HashIndex()
    private var compactor = NotificationCompactor()
    private var texts = NotificationStore()
    private var removals = RemovalTable(nil)
    /// The numbers of versions that were replaced, and of newest versions that were removed.
    private(set) var updated: UInt64 = 0
    private(set) var removed: UInt64 = 0
    /// The number of groups on screen.
    private(set) var count = 0
    /// The number of entries that are not needed.
    private var vacantCount = 0
    /// The groups that may have changed since the last call of `takeChanges`.
    private var changed: [UInt32] = []
    /// The number of calls of `takeChanges`.
    private var period: UInt32 = 1
    /// Buffers for texts. Each method that uses one takes it out while it runs.
    private var compacted: [UInt8] = []
    private var expanded: [UInt8] = []

    struct Group {
        /// What is on screen, or was before the group was emptied: then only its key counts.
        fileprivate(set) var state: GroupState
        /// The notifications that nothing can remove, if the group has or had members; nil if there are none.
        fileprivate var base: GroupState?
        fileprivate(set) var hash: UInt64
        /// The first member, plus one; 0 if there is none.
        fileprivate var first: UInt32 = 0
        /// The numbers of notifications that were added and are still there, and of those that vanished, since the last
        /// call of `takeChanges`.
        fileprivate var added: UInt32 = 0
        fileprivate var vanished: UInt32 = 0
        /// Whether the state must be made again from the base and the members.
        fileprivate var isStale = false
        fileprivate var isListed = false
        /// The leading notification that was shown last.
        fileprivate var shown: OrderKey
        fileprivate(set) var isEmpty = false
        let isAlone: Bool

        /// The leading notification: for an emptied group, the one that was shown last.
        fileprivate var newest: OrderKey { isEmpty ? shown : state.leading.order }
    }

    private struct Entry {
        var order: OrderKey
        var weight: UInt32
        var group: UInt32
        /// The neighbors among the members of the group, plus one.
        var previous: UInt32 = 0
        var next: UInt32 = 0
        /// The next entry with the same identifier, and the next one of the same device and app, plus one.
        var nextOfIdentifier: UInt32 = 0
        var nextOfDevice: UInt32 = 0
        var period: UInt32
        /// The group, plus one, of the version that was shown last, if the notification is alone and was updated in
        /// `period`.
        var predecessor: UInt32 = 0
        var texts: PackedNotification
        var isLive: Bool
        var isReplaceable: Bool
    }

    init(_ options: StateOptions) {
        self.options = options
        store = GroupStore(maximumArguments: options.maximumArguments)
    }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        store.heldBytes + groups.capacity * MemoryLayout<Group>.stride + groupIndex.heldBytes
            + entries.heldBytes
            + identities.heldBytes + identifiers.heldBytes + devices.heldBytes + compactor.heldBytes
            + texts.heldBytes + removals.heldBytes
    }

    /// The number of removals that are kept.
    var removalCount: Int { removals.count }
}

// MARK: - Adding

extension LiveTable {
    /// Adds a notification.
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        guard options.appliesRemovals || item.record.isReplaceable else {
            let group = group(of: item.record, in: bytes, hash: item.groupHash)
            extend(group, by: item.record, in: bytes)
            if hasBase(group) { extendBase(of: group, by: item.record, in: bytes) }
            return
        }
        var key: [UInt8] = []
        let isRemoved =
            removals.count > 0 && removals.firstRemoval(of: item.record, in: bytes, key: &key) != nil
        addEntry(item, in: bytes, isRemoved: isRemoved)
    }

    /// Merges a group's state of another store, whose notifications nothing can remove.
    ///
    /// - Parameter hash: the hash of the group's key.
    mutating func merge(_ state: GroupState, of other: GroupStore, hash: UInt64, isAlone: Bool) {
        let found =
            isAlone
            ? nil
            : groupIndex.find(hash) { index in
                store.hasKey(groups[index].state, of: state, in: other)
            }
        let count = UInt32(truncatingIfNeeded: other.notificationCount(of: state))
        guard let index = found else {
            let index = append(store.copy(state, of: other), hash: hash, isAlone: isAlone)
            self.count += 1
            groups[index].added = count
            return
        }
        if groups[index].isEmpty {
            show(index)
            replaceState(of: index, by: store.copy(state, of: other))
        } else {
            store.merge(state, of: other, into: &groups[index].state)
            if hasBase(index) {
                if groups[index].base == nil {
                    groups[index].base = store.copy(state, of: other)
                } else if var base = groups[index].base {
                    store.merge(state, of: other, into: &base)
                    groups[index].base = base
                }
            }
        }
        groups[index].added &+= count
        list(index)
    }

    /// Whether the notifications that nothing can remove are kept in a state of their own. Otherwise the group has no
    /// others, and its state is theirs.
    private func hasBase(_ index: Int) -> Bool { groups[index].first > 0 || groups[index].base != nil }

    /// Returns the index of a notification's group, which is created without being shown if there is none.
    private mutating func group(
        of record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64
    ) -> Int {
        let isAlone = record.grouping == .off
        if !isAlone,
            let found = groupIndex.find(hash, where: { store.matches(groups[$0].state, record, in: bytes) })
        {
            return found
        }
        let index = append(store.start(record, in: bytes), hash: hash, isAlone: isAlone)
        groups[index].isEmpty = true
        return index
    }

    private mutating func append(_ state: GroupState, hash: UInt64, isAlone: Bool) -> Int {
        let index = groups.count
        groups.append(Group(state: state, hash: hash, shown: state.leading.order, isAlone: isAlone))
        if !isAlone { groupIndex.insert(index, hash: hash) }
        let app = Int(store.appSymbol(of: state))
        while groupsOfApps.count <= app { groupsOfApps.append([]) }
        groupsOfApps[app].append(UInt32(index))
        list(index)
        return index
    }

    /// Adds a notification to the state of a group.
    private mutating func extend(_ index: Int, by record: NotificationRecord, in bytes: Span<UInt8>) {
        if groups[index].isEmpty {
            show(index)
            replaceState(of: index, by: store.start(record, in: bytes))
        } else if !groups[index].isStale {
            store.add(record, in: bytes, to: &groups[index].state)
        }
        groups[index].added &+= 1
        list(index)
    }

    private mutating func extendBase(of index: Int, by record: NotificationRecord, in bytes: Span<UInt8>) {
        guard var base = groups[index].base else {
            groups[index].base = store.start(record, in: bytes)
            return
        }
        store.add(record, in: bytes, to: &base)
        groups[index].base = base
    }

    private mutating func replaceState(of index: Int, by state: GroupState) {
        store.remove(groups[index].state)
        groups[index].state = state
        groups[index].isStale = false
    }

    private mutating func show(_ index: Int) {
        groups[index].isEmpty = false
        count += 1
    }

    /// Notes that a group may have changed.
    private mutating func list(_ index: Int) {
        guard !groups[index].isListed else { return }
        groups[index].isListed = true
        changed.append(UInt32(index))
    }

    /// Adds a notification that may be replaced or removed, unless a newer version of it is there.
    private mutating func addEntry(_ item: RoutedRecord, in bytes: Span<UInt8>, isRemoved: Bool) {
        var buffer: [UInt8] = []
        swap(&buffer, &compacted)
        defer { swap(&buffer, &compacted) }
        let record = compactor.compact(item.record, in: bytes, into: &buffer)
        let isReplaceable = item.record.isReplaceable
        if isReplaceable,
            let found = identities.find(
                item.identityHash,
                where: { texts.isSameNotification(entries[$0].texts, record, in: buffer.span) })
        {
            updated += 1
            guard entries[found].order < item.record.order else { return }
            let last = entries[found]
            if last.isLive { unlink(found) } else { removed -= 1 }
            texts.replace(&entries[found].texts, by: record, in: buffer.span)
            put(found, item, in: bytes, isRemoved: isRemoved)
            if isRemoved { showVanished(found) } else { hideVanished(last, of: found) }
            return
        }
        if isRemoved, !isReplaceable {
            removed += 1
            return
        }
        let index = entries.count
        entries.append(
            Entry(
                order: item.record.order, weight: item.record.weight, group: 0, period: 0,
                texts: texts.insert(record, in: buffer.span), isLive: false, isReplaceable: isReplaceable))
        if isReplaceable { identities.insert(index, hash: item.identityHash) }
        if options.appliesRemovals { linkScopes(index, item.record, in: bytes) }
        put(index, item, in: bytes, isRemoved: isRemoved)
    }

    /// Notes that a notification that is alone has been updated: its line is that of the update, not that it vanished.
    ///
    /// - Parameter last: the entry before the update.
    private mutating func hideVanished(_ last: Entry, of index: Int) {
        if last.period == period {
            entries[index].predecessor = last.predecessor
        } else {
            let group = Int(last.group)
            guard last.isLive, groups[group].isAlone else { return }
            groups[group].vanished = 0
            entries[index].predecessor = UInt32(group + 1)
        }
    }

    /// Notes that an update is not shown after all, so that the notification has vanished.
    private mutating func showVanished(_ index: Int) {
        guard entries[index].predecessor > 0, entries[index].period == period else { return }
        let group = Int(entries[index].predecessor) - 1
        entries[index].predecessor = 0
        groups[group].vanished = 1
        list(group)
    }

    /// Makes an entry that is not live a member of its group, unless it is removed.
    private mutating func put(_ index: Int, _ item: RoutedRecord, in bytes: Span<UInt8>, isRemoved: Bool) {
        entries[index].order = item.record.order
        entries[index].weight = item.record.weight
        if entries[index].period != period { entries[index].predecessor = 0 }
        guard !isRemoved else {
            removed += 1
            return
        }
        var record = item.record
        if !options.byDevice { record.device = .none }
        let group = group(of: record, in: bytes, hash: item.groupHash)
        if !hasBase(group), !groups[group].isEmpty {
            groups[group].base = store.duplicate(groups[group].state)
        }
        extend(group, by: record, in: bytes)
        entries[index].group = UInt32(group)
        entries[index].isLive = true
        entries[index].period = period
        entries[index].previous = 0
        entries[index].next = groups[group].first
        if groups[group].first > 0 { entries[Int(groups[group].first) - 1].previous = UInt32(index + 1) }
        groups[group].first = UInt32(index + 1)
    }

    /// Removes a live entry from its group.
    private mutating func unlink(_ index: Int) {
        let entry = entries[index]
        let group = Int(entry.group)
        if entry.next > 0 { entries[Int(entry.next) - 1].previous = entry.previous }
        if entry.previous > 0 {
            entries[Int(entry.previous) - 1].next = entry.next
        } else {
            groups[group].first = entry.next
        }
        entries[index].isLive = false
        if entry.period == period { groups[group].added &-= 1 } else { groups[group].vanished &+= 1 }
        list(group)
        if groups[group].first == 0, groups[group].base == nil {
            groups[group].isEmpty = true
            groups[group].isStale = false
            count -= 1
        } else {
            groups[group].isStale = true
        }
    }
}

// MARK: - Removing

extension LiveTable {
    /// Applies a removal to the notifications that are older, and keeps it for those that are added later.
    mutating func remove(_ removal: RemovalRecord, in bytes: Span<UInt8>) {
        removals.add(removal, in: bytes)
        switch removal.scope {
        case .identifier:
            let hash = Self.hash(bytes[removal.app], bytes[removal.text])
            let first = identifiers.find(hash) { hasIdentifier($0, removal, in: bytes) }
            removeChain(from: first, along: \.nextOfIdentifier, removal, in: bytes)
        case .app, .thread:
            guard removal.device.isEmpty else {
                let hash = Self.hash(bytes[removal.app], bytes[removal.device])
                let first = devices.find(hash) { isOfDevice($0, removal, in: bytes) }
                return removeChain(from: first, along: \.nextOfDevice, removal, in: bytes)
            }
            if removal.scope == .thread, !options.byDevice,
                options.rules.grouping(of: bytes[removal.app]) != .off
            {
                if let group = group(ofThread: removal, in: bytes) {
                    removeMembers(of: group, removal, in: bytes)
                }
                return
            }
            guard let app = store.apps.find(bytes[removal.app]), Int(app) < groupsOfApps.count else { return }
            for group in groupsOfApps[Int(app)] { removeMembers(of: Int(group), removal, in: bytes) }
        }
    }

    private mutating func removeMembers(of group: Int, _ removal: RemovalRecord, in bytes: Span<UInt8>) {
        if removal.scope == .thread,
            !store.thread(of: groups[group].state).isEqual(to: bytes[removal.text])
        {
            return
        }
        var next = groups[group].first
        while next > 0 {
            let index = Int(next) - 1
            next = entries[index].next
            if entries[index].order < removal.order { removeEntry(index) }
        }
    }

    /// Removes the older ones of the entries that follow each other, from the first one.
    private mutating func removeChain(
        from first: Int?, along next: WritableKeyPath<Entry, UInt32>, _ removal: RemovalRecord,
        in bytes: Span<UInt8>
    ) {
        guard var last = first else { return }
        var following = UInt32(last + 1)
        while following > 0 {
            let index = Int(following) - 1
            following = entries[index][keyPath: next]
            if entries[index].isLive, entries[index].order < removal.order,
                concerns(index, removal, in: bytes)
            {
                removeEntry(index)
            }
            // The first entry stays, since the index finds the others by it.
            if index == last { continue }
            if entries[index].isLive || entries[index].isReplaceable {
                last = index
            } else {
                entries[last][keyPath: next] = following
            }
        }
    }

    /// Returns the group of a removal's app and thread, if groups have no devices.
    private func group(ofThread removal: RemovalRecord, in bytes: Span<UInt8>) -> Int? {
        var record = NotificationRecord()
        (record.app, record.thread) = (removal.app, removal.text)
        let hash = Routing.groupHash(record, in: bytes)
        return groupIndex.find(hash) { store.matches(groups[$0].state, record, in: bytes) }
    }

    private mutating func removeEntry(_ index: Int) {
        unlink(index)
        showVanished(index)
        removed += 1
        if !entries[index].isReplaceable { vacantCount += 1 }
    }

    /// Whether a removal of an entry's identifier, or of its device and app, is also one of its device or its thread.
    private func concerns(_ index: Int, _ removal: RemovalRecord, in bytes: Span<UInt8>) -> Bool {
        if removal.scope == .app { return true }
        var buffer: [UInt8] = []
        let record = record(at: index, into: &buffer)
        let own = buffer.span
        if removal.scope == .thread { return own[record.thread].isEqual(to: bytes[removal.text]) }
        // Of the entries of an identifier, some have it as their collapse identifier.
        return own[record.removalIdentifier].isEqual(to: bytes[removal.text])
            && (removal.device.isEmpty || own[record.device].isEqual(to: bytes[removal.device]))
    }

    private func hasIdentifier(_ index: Int, _ removal: RemovalRecord, in bytes: Span<UInt8>) -> Bool {
        var buffer: [UInt8] = []
        let record = record(at: index, into: &buffer)
        let own = buffer.span
        return own[record.removalIdentifier].isEqual(to: bytes[removal.text])
            && own[record.app].isEqual(to: bytes[removal.app])
    }

    private func isOfDevice(_ index: Int, _ removal: RemovalRecord, in bytes: Span<UInt8>) -> Bool {
        var buffer: [UInt8] = []
        let record = record(at: index, into: &buffer)
        let own = buffer.span
        return own[record.device].isEqual(to: bytes[removal.device])
            && own[record.app].isEqual(to: bytes[removal.app])
    }

    /// Adds a new entry to those of its identifier, and to those of its device and app.
    private mutating func linkScopes(_ index: Int, _ record: NotificationRecord, in bytes: Span<UInt8>) {
        var scope = RemovalRecord()
        (scope.app, scope.device, scope.text) = (record.app, record.device, record.removalIdentifier)
        if !record.removalIdentifier.isEmpty {
            let hash = Self.hash(bytes[record.app], bytes[record.removalIdentifier])
            if let first = identifiers.find(hash, where: { hasIdentifier($0, scope, in: bytes) }) {
                entries[index].nextOfIdentifier = entries[first].nextOfIdentifier
                entries[first].nextOfIdentifier = UInt32(index + 1)
            } else {
                identifiers.insert(index, hash: hash)
            }
        }
        guard !record.device.isEmpty else { return }
        let hash = Self.hash(bytes[record.app], bytes[record.device])
        if let first = devices.find(hash, where: { isOfDevice($0, scope, in: bytes) }) {
            entries[index].nextOfDevice = entries[first].nextOfDevice
            entries[first].nextOfDevice = UInt32(index + 1)
        } else {
            devices.insert(index, hash: hash)
        }
    }

    private static func hash(_ app: Span<UInt8>, _ text: Span<UInt8>) -> UInt64 {
        text.hash(seed: app.hash(seed: 5))
    }

    /// Returns the notification of an entry, and writes its texts to the start of `buffer`, which may be longer.
    private func record(at index: Int, into buffer: inout [UInt8]) -> NotificationRecord {
        let entry = entries[index]
        var record = compactor.expand(
            texts.record(of: entry.texts), in: texts.bytes(of: entry.texts), into: &buffer)
        record.order = entry.order
        record.weight = entry.weight
        return record
    }
}

// MARK: - Reading

extension LiveTable {
    /// Returns the groups that have changed since the last call: those whose notifications are not the same.
    mutating func takeChanges() -> [Int] {
        var indices: [Int] = []
        for index in changed.map(Int.init) {
            groups[index].isListed = false
            if groups[index].added > 0 || groups[index].vanished > 0 { indices.append(index) }
            (groups[index].added, groups[index].vanished) = (0, 0)
        }
        changed.removeAll(keepingCapacity: true)
        period += 1
        return indices
    }

    /// Makes a group's state again if a member has vanished. O(the number of its members) then.
    mutating func refresh(_ index: Int) {
        guard groups[index].isStale else { return }
        if groups[index].first == 0, let base = groups[index].base {
            groups[index].base = nil
            return replaceState(of: index, by: base)
        }
        var buffer: [UInt8] = []
        swap(&buffer, &expanded)
        defer { swap(&buffer, &expanded) }
        var state = groups[index].base.map { store.duplicate($0) }
        var next = groups[index].first
        while next > 0 {
            var record = record(at: Int(next) - 1, into: &buffer)
            if !options.byDevice { record.device = .none }
            if var known = state {
                store.add(record, in: buffer.span, to: &known)
                state = known
            } else {
                state = store.start(record, in: buffer.span)
            }
            next = entries[Int(next) - 1].next
        }
        guard let state else { preconditionFailure("a group without notifications is empty, not stale") }
        replaceState(of: index, by: state)
    }

    /// Notes that a group's state is shown.
    mutating func noteShown(_ index: Int) { groups[index].shown = groups[index].state.leading.order }

    /// Returns groups in the order of a snapshot. One that has been emptied has the place of its
    /// last notifications.
    func sorted(_ indices: [Int], _ order: GroupOrder) -> [Int] {
        // Local copies, because the closure would copy the table for each comparison.
        let (groups, store) = (groups, store)
        guard order.order == .recent else {
            return indices.sorted {
                order.precedes(groups[$0].state, of: store, groups[$1].state, of: store)
            }
        }
        return indices.sorted { groups[$1].newest < groups[$0].newest }
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

    /// Drops entries and groups that are no longer needed. Must be called right after `takeChanges`. O(n).
    mutating func compact() {
        var table = LiveTable(options)
        var buffer: [UInt8] = []
        for index in groups.indices where !groups[index].isEmpty {
            if groups[index].first == 0 {
                table.merge(
                    groups[index].state, of: store, hash: groups[index].hash, isAlone: groups[index].isAlone)
            } else if let base = groups[index].base {
                table.merge(base, of: store, hash: groups[index].hash, isAlone: groups[index].isAlone)
            }
        }
        for index in 0..<entries.count where entries[index].isLive || entries[index].isReplaceable {
            let record = record(at: index, into: &buffer)
            let bytes = buffer.span
            var grouped = record
            if !options.byDevice { grouped.device = .none }
            let item = RoutedRecord(
                record: record, groupHash: Routing.groupHash(grouped, in: bytes),
                identityHash: Routing.identityHash(record, in: bytes))
            table.addEntry(item, in: bytes, isRemoved: !entries[index].isLive)
        }
        _ = table.takeChanges()
        table.removals = removals
        (table.updated, table.removed) = (updated, removed)
        self = table
    }
}

extension GroupStore {
    /// Whether two states of different stores have the same key.
    fileprivate func hasKey(_ state: GroupState, of other: GroupState, in otherStore: GroupStore) -> Bool {
        thread(of: state).isEqual(to: otherStore.thread(of: other))
            && app(of: state).isEqual(to: otherStore.app(of: other))
            && device(of: state).isEqual(to: otherStore.device(of: other))
    }
}
