import CZlib

/// A raw DEFLATE stream, without gzip's header and trailer, in either decoder.
///
/// A class, so that a source can inflate while its own parts are borrowed. `close()` may be called any number of times.
package final class InflateStream {
    package enum Outcome: Equatable, Sendable {
        /// The input is used up or the output is full; the stream continues.
        case progress
        /// The stream stopped as requested at the end of a block that is not the last block. The highest `unusedBits`
        /// bits, 0 to 7, of the last consumed byte belong to the next block.
        case blockEnd(unusedBits: UInt8)
        /// The final block ended. The remaining input belongs to whatever follows.
        case finished
        /// The stream is invalid after the consumed bytes. Further calls consume nothing and return the same.
        case corrupt
    }

    package typealias Result = (consumed: Int, produced: Int, outcome: Outcome)

    /// Exactly one of the two is not nil until the stream is closed.
    private var decoder: DeflateDecoder?
    private var zlib: ZlibStream?

    package init(_ inflater: Inflater = .standard) {
        switch inflater {
        case .sheaf: decoder = DeflateDecoder()
        case .zlib: zlib = ZlibStream()
        }
    }

    private var isOpen: Bool { decoder != nil || zlib != nil }

    /// Frees the decoder's memory.
    package func close() {
        decoder = nil
        zlib = nil
    }

    /// Prepares the stream for the next member. O(1), without a new allocation.
    package func reset() {
        precondition(isOpen, "the stream was closed")
        decoder?.reset()
        zlib?.reset()
    }

    /// Prepares the stream for the data after the end of a block. The next call needs the block's window before its
    /// position.
    package func restart(at block: RestartPoint.Block) {
        precondition(isOpen, "the stream was closed")
        decoder?.restart(at: block)
        zlib?.restart(at: block)
    }

    /// Inflates as much of `input` as fits into `buffer` from `position` on.
    ///
    /// - Parameters:
    ///   - buffer: the bytes before `position` end with the last bytes of the stream: 32 KiB, or all of them if they are
    ///     fewer.
    ///   - stopsAtBlocks: whether to stop at the end of a block, even if input and room are left.
    /// - Returns: the number of bytes consumed from `input`, the number of bytes written to `buffer`, and the outcome.
    package func inflate(
        _ input: Span<UInt8>, into buffer: inout MutableSpan<UInt8>, at position: Int = 0,
        stopsAtBlocks: Bool = false
    ) -> Result {
        if let zlib {
            var room = buffer._mutatingExtracting(position...)
            return zlib.inflate(input, into: &room, stopsAtBlocks: stopsAtBlocks)
        }
        precondition(isOpen, "the stream was closed")
        return decoder!.inflate(input, into: &buffer, at: position, stopsAtBlocks: stopsAtBlocks)
    }
}

/// The decoder that inflates gzip data. Both give the same results.
public enum Inflater: String, CaseIterable, Sendable {
    /// Sheaf's own decoder.
    case sheaf
    /// The system's zlib.
    case zlib

    /// Sheaf's own decoder, unless `SHEAF_INFLATER=zlib` is in the environment, so that all tests can run with zlib.
    public static let standard = CurrentProcess.environment("SHEAF_INFLATER").flatMap(Inflater.init) ?? .sheaf
}

/// A raw DEFLATE stream in zlib, without gzip's header and trailer.
///
/// A class because zlib keeps the address of its `z_stream`, which therefore must not move. `close()` may be called
/// any number of times and is called by `deinit` at the latest.
///
/// Safety: zlib's functions require a stream at the address that `inflateInit2_` received, which is allocated until
/// `deinit`, and that `inflateEnd` was not called: after `close()`, `isOpen` keeps all functions from passing the stream
/// to zlib.
@safe final class ZlibStream {
    /// The address is stable for the lifetime of the object.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isOpen = false

    init() {
        // Safety: allocated here and initialized before any use. `deinit` frees it after `close()`, so zlib never has
        // a dangling address.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib could not be started: status \(status); out of memory?")
        isOpen = true
    }

    deinit {
        close()
        // Safety: nothing refers to the stream any more: zlib released it in `close()`.
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        unsafe inflateEnd(stream)
    }

    /// Prepares the stream for the next member. O(1), without a new allocation.
    func reset() {
        precondition(isOpen, "the stream was closed")
        unsafe inflateReset(stream)
    }

    /// Prepares the stream for the data after the end of a block.
    func restart(at block: RestartPoint.Block) {
        reset()
        var status = Z_OK
        if block.unusedBits > 0 {
            status = unsafe inflatePrime(stream, Int32(block.unusedBits), Int32(block.bits))
        }
        if status == Z_OK, !block.window.isEmpty {
            status = unsafe block.window.withUnsafeBufferPointer { window in
                // Safety: zlib copies the window, which outlives the call, into memory of its own.
                unsafe inflateSetDictionary(stream, window.baseAddress, UInt32(window.count))
            }
        }
        precondition(status == Z_OK, "zlib could not be started again: status \(status); out of memory?")
    }

    /// Inflates as much of `input` as fits into `output`.
    ///
    /// - Parameter stopsAtBlocks: whether to stop at the end of a block, even if input and room are left.
    /// - Returns: as `InflateStream.inflate`.
    func inflate(
        _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, stopsAtBlocks: Bool = false
    ) -> InflateStream.Result {
        precondition(isOpen, "the stream was closed")
        return unsafe input.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                let room = min(target.count, Int(UInt32.max))
                let available = min(source.count, Int(UInt32.max))
                // Safety: zlib reads at most `available` bytes of the source and writes at most `room` bytes of the
                // target. Both outlive this call, and the stream's pointers to them are reset before it returns. zlib
                // does not write through `next_in`; its type lacks the `const` for old compilers.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(available)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                let status = unsafe CZlib.inflate(stream, stopsAtBlocks ? Z_BLOCK : Z_NO_FLUSH)
                let consumed = available - Int(unsafe stream.pointee.avail_in)
                let produced = room - Int(unsafe stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
                switch status {
                case Z_OK, Z_BUF_ERROR:
                    return (consumed, produced, stopsAtBlocks ? outcomeAtBlock() : .progress)
                case Z_STREAM_END: return (consumed, produced, .finished)
                default: return (consumed, produced, .corrupt)
                }
            }
        }
    }

    /// Returns why the stream stopped, which zlib encodes in `data_type`.
    private func outcomeAtBlock() -> InflateStream.Outcome {
        let state = unsafe stream.pointee.data_type
        let (unusedBits, isLastBlock, isBlockEnd) = (state & 63, state & 64 != 0, state & 128 != 0)
        // After the last block, no other block can start. zlib returns whole bytes that it has read ahead before it
        // stops; a restart point could not represent them.
        guard isBlockEnd, !isLastBlock, unusedBits < 8 else { return .progress }
        return .blockEnd(unusedBits: UInt8(unusedBits))
    }
}
