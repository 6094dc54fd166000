import SheafBytes

/// A format for writing a summary or a placeholder, from the configuration or from an app's string tables.
package struct ShownFormat: Sendable {
    package enum Text: Sendable {
        case literal(MessageFormat)
        /// A text with the plural rules of the language that it was found in.
        case table(CompiledString, PluralRules)
    }

    let text: Text
    /// Whether the format is in the locale's language, as opposed to the app's development language.
    package let isLocal: Bool

    package init(text: Text, isLocal: Bool) {
        self.text = text
        self.isLocal = isLocal
    }

    /// The identity of a format: categories whose formats have the same text are summed up (specification §7).
    ///
    /// Texts are compared as bytes, because strings in different normalization forms compare equal, but are different
    /// texts on the screen.
    package enum Key: Hashable, Sendable {
        case literal([UInt8])
        case table(CompiledString)
    }

    package var key: Key {
        switch text {
        case .literal(let format): .literal(Array(format.source.utf8))
        case .table(let string, _): .table(string)
        }
    }

    package var takesArguments: Bool {
        switch text {
        case .literal(let format): format.takesArguments
        case .table(let string, _): string.takesArguments
        }
    }

    /// Appends the format's text.
    ///
    /// - Parameters:
    ///   - arguments: appends the list for `%@`; called only if the format uses it.
    ///   - texts: the texts whose number format is used.
    package func append(
        count: UInt64, arguments: (inout [UInt8]) -> Void = { _ in }, texts: LocalizedTexts,
        to output: inout [UInt8]
    ) {
        switch text {
        case .literal(let format):
            format.append(count: count, arguments: arguments, texts: texts, to: &output)
        case .table(let string, let rules):
            string.append(count: count, arguments: arguments, rules: rules, texts: texts, to: &output)
        }
    }
}
