/// Cuts bytes that arrive in pieces into chunks of whole lines, as `ChunkFiller` does for sources that are read.
///
///     piece ──▶ | tail of the last piece | lines LF | partial line |
///               └──────────── this chunk ───────────┘ └── tail ───▶ the next chunk
///
/// The lines do not depend on the pieces: they are those that `ChunkFiller` finds in the same bytes. Of an overlong
/// line, the assembler keeps the part that a reject quotes.
///
/// Memory: the tail, which is not longer than the longest line.
package struct LineAssembler {
    private let targetBytes: Int
    private let maximumLine: Int
    /// The partial line after the last chunk.
    private var tail: [UInt8] = []
    private var nextLine: UInt64
    /// Whether no byte has been passed on yet, so that a byte order mark may follow.
    private var isFirst = true
    /// Whether the line is too long, so that the remainder of it is dropped.
    private var isDropping = false

    /// - Parameters:
    ///   - targetBytes: how full a chunk should be, in bytes, 1 or more. Only a longer line makes it fuller.
    ///   - maximumLine: the length of the longest line in bytes, without its line ending.
    ///   - firstLine: the number of the first line.
    package init(targetBytes: Int, maximumLine: Int, firstLine: UInt64 = 1) {
        precondition(targetBytes > 0 && maximumLine > 0, "a chunk and a line have at least one byte")
        self.targetBytes = targetBytes
        self.maximumLine = maximumLine
        nextLine = firstLine
    }

    /// The number of the line that comes next.
    package var line: UInt64 { nextLine }

    /// Whether there is an incomplete last line.
    package var hasTail: Bool { !tail.isEmpty }

    /// Fills a chunk with the next whole lines. O(the number of bytes taken).
    ///
    /// - Parameters:
    ///   - chunk: a chunk of at least `ChunkFiller.chunkCapacity`.
    ///   - piece: the bytes that have arrived.
    ///   - offset: the number of bytes of the piece that were taken so far, which grows.
    /// - Returns: whether the chunk has lines. If not, all of the piece was taken.
    package mutating func fill(_ chunk: Chunk, from piece: Span<UInt8>, _ offset: inout Int) -> Bool {
        begin(chunk)
        if isDropping {
            guard let feed = piece.index(ofLineFeedFrom: offset) else {
                offset = piece.count
                return false
            }
            offset = feed + 1
            isDropping = false
        }
        let overlong = ChunkFiller.overlongLength(maximumLine)
        let left = piece.count - offset
        if tail.count + left < overlong, piece.index(ofLineFeedFrom: offset) == nil {
            tail.append(piece.extracting(last: left))
            offset = piece.count
            return false
        }
        chunk.appendLines(tail.span)
        tail.removeAll(keepingCapacity: true)
        while true {
            let searched = chunk.end
            let limit = chunk.end < targetBytes ? targetBytes : chunk.capacity - 1
            let count = min(piece.count - offset, limit - chunk.end)
            chunk.appendLines(piece.extracting(offset..<offset + count))
            offset += count
            skipByteOrderMark(chunk)
            if let lineEnd = chunk.lastLineEnd(from: max(searched, chunk.start)) {
                tail.append(chunk.bytes.extracting(lineEnd..<chunk.end))
                chunk.end = lineEnd
                finish(chunk)
                return true
            }
            if chunk.end - chunk.start >= overlong {
                chunk.endLastLine()
                isDropping = true
                finish(chunk)
                return true
            }
            if offset == piece.count {
                tail.append(chunk.bytes.extracting(chunk.start..<chunk.end))
                chunk.clear()
                return false
            }
        }
    }

    /// Fills a chunk with a line that is not part of any piece, and comes before the tail.
    ///
    /// - Parameter line: a line with its LF. Of an overlong line, the part that a reject quotes is kept.
    package mutating func fill(_ chunk: Chunk, line: Span<UInt8>) {
        begin(chunk)
        chunk.appendLines(line.extracting(first: min(line.count, chunk.capacity - 1)))
        chunk.endLastLine()
        chunk.findLines()
        nextLine += 1
    }

    /// Fills a chunk with the last line, if it has no line ending.
    ///
    /// - Returns: whether there is such a line.
    package mutating func fillLast(_ chunk: Chunk) -> Bool {
        begin(chunk)
        chunk.appendLines(tail.span)
        tail = []
        skipByteOrderMark(chunk)
        chunk.endLastLine()
        guard chunk.end > chunk.start else { return false }
        finish(chunk)
        return true
    }

    private func begin(_ chunk: Chunk) {
        precondition(
            chunk.capacity >= ChunkFiller.chunkCapacity(targetBytes: targetBytes, maximumLine: maximumLine),
            "a chunk without room for the longest line")
        chunk.clear()
        chunk.firstLine = nextLine
        chunk.maximumLine = maximumLine
    }

    private mutating func finish(_ chunk: Chunk) {
        isFirst = false
        chunk.findLines()
        nextLine += UInt64(chunk.lineCount)
    }

    private mutating func skipByteOrderMark(_ chunk: Chunk) {
        guard isFirst, chunk.end >= UTF8.byteOrderMark.count else { return }
        chunk.skipByteOrderMark()
        isFirst = false
    }
}

extension Span where Element == UInt8 {
    /// Returns the index of the first LF at or after an index.
    fileprivate func index(ofLineFeedFrom start: Int) -> Int? {
        extracting(droppingFirst: start).firstLineFeed.map { start + $0 }
    }
}
