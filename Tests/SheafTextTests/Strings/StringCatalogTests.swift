import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Reading string catalogs, and the errors for invalid ones.
@Suite struct StringCatalogTests {
    /// Returns the entries for the key `KEY` of a catalog whose source language is English, by language.
    private func entries(_ string: String) throws -> [String: StringEntry] {
        let json = #"{"sourceLanguage": "en", "version": "1.0", "strings": {"KEY": \#(string)}}"#
        var entries: [String: StringEntry] = [:]
        for table in try StringCatalog.tables(in: Array(json.utf8)) {
            entries[table.language] = table.entries["KEY"]
        }
        return entries
    }

    private static func unit(_ value: String, _ state: String = "translated") -> String {
        #"{"stringUnit": {"state": "\#(state)", "value": "\#(value)"}}"#
    }

    typealias Case = Example<String, [String: StringEntry]>

    static let key = StringEntry(.text("KEY"))

    @Test(arguments: [
        Case("no localizations", "{}", ["en": key]),
        Case(
            "the key is the text", #"{"localizations": {"de": \#(unit("x"))}}"#,
            ["en": key, "de": .init(.text("x"))]),
        Case(en: "a text", unit("x"), .init(.text("x"))),
        Case(en: "new, with a text", unit("x", "new"), .init(.text("x"))),
        Case(en: "to be reviewed", unit("x", "needs_review"), .init(.text("x"))),
        Case(en: "an unknown state", unit("x", "perfect"), .init(.text("x"))),
        Case(en: "intentionally empty", unit(""), .init(.text(""))),
        Case(en: "new and empty", unit("", "new"), key),
        Case(en: "no value", #"{"stringUnit": {"state": "new"}}"#, key),
        Case(en: "no unit", "{}", key),
        Case(
            "not translated yet", #"{"localizations": {"de": \#(unit("", "new")), "en": \#(unit("x"))}}"#,
            ["en": .init(.text("x"))]),
        Case(
            "no longer in the source code",
            #"{"extractionState": "stale", "localizations": {"en": \#(unit("x"))}}"#,
            ["en": .init(.text("x"))]),
        Case(
            "not to be translated", #"{"shouldTranslate": false, "localizations": {"de": \#(unit("x"))}}"#,
            ["en": key]),
        Case(
            "old spellings", #"{"localizations": {"zh_TW": \#(unit("x")), "PT-br": \#(unit("y"))}}"#,
            ["en": key, "zh-Hant": .init(.text("x")), "pt-BR": .init(.text("y"))]),
        Case(
            en: "plural forms",
            #"{"variations": {"plural": {"one": \#(unit("a")), "other": \#(unit("%d b")), "x": \#(unit("c"))}}}"#,
            .init(.plural([.one: "a", .other: "%d b"]))),
        Case(
            en: "an untranslated form",
            #"{"variations": {"plural": {"one": \#(unit("", "new")), "other": \#(unit("b"))}}}"#,
            .init(.plural([.other: "b"]))),
        Case(
            en: "only untranslated forms", #"{"variations": {"plural": {"other": \#(unit("", "new"))}}}"#, key
        ),
        Case(
            en: "a variation for iPhone",
            #"{"variations": {"device": {"mac": \#(unit("a")), "other": \#(unit("b")), "iphone": \#(unit("c"))}}}"#,
            .init(.text("c"))),
        Case(
            en: "no variation for iPhone",
            #"{"variations": {"device": {"applewatch": \#(unit("a")), "other": \#(unit("b"))}}}"#,
            .init(.text("b"))),
        Case(
            en: "plural forms in a device variation",
            #"{"variations": {"device": {"iphone": {"variations": {"plural": {"other": \#(unit("a"))}}}}}}"#,
            .init(.plural([.other: "a"]))),
        Case(
            en: "device variations in a plural form",
            #"{"variations": {"plural": {"one": {"variations": {"device": {"other": \#(unit("a"))}}}}}}"#,
            .init(.plural([.one: "a"]))),
        Case(
            en: "the greatest width",
            #"{"variations": {"width": {"5": \#(unit("a")), "20": \#(unit("b"))}}}"#,
            .init(.text("b"))),
        Case(
            en: "substitutions",
            #"""
            {"stringUnit": {"state": "translated", "value": "%#@p@ by %@"}, "substitutions": {
              "p": {"argNum": 1, "formatSpecifier": "lld", "variations": {"plural": {"other": \#(unit("%arg x"))}}},
              "q": {"stringUnit": {"value": "y"}}, "r": {}}}
            """#,
            .init(
                .text("%#@p@ by %@"),
                variables: [
                    "p": StringVariable(argument: 1, valueType: "lld", forms: [.other: "%arg x"]),
                    "q": StringVariable(forms: [.other: "y"]),
                ])),
    ])
    func entriesAreRead(_ item: Case) throws {
        #expect(try entries(item.input) == item.expected)
    }

    @Test func sourceLanguageIsCanonicalized() throws {
        let json = #"{"sourceLanguage": "de_DE", "strings": {"Hallo": {}, "": {}}}"#
        let tables = try StringCatalog.tables(in: TextEncoding.utf8WithMark.bytes(of: json))
        #expect(tables == [StringTable(language: "de-DE", entries: ["Hallo": StringEntry(.text("Hallo"))])])
    }

    /// Xcode writes each key once. If a merge left duplicates, the first one counts, as in Foundation's decoder.
    @Test func firstOfDuplicateKeysWins() throws {
        let json =
            #"{"sourceLanguage": "en", "strings": {"A": {"localizations": {"en": \#(Self.unit("1"))}}, "A": {}}}"#
        let tables = try StringCatalog.tables(in: Array(json.utf8))
        #expect(texts(tables.first?.entries ?? [:]) == ["A": "1"])
    }

    /// A catalog, and the description of its error without the path.
    typealias Wrong = Example<String, String>

    @Test(arguments: [
        Wrong("invalid JSON", "{\n\"sourceLanguage\": \"en\",\n}", ":3: not valid JSON at column 1"),
        Wrong("an empty file", "", ":1: not valid JSON at column 1"),
        Wrong("a list", "[]", ": expected an object"),
        Wrong("no source language", #"{"strings": {}}"#, ": the key 'sourceLanguage' is missing"),
        Wrong("no strings", #"{"sourceLanguage": "en"}"#, ": the key 'strings' is missing"),
        Wrong(
            "a value of another type",
            """
            {"sourceLanguage": "en", "strings": {
             "A": {"localizations": {
              "en": {"stringUnit": {"value": 1}}}}}}
            """,
            ":3: strings.A.localizations.en.stringUnit.value: expected a string"),
        // The reported error is always the same one of several.
        Wrong(
            "values of other types",
            #"{"sourceLanguage": "en", "strings": {"#
                + ["e", "c", "a", "b", "d"].map { #""\#($0)": {"localizations": 5}"# }.joined(separator: ", ")
                + "}}", ":1: strings.a.localizations: expected an object"),
    ])
    func invalidCatalogsAreRejected(_ item: Wrong) {
        var tables = StringTables()
        let error = #expect(throws: LocatedError.self) {
            try tables.add(
                Array(item.input.utf8), of: StringTableFile(path: "a/Localizable.xcstrings", kind: .catalog))
        }
        #expect(error?.description == "a/Localizable.xcstrings" + item.expected)
    }
}

extension Example where Input == String, Expected == [String: StringEntry] {
    /// A case with a localization for the source language only.
    fileprivate init(en name: String, _ localization: String, _ entry: StringEntry) {
        self.init(name, #"{"localizations": {"en": \#(localization)}}"#, ["en": entry])
    }
}
