import SheafBytes
import SheafGroups

/// Walks through the intervals of each group in sorted state files, and passes on the group's state at each instant at
/// which it has changed (specification §14).
///
/// Holds one group's state, and the states of the spans that contain an instant: at most one of each length.
struct GroupWalk {
    private var merge: StateMerge<GroupEntry>
    private let clock: SnapshotClock
    private var encoder = GroupEncoder()
    /// The number of groups that are not empty at the last instant.
    private(set) var groupCount: UInt64 = 0

    // The current group:

    private var walk: SpanWalk<(entry: GroupEntry, bytes: [UInt8], sourceOffset: Int)>
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
        walk = SpanWalk(clock, emitsAll: emitsAll)
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
            let start = walk.start(of: cursor.entry.span)
            try advance(to: start, into: &sorter, spill)
            add(cursor, at: start)
            guard let following = try merge.next() else { break }
            cursor = following
            if !isInGroup(cursor) { break }
        }
        try advance(to: .max, into: &sorter, spill)
        if !walk.isEmpty { groupCount += 1 }
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
        (deltas, leading) = (nil, nil)
        walk.begin()
        if store.heldBytes > Limits.temporaryStoreBytes {
            store = GroupStore(maximumArguments: store.maximumArguments)
        }
    }

    private func isInGroup(_ cursor: StateCursor<GroupEntry>) -> Bool {
        guard let first else { return false }
        return cursor.withBytes { cursor.entry.isSameGroup($0, as: first, firstBytes.span) }
    }

    /// Adds a state at the start of its span.
    private mutating func add(_ cursor: StateCursor<GroupEntry>, at start: Int64) {
        let (group, offset) = (cursor.entry.group, cursor.sourceOffset)
        let span = cursor.entry.span ?? IntervalSpan(from: start)
        walk.add(span, at: start, (cursor.entry, cursor.withBytes { Array(copying: $0) }, offset))
        guard span.end == .max else { return }
        if var state = deltas {
            cursor.withBytes { store.merge(group, in: $0, sourceOffset: offset, into: &state) }
            deltas = state
        } else {
            deltas = cursor.withBytes { store.start(group, in: $0, sourceOffset: offset) }
        }
    }

    /// Passes on the group at each instant before that of `next` at which it has changed.
    private mutating func advance(
        to next: Int64, into sorter: inout InstantSorter,
        _ spill: (inout InstantSorter) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        while let interval = walk.nextChange(before: next) {
            emit(at: interval, into: &sorter)
            try spill(&sorter)
        }
    }

    private mutating func emit(at interval: Int64, into sorter: inout InstantSorter) {
        let time = clock.instant(of: interval)
        guard let first, !walk.isEmpty else {
            // A group that was not on screen before has not changed.
            guard let order = leading else { return }
            let instant = SnapshotInstant(time: time, isEmpty: true, isAlone: first?.group.isAlone == true)
            sorter.add(at: instant, key: key, newest: order) { $0.append(shown.span) }
            leading = nil
            return
        }
        let usesStore = walk.open.isEmpty
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
        for item in walk.open.lazy.map(\.state) {
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
