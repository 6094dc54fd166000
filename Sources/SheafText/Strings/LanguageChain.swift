/// The languages whose tables are searched, the best first: the locale and its fallbacks, the most common forms of
/// its language, the app's development language, and `Base`.
package struct LanguageChain: Sendable {
    let languages: [String]
    let developmentLanguage: String
    /// The plural rules of each language.
    private let rules: [String: PluralRules]
    /// The languages of the chain whose texts are in the locale's language.
    private let local: Set<String>

    package init(_ locale: LocaleIdentifier, developmentLanguage: String) {
        let developmentLanguage = LanguageName.canonical(developmentLanguage)
        self.developmentLanguage = developmentLanguage
        let names = Self.names(locale)
        languages = names.map(LanguageName.canonical) + Self.fallbacks(developmentLanguage)
        // The texts of `Base` are in the app's development language.
        let spoken = languages.map { $0 == "Base" ? developmentLanguage : $0 }
        rules = Dictionary(
            zip(languages, spoken.map { PluralRules(LocaleIdentifier($0) ?? .default) }),
            uniquingKeysWith: { first, _ in first })
        let own = Set(names.map(LanguageName.canonical))
        local = Set(zip(languages, spoken).filter { own.contains($0.1) }.map(\.0))
    }

    /// Returns the languages whose texts are used when the tables for a locale lack a key: those for the app's
    /// development language, and `Base`.
    static func fallbacks(_ developmentLanguage: String) -> [String] {
        tables(developmentLanguage) + ["Base"]
    }

    /// Returns the languages whose tables are for a language, the best first.
    static func tables(_ language: String) -> [String] {
        LocaleIdentifier(language).map { names($0).map(LanguageName.canonical) } ?? []
    }

    /// Returns the languages for a locale. A table in another script is never used: a reader of Serbian in Latin
    /// script does not get Cyrillic.
    private static func names(_ locale: LocaleIdentifier) -> [String] {
        let common = locale.commonForms
        let script = common.lazy.compactMap(\.script).first
        let isCommonScript = locale.script == nil || locale.script == script
        return (locale.fallbacks + (isCommonScript ? common : [])).map(\.tag)
    }

    /// Returns the plural rules of a table's texts. They are created once, because there may be many texts.
    ///
    /// - Parameter language: a language of the chain.
    func rules(of language: String) -> PluralRules { rules[language] ?? PluralRules(.default) }

    /// Returns whether a table's texts are in the locale's language.
    func isLocal(_ language: String) -> Bool { local.contains(language) }
}

/// One app's string tables, looked up in one locale.
package struct AppStrings: Sendable {
    private let tables: StringTables
    private let chain: LanguageChain

    package init(_ tables: StringTables, _ chain: LanguageChain) {
        self.tables = tables
        self.chain = chain
    }

    /// Whether a table for the locale, or one that is used in its place, has a key.
    package func contains(_ key: String) -> Bool { tables.find(key, inCanonical: chain.languages) != nil }

    /// The languages whose readers see keys instead of texts.
    package var gaps: LanguageGaps { LanguageGaps(tables, chain) }

    /// Returns a key's text for a role; nil if no table has the key.
    ///
    /// - Throws: `StringFormatError` for a text that is invalid in the role.
    package func find(_ key: String, _ role: CompiledString.Role) throws(StringFormatError) -> ShownFormat? {
        guard let found = tables.find(key, inCanonical: chain.languages) else { return nil }
        return ShownFormat(
            try CompiledString(found.entry, key: key, language: found.language, role: role),
            rules: chain.rules(of: found.language), isLocal: chain.isLocal(found.language))
    }
}
