import SheafBytes

/// A format for a summary or a placeholder: `%u more messages from %@` (specification §7, §8).
///
/// A format has one integer conversion (`%u %d %lu %ld %llu %lld`), at most one `%@`, and `%%`. The integer is the
/// first argument and the list the second: positions may be written (`%1$u`, `%2$@`), but no others.
public struct MessageFormat: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case text([UInt8])
        case count
        case arguments
    }

    /// The format as written.
    public let source: String
    let pieces: [Piece]

    /// Whether the format uses the count.
    public var takesCount: Bool { pieces.contains(.count) }
    /// Whether the format uses the arguments.
    public var takesArguments: Bool { pieces.contains(.arguments) }

    /// The use of a format, which determines its conversions.
    public enum Role: Sendable {
        /// A count, and optionally arguments.
        case summary
        /// Optionally a count.
        case placeholder
    }

    /// Parses a format.
    ///
    /// - Throws: `MessageFormatError` with the invalid part of the format.
    public init(_ source: String, role: Role) throws(MessageFormatError) {
        self.source = source
        // A placeholder without a count is literal, whatever else it contains.
        if role == .placeholder, !Self.namesCount(source) {
            pieces = source.isEmpty ? [] : [.text(Array(source.utf8))]
            return
        }
        var parser = Parser(Array(source.utf8))
        pieces = try parser.parse()
        let counts = pieces.count { $0 == .count }
        let lists = pieces.count { $0 == .arguments }
        if counts > 1 { throw .repeated("count") }
        if lists > 1 { throw .repeated("%@") }
        switch role {
        case .summary: if counts == 0 { throw .noCount }
        case .placeholder: if lists > 0 { throw .argumentsInPlaceholder }
        }
    }

    /// Returns whether a text has an integer conversion, with or without a position.
    private static func namesCount(_ source: String) -> Bool {
        var parser = Parser(Array(source.utf8))
        return parser.findsCount()
    }

    /// Appends the format's text.
    ///
    /// - Parameters:
    ///   - count: the number for the integer conversion.
    ///   - arguments: appends the list for `%@`; called only if the format uses the arguments.
    ///   - texts: the texts whose number format is used.
    package func append(
        count: UInt64, arguments: (inout [UInt8]) -> Void = { _ in },
        texts: LocalizedTexts = LocalizedTexts(), to output: inout [UInt8]
    ) {
        for piece in pieces {
            switch piece {
            case .text(let text): output.append(contentsOf: text)
            case .count: texts.appendNumber(count, to: &output)
            case .arguments: arguments(&output)
            }
        }
    }
}

/// An error in a format.
public enum MessageFormatError: Error, Equatable, Sendable {
    /// An unsupported conversion, as written.
    case unknownConversion(String)
    case wrongPosition(String)
    case repeated(String)
    case noCount
    case argumentsInPlaceholder
}

extension MessageFormatError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownConversion(let text):
            "'\(text)' is not a supported conversion (%u %d %lu %ld %llu %lld %@ %%)"
        case .wrongPosition(let text):
            "'\(text)' has the wrong position: the count is argument 1, the list argument 2"
        case .repeated(let what): "more than one \(what) in a format"
        case .noCount: "a summary format needs a count, such as %u"
        case .argumentsInPlaceholder: "a placeholder cannot use %@: it has no arguments"
        }
    }
}

extension MessageFormat {
    private struct Parser {
        private let bytes: [UInt8]
        private var index = 0

        private static let integers = ["llu", "lld", "lu", "ld", "u", "d"].map { Array($0.utf8) }

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func parse() throws(MessageFormatError) -> [Piece] {
            var pieces: [Piece] = []
            var text: [UInt8] = []
            while index < bytes.count {
                if bytes[index] != UInt8(ascii: "%") {
                    text.append(bytes[index])
                    index += 1
                } else if take("%%") {
                    text.append(UInt8(ascii: "%"))
                } else {
                    let conversion = try conversion()
                    if !text.isEmpty { pieces.append(.text(text)) }
                    text = []
                    pieces.append(conversion)
                }
            }
            if !text.isEmpty { pieces.append(.text(text)) }
            return pieces
        }

        /// Returns whether an integer conversion follows, even among invalid ones.
        mutating func findsCount() -> Bool {
            while index < bytes.count {
                if bytes[index] != UInt8(ascii: "%") {
                    index += 1
                } else if !take("%%") {
                    do {
                        if try conversion() == .count { return true }
                    } catch .wrongPosition(let text) where !text.hasSuffix("@") {
                        return true
                    } catch {}
                }
            }
            return false
        }

        private mutating func conversion() throws(MessageFormatError) -> Piece {
            let start = index
            index += 1
            var position: Int?
            let digits = bytes[index...].prefix { (0x30...0x39).contains($0) }
            if !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "$") {
                position = Int(String(decoding: digits, as: UTF8.self)) ?? 0
                index = digits.endIndex + 1
            }
            let piece: Piece
            if take("@") {
                piece = .arguments
            } else if Self.integers.contains(where: { take($0) }) {
                piece = .count
            } else {
                throw .unknownConversion(written(from: start, to: index + 1))
            }
            if let position, position != (piece == .count ? 1 : 2) {
                throw .wrongPosition(written(from: start, to: index))
            }
            return piece
        }

        private mutating func take(_ text: String) -> Bool { take(Array(text.utf8)) }

        private mutating func take(_ text: [UInt8]) -> Bool {
            guard bytes[index...].starts(with: text) else { return false }
            index += text.count
            return true
        }

        /// Returns a part of the format for a message, extended to the end of its last character.
        private func written(from start: Int, to end: Int) -> String {
            var end = min(end, bytes.count)
            while end < bytes.count, bytes[end] & 0xc0 == 0x80 { end += 1 }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
    }
}
