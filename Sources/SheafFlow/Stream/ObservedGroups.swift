import SheafBytes
import SheafGroups

/// The groups on screen and those who observe them. `LiveGroups` guards it with a lock.
struct ObservedGroups {
    private(set) var table: ScreenTable
    var renderer: GroupRenderer
    private let options: StateOptions
    private let order: GroupOrder
    /// What tells that a timestamp is ahead; nil if none is counted.
    private let limit: SourceTime.Limit?
    /// The times of the sources, and what was ahead, if that is counted.
    private var sources: [Int: SourceTime] = [:]
    private var bounds = SnapshotBounds()
    /// The observers by the hash of their group's key.
    private var observers: [UInt64: [Observer]] = [:]
    private var nextObserver: UInt64 = 0
    /// What has happened to people; nil unless they are measured.
    private(set) var people: PersonCounts?
    /// How a push arrives whose settings are not tracked.
    private let rules: DeliveryRules

    /// A group's key, with the fields that its grouping uses.
    struct Key {
        fileprivate let record: NotificationRecord
        fileprivate let bytes: [UInt8]
        let hash: UInt64
    }

    private struct Observer {
        let number: UInt64
        let key: Key
        let continuation: AsyncStream<GroupArrival>.Continuation
        var count: UInt64 = 0

        mutating func yield(_ notification: ShownNotification) {
            continuation.yield(GroupArrival(number: count, notification: notification))
            count += 1
        }
    }

    /// - Parameter measures: whether people are measured. The records then have what notifications ask for.
    init(_ options: ReplayOptions, maximumAhead: Int64?, measures: Bool = false) {
        rules = DeliveryRules(options.settings, profile: options.profile)
        limit = maximumAhead.map {
            SourceTime.Limit(milliseconds: $0, present: options.clock.present)
        }
        self.options = options.state
        order = GroupOrder(order: options.order, byDevice: options.byDevice)
        table = ScreenTable(self.options)
        renderer = GroupRenderer(options.style, names: SourceNames([]), shards: 1)
        if measures { (people, table.removed) = (PersonCounts(), []) }
    }

    /// The memory in use, in bytes.
    var heldBytes: Int { table.heldBytes + (people?.heldBytes ?? 0) }

    /// The number of records that were ahead.
    var ahead: UInt64 { bounds.ahead }

    /// Adds the records of a work unit.
    mutating func add(_ unit: WorkUnit) {
        let chunk = unit.chunk
        unit.forEachInOrder { record in
            if let limit { addTime(of: record, unit.source, limit) }
            switch record {
            case .notification(let item):
                if let occurrence = item.record.traits.occurrence {
                    people?.add(occurrence.measure, of: item.record, in: chunk.bytes)
                    return
                }
                let isShown =
                    people == nil ? table.add(item, in: chunk.bytes) : addMeasured(item, in: chunk.bytes)
                if isShown, !observers.isEmpty { yieldArrival(of: item, in: chunk.bytes) }
            case .event(let event):
                table.apply(event, in: chunk.bytes)
                countRemovals()
            }
        }
        table.clearChanges()
        if table.isSparse { compact(dropsRemoved: false) }
    }

    /// Adds a notification, and counts what it is to its person.
    private mutating func addMeasured(_ item: RoutedRecord, in bytes: Span<UInt8>) -> Bool {
        let record = item.record
        people?.add(.pushes, of: record, in: bytes)
        let arrival =
            options.delivery == nil
            ? rules.effect(on: record, in: bytes, after: UserSettings())
            : table.arrival(of: record, in: bytes)
        if arrival == nil { people?.add(.suppressed, of: record, in: bytes) }
        if arrival?.showsBanner == true { people?.add(.banners, of: record, in: bytes) }
        if arrival?.playsSound == true { people?.add(.sounds, of: record, in: bytes) }
        let (updated, removed) = (table.updated, table.hidden.removed)
        let isShown = table.add(item, in: bytes)
        people?.add(.updates, table.updated &- updated, of: record, in: bytes)
        // It came later than its removal.
        if table.hidden.removed > removed {
            people?.add(.removed, table.hidden.removed - removed, of: record, in: bytes)
        }
        return isShown
    }

    /// Counts the notifications that a removal has removed.
    private mutating func countRemovals() {
        guard let removed = table.removed, !removed.isEmpty else { return }
        var buffer: [UInt8] = []
        for (entry, count) in removed {
            let record = table.entries.record(at: entry, into: &buffer)
            people?.add(.removed, count, of: record, in: buffer.span)
        }
        table.removed = []
    }

    private mutating func addTime(of record: WorkUnit.Item, _ source: Int, _ limit: SourceTime.Limit) {
        switch record {
        case .event(.settings), .event(.badge): return
        case .notification, .event: break
        }
        guard record.order.timestamp != 0 else { return }
        _ = sources[source, default: SourceTime()].add(record.order, limit, &bounds)
    }

    private mutating func compact(dropsRemoved: Bool) {
        table.compact(dropsRemoved: dropsRemoved)
        renderer.clearCaches(ofShard: 0)
    }

    /// Returns whether the groups take less than `limit` bytes. If they do not, what was removed is dropped first.
    mutating func hasRoom(in limit: Int) -> Bool {
        if heldBytes >= limit, table.hasRemovals { compact(dropsRemoved: true) }
        return heldBytes < limit
    }

    /// Applies settings that came later than the notifications that they concern.
    mutating func review() { table.reviewSettings() }
}

// MARK: - Groups

extension ObservedGroups {
    /// Returns a group's key.
    func key(app: String, thread: String?, device: String?) -> Key {
        var bytes: [UInt8] = []
        func append(_ text: String) -> TextRange { bytes.appendText(Array(text.utf8).span) }
        var record = NotificationRecord()
        record.app = append(app)
        record.grouping = options.rules.grouping(of: bytes.span[record.app])
        if record.grouping != .byApp, let thread { record.thread = append(thread) }
        if options.byDevice, let device { record.device = append(device) }
        return Key(record: record, bytes: bytes, hash: Routing.keyHash(record, in: bytes.span))
    }

    /// Returns the index of the group on screen with a key.
    func group(_ key: Key) -> Int? {
        guard key.record.grouping == .off || table.judge.changesGroupings else {
            return table.shownGroup(of: key.record, in: key.bytes.span, hash: key.hash)
        }
        let store = table.store
        return table.shownGroups(ofApp: key.bytes.span[key.record.app])
            .filter { store.matches(table.groups[$0].state, key.record, in: key.bytes.span) }
            .max { table.groups[$0].state.leading.order < table.groups[$1].state.leading.order }
    }

    /// Returns the notifications of a group, the newest first; nil if some were not kept one by one.
    mutating func notifications(of group: GroupSnapshot) -> [ShownNotification]? {
        let key = key(app: group.app, thread: group.thread, device: group.device)
        guard let index = index(of: group, key) else { return [] }
        guard table.groups[index].base == nil, table.groups[index].memberCount > 0 else {
            return group.count == 1 ? [snapshot(index).leading] : nil
        }
        var found: [(order: OrderKey, notification: ShownNotification)] = []
        var buffer: [UInt8] = []
        for entry in table.members(of: index) {
            var record = table.shownRecord(at: entry, into: &buffer)
            if case .shown(let effect) = table.entries[entry].presence { record.apply(effect) }
            for order in table.entries.orders(of: entry) {
                record.order = order
                found.append((order, renderer.notification(record, in: buffer.span)))
            }
        }
        return found.sorted { $1.order < $0.order }.map(\.notification)
    }

    /// Returns the index of a group on screen; nil if it is no longer there.
    private func index(of group: GroupSnapshot, _ key: Key) -> Int? {
        let store = table.store
        let candidates = table.shownGroups(ofApp: key.bytes.span[key.record.app])
        return candidates.first { index in
            let state = table.groups[index].state
            guard store.matches(state, key.record, in: key.bytes.span) else { return false }
            guard state.isAlone else { return true }
            let leading = state.leading.order
            return leading.line == group.leading.line && leading.timestamp == group.leading.timestamp
                && renderer.names.path(leading.source).elementsEqual(group.leading.source.utf8)
        }
    }

    mutating func snapshot(_ index: Int) -> GroupSnapshot {
        table.refresh(index)
        return renderer.snapshot(table.groups[index].state, of: table.store, shard: 0)
    }

    /// Returns groups in the order of a snapshot.
    mutating func snapshots(_ indices: [Int]) -> [GroupSnapshot] {
        for index in indices { table.refresh(index) }
        return table.sorted(indices, order).map { snapshot($0) }
    }
}

// MARK: - Measures

extension ObservedGroups {
    /// Returns the measures of a person, all apps together first; none of a device without records.
    ///
    /// - Parameter fold: the number of groups at the top of the screen whose notifications are not buried.
    mutating func measures(ofDevice device: [UInt8], fold: Int) -> [PersonMeasures] {
        let events = people?.events(ofDevice: device.span) ?? []
        var screen = PersonScreen(fold: fold)
        var cells: [[UInt8]: Int] = [:]
        for index in table.shownGroups(ofDevice: device.span) {
            table.refresh(index)
            let state = table.groups[index].state
            let app = Array(copying: table.store.app(of: state))
            let cell = cells[app] ?? screen.addCell()
            cells[app] = cell
            screen.add(
                table.store.notificationCount(of: state), of: screen.addGroup(), in: cell,
                during: 0..<Int64.max,
                newest: state.leading.order)
        }
        var values: [Int: PersonScreen.Values] = [:]
        for step in screen.steps() { values[step.cell] = step.values }
        var counts = Dictionary(uniqueKeysWithValues: events.map { ($0.app, $0.counts) })
        let none = [UInt64](repeating: 0, count: Measure.firstOfScreen)
        for app in cells.keys where counts[app] == nil { counts[app] = none }
        guard !counts.isEmpty else { return [] }
        let name = String(decoding: device, as: UTF8.self)
        let all = counts.values.reduce(none) { zip($0, $1).map { $0 + $1 } }
        let apps = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return [
            PersonMeasures(device: name, app: nil, events: all, screen: values[0] ?? PersonScreen.Values())
        ]
            + apps.map { app, counts in
                PersonMeasures(
                    device: name, app: String(decoding: app, as: UTF8.self), events: counts,
                    screen: cells[app].flatMap { values[$0] } ?? PersonScreen.Values())
            }
    }
}

// MARK: - Observers

extension ObservedGroups {
    /// Adds an observer of a group, and passes on its leading notification.
    ///
    /// - Returns: the observer's number.
    mutating func observe(_ key: Key, _ continuation: AsyncStream<GroupArrival>.Continuation) -> UInt64 {
        var observer = Observer(number: nextObserver, key: key, continuation: continuation)
        if let group = group(key) { observer.yield(snapshot(group).leading) }
        observers[key.hash, default: []].append(observer)
        nextObserver += 1
        return observer.number
    }

    var observerCount: Int { observers.values.reduce(0) { $0 + $1.count } }

    /// - Parameter hash: that of the observed group's key.
    mutating func endObserver(_ number: UInt64, hash: UInt64) {
        observers[hash]?.removeAll { $0.number == number }
        if observers[hash]?.isEmpty == true { observers[hash] = nil }
    }

    /// Removes all observers, and returns their streams.
    mutating func takeObservers() -> [AsyncStream<GroupArrival>.Continuation] {
        defer { observers = [:] }
        return observers.values.flatMap { $0.map(\.continuation) }
    }

    /// Passes a notification on to the observers of its group, with its newest content.
    private mutating func yieldArrival(of item: RoutedRecord, in bytes: Span<UInt8>) {
        var texts: [UInt8] = []
        if let shown = table.replaced(item, in: bytes, into: &texts) {
            yield(grouped(shown, in: texts.span), in: texts.span)
        } else {
            yield(grouped(item, in: bytes), in: bytes)
        }
    }

    /// Returns a notification as it is grouped on screen.
    private func grouped(_ item: RoutedRecord, in bytes: Span<UInt8>) -> RoutedRecord {
        guard options.delivery != nil, case .shown(let effect) = table.presence(of: item.record, in: bytes)
        else {
            return item
        }
        var record = item.record
        record.apply(effect)
        return RoutedRecord(record, byDevice: options.byDevice, in: bytes)
    }

    /// Passes a notification on to the observers of its group.
    private mutating func yield(_ item: RoutedRecord, in bytes: Span<UInt8>) {
        let hash = Routing.keyHash(of: item)
        guard let count = observers[hash]?.count else { return }
        var notification: ShownNotification?
        for index in 0..<count {
            guard let key = observers[hash]?[index].key,
                key.matches(item.record, in: bytes, byDevice: options.byDevice)
            else { continue }
            let shown = notification ?? renderer.notification(item.record, in: bytes)
            observers[hash]?[index].yield(shown)
            notification = shown
        }
    }
}

extension ObservedGroups.Key {
    fileprivate func matches(
        _ other: NotificationRecord, in otherBytes: Span<UInt8>, byDevice: Bool
    ) -> Bool {
        let own = bytes.span
        return own[record.app].isEqual(to: otherBytes[other.app])
            && own[record.thread].isEqual(to: otherBytes[other.thread])
            && (!byDevice || own[record.device].isEqual(to: otherBytes[other.device]))
    }
}
