/// A format as a summary or a placeholder is written with it: one that stands in the configuration, or one of an app's
/// string tables.
enum ShownFormat: Sendable {
    case literal(MessageFormat)
    /// With the plural rules of the language that it was found in.
    case table(CompiledString, PluralRules)

    var takesArguments: Bool {
        switch self {
        case .literal(let format): format.takesArguments
        case .table(let string, _): string.takesArguments
        }
    }

    /// Whether both show the same: categories with the same format are summed up (specification §7).
    func hasSameText(as other: ShownFormat) -> Bool {
        switch (self, other) {
        case (.literal(let one), .literal(let another)): one.hasSameText(as: another)
        case (.table(let one, _), .table(let another, _)): one == another
        default: false
        }
    }

    /// Appends the format's text.
    ///
    /// - Parameters:
    ///   - arguments: appends the list for `%@`; called only where the format names it.
    ///   - texts: how numbers are written.
    func append(
        count: UInt64, arguments: (inout [UInt8]) -> Void = { _ in }, texts: LocalizedTexts,
        to output: inout [UInt8]
    ) {
        switch self {
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
struct LanguageRules: NumberRules {
    let rules: PluralRules
    let texts: LocalizedTexts

    func category(of number: UInt64) -> PluralCategory { rules.category(of: number) }

    func appendNumber(_ number: UInt64, to output: inout [UInt8]) { texts.appendNumber(number, to: &output) }
}
