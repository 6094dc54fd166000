import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups
@testable import SheafText

/// Localized alerts: texts from the app's tables with the alert's arguments.
@Suite struct AlertTextsTests {
    private static func tables(_ texts: [String: [String: String]]) -> StringTables {
        var tables = StringTables()
        for (language, entries) in texts {
            tables.add(
                StringTable(
                    language: language, entries: entries.mapValues { StringEntry(.text($0), variables: [:]) })
            )
        }
        return tables
    }

    /// Returns the text shown for a key; nil when the key itself is shown.
    private static func shown(
        _ key: String, _ arguments: String, in tables: StringTables, locale: String = "en_US",
        developmentLanguage: String = "en"
    ) throws -> String? {
        let locale = try LocaleIdentifier(known: locale)
        let chain = LanguageChain(locale, developmentLanguage: developmentLanguage)
        guard case .text(let text) = AlertTexts(AppStrings(tables, chain)).find(key) else { return nil }
        var output = Array("> ".utf8)
        guard text.append(arguments: Array(arguments.utf8).span, texts: LocalizedTexts(locale), to: &output)
        else {
            #expect(output == Array("> ".utf8))
            return nil
        }
        return String(decoding: output.dropFirst(2), as: UTF8.self)
    }

    struct Case: NamedCase {
        let name: String
        let text: String
        let arguments: String
        let shown: String

        init(_ name: String, _ text: String, _ arguments: String, _ shown: String) {
            self.name = name
            self.text = text
            self.arguments = arguments
            self.shown = shown
        }
    }

    @Test(arguments: [
        Case("no arguments", "Hello", "", "Hello"),
        Case("unused arguments", "Hello", #"["Ana"]"#, "Hello"),
        Case("one argument", "%@ calls", #"["Ana"]"#, "Ana calls"),
        Case("two arguments", "%@ and %@", #"["Ana","Bob"]"#, "Ana and Bob"),
        Case("in another order", "%2$@ by %1$@", #"["Ana","Song"]"#, "Song by Ana"),
        Case("an argument twice", "%1$@, %1$@", #"["Ana"]"#, "Ana, Ana"),
        Case("a missing argument", "%@ and %@", #"["Ana"]"#, "Ana and %@"),
        Case("no list", "%@ calls", "", "%@ calls"),
        Case("an empty argument", "<%@>", #"[""]"#, "<>"),
        Case("escapes", "<%@>", #"["\u00e9\n"]"#, "<é\n>"),
        Case("a conversion in an argument", "%@ %@", #"["%@","%2$@"]"#, "%@ %2$@"),
        Case("a number", "%@ points", "[7]", "7 points"),
        Case("a number for an integer conversion", "%d points", #"["7"]"#, "7 points"),
        Case("a fraction for an integer conversion", "%d points", #"["7.5"]"#, "7.5 points"),
        Case("percent", "100%% %@", #"["a"]"#, "100% a"),
        Case("an unknown conversion", "%y %@", #"["a"]"#, "%y a"),
        Case("other values", "%@ %@ %@", #"[null,true,{"a":[1]}]"#, #"null true {"a":[1]}"#),
    ])
    func textsAreFormatted(_ item: Case) throws {
        let tables = Self.tables(["en": ["K": item.text]])
        #expect(try Self.shown("K", item.arguments, in: tables) == item.shown)
    }

    @Test func missingKeyIsShownAsIs() throws {
        let tables = Self.tables(["en": ["K": "text"], "fr": ["F": "texte"]])
        #expect(try Self.shown("L", "", in: tables) == nil)
        #expect(try Self.shown("", "", in: tables) == nil)
        // French is not a fallback of the locale.
        #expect(try Self.shown("F", "", in: tables) == nil)
    }

    @Test(arguments: [
        ("de_AT", "de"), ("de", "de"), ("fr", "ja"), ("ja", "ja"), ("zh_Hant_TW", "Hant"),
    ])
    func languagesAreSearchedInOrder(locale: String, text: String) throws {
        let tables = Self.tables(
            ["de": ["K": "de"], "ja": ["K": "ja"], "zh-Hant": ["K": "Hant"], "Base": ["K": "Base"]])
        #expect(try Self.shown("K", "", in: tables, locale: locale, developmentLanguage: "ja") == text)
        #expect(try Self.shown("K", "", in: Self.tables(["Base": ["K": "Base"]]), locale: locale) == "Base")
    }

    /// A language is also looked up in its most common form, but never in a script other than the locale's.
    @Test(arguments: [
        ("zh", "zh-Hans", true), ("zh_SG", "zh-Hans", true), ("zh_TW", "zh-Hans", false),
        ("zh_TW", "zh-Hant", true),
        ("sr", "sr-Cyrl", true), ("sr_RS", "sr-Cyrl", true), ("sr_ME", "sr-Cyrl", false),
        ("sr_Latn", "sr-Cyrl", false), ("sr", "sr-Latn", false), ("pt", "pt-BR", true),
        ("pt_PT", "pt-BR", true),
        ("pt_BR", "pt-PT", false), ("en_GB", "en-US", true), ("de_AT", "de-DE", true), ("de", "fr", false),
    ])
    func mostCommonFormIsSearched(locale: String, table: String, isFound: Bool) throws {
        let tables = Self.tables([table: ["K": "found"], "fi": ["K": "not found"]])
        let text = try Self.shown("K", "", in: tables, locale: locale, developmentLanguage: "fi")
        #expect(text == (isFound ? "found" : "not found"))
    }

    /// Arguments may be as long as a line, and a text may contain them many times.
    @Test func textsThatAreTooLongAreNotShown() throws {
        let long = String(repeating: "x", count: 400_000)
        let tables = Self.tables([
            "en": ["TWICE": "%1$@%1$@", "OFTEN": String(repeating: "%1$@", count: 500)]
        ])
        #expect(try Self.shown("TWICE", "[\"\(long)\"]", in: tables) == long + long)
        #expect(try Self.shown("OFTEN", "[\"\(long)\"]", in: tables) == nil)
        #expect(try Self.shown("OFTEN", "[\"x\"]", in: tables) == String(repeating: "x", count: 500))
    }

    /// A variable is compiled once for each argument that it is used with, and so are the variables inside it.
    @Test func numberOfVariablesIsLimited() throws {
        func variable(_ forms: String) -> StringVariable {
            StringVariable(
                forms: Dictionary(uniqueKeysWithValues: PluralCategory.allCases.map { ($0, forms) }))
        }
        let deep = (1...99).map { "%\($0)$#@a@" }.joined()
        let inner = (1...20).map { "%\($0)$#@b@" }.joined()
        let entry = StringEntry(.text(deep), variables: ["a": variable(inner), "b": variable("%d")])
        var tables = StringTables()
        tables.add(StringTable(language: "en", entries: ["K": entry]))
        if case .text(let text) = AlertTexts(
            AppStrings(tables, LanguageChain(.default, developmentLanguage: "en"))
        ).find(
            "K")
        {
            #expect(text.string.variables.count <= StringLimits.variableCount)
        }
    }

    /// Most tables use the codes `no` and `nb` for the same language.
    @Test(arguments: [("nb_NO", "no"), ("no", "nb"), ("nb", "nb"), ("no_NO", "no")])
    func norwegianCodesAreInterchangeable(locale: String, table: String) throws {
        let tables = Self.tables([table: ["K": "norsk"], "en": ["K": "English"]])
        #expect(try Self.shown("K", "", in: tables, locale: locale) == "norsk")
    }

    @Test(arguments: [
        (1, "1 игрок"), (3, "3 игрока"), (5, "5 игроков"), (21, "21 игрок"),
    ])
    func argumentSelectsThePluralForm(number: Int, text: String) throws {
        let players = StringVariable(
            valueType: "d",
            forms: [.one: "%d игрок", .few: "%d игрока", .many: "%d игроков", .other: "%d игрока"])
        let entry = StringEntry(.text("%#@players@"), variables: ["players": players])
        var tables = StringTables()
        tables.add(StringTable(language: "ru", entries: ["K": entry]))
        #expect(try Self.shown("K", "[\(number)]", in: tables, locale: "ru") == text)
        #expect(try Self.shown("K", "[\"\(number)\"]", in: tables, locale: "ru") == text)
    }

    /// An entry that cannot be formatted counts as missing.
    @Test func entryWithoutFormsIsMissing() throws {
        var tables = StringTables()
        tables.add(StringTable(language: "en", entries: ["K": StringEntry(.plural([:]), variables: [:])]))
        #expect(try Self.shown("K", "", in: tables) == nil)
    }

    @Test(arguments: ["plain", "", "\u{ff}"])
    func plainTextsAreNotLocalized(text: String) {
        #expect(LocalizedText(Array(text.utf8).span) == nil)
    }

    /// Damaged partial results may contain such texts.
    @Test func truncatedLocalizedTextsAreRead() {
        for (bytes, key, arguments) in [
            ([0xff], 1..<1, 1..<1), ([0xff, 0x4b], 1..<2, 2..<2), ([0xff, 0x4b, 0xff], 1..<2, 3..<3),
            ([0xff, 0xff, 0x5b], 1..<1, 2..<3),
        ] as [([UInt8], Range<Int>, Range<Int>)] {
            let text = LocalizedText(bytes.span)
            #expect(text?.key == key)
            #expect(text?.arguments == arguments)
            #expect(bytes.span.extracting(arguments).jsonArrayTexts.isEmpty)
        }
    }
}
