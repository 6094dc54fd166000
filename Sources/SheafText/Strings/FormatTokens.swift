/// Splits a table's text into literal text and conversions.
///
/// The conversions are those of a format in a configuration (`%u %d %lu %ld %llu %lld %@ %%`, with positions:
/// `%2$@`), variables (`%#@episodes@`, `%1$#@episodes@`), and in a variable's forms its own number (`%arg`).
struct FormatTokens {
    enum Kind: Equatable {
        case text
        case number
        case argument
        case variable(String)
        /// `%arg`
        case ownNumber
        /// A `%` that starts none of these.
        case unknown
    }

    struct Token: Equatable {
        let kind: Kind
        /// The written position, from 1; 0 if the written one is out of range, nil if none is written.
        var position: Int?
        /// The literal text, or the conversion as written.
        let bytes: [UInt8]
    }

    private let bytes: [UInt8]
    private var index = 0
    private let isForm: Bool

    private static let integers = ["llu", "lld", "lu", "ld", "u", "d"].map { Array($0.utf8) }

    /// - Parameter isForm: whether the text is a variable's form, where `%arg` is the variable's number.
    static func tokens(of text: String, isForm: Bool) -> [Token] {
        var scanner = FormatTokens(bytes: Array(text.utf8), isForm: isForm)
        return scanner.run()
    }

    private init(bytes: [UInt8], isForm: Bool) {
        self.bytes = bytes
        self.isForm = isForm
    }

    private mutating func run() -> [Token] {
        var tokens: [Token] = []
        var text: [UInt8] = []
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "%") {
                text.append(bytes[index])
                index += 1
            } else if take("%%") {
                text.append(UInt8(ascii: "%"))
            } else {
                if !text.isEmpty { tokens.append(Token(kind: .text, bytes: text)) }
                text = []
                tokens.append(conversion())
            }
        }
        if !text.isEmpty { tokens.append(Token(kind: .text, bytes: text)) }
        return tokens
    }

    private mutating func conversion() -> Token {
        let start = index
        index += 1
        if isForm, take("arg") { return Token(kind: .ownNumber, bytes: Array(bytes[start..<index])) }
        var position: Int?
        let digits = bytes[index...].prefix { 0x30...0x39 ~= $0 }
        if !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "$") {
            let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            position = number <= StringLimits.position ? number : 0
            index = digits.endIndex + 1
        }
        let kind: Kind
        if take("@") {
            kind = .argument
        } else if take("#@"), let end = bytes[index...].firstIndex(of: UInt8(ascii: "@")), end > index {
            kind = .variable(String(decoding: bytes[index..<end], as: UTF8.self))
            index = end + 1
        } else if Self.integers.contains(where: { take($0) }) {
            kind = .number
        } else {
            // Includes the whole next character, for a message.
            index = min(index + 1, bytes.count)
            while index < bytes.count, bytes[index] & 0xc0 == 0x80 { index += 1 }
            return Token(kind: .unknown, position: position, bytes: Array(bytes[start..<index]))
        }
        return Token(kind: kind, position: position, bytes: Array(bytes[start..<index]))
    }

    private mutating func take(_ word: String) -> Bool { take(Array(word.utf8)) }

    private mutating func take(_ word: [UInt8]) -> Bool {
        guard bytes[index...].starts(with: word) else { return false }
        index += word.count
        return true
    }
}
