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
struct ScreenTable {
    let options: StateOptions
    var store: GroupStore
    /// The states of blocks of members.
    var blockStore: GroupStore
    var blockCount = 0
    var groups: [Group] = []
    private(set) var groupIndex = HashIndex()
    /// The groups of each app, by the app's symbol.
    private(set) var groupsOfApps: [[UInt32]] = []
    /// The first group of each device; empty if groups have no devices.
    private(set) var groupsOfDevices = HashIndex()
    var entries = ScreenEntries()
    var judge: Judge
    /// The pushes that a later record may decide.
    var pushes = PushHistory()
    /// What entries are found by, besides their identity.
    let chains: [ScreenEntries.Chain]
    /// The newest notification that was added, and the changes of settings since the last review that are older than
    /// it.
    var newestAdded: OrderKey?
    var lateChanges: [LateChange] = []
    /// The numbers of versions that were replaced, and of newest versions that are not on screen. Modulo 2⁶⁴: a decision may
    /// take back what was counted before the last checkpoint.
    var updated: UInt64 = 0
    var hidden = VerdictCounts()
    /// The number of groups on screen.
    var count = 0
    /// The number of entries that are not needed, and of those that were removed since the last call of `compact`.
    var vacantCount = 0
    var removedCount = 0
    /// The groups that may have changed since the last call of `takeChanges`.
    var changed: [UInt32] = []
    /// The entries that removals removed, and how many notifications each had; nil if nothing needs them.
    var removed: [(entry: Int, count: UInt64)]?
    /// The number of calls of `takeChanges`.
    var period: UInt32 = 1
    /// The buffer for the texts of members. `refresh` takes it out while it runs.
    var expanded: [UInt8] = []

    struct Group {
        /// What is on screen, or was before the group was emptied: then only its key counts.
        fileprivate(set) var state: GroupState
        /// The notifications that nothing can remove, if the group has or had members; nil if there are none.
        var base: GroupState?
        fileprivate(set) var hash: UInt64
        /// The first member, plus one; 0 if there is none, or if the members are in several blocks.
        var first: UInt32 = 0
        /// The members of a group that has or had many; else empty.
        var blocks: [MemberBlock] = []
        var memberCount = 0
        /// The numbers of notifications that were added and are still there, and of those that vanished, since the last
        /// call of `takeChanges`.
        var added: UInt32 = 0
        var vanished: UInt32 = 0
        /// Whether the state must be made again from the base and the members.
        var isStale = false
        var isListed = false
        /// The leading notification that was shown last.
        var shown: OrderKey
        var isEmpty = false
        let isAlone: Bool
        /// The next group of the same device, plus one.
        fileprivate(set) var nextOfDevice: UInt32 = 0

        /// The leading notification: for an emptied group, the one that was shown last.
        fileprivate var newest: OrderKey { isEmpty ? shown : state.leading.order }
    }

    init(_ options: StateOptions) {
        self.options = options
        chains = options.tracksAll ? [.identifier, .device] : options.hasWaiting ? [.identifier] : []
        store = GroupStore(maximumArguments: options.maximumArguments)
        blockStore = store
        judge = Judge(options.delivery, nil)
    }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        store.heldBytes + groups.capacity * MemoryLayout<Group>.stride + groupIndex.heldBytes
            + blockStore.heldBytes + blockCount * 2 * MemoryLayout<MemberBlock>.stride
            + groupsOfDevices.heldBytes + entries.heldBytes + judge.events.heldBytes + pushes.heldBytes
    }
}

// MARK: - Adding

extension ScreenTable {
    /// Adds a notification.
    ///
    /// - Returns: whether it is on screen: it is neither outdated, suppressed nor removed.
    @discardableResult
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>) -> Bool {
        guard isTracked(item.record) else {
            let group = group(of: item.record, in: bytes, hash: item.groupHash)
            extend(group, by: item.record, in: bytes)
            if hasBase(group) { extendBase(of: group, by: item.record, in: bytes) }
            return true
        }
        if options.delivery != nil { newestAdded = max(newestAdded ?? item.record.order, item.record.order) }
        if options.mayBeDecided(item.record) { return addDecided(item, in: bytes) }
        hidden.count(arrival: arrival(of: item.record, in: bytes))
        return addEntry(item, in: bytes)
    }

    /// Returns how a push arrives with the settings that are known now; nil if it does not appear.
    func arrival(of record: NotificationRecord, in bytes: Span<UInt8>) -> DeliveryEffect? {
        guard options.delivery != nil else { return nil }
        var key: [UInt8] = []
        return judge.arrival(of: record, in: bytes, key: &key)
    }

    /// Applies an event to the notifications that it is for, and keeps it for those that are added later.
    mutating func apply(_ event: ScreenEvent, in bytes: Span<UInt8>) {
        switch event {
        case .removal(let removal): remove(removal, in: bytes)
        case .settings(let change): self.change(change, in: bytes)
        case .badge(let badge): judge.add(badge, in: bytes, keeping: Limits.liveBadges)
        case .result(let result): replaceContent(by: result, in: bytes)
        case .outcome(let outcome): decide(by: outcome, in: bytes)
        case .nothing: break
        }
    }

    /// Whether a notification is an entry, because a later record may replace, remove or decide it.
    func isTracked(_ record: NotificationRecord) -> Bool {
        options.tracksAll || record.isReplaceable || options.mayBeDecided(record)
    }

    /// Returns the presence of a notification with its newest content, unless it is replaced.
    func presence(of record: NotificationRecord, in bytes: Span<UInt8>) -> Presence {
        var key: [UInt8] = []
        return judge.presence(of: record, in: bytes, key: &key)
    }

    /// Merges a group's state of another store, whose notifications nothing can remove.
    ///
    /// - Parameter hash: the hash of the group's key.
    /// - Returns: the group's index.
    @discardableResult
    mutating func merge(_ state: GroupState, of other: GroupStore, hash: UInt64, isAlone: Bool) -> Int {
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
            return index
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
        return index
    }

    /// Whether the notifications that nothing can remove are kept in a state of their own. Otherwise the group has no
    /// others, and its state is theirs.
    private func hasBase(_ index: Int) -> Bool { groups[index].memberCount > 0 || groups[index].base != nil }

    /// Returns the index of a notification's group, which is created without being shown if there is none.
    mutating func group(
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
        if options.byDevice { linkDevice(of: index) }
        list(index)
        return index
    }

    /// Adds a new group to those of its device.
    private mutating func linkDevice(of index: Int) {
        let state = groups[index].state
        if let first = firstGroup(ofDevice: store.device(of: state)) {
            groups[index].nextOfDevice = groups[first].nextOfDevice
            groups[first].nextOfDevice = UInt32(index + 1)
        } else {
            groupsOfDevices.insert(index, hash: store.device(of: state).hash(seed: 0))
        }
    }

    /// Adds a notification to the state of a group.
    ///
    /// - Parameter others: notifications that are added, too; nil for none.
    private mutating func extend(
        _ index: Int, by record: NotificationRecord, in bytes: Span<UInt8>,
        with others: EqualNotifications? = nil
    ) {
        if groups[index].isEmpty {
            show(index)
            replaceState(of: index, by: store.start(record, in: bytes))
        } else if !groups[index].isStale {
            store.add(record, in: bytes, to: &groups[index].state)
        }
        groups[index].added &+= 1
        if let others {
            if !groups[index].isStale {
                store.add(others, to: record, in: bytes, to: &groups[index].state)
            }
            groups[index].added &+= UInt32(truncatingIfNeeded: others.count)
        }
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

    mutating func replaceState(of index: Int, by state: GroupState) {
        store.remove(groups[index].state)
        groups[index].state = state
        groups[index].isStale = false
    }

    private mutating func show(_ index: Int) {
        groups[index].isEmpty = false
        count += 1
    }

    /// Records that a group may have changed.
    mutating func list(_ index: Int) {
        guard !groups[index].isListed else { return }
        groups[index].isListed = true
        changed.append(UInt32(index))
    }

    /// Adds a notification that may be replaced or removed, unless a newer version of it is there.
    ///
    /// - Parameters:
    ///   - presence: its presence, if that is known.
    ///   - siblings: the order keys of its siblings, ascending.
    /// - Returns: whether it is on screen.
    @discardableResult
    mutating func addEntry(
        _ item: RoutedRecord, in bytes: Span<UInt8>, _ presence: Presence? = nil,
        siblings: [OrderKey] = []
    ) -> Bool {
        var buffer: [UInt8] = []
        if let shown = replaced(item, in: bytes, into: &buffer) {
            return addEntry(item, in: bytes, shown: shown, in: buffer.span, presence, siblings)
        }
        return addEntry(item, in: bytes, shown: item, in: bytes, presence, siblings)
    }

    /// - Parameter shown: the notification with its newest content.
    private mutating func addEntry(
        _ item: RoutedRecord, in bytes: Span<UInt8>, shown: RoutedRecord, in shownBytes: Span<UInt8>,
        _ known: Presence?, _ siblings: [OrderKey]
    ) -> Bool {
        let presence = known ?? presence(of: shown.record, in: shownBytes)
        if presence == .removed, !item.record.isReplaceable {
            hidden.removed &+= 1
            return false
        }
        switch entries.add(
            item, in: bytes, chains: chains, tracksPushes: options.delivery != nil)
        {
        case .outdated:
            updated &+= 1
            return false
        case .update(let index):
            if entries[index].presence != .refused { updated &+= 1 }
            replace(index, by: shown, in: shownBytes, presence)
        case .new(let index):
            entries.setSiblings(of: index, siblings)
            put(index, shown, in: shownBytes, presence)
        }
        return presence.isShown
    }

    /// Replaces the version of an entry, its content, or its presence.
    ///
    /// - Parameter item: the notification with its newest content.
    mutating func replace(
        _ index: Int, by item: RoutedRecord, in bytes: Span<UInt8>, _ presence: Presence
    ) {
        let last = entries[index]
        withdraw(index)
        put(index, item, in: bytes, presence)
        if presence == .removed { countRemoved(index) }
        if presence.isShown { recordUpdate(last, of: index) } else { recordVanishing(index) }
    }

    /// Removes an entry from where its presence has put it.
    mutating func withdraw(_ index: Int) {
        let count = UInt64(entries.count(of: index))
        switch entries[index].presence {
        case .shown: unlink(index)
        case .suppressed: hidden.suppressed &-= count
        case .quiet: hidden.quiet &-= count
        case .cleared, .removed: hidden.removed &-= count
        case .refused: break
        }
    }

    /// Records that a notification that is alone has been updated: its line is that of the update, not that it
    /// vanished, unless a person had it join a group.
    ///
    /// - Parameter last: the entry before the update.
    private mutating func recordUpdate(_ last: ScreenEntry, of index: Int) {
        if last.period == period {
            entries[index].predecessor = last.predecessor
        } else {
            let group = Int(last.group)
            guard last.isShown, groups[group].isAlone else { return }
            entries[index].predecessor = UInt32(group + 1)
        }
        guard entries[index].predecessor > 0 else { return }
        let group = Int(entries[index].predecessor) - 1
        groups[group].vanished = groups[Int(entries[index].group)].isAlone ? 0 : 1
    }

    /// Records that an update is not shown after all, so that the notification has vanished.
    mutating func recordVanishing(_ index: Int) {
        guard entries[index].predecessor > 0, entries[index].period == period else { return }
        let group = Int(entries[index].predecessor) - 1
        entries[index].predecessor = 0
        groups[group].vanished = 1
        list(group)
    }

    /// Makes an entry that is not live a member of its group, if it is shown.
    mutating func put(
        _ index: Int, _ item: RoutedRecord, in bytes: Span<UInt8>, _ presence: Presence
    ) {
        entries[index].presence = presence
        if entries[index].period != period { entries[index].predecessor = 0 }
        var record = item.record
        switch presence {
        case .shown(let effect): record.apply(effect)
        case .suppressed: return hidden.suppressed &+= UInt64(entries.count(of: index))
        case .quiet: return hidden.quiet &+= UInt64(entries.count(of: index))
        case .cleared, .removed: return hidden.removed &+= UInt64(entries.count(of: index))
        case .refused: return
        }
        if !options.byDevice { record.device = .none }
        let isRegrouped = record.grouping != item.record.grouping
        let hash = isRegrouped ? Routing.groupHash(record, in: bytes) : item.groupHash
        let group = group(of: record, in: bytes, hash: hash)
        if !hasBase(group), !groups[group].isEmpty {
            groups[group].base = store.duplicate(groups[group].state)
        }
        extend(group, by: record, in: bytes, with: entries.others(of: index))
        entries[index].period = period
        link(index, to: group)
    }
}

// MARK: - Reading

extension ScreenTable {
    /// Returns the groups that have changed since the last call: those whose notifications are not the same.
    mutating func takeChanges() -> [Int] {
        reviewSettings()
        var indices: [Int] = []
        for index in changed.map(Int.init) {
            if groups[index].added > 0 || groups[index].vanished > 0 { indices.append(index) }
            (groups[index].added, groups[index].vanished) = (0, 0)
        }
        clearChanges()
        period &+= 1
        return indices
    }

    /// Clears the list of groups that have changed.
    mutating func clearChanges() {
        for index in changed.map(Int.init) { groups[index].isListed = false }
        changed.removeAll(keepingCapacity: true)
    }

    /// Records that a group's state is shown.
    mutating func recordShown(_ index: Int) { groups[index].shown = groups[index].state.leading.order }

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
        return indices.sorted { a, b in
            // A notification may have left the group that it was leading for another one.
            guard groups[a].newest == groups[b].newest else { return groups[b].newest < groups[a].newest }
            return !groups[a].isEmpty && groups[b].isEmpty
        }
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
