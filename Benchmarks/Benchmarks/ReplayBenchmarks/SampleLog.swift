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
            return try drain { (buffer: inout MutableSpan<UInt8>) throws(StorageError) in
                try file.read(into: &buffer)
            }
        } catch {
            fatalError("\(error)")
        }
    }

    static func inflate(_ compressed: [UInt8]) -> [UInt8] {
        var input = SourceInput(MemoryInput(compressed))
        do {
            return try drain { (buffer: inout MutableSpan<UInt8>) throws(SourceError) in
                try input.read(into: &buffer)
            }
        } catch {
            fatalError("\(error)")
        }
    }

    private static func drain<Failure: Error>(
        _ read: (inout MutableSpan<UInt8>) throws(Failure) -> Int
    ) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            var target = buffer.mutableSpan
            let count = try read(&target)
            if count == 0 { return content }
            content.append(buffer.span.extracting(first: count))
        }
    }
}
