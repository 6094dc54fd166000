#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Cuts one source's bytes into chunks of whole lines.
///
///     input ──▶ | tail of the last chunk | new bytes … LF | half a line |
///               └─────────────── this chunk ──────────────┘ └─ tail ───▶ the next chunk
///
/// Invariants: every byte of the source lies in exactly one chunk, but for a byte order mark, what is cut from
/// lines that are too long, and the half line before damage. The tail fits a chunk. A line that is longer than a
/// chunk has room for is too long: the part that fits is kept, which is enough for the cursor to call it so and
/// for a reject to quote it; the rest is read and dropped. Memory: the tail, and the input's own buffers.
///
/// Between two fills the source can be left, and be read on by another filler from `position`. The tail goes with
/// the old one: its bytes are inflated once more.
public struct ChunkFiller: ~Copyable {
    /// How a fill ended.
    public enum Ending: Sendable {
        /// There may be more.
        case more
        /// The source ended; the chunk holds its last lines, or none.
        case ended
        /// The source can't be read further; the chunk holds the last whole lines before that, or none.
        case failed(SourceError)
    }

    private var input: SourceInput
    private let targetBytes: Int
    private let maximumLine: Int
    /// The half line at the end of the last chunk.
    private var tail: [UInt8] = []
    private var nextLine: UInt64 = 1
    private var isFirst = true

    /// How much of a line that is too long a reject quotes, in bytes (specification §2).
    public static let quotedBytes = 1024

    private static let lineFeed: UInt8 = 0x0a
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// - Parameters:
    ///   - targetBytes: how full a chunk should be, 1 or more; more only where a line is longer.
    ///   - maximumLine: the longest line's length in bytes, without its ending.
    public init(_ input: consuming SourceInput, targetBytes: Int, maximumLine: Int) {
        precondition(targetBytes > 0 && maximumLine > 0, "a chunk and a line have at least one byte")
        self.input = input
        self.targetBytes = targetBytes
        self.maximumLine = maximumLine
    }

    /// A filler that goes on where another one stood: with the lines, their numbers, and the end that the other one
    /// would have come to.
    ///
    /// - Parameters:
    ///   - file: the same source, opened again.
    ///   - bufferBytes: how much compressed data is read at once, 2 bytes or more.
    ///   - checksum: as for `SourceInput`.
    /// - Throws: `StorageError` when the file has no places to go to, as a pipe has none.
    public init(
        resuming file: any ReadableFile, at position: SourcePosition,
        bufferBytes: Int = SourceInput.defaultBufferBytes, checksum: DeferredChecksum? = nil,
        targetBytes: Int, maximumLine: Int
    ) throws(StorageError) {
        let input = try SourceInput(
            resuming: file, at: position.point, dropping: position.bytesToDrop, bufferBytes: bufferBytes,
            checksum: checksum)
        self.init(input, targetBytes: targetBytes, maximumLine: maximumLine)
        nextLine = position.nextLine
        isFirst = position.isStart
    }

    /// Right behind the last chunk that was filled, whatever was read beyond it. Of a source that came to its end
    /// there is none that means anything.
    public var position: SourcePosition {
        SourcePosition(
            point: input.restartPoint(before: tail.count),
            bytesInflated: input.bytesInflated - UInt64(tail.count), nextLine: nextLine)
    }

    /// Has the input take a restart point at the next block's end, so that little is inflated once more from the
    /// positions behind it. Without a request none is taken inside a gzip member.
    public mutating func requestRestartPoint() { input.requestRestartPoint() }

    /// The capacity that chunks need, in bytes: the target or the longest line, the byte order mark and an LF.
    public static func chunkCapacity(targetBytes: Int, maximumLine: Int) -> Int {
        max(targetBytes, surelyTooLong(maximumLine) + byteOrderMark.count) + 1
    }

    /// So many bytes without an LF are too long a line, whatever follows: one more than its content and a CR,
    /// and one more than what a reject quotes, so that the quotation does not depend on how chunks fell.
    private static func surelyTooLong(_ maximumLine: Int) -> Int {
        max(maximumLine, quotedBytes) + 2
    }

    public var bytesRead: UInt64 { input.bytesRead }
    public var bytesInflated: UInt64 { input.bytesInflated }

    /// Gives back what the input holds.
    public mutating func close() { input.close() }

    /// Fills `chunk` with the source's next lines. Reads until the target is reached and a line is whole.
    public mutating func fill(_ chunk: Chunk) -> Ending {
        chunk.clear()
        input.reach = chunk.capacity
        chunk.firstLine = nextLine
        chunk.maximumLine = maximumLine
        append(tail.span, to: chunk)
        tail.removeAll(keepingCapacity: true)
        let ending = fillLines(chunk)
        isFirst = false
        chunk.lineCount = Self.countLines(in: chunk)
        nextLine += UInt64(chunk.lineCount)
        return ending
    }

    private mutating func fillLines(_ chunk: Chunk) -> Ending {
        do throws(SourceError) {
            var searched = 0
            while true {
                let isEnd = try readMore(chunk)
                skipByteOrderMark(chunk)
                if isEnd {
                    finishLastLine(chunk)
                    return .ended
                }
                if let lineEnd = Self.lastLineEnd(in: chunk, from: max(searched, chunk.start)) {
                    cut(chunk, at: lineEnd)
                    return .more
                }
                searched = chunk.end
                if chunk.end - chunk.start >= Self.surelyTooLong(maximumLine) {
                    let sourceGoesOn = try dropRestOfLine(chunk)
                    finishLastLine(chunk)
                    return sourceGoesOn ? .more : .ended
                }
            }
        } catch {
            keepWholeLines(chunk, before: error)
            return .failed(error)
        }
    }

    /// Reads until the chunk's target is reached, or beyond it once. True at the end of the source.
    private mutating func readMore(_ chunk: Chunk) throws(SourceError) -> Bool {
        // A line that did not fit the target is read on to its end, as far as a line may go.
        let limit = chunk.end < targetBytes ? targetBytes : chunk.capacity - 1
        while chunk.end < limit {
            let count = try read(into: chunk, upTo: limit)
            if count == 0 { return true }
            if limit > targetBytes { return false }
        }
        return false
    }

    private mutating func read(into chunk: Chunk, upTo limit: Int) throws(SourceError) -> Int {
        // Safety: `limit` is at most the capacity, and this reader is the chunk's only owner now.
        let room = unsafe UnsafeMutableBufferPointer(
            start: chunk.base + chunk.end, count: limit - chunk.end)
        var target = unsafe room.mutableSpan
        let count = try input.read(into: &target)
        chunk.end += count
        return count
    }

    /// Reads and drops the line's rest. False at the end of the source.
    private mutating func dropRestOfLine(_ chunk: Chunk) throws(SourceError) -> Bool {
        // No larger than a chunk: what follows the line becomes the tail, which must fit one.
        var scratch = [UInt8](repeating: 0, count: min(chunk.capacity - 1, 1 << 16))
        while true {
            var target = scratch.mutableSpan
            let count = try input.read(into: &target)
            if count == 0 { return false }
            // The next read writes over these bytes.
            input.settle()
            if let rest = Self.firstLineEnd(in: scratch.span.extracting(first: count)) {
                tail.append(contentsOf: scratch[rest..<count])
                return true
            }
        }
    }

    private mutating func skipByteOrderMark(_ chunk: Chunk) {
        let mark = Self.byteOrderMark
        if isFirst, chunk.end >= mark.count, chunk.bytes.extracting(first: mark.count).isEqual(to: mark.span)
        {
            chunk.start = mark.count
        }
    }

    /// Ends the chunk after a line and keeps what follows for the next one.
    private mutating func cut(_ chunk: Chunk, at lineEnd: Int) {
        tail.append(chunk.bytes.extracting(lineEnd..<chunk.end))
        chunk.end = lineEnd
    }

    /// Puts an LF behind a last line that has none.
    private func finishLastLine(_ chunk: Chunk) {
        guard chunk.end > chunk.start, unsafe chunk.base[chunk.end - 1] != Self.lineFeed else { return }
        precondition(chunk.end < chunk.capacity, "no room for the last line's end")
        // Safety: inside the capacity by the line above.
        unsafe chunk.base[chunk.end] = Self.lineFeed
        chunk.end += 1
    }

    /// What damage leaves: whole lines, and the last one without LF only where it was not cut.
    private mutating func keepWholeLines(_ chunk: Chunk, before error: SourceError) {
        skipByteOrderMark(chunk)
        if case .damaged(let damage) = error, !damage.cutsData {
            finishLastLine(chunk)
        } else {
            chunk.end = Self.lastLineEnd(in: chunk, from: chunk.start) ?? chunk.start
        }
    }

    private func append(_ bytes: Span<UInt8>, to chunk: Chunk) {
        guard bytes.count > 0 else { return }
        precondition(bytes.count <= chunk.capacity, "a tail longer than a chunk")
        unsafe bytes.withUnsafeBufferPointer { source in
            // Safety: the chunk is empty and has room, by the precondition.
            unsafe chunk.base.update(from: source.baseAddress!, count: source.count)
        }
        chunk.end = bytes.count
    }

    /// Where the last LF at or behind `from` ends; nil when there is none.
    private static func lastLineEnd(in chunk: Chunk, from: Int) -> Int? {
        var index = chunk.end
        while index > from {
            // Safety: between `from` and the end of what was read.
            if unsafe chunk.base[index - 1] == lineFeed { return index }
            index -= 1
        }
        return nil
    }

    /// Where the first line ends, behind its LF; nil when there is none.
    private static func firstLineEnd(in bytes: Span<UInt8>) -> Int? {
        unsafe bytes.withUnsafeBytes { buffer in
            // Safety: the search stays inside the buffer.
            guard let feed = unsafe memchr(buffer.baseAddress!, Int32(lineFeed), buffer.count) else {
                return nil
            }
            return unsafe UnsafeRawPointer(feed) - buffer.baseAddress! + 1
        }
    }

    private static func countLines(in chunk: Chunk) -> Int {
        // Safety: from the first line to the end of the last one.
        let lines = unsafe UnsafeBufferPointer(
            start: chunk.base + chunk.start, count: chunk.end - chunk.start)
        return unsafe ByteBlock.count(of: lineFeed, in: lines)
    }
}
