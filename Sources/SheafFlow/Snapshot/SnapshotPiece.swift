import Dispatch
import SheafBytes

/// Some groups that follow each other in a snapshot, and their lines.
///
/// Filled, rendered and written in turn; rendered again where the lines are more than one buffer holds.
final class SnapshotPiece: @unchecked Sendable {
    // Unchecked because a piece belongs to one thread at a time: to the writer, or to the one that renders it
    // until the writer has waited for that.
    private var places: [GroupPlace] = []
    /// The place of the first group that is not rendered yet.
    private var rendered = 0
    /// The lines that were rendered last: at most `Limits.pieceBytes`, and the one that went beyond it.
    private var output = OutputBuffer()
    private var renderer: GroupRenderer
    /// Has the piece while it is being rendered.
    let rendering = DispatchGroup()

    /// How many groups ahead memory is asked for: groups that follow each other are anywhere in it. A group's state
    /// comes first, since it says where the rest is.
    private static let stateLookahead = 16
    private static let contentsLookahead = 8

    init(_ renderer: GroupRenderer) { self.renderer = renderer }

    var groupCount: Int { places.count }

    /// Whether all the groups' lines have been in `output`.
    private var isRendered: Bool { rendered == places.count }

    /// Takes the next groups in place of those it has.
    func take(from merge: inout ShardMerge) {
        rendered = 0
        places.removeAll(keepingCapacity: true)
        while places.count < Limits.groupsPerPiece, let place = merge.next() { places.append(place) }
    }

    /// Writes the lines that were rendered, and those of the groups that are left: where texts are of an uncommon
    /// size, there are more than the buffer holds.
    func write(_ shards: [SortedShard], to file: OutputFile) throws(StorageError) {
        try Self.write(output, to: file)
        while !isRendered {
            render(shards)
            try Self.write(output, to: file)
        }
    }

    private static func write(_ output: borrowing OutputBuffer, to file: OutputFile) throws(StorageError) {
        try file.write(output.bytes)
    }

    /// Renders the next groups, as many as the buffer holds.
    func render(_ shards: [SortedShard]) {
        rendered = Self.render(places, from: rendered, shards, by: &renderer, to: &output)
    }

    /// - Returns: the place of the first group that is left.
    private static func render(
        _ places: [GroupPlace], from start: Int, _ shards: [SortedShard], by renderer: inout GroupRenderer,
        to output: inout OutputBuffer
    ) -> Int {
        output.removeAll()
        var index = start
        while index < places.count, output.count < Limits.pieceBytes {
            if index + stateLookahead < places.count {
                let ahead = places[index + stateLookahead]
                shards[ahead.shard].groups.prefetchState(at: ahead.index)
            }
            if index + contentsLookahead < places.count {
                let ahead = places[index + contentsLookahead]
                shards[ahead.shard].groups.prefetchContents(at: ahead.index)
            }
            let place = places[index]
            renderer.append(
                place.index, of: shards[place.shard].groups, shard: place.shard, to: &output)
            index += 1
        }
        return index
    }
}
