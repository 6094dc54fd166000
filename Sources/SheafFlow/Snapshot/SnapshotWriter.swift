import Dispatch
import SheafBytes
import SheafGroups

/// Writes a snapshot: the shards' sorted groups merged, rendered side by side, written in order.
///
///     shards ──merge──▶ | piece | piece | piece |   groups in the snapshot's order
///                          │       │       │        each rendered by a thread of its own
///                          ▼       ▼       ▼
///                       written one after the other
///
/// Holds one output buffer a piece; the next groups are taken when these are written, so that a snapshot of any
/// size takes no more memory than its groups.
struct SnapshotWriter {
    private let shards: [SortedShard]
    private let pieces: [Piece]
    private var merge: ShardMerge

    private final class Piece: @unchecked Sendable {
        // Unchecked because each piece is rendered by one iteration of `concurrentPerform` and written after all.
        var places: [GroupPlace] = []
        var output = OutputBuffer()
        private var renderer: GroupRenderer

        init(_ renderer: GroupRenderer) { self.renderer = renderer }

        func render(_ shards: [SortedShard]) {
            output.removeAll()
            for index in places.indices {
                prefetch(index, shards)
                let place = places[index]
                renderer.append(
                    place.index, of: shards[place.shard].groups, shard: place.shard, to: &output)
            }
        }

        /// Groups that follow each other in the order are anywhere in memory: it is asked for before they are
        /// rendered, a group's state first, then what it refers to.
        private func prefetch(_ index: Int, _ shards: [SortedShard]) {
            if index + 16 < places.count {
                let place = places[index + 16]
                shards[place.shard].groups.prefetchState(at: place.index)
            }
            if index + 8 < places.count {
                let place = places[index + 8]
                shards[place.shard].groups.prefetchContents(at: place.index)
            }
        }
    }

    init(_ shards: [SortedShard], options: ReplayOptions, names: SourceNames) {
        self.shards = shards
        pieces = (0..<options.threads).map { _ in
            Piece(GroupRenderer(options: options, names: names, shards: shards.count))
        }
        merge = ShardMerge(shards)
    }

    /// Writes all groups to `file`.
    ///
    /// - Parameters:
    ///   - progress: is told of the groups that were written.
    ///   - check: called now and then; throws to end it.
    mutating func write(
        to file: OutputFile, progress: Progress, check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        while takePlaces() {
            try check()
            DispatchQueue.concurrentPerform(iterations: pieces.count) { [pieces, shards] index in
                pieces[index].render(shards)
            }
            for piece in pieces {
                do {
                    try file.write(piece.output.bytes)
                } catch {
                    throw .writing(error)
                }
                progress.addWritten(UInt64(piece.places.count))
            }
        }
    }

    /// Deals the next groups out to the pieces; false when there are none.
    private mutating func takePlaces() -> Bool {
        for piece in pieces {
            piece.places.removeAll(keepingCapacity: true)
            while piece.places.count < Limits.groupsPerPiece, let place = merge.next() {
                piece.places.append(place)
            }
        }
        return pieces.contains { !$0.places.isEmpty }
    }
}
