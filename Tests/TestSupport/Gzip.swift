import SheafBytes

/// Returns one gzip member with `content`, as the compressor writes it.
package func gzip(_ content: [UInt8]) -> [UInt8] {
    let file = CollectingFile()
    let compressor = GzipCompressor()
    do {
        try compressor.write(content.span, to: file)
        try compressor.finish(to: file)
    } catch {
        preconditionFailure("a file in memory cannot fail: \(error)")
    }
    return file.bytes
}
