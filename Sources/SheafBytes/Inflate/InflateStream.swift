import CZlib

/// One raw DEFLATE stream in zlib, without gzip's header and trailer.
///
/// A class because zlib keeps the address of its `z_stream`: it must not move. `close()` may be called any
/// number of times and is called at the latest when the object goes.
@safe final class InflateStream {
    enum Outcome: Equatable {
        /// Input used up or output full; the stream goes on.
        case progress
        /// The final block ended; what input is left belongs to whatever follows.
        case finished
        case corrupt
    }

    /// A stable address for as long as the object lives.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isOpen = false

    init() {
        // Safety: allocated here, given back in `deinit` after `close()`; initialised before any use.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not be started: status \(status); out of memory?")
        isOpen = true
    }

    deinit {
        close()
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        unsafe inflateEnd(stream)
    }

    /// Makes the stream ready for the next member. O(1), without a new allocation.
    func reset() {
        precondition(isOpen, "the stream was closed")
        unsafe inflateReset(stream)
    }

    /// Inflates as much of `input` as fits into `output`.
    ///
    /// - Returns: bytes taken from `input`, bytes put into `output`, and how it stands.
    func inflate(
        _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>
    ) -> (consumed: Int, produced: Int, outcome: Outcome) {
        precondition(isOpen, "the stream was closed")
        return unsafe input.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                let room = min(target.count, Int(UInt32.max))
                let available = min(source.count, Int(UInt32.max))
                // Safety: zlib reads `available` bytes of the source and writes `room` bytes of the target, both
                // of which outlive this call; the pointers are taken back before it returns. zlib does not write
                // through `next_in`; its type lacks the `const` for old compilers.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(available)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                let consumed = available - Int(unsafe stream.pointee.avail_in)
                let produced = room - Int(unsafe stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
                switch status {
                case Z_OK, Z_BUF_ERROR: return (consumed, produced, .progress)
                case Z_STREAM_END: return (consumed, produced, .finished)
                default: return (consumed, produced, .corrupt)
                }
            }
        }
    }
}
