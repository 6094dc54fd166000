import SheafBytes
import SheafGroups

/// The groups of a timeline that threads share, one thread at a time.
final class TimelineShard: @unchecked Sendable {
    // Unchecked because one thread at a time uses it, which `access` checks.
    private let access = AccessCheck()
    private var groups: TimelineGroups

    /// Sorts a table's states by group.
    init(_ table: GroupTable, _ clock: SnapshotClock, byDevice: Bool) {
        groups = TimelineGroups(table, clock, byDevice: byDevice)
    }

    var groupCount: UInt64 { groups.groupCount }
    var lineCount: Int { groups.lineCount }

    var maximumArguments: Int { groups.maximumArguments }

    func isLeftOut(_ line: Int) -> Bool { groups.isLeftOut(line) }

    /// Numbers the groups of all shards in the order of their keys.
    ///
    /// - Returns: the numbers of each shard's groups.
    private static func ranks(_ shards: [TimelineShard]) -> [[UInt32]] {
        let heads = shards.compactMap { $0.groups.takeHeads() }
        var ranks = heads.map { head in
            var ranks: [UInt32] = []
            ranks.reserveCapacity(head.groups.count)
            return ranks
        }
        var merge = ShardMerge(heads)
        var rank: UInt32 = 0
        while let group = merge.next() {
            ranks[group.shard].append(rank)
            rank += 1
        }
        return ranks
    }

    /// Makes the lines of all groups.
    private func makeLines(_ ranks: [UInt32], _ selection: GroupSelection) -> TimelineGroups.LineOrder {
        access.begin()
        defer { access.end() }
        return groups.makeLines(ranks, selection)
    }

    /// Renders lines, as `TimelineGroups` does.
    func render(
        _ range: Range<Int>, by renderer: inout GroupRenderer, _ temporary: inout GroupStore,
        allowsLarge: Bool, to output: inout OutputBuffer
    ) -> Int {
        access.begin()
        defer { access.end() }
        return groups.render(range, by: &renderer, &temporary, allowsLarge: allowsLarge, to: &output)
    }

    /// Makes the lines of all shards, in parallel, and puts each shard's in the order of the snapshots.
    ///
    /// O(lines × shards).
    ///
    /// - Returns: the shard of each line that is written, in this order.
    static func makeLines(_ shards: [TimelineShard], _ selection: GroupSelection) -> [UInt16] {
        let ranks = ranks(shards)
        let lines = Array(zip(shards, ranks)).concurrentMap { $0.makeLines($1, selection) }
        switch selection.order {
        case .key:
            let ranks = lines.map(\.ranks)
            return order(shards, lines, selection) { ranks[$0.shard][$0.line] < ranks[$1.shard][$1.line] }
        case .recent:
            let recencies = lines.map(\.recencies)
            return order(shards, lines, selection) {
                recencies[$0.shard][$0.line] < recencies[$1.shard][$1.line]
            }
        }
    }

    /// The next line of a shard in a snapshot.
    private typealias Head = (shard: Int, line: Int, end: Int)

    @inline(__always)
    private static func order(
        _ shards: [TimelineShard], _ lines: [TimelineGroups.LineOrder], _ selection: GroupSelection,
        by precedes: (Head, Head) -> Bool
    ) -> [UInt16] {
        var result: [UInt16] = []
        result.reserveCapacity(shards.reduce(0) { $0 + $1.lineCount })
        var next = [Int](repeating: 0, count: shards.count)
        var starts = next
        while true {
            let interval = shards.indices.compactMap { lines[$0].interval(next[$0]) }.min()
            guard let interval else { return result }
            var heads: [Head] = []
            for shard in shards.indices where lines[shard].interval(next[shard]) == interval {
                let end = lines[shard].instants[next[shard]].end
                heads.append((shard, starts[shard], end))
                next[shard] += 1
                starts[shard] = end
            }
            let all = heads
            let first = result.count
            if let top = selection.top {
                var ranked = TopGroups<(shard: Int, line: Int)>(limit: top)
                while let head = takeNext(&heads, by: precedes) {
                    let count = lines[head.shard].counts[head.line]
                    if count > 0, count >= ranked.minimumCount {
                        _ = ranked.add(count: count, (head.shard, head.line))
                    }
                }
                let chosen = ranked.takeSorted()
                for item in chosen { result.append(UInt16(item.shard)) }
                for (shard, start, end) in all {
                    shards[shard].groups.choose(
                        chosen.filter { $0.shard == shard }.map(\.line), of: start..<end)
                }
            } else {
                while let head = takeNext(&heads, by: precedes) { result.append(UInt16(head.shard)) }
            }
            guard first < result.count, let head = all.first(where: { $0.shard == Int(result[first]) })
            else { continue }
            shards[head.shard].groups.beginSnapshot(at: head.line)
        }
    }

    /// Removes the next line of a snapshot.
    @inline(__always)
    private static func takeNext(_ heads: inout [Head], by precedes: (Head, Head) -> Bool) -> Head? {
        guard !heads.isEmpty else { return nil }
        var first = 0
        for other in heads.indices.dropFirst() where precedes(heads[other], heads[first]) { first = other }
        let head = heads[first]
        heads[first].line += 1
        if heads[first].line == head.end { heads.remove(at: first) }
        return head
    }
}
