import SheafBytes

/// Finds the languages of one app's string tables that lack a key, so that a device shows it instead of a text.
///
///     key ──▶ development language, Base? ── yes ──▶ no language lacks it
///                                         └─ no ──▶ each language's own tables
///
/// The languages are those that the app has tables for, and the locale that texts are looked up in if none of these is
/// for it. The texts of `Base` are in the development language.
package struct LanguageGaps: Sendable {
    private let tables: StringTables
    private let fallbacks: [String]
    /// The languages in byte order, each with those whose tables have its texts.
    private let languages: [(name: String, own: [String])]
    /// The locale, which follows the languages.
    private let locale: [String]

    init(_ tables: StringTables, _ chain: LanguageChain) {
        self.tables = tables
        fallbacks = LanguageChain.fallbacks(chain.developmentLanguage)
        locale = chain.languages
        let names = tables.languages.map { $0 == "Base" ? chain.developmentLanguage : $0 }
        languages = Set(names).ordered().map { name in
            let own = LanguageChain.tables(name)
            return (name, own.isEmpty ? [name] : own)
        }
    }

    /// Returns the languages in which no table has a key; none for an app without tables. O(languages) lookups.
    package func languages(lacking key: String) -> [String] {
        func isFound(_ chain: [String]) -> Bool { tables.find(key, inCanonical: chain) != nil }
        guard !languages.isEmpty, !isFound(fallbacks) else { return [] }
        let lacking = languages.filter { !isFound($0.own) }.map(\.name)
        guard let name = locale.first, !isFound(locale), !lacking.contains(where: locale.contains) else {
            return lacking
        }
        return lacking + [name]
    }
}
