import CZstd

/// A zstd decompression stream in libzstd.
///
/// libzstd receives a frame part by part: the header, the header of a block, a block, the checksum. It does not decode
/// a block before it has all of it, and given a whole frame it would decode all of it or nothing. With parts, the bytes
/// that precede damage do not depend on how many bytes were available at once.
///
/// A class because it owns libzstd's context. `close()` may be called any number of times and is called by `deinit` at
/// the latest.
///
/// Safety: libzstd's functions require a context that was not freed: after `close()`, `context` is nil.
@safe final class ZstdStream {
    private var context: OpaquePointer?

    init() {
        unsafe context = ZSTD_createDCtx()
        precondition(unsafe context != nil, "libzstd could not be started; out of memory?")
        // The decoder checks the window of each frame first, so this limit guards against a mistake there.
        let windowLog = Int32(ZstdFrameHeader.maximumWindow.trailingZeroBitCount)
        let status = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)
        precondition(ZSTD_isError(status) == 0, "libzstd does not accept a window of 2^\(windowLog) bytes")
    }

    deinit { close() }

    func close() {
        unsafe ZSTD_freeDCtx(context)
        unsafe context = nil
    }

    /// Prepares the stream for the next frame. O(1), without a new allocation.
    func reset() {
        precondition(unsafe context != nil, "the stream was closed")
        unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    }

    /// Decodes a whole part, or continues to return the last one's output if `part` is empty. Output that does not fit
    /// is returned by the next calls, which have no part, until one of them returns less than there is room for.
    ///
    /// - Returns: the number of bytes written to `output`, which is not empty; nil if the part is invalid.
    func decode(_ part: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
        precondition(unsafe context != nil, "the stream was closed")
        return unsafe part.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // Safety: libzstd reads at most the bytes of the part and writes at most those of the target. Both
                // outlive the call, and libzstd keeps no pointer to them.
                var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                var room = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let status = unsafe ZSTD_decompressStream(context, &room, &input)
                return ZSTD_isError(status) == 0 ? unsafe room.pos : nil
            }
        }
    }
}
