import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import Testing

@testable import SheafFlow

/// An app's string tables are found where its project stores them.
@Suite struct StringFolderTests {
    private static func table(_ text: String) -> MemoryStorage.Entry {
        .file(Array(#""K" = "\#(text)";"#.utf8))
    }

    private static func text(_ tables: StringTables, _ language: String = "en") -> StringEntry? {
        tables.find("K", in: [language])?.entry
    }

    struct Case: NamedCase {
        let name: String
        var path = "app"
        let files: [String: MemoryStorage.Entry]
        let text: String?
    }

    @Test(arguments: [
        Case(
            name: "in the folder",
            files: ["app/en.lproj": .folder, "app/en.lproj/Localizable.strings": table("a")], text: "a"),
        Case(
            name: "deeper in the project",
            files: [
                "app/Sources": .folder, "app/Sources/en.lproj": .folder,
                "app/Sources/en.lproj/Localizable.strings": table("a"),
            ], text: "a"),
        Case(
            name: "the nearest",
            files: [
                "app/A": .folder, "app/A/en.lproj": .folder,
                "app/A/en.lproj/Localizable.strings": table("far"),
                "app/en.lproj": .folder, "app/en.lproj/Localizable.strings": table("near"),
            ], text: "near"),
        Case(
            name: "a language's folder stands for all languages", path: "app/de.lproj",
            files: [
                "app/de.lproj": .folder, "app/en.lproj": .folder,
                "app/en.lproj/Localizable.strings": table("a"),
            ], text: "a"),
        Case(
            name: "a path with a trailing slash", path: "app/de.lproj/",
            files: [
                "app/de.lproj": .folder, "app/en.lproj": .folder,
                "app/en.lproj/Localizable.strings": table("a"),
            ], text: "a"),
        Case(
            name: "not a device",
            files: [
                "app/en.lproj": .folder, "app/en.lproj/Localizable.stringsdict": .device([]),
                "app/en.lproj/Localizable.strings": table("a"),
            ], text: "a"),
        Case(
            name: "not in the folders of dependencies",
            files: [
                "app/Pods": .folder, "app/Pods/en.lproj": .folder,
                "app/Pods/en.lproj/Localizable.strings": table("theirs"), "app/fr.lproj": .folder,
                "app/fr.lproj/Localizable.strings": table("fr"),
            ], text: nil),
        Case(
            name: "not through a link, which may be a cycle",
            files: [
                "app/loop": .link("app"), "app/en.lproj": .folder,
                "app/en.lproj/Localizable.strings": table("a"),
            ], text: "a"),
        Case(
            name: "a catalog",
            files: [
                "app/Localizable.xcstrings": .file(
                    Array(
                        #"{"sourceLanguage":"en","strings":{"K":{"localizations":{"en":{"stringUnit":{"state":"translated","value":"c"}}}}}}"#
                            .utf8))
            ], text: "c"),
    ])
    func tablesAreFound(_ item: Case) throws {
        var files = item.files
        files["app"] = .folder
        let tables = try StringFolder.read(item.path, storage: MemoryStorage(files))
        #expect(Self.text(tables) == item.text.map { StringEntry(.text($0), variables: [:]) })
    }

    struct Failure: NamedCase {
        let name: String
        let files: [String: MemoryStorage.Entry]
        let message: String
    }

    @Test(arguments: [
        Failure(
            name: "a missing folder", files: [:],
            message: "app: the string tables cannot be read: No such file or directory"),
        Failure(
            name: "a file", files: ["app": .file([])],
            message: "app: the string tables cannot be read: Not a directory"),
        Failure(
            name: "an empty folder", files: ["app": .folder],
            message: "app: no string tables: it has no Localizable.strings, .stringsdict or .xcstrings"),
        Failure(
            name: "a broken table",
            files: [
                "app": .folder, "app/en.lproj": .folder,
                "app/en.lproj/Localizable.strings": .file(Array("\"K\" = \"a\";\n\"L\" \"b\";\n".utf8)),
            ], message: "app/en.lproj/Localizable.strings:2: "),
        Failure(
            name: "a table that can't be read",
            files: [
                "app": .folder, "app/en.lproj": .folder, "app/en.lproj/Localizable.strings": .unreadable,
            ],
            message: "app/en.lproj/Localizable.strings: the string table cannot be read: Permission denied"),
    ])
    func missingOrInvalidTablesAreErrors(_ item: Failure) throws {
        let error = try #require(throws: ConfigurationError.self) {
            _ = try StringFolder.read("app", storage: MemoryStorage(item.files))
        }
        #expect("\(error)".hasPrefix(item.message), "\(error)")
    }
}
