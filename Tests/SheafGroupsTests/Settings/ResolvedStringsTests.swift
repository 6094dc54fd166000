import SheafBytes
import SheafGroups
import Testing

/// Keys of a configuration, looked up in an app's tables for a locale, and shown.
@Suite struct ResolvedStringsTests {
    private static func tables(_ texts: [String: [String: String]]) -> StringTables {
        var tables = StringTables()
        for (language, entries) in texts {
            tables.add(
                StringTable(
                    language: language,
                    entries: entries.mapValues { StringEntry(.text($0), variables: [:]) }))
        }
        return tables
    }

    private static func settings(_ categories: String, development: String = "en") throws -> Settings {
        try Settings(
            json: Array(
                #"{"developmentLanguage":"\#(development)","apps":{"a":{"strings":"s","categories":{\#(categories)}}}}"#
                    .utf8), file: "config.json")
    }

    private static let category = #""c":{"categorySummaryFormat":{"key":"K"}}"#

    /// The summary of three notifications of these categories.
    private static func summary(
        _ settings: Settings, _ tables: StringTables, _ locale: String, categories: [String] = ["c"]
    ) throws -> String {
        let known = try LocaleIdentifier(known: locale)
        let presentation = Presentation(
            settings, strings: try ResolvedStrings(settings, tables: ["a": tables], locale: known),
            texts: LocalizedTexts(known), locked: false)
        let app = presentation.app(Array("a".utf8).span)
        var shares: [Share] = []
        for (index, name) in categories.enumerated() {
            shares.add(
                Share(
                    format: app.category(Array(name.utf8).span).format, weight: 3, withoutArgument: 1,
                    newest: OrderKey(timestamp: Int64(index), source: 0, line: 1)))
        }
        var output: [UInt8] = []
        presentation.formats.appendSummary(of: shares, argumentCount: 0, argument: { _, _ in }, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        ("zh_Hant_TW", "3 Hant"), ("zh_Hans_CN", "3 zh"), ("de_AT", "3 de"), ("fr", "3 en"),
        ("en_GB", "3 en"),
        ("en_US", "3 en"),
    ])
    func theChainOfLanguages(locale: String, text: String) throws {
        let tables = Self.tables([
            "zh-Hant": ["K": "%u Hant"], "zh": ["K": "%u zh"], "de": ["K": "%u de"], "en": ["K": "%u en"],
            "Base": ["K": "%u Base"],
        ])
        #expect(try Self.summary(try Self.settings(Self.category), tables, locale) == text)
    }

    @Test func theDevelopmentLanguageAndThenTheBase() throws {
        let settings = try Self.settings(Self.category, development: "nl")
        let both = Self.tables(["nl": ["K": "%u nl"], "Base": ["K": "%u Base"], "en": ["K": "%u en"]])
        #expect(try Self.summary(settings, both, "fr") == "3 nl")
        #expect(try Self.summary(settings, Self.tables(["Base": ["K": "%u Base"]]), "fr") == "3 Base")
    }

    /// In the language in which it was found, not that in which it is shown.
    @Test func pluralsAreTheTablesLanguages() throws {
        var tables = StringTables()
        tables.add(
            StringTable(
                language: "Base",
                entries: [
                    "K": StringEntry(
                        .plural([.one: "%u one", .few: "%u few", .other: "%u other"]), variables: [:])
                ]))
        let russian = try Self.settings(Self.category, development: "ru")
        #expect(try Self.summary(russian, tables, "en_US") == "3 few")
        #expect(try Self.summary(try Self.settings(Self.category), tables, "ru") == "3 other")
    }

    @Test func aKeyThatIsNowhereIsNamedAndTheDefaultIsShown() throws {
        let settings = try Self.settings(
            #""c":{"categorySummaryFormat":{"key":"K"},"hiddenPreviewsBodyPlaceholder":{"key":"P"}}"#)
        let resolved = try ResolvedStrings(settings, tables: ["a": StringTables()], locale: .default)
        #expect(
            resolved.missing.map { [$0.app, $0.category, $0.key] } == [["a", "c", "K"], ["a", "c", "P"]])
        #expect(try Self.summary(settings, StringTables(), "en_US") == "3 more notifications")
    }

    /// As with formats that stand in the configuration (specification §7).
    @Test func categoriesWithTheSameTextAreOne() throws {
        let settings = try Self.settings(
            #""c":{"categorySummaryFormat":{"key":"K"}},"d":{"categorySummaryFormat":{"key":"L"}},"#
                + #""e":{"categorySummaryFormat":{"key":"M"}}"#)
        let tables = Self.tables(["en": ["K": "%u same", "L": "%u same", "M": "%u other"]])
        #expect(try Self.summary(settings, tables, "en_US", categories: ["c", "d"]) == "6 same")
        #expect(
            try Self.summary(settings, tables, "en_US", categories: ["c", "d", "e"]) == "3 other and 6 same")
    }

    /// Wherever they stand.
    @Test func aFormatAndAKeyOfTheSameTextAreOne() throws {
        let settings = try Self.settings(
            #""c":{"categorySummaryFormat":{"key":"K"}},"d":{"categorySummaryFormat":"%u same"}"#)
        let tables = Self.tables(["en": ["K": "%u same"]])
        #expect(try Self.summary(settings, tables, "en_US", categories: ["c", "d"]) == "6 same")
    }

    @Test func aTextThatIsNoFormatIsAnError() throws {
        let tables = Self.tables(["en": ["K": "no count"]])
        let error = #expect(throws: StringFormatError.self) {
            _ = try Self.summary(try Self.settings(Self.category), tables, "en_US")
        }
        #expect(error?.problem == .noCount)
        #expect(error?.key == "K")
    }

    @Test func numbersAreTheLocales() throws {
        let tables = Self.tables(["en": ["K": "%u more"]])
        #expect(try Self.summary(try Self.settings(Self.category), tables, "ar_EG") == "٣ more")
    }
}
