import SheafBytes

/// Converts a table file's text to UTF-8 from any of the encodings that such files have.
enum TableText {
    /// Decodes UTF-8 with or without a byte order mark, and UTF-16 in either byte order. Without a mark, the position
    /// of the zero byte in the first character determines the byte order, because that character is ASCII in every
    /// such file (a quote, a comment, a letter, a brace).
    static func utf8(_ contents: [UInt8]) throws(ContentError) -> [UInt8] {
        if contents.starts(with: UTF8.byteOrderMark) {
            return try validated(Array(UTF8.text(of: contents)))
        }
        guard contents.count >= 2 else { return try validated(contents) }
        switch (contents[0], contents[1]) {
        case (0xff, 0xfe): return try utf16(contents.dropFirst(2), isBigEndian: false)
        case (0xfe, 0xff): return try utf16(contents.dropFirst(2), isBigEndian: true)
        case (0x01..., 0): return try utf16(contents[...], isBigEndian: false)
        case (0, 0x01...): return try utf16(contents[...], isBigEndian: true)
        default: return try validated(contents)
        }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) throws(ContentError) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            index += 2
        }
        guard index == bytes.endIndex else {
            throw ContentError(message: "not valid UTF-16: incomplete character at the end")
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            // A line feed is never part of a surrogate pair, so lines can be validated one by one.
            let lines = units.split(separator: UInt16(UInt8(ascii: "\n")), omittingEmptySubsequences: false)
            let bad = lines.firstIndex { String(validating: $0, as: UTF16.self) == nil }
            throw ContentError(line: bad.map { $0 + 1 }, message: "not valid UTF-16")
        }
        return Array(text.utf8)
    }

    private static func validated(_ bytes: [UInt8]) throws(ContentError) -> [UInt8] {
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        throw ContentError(line: bad.map { $0 + 1 }, message: "not valid UTF-8")
    }
}
