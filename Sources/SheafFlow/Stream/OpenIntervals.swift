import HeapModule
import SheafBytes
import SheafGroups

/// The records of the intervals whose snapshots are not due yet.
///
///     notification that nothing can remove ──▶ state of its group and interval, in one table for all intervals
///     any other record ───────────────────────▶ list of its interval
///
/// Memory: the states, the records with their texts, and about 100 bytes for each interval. The states of intervals
/// that were taken are dropped when they are most of all.
struct OpenIntervals {
    private let timeline: Timeline
    private var groups: GroupTable
    private var intervals: [Int64: Interval] = [:]
    /// The numbers of all intervals but that of records without a time.
    private var numbers = Heap<Int64>()
    /// The memory of the intervals' lists, in bytes, and the number of their states.
    private var listBytes = 0
    private var stateCount = 0

    /// The number of states below which those of intervals that were taken are not worth dropping.
    private static let fewStates = 1024

    init(_ timeline: Timeline, maximumArguments: Int) {
        self.timeline = timeline
        groups = GroupTable(maximumArguments: maximumArguments, timeline: timeline)
    }

    var isEmpty: Bool { intervals.isEmpty }

    /// The first interval with records, except for that of records without a time; nil if there is none.
    var first: Int64? { numbers.min }

    /// The memory in use, in bytes. O(1).
    var heldBytes: Int {
        // Dictionaries have room for a third more than their capacity, and exist twice while they grow.
        groups.heldBytes + listBytes + numbers.count * 2 * MemoryLayout<Int64>.stride
            + intervals.capacity * 2 * (MemoryLayout<Int64>.stride + MemoryLayout<Interval>.stride)
    }
}

// MARK: - Adding

extension OpenIntervals {
    /// Adds a notification.
    ///
    /// - Parameter isTracked: whether the notification may be replaced or removed.
    mutating func add(_ item: RoutedRecord, in bytes: Span<UInt8>, to number: Int64, isTracked: Bool) {
        guard isTracked else {
            return addState(of: number, item.groupHash, isAlone: item.record.grouping == .off) { groups in
                groups.add(item.record, in: bytes, hash: item.groupHash)
            }
        }
        change(number) { interval in
            var item = item
            item.record.moveTexts { interval.texts.appendText(bytes[$0]) }
            interval.tracked.append(item)
        }
    }

    mutating func add(_ event: ScreenEvent, in bytes: Span<UInt8>, to number: Int64) {
        change(number) { interval in
            var event = event
            event.moveTexts { interval.texts.appendText(bytes[$0]) }
            interval.events.append(event)
        }
    }

    /// Adds the state of a group's notifications.
    mutating func add(_ group: EncodedGroup, in bytes: Span<UInt8>, to number: Int64) {
        let hash = Routing.groupHash(group.leading, in: bytes)
        addState(of: number, hash, isAlone: group.isAlone) { $0.add(group, in: bytes, hash: hash) }
    }

    /// Adds to a state of the table, which may be a new one.
    private mutating func addState(
        of number: Int64, _ hash: UInt64, isAlone: Bool, _ add: (inout GroupTable) -> Void
    ) {
        let count = groups.count
        add(&groups)
        guard groups.count > count else { return }
        stateCount += 1
        change(number) { $0.states.append(Interval.State(index: count, hash: hash, isAlone: isAlone)) }
    }

    private mutating func change(_ number: Int64, _ body: (inout Interval) -> Void) {
        let count = intervals.count
        listBytes += intervals[number, default: Interval()].change(body)
        if intervals.count > count, number > .min { numbers.insert(number) }
    }
}

// MARK: - Taking

extension OpenIntervals {
    /// Moves the records of an interval, which is the first one or that of records without a time, to a table.
    mutating func move(_ number: Int64, to table: inout ScreenTable) {
        guard let interval = intervals.removeValue(forKey: number) else { return }
        if numbers.min == number { numbers.removeMin() }
        listBytes -= interval.heldBytes
        for state in interval.states {
            table.merge(
                groups.states[state.index], of: groups.store, hash: state.hash, isAlone: state.isAlone)
            groups.store.remove(groups.states[state.index])
        }
        stateCount -= interval.states.count
        for item in interval.tracked { table.add(item, in: interval.texts.span) }
        for event in interval.events { table.apply(event, in: interval.texts.span) }
        if groups.count > Self.fewStates, stateCount <= groups.count / 2 { dropTakenStates() }
    }

    /// Drops the states of intervals that were taken. O(states that are left).
    private mutating func dropTakenStates() {
        var kept = GroupTable(maximumArguments: groups.store.maximumArguments, timeline: timeline)
        for position in intervals.indices {
            intervals.values[position].moveStates {
                kept.append(groups.states[$0.index], of: groups.store, $0)
            }
        }
        groups = kept
    }
}

// MARK: - Writing

extension OpenIntervals {
    private var inOrder: [Interval] { intervals.orderedByKey().map(\.value) }

    /// Writes the records: first the notifications that may be replaced or removed, and the events, then the states of
    /// the groups.
    func dump(to writer: inout StateWriter, isTagged: Bool) throws(ReplayError) {
        var record = OutputBuffer()
        for interval in inOrder {
            try interval.forEachEncoded(isTagged: isTagged, &record) { bytes throws(ReplayError) in
                try writer.add(bytes, to: .notifications)
            }
        }
        var encoder = GroupEncoder()
        for state in inOrder.lazy.flatMap(\.states) {
            record.removeAll()
            encoder.append(groups.states[state.index], of: groups.store, to: &record)
            try writer.add(record.bytes, to: .groups)
        }
    }
}

/// What `OpenIntervals` keeps of an interval.
private struct Interval {
    var states: [State] = []
    /// The notifications that may be replaced or removed, and the events, with the texts of both.
    var tracked: [RoutedRecord] = []
    var events: [ScreenEvent] = []
    var texts: [UInt8] = []

    /// The state of a group's other notifications.
    struct State {
        var index: Int
        /// The hash of the group's key.
        let hash: UInt64
        /// Whether the notification is alone.
        let isAlone: Bool
    }

    /// The memory of the lists, in bytes.
    var heldBytes: Int {
        Self.bytes(of: states) + Self.bytes(of: tracked) + Self.bytes(of: events) + Self.bytes(of: texts)
    }

    /// An array's memory, with its header and what the allocator adds.
    private static func bytes<Element>(of array: [Element]) -> Int {
        array.capacity == 0 ? 0 : array.capacity * MemoryLayout<Element>.stride + 48
    }

    /// Calls `body`, and returns by how many bytes the memory grows.
    mutating func change(_ body: (inout Interval) -> Void) -> Int {
        let before = heldBytes
        body(&self)
        return heldBytes - before
    }

    /// Replaces the index of each state by the one that `move` returns.
    mutating func moveStates(_ move: (State) -> Int) {
        for position in states.indices { states[position].index = move(states[position]) }
    }

    /// Encodes each record but the states to `buffer`, and passes it to `body`.
    func forEachEncoded(
        isTagged: Bool, _ buffer: inout OutputBuffer, _ body: (Span<UInt8>) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        for item in tracked {
            buffer.removeAll()
            buffer.append(item.record, in: texts.span, isTagged: isTagged)
            try body(buffer.bytes)
        }
        for event in events {
            buffer.removeAll()
            buffer.append(event, in: texts.span)
            try body(buffer.bytes)
        }
    }
}

extension GroupTable {
    /// Adds a copy of another table's state, whose group has no state for its interval in this table.
    ///
    /// - Returns: the state's index.
    fileprivate mutating func append(
        _ state: GroupState, of other: GroupStore, _ place: Interval.State
    ) -> Int {
        if !place.isAlone { index.insert(states.count, hash: hash(place.hash, at: state.last)) }
        states.append(store.copy(state, of: other))
        return states.count - 1
    }
}
