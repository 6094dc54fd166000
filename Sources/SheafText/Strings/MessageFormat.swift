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
        let tokens = FormatTokens.tokens(of: source, in: .configuration)
        // A placeholder without a count is literal, whatever else it contains.
        if role == .placeholder, !tokens.contains(where: { $0.kind == .number }) {
            pieces = source.isEmpty ? [] : [.text(Array(source.utf8))]
            return
        }
        pieces = try Self.pieces(of: tokens)
        let counts = pieces.count { $0 == .count }
        let lists = pieces.count { $0 == .arguments }
        if counts > 1 { throw .repeated("count") }
        if lists > 1 { throw .repeated("%@") }
        switch role {
        case .summary: if counts == 0 { throw .noCount }
        case .placeholder: if lists > 0 { throw .argumentsInPlaceholder }
        }
    }

    private static func pieces(of tokens: [FormatTokens.Token]) throws(MessageFormatError) -> [Piece] {
        var pieces: [Piece] = []
        for token in tokens {
            let (piece, position): (Piece, Int) =
                switch token.kind {
                case .text: (.text(token.bytes), 0)
                case .number: (.count, 1)
                case .argument: (.arguments, 2)
                case .variable, .ownNumber, .unknown:
                    throw .unknownConversion(token.text)
                }
            if let written = token.position, written != position {
                throw .wrongPosition(token.text)
            }
            pieces.append(piece)
        }
        return pieces
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
            "'\(text)' is not a supported conversion (\(FormatTokens.conversions))"
        case .wrongPosition(let text): FormatTokens.wrongPosition(text)
        case .repeated(let what): "more than one \(what) in a format"
        case .noCount: "a summary format needs a count, such as %u"
        case .argumentsInPlaceholder: FormatTokens.argumentsInPlaceholder
        }
    }
}
