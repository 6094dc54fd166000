import SheafBytes
import SheafGroups

/// A shard's finished groups in the order of the snapshot.
///
/// The order by key is the byte order of device, app and thread, with absent ones first, and for equal keys (grouping
/// `off`) the newest notification first. The order by recency has the newest leading notification first. No two groups
/// are equal in either order, so the snapshot's order does not depend on the distribution of groups over shards.
///
/// Immutable. Not copyable, since a copy would retain each part of the store, and groups are accessed one by one.
/// Threads share a `SortedShard`, or have `SortedGroups` that share its memory.
struct SortedGroups: ~Copyable, Sendable {
    let store: GroupStore
    /// The apps' symbols in byte order of name, the absent app first: an app's rank is its index here.
    let rankedApps: [UInt32]
    private let states: SegmentedArray<GroupState>
    private let order: GroupOrder
    private let sorted: [SortEntry]

    /// Sorts a table's groups. O(n log n).
    ///
    /// - Parameter ties: the order of groups with the same key.
    init(
        _ table: GroupTable, order: ReplayOptions.Order, byDevice: Bool,
        ties: GroupOrder.Ties = .newestFirst
    ) {
        store = table.store
        states = table.states
        self.order = GroupOrder(order: order, byDevice: byDevice, ties: ties)
        rankedApps = store.apps.ordered
        sorted = GroupSorter(store, states, order: self.order, rankedApps: rankedApps).sorted()
    }

    /// Creates a copy that shares the memory of `other`.
    ///
    /// - Parameter indices: the indices of its groups; nil for all groups.
    init(sharing other: borrowing SortedGroups, at indices: [UInt32]? = nil) {
        store = other.store
        rankedApps = other.rankedApps
        states = other.states
        order = other.order
        let all = other.sorted
        sorted = indices.map { $0.map { all[Int($0)] } } ?? all
    }

    var count: Int { sorted.count }

    /// The groups' indices in the shard's states, in order.
    var indices: [UInt32] { sorted.map(\.index) }

    /// Returns the group at an index of the order.
    func state(at index: Int) -> GroupState { states[Int(sorted[index].index)] }

    /// Returns the number of notifications of the group at an index of the order.
    func notificationCount(at index: Int) -> UInt64 { store.notificationCount(of: state(at: index)) }

    /// Returns the sort entry, which decides most comparisons with other shards' groups. App ranks are valid only in
    /// this shard.
    func entry(at index: Int) -> SortEntry { sorted[index] }

    /// Whether two states, which are sorted by key, are of the same group.
    func isSameGroup(_ index: Int, _ otherIndex: Int) -> Bool {
        let hasKey = sorted[index].hasKey(of: sorted[otherIndex], byDevice: order.byDevice)
        if hasKey == false { return false }
        let (state, other) = (state(at: index), state(at: otherIndex))
        if state.isAlone != other.isAlone { return false }
        if state.isAlone, state.leading.order != other.leading.order { return false }
        return hasKey ?? haveSameKey(state, other)
    }

    private func haveSameKey(_ state: GroupState, _ other: GroupState) -> Bool {
        store.appSymbol(of: state) == store.appSymbol(of: other)
            && store.thread(of: state).isEqual(to: store.thread(of: other))
            && store.device(of: state).isEqual(to: store.device(of: other))
    }

    /// Whether the group at `index` precedes the group at `otherIndex` of another shard.
    func precedes(_ index: Int, _ other: borrowing SortedGroups, _ otherIndex: Int) -> Bool {
        order.precedes(state(at: index), of: store, other.state(at: otherIndex), of: other.store)
    }

    fileprivate func withDevice<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        body(store.device(of: state(at: index)))
    }

    fileprivate func withGroup(at index: Int, _ body: (GroupState, borrowing GroupStore) -> Void) {
        body(state(at: index), store)
    }

    // Inlined, because a call copies all of the properties.

    /// Prefetches the state of the group at an index of the order.
    @inline(__always)
    func prefetchState(at index: Int) { states.prefetch(Int(sorted[index].index)) }

    /// Prefetches the texts of a group's key. Accesses its state.
    func prefetchKey(at index: Int) { store.prefetchKey(of: state(at: index)) }

    /// Prefetches the contents that a group refers to. Accesses its state.
    @inline(__always)
    func prefetchContents(at index: Int) { store.prefetch(state(at: index)) }

    /// Prefetches the texts of a group's arguments, once its contents are there.
    @inline(__always)
    func prefetchArguments(at index: Int) { store.prefetchArguments(of: state(at: index)) }
}

/// Sorted groups shared by several threads.
final class SortedShard: Sendable {
    let groups: SortedGroups

    init(_ groups: consuming SortedGroups) { self.groups = groups }

    /// Calls `body` with the device of the group at an index.
    func withDevice<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        groups.withDevice(at: index, body)
    }

    /// Calls `body` with the group at an index, and its store.
    func withGroup(at index: Int, _ body: (GroupState, borrowing GroupStore) -> Void) {
        groups.withGroup(at: index, body)
    }
}
