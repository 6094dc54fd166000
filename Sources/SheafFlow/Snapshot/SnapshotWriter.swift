import Dispatch
import SheafBytes
import SheafGroups

/// Writes a snapshot: groups in their order, rendered side by side, written in order.
///
///     groups ──take──▶ | piece | piece | piece | piece |    some are rendered, each by a thread of its own, while
///                           ▲                       │       this thread writes the oldest and fills it again
///                           └───────────────────────┘
///
/// Holds what its pieces hold, of which there are two a thread: a snapshot of any size takes no more memory than its
/// groups and `Limits.pieceBytes` for each piece.
struct SnapshotWriter<Piece: GroupPiece> {
    private var groups: Piece.Groups
    private let pieces: [Piece]
    private let queue = DispatchQueue(label: "sheaf.render", attributes: .concurrent)

    /// - Parameter pieces: two a thread.
    init(_ groups: Piece.Groups, pieces: [Piece]) {
        self.groups = groups
        self.pieces = pieces
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
        for piece in pieces { try start(piece) }
        var oldest = 0
        while true {
            let piece = pieces[oldest]
            piece.rendering.wait()
            // Groups are dealt out in order: behind a piece without any there are none.
            if piece.groupCount == 0 { return }
            try check()
            try Self.write(piece, to: file)
            progress.addWritten(UInt64(piece.groupCount))
            try start(piece)
            oldest = (oldest + 1) % pieces.count
        }
    }

    /// Writes the lines that were rendered, and those of the groups that are left: where texts are of an uncommon
    /// size, there are more than the piece's buffer holds.
    private static func write(_ piece: Piece, to file: OutputFile) throws(ReplayError) {
        do {
            try piece.write(to: file)
            while !piece.isRendered {
                piece.render()
                try piece.write(to: file)
            }
        } catch {
            throw .writing(error)
        }
    }

    /// Deals the next groups out to a piece, of which there may be none, and starts to render them.
    private mutating func start(_ piece: Piece) throws(ReplayError) {
        try piece.take(from: &groups)
        guard piece.groupCount > 0 else { return }
        queue.async(group: piece.rendering) { piece.render() }
    }
}

extension SnapshotWriter<ShardPiece> {
    /// Of the groups that shards hold in memory.
    init(_ shards: [SortedShard], options: ReplayOptions, names: SourceNames) {
        let pieces = (0..<(2 * options.threads)).map { _ in
            ShardPiece(shards, GroupRenderer(options: options, names: names, shards: shards.count))
        }
        self.init(ShardMerge(shards), pieces: pieces)
    }
}
