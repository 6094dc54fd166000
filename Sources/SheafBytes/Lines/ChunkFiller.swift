/// Cuts one source's bytes into chunks of whole lines.
///
///     input ──▶ | tail of the last chunk | new bytes … LF | partial line |
///               └─────────────── this chunk ──────────────┘ └── tail ───▶ the next chunk
///
/// Invariants: every byte of the source is in exactly one chunk, except for a byte order mark, the ends of lines that
/// are too long, and the partial line before damage. The tail fits into a chunk. A line that does not fit into a
/// chunk is too long: the part that fits is kept, so that the cursor can recognize the line as too long and a reject
/// can quote it; the remainder is read and dropped. Memory: the tail, and the input's own buffers.
///
/// Between two fills, another filler can take over from `position`. The old filler keeps the tail, so its bytes are
/// inflated again.
package struct ChunkFiller: ~Copyable {
    /// How a fill ended.
    package enum Ending: Sendable {
        /// The source may have more lines.
        case more
        /// The source ended; the chunk holds its last lines, if any.
        case ended
        /// The source can't be read further; the chunk holds the last whole lines before that, if any.
        case failed(SourceError)
    }

    private var input: SourceInput
    private let targetBytes: Int
    private let maximumLine: Int
    /// Whether a chunk ends with the lines that one read returns, so that no line waits for later lines.
    package var endsEarly = false
    /// The smallest capacity of a chunk: more than the target, so that there is room for a last LF.
    private let minimumCapacity: Int
    /// The partial line after the last chunk.
    private var tail: [UInt8] = []
    /// The end of the bytes in the chunk that were read, before it is cut after a line.
    private var readEnd = 0
    private var nextLine: UInt64
    /// Whether the next chunk is the first chunk of the source.
    private var isFirst: Bool

    /// The number of bytes that a reject quotes of a line that is too long (specification §2).
    package static let quotedBytes = 1024

    /// - Parameters:
    ///   - position: where another filler stopped, and the input resumes. This filler yields the lines, line numbers and
    ///     ending that the other one would have yielded.
    ///   - targetBytes: how full a chunk should be, in bytes, 1 or more. Only a longer line makes it fuller.
    ///   - maximumLine: the length of the longest line in bytes, without its line ending.
    package init(
        _ input: consuming SourceInput, from position: SourcePosition = .start, targetBytes: Int,
        maximumLine: Int
    ) {
        precondition(targetBytes > 0 && maximumLine > 0, "a chunk and a line have at least one byte")
        self.input = input
        self.targetBytes = targetBytes
        self.maximumLine = maximumLine
        minimumCapacity = Self.chunkCapacity(targetBytes: targetBytes, maximumLine: maximumLine)
        nextLine = position.nextLine
        isFirst = position.isStart
    }

    /// The position right after the last filled chunk, even if more was read. Meaningless once the source has ended.
    package var position: SourcePosition {
        SourcePosition(
            point: input.restartPoint(before: tail.count),
            bytesInflated: input.bytesInflated - UInt64(tail.count), nextLine: nextLine)
    }

    /// Requests a restart point at the end of the next block, so that resuming from a later position inflates few
    /// bytes again. Without a request, no point is taken inside a gzip member.
    package mutating func requestRestartPoint() { input.requestRestartPoint() }

    /// Returns the capacity that chunks need, in bytes: the target, or the longest line and the byte order mark, and
    /// an LF.
    package static func chunkCapacity(targetBytes: Int, maximumLine: Int) -> Int {
        max(targetBytes, overlongLength(maximumLine) + UTF8.byteOrderMark.count) + 1
    }

    /// Returns the number of bytes without an LF that make a line too long, whatever follows: one more than the
    /// longest content and a CR, and one more than a reject quotes, so that the quote does not depend on chunk
    /// boundaries.
    static func overlongLength(_ maximumLine: Int) -> Int {
        max(maximumLine, quotedBytes) + 2
    }

    package var bytesRead: UInt64 { input.bytesRead }
    package var bytesInflated: UInt64 { input.bytesInflated }

    /// Frees the memory of the input.
    package mutating func close() { input.close() }

    /// Fills `chunk` with the next lines of the source. Reads until the target is reached and a line is complete.
    ///
    /// - Parameter chunk: a chunk of at least `chunkCapacity`.
    package mutating func fill(_ chunk: Chunk) -> Ending {
        precondition(chunk.capacity >= minimumCapacity, "a chunk without room for the longest line")
        chunk.clear()
        input.reach = chunk.capacity
        chunk.firstLine = nextLine
        chunk.maximumLine = maximumLine
        chunk.appendLines(tail.span)
        tail.removeAll(keepingCapacity: true)
        readEnd = chunk.end
        let ending = fillLines(chunk)
        keepHistory(of: chunk)
        isFirst = false
        chunk.findLines()
        nextLine += UInt64(chunk.lineCount)
        return ending
    }

    private mutating func fillLines(_ chunk: Chunk) -> Ending {
        do throws(SourceError) {
            var searched = 0
            while true {
                let isEnd = try readMore(chunk)
                if isFirst { chunk.skipByteOrderMark() }
                if isEnd {
                    chunk.endLastLine()
                    return .ended
                }
                if let lineEnd = chunk.lastLineEnd(from: max(searched, chunk.start)) {
                    split(chunk, at: lineEnd)
                    return .more
                }
                searched = chunk.end
                if chunk.end - chunk.start >= Self.overlongLength(maximumLine) {
                    let hasMore = try dropRestOfLine(chunk)
                    chunk.endLastLine()
                    return hasMore ? .more : .ended
                }
            }
        } catch {
            keepWholeLines(chunk, before: error)
            return .failed(error)
        }
    }

    /// Reads until the target of the chunk is reached, or once if it was reached already. Returns true at the end of
    /// the source.
    private mutating func readMore(_ chunk: Chunk) throws(SourceError) -> Bool {
        // A line that does not fit the target is read further, up to the longest line that is allowed.
        let limit = chunk.end < targetBytes ? targetBytes : chunk.capacity - 1
        while chunk.end < limit {
            let count = try read(into: chunk, upTo: limit)
            if count == 0 { return true }
            if limit > targetBytes || endsEarly { return false }
        }
        return false
    }

    private mutating func read(into chunk: Chunk, upTo limit: Int) throws(SourceError) -> Int {
        precondition(chunk.end < limit && limit <= chunk.capacity, "no room for more lines")
        // Safety: the bytes from the lead to `limit` are inside the buffer, by the precondition. The filler is the only
        // owner of the chunk during a fill. The chunk owns the bytes, so it keeps them until they are summed up.
        let all = unsafe UnsafeMutableBufferPointer(
            start: chunk.base - Chunk.leadBytes, count: Chunk.leadBytes + limit)
        var target = unsafe all.mutableSpan
        let count = try unsafe input.read(into: &target, at: Chunk.leadBytes + chunk.end, ownedBy: chunk)
        chunk.end += count
        readEnd = chunk.end
        return count
    }

    /// Copies the last bytes of the chunk, if the source's next ones may refer to them.
    private mutating func keepHistory(of chunk: Chunk) {
        // Safety: the bytes from the lead to `readEnd` are inside the buffer.
        let read = unsafe Span(
            _unsafeStart: UnsafePointer(chunk.base - Chunk.leadBytes), count: Chunk.leadBytes + readEnd)
        input.keepHistory(read)
    }

    /// Reads and drops the remainder of the line. Returns false at the end of the source.
    private mutating func dropRestOfLine(_ chunk: Chunk) throws(SourceError) -> Bool {
        keepHistory(of: chunk)
        // No larger than a chunk, since the bytes after the line become the tail, which must fit into a chunk.
        var scratch = [UInt8](repeating: 0, count: min(chunk.capacity - 1, 1 << 16))
        while true {
            var target = scratch.mutableSpan
            let count = try input.read(into: &target)
            if count == 0 { return false }
            if let feed = scratch.span.extracting(first: count).firstLineFeed {
                tail.append(contentsOf: scratch[(feed + 1)..<count])
                return true
            }
        }
    }

    /// Ends the chunk after a line and keeps the remainder for the next chunk.
    private mutating func split(_ chunk: Chunk, at lineEnd: Int) {
        tail.append(chunk.bytes.extracting(lineEnd..<chunk.end))
        chunk.end = lineEnd
    }

    /// Keeps the lines before damage: whole lines, and a last line without LF only if it was not cut off.
    private mutating func keepWholeLines(_ chunk: Chunk, before error: SourceError) {
        if isFirst { chunk.skipByteOrderMark() }
        if case .damaged(let damage) = error, !damage.truncatesData {
            chunk.endLastLine()
        } else {
            chunk.end = chunk.lastLineEnd(from: chunk.start) ?? chunk.start
        }
    }
}
