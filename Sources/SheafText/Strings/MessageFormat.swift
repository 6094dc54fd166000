/// A format for a summary or a placeholder: `%u more messages from %@` (specification §7, §8).
///
/// A format has one integer conversion (`%u %d %lu %ld %llu %lld`), at most one `%@`, and `%%`. The integer is the
/// first argument and the list the second: positions may be written (`%1$u`, `%2$@`), but no others.
public struct MessageFormat: Sendable, Equatable {
    /// The format as written.
    public let source: String
    let string: CompiledString

    /// Whether the format uses the count.
    public var takesCount: Bool { string.takesCount }
    /// Whether the format uses the arguments.
    public var takesArguments: Bool { string.takesArguments }

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
            string = CompiledString(literal: source)
            return
        }
        var pieces: [CompiledString.Piece] = []
        for token in tokens {
            let (piece, position): (CompiledString.Piece, Int) =
                switch token.kind {
                case .text: (.text(token.bytes), 0)
                case .number: (.number(1, written: token.bytes), 1)
                case .argument: (.argument(2, written: token.bytes), 2)
                case .variable, .ownNumber, .unknown: throw .unknownConversion(token.text)
                }
            if let written = token.position, written != position { throw .wrongPosition(token.text) }
            pieces.append(piece)
        }
        let counts = tokens.count { $0.kind == .number }
        let lists = tokens.count { $0.kind == .argument }
        if counts > 1 { throw .repeated("count") }
        if lists > 1 { throw .repeated("%@") }
        switch role {
        case .summary: if counts == 0 { throw .noCount }
        case .placeholder: if lists > 0 { throw .argumentsInPlaceholder }
        }
        string = CompiledString(
            pieces: pieces, variables: [], takesCount: counts > 0, takesArguments: lists > 0)
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
        // A format has no variables, so the plural rules have no influence.
        string.append(count: count, arguments: arguments, rules: .english, texts: texts, to: &output)
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
