import SheafBytes

/// The texts that one app's alerts name by their keys (`title-loc-key`, `subtitle-loc-key`, `loc-key`), in one locale.
public struct AlertTexts: Sendable {
    private let tables: StringTables
    private let chain: LanguageChain

    init(_ tables: StringTables, _ chain: LanguageChain) {
        self.tables = tables
        self.chain = chain
    }

    /// The text of a key; nil where no table has it, or none that can be shown: a device then shows the key.
    ///
    /// Compiles the text: to be kept by those who need it again.
    public func text(of key: String) -> AlertText? {
        guard let found = tables.find(key, in: chain.languages),
            let string = try? CompiledString(found.entry, key: key, language: found.language, role: .alert)
        else { return nil }
        return AlertText(string: string, rules: chain.rules(of: found.language))
    }
}

/// An alert's text out of a string table.
public struct AlertText: Sendable {
    let string: CompiledString
    let rules: PluralRules

    /// Appends the text with its arguments.
    ///
    /// - Parameters:
    ///   - arguments: a JSON array, or nothing. Strings stand in the text as they are, other values as they are written.
    ///   - texts: how numbers are written.
    public func append(arguments: Span<UInt8>, texts: LocalizedTexts, to output: inout [UInt8]) {
        let arguments = arguments.jsonArrayTexts
        string.append(
            argumentCount: arguments.count, argument: { $1.append(contentsOf: arguments[$0]) },
            rules: LanguageRules(rules: rules, texts: texts), to: &output)
    }
}

/// Which languages' tables are looked in, the best first: the locale's and those that stand in for it, the form of the
/// language that most people read, the language that the app is developed in, and `Base`.
struct LanguageChain: Sendable {
    let languages: [String]
    private let developmentLanguage: String

    init(_ locale: LocaleIdentifier, developmentLanguage: String) {
        let development = LocaleIdentifier(LanguageName.canonical(developmentLanguage)).map(Self.names)
        languages = Self.names(locale) + (development ?? []) + ["Base"]
        self.developmentLanguage = developmentLanguage
    }

    /// Those of a locale. A table in another script is never taken for it: who reads Serbian in Latin letters gets no
    /// Cyrillic.
    private static func names(_ locale: LocaleIdentifier) -> [String] {
        let usual = UsualLocales.forms(of: locale.language)
        let script = usual.lazy.compactMap(\.script).first
        let isUsual = locale.script == nil || locale.script == script
        return (locale.fallbacks + (isUsual ? usual : [])).map(\.tag)
    }

    /// The plural rules of a table's texts. Those of the base are in the language that the app is developed in.
    func rules(of language: String) -> PluralRules {
        let language = language == "Base" ? LanguageName.canonical(developmentLanguage) : language
        return PluralRules(LocaleIdentifier(language) ?? .default)
    }
}
