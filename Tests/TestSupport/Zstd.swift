import SheafBytes

/// Returns one zstd frame with `content`, as the compressor writes it.
///
/// - Parameters:
///   - level: from 1 to 22.
///   - windowLog: the logarithm of the window's length in bytes; nil for that of the level.
///   - pieceBytes: the number of bytes after which the current block ends; nil for the compressor's own choice.
package func zstd(
    _ content: [UInt8], level: Int32 = ZstdCompressor.defaultLevel, hasChecksum: Bool = true,
    windowLog: Int32? = nil, pieceBytes: Int? = nil
) -> [UInt8] {
    let file = CollectingFile()
    let compressor = ZstdCompressor(level: level, hasChecksum: hasChecksum, windowLog: windowLog)
    do {
        var offset = 0
        while offset < content.count {
            let end = min(content.count, offset + (pieceBytes ?? content.count))
            try compressor.write(content.span.extracting(offset..<end), to: file)
            if end < content.count { try compressor.flush(to: file) }
            offset = end
        }
        try compressor.finish(to: file)
    } catch {
        preconditionFailure("a file in memory cannot fail: \(error)")
    }
    return file.bytes
}
