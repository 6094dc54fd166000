import BasicContainers
import SheafBytes
import SheafGroups

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

    /// A group's shard, and its index in the shard's order.
    typealias GroupIndex = (shard: Int, index: Int)
    private typealias Head = (entry: SortEntry, group: GroupIndex)

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

    /// Returns how text shows the devices of the groups that have not been returned.
    func deviceNames() -> DeviceNames {
        var (rest, names) = (self, DeviceNames())
        while let group = rest.next() {
            guard shards[group.shard].withDevice(at: group.index, { names.add($0) }) else { break }
        }
        names.finish()
        return names
    }

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
        entry.replaceApp { ranks[shard][Int($0)] }
        return (entry, (shard, index))
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
                apps.append((shard, rank))
            }
        }
        apps = apps.ordered { compare($0, $1) < 0 }
        var ranks = symbols.map { [UInt32](repeating: 0, count: $0.count) }
        var rank: UInt32 = 0
        for (index, app) in apps.enumerated() {
            if index > 0, compare(apps[index - 1], app) != 0 { rank += 1 }
            ranks[app.shard][app.index] = rank
        }
        return ranks
    }
}

/// Consecutive groups that sorted shards hold in memory.
struct ShardBatch: GroupBatch, ~Copyable {
    /// Not objects: each access to a group would retain and release one, and threads that shared it would wait for each
    /// other's caches.
    private let shards: RigidArray<SortedGroups>
    private var groups: [ShardMerge.GroupIndex] = []
    /// The index of the first group that has not been rendered.
    private var rendered = 0

    /// How many groups ahead memory is prefetched: consecutive groups are scattered in memory. A group's state is
    /// prefetched first because it locates the group's contents, which locate the texts of its arguments.
    private static var stateLookahead: Int { 16 }
    private static var contentsLookahead: Int { 8 }
    private static var argumentsLookahead: Int { 4 }

    init(_ shards: [SortedShard]) {
        var sharing = RigidArray<SortedGroups>(capacity: shards.count)
        for shard in shards { sharing.append(SortedGroups(sharing: shard.groups)) }
        self.shards = sharing
    }

    var groupCount: Int { groups.count }
    /// Always false, because the groups are in memory anyway.
    var isLarge: Bool { false }
    var isRendered: Bool { rendered == groups.count }

    mutating func take(from merge: inout ShardMerge) {
        rendered = 0
        groups.removeAll(keepingCapacity: true)
        while groups.count < Limits.groupsPerPiece, let group = merge.next() { groups.append(group) }
    }

    mutating func render(by renderer: inout GroupRenderer, allowsLarge: Bool, to output: inout OutputBuffer) {
        var index = rendered
        while index < groups.count, output.position < Limits.pieceBytes {
            if index + Self.stateLookahead < groups.count {
                let ahead = groups[index + Self.stateLookahead]
                shards[ahead.shard].prefetchState(at: ahead.index)
            }
            if index + Self.contentsLookahead < groups.count {
                let ahead = groups[index + Self.contentsLookahead]
                shards[ahead.shard].prefetchContents(at: ahead.index)
            }
            if index + Self.argumentsLookahead < groups.count {
                let ahead = groups[index + Self.argumentsLookahead]
                shards[ahead.shard].prefetchArguments(at: ahead.index)
            }
            let group = groups[index]
            let isWritten = renderer.append(
                group.index, of: shards[group.shard], shard: group.shard,
                allowsLarge: allowsLarge && output.position == 0, to: &output)
            guard isWritten else { break }
            index += 1
        }
        rendered = index
    }
}

extension SnapshotWriter {
    /// Creates a writer for the groups that shards hold in memory.
    init(_ shards: [SortedShard], top: Int?, style: SnapshotStyle, names: SourceNames, threads: Int) {
        let merge = ShardMerge(shards, top: top)
        var style = style
        if style.shortensDevices { style.devices = merge.deviceNames() }
        self.init(merge, style: style, names: names, shards: shards.count, threads: threads) {
            ShardBatch(shards)
        }
    }
}

/// The inner stages of a replay, for benchmarks that measure them one by one. Not part of the public API.
package struct MeasuredGroups {
    private var table: GroupTable

    package init(maximumArguments: Int) { table = GroupTable(maximumArguments: maximumArguments) }

    /// Returns the hash of a record's group key.
    package static func hash(_ record: NotificationRecord, in bytes: Span<UInt8>) -> UInt64 {
        Routing.groupHash(record, in: bytes)
    }

    package static func shard(of hash: UInt64, count: Int) -> Int { Routing.shard(of: hash, count: count) }

    /// Adds a window of records as a shard does, prefetching the memory that they access.
    package mutating func add(_ window: ArraySlice<NotificationRecord>, in bytes: Span<UInt8>) {
        let hashes = window.map { Routing.groupHash($0, in: bytes) }
        for step in PrefetchStep.allCases {
            for hash in hashes { table.prefetch(step, hash: hash, at: 0) }
        }
        for (record, hash) in zip(window, hashes) { table.add(record, in: bytes, hash: hash) }
    }

    /// Sorts and renders the groups and writes them to `file`.
    package func write(to file: any ByteOutput, options: ReplayOptions) throws {
        let shard = SortedShard(SortedGroups(table, order: options.order, byDevice: options.byDevice))
        var writer = SnapshotWriter(
            [shard], top: options.top, style: options.style, names: SourceNames(["sample"]),
            threads: options.threads)
        try writer.write(to: file, progress: RunProgress()) {}
    }
}
