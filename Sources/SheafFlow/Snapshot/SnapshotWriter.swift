import SheafBytes
import SheafGroups

/// Writes a snapshot: the shards' sorted groups merged, each rendered as a line.
///
/// Holds one output buffer; groups are rendered as they are written, so that a snapshot of any size takes no
/// more memory than its groups.
struct SnapshotWriter {
    private let shards: [SortedGroups]
    private var renderer: GroupRenderer
    /// By shard: the next group to write.
    private var places: [Int]
    private var buffer: [UInt8] = []

    init(_ shards: [SortedGroups], options: ReplayOptions, sources: [Source]) {
        self.shards = shards
        renderer = GroupRenderer(options: options, sources: sources, shards: shards.count)
        places = Array(repeating: 0, count: shards.count)
        buffer.reserveCapacity(Limits.outputBytes * 2)
    }

    /// Writes all groups to `file`.
    ///
    /// - Parameter check: called now and then; throws to end it.
    mutating func write(
        to file: OutputFile, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        while let shard = nextShard() {
            renderer.append(
                shards[shard].state(at: places[shard]), of: shards[shard].store, shard: shard, to: &buffer)
            places[shard] += 1
            if buffer.count >= Limits.outputBytes {
                try check()
                try flush(to: file)
            }
        }
        try flush(to: file)
    }

    private mutating func flush(to file: OutputFile) throws(ReplayError) {
        do {
            try file.write(buffer.span)
        } catch {
            throw .writing(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// The shard whose next group comes first; nil when all are written. O(shards).
    private func nextShard() -> Int? {
        var first: Int?
        for shard in shards.indices where places[shard] < shards[shard].count {
            if let other = first, !shards[shard].precedes(places[shard], shards[other], places[other]) {
                continue
            }
            first = shard
        }
        return first
    }
}
