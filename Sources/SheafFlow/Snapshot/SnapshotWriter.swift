import Dispatch
import SheafBytes
import SheafGroups

/// Writes a snapshot: the shards' sorted groups merged, rendered side by side, written in order.
///
///     shards ──merge──▶ | piece | piece | piece | piece |   some are rendered, each by a thread of its own, while
///                           ▲                       │       this thread writes the oldest and fills it again
///                           └───────────────────────┘
///
/// Holds one output buffer a piece, of which there are two a thread: a snapshot of any size takes no more memory than
/// its groups and `Limits.pieceBytes` for each piece.
struct SnapshotWriter {
    private let shards: [SortedShard]
    private var merge: ShardMerge
    private let pieces: [SnapshotPiece]
    private let queue = DispatchQueue(label: "sheaf.render", attributes: .concurrent)

    init(_ shards: [SortedShard], options: ReplayOptions, names: SourceNames) {
        self.shards = shards
        merge = ShardMerge(shards)
        pieces = (0..<(2 * options.threads)).map { _ in
            SnapshotPiece(GroupRenderer(options: options, names: names, shards: shards.count))
        }
    }

    /// Writes all groups to `file`.
    ///
    /// - Parameters:
    ///   - progress: is told of the groups that were written.
    ///   - check: called now and then; throws to end it.
    mutating func write(
        to file: OutputFile, progress: Progress, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        // Whatever ends it, nothing is rendered any more when this returns.
        defer { for piece in pieces { piece.rendering.wait() } }
        for piece in pieces { start(piece) }
        var oldest = 0
        while true {
            let piece = pieces[oldest]
            piece.rendering.wait()
            // Groups are dealt out in order: behind a piece without any there are none.
            if piece.groupCount == 0 { return }
            try check()
            do {
                try piece.write(shards, to: file)
            } catch {
                throw .writing(error)
            }
            progress.addWritten(UInt64(piece.groupCount))
            start(piece)
            oldest = (oldest + 1) % pieces.count
        }
    }

    /// Deals the next groups out to a piece, of which there may be none, and starts to render them.
    private mutating func start(_ piece: SnapshotPiece) {
        piece.take(from: &merge)
        guard piece.groupCount > 0 else { return }
        queue.async(group: piece.rendering) { [shards] in piece.render(shards) }
    }
}
