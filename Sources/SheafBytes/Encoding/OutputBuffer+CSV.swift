extension OutputBuffer {
    /// Appends a CSV cell (RFC 4180), in quotes if it contains a comma, a quote or a line break.
    package mutating func appendCSVCell(_ text: Span<UInt8>) {
        var needsQuotes = false
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                needsQuotes = true
            default: break
            }
        }
        guard needsQuotes else { return append(text) }
        append("\"")
        appendCSVContent(text)
        append("\"")
    }

    /// Appends part of a cell that is in quotes.
    package mutating func appendCSVContent(_ text: Span<UInt8>) {
        var start = 0
        for index in text.indices where text[index] == UInt8(ascii: "\"") {
            append(text.extracting(start...index))
            // The quote is doubled: the next piece starts with it again.
            start = index
        }
        append(text.extracting(start..<text.count))
    }
}
