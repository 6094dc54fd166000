import CZstd

/// Compresses bytes into one zstd frame with a checksum, piece by piece.
///
/// Blocks have the same lengths whatever the pieces are, so the same input gives the same output with the same libzstd.
@safe package final class ZstdCompressor: OutputCompressor {
    private let context: OpaquePointer
    private var output = [UInt8](repeating: 0, count: 1 << 17)
    private var hasEnded = false

    /// libzstd's own default.
    package static let defaultLevel: Int32 = 3

    /// - Parameters:
    ///   - level: from 1 to 22.
    ///   - windowLog: the logarithm of the window's length in bytes; nil for that of the level.
    package init(
        level: Int32 = ZstdCompressor.defaultLevel, hasChecksum: Bool = true, windowLog: Int32? = nil
    ) {
        guard let context = unsafe ZSTD_createCCtx() else {
            preconditionFailure("libzstd could not be started; out of memory?")
        }
        // Safety: `deinit` frees the context and nothing else does.
        unsafe self.context = context
        set(ZSTD_c_compressionLevel, level)
        set(ZSTD_c_checksumFlag, hasChecksum ? 1 : 0)
        if let windowLog { set(ZSTD_c_windowLog, windowLog) }
    }

    private func set(_ parameter: ZSTD_cParameter, _ value: Int32) {
        let status = unsafe ZSTD_CCtx_setParameter(context, parameter, value)
        precondition(ZSTD_isError(status) == 0, "libzstd does not accept \(value) for a parameter")
    }

    deinit {
        // Safety: `init` created the context, and nothing uses it any more.
        unsafe ZSTD_freeCCtx(context)
    }

    /// Compresses `bytes` and writes the output to `file`.
    package func write(_ bytes: Span<UInt8>, to file: any WritableFile) throws(StorageError) {
        try compress(bytes, ZSTD_e_continue, to: file)
    }

    /// Ends the current block, so that everything written so far can be decoded.
    package func flush(to file: any WritableFile) throws(StorageError) {
        let nothing: [UInt8] = []
        try compress(nothing.span, ZSTD_e_flush, to: file)
    }

    /// Ends the frame. Nothing may be written afterwards.
    package func finish(to file: any WritableFile) throws(StorageError) {
        let nothing: [UInt8] = []
        try compress(nothing.span, ZSTD_e_end, to: file)
        hasEnded = true
    }

    private func compress(
        _ bytes: Span<UInt8>, _ directive: ZSTD_EndDirective, to file: any WritableFile
    ) throws(StorageError) {
        precondition(!hasEnded, "the zstd frame has already ended")
        var offset = 0
        while true {
            let (consumed, produced, left) = step(bytes.extracting(droppingFirst: offset), directive)
            offset += consumed
            if produced > 0 {
                let compressed = output
                try file.write(compressed.span.extracting(first: produced))
            }
            let isDone = directive == ZSTD_e_continue || left == 0
            if isDone, offset == bytes.count { return }
        }
    }

    /// - Returns: the number of bytes consumed and produced, and 0 once nothing is left to be flushed.
    private func step(
        _ input: Span<UInt8>, _ directive: ZSTD_EndDirective
    ) -> (consumed: Int, produced: Int, left: Int) {
        unsafe input.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // Safety: libzstd reads at most the bytes of the input and writes at most those of the target. Both
                // outlive the call, and libzstd keeps no pointer to them.
                var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                var room = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let left = unsafe ZSTD_compressStream2(context, &room, &input, directive)
                precondition(ZSTD_isError(left) == 0, "libzstd could not compress; out of memory?")
                return (unsafe input.pos, unsafe room.pos, left)
            }
        }
    }
}
