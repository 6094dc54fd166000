import SheafBytes

/// Puts the texts of an alert that has localized ones behind each other in the place where they stand in the line, keys
/// with their arguments as `LocalizedText` has them:
///
///     {"title-loc-key":"NEW","title-loc-args":["Ana"],"body":"Hi"}
///                     └ ff NEW ff ["Ana"] Hi ─ …                       ┘
///
/// There is always room, from the quote before the first text to what closes the last one: a key becomes two bytes longer,
/// and each text and list but the first has its own name before it.
struct AlertPacker {
    private var bytes: [UInt8] = []
    /// Where in the chunk the texts are that were packed.
    private var start = Int.max
    private var end = 0

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        start = .max
        end = 0
    }

    /// - Returns: where the text will be, from where `finish` puts them.
    mutating func pack(_ text: TextRange, of chunk: Chunk) -> TextRange {
        guard !text.isEmpty else { return .none }
        cover(text.range)
        let first = bytes.count
        bytes.append(chunk.bytes(of: text))
        return TextRange(first..<bytes.count)
    }

    /// - Parameter list: its arguments, where it is an array.
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
    /// - Returns: where they begin.
    func finish(in chunk: Chunk) -> UInt32 {
        chunk.replace(TextRange(start - 1..<end + 1), with: bytes.span).start
    }

    private mutating func cover(_ range: Range<Int>) {
        start = min(start, range.lowerBound)
        end = max(end, range.upperBound)
    }
}
