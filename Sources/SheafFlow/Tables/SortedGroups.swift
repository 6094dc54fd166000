import SheafBytes
import SheafGroups

/// A shard's finished groups in the order in which a snapshot has them.
///
/// By key: device, app, thread in byte order, none first, and within one key (grouping off) the newest first.
/// By recency: the newest leading first. No two groups are equal in either order, so the snapshot's order does
/// not depend on how groups were spread over shards.
///
/// Never changed once made. Not copyable, since a copy is a reference count for each part of the store, and the
/// groups are looked at one by one; `SortedShard` is what threads hand to each other.
struct SortedGroups: ~Copyable, Sendable {
    let store: GroupStore
    /// The apps' symbols in byte order of name, none first: an app's rank is its place.
    let rankedApps: [UInt32]
    private let states: SegmentedArray<GroupState>
    private let order: GroupOrder
    private let sorted: [SortEntry]

    /// O(n log n).
    init(_ table: GroupTable, order: ReplayOptions.Order, byDevice: Bool) {
        store = table.store
        states = table.states
        self.order = GroupOrder(order: order, byDevice: byDevice)
        rankedApps = store.apps.ordered
        sorted = GroupSorter(store, states, order: self.order, rankedApps: rankedApps).sorted()
    }

    var count: Int { sorted.count }

    /// The group at a place of the order.
    func state(at place: Int) -> GroupState { states[Int(sorted[place].index)] }

    /// How many notifications the group at a place has.
    func notificationCount(at place: Int) -> UInt64 { store.notificationCount(of: state(at: place)) }

    /// What decides most comparisons with other shards' groups. Ranks of apps are this shard's.
    func entry(at place: Int) -> SortEntry { sorted[place] }

    /// Whether the group at `place` comes before the one at `otherPlace` of another shard.
    func precedes(_ place: Int, _ other: borrowing SortedGroups, _ otherPlace: Int) -> Bool {
        order.precedes(state(at: place), of: store, other.state(at: otherPlace), of: other.store)
    }

    // Called: inlined, they count references to the memory that they look at.

    /// Starts to load the group at a place, which is to be looked at soon.
    @inline(never)
    func prefetchState(at place: Int) { states.prefetch(Int(sorted[place].index)) }

    /// Starts to load what the group at a place refers to; its state is looked at.
    @inline(never)
    func prefetchContents(at place: Int) { store.prefetch(state(at: place)) }
}

/// Sorted groups that several threads read.
final class SortedShard: Sendable {
    let groups: SortedGroups

    init(_ groups: consuming SortedGroups) { self.groups = groups }
}
