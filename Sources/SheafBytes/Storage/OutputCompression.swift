import CZlib
import CZstd

/// The compression of an output file, which its name decides.
package enum OutputCompression: String, CaseIterable, Sendable {
    case gzip = ".gz"
    case zstd = ".zst"

    /// The compression for a file's name; nil if the file is not compressed.
    package init?(path: String) {
        guard let compression = Self.allCases.first(where: { path.hasSuffix($0.suffix) }) else { return nil }
        self = compression
    }

    /// The end of the names of files with this compression.
    package var suffix: String { rawValue }

    /// Returns a name without the suffix of a compression.
    package static func removingSuffix(_ name: String) -> Substring {
        name.dropLast(OutputCompression(path: name)?.suffix.count ?? 0)
    }

    func compressor() -> any OutputCompressor {
        switch self {
        case .gzip: GzipCompressor()
        case .zstd: ZstdCompressor()
        }
    }
}

/// Compresses the bytes of one output file, piece by piece.
protocol OutputCompressor: AnyObject {
    /// Compresses `bytes` and writes the output to `file`.
    func write(_ bytes: Span<UInt8>, to file: any WritableFile) throws(StorageError)

    /// Ends the compressed data. Nothing may be written afterwards.
    func finish(to file: any WritableFile) throws(StorageError)
}

/// Compresses bytes into one gzip member, piece by piece.
///
/// The header contains neither a time nor a name, so the same input gives the same output with the same zlib. A class
/// for the same reason as `ZlibStream`: zlib keeps the address of its `z_stream`.
@safe package final class GzipCompressor: OutputCompressor {
    private let stream: UnsafeMutablePointer<z_stream>
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    package init(level: Int32 = 6) {
        // Safety: allocated and initialized here. `deinit` frees it after `deflateEnd`, so zlib never has a dangling
        // address.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let gzipFraming: Int32 = 16
        let status = unsafe deflateInit2_(
            stream, level, Z_DEFLATED, MAX_WBITS + gzipFraming, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not be started: status \(status); out of memory?")
    }

    deinit {
        // Safety: `init` allocated and initialized the stream, and nothing refers to it after `deflateEnd`.
        unsafe deflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// Compresses `bytes` and writes the output to `file`.
    package func write(_ bytes: Span<UInt8>, to file: any WritableFile) throws(StorageError) {
        try compress(bytes, flush: Z_NO_FLUSH, to: file)
    }

    /// Ends the member. Nothing may be written afterwards.
    package func finish(to file: any WritableFile) throws(StorageError) {
        let nothing: [UInt8] = []
        try compress(nothing.span, flush: Z_FINISH, to: file)
    }

    private func compress(
        _ bytes: Span<UInt8>, flush: Int32, to file: any WritableFile
    ) throws(StorageError) {
        var offset = 0
        while true {
            let (consumed, produced, isFull) = step(bytes.extracting(droppingFirst: offset), flush: flush)
            offset += consumed
            if produced > 0 {
                let compressed = output
                try file.write(compressed.span.extracting(first: produced))
            }
            if !isFull, offset == bytes.count { return }
        }
    }

    private func step(_ input: Span<UInt8>, flush: Int32) -> (consumed: Int, produced: Int, isFull: Bool) {
        unsafe input.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                let available = min(source.count, Int(UInt32.max))
                // Safety: zlib reads at most `available` bytes of the input and writes at most `target.count` bytes.
                // Both buffers outlive the call, and the stream's pointers to them are reset before it returns.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(available)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(target.count)
                let status = unsafe deflate(stream, flush)
                // Z_BUF_ERROR only means that there was nothing to do.
                precondition(status != Z_STREAM_ERROR, "the gzip member has already ended")
                let consumed = available - Int(unsafe stream.pointee.avail_in)
                let remaining = Int(unsafe stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
                return (consumed, target.count - remaining, remaining == 0)
            }
        }
    }
}

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
