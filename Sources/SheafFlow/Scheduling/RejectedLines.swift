import SheafBytes
import SheafGroups

/// A chunk's rejected lines in order, until they are written.
///
///     reason 1 | number of lines since the previous entry | length and flag | offset in the chunk, or the text
///
/// In the output, with their source's path and escapes, rejects may be thousands of times as large as the chunk. So the
/// text of a line stays in the chunk, which does not change after decoding. It is copied only if decoding changed it,
/// or if it is shorter than its offset. Memory: at most twice that of the lines.
struct RejectedLines: ~Copyable {
    private var entries = OutputBuffer()
    private var lastLine: UInt64 = 0

    private static let shortText = 8

    var isEmpty: Bool { entries.count == 0 }

    mutating func removeAll() {
        entries.removeAll()
        lastLine = 0
    }

    /// Adds a line whose text in the chunk is unchanged since it was read.
    mutating func append(_ reason: RejectReason, line: UInt64, text: TextRange, of chunk: Chunk) {
        if text.count < Self.shortText { return append(reason, line: line, text: chunk.bytes(of: text)) }
        begin(reason, line)
        entries.appendNumber(UInt64(text.count) << 1 | 1)
        entries.appendNumber(UInt64(text.start))
    }

    /// Adds a line with a copy of its text.
    mutating func append(_ reason: RejectReason, line: UInt64, text: Span<UInt8>) {
        begin(reason, line)
        entries.appendNumber(UInt64(text.count) << 1)
        entries.append(text)
    }

    private mutating func begin(_ reason: RejectReason, _ line: UInt64) {
        entries.appendNumber(UInt64(reason.rawValue))
        entries.appendNumber(line - lastLine)
        lastLine = line
    }

    /// Calls `body` with each line's reason, number and text.
    func forEach<Failure: Error>(
        in chunk: Chunk, _ body: (RejectReason, UInt64, Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let bytes = entries.bytes
        var offset = 0
        var line: UInt64 = 0
        while offset < bytes.count {
            var reader = ByteReader(bytes, from: offset)
            guard let reason = RejectReason(rawValue: UInt8(truncatingIfNeeded: reader.number())) else {
                preconditionFailure("invalid reject reason in an entry")
            }
            line += reader.number()
            let length = reader.number()
            let count = Int(length >> 1)
            if length & 1 == 1 {
                let start = Int(reader.number())
                try body(reason, line, chunk.bytes(of: TextRange(start..<(start + count))))
                offset = reader.offset
            } else {
                offset = reader.offset + count
                try body(reason, line, bytes.extracting(reader.offset..<offset))
            }
        }
    }
}
