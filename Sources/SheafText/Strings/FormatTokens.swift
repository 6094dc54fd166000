import SheafBytes

/// Splits a format into literal text and conversions.
///
/// Every format may use `%u %d %lu %ld %llu %lld %@ %%`, with positions: `%2$@`. The dialect determines the others.
struct FormatTokens {
    enum Dialect {
        /// A format in a configuration, without other conversions.
        case configuration
        /// A text of a string table, with variables: `%#@episodes@`, `%1$#@episodes@`.
        case table
        /// A variable's form, with variables and the variable's own number: `%arg`.
        case form
    }

    enum Kind: Equatable {
        case text
        case number
        case argument
        case variable(String)
        /// `%arg`
        case ownNumber
        /// A `%` that does not start a conversion.
        case unknown
    }

    struct Token: Equatable {
        let kind: Kind
        /// The written position, from 1; 0 if it is out of range, nil if the conversion has no position.
        var position: Int?
        /// The literal text, or the conversion as written.
        let bytes: [UInt8]

        /// The bytes as text, for messages.
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private let bytes: [UInt8]
    private var index = 0
    private let dialect: Dialect

    /// The integer conversions without the `%`.
    static let integers = ["llu", "lld", "lu", "ld", "u", "d"]

    static func tokens(of text: String, in dialect: Dialect) -> [Token] {
        var scanner = FormatTokens(bytes: Array(text.utf8), dialect: dialect)
        return scanner.run()
    }

    private init(bytes: [UInt8], dialect: Dialect) {
        self.bytes = bytes
        self.dialect = dialect
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
        if dialect == .form, take("arg") {
            return Token(kind: .ownNumber, bytes: Array(bytes[start..<index]))
        }
        var position: Int?
        let digits = bytes[index...].prefix(while: \.isDigit)
        if !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "$") {
            let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            position = number <= StringLimits.position ? number : 0
            index = digits.endIndex + 1
        }
        let kind: Kind
        if take("@") {
            kind = .argument
        } else if dialect != .configuration, take("#@"),
            let end = bytes[index...].firstIndex(of: UInt8(ascii: "@")), end > index
        {
            kind = .variable(String(decoding: bytes[index..<end], as: UTF8.self))
            index = end + 1
        } else if Self.integers.contains(where: { take($0) }) {
            kind = .number
        } else {
            // Includes the whole next character, for a message.
            var end = min(index + 1, bytes.count)
            while end < bytes.count, UTF8.isContinuation(bytes[end]) { end += 1 }
            // In a configuration this character may start the next conversion: `%1$%u`.
            if dialect != .configuration { index = end }
            return Token(kind: .unknown, position: position, bytes: Array(bytes[start..<end]))
        }
        return Token(kind: kind, position: position, bytes: Array(bytes[start..<index]))
    }

    private mutating func take(_ word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }
}

// MARK: - Messages that all formats have in common

extension FormatTokens {
    /// The conversions that every format may use.
    static let conversions = "%u %d %lu %ld %llu %lld %@ %%"
    static let argumentsInPlaceholder = "a placeholder cannot use %@: it has no arguments"

    static func wrongPosition(_ text: String) -> String {
        "'\(text)' has the wrong position: the count is argument 1, the list argument 2"
    }
}
