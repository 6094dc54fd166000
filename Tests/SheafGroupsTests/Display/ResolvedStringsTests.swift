import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import Testing

/// Keys in a configuration, looked up in an app's tables for a locale, and their texts.
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

    /// Returns the summary of three notifications in each of these categories.
    private static func summary(
        _ settings: Settings, _ tables: StringTables, _ locale: String, categories: [String] = ["c"]
    ) throws -> String {
        let known = try LocaleIdentifier(known: locale)
        let presentation = Presentation(
            settings, strings: try ResolvedStrings(settings, tables: ["a": tables], locale: known),
            texts: LocalizedTexts(known), locked: false)
        let app = presentation.app(Array("a".utf8).span)
        var shares = ShareList()
        for (index, name) in categories.enumerated() {
            shares.add(
                Share(
                    format: presentation.category(Array(name.utf8).span, of: app).format, number: 3,
                    withoutArgument: 1,
                    newest: OrderKey(timestamp: Int64(index), source: 0, line: 1)))
        }
        var output: [UInt8] = []
        presentation.formats.appendSummary(
            of: shares.shares, argumentCount: 0, argument: { _, _ in }, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        ("zh_Hant_TW", "3 Hant"), ("zh_Hans_CN", "3 zh"), ("de_AT", "3 de"), ("fr", "3 en"),
        ("en_GB", "3 en"),
        ("en_US", "3 en"),
    ])
    func languagesAreSearchedInOrder(locale: String, text: String) throws {
        let tables = Self.tables([
            "zh-Hant": ["K": "%u Hant"], "zh": ["K": "%u zh"], "de": ["K": "%u de"], "en": ["K": "%u en"],
            "Base": ["K": "%u Base"],
        ])
        #expect(try Self.summary(try Self.settings(Self.category), tables, locale) == text)
    }

    @Test func developmentLanguagePrecedesTheBase() throws {
        let settings = try Self.settings(Self.category, development: "nl")
        let both = Self.tables(["nl": ["K": "%u nl"], "Base": ["K": "%u Base"], "en": ["K": "%u en"]])
        #expect(try Self.summary(settings, both, "fr") == "3 nl")
        #expect(try Self.summary(settings, Self.tables(["Base": ["K": "%u Base"]]), "fr") == "3 Base")
    }

    /// Plurals follow the language in which the text was found, not the locale.
    @Test func pluralsFollowTheTablesLanguage() throws {
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

    @Test func missingKeyIsReportedAndTheDefaultShown() throws {
        let settings = try Self.settings(
            #""c":{"categorySummaryFormat":{"key":"K"},"hiddenPreviewsBodyPlaceholder":{"key":"P"}}"#)
        let resolved = try ResolvedStrings(settings, tables: ["a": StringTables()], locale: .default)
        #expect(
            resolved.missing.map { [$0.app, $0.category, $0.key] } == [["a", "c", "K"], ["a", "c", "P"]])
        #expect(try Self.summary(settings, StringTables(), "en_US") == "3 more notifications")
    }

    /// Equal texts are combined like formats in the configuration (specification §7).
    @Test func categoriesWithTheSameTextAreCombined() throws {
        let settings = try Self.settings(
            #""c":{"categorySummaryFormat":{"key":"K"}},"d":{"categorySummaryFormat":{"key":"L"}},"#
                + #""e":{"categorySummaryFormat":{"key":"M"}}"#)
        let tables = Self.tables(["en": ["K": "%u same", "L": "%u same", "M": "%u other"]])
        #expect(try Self.summary(settings, tables, "en_US", categories: ["c", "d"]) == "6 same")
        #expect(
            try Self.summary(settings, tables, "en_US", categories: ["c", "d", "e"]) == "3 other and 6 same")
    }

    @Test func formatAndKeyWithTheSameTextAreCombined() throws {
        let settings = try Self.settings(
            #""c":{"categorySummaryFormat":{"key":"K"}},"d":{"categorySummaryFormat":"%u same"}"#)
        let tables = Self.tables(["en": ["K": "%u same"]])
        #expect(try Self.summary(settings, tables, "en_US", categories: ["c", "d"]) == "6 same")
    }

    @Test func invalidFormatInATableIsAnError() throws {
        let tables = Self.tables(["en": ["K": "no count"]])
        let error = #expect(throws: StringFormatError.self) {
            _ = try Self.summary(try Self.settings(Self.category), tables, "en_US")
        }
        #expect(error?.problem == .noCount)
        #expect(error?.key == "K")
    }

    private static let placeholder = #""c":{"hiddenPreviewsBodyPlaceholder":{"key":"K"}}"#

    /// Returns the hidden body of three notifications with the placeholder `K`.
    private static func hiddenBody(of entry: StringEntry) throws -> String {
        let settings = try Self.settings(placeholder)
        var tables = StringTables()
        tables.add(StringTable(language: "en", entries: ["K": entry]))
        let presentation = Presentation(
            settings, strings: try ResolvedStrings(settings, tables: ["a": tables], locale: .default),
            locked: false)
        let category = presentation.category(
            Array("c".utf8).span, of: presentation.app(Array("a".utf8).span))
        let share = Share(
            format: category.placeholder, number: 3, withoutArgument: 0,
            newest: OrderKey(timestamp: 0, source: 0, line: 1))
        var output: [UInt8] = []
        presentation.formats.appendHiddenBody(of: [share], to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    typealias Placeholder = Example<StringEntry, String>

    private static let comments = StringVariable(
        argument: 1, valueType: "u", forms: [.one: "%u comment", .other: "%u comments"])

    @Test(arguments: [
        Placeholder(
            "only a variable", StringEntry(.text("%#@comments@"), variables: ["comments": comments]),
            "3 comments"),
        Placeholder(
            "a variable with its position",
            StringEntry(.text("%1$#@comments@"), variables: ["comments": comments]), "3 comments"),
        Placeholder(
            "text around a variable",
            StringEntry(.text("100%%: %#@comments@!"), variables: ["comments": comments]),
            "100%: 3 comments!"),
        Placeholder(
            "a form with its own number",
            StringEntry(
                .text("%#@n@"), variables: ["n": StringVariable(argument: 1, forms: [.other: "%arg in all"])]),
            "3 in all"),
        Placeholder(
            "plural variations", StringEntry(.plural([.one: "%u comment", .other: "%u comments"])),
            "3 comments"),
        Placeholder(
            "an unused variable",
            StringEntry(.text("Comments"), variables: ["comments": comments]), "Comments"),
        Placeholder("a count", StringEntry(.text("%u comments")), "3 comments"),
        Placeholder("no count", StringEntry(.text("100% %@ %#@")), "100% %@ %#@"),
        Placeholder("a count and a percent sign", StringEntry(.text("%u%%")), "3%"),
    ])
    func placeholdersAreFormatted(_ item: Placeholder) throws {
        #expect(try Self.hiddenBody(of: item.input) == item.expected)
    }

    /// Without an error, the reference would be shown verbatim, which is never intended.
    @Test func unknownVariableIsAnError() throws {
        let error = #expect(throws: StringFormatError.self) {
            _ = try Self.hiddenBody(of: StringEntry(.text("%#@comments@")))
        }
        #expect(error?.problem == .unknownVariable("comments"))
    }

    /// As with formats, only different texts have separate phrases.
    @Test func placeholderAndKeyWithTheSameTextAreCombined() throws {
        let settings = try Self.settings(
            Self.placeholder + #","d":{"hiddenPreviewsBodyPlaceholder":"%u comments"}"#)
        let resolved = try ResolvedStrings(
            settings, tables: ["a": Self.tables(["en": ["K": "%u comments"]])], locale: .default)
        let presentation = Presentation(settings, strings: resolved, locked: false)
        let app = presentation.app(Array("a".utf8).span)
        let one = presentation.category(Array("c".utf8).span, of: app)
        let other = presentation.category(Array("d".utf8).span, of: app)
        #expect(one.placeholder == other.placeholder)
    }

    @Test func numbersFollowTheLocale() throws {
        let tables = Self.tables(["en": ["K": "%u more"]])
        #expect(try Self.summary(try Self.settings(Self.category), tables, "ar_EG") == "٣ more")
    }
}
