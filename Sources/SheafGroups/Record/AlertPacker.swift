import SheafBytes

/// Packs the texts of an alert that has localized ones, one after the other, into the part of the line that they came
/// from. Keys are packed with their arguments, as `LocalizedText` describes:
///
///     {"title-loc-key":"NEW","title-loc-args":["Ana"],"body":"Hi"}
///                     └ ff NEW ff ["Ana"] Hi ─ …                       ┘
///
/// They always fit between the quote before the first text and the byte that closes the last one: packing makes a key
/// two bytes longer, and every text and list except the first has its own name before it.
struct AlertPacker {
    private var bytes: [UInt8] = []
    /// The part of the chunk that the packed texts came from.
    private var start = Int.max
    private var end = 0

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        start = .max
        end = 0
    }

    /// - Returns: the text's range, relative to the start that `finish` returns.
    mutating func pack(_ text: TextRange, of chunk: Chunk) -> TextRange {
        guard !text.isEmpty else { return .none }
        cover(text.range)
        let first = bytes.count
        bytes.append(chunk.bytes(of: text))
        return TextRange(first..<bytes.count)
    }

    /// - Parameter list: the key's arguments; ignored unless it is an array.
    mutating func pack(key: TextRange, arguments list: FieldScanner.Value, of chunk: Chunk) -> TextRange {
        cover(key.range)
        var arguments = TextRange.none
        if list.kind == .array {
            let start = Int(list.text.start)
            arguments = TextRange(start..<chunk.bytes.endOfJSONValue(from: start))
            cover(arguments.range)
        }
        let first = bytes.count
        LocalizedText.append(
            key: chunk.bytes(of: key), arguments: chunk.bytes(of: arguments), to: &bytes)
        return TextRange(first..<bytes.count)
    }

    /// Writes the texts into the chunk.
    ///
    /// - Returns: the offset at which they begin.
    func finish(in chunk: Chunk) -> UInt32 {
        chunk.replace(TextRange(start - 1..<end + 1), with: bytes.span).start
    }

    private mutating func cover(_ range: Range<Int>) {
        start = min(start, range.lowerBound)
        end = max(end, range.upperBound)
    }
}
