import CZlib
import SheafBytes

/// A gzip member of several DEFLATE blocks, most of which begin inside a byte and refer to what is before them: one that
/// can be read on from its middle.
struct BlockedMember {
    private(set) var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]

    /// - Parameter pieces: what each block holds.
    init(_ pieces: [[UInt8]]) {
        var stream = unsafe z_stream()
        let rawDeflate = -MAX_WBITS
        let started = unsafe deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, rawDeflate, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(started == Z_OK, "zlib could not be started: status \(started); out of memory?")
        defer { unsafe deflateEnd(&stream) }
        var checksum = Checksum()
        var length = 0
        for (index, piece) in pieces.enumerated() {
            unsafe deflate(piece, &stream, index + 1 == pieces.count ? Z_FINISH : Z_PARTIAL_FLUSH)
            checksum.update(piece.span)
            length += piece.count
        }
        for word in [checksum.value, UInt32(length)] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }

    private mutating func deflate(_ piece: [UInt8], _ stream: inout z_stream, _ flush: Int32) {
        var input = piece
        var output = [UInt8](repeating: 0, count: 2 * piece.count + 100)
        unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // Safety: zlib reads the piece and writes as many bytes as the output has; both outlive its call.
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                _ = unsafe CZlib.deflate(&stream, flush)
            }
        }
        let left = Int(unsafe stream.avail_out)
        precondition(left > 0, "a block that is longer than twice what it holds")
        bytes += output[..<(output.count - left)]
    }
}
