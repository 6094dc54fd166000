/// Which languages' tables are looked in, the best first: the locale's and those that stand in for it, the form of the
/// language that most people read, the language that the app is developed in, and `Base`.
package struct LanguageChain: Sendable {
    let languages: [String]
    /// By each of them.
    private let rules: [String: PluralRules]
    /// Those of them whose texts are in the locale's language.
    private let local: Set<String>

    package init(_ locale: LocaleIdentifier, developmentLanguage: String) {
        let developmentLanguage = LanguageName.canonical(developmentLanguage)
        let names = Self.names(locale)
        let development = LocaleIdentifier(developmentLanguage).map(Self.names) ?? []
        languages = (names + development + ["Base"]).map(LanguageName.canonical)
        // Those of the base are in the language that the app is developed in.
        let spoken = languages.map { $0 == "Base" ? developmentLanguage : $0 }
        rules = Dictionary(
            zip(languages, spoken.map { PluralRules(LocaleIdentifier($0) ?? .default) }),
            uniquingKeysWith: { first, _ in first })
        let own = Set(names.map(LanguageName.canonical))
        local = Set(zip(languages, spoken).filter { own.contains($0.1) }.map(\.0))
    }

    /// Those of a locale. A table in another script is never taken for it: who reads Serbian in Latin letters gets no
    /// Cyrillic.
    private static func names(_ locale: LocaleIdentifier) -> [String] {
        let usual = UsualLocales.forms(of: locale.language)
        let script = usual.lazy.compactMap(\.script).first
        let isUsual = locale.script == nil || locale.script == script
        return (locale.fallbacks + (isUsual ? usual : [])).map(\.tag)
    }

    /// The plural rules of a table's texts. Made once, as there may be many texts.
    ///
    /// - Parameter language: one of the chain.
    func rules(of language: String) -> PluralRules { rules[language] ?? PluralRules(.default) }

    /// Whether a table's texts are in the locale's language.
    func isLocal(_ language: String) -> Bool { local.contains(language) }
}
