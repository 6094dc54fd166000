import SheafText
import TestSupport
import Testing

/// The languages of an app's string tables that lack a key.
@Suite struct LanguageGapsTests {
    struct Gaps: NamedCase {
        let name: String
        /// The languages with a table, and whether it has the key.
        let tables: [String: Bool]
        var locale = "en_US"
        var development = "en"
        let expected: [String]
    }

    @Test(arguments: [
        Gaps(name: "no tables", tables: [:], expected: []),
        Gaps(name: "every language", tables: ["en": true, "de": true], expected: []),
        Gaps(name: "the development language has it", tables: ["en": true, "de": false], expected: []),
        Gaps(name: "Base has it", tables: ["Base": true, "de": false], expected: []),
        Gaps(
            name: "no language", tables: ["fr": false, "de": false, "en": false],
            expected: ["de", "en", "fr"]),
        Gaps(name: "one of several", tables: ["en": false, "de": true, "fr": true], expected: ["en"]),
        Gaps(
            name: "Base is in the development language", tables: ["Base": false, "de": true],
            locale: "de", development: "sv", expected: ["sv"]),
        Gaps(
            name: "Base and the development language", tables: ["Base": false, "sv": false],
            locale: "de", development: "sv", expected: ["sv"]),
        Gaps(name: "a locale without a table", tables: ["de": true], expected: ["en-US"]),
        Gaps(
            name: "a locale of a language with a table", tables: ["en": false], locale: "en_GB",
            expected: ["en"]),
        Gaps(
            name: "a locale with a table", tables: ["de": true, "en": false], locale: "de", expected: ["en"]),
        Gaps(
            name: "a region of a language", tables: ["pt": true, "pt-BR": false, "en": false],
            expected: ["en"]),
        Gaps(
            name: "a name that is not a language", tables: ["Klingon": false, "tlh": true, "en": false],
            expected: ["Klingon", "en"]),
    ])
    func languagesLackKeys(_ gaps: Gaps) throws {
        var tables = StringTables()
        for (language, hasKey) in gaps.tables {
            tables.add(
                StringTable(language: language, entries: [hasKey ? "KEY" : "OTHER": StringEntry(.text("x"))]))
        }
        let locale = try #require(LocaleIdentifier(gaps.locale))
        let strings = AppStrings(tables, LanguageChain(locale, developmentLanguage: gaps.development))
        #expect(strings.gaps.languages(lacking: "KEY") == gaps.expected)
        let isUnknown = try strings.find("KEY", .alert) == nil
        #expect(strings.contains("KEY") == !isUnknown)
        // A reader in the locale sees the key exactly if its language is named.
        if isUnknown, !gaps.tables.isEmpty { #expect(!gaps.expected.isEmpty) }
    }
}
