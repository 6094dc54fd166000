import SheafBytes

/// An alert's text that stands in the app's string tables, as it is kept until it is shown: its key, and what the text's
/// conversions are replaced by.
///
///     ff | key | ff | arguments          arguments: a JSON array as it was sent; nothing where there is none
///
/// No text that was sent has a byte ff, which UTF-8 never uses: so a text says itself which of both it is, and state,
/// spilled runs and partial results hold it as any other. Which text belongs to the key depends on configuration and
/// locale, and is not known before a snapshot is written.
public struct LocalizedText: Equatable, Sendable {
    private static let mark: UInt8 = 0xff

    /// Where the key stands in the kept text.
    public let key: Range<Int>
    /// Where the arguments do.
    public let arguments: Range<Int>

    /// nil for a text that stands for itself.
    public init?(_ text: Span<UInt8>) {
        guard Self.isMarked(text) else { return nil }
        var end = 1
        while end < text.count, text[end] != Self.mark { end += 1 }
        key = 1..<end
        arguments = min(end + 1, text.count)..<text.count
    }

    /// Whether a text is a localized one.
    @inline(__always)
    public static func isMarked(_ text: Span<UInt8>) -> Bool { !text.isEmpty && text[0] == mark }

    /// Appends a localized text.
    static func append(key: Span<UInt8>, arguments: Span<UInt8>, to output: inout [UInt8]) {
        output.append(mark)
        output.append(key)
        output.append(mark)
        output.append(arguments)
    }
}
