import CZlib

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
