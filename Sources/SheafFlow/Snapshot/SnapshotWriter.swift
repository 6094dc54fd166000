import Dispatch
import SheafBytes
import SheafGroups

/// Writes a snapshot: the shards' sorted groups merged, rendered side by side, written in order.
///
///     shards ──merge──▶ | piece | piece | piece |   one batch is rendered, each piece by a thread of its own,
///                       | piece | piece | piece |   while this thread writes the one before and fills it again
///
/// Holds one output buffer a piece, two batches of as many pieces as there are threads: a snapshot of any size
/// takes no more memory than its groups and `Limits.pieceBytes` for each piece.
struct SnapshotWriter {
    private let shards: [SortedShard]
    private var merge: ShardMerge
    private let batches: [Batch]
    private let queue = DispatchQueue(label: "sheaf.render", attributes: .concurrent)

    init(_ shards: [SortedShard], options: ReplayOptions, names: SourceNames) {
        self.shards = shards
        merge = ShardMerge(shards)
        batches = (0..<2).map { _ in
            Batch(
                (0..<options.threads).map { _ in
                    SnapshotPiece(GroupRenderer(options: options, names: names, shards: shards.count))
                })
        }
    }

    /// Pieces that follow each other.
    private struct Batch {
        let pieces: [SnapshotPiece]
        let rendering = DispatchGroup()

        init(_ pieces: [SnapshotPiece]) { self.pieces = pieces }

        var isEmpty: Bool { pieces.allSatisfy { $0.groupCount == 0 } }
    }

    /// Writes all groups to `file`.
    ///
    /// - Parameters:
    ///   - progress: is told of the groups that were written.
    ///   - check: called now and then; throws to end it.
    mutating func write(
        to file: OutputFile, progress: Progress, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var (current, other) = (batches[0], batches[1])
        fill(current)
        if current.isEmpty { return }
        try check()
        while !current.isEmpty {
            render(current)
            do throws(ReplayError) {
                if !other.isEmpty {
                    try write(other, to: file, progress: progress)
                    try check()
                }
            } catch {
                current.rendering.wait()
                throw error
            }
            fill(other)
            current.rendering.wait()
            swap(&current, &other)
        }
        try write(other, to: file, progress: progress)
    }

    /// Deals the next groups out to the pieces of a batch; there may be none.
    private mutating func fill(_ batch: Batch) {
        for piece in batch.pieces { piece.take(from: &merge) }
    }

    /// Starts to render a batch; `rendering` tells when it is done.
    private func render(_ batch: Batch) {
        for piece in batch.pieces where piece.groupCount > 0 {
            queue.async(group: batch.rendering) { [shards] in piece.render(shards) }
        }
    }

    private func write(
        _ batch: Batch, to file: OutputFile, progress: Progress
    ) throws(ReplayError) {
        for piece in batch.pieces where piece.groupCount > 0 {
            do {
                try file.write(piece.output.bytes)
                // Groups with texts of an uncommon size are more than a piece holds.
                while !piece.isRendered {
                    piece.render(shards)
                    try file.write(piece.output.bytes)
                }
            } catch {
                throw .writing(error)
            }
            progress.addWritten(UInt64(piece.groupCount))
        }
    }
}
