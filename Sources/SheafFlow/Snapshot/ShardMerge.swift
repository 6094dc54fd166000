import SheafBytes
import SheafGroups

/// A group's shard and its index in the shard's order.
struct GroupIndex: Sendable {
    let shard: Int
    let index: Int
}

/// Merges the groups of several sorted shards into one order.
///
/// Holds each shard's next entry with its app's rank among the apps of all shards, so that the groups themselves are
/// compared only if two entries are tied.
struct ShardMerge {
    private let shards: [SortedShard]
    /// The next group of each shard that has any left.
    private var heads: [Head] = []
    /// An app's rank among the apps of all shards, by shard and by the app's rank in that shard.
    private let ranks: [[UInt32]]
    /// The chosen groups that have not been returned, the next one last; nil if all groups are wanted.
    private var chosen: [GroupIndex]?

    private struct Head {
        var entry: SortEntry
        var group: GroupIndex
    }

    /// - Parameter top: the number of groups to return, those with the most notifications; nil for all groups.
    init(_ shards: [SortedShard], top: Int? = nil) {
        self.shards = shards
        ranks = Self.commonRanks(shards)
        heads = shards.indices.compactMap { head(of: $0, at: 0) }
        guard let top else { return }
        var groups = TopGroups<GroupIndex>(limit: top)
        while let group = nextInOrder() {
            let count = shards[group.shard].groups.notificationCount(at: group.index)
            if count >= groups.minimumCount { _ = groups.add(count: count, group) }
        }
        chosen = groups.takeSorted().reversed()
    }

    /// Returns the next group; nil if no groups are left. O(shards).
    mutating func next() -> GroupIndex? { chosen == nil ? nextInOrder() : chosen?.popLast() }

    private mutating func nextInOrder() -> GroupIndex? {
        guard var first = heads.indices.first else { return nil }
        for other in heads.indices.dropFirst() where precedes(heads[other], heads[first]) { first = other }
        let group = heads[first].group
        if let next = head(of: group.shard, at: group.index + 1) {
            heads[first] = next
        } else {
            heads.remove(at: first)
        }
        return group
    }

    private func precedes(_ a: Head, _ b: Head) -> Bool {
        if !a.entry.isTied(with: b.entry) { return a.entry.precedes(b.entry) }
        return shards[a.group.shard].groups.precedes(
            a.group.index, shards[b.group.shard].groups, b.group.index)
    }

    private func head(of shard: Int, at index: Int) -> Head? {
        guard index < shards[shard].groups.count else { return nil }
        var entry = shards[shard].groups.entry(at: index)
        let hasThread = entry.rank & 1 == 1
        entry.rank = SortEntry.rank(app: ranks[shard][Int(entry.rank / 2)], hasThread: hasThread)
        return Head(entry: entry, group: GroupIndex(shard: shard, index: index))
    }

    private static func commonRanks(_ shards: [SortedShard]) -> [[UInt32]] {
        let names = shards.map { $0.groups.store.apps }
        let symbols = shards.map { $0.groups.rankedApps }
        func compare(_ a: GroupIndex, _ b: GroupIndex) -> Int {
            let (first, second) = (names[a.shard], names[b.shard])
            return first.text(of: symbols[a.shard][a.index])
                .compare(to: second.text(of: symbols[b.shard][b.index]))
        }
        var apps: [GroupIndex] = []
        for shard in shards.indices {
            for rank in symbols[shard].indices {
                apps.append(GroupIndex(shard: shard, index: rank))
            }
        }
        apps.sort { compare($0, $1) < 0 }
        var ranks = symbols.map { [UInt32](repeating: 0, count: $0.count) }
        var rank: UInt32 = 0
        for (index, app) in apps.enumerated() {
            if index > 0, compare(apps[index - 1], app) != 0 { rank += 1 }
            ranks[app.shard][app.index] = rank
        }
        return ranks
    }
}
