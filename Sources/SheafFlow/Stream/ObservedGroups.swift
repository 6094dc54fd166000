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

    init(_ options: ReplayOptions, maximumAhead: Int64?) {
        limit = maximumAhead.map {
            SourceTime.Limit(milliseconds: $0, present: options.clock.present)
        }
        self.options = options.state
        order = GroupOrder(order: options.order, byDevice: options.byDevice)
        table = ScreenTable(self.options)
        renderer = GroupRenderer(options.style, names: SourceNames([]), shards: 1)
    }

    /// The number of records that were ahead.
    var ahead: UInt64 { bounds.ahead }

    /// Adds the records of a work unit.
    mutating func add(_ unit: WorkUnit) {
        let chunk = unit.chunk
        unit.forEachInOrder { record in
            if let limit { addTime(of: record, unit.source, limit) }
            switch record {
            case .notification(let item):
                let isShown = table.add(item, in: chunk.bytes)
                if isShown, !observers.isEmpty { yieldArrival(of: item, in: chunk.bytes) }
            case .event(let event): table.apply(event, in: chunk.bytes)
            }
        }
        table.clearChanges()
        if table.isSparse { compact(dropsRemoved: false) }
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
        if table.heldBytes >= limit, table.hasRemovals { compact(dropsRemoved: true) }
        return table.heldBytes < limit
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
