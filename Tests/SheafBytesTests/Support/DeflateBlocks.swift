import CZlib

/// Raw DEFLATE whose blocks a test chooses.
struct DeflateBlocks: Sendable {
    var level: Int32 = 6
    /// 1: a block ends after 127 literals and matches; 9: after 32767.
    var memory: Int32 = 9
    var strategy = Z_DEFAULT_STRATEGY
    /// What ends each piece of the content but the last.
    var flush = Z_NO_FLUSH
    var pieceBytes = Int.max

    static let one = DeflateBlocks()
    static let small = DeflateBlocks(memory: 1)
    static let smallFixed = DeflateBlocks(memory: 1, strategy: Z_FIXED)

    static func stored(every pieceBytes: Int) -> DeflateBlocks {
        DeflateBlocks(level: 0, flush: Z_BLOCK, pieceBytes: pieceBytes)
    }

    /// A block ends after each piece; what zlib's manual says of `flush` stands between the pieces.
    static func flushed(_ flush: Int32, every pieceBytes: Int) -> DeflateBlocks {
        DeflateBlocks(flush: flush, pieceBytes: pieceBytes)
    }

    func body(of content: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        let status = unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, -MAX_WBITS, memory, strategy, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not be started")
        defer { unsafe deflateEnd(&stream) }
        var body: [UInt8] = []
        var rest = content[...]
        repeat {
            let piece = Array(rest.prefix(pieceBytes))
            rest = rest.dropFirst(piece.count)
            body += unsafe Self.deflate(piece, rest.isEmpty ? Z_FINISH : flush, &stream)
        } while !rest.isEmpty
        return body
    }

    @unsafe private static func deflate(_ piece: [UInt8], _ flush: Int32, _ stream: inout z_stream) -> [UInt8]
    {
        var input = piece
        // Room for what a piece can become, and for what zlib held back of those before.
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
        return Array(output[..<count])
    }
}
