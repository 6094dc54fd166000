import SheafBytes
import SheafGroups

/// The groups of all notifications, in the order of a snapshot: in memory, or in files. They can be written several times
/// unless they are those of a timeline in memory.
enum FinishedGroups: @unchecked Sendable {
    // Unchecked because writing changes neither shards nor files, and the run that may interrupt it is safe to use from any
    // thread.
    /// - Parameter top: the number of groups to write, those with the most notifications; nil for all.
    case shards([SortedShard], top: Int?)
    case files(StateFiles)
    /// - Parameter order: the shard of each line.
    case timeline([TimelineShard], order: [UInt16])

    /// The number of groups; nil if it is known only once they are written.
    var count: UInt64? {
        switch self {
        case .shards(let shards, _): shards.reduce(0) { $0 + UInt64($1.groups.count) }
        case .timeline(let shards, _): shards.reduce(0) { $0 + $1.groupCount }
        case .files: nil
        }
    }

    /// The groups of each shard; all of them if they are in files.
    var shards: [FinishedGroups] {
        switch self {
        case .shards(let shards, let top): shards.map { .shards([$0], top: top) }
        case .files, .timeline: [self]
        }
    }

    /// Writes the groups.
    ///
    /// - Parameters:
    ///   - names: those of the sources.
    ///   - check: called periodically; throws to stop.
    /// - Returns: the number of groups.
    func write(
        to output: any ByteOutput, _ style: SnapshotStyle, names: SourceNames, threads: Int,
        progress: RunProgress, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) -> UInt64 {
        switch self {
        case .shards(let shards, let top):
            var writer = SnapshotWriter(shards, top: top, style: style, names: names, threads: threads)
            try writer.write(to: output, progress: progress, check: check)
            return shards.reduce(0) { $0 + UInt64($1.groups.count) }
        case .timeline(let shards, let order):
            var writer = SnapshotWriter(shards, order: order, style: style, names: names)
            try writer.write(to: output, progress: progress, check: check)
            return count ?? 0
        case .files(let state):
            return try state.writeSnapshot(
                to: output, style: style, names: names, threads: threads, progress: progress)
        }
    }
}
