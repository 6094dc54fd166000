/// A format for writing a text, from the configuration or from an app's string tables.
package struct ShownFormat: Sendable {
    /// The identity of a format: categories whose formats have the same text are summed up (specification §7).
    ///
    /// Texts are compared as bytes, because strings in different normalization forms compare equal, but are different
    /// texts on the screen. A table's text without variables equals the same format in the configuration.
    package let string: CompiledString
    /// The plural rules of the language that the text was found in.
    package let rules: PluralRules
    /// Whether the format is in the locale's language, as opposed to the app's development language.
    package let isLocal: Bool

    init(_ string: CompiledString, rules: PluralRules, isLocal: Bool) {
        self.string = string
        self.rules = rules
        self.isLocal = isLocal
    }

    /// The format of a configuration, whose text does not depend on plural rules.
    package init(_ format: MessageFormat, isLocal: Bool) {
        self.init(format.string, rules: .english, isLocal: isLocal)
    }

    package var takesArguments: Bool { string.takesArguments }

    /// Appends the format's text.
    ///
    /// - Parameters:
    ///   - arguments: appends the list for `%@`; called only if the format uses it.
    ///   - texts: the texts whose number format is used.
    package func append(
        count: UInt64, arguments: (inout [UInt8]) -> Void = { _ in }, texts: LocalizedTexts,
        to output: inout [UInt8]
    ) {
        string.append(count: count, arguments: arguments, rules: rules, texts: texts, to: &output)
    }
}
