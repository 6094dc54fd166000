import SheafBytes
import SheafGroups

/// A shard's groups by key.
///
/// States are kept in the order of first sight and never moved; the index finds them by the key's hash. A
/// notification that is alone by its app's grouping is a state that no index names.
struct GroupTable {
    var store: GroupStore
    var states = SegmentedArray<GroupState>()
    var index = HashIndex()

    init(maximumArguments: Int) { store = GroupStore(maximumArguments: maximumArguments) }

    var count: Int { states.count }

    /// Bytes of memory in use, and what sorting the groups takes: their entries, half of them twice.
    var heldBytes: Int {
        store.heldBytes + states.heldBytes + index.heldBytes
            + states.count * (MemoryLayout<SortEntry>.stride * 3 / 2)
    }

    /// Starts to load what `add` will look at, in three steps each of which needs what the one before loaded: the
    /// index's bucket, the state, and what the state names.
    func prefetch(_ step: PrefetchStep, hash: UInt64) {
        switch step {
        case .bucket: index.prefetch(hash)
        case .entry: if let found = index.candidate(hash) { states.prefetch(found) }
        case .texts: if let found = index.candidate(hash) { store.prefetch(states[found]) }
        }
    }

    /// Gives back the memory that finds groups by their keys. Nothing is added any more.
    mutating func forgetIndex() { index = HashIndex() }

    /// Adds a notification to its group. O(1), and the categories and arguments of that group.
    ///
    /// - Parameter hash: of the group's key.
    mutating func add(_ record: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64) {
        if record.grouping == .off {
            states.append(store.start(record, in: bytes))
        } else if let found = index.find(hash, where: { store.matches(states[$0], record, in: bytes) }) {
            store.add(record, in: bytes, to: &states[found])
        } else {
            index.insert(states.count, hash: hash)
            states.append(store.start(record, in: bytes))
        }
    }
}
