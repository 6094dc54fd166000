import SheafBytes

/// A text and the chunk that contains it.
struct ChunkText {
    let chunk: Chunk
    let range: TextRange

    var isEmpty: Bool { range.isEmpty }
}

/// A buffer for one decoded text at a time, so that the line that it comes from is not changed.
///
/// Grows to at most twice the longest text, which is shorter than the longest line.
struct TextCopy {
    private var chunk = Chunk(capacity: 1 << 10)

    /// Returns the decoded text of a string value, valid until the next call; an empty one for any other kind.
    mutating func decoded(_ value: FieldScanner.Value, of other: Chunk) -> ChunkText {
        guard value.kind == .string else { return ChunkText(chunk: other, range: .none) }
        return value.hasEscapes
            ? decodedEscapes(value.text, of: other) : ChunkText(chunk: other, range: value.text)
    }

    /// Decodes the text between a string's quotes. The result is valid until the next call.
    mutating func decodedEscapes(_ text: TextRange, of other: Chunk) -> ChunkText {
        let count = Int(text.count)
        if count >= chunk.capacity { chunk = Chunk(capacity: max(count + 1, 2 * chunk.capacity)) }
        return ChunkText(chunk: chunk, range: chunk.copyDecoded(text, of: other))
    }
}
