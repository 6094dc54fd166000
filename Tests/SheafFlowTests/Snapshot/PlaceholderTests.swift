import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import Testing

@testable import SheafFlow

/// The log in `Data/placeholders`: hidden previews of 1, 2, 3, 11 and 100 comments, with the plural rules of a
/// `.stringsdict` and with the substitutions and plural variations of a String Catalog.
@Suite struct PlaceholderTests {
    @Test(arguments: ["en", "ar", "ru"])
    func eachCountHasItsPluralForm(_ locale: String) async throws {
        let known = try LocaleIdentifier(known: locale)
        var options = ReplayOptions(sources: ["log"])
        options.settings = try Settings(
            json: Array(Repository.contents(of: "Data/placeholders/config.json")), file: "config.json")
        let tables = try options.settings.apps.compactMapValues(\.strings).mapValues {
            try StringFolder.read("\(Repository.root)/Data/placeholders/\($0)")
        }
        options.strings = try ResolvedStrings(options.settings, tables: tables, locale: known)
        #expect(options.strings.missing == [])
        options.texts = LocalizedTexts(known)
        options.format = .text(TextStyle())
        options.output = "out"
        let log = try Repository.contents(of: "Data/placeholders/log.ndjson.gz")
        let storage = MemoryStorage(["log": .file(Array(log))])
        _ = try await run(options, on: storage).get()
        let shown = String(decoding: try #require(storage["out"]), as: UTF8.self)
        let expected = try Repository.contents(of: "Data/placeholders/expected-\(locale).txt")
        #expect(shown == String(decoding: expected, as: UTF8.self))
    }
}
