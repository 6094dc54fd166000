import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// Every sentence is in a single language, including its lists and digits, even if Sheaf has no texts for the locale.
@Suite struct SentenceLanguageTests {
    /// Returns a presentation in which the categories `table` and `other` have formats from the app's tables, and
    /// `literal` and `literal2` have formats from the configuration.
    private static func presentation(
        _ locale: String, development: String = "en", tables texts: [String: [String: String]] = [:]
    ) throws -> Presentation {
        let json = """
            {"developmentLanguage":"\(development)","apps":{"a":{"strings":"s","categories":{
             "table":{"categorySummaryFormat":{"key":"K"},"hiddenPreviewsBodyPlaceholder":{"key":"P"}},
             "other":{"categorySummaryFormat":{"key":"L"},"hiddenPreviewsBodyPlaceholder":{"key":"Q"}},
             "literal":{"categorySummaryFormat":"%u literal from %@","hiddenPreviewsBodyPlaceholder":"%u literals"},
             "literal2":{"categorySummaryFormat":"%u written"}}}}}
            """
        let settings = try Settings(json: Array(json.utf8), file: "config.json")
        var tables = StringTables()
        for (language, entries) in texts {
            tables.add(
                StringTable(
                    language: language, entries: entries.mapValues { StringEntry(.text($0), variables: [:]) })
            )
        }
        let known = try LocaleIdentifier(known: locale)
        return Presentation(
            settings, strings: try ResolvedStrings(settings, tables: ["a": tables], locale: known),
            texts: LocalizedTexts(known), locked: false)
    }

    /// Returns the summary and the hidden body of one notification per category, oldest first, all with arguments.
    private static func shown(_ presentation: Presentation, _ categories: [String]) -> [String] {
        let app = presentation.app(Array("a".utf8).span)
        var (formats, placeholders) = (ShareList(), ShareList())
        for (index, name) in categories.enumerated() {
            let category = presentation.category(Array(name.utf8).span, of: app)
            let order = OrderKey(timestamp: Int64(index), source: 0, line: 1)
            formats.add(Share(format: category.format, number: 5, withoutArgument: 0, newest: order))
            placeholders.add(
                Share(format: category.placeholder, number: 5, withoutArgument: 0, newest: order))
        }
        let names = ["A", "B", "C"]
        var (summary, hidden): ([UInt8], [UInt8]) = ([], [])
        presentation.formats.appendSummary(
            of: formats.shares, argumentCount: 3, argument: { $1 += Array(names[$0].utf8) }, to: &summary)
        presentation.formats.appendHiddenBody(of: placeholders.shares, to: &hidden)
        return [String(decoding: summary, as: UTF8.self), String(decoding: hidden, as: UTF8.self)]
    }

    private static let swedish = ["K": "%u fler från %@", "L": "%u till", "P": "%u dolda", "Q": "%u andra"]
    private static let english = [
        "K": "%u others from %@", "L": "%u extra", "P": "%u hidden", "Q": "%u more",
    ]

    struct Case: NamedCase {
        let name: String
        let locale: String
        var development = "en"
        var tables: [String: [String: String]] = [:]
        let categories: [String]
        let summary: String
        let hidden: String

        init(
            _ name: String, _ locale: String, development: String = "en",
            tables: [String: [String: String]] = [:], _ categories: [String], _ summary: String,
            _ hidden: String
        ) {
            self.name = name
            self.locale = locale
            self.development = development
            self.tables = tables
            self.categories = categories
            self.summary = summary
            self.hidden = hidden
        }
    }

    @Test(arguments: [
        Case(
            "Sheaf's texts", "sv", ["x"], "5 more notifications from A, B, and C", "5 Notifications"),
        Case(
            "Sheaf's texts, a region", "sv_FI", ["x"], "5 more notifications from A, B, and C",
            "5 Notifications"),
        Case(
            "Sheaf's texts, a locale with other digits", "fa", ["x"], "5 more notifications from A, B, and C",
            "5 Notifications"),
        Case(
            "the app's own language", "sv", tables: ["sv": swedish, "en": english], ["table"],
            "5 fler från A, B och C", "5 dolda"),
        Case(
            "the app's language, a region", "sv_FI", tables: ["sv": swedish], ["table"],
            "5 fler från A, B och C", "5 dolda"),
        Case(
            "the app's language, digits", "fa", tables: ["fa": english], ["other"], "۵ extra", "۵ more"),
        Case(
            "the development language, digits", "fa", tables: ["en": english], ["other"], "5 extra", "5 more"),
        Case(
            "the development language", "sv", tables: ["en": english], ["table"],
            "5 others from A, B, and C", "5 hidden"),
        Case(
            "another development language", "sv", development: "de", tables: ["de": english], ["table"],
            "5 others from A, B und C", "5 hidden"),
        Case(
            "the base table in the development language", "sv", tables: ["Base": english], ["table"],
            "5 others from A, B, and C", "5 hidden"),
        Case(
            "the base table in the locale's language", "sv_FI", development: "sv", tables: ["Base": swedish],
            ["table"], "5 fler från A, B och C", "5 dolda"),
        Case(
            "the configuration's text", "sv", ["literal"], "5 literal from A, B, and C", "5 literals"),
        Case(
            "the configuration's text in the locale's language", "sv_FI", development: "sv", ["literal"],
            "5 literal from A, B och C", "5 literals"),
        Case(
            "phrases in one language", "sv",
            tables: ["sv": swedish.merging(["K": "%u fler"]) { _, new in new }], ["other", "table"],
            "5 fler och 5 till", "5 dolda och 5 andra"),
        Case(
            "phrases in two languages", "sv", tables: ["sv": swedish], ["other", "literal2"],
            "10 more notifications", "10 Notifications"),
        Case(
            "one phrase and the default", "sv", tables: ["sv": swedish], ["other", "x"],
            "10 more notifications",
            "10 Notifications"),
        Case(
            "phrases in the development language and Sheaf's", "sv", tables: ["en": english],
            ["other", "literal2", "x"], "5 more notifications, 5 written, and 5 extra",
            "10 Notifications and 5 more"),
        Case(
            "a locale with texts", "de_AT", tables: ["de": english], ["x"],
            "5 weitere Mitteilungen von A, B und C", "5 Mitteilungen"),
        Case(
            "a locale with texts, the development language", "de_AT", tables: ["en": english], ["table"],
            "5 others from A, B und C", "5 hidden"),
        Case(
            "a locale with texts, phrases in two languages", "de_AT", tables: ["en": english],
            ["other", "x"], "5 weitere Mitteilungen und 5 extra", "5 Mitteilungen und 5 more"),
    ])
    func sentencesAreInOneLanguage(_ item: Case) throws {
        let presentation = try Self.presentation(
            item.locale, development: item.development, tables: item.tables)
        #expect(Self.shown(presentation, item.categories) == [item.summary, item.hidden])
    }
}
