/// A raw DEFLATE stream, without gzip's header and trailer, in either decoder.
///
/// A class, so that a source can inflate while its own parts are borrowed. `close()` may be called any number of times.
package final class InflateStream {
    package enum Outcome: Equatable, Sendable {
        /// The input is used up or the output is full; the stream continues.
        case progress
        /// The stream stopped as requested at the end of a block that is not the last one. The highest `unusedBits`
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
