import CZlib

/// A compressor to raw DEFLATE with control over blocks.
package struct DeflateBlocks: Sendable {
    package var level: Int32
    /// zlib's memory level: with 1 a block ends after 127 literals and matches, with 9 after 32767.
    package var memory: Int32
    package var strategy: Int32
    /// The flush mode at the end of each piece of the content except the last.
    package var flush: Int32
    package var pieceBytes: Int

    package init(
        level: Int32 = 6, memory: Int32 = 9, strategy: Int32 = Z_DEFAULT_STRATEGY,
        flush: Int32 = Z_NO_FLUSH, pieceBytes: Int = .max
    ) {
        self.level = level
        self.memory = memory
        self.strategy = strategy
        self.flush = flush
        self.pieceBytes = pieceBytes
    }

    package func body(of content: [UInt8]) -> [UInt8] {
        var pieces: [[UInt8]] = []
        var rest = content[...]
        repeat {
            pieces.append(Array(rest.prefix(pieceBytes)))
            rest = rest.dropFirst(pieces[pieces.count - 1].count)
        } while !rest.isEmpty
        return body(of: pieces)
    }

    /// - Parameter pieces: the content, in the pieces that are passed to zlib.
    package func body(of pieces: [[UInt8]]) -> [UInt8] {
        var stream = unsafe z_stream()
        let status = unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, -MAX_WBITS, memory, strategy, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not be started: status \(status); out of memory?")
        defer { unsafe deflateEnd(&stream) }
        var body: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            body += unsafe Self.deflate(piece, index + 1 == pieces.count ? Z_FINISH : flush, &stream)
        }
        return body
    }

    @unsafe private static func deflate(_ piece: [UInt8], _ flush: Int32, _ stream: inout z_stream) -> [UInt8]
    {
        var input = piece
        // Enough for the compressed piece, and for the bytes that zlib buffered of earlier pieces.
        var output = [UInt8](repeating: 0, count: 2 * piece.count + (1 << 18))
        let count = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // Safety: both buffers outlive the call.
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                _ = unsafe CZlib.deflate(&stream, flush)
                return target.count - Int(unsafe stream.avail_out)
            }
        }
        precondition(count < output.count, "the output buffer is too small for a piece")
        return Array(output[..<count])
    }
}
