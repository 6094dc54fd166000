import SheafBytes

/// The generated sample log: compressed, as in `Data`, and inflated.
enum SampleLog {
    /// The number of bytes in a chunk, as in a replay.
    static let chunkBytes = 512 << 10
    private static let path = root + "Data/generated/sample.ndjson.gz"
    static let compressed = read(path)
    static let text = inflate(compressed)

    private static let root: String = {
        // …/Benchmarks/Benchmarks/ReplayBenchmarks/SampleLog.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/") + "/"
    }()

    private static func read(_ path: String) -> [UInt8] {
        do {
            var file = try SystemStorage().openForReading(path)
            defer { file.close() }
            var content: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 256 << 10)
            while true {
                var target = buffer.mutableSpan
                let count = try file.read(into: &target)
                if count == 0 { return content }
                content.append(buffer.span.extracting(first: count))
            }
        } catch {
            fatalError("\(error)")
        }
    }

    /// Inflates chunk by chunk, as a replay does.
    static func inflate(_ compressed: [UInt8], _ inflater: Inflater, _ body: (Chunk) -> Void) {
        let maximumLine = 1 << 20
        let chunk = Chunk(
            capacity: ChunkFiller.chunkCapacity(targetBytes: chunkBytes, maximumLine: maximumLine))
        var filler = ChunkFiller(
            SourceInput(MemoryInput(compressed), inflater: inflater), targetBytes: chunkBytes,
            maximumLine: maximumLine)
        while true {
            let ending = filler.fill(chunk)
            body(chunk)
            guard case .more = ending else { return }
        }
    }

    private static func inflate(_ compressed: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        inflate(compressed, .standard) { text.append($0.bytes) }
        return text
    }
}
