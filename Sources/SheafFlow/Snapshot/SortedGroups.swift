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
    private let states: SegmentedArray<GroupState>
    private let order: ReplayOptions.Order
    /// Without it no group has a device.
    private let byDevice: Bool
    private let sorted: [Entry]

    /// A group with the part of its key that is compared most.
    private struct Entry: Sendable {
        /// By key: the rank of the app in byte order. By recency: not used.
        var appRank: UInt32
        var index: UInt32
    }

    /// O(n log n).
    init(_ table: GroupTable, order: ReplayOptions.Order, byDevice: Bool) {
        self.order = order
        self.byDevice = byDevice
        let store = table.store
        let states = table.states
        var entries: [Entry] = []
        entries.reserveCapacity(states.count)
        let ranks = Self.appRanks(store.apps)
        for index in 0..<states.count {
            let app = store.appSymbol(of: states[index])
            entries.append(Entry(appRank: ranks[Int(app)], index: UInt32(index)))
        }
        switch order {
        case .recent:
            entries.sort {
                states[Int($0.index)].leading.order > states[Int($1.index)].leading.order
            }
        case .key:
            entries.sort { a, b in
                let first = states[Int(a.index)]
                let second = states[Int(b.index)]
                if byDevice {
                    let devices = store.device(of: first).compare(to: store.device(of: second))
                    if devices != 0 { return devices < 0 }
                }
                if a.appRank != b.appRank { return a.appRank < b.appRank }
                let threads = store.thread(of: first).compare(to: store.thread(of: second))
                if threads != 0 { return threads < 0 }
                return first.leading.order > second.leading.order
            }
        }
        self.store = store
        self.states = states
        sorted = entries
    }

    var count: Int { sorted.count }

    /// The group at a place of the order.
    func state(at place: Int) -> GroupState { states[Int(sorted[place].index)] }

    /// Whether the group at `place` comes before the one at `otherPlace` of another shard.
    func precedes(_ place: Int, _ other: borrowing SortedGroups, _ otherPlace: Int) -> Bool {
        let mine = state(at: place)
        let theirs = other.state(at: otherPlace)
        if order == .recent { return mine.leading.order > theirs.leading.order }
        if byDevice {
            let devices = store.device(of: mine).compare(to: other.store.device(of: theirs))
            if devices != 0 { return devices < 0 }
        }
        let apps = store.app(of: mine).compare(to: other.store.app(of: theirs))
        if apps != 0 { return apps < 0 }
        let threads = store.thread(of: mine).compare(to: other.store.thread(of: theirs))
        if threads != 0 { return threads < 0 }
        return mine.leading.order > theirs.leading.order
    }

    /// By symbol: the place of each app among all, in byte order.
    private static func appRanks(_ apps: SymbolTable) -> [UInt32] {
        var symbols = Array(0...UInt32(apps.count))
        symbols.sort { apps.text(of: $0).compare(to: apps.text(of: $1)) < 0 }
        var ranks = [UInt32](repeating: 0, count: symbols.count)
        for (rank, symbol) in symbols.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
        return ranks
    }
}

/// Sorted groups that several threads read.
final class SortedShard: Sendable {
    let groups: SortedGroups

    init(_ groups: consuming SortedGroups) { self.groups = groups }
}
