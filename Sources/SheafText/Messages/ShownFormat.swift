import SheafBytes

/// A format as a summary or a placeholder is written with it: one that stands in the configuration, or one of an app's
/// string tables.
package struct ShownFormat: Sendable {
    package enum Text: Sendable {
        case literal(MessageFormat)
        /// With the plural rules of the language that it was found in.
        case table(CompiledString, PluralRules)
    }

    let text: Text
    /// Whether it is in the locale's language, and not in the one that the app is developed in.
    package let isLocal: Bool

    package init(text: Text, isLocal: Bool) {
        self.text = text
        self.isLocal = isLocal
    }

    /// What tells formats apart: categories whose formats have the same text are summed up (specification §7).
    ///
    /// Texts are compared as bytes: strings compare equal in different normal forms, which are different texts on the
    /// screen.
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
    ///   - arguments: appends the list for `%@`; called only where the format names it.
    ///   - texts: how numbers are written.
    package func append(
        count: UInt64, arguments: (inout [UInt8]) -> Void = { _ in }, texts: LocalizedTexts,
        to output: inout [UInt8]
    ) {
        switch text {
        case .literal(let format):
            format.append(count: count, arguments: arguments, texts: texts, to: &output)
        case .table(let string, let rules):
            string.append(
                count: count, arguments: arguments, rules: LanguageRules(rules: rules, texts: texts),
                to: &output)
        }
    }
}

/// The plural rules of a text's language, with the digits of the locale that it is shown in.
package struct LanguageRules: NumberRules {
    let rules: PluralRules
    let texts: LocalizedTexts

    package init(rules: PluralRules, texts: LocalizedTexts) {
        self.rules = rules
        self.texts = texts
    }

    package func category(of number: UInt64) -> PluralCategory { rules.category(of: number) }

    package func appendNumber(_ number: UInt64, to output: inout [UInt8]) {
        texts.appendNumber(number, to: &output)
    }
}
