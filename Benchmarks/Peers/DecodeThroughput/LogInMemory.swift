import SheafBytes
import SheafFlow

/// The bytes of a log, which can be split into chunks any number of times.
struct LogInMemory {
    let bytes: [UInt8]

    /// Reads the whole file at `path`, which is not compressed.
    init(readingFrom path: String) throws(StorageError) {
        let storage = SystemStorage()
        let size = try storage.status(of: path)?.size ?? 0
        var content: [UInt8] = []
        content.reserveCapacity(Int(size))
        var file = try storage.openForReading(path)
        defer { file.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            var target = buffer.mutableSpan
            let count = try file.read(into: &target)
            if count == 0 { break }
            content += buffer.prefix(count)
        }
        bytes = content
    }

    /// Returns chunks of whole lines, as full as those of a replay.
    func chunks() -> [Chunk] {
        var chunks: [Chunk] = []
        var start = 0
        while start < bytes.count {
            let target = min(start + Limits.chunkBytes, bytes.count)
            let lineFeed = UInt8(ascii: "\n")
            let end =
                bytes[start..<target].lastIndex(of: lineFeed) ?? bytes[target...].firstIndex(of: lineFeed)
            let next = end.map { $0 + 1 } ?? bytes.count
            chunks.append(Chunk(Array(bytes[start..<next]), maximumLine: Limits.lineBytes))
            start = next
        }
        return chunks
    }
}
