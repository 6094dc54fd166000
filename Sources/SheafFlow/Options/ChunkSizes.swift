import SheafBytes

/// The sizes by which sources are divided into chunks.
struct ChunkSizes: Sendable {
    /// The target size of a chunk, in bytes.
    var targetBytes: Int
    /// The maximum length of a line, in bytes.
    var maximumLine: Int

    /// The memory of a chunk, in bytes.
    var capacity: Int { ChunkFiller.chunkCapacity(targetBytes: targetBytes, maximumLine: maximumLine) }
}
