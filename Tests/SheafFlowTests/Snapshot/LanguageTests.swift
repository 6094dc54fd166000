import Foundation
import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import Testing

@testable import SheafFlow

/// The log in `Data/languages`, with formats and placeholders from string tables, displayed in five languages: both
/// replayed, and rendered from one partial result, which does not depend on the language.
@Suite struct LanguageTests {
    private static let folder = Repository.root + "/Data/languages"

    private static func options(_ locale: String, of source: String) throws -> ReplayOptions {
        var options = ReplayOptions(sources: [source])
        options.settings = try Settings(
            json: Array(Repository.contents(of: "Data/languages/config.json")), file: "config.json")
        let tables = try StringFolder.read("\(folder)/strings")
        let known = try LocaleIdentifier(known: locale)
        options.strings = try ResolvedStrings(
            options.settings, tables: options.settings.apps.mapValues { _ in tables }, locale: known)
        #expect(options.strings.missing == [])
        options.texts = LocalizedTexts(known)
        options.format = .text(TextStyle())
        options.output = "out"
        return options
    }

    private static let log = MemoryStorage.Entry.file(
        Array((try? Repository.contents(of: "Data/languages/log.ndjson")) ?? Data()))

    @Test(arguments: ["en", "ru", "he", "ar", "ja"])
    func aReplayGivesTheExpectedText(_ locale: String) async throws {
        let storage = MemoryStorage(["log": Self.log])
        _ = try await run(try Self.options(locale, of: "log"), on: storage).get()
        let expected = try Repository.contents(of: "Data/languages/expected-\(locale).txt")
        #expect(storage["out"] == Array(expected))
    }

    /// Only the language differs between two renderings.
    @Test func onePartialResultIsRenderedInEveryLanguage() async throws {
        let storage = MemoryStorage(["log": Self.log])
        var replay = ReplayOptions(sources: ["log"])
        replay.partial = "part"
        _ = try await run(replay, on: storage).get()
        for locale in ["ar", "en", "he", "ja", "ru", "en"] {
            let merge = try Merge(try Self.options(locale, of: "part"), storage: storage)
            _ = try await run(merge).get()
            let expected = try Repository.contents(of: "Data/languages/expected-\(locale).txt")
            #expect(storage["out"] == Array(expected), "\(locale)")
        }
    }
}

/// Since iOS 15, summary arguments and their counts have no effect.
@Suite struct ProfileTests {
    /// The checks that cost nothing are part of every replay's statistics.
    @Test(arguments: [Profile.ios12, .ios15]) func theStatisticsCountExceededLimits(_ profile: Profile)
        async throws
    {
        let long = String(repeating: "x", count: 5_000)
        let alert = #""payload":{"aps":{"alert":{"body":"b","summary-arg":"x"}}}"#
        let log = [
            #"{"ts":1,"app":"a","collapse-id":"\#(long.prefix(65))",\#(alert)}"#,
            #"{"ts":1,"app":"a","push-type":"background","collapse-id":"\#(long.prefix(65))",\#(alert)}"#,
            #"{"ts":1,"app":"a","collapse-id":"\#(long.prefix(64))",\#(alert)}"#,
            #"{"ts":1,"app":"a","aps":{"alert":"\#(long)"}}"#,
            #"{"ts":1,"app":"a","payload":{"aps":{"alert":"\#(long)"}}}"#,
            #"{"ts":1,"topic":"a.voip","payload":{"aps":{"alert":"\#(long)"}}}"#,
        ].joined(separator: "\n")
        var options = ReplayOptions(sources: ["log"])
        options.profile = profile
        let storage = MemoryStorage(["log": .file(Array(log.utf8))])
        let statistics = try await run(options, on: storage).get()
        let findings = Dictionary(
            uniqueKeysWithValues: statistics.findings.map { ("\($0.finding.name)", $0.count) })
        var expected: [String: UInt64] = ["collapse-id.too-long": 2, "payload.too-large": 2]
        if profile == .ios15 { expected["summary.deprecated"] = 3 }
        #expect(findings == expected)
    }

    @Test(arguments: [false, true]) func theIOS15ProfileIgnoresArguments(spills: Bool) async throws {
        let log = (0..<4).map {
            #"{"ts":\#($0),"app":"a","payload":{"aps":{"alert":{"body":"b","summary-arg":"x\#($0)","summary-arg-count":5}}}}"#
        }.joined(separator: "\n")
        let plain = (0..<4).map { #"{"ts":\#($0),"app":"a","payload":{"aps":{"alert":{"body":"b"}}}}"# }
            .joined(separator: "\n")
        let storage = MemoryStorage(["log": .file(Array(log.utf8)), "plain": .file(Array(plain.utf8))])
        func snapshot(of source: String, _ profile: Profile) async throws -> String {
            var options = ReplayOptions(sources: [source])
            options.output = "out"
            options.spillsAlways = spills
            options.maximumArguments = 2
            options.profile = profile
            _ = try await run(options, on: storage).get()
            return String(decoding: try #require(storage["out"]), as: UTF8.self)
        }
        let old = try await snapshot(of: "log", .ios12)
        #expect(old.contains(#""count":4,"total":20,"#))
        #expect(old.contains(#""arguments":["x2","x1"],"argumentsTruncated":true"#))
        let new = try await snapshot(of: "log", .ios15)
        let expected = try await snapshot(of: "plain", .ios12)
        #expect(new == expected.replacing(#""source":"plain""#, with: #""source":"log""#))
        #expect(new.contains("3 more notifications\""))
    }
}
