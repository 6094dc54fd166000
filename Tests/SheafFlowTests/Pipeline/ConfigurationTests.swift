import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import Testing

@testable import SheafFlow

/// A configuration is read with the string tables that it names.
@Suite struct ConfigurationTests {
    private static let app = """
        {"apps": {"a": {"name": "A", "strings": "App", "categories": {
            "x": {"categorySummaryFormat": {"key": "MORE"}},
            "y": {"hiddenPreviewsBodyPlaceholder": {"key": "NONE"}},
            "z": {"hiddenPreviewsBodyPlaceholder": {"key": "NONE"}}
        }}}}
        """

    private static func storage(_ configuration: String) -> MemoryStorage {
        MemoryStorage([
            "conf": .folder, "conf/sheaf.json": .file(Array(configuration.utf8)),
            "conf/App": .folder, "conf/App/de.lproj": .folder,
            "conf/App/de.lproj/Localizable.strings": .file(Array(#""MORE" = "%u weitere";"#.utf8)),
        ])
    }

    @Test func stringTablesAreReadForTheLocale() throws {
        let locale = try #require(LocaleIdentifier("de"))
        let configuration = try Configuration(
            contentsOf: "conf/sheaf.json", locale: locale, storage: Self.storage(Self.app))
        #expect(configuration.settings.apps["a"]?.name == "A")
        #expect(configuration.files == ["conf/sheaf.json", "conf/App/de.lproj/Localizable.strings"])
        // A key is reported once, however many categories have it.
        #expect(
            configuration.warnings == [
                "conf/sheaf.json: the key 'NONE' of a is not in any of its string tables; the default text is shown"
            ])
        var options = ReplayOptions(sources: [])
        options.apply(configuration)
        #expect(options.locale == locale)
        #expect(options.settings == configuration.settings)
        #expect(options.configurationFiles == configuration.files)
    }

    struct Case: NamedCase {
        let name: String
        let contents: String
        let message: String
    }

    @Test(arguments: [
        Case(
            name: "empty", contents: "",
            message: "conf/sheaf.json: the configuration is empty: write {} for one without settings"),
        Case(
            name: "white space after a byte order mark", contents: "\u{feff} \r\n\t",
            message: "conf/sheaf.json: the configuration is empty: write {} for one without settings"),
        Case(
            name: "no string tables",
            contents: #"{"apps": {"a": {"strings": "None"}}}"#,
            message: "conf/None: the string tables cannot be read: No such file or directory"),
    ])
    func errorsNameTheFile(_ item: Case) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(
                contentsOf: "conf/sheaf.json", locale: .default, storage: Self.storage(item.contents))
        }
        #expect(error?.description == item.message)
    }

    @Test func aMissingFileIsAnError() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(contentsOf: "none.json", locale: .default, storage: MemoryStorage())
        }
        #expect(
            error?.description == "none.json: the configuration cannot be read: No such file or directory")
    }
}
