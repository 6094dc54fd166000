import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Devices that are set to different locales (specification §16): the groups of each are those of a run in its locale.
@Suite(.tags(.extended, .spilling)) struct LocaleReplayTests {
    /// How a run is done, which must not affect its result.
    struct Way: NamedCase {
        let name: String
        var threads = 2
        var spills = false
        var isPartial = false
        var lateness: Int64?
        var every: Timeline?
        var top: Int?
    }

    private static let ways = [
        Way(name: "one thread", threads: 1), Way(name: "three threads", threads: 3),
        Way(name: "spilling", spills: true), Way(name: "partial results", isPartial: true),
        Way(name: "partial results and spilling", spills: true, isPartial: true),
        Way(name: "every two seconds", every: Timeline(step: 2_000)),
        Way(name: "every two seconds, spilling", spills: true, every: Timeline(step: 2_000)),
        Way(name: "while reading", lateness: 3_600_000, every: Timeline(step: 2_000)),
        Way(name: "the largest groups", top: 1_000),
    ]

    private static let formats: [SnapshotFormat] = [.ndjson, .csv, .text(TextStyle())]

    private static let tags = [
        "de", "ar-EG", "en-GB", "he", "ja-JP", "ru", "sv-SE", "zh-Hant-TW", "pt-PT", "fa", "en-US", "tr",
    ]

    /// The name of the device that is set to a locale; it has the place among all.
    private static func device(_ index: Int, _ tag: String) -> String { "\(1_000 + index) \(tag)" }

    /// Returns the records for a device: with two groups of episodes, hidden comments, and an invitation by keys.
    private static func pushes(to device: String) -> [String] {
        func push(_ time: Int, _ app: String, _ alert: String, thread: String, category: String = "")
            -> String
        {
            #"{"device":"\#(device)","app":"com.example.\#(app)","ts":\#(1_767_225_600 + time),"#
                + #""aps":{"alert":{\#(alert)},"thread-id":"\#(thread)","category":"\#(category)"}}"#
        }
        return ["Ana", "לאה", "Bo", "Cy"].enumerated().flatMap { index, name in
            let argument = #""body":"New","summary-arg":"\#(name)","summary-arg-count":\#(index + 1)"#
            return [
                push(index, "podcasts", argument, thread: "shows", category: "EPISODES"),
                push(index + 1, "podcasts", argument, thread: "others"),
                push(index + 2, "photos", argument, thread: "album", category: "COMMENT"),
            ]
        } + [
            push(
                3, "chess",
                #""title-loc-key":"INVITATION_TITLE","title-loc-args":["Blitz"],"loc-key":"INVITATION","loc-args":["Ana",3]"#,
                thread: "games")
        ]
    }

    private static func set(_ tag: String, for device: String) -> String {
        #"{"event":"settings","device":"\#(device)","ts":1767225599,"locale":"\#(tag)"}"#
    }

    private static func options(_ locale: String, _ format: SnapshotFormat) throws -> ReplayOptions {
        var options = ReplayOptions(sources: ["log"])
        options.apply(
            try Configuration(
                contentsOf: Repository.root + "/Data/languages/config.json",
                locale: try LocaleIdentifier(known: locale)))
        (options.byDevice, options.delivery, options.output) = (true, true, "out")
        options.format = format
        options.now = 1_767_229_200_000
        return options
    }

    private static func lines(_ records: [String]) -> MemoryStorage.Entry {
        .file(Array(records.joined(separator: "\n").utf8))
    }

    /// Returns the result for several devices, which are the only ones in as many runs.
    private static func expected(
        _ tags: [String], _ format: SnapshotFormat, _ change: (inout ReplayOptions) -> Void = { _ in }
    ) async throws -> String {
        var parts: [String] = []
        for (index, tag) in tags.enumerated() {
            let storage = MemoryStorage(["log": lines(pushes(to: device(index, tag)))])
            var options = try options(tag, format)
            change(&options)
            _ = try await run(options, on: storage).get()
            var part = RandomLog.text(storage["out"])
            if format == .csv, index > 0 {
                part = part.split(whereSeparator: \.isNewline).dropFirst().joined(separator: "\r\n") + "\r\n"
            }
            parts.append(part)
        }
        return parts.joined(separator: format == .text(TextStyle()) ? "\n" : "")
    }

    @Test(arguments: ways, formats)
    func eachDeviceHasTheTextsOfItsLocale(_ way: Way, _ format: SnapshotFormat) async throws {
        var random = SeededGenerator(seed: 5)
        let records = Self.tags.enumerated().flatMap { index, tag in
            let device = Self.device(index, tag)
            return Self.pushes(to: device) + [Self.set(tag, for: device)]
        }.shuffled(using: &random)
        let storage = MemoryStorage(["log": Self.lines(records)])
        var options = try Self.options("fr", format)
        (options.threads, options.spillsAlways, options.top) = (way.threads, way.spills, way.top)
        (options.every, options.lateness, options.chunkBytes) = (way.every, way.lateness, 700)
        if way.isPartial {
            let whole = options
            var parts: [String] = []
            for (index, part) in [records.prefix(40), records.dropFirst(40)].enumerated() {
                storage["part \(index)"] = Array(part.joined(separator: "\n").utf8)
                (options.sources, options.partial) = (["part \(index)"], "partial \(index)")
                _ = try await run(options, on: storage).get()
                parts.append("partial \(index)")
            }
            options = whole
            options.sources = parts.reversed()
            _ = try await run(try Merge(options, storage: storage)).get()
        } else {
            _ = try await run(options, on: storage).get()
        }
        guard way.every == nil else {
            // The text of an instant has times of its own, and groups of all devices.
            guard format == .ndjson else { return }
            let expected = try await Self.expected(Self.tags, format) { $0.every = way.every }
            #expect(
                Self.withoutPositions(storage["out"]).sorted()
                    == Self.withoutPositions(Array(expected.utf8)).sorted())
            return
        }
        let expected = Self.withoutPositions(Array(try await Self.expected(Self.tags, format).utf8))
        let found = Self.withoutPositions(storage["out"])
        // The largest groups are in another order.
        #expect(way.top == nil ? found == expected : found.sorted() == expected.sorted())
    }

    /// Returns the lines without the sources and numbers of records.
    private static func withoutPositions(_ text: [UInt8]?) -> [String] {
        RandomLog.text(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            String(
                $0.replacing(/"source":"[^"]*","line":[0-9]+/, with: "")
                    .replacing(/,(log|part [0-9]),[0-9]+,/, with: ","))
        }
    }

    /// More locales than are kept, each of them several times.
    @Test(arguments: [1, 3]) func aLogMayHaveAnyNumberOfLocales(_ threads: Int) async throws {
        let regions = ["DE", "US", "FR", "BR", "JP"]
        let languages = [
            "de", "ar", "en", "he", "ja", "ru", "sv", "pt", "fa", "tr", "hi", "uk", "pl", "it", "es",
        ]
        let tags = (0..<150).map { "\(languages[$0 % languages.count])-\(regions[$0 * 7 % regions.count])" }
        #expect(Set(tags).count > Limits.renderedLocales)
        let all = languages.flatMap { language in regions.map { "\(language)-\($0)" } }
        #expect(all.count > Limits.locales)
        let mixed = tags + all
        let records = mixed.enumerated().flatMap { index, tag in
            let device = Self.device(index, tag)
            return [Self.set(tag, for: device)] + Self.pushes(to: device)
        }
        let storage = MemoryStorage(["log": Self.lines(records)])
        var options = try Self.options("fr", .ndjson)
        options.threads = threads
        _ = try await run(options, on: storage).get()
        let found = Self.withoutPositions(storage["out"])
        var texts: [String: [String]] = [:]
        for tag in Set(mixed) {
            texts[tag] = Self.withoutPositions(Array(try await Self.expected([tag], .ndjson).utf8))
        }
        let expected = mixed.enumerated().flatMap { index, tag in
            (texts[tag] ?? []).dropLast().map {
                $0.replacing("\"\(Self.device(0, tag))\"", with: "\"\(Self.device(index, tag))\"")
            }
        }
        #expect(found == expected + [""])
    }

    /// Without tracking, locales are only counted; an unknown one is rejected.
    @Test func withoutDeliveryLocalesAreCounted() async throws {
        let records = [
            Self.set("de", for: "d"), Self.set("xx", for: "d"), Self.set("german", for: "d"),
            #"{"device":"d","app":"a","ts":1767225600,"aps":{"alert":"x"}}"#,
        ]
        let storage = MemoryStorage(["log": Self.lines(records)])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.settingsIgnored == 1 && statistics.rejected.map(\.count) == [2])
        #expect(statistics.rejected.map(\.reason) == [.settingsInvalid])
        #expect(
            RandomLog.text(storage["out"]).contains(
                #""hidden":{"title":null,"subtitle":null,"body":"Notification"}"#))
    }

    /// A text of another locale that can't be used counts as missing: the run's own texts are valid.
    @Test func invalidTextsOfOtherLocalesAreTheDefault() throws {
        var settings = Settings()
        var app = AppSettings()
        var category = CategorySettings()
        category.placeholderKey = "K"
        app.categories["c"] = category
        settings.apps["a"] = app
        func tables(_ text: String) -> [String: StringTables] {
            var tables = StringTables()
            tables.add(StringTable(language: "en", entries: ["K": StringEntry(.text("%u things"))]))
            tables.add(StringTable(language: "de", entries: ["K": StringEntry(.text(text))]))
            return ["a": tables]
        }
        let german = LocaleIdentifier("de") ?? .default
        for (text, isMissing) in [("%u Sachen", false), ("%u und %u", true)] {
            let strings = try ResolvedStrings(settings, tables: tables(text), locale: .default)
            #expect(strings.missing.isEmpty)
            let other = strings.resolved(settings, in: german)
            let presentation = Presentation(
                settings, strings: other, texts: LocalizedTexts(german), locked: false)
            let shown = presentation.category(
                Array("c".utf8).span, of: presentation.app(Array("a".utf8).span))
            #expect((shown.placeholder == 0) == isMissing, "\(text)")
        }
    }
}
