import SheafBytes
import SheafGroups

/// Walks through the intervals of each group in sorted state files, and passes on the group's state at each instant at
/// which it has changed (specification §14).
///
///     states        [3, …)  [5, 6)  [6, 8)  [9, …)      of one group, in the order of their spans
///     at instant 7  [3, …)        + [6, 8)              the deltas so far, and the spans that contain it
///
/// Holds one group's state, and the states of the spans that contain an instant: at most one of each length.
struct GroupWalk {
    private var merge: StateMerge<GroupEntry>
    private let clock: SnapshotClock
    private let emitsAll: Bool
    private var encoder = GroupEncoder()
    /// The number of groups that are not empty at the last instant.
    private(set) var groupCount: UInt64 = 0

    // The current group:

    /// The first of its states, for its key.
    private var first: GroupEntry?
    private var firstBytes: [UInt8] = []
    /// The number of its key among all keys.
    private var key: UInt64 = 0
    /// The merge of its states whose spans have no end.
    private var deltas: GroupState?
    private var store: GroupStore
    /// For the merge of the deltas and the open states, one at a time.
    private var temporary: GroupStore
    /// Its states whose spans contain the current instant, a longer span before a shorter one.
    private var open: [(entry: GroupEntry, bytes: [UInt8], sourceOffset: Int)] = []
    /// The interval whose states have been added; nil before the first one.
    private var interval: Int64?
    private var hasChanged = false
    /// The leading notification at the last instant that was passed on; nil if there was none.
    private var leading: OrderKey?
    /// The state at that instant, if the group may be emptied.
    private var shown: [UInt8] = []

    /// - Parameter emitsAll: whether a group is passed on at every instant at which it is not empty.
    init(
        _ files: [StateFile], _ clock: SnapshotClock, emitsAll: Bool, maximumArguments: Int,
        storage: any Storage
    ) throws(ReplayError) {
        merge = try StateMerge(files, storage: storage)
        self.clock = clock
        self.emitsAll = emitsAll
        store = GroupStore(maximumArguments: maximumArguments)
        temporary = store
    }

    /// Adds the next group's states to `sorter`; returns false after the last group.
    ///
    /// - Parameter spill: called when the sorter may be full.
    mutating func next(
        into sorter: inout InstantSorter, spill: (inout InstantSorter) throws(ReplayError) -> Void
    ) throws(ReplayError) -> Bool {
        guard var cursor = try first == nil ? merge.next() : merge.current else { return false }
        begin(cursor)
        while true {
            let span = cursor.entry.span ?? IntervalSpan(from: clock.first)
            let start = max(span.start, clock.first)
            try advance(to: start, into: &sorter, spill)
            add(cursor, span, at: start)
            guard let following = try merge.next() else { break }
            cursor = following
            if !isInGroup(cursor) { break }
        }
        try advance(to: .max, into: &sorter, spill)
        if deltas != nil || !open.isEmpty { groupCount += 1 }
        return true
    }

    private mutating func begin(_ cursor: StateCursor<GroupEntry>) {
        if let first {
            // Notifications that are alone share their key.
            let isSameKey = cursor.withBytes { cursor.entry.hasKey($0, of: first, firstBytes.span) }
            if !isSameKey { key += 1 }
        }
        first = cursor.entry
        firstBytes.removeAll(keepingCapacity: true)
        cursor.withBytes { firstBytes.append($0) }
        deltas = nil
        open.removeAll(keepingCapacity: true)
        (interval, hasChanged, leading) = (nil, false, nil)
        if store.heldBytes > Limits.temporaryStoreBytes {
            store = GroupStore(maximumArguments: store.maximumArguments)
        }
    }

    private func isInGroup(_ cursor: StateCursor<GroupEntry>) -> Bool {
        guard let first else { return false }
        return cursor.withBytes { cursor.entry.isSameGroup($0, as: first, firstBytes.span) }
    }

    /// Adds a state at the start of its span.
    private mutating func add(_ cursor: StateCursor<GroupEntry>, _ span: IntervalSpan, at start: Int64) {
        interval = start
        close(at: start)
        if span.appears { hasChanged = true }
        let (group, offset) = (cursor.entry.group, cursor.sourceOffset)
        if span.end < .max {
            var bytes: [UInt8] = []
            cursor.withBytes { bytes.append($0) }
            open.append((cursor.entry, bytes, offset))
        } else if var state = deltas {
            cursor.withBytes { store.merge(group, in: $0, sourceOffset: offset, into: &state) }
            deltas = state
        } else {
            deltas = cursor.withBytes { store.start(group, in: $0, sourceOffset: offset) }
        }
    }

    /// Removes the states whose spans end at an interval.
    private mutating func close(at interval: Int64) {
        while let last = open.last, let span = last.entry.span, span.end <= interval {
            if span.vanishes { hasChanged = true }
            open.removeLast()
        }
    }

    /// Passes on the group at the current instant, and at each later one before `next` at which it has changed.
    private mutating func advance(
        to next: Int64, into sorter: inout InstantSorter,
        _ spill: (inout InstantSorter) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        guard var current = interval, current < next else { return }
        while true {
            let isEmpty = deltas == nil && open.isEmpty
            if hasChanged || emitsAll && !isEmpty {
                emit(at: current, into: &sorter)
                try spill(&sorter)
            }
            hasChanged = false
            var following = open.last?.entry.span?.end ?? .max
            if emitsAll, !isEmpty { following = min(following, current + 1) }
            guard following < next, following <= clock.last else { return }
            current = following
            interval = following
            close(at: following)
        }
    }

    private mutating func emit(at interval: Int64, into sorter: inout InstantSorter) {
        let time = clock.instant(of: interval)
        guard let first, deltas != nil || !open.isEmpty else {
            // A group that was not on screen before has not changed.
            guard let order = leading else { return }
            let instant = SnapshotInstant(time: time, isEmpty: true, isAlone: first?.group.isAlone == true)
            sorter.add(at: instant, key: key, newest: order) { $0.append(shown.span) }
            leading = nil
            return
        }
        let usesStore = open.isEmpty
        let state = usesStore ? deltas : mergeOpen()
        guard let state else { preconditionFailure("the state of an empty group") }
        leading = state.leading.order
        let isAlone = first.group.isAlone
        let instant = SnapshotInstant(time: time, isEmpty: false, isAlone: isAlone)
        sorter.add(at: instant, key: key, newest: state.leading.order) { output in
            let start = output.count
            encoder.append(state, of: usesStore ? store : temporary, to: &output)
            guard deltas == nil else { return }
            shown.removeAll(keepingCapacity: true)
            shown.append(output.bytes.extracting(droppingFirst: start))
        }
        guard !usesStore else { return }
        temporary.remove(state)
        if temporary.heldBytes > Limits.temporaryStoreBytes {
            temporary = GroupStore(maximumArguments: store.maximumArguments)
        }
    }

    /// Merges the deltas and the open states into `temporary`; returns nil if there are neither.
    private mutating func mergeOpen() -> GroupState? {
        var merged = deltas.map { temporary.copy($0, of: store) }
        for item in open {
            let bytes = item.bytes.span
            if var state = merged {
                temporary.merge(item.entry.group, in: bytes, sourceOffset: item.sourceOffset, into: &state)
                merged = state
            } else {
                merged = temporary.start(item.entry.group, in: bytes, sourceOffset: item.sourceOffset)
            }
        }
        return merged
    }
}
