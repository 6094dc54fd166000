import SheafBytes
import SheafGroups

/// A chunk's rejected lines and records in order, until they are written.
///
///     reason and flags | number of lines since the previous entry    1: index in the line
///                      | with the flag 2 instead: source | line
///                      | length and flag | offset in the chunk, or the text
///
/// In the output, with their source's path and escapes, rejects may be thousands of times as large as the chunk. So the
/// text of a line stays in the chunk, which does not change after decoding. It is copied only if decoding changed it,
/// or if it is shorter than its offset. Memory: at most twice that of the lines.
struct RejectedLines: ~Copyable {
    private var entries = OutputBuffer()
    private var lastLine: UInt64 = 0

    private static let shortText = 8
    private static let indexFlag: UInt64 = 1
    private static let sourceFlag: UInt64 = 2

    var isEmpty: Bool { entries.count == 0 }

    /// The memory of the entries, in bytes.
    var byteCount: Int { entries.count }

    mutating func removeAll() {
        entries.removeAll()
        lastLine = 0
    }

    /// Adds a line or a record whose text in the chunk is unchanged since it was read.
    ///
    /// - Parameters:
    ///   - source: the source's ordinal; nil for that of the chunk.
    ///   - index: the record's index in its line; nil if the line is rejected as a whole.
    mutating func append(
        _ reason: RejectReason, source: Int? = nil, line: UInt64, index: UInt32? = nil, text: TextRange,
        of chunk: Chunk
    ) {
        if text.count < Self.shortText {
            return append(reason, source: source, line: line, index: index, text: chunk.bytes(of: text))
        }
        begin(reason, source, line, index)
        entries.appendNumber(UInt64(text.count) << 1 | 1)
        entries.appendNumber(UInt64(text.start))
    }

    /// Adds a line or a record with a copy of its text.
    mutating func append(
        _ reason: RejectReason, source: Int? = nil, line: UInt64, index: UInt32? = nil, text: Span<UInt8>
    ) {
        begin(reason, source, line, index)
        entries.appendNumber(UInt64(text.count) << 1)
        entries.append(text)
    }

    private mutating func begin(_ reason: RejectReason, _ source: Int?, _ line: UInt64, _ index: UInt32?) {
        entries.appendNumber(
            UInt64(reason.rawValue) << 2 | (source == nil ? 0 : Self.sourceFlag)
                | (index == nil ? 0 : Self.indexFlag))
        if let source {
            // Lines with sources of their own are in any order.
            entries.appendNumber(UInt64(source))
            entries.appendNumber(line)
        } else {
            entries.appendNumber(line - lastLine)
            lastLine = line
        }
        if let index { entries.appendNumber(UInt64(index)) }
    }

    /// Calls `body` with each entry's reason, source, line number, index in the line, and text. The source is nil for
    /// that of the chunk.
    func forEach<Failure: Error>(
        in chunk: Chunk, _ body: (RejectReason, Int?, UInt64, UInt32?, Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let bytes = entries.bytes
        var offset = 0
        var line: UInt64 = 0
        while offset < bytes.count {
            var reader = ByteReader(bytes, from: offset)
            let tag = reader.number()
            guard let reason = RejectReason(rawValue: UInt8(truncatingIfNeeded: tag >> 2)) else {
                preconditionFailure("invalid reject reason in an entry")
            }
            let source = tag & Self.sourceFlag == 0 ? nil : Int(reader.number())
            let number = reader.number()
            if source == nil { line += number }
            let index = tag & Self.indexFlag == 0 ? nil : UInt32(reader.number())
            let position = source == nil ? line : number
            let length = reader.number()
            let count = Int(length >> 1)
            if length & 1 == 1 {
                let start = Int(reader.number())
                try body(reason, source, position, index, chunk.bytes(of: TextRange(start..<(start + count))))
                offset = reader.offset
            } else {
                offset = reader.offset + count
                try body(reason, source, position, index, bytes.extracting(reader.offset..<offset))
            }
        }
    }
}

/// The output format of a rejected line or record (specification §2): its position, the reason, what it is about if
/// that may be one of several members, and its text.
struct RejectFormat: Sendable {
    /// nil if the name of each source is its ordinal in decimal.
    let names: SourceNames?

    /// - Parameter index: the record's index in its line; nil if the line is rejected as a whole.
    func append(
        _ reason: RejectReason, source: Int, line: UInt64, index: UInt32? = nil, text: Span<UInt8>,
        to output: inout OutputBuffer
    ) {
        output.append("{\"source\":")
        if let names {
            names.append(source, to: &output)
        } else {
            output.append("\"")
            output.appendDecimal(UInt64(source))
            output.append("\"")
        }
        output.append(",\"line\":")
        output.appendDecimal(line)
        if let index {
            output.append(",\"index\":")
            output.appendDecimal(UInt64(index))
        }
        output.append(",\"reason\":\"")
        output.append(reason.name)
        output.append("\"")
        if reason == .removalInvalid, let mistake = RemovalRecord.mistake(in: text) {
            output.append(",\"detail\":")
            output.appendJSONString(Array(mistake.utf8).span)
        }
        output.append(",\"text\":")
        if text.isValidUTF8 {
            output.appendJSONString(text)
        } else {
            output.append("\"")
            output.appendBase64(text)
            output.append("\",\"encoding\":\"base64\"")
        }
        output.append("}\n")
    }
}

extension RecordDecoder {
    /// Adds the line or entry that was decoded last, in its original form.
    ///
    /// - Parameter source: the source's ordinal; nil for that of the chunk.
    func appendRejected(
        _ line: LineCursor.Line, _ source: Int?, _ index: UInt32?, _ reason: RejectReason, of chunk: Chunk,
        to rejects: inout RejectedLines
    ) {
        if let original = rejectedCopy {
            rejects.append(reason, source: source, line: line.number, index: index, text: original.span)
        } else {
            rejects.append(
                reason, source: source, line: line.number, index: index, text: line.text, of: chunk)
        }
    }
}
