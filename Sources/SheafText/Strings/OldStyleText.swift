import SheafBytes

/// Prepares a property list in the old text style, such as `Localizable.strings`, for Foundation's reader.
///
/// That reader silently drops everything after a token that is not a key (`"a" = "b";;`) or after an unterminated
/// comment. It does not accept a character above U+FFFF as escapes (`\UD83D\UDE00`) or after a backslash. It decodes
/// `\f` and `\v` to other control characters than C does. So this type checks the syntax, which also gives each error
/// its line, and rewrites the escapes so that the reader accepts them.
struct OldStyleText {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var output: [UInt8] = []
    private var expected = Expected.key
    /// The open dictionaries and lists. A file may omit its outermost braces.
    private var open: [Container] = []
    /// Whether only white space and comments have been read so far.
    private var isAtStart = true
    /// Whether the file has outermost braces.
    private var isBraced = false

    private enum Container { case dictionary, list }

    private enum Expected: String {
        case key = "a key"
        case equals = "'=' or ';'"
        case value = "a value"
        case end = "';'"
        /// After a file's outermost braces.
        case nothing = "the end of the file"
    }

    /// - Parameter text: valid UTF-8.
    static func prepared(_ text: [UInt8]) throws(ContentError) -> [UInt8] {
        var preparation = OldStyleText(text)
        try preparation.run()
        return preparation.output
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count)
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    /// Copies the next byte unchanged.
    private mutating func copy() {
        let byte = bytes[index]
        // CR LF is a single line break, counted at its LF.
        let isLineEnd = byte == Self.carriageReturn ? self.byte(1) != Self.lineFeed : byte == Self.lineFeed
        if isLineEnd { line += 1 }
        output.append(byte)
        index += 1
    }

    private mutating func run() throws(ContentError) {
        while let byte = byte() {
            switch byte {
            case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"):
                while let next = self.byte(), next != Self.lineFeed, next != Self.carriageReturn { copy() }
            case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"): try comment()
            case _ where byte.isWhiteSpace: copy()
            case 0xe2 where self.byte(1) == 0x80 && (self.byte(2) == 0xa8 || self.byte(2) == 0xa9):
                // The line separator and the paragraph separator count as white space.
                for _ in 0..<3 { copy() }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                try takeText()
                try string()
            case _ where Self.isWordByte(byte):
                try takeText()
                while let next = self.byte(), Self.isWordByte(next) { copy() }
            default: try punctuation(byte)
            }
        }
        let isComplete = open.isEmpty && (expected == .key || expected == .nothing)
        if !isComplete {
            throw ContentError(line: line, message: "unexpected end of the file: expected \(expectation)")
        }
    }

    private mutating func comment() throws(ContentError) {
        let start = line
        copy()
        copy()
        while byte() != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
            guard byte() != nil else { throw ContentError(line: start, message: "unterminated comment") }
            copy()
        }
        copy()
        copy()
    }

    /// Returns whether a byte may be part of an unquoted string: a letter, a digit, or certain punctuation.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_$/:.-".utf8.contains(byte)
        }
    }

    /// Updates the state for a key or a value, which comes next.
    private mutating func takeText() throws(ContentError) {
        switch expected {
        case .key: expected = .equals
        case .value: expected = .end
        case .equals, .end, .nothing: throw unexpected()
        }
        isAtStart = false
    }

    private mutating func punctuation(_ byte: UInt8) throws(ContentError) {
        switch (byte, expected, open.last) {
        case (UInt8(ascii: "="), .equals, _): expected = .value
        case (UInt8(ascii: ";"), .equals, _): expected = .key
        case (UInt8(ascii: ";"), .end, let container) where container != .list: expected = .key
        case (UInt8(ascii: "{"), .value, _): try enter(.dictionary)
        case (UInt8(ascii: "{"), .key, _) where isAtStart: try enter(.dictionary)
        case (UInt8(ascii: "}"), .key, .dictionary): leave()
        case (UInt8(ascii: "("), .value, _): try enter(.list)
        case (UInt8(ascii: ","), .end, .list): expected = .value
        case (UInt8(ascii: ")"), .end, .list), (UInt8(ascii: ")"), .value, .list): leave()
        case (UInt8(ascii: "<"), .value, _):
            expected = .end
            copy()
            while let next = self.byte(), Self.isWordByte(next) || next.isWhiteSpace {
                copy()
            }
            if self.byte() != UInt8(ascii: ">") { throw unexpected() }
        default: throw unexpected()
        }
        isAtStart = false
        copy()
    }

    private mutating func enter(_ container: Container) throws(ContentError) {
        guard open.count < StringLimits.levels else {
            throw ContentError(line: line, message: "nested deeper than \(StringLimits.levels) levels")
        }
        if isAtStart { isBraced = true }
        open.append(container)
        expected = container == .dictionary ? .key : .value
    }

    private mutating func leave() {
        open.removeLast()
        expected = .end
        if open.isEmpty, isBraced { expected = .nothing }
    }

    private var expectation: String {
        expected == .end && open.last == .list ? "',' or ')'" : expected.rawValue
    }

    private func unexpected() -> ContentError {
        guard index < bytes.count else {
            return ContentError(line: line, message: "unexpected end of the file: expected \(expectation)")
        }
        var end = index + 1
        while end < bytes.count, UTF8.isContinuation(bytes[end]) { end += 1 }
        let text = String(decoding: bytes[index..<end], as: UTF8.self)
        let isKnown = Self.isWordByte(bytes[index]) || #"'";{}=,()<>"#.utf8.contains(bytes[index])
        let hint =
            isKnown
            ? "" : " (strings with characters other than letters, digits and _ $ / : . - must be quoted)"
        return ContentError(line: line, message: "unexpected '\(text)': expected \(expectation)\(hint)")
    }

    private mutating func string() throws(ContentError) {
        let start = line
        let quote = bytes[index]
        copy()
        while let byte = byte() {
            if byte == quote {
                copy()
                return
            }
            if byte == UInt8(ascii: "\\") { escape() } else { copy() }
        }
        throw ContentError(line: start, message: "unterminated string")
    }

    private mutating func escape() {
        switch byte(1) {
        case UInt8(ascii: "f"):
            output.append(0x0c)
            index += 2
        case UInt8(ascii: "v"):
            output.append(0x0b)
            index += 2
        case UInt8(ascii: "U"): unicodeEscape()
        case .some(0x80...): index += 1
        case .some:
            copy()
            copy()
        case nil: copy()
        }
    }

    /// Rewrites `\U` and up to four hexadecimal digits, which are a UTF-16 code unit. A lone surrogate becomes
    /// U+FFFD, as in JSON.
    private mutating func unicodeEscape() {
        guard let unit = unit(at: index) else {
            copy()
            copy()
            return
        }
        var length = unit.length
        var value = unit.value
        if 0xd800...0xdbff ~= value, let low = self.unit(at: index + length), 0xdc00...0xdfff ~= low.value {
            value = 0x1_0000 + (value - 0xd800) << 10 + (low.value - 0xdc00)
            length += low.length
        }
        // Characters that would end the string or a line remain escaped.
        if value >= 0xa0 && value != 0x2028 && value != 0x2029 {
            output.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{fffd}").utf8)
            index += length
        } else {
            for _ in 0..<length { copy() }
        }
    }

    private func unit(at start: Int) -> (value: UInt32, length: Int)? {
        guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "\\"),
            bytes[start + 1] == UInt8(ascii: "U")
        else { return nil }
        let digits = bytes[(start + 2)...].prefix(4).prefix { hexValue($0) != nil }
        guard !digits.isEmpty else { return nil }
        return (digits.reduce(0) { $0 << 4 | (hexValue($1) ?? 0) }, 2 + digits.count)
    }

    private func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}
