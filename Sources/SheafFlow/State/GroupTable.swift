import SheafBytes
import SheafGroups

/// A shard's groups by key.
///
/// States are in the order of their first notifications, and never move; the index finds them by the key's hash. With
/// grouping `off`, each notification is a state of its own that is not in the index.
///
/// With a timeline, a group has a state for each interval that adds to it, and one for each span of intervals in which
/// notifications are on screen that vanish later.
struct GroupTable {
    var store: GroupStore
    var states = SegmentedArray<GroupState>()
    var index = HashIndex()

    /// The intervals that states are kept for; nil if a group has one state.
    let timeline: Timeline?
    /// The spans of states that have one, and by state the number of its span, from 1. Shorter than the states if the last
    /// ones have none.
    var spans = SegmentedArray<IntervalSpan>()
    var spanNumbers = SegmentedArray<UInt32>()
    /// Receives each notification; nil if nothing needs them.
    private var shown: ShownBuffer?

    /// - Parameter shown: receives each notification of groups without a timeline.
    init(maximumArguments: Int, timeline: Timeline? = nil, shown: ShownNotifications? = nil) {
        store = GroupStore(maximumArguments: maximumArguments)
        self.timeline = timeline
        self.shown = shown.map { ShownBuffer($0) }
    }

    var count: Int { states.count }

    /// The memory in use, in bytes, and the memory for sorting the groups: their entries, half of them twice.
    var heldBytes: Int {
        store.heldBytes + states.heldBytes + index.heldBytes + spans.heldBytes + spanNumbers.heldBytes
            + states.count * (MemoryLayout<SortEntry>.stride * 3 / 2)
    }

    /// Prefetches the memory that `add` will access, in three steps: the index's bucket, the state, and the texts that
    /// the state refers to. Each step needs the memory that the previous step loaded.
    ///
    /// Mutating, because a call of a method that is not copies the table, with a reference for each of its parts.
    ///
    /// - Parameter timestamp: that of the notification that will be added.
    mutating func prefetch(_ step: PrefetchStep, hash: UInt64, at timestamp: Int64) {
        prefetch(step, self.hash(hash, at: timestamp))
    }

    /// Prefetches the memory of the state with a hash in the index.
    @inline(__always)
    mutating func prefetch(_ step: PrefetchStep, _ hash: UInt64) {
        switch step {
        case .bucket: index.prefetch(hash)
        case .entry: if let found = index.candidate(hash) { states.prefetch(found) }
        case .texts: if let found = index.candidate(hash) { store.prefetch(states[found]) }
        }
    }

    /// Frees the index, once no more notifications will be added.
    mutating func releaseIndex() {
        index = HashIndex()
        shown?.flush()
    }

    /// Adds a notification to its group. O(1) plus the number of categories and arguments of that group.
    ///
    /// - Parameter hash: the hash of the group's key.
    @inline(__always)
    mutating func add(_ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64) {
        if timeline != nil { return addToInterval(record, in: bytes, hash: hash) }
        if shown != nil { return addShown(record, in: bytes, hash: hash) }
        if record.grouping == .off {
            states.append(store.start(record, in: bytes))
        } else if let found = index.find(hash, where: { store.matches(states[$0], record, in: bytes) }) {
            store.add(record, in: bytes, to: &states[found])
        } else {
            index.insert(states.count, hash: hash)
            states.append(store.start(record, in: bytes))
        }
    }

    /// `add` for notifications that are passed on.
    @inline(never)
    private mutating func addShown(_ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64) {
        let place: Int
        if record.grouping != .off,
            let found = index.find(hash, where: { store.matches(states[$0], record, in: bytes) })
        {
            place = found
            store.add(record, in: bytes, to: &states[found])
        } else {
            place = states.count
            if record.grouping != .off { index.insert(place, hash: hash) }
            states.append(store.start(record, in: bytes))
        }
        shown?.add(record, in: bytes, hash, store.appSymbol(of: states[place]), in: store)
    }

    /// `add` with a timeline.
    @inline(never)
    private mutating func addToInterval(
        _ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64
    ) {
        if record.grouping == .off {
            states.append(store.start(record, in: bytes))
            return
        }
        let hash = self.hash(hash, at: record.order.timestamp)
        if let found = index.find(hash, where: { matches($0, record, in: bytes) }) {
            store.add(record, in: bytes, to: &states[found])
        } else {
            index.insert(states.count, hash: hash)
            states.append(store.start(record, in: bytes))
        }
    }

    /// Returns the hash of a group's state for the interval of a timestamp.
    @inline(__always)
    func hash(_ hash: UInt64, at timestamp: Int64) -> UInt64 { timeline?.hash(hash, at: timestamp) ?? hash }

    /// Whether a notification belongs to a state without a span: to its group and its interval.
    @inline(__always)
    func matches(_ index: Int, _ record: NotificationRecord, in bytes: Span<UInt8>) -> Bool {
        let state = states[index]
        if span(of: index) != nil { return false }
        // First, because the states of other intervals may have been removed from the store.
        if let timeline, !timeline.areTogether(state.last, record.order.timestamp) { return false }
        return store.matches(state, record, in: bytes)
    }
}

// MARK: - Encoded groups

extension GroupTable {
    /// Adds complete groups without indexing them.
    mutating func append(_ groups: borrowing EncodedGroups) {
        var start = 0
        while start < groups.end {
            states.append(groups.group(at: start, in: &store))
            start = groups.end(ofGroupAt: start)
        }
    }

    /// Adds an encoded state to its group.
    mutating func add(_ group: EncodedGroup, in bytes: Span<UInt8>, hash: UInt64) {
        if group.isAlone {
            states.append(store.start(group, in: bytes))
            return
        }
        let hash = self.hash(hash, at: group.leading.order.timestamp)
        if let found = index.find(hash, where: { matches($0, group.leading, in: bytes) }) {
            store.merge(group, in: bytes, into: &states[found])
        } else {
            index.insert(states.count, hash: hash)
            states.append(store.start(group, in: bytes))
        }
    }
}
