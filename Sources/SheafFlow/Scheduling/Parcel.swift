import SheafBytes
import SheafGroups

/// A chunk on its way, with what decoding made of it: for each shard the notifications that are its own.
///
/// There is a fixed number of parcels; they go round and their buffers are used again. A parcel has one owner at
/// a time (its reader, then a worker) and after decoding is only read, by the shards and the rejects' writer,
/// until the last of them lets it go.
final class Parcel: @unchecked Sendable {
    // Unchecked because the owner changes with the stage: `FlowControl` hands it on, a queue orders the accesses.
    private(set) var chunk: Chunk
    /// Its place among the parcels.
    let index: Int
    var source = 0
    /// Counts the source's chunks.
    var sequence = 0
    /// Where the chunk's bytes are owed until they are decoded.
    var checksum: DeferredChecksum?
    /// By shard. Capacity is kept from chunk to chunk.
    var batches: [ContiguousArray<RoutedRecord>]
    /// The chunk's rejected lines, when they are wanted.
    var rejects = RejectedLines()

    init(index: Int, capacity: Int, shards: Int) {
        self.index = index
        chunk = Chunk(capacity: capacity)
        batches = Array(repeating: [], count: shards)
    }

    /// Gives its memory back. Nothing is read any more.
    func giveBack() {
        chunk = Chunk(capacity: 1)
        batches = []
        rejects = RejectedLines()
    }

    func clearBatches() {
        for index in batches.indices { batches[index].removeAll(keepingCapacity: true) }
        rejects.removeAll()
    }
}
