import SheafBytes

/// An alert text from the app's string tables, as it is stored until it is shown: its key, and the arguments that
/// replace the text's conversions.
///
///     ff | key | ff | arguments          arguments: the JSON array as it was sent; empty if absent
///
/// UTF-8 never uses the byte ff, so the first byte distinguishes a localized text from a literal one, and state,
/// spilled runs and partial results store both alike. Which text belongs to the key depends on the configuration and
/// the locale, and is not known until a snapshot is written.
package struct LocalizedText: Equatable, Sendable {
    private static let mark: UInt8 = 0xff

    /// The range of the key in the stored text.
    package let key: Range<Int>
    /// The range of the arguments in the stored text.
    package let arguments: Range<Int>

    /// Finds the parts of a stored text; nil if the text is literal.
    package init?(_ text: Span<UInt8>) {
        guard Self.isMarked(text) else { return nil }
        var end = 1
        while end < text.count, text[end] != Self.mark { end += 1 }
        key = 1..<end
        arguments = min(end + 1, text.count)..<text.count
    }

    /// Returns whether a stored text is localized.
    @inline(__always)
    package static func isMarked(_ text: Span<UInt8>) -> Bool { !text.isEmpty && text[0] == mark }

    /// Appends a localized text.
    static func append(key: Span<UInt8>, arguments: Span<UInt8>, to output: inout [UInt8]) {
        output.append(mark)
        output.append(key)
        output.append(mark)
        output.append(arguments)
    }
}

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
