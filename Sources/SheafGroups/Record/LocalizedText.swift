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
