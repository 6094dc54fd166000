import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Finding, merging and searching string tables.
@Suite struct StringTablesTests {
    @Test(arguments: [
        ("en", "en"), ("EN", "en"), ("pt-BR", "pt-BR"), ("pt_br", "pt-BR"), ("sr-latn", "sr-Latn"),
        ("zh_Hant_hk", "zh-Hant-HK"), ("zh_TW", "zh-Hant"), ("zh-cn", "zh-Hans"), ("zh-HK", "zh-Hant-HK"),
        ("es-419", "es-419"), ("English", "en"), ("german", "de"), ("Japanese", "ja"), ("iw", "he"),
        ("no", "no"), ("base", "Base"), ("Base", "Base"), ("", ""), ("Klingon", "Klingon"), ("e!", "e!"),
        ("-", "-"),
    ])
    func languageNamesAreCanonicalized(name: String, canonical: String) {
        #expect(LanguageName.canonical(name) == canonical)
        #expect(LanguageName.canonical(canonical) == canonical)
    }

    @Test(arguments: [
        ("en.lproj/Localizable.strings", StringTableFile.Kind.strings(language: "en")),
        ("a/b/zh_TW.lproj/Localizable.stringsdict", .pluralRules(language: "zh-Hant")),
        ("./English.lproj/Localizable.strings", .strings(language: "en")),
        ("Localizable.xcstrings", .catalog), ("App/Resources/Localizable.xcstrings", .catalog),
        ("Localizable.strings", nil), ("en/Localizable.strings", nil), ("en.lproj/InfoPlist.strings", nil),
        ("en.lproj/localizable.strings", nil), ("InfoPlist.xcstrings", nil),
        ("Messages.xcstrings", .otherCatalog), ("en.lproj", nil), ("", nil),
    ])
    func kindsAreRecognizedByPath(path: String, kind: StringTableFile.Kind?) {
        #expect(StringTableFile(path: path)?.kind == kind)
    }

    @Test func filesAreFoundInOrder() {
        let inOrder = [
            "en.lproj/Localizable.stringsdict", "fr.lproj/Localizable.stringsdict", "Localizable.xcstrings",
            "en.lproj/Localizable.strings",
            "App/en.lproj/Localizable.stringsdict", "App/en.lproj/Localizable.strings",
            "Widget/Localizable.xcstrings", "Widget/en.lproj/Localizable.strings",
            "Aaa/Resources/en.lproj/Localizable.strings", "Messages.xcstrings", "Aaa/Intents.xcstrings",
        ]
        let skipped = [
            ".git/en.lproj/Localizable.strings", "Pods/A/en.lproj/Localizable.strings",
            "build/en.lproj/Localizable.strings", "DerivedData/x/Localizable.xcstrings",
            "A.app/en.lproj/Localizable.strings", "B/C.bundle/en.lproj/Localizable.strings",
            "D.framework/Localizable.xcstrings", "en.lproj/Main.strings", "README.md",
        ]
        for paths in [inOrder + skipped, skipped + inOrder.reversed()] {
            #expect(StringTableFile.files(among: paths).map(\.path) == inOrder)
        }
        #expect(StringTableFile.files(among: [String]()).isEmpty)
    }

    private func tables(_ files: [(path: String, text: String)]) throws -> StringTables {
        var tables = StringTables()
        let texts = Dictionary(uniqueKeysWithValues: files)
        for file in StringTableFile.files(among: texts.keys) {
            try tables.add(Array(#require(texts[file.path]).utf8), of: file)
        }
        return tables
    }

    @Test func earlierTablesTakePrecedence() throws {
        let tables = try tables([
            ("en.lproj/Localizable.strings", "A = plain; B = plain;"),
            ("en.lproj/Localizable.stringsdict", #"A = {NSStringLocalizedFormatKey = rule;};"#),
            ("Widget/en.lproj/Localizable.stringsdict", #"B = far; C = far;"#),
            ("Older/English.lproj/Localizable.strings", #"C = farther; D = farther;"#),
            ("Localizable.xcstrings", #"{"sourceLanguage": "en", "strings": {"D": {}, "A": {}}}"#),
        ])
        #expect(tables.languages == ["en"])
        #expect(texts(tables["en"]?.entries ?? [:]) == ["A": "rule", "B": "plain", "C": "farther", "D": "D"])
    }

    struct Lookup: NamedCase {
        let name: String
        let key: String
        let chain: [String]
        /// The language and the text that are found, or nothing.
        let found: [String]

        init(_ name: String, _ key: String, in chain: [String], _ found: [String]) {
            self.name = name
            self.key = key
            self.chain = chain
            self.found = found
        }
    }

    @Test(arguments: [
        Lookup("a missing key", "X", in: ["zh-Hant", "en", "Base"], []),
        Lookup("an empty chain", "A", in: [], []),
        Lookup("the best match", "A", in: ["zh-Hant-TW", "zh-Hant", "zh", "en"], ["zh-Hant", "甲"]),
        Lookup("another spelling", "A", in: ["zh_TW"], ["zh-Hant", "甲"]),
        Lookup("a later language", "B", in: ["zh-Hant-TW", "zh-Hant", "zh", "en"], ["en", "b"]),
        Lookup("the base language", "C", in: ["zh-Hant", "en", "Base"], ["Base", "c"]),
        Lookup("another region", "A", in: ["pt-PT", "pt"], []),
        Lookup("the same region", "A", in: ["pt-BR", "pt"], ["pt-BR", "á"]),
    ])
    func keysAreLookedUp(_ item: Lookup) throws {
        let tables = try tables([
            ("zh_TW.lproj/Localizable.strings", "A = \"甲\";"),
            ("English.lproj/Localizable.strings", "A = a; B = b;"),
            ("Base.lproj/Localizable.strings", "C = c;"), ("pt_BR.lproj/Localizable.strings", "A = \"á\";"),
        ])
        let found = tables.find(item.key, in: item.chain)
        #expect(found.map { [$0.language, texts(["": $0.entry])[""] ?? ""] } ?? [] == item.found)
    }
}
