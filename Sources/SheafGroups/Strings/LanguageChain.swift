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
