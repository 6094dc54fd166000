import SheafBytes

/// A text, and the chunk that it stands in.
struct PlacedText {
    let chunk: Chunk
    let range: TextRange

    var isEmpty: Bool { range.isEmpty }
}

/// A place for one decoded text at a time, so that the line that it comes from stays as it is.
///
/// Grows to twice the longest text at most, which is shorter than the longest line.
struct TextCopy {
    private var chunk = Chunk(capacity: 1 << 10)

    /// The text of a string value, decoded; an empty one for every other kind. Stands until the next call.
    mutating func decoded(_ value: FieldScanner.Value, of other: Chunk) -> PlacedText {
        guard value.kind == .string else { return PlacedText(chunk: other, range: .none) }
        return value.hasEscapes
            ? decodedEscapes(value.text, of: other) : PlacedText(chunk: other, range: value.text)
    }

    /// What is between a string's quotes, decoded. Stands until the next call.
    mutating func decodedEscapes(_ text: TextRange, of other: Chunk) -> PlacedText {
        let count = Int(text.count)
        if count >= chunk.capacity { chunk = Chunk(capacity: max(count + 1, 2 * chunk.capacity)) }
        return PlacedText(chunk: chunk, range: chunk.copyDecoded(text, of: other))
    }
}
