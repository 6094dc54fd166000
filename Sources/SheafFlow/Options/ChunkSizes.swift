import SheafBytes

/// The sizes by which sources are divided into chunks.
struct ChunkSizes: Sendable {
    /// The target size of a chunk, in bytes.
    var targetBytes: Int
    /// The maximum length of a line, in bytes.
    var maximumLine: Int
    /// The memory for texts that no line has, beside those of localized alerts, in bytes.
    var constantBytes = 0

    /// Whether a chunk ends with the lines that are there, so that none waits for others.
    var endEarly = false

    /// The room for texts that no line has, in bytes: localized alerts take at most as much as the lines.
    var annex: Int { capacity + constantBytes }

    /// The memory of a chunk, in bytes.
    var capacity: Int { ChunkFiller.chunkCapacity(targetBytes: targetBytes, maximumLine: maximumLine) }
}
