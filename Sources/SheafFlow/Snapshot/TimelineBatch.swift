import SheafBytes
import SheafGroups

/// Consecutive lines of a shard over time. Those of the batch before must have been rendered first.
struct TimelineBatch: GroupBatch, ~Copyable {
    /// The lines of a shard that no batch has taken.
    struct Source {
        let groups: TimelineShard
        /// The first of them.
        var line = 0
    }

    private let groups: TimelineShard
    private(set) var groupCount = 0
    /// The lines to render.
    private var lines = 0..<0
    /// Of the batch, like its renderer, which knows apps and categories by the symbols of this store.
    private var temporary: GroupStore

    init(_ groups: TimelineShard) {
        self.groups = groups
        temporary = GroupStore(maximumArguments: groups.maximumArguments)
    }

    /// Always false, because the groups are in memory anyway.
    var isLarge: Bool { false }
    var isRendered: Bool { lines.isEmpty }

    mutating func take(from source: inout Source) {
        groupCount = 0
        let first = source.line
        while source.line < groups.lineCount, groupCount < Limits.groupsPerPiece {
            if !groups.isLeftOut(source.line) { groupCount += 1 }
            source.line += 1
        }
        lines = first..<source.line
    }

    mutating func render(by renderer: inout GroupRenderer, allowsLarge: Bool, to output: inout OutputBuffer) {
        let next = groups.render(
            lines, by: &renderer, &temporary, allowsLarge: allowsLarge, to: &output)
        lines = next..<lines.upperBound
    }
}

extension SnapshotWriter {
    /// Creates a writer for the groups of a timeline in memory.
    ///
    /// - Parameter order: the shard of each line.
    init(_ shards: [TimelineShard], order: [UInt16], style: SnapshotStyle, names: SourceNames) {
        self.init(
            lanes: shards.map { TimelineBatch.Source(groups: $0) }, order: order, style: style, names: names,
            shards: 2
        ) { TimelineBatch(shards[$0]) }
    }
}
