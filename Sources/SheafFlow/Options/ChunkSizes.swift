import SheafBytes

/// The sizes by which sources are divided into chunks.
struct ChunkSizes: Sendable {
    /// The target size of a chunk, in bytes.
    var targetBytes: Int
    /// The maximum length of a line, in bytes.
    var maximumLine: Int
    /// The maximum length of a key before each line, in bytes; 0 for lines without keys.
    var keyBytes = 0
    /// The memory for texts that no line has, beside those of localized alerts, in bytes.
    var constantBytes = 0

    /// Whether a chunk ends with the lines that are there, so that none waits for others.
    var endEarly = false

    /// The room for texts that no line has, in bytes: localized alerts take at most as much as the lines.
    var annex: Int { capacity + constantBytes }

    /// The maximum length of a line with its key, in bytes. Of a longer one, enough is kept after the longest key to
    /// quote it in a reject.
    var maximumRead: Int {
        keyBytes == 0 ? maximumLine : max(maximumLine, ChunkFiller.quotedBytes) + keyBytes
    }

    /// The memory of a chunk, in bytes.
    var capacity: Int { ChunkFiller.chunkCapacity(targetBytes: targetBytes, maximumLine: maximumRead) }
}
