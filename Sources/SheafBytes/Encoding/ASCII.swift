extension UInt8 {
    /// Whether the byte is one of the digits 0 to 9.
    @inlinable package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Whether the byte may be between JSON tokens (RFC 8259, section 2).
    @inlinable package var isJSONWhiteSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
            || self == UInt8(ascii: "\t")
    }

    /// Whether the byte is a space, a tab, or one of the other control characters that move the cursor: LF, VT, FF, CR.
    @inlinable package var isWhiteSpace: Bool {
        self == UInt8(ascii: " ") || UInt8(ascii: "\t")...UInt8(ascii: "\r") ~= self
    }
}

extension UTF8 {
    /// U+FEFF, with which some editors begin a file.
    package static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Returns the contents of a file without the byte order mark that some editors write before the text.
    package static func text(of contents: [UInt8]) -> ArraySlice<UInt8> {
        contents.starts(with: byteOrderMark) ? contents.dropFirst(byteOrderMark.count) : contents[...]
    }
}
