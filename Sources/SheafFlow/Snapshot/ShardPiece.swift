import Dispatch
import SheafBytes

/// A piece of the groups that sorted shards hold in memory.
final class ShardPiece: GroupPiece, @unchecked Sendable {
    // Unchecked because a piece is used by one thread at a time, see `GroupPiece`; `access` checks that.
    let access = AccessCheck()
    private let shards: [SortedShard]
    private var groups: [GroupIndex] = []
    /// The index of the first group that has not been rendered.
    private var rendered = 0
    /// The most recently rendered lines: up to `Limits.pieceBytes`, plus the line that exceeds it.
    private var output = OutputBuffer()
    private var renderer: GroupRenderer
    let rendering = DispatchGroup()

    /// How many groups ahead memory is prefetched: consecutive groups are scattered in memory. A group's state is
    /// prefetched first because it locates the group's contents.
    private static let stateLookahead = 16
    private static let contentsLookahead = 8

    init(_ shards: [SortedShard], _ renderer: GroupRenderer) {
        self.shards = shards
        self.renderer = renderer
    }

    var groupCount: Int { groups.count }

    var isRendered: Bool { rendered == groups.count }

    func take(from merge: inout ShardMerge) {
        access.begin()
        defer { access.end() }
        rendered = 0
        groups.removeAll(keepingCapacity: true)
        while groups.count < Limits.groupsPerPiece, let group = merge.next() { groups.append(group) }
    }

    /// Always false, because the groups are in memory anyway.
    var isLarge: Bool { false }

    func render(allowsLarge: Bool, drain: ((Span<UInt8>) -> Void)?) {
        access.begin()
        defer { access.end() }
        output.removePiece()
        output.drain = drain
        rendered = Self.render(
            groups, from: rendered, shards, allowsLarge: allowsLarge, by: &renderer, to: &output)
        output.drain = nil
        if allowsLarge { renderer.forgetLargeTexts() }
    }

    func forEachRendered(_ body: (Span<UInt8>) throws(ReplayError) -> Void) throws(ReplayError) {
        access.begin()
        defer { access.end() }
        try output.forEach(endingAt: renderer.ends, body)
    }

    /// - Returns: the index of the first group that has not been rendered.
    private static func render(
        _ groups: [GroupIndex], from start: Int, _ shards: [SortedShard], allowsLarge: Bool,
        by renderer: inout GroupRenderer, to output: inout OutputBuffer
    ) -> Int {
        renderer.forgetEnds()
        var index = start
        while index < groups.count, output.position < Limits.pieceBytes {
            if index + stateLookahead < groups.count {
                let ahead = groups[index + stateLookahead]
                shards[ahead.shard].prefetchState(at: ahead.index)
            }
            if index + contentsLookahead < groups.count {
                let ahead = groups[index + contentsLookahead]
                shards[ahead.shard].prefetchContents(at: ahead.index)
            }
            let group = groups[index]
            let isWritten = renderer.append(
                group.index, of: shards[group.shard].groups, shard: group.shard,
                allowsLarge: allowsLarge && output.position == 0, to: &output)
            guard isWritten else { break }
            index += 1
        }
        return index
    }
}
