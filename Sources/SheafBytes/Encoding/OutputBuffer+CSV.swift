extension OutputBuffer {
    /// Appends a cell of a line of CSV (RFC 4180): in quotes where it has a comma, a quote or a line's end in it.
    public mutating func appendCSVCell(_ text: Span<UInt8>) {
        var needsQuotes = false
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0a, 0x0d: needsQuotes = true
            default: break
            }
        }
        guard needsQuotes else { return append(text) }
        append("\"")
        appendCSVContent(text)
        append("\"")
    }

    /// Appends a part of a cell that is in quotes.
    public mutating func appendCSVContent(_ text: Span<UInt8>) {
        var start = 0
        for index in text.indices where text[index] == UInt8(ascii: "\"") {
            append(text.extracting(start...index))
            // The quote stands in what comes next once more.
            start = index
        }
        append(text.extracting(start..<text.count))
    }
}
