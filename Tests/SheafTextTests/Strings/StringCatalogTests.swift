import SheafText
import Testing

@testable import SheafText

/// String catalogs: what counts in them, and what is said of one that is wrong.
@Suite struct StringCatalogTests {
    /// What a catalog in English has for the key `KEY`, by language.
    private func entries(_ string: String) throws -> [String: StringEntry] {
        let json = #"{"sourceLanguage": "en", "version": "1.0", "strings": {"KEY": \#(string)}}"#
        var entries: [String: StringEntry] = [:]
        for table in try StringCatalog.read(Array(json.utf8)) {
            entries[table.language] = table.entries["KEY"]
        }
        return entries
    }

    private static func unit(_ value: String, _ state: String = "translated") -> String {
        #"{"stringUnit": {"state": "\#(state)", "value": "\#(value)"}}"#
    }

    struct Case: NamedCase {
        let name: String
        let string: String
        let entries: [String: StringEntry]

        init(_ name: String, _ string: String, _ entries: [String: StringEntry]) {
            self.name = name
            self.string = string
            self.entries = entries
        }

        /// What the source language has.
        init(en name: String, _ localization: String, _ entry: StringEntry) {
            self.init(name, #"{"localizations": {"en": \#(localization)}}"#, ["en": entry])
        }
    }

    static let key = StringEntry(.text("KEY"))

    @Test(arguments: [
        Case("nothing", "{}", ["en": key]),
        Case(
            "the key is the text", #"{"localizations": {"de": \#(unit("x"))}}"#,
            ["en": key, "de": .init(.text("x"))]),
        Case(en: "a text", unit("x"), .init(.text("x"))),
        Case(en: "new, with a text", unit("x", "new"), .init(.text("x"))),
        Case(en: "to be reviewed", unit("x", "needs_review"), .init(.text("x"))),
        Case(en: "a state of tomorrow", unit("x", "perfect"), .init(.text("x"))),
        Case(en: "meant to be empty", unit(""), .init(.text(""))),
        Case(en: "new and empty", unit("", "new"), key),
        Case(en: "no value", #"{"stringUnit": {"state": "new"}}"#, key),
        Case(en: "no unit", "{}", key),
        Case(
            "not translated yet", #"{"localizations": {"de": \#(unit("", "new")), "en": \#(unit("x"))}}"#,
            ["en": .init(.text("x"))]),
        Case(
            "no longer in the sources",
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
            en: "a form that is wanted",
            #"{"variations": {"plural": {"one": \#(unit("", "new")), "other": \#(unit("b"))}}}"#,
            .init(.plural([.other: "b"]))),
        Case(
            en: "all forms wanted", #"{"variations": {"plural": {"other": \#(unit("", "new"))}}}"#, key),
        Case(
            en: "a telephone",
            #"{"variations": {"device": {"mac": \#(unit("a")), "other": \#(unit("b")), "iphone": \#(unit("c"))}}}"#,
            .init(.text("c"))),
        Case(
            en: "no telephone",
            #"{"variations": {"device": {"applewatch": \#(unit("a")), "other": \#(unit("b"))}}}"#,
            .init(.text("b"))),
        Case(
            en: "plural forms of a device",
            #"{"variations": {"device": {"iphone": {"variations": {"plural": {"other": \#(unit("a"))}}}}}}"#,
            .init(.plural([.other: "a"]))),
        Case(
            en: "devices of a plural form",
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
    func read(_ item: Case) throws {
        #expect(try entries(item.string) == item.entries)
    }

    @Test func anotherSourceLanguage() throws {
        let json = #"{"sourceLanguage": "de_DE", "strings": {"Hallo": {}, "": {}}}"#
        let tables = try StringCatalog.read(TextEncoding.utf8WithMark.bytes(of: json))
        #expect(tables == [StringTable(language: "de-DE", entries: ["Hallo": StringEntry(.text("Hallo"))])])
    }

    /// Xcode writes no key twice; where a merge of two versions did, the first counts: that is the decoder's way.
    @Test func aKeyTwice() throws {
        let json =
            #"{"sourceLanguage": "en", "strings": {"A": {"localizations": {"en": \#(Self.unit("1"))}}, "A": {}}}"#
        let tables = try StringCatalog.read(Array(json.utf8))
        #expect(texts(tables.first?.entries ?? [:]) == ["A": "1"])
    }

    struct Wrong: NamedCase {
        let name: String
        let json: String
        let description: String

        init(_ name: String, _ json: String, _ description: String) {
            self.name = name
            self.json = json
            self.description = description
        }
    }

    @Test(arguments: [
        Wrong("no JSON", "{\n\"sourceLanguage\": \"en\",\n}", ":3: not valid JSON from column 1 on"),
        Wrong("an empty file", "", ":1: not valid JSON from column 1 on"),
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
            #":3: "strings"."A"."localizations"."en"."stringUnit"."value": expected a text"#),
        // Always the same one of several.
        Wrong(
            "values of other types",
            #"{"sourceLanguage": "en", "strings": {"#
                + ["e", "c", "a", "b", "d"].map { #""\#($0)": {"localizations": 5}"# }.joined(separator: ", ")
                + "}}", #":1: "strings"."a"."localizations": expected an object"#),
    ])
    func wrong(_ item: Wrong) {
        var tables = StringTables()
        let error = #expect(throws: StringTableError.self) {
            try tables.add(
                Array(item.json.utf8), of: StringTableFile(path: "a/Localizable.xcstrings", kind: .catalog))
        }
        #expect(error?.description == "a/Localizable.xcstrings" + item.description)
    }
}
