import SheafBytes
import SheafGroups
import SheafText
import TestSupport
import Testing

@testable import SheafFlow

/// The time of a group's leading notification on the line with the app's name.
@Suite struct TimeLineTests {
    private static let now: Int64 = 1_767_636_300_000

    /// Replays one notification per age, in milliseconds before `now`, and returns the lines with names.
    private static func lines(
        _ ages: [Int64] = [300_000], app: String = "Podcasts", spills: Bool = false,
        _ change: (inout ReplayOptions) -> Void = { _ in }
    ) async throws -> [String] {
        let log = ages.enumerated().map { index, age in
            #"{"ts":\#(now - age),"app":"\#(app)","payload":{"aps":{"alert":"b","thread-id":"\#(index)"}}}"#
                + "\n"
        }.joined()
        let storage = MemoryStorage(["log": .file(Array(log.utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.spillsAlways = spills
        options.format = .text(TextStyle())
        options.now = now
        change(&options)
        _ = try await run(options, on: storage).get()
        return String(decoding: try #require(storage["out"]), as: UTF8.self)
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("  ") }
    }

    struct Line: NamedCase {
        let name: String
        var app = "com.example.podcasts"
        var age: Int64 = 86_400_000
        let width: Int
        let line: String
    }

    @Test(arguments: [
        Line(
            name: "60 columns", width: 60,
            line: "com.example.podcasts                      Yesterday, 6:05 PM"),
        Line(name: "both fit", width: 40, line: "com.example.podcasts  Yesterday, 6:05 PM"),
        Line(name: "1 column less", width: 39, line: "com.example.podcas…  Yesterday, 6:05 PM"),
        Line(name: "a short name", app: "Mail", width: 20, line: "Mail  Yesterday, 6:…"),
        Line(name: "a short time", age: 300_000, width: 20, line: "com.example…  5m ago"),
        Line(name: "both are cut", width: 20, line: "com.exa…  Yesterday…"),
        Line(name: "both at their minimum", width: 18, line: "com.exa…  Yesterd…"),
        Line(name: "no room for both", width: 17, line: "com.example.podc…"),
        Line(name: "both shorter than the minimum", app: "Mail", age: 0, width: 9, line: "Mail  now"),
        Line(name: "no room for a short time", app: "Mail", age: 0, width: 8, line: "Mail"),
        Line(name: "1 column", app: "Mail", age: 0, width: 1, line: "…"),
        Line(name: "wide characters", app: "ポッドキャスト", width: 40, line: "ポッドキャスト        Yesterday, 6:05 PM"),
        Line(name: "wide characters that are cut", app: "ポッドキャスト", width: 20, line: "ポッド…  Yesterday,…"),
        Line(name: "an emoji", app: "🎧", age: 0, width: 10, line: "🎧     now"),
        Line(name: "no timestamp", age: now, width: 40, line: "com.example.podcasts"),
    ])
    func timesEndTheLine(_ item: Line) async throws {
        let lines = try await Self.lines([item.age], app: item.app) {
            $0.format = .text(TextStyle(width: item.width))
        }
        #expect(lines == [item.line])
        let columns = lines[0].reduce(0) { $0 + DisplayText.columns(of: $1) }
        #expect(columns <= item.width)
        if item.line.contains("  ") { #expect(columns == item.width) }
    }

    /// Whatever the width and the texts, a line is not wider, and does not end with spaces.
    @Test(arguments: ["en", "ja", "ar", "ru"]) func noLineIsTooWide(_ locale: String) async throws {
        let texts = LocalizedTexts(try #require(LocaleIdentifier(locale)))
        for width in stride(from: 1, through: 46, by: 3) {
            for app in ["A", "com.example.podcasts", "写真と動画のアプリケーション"] {
                let lines = try await Self.lines([0, 3_600_000, 86_400_000, 864_000_000], app: app) {
                    $0.format = .text(TextStyle(width: width))
                    $0.texts = texts
                }
                #expect(lines.count == 4)
                for line in lines {
                    #expect(
                        line.reduce(0) { $0 + DisplayText.columns(of: $1) } <= width, "\(width): \(line)")
                    #expect(!line.hasSuffix(" "))
                }
            }
        }
    }

    @Test func withoutAWidthTheTimeFollowsTheName() async throws {
        for spills in [false, true] {
            let lines = try await Self.lines([0, 300_000, 86_400_000], spills: spills)
            #expect(
                lines.sorted() == ["Podcasts  5m ago", "Podcasts  Yesterday, 6:05 PM", "Podcasts  now"])
        }
    }

    @Test func timesAreFaint() async throws {
        let lines = try await Self.lines { $0.format = .text(TextStyle(width: 20, hasColours: true)) }
        #expect(lines == ["\u{1b}[1;36mPodcasts\u{1b}[0m      \u{1b}[2m5m ago\u{1b}[0m"])
        let alone = try await Self.lines { $0.format = .text(TextStyle(width: 8, hasColours: true)) }
        #expect(alone == ["\u{1b}[1;36mPodcasts\u{1b}[0m"])
    }

    @Test func theDeviceIsPartOfTheName() async throws {
        let storage = MemoryStorage([
            "log": .file(
                Array(
                    #"{"ts":\#(Self.now),"app":"a","device":"d","payload":{"aps":{"alert":"b"}}}"#.utf8))
        ])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.format = .text(TextStyle())
        options.byDevice = true
        options.now = Self.now
        _ = try await run(options, on: storage).get()
        #expect(storage["out"] == Array("a · d  now\n  b\n".utf8))
    }

    struct Clock: NamedCase {
        let name: String
        var now: Int64?
        var until: Int64?
        var offset = 0
        let line: String
    }

    @Test(arguments: [
        Clock(name: "neither", line: "Podcasts"),
        Clock(name: "neither, with an offset", offset: 60, line: "Podcasts"),
        Clock(name: "now", now: now, line: "Podcasts  5m ago"),
        Clock(name: "until", until: now + 60_000, line: "Podcasts  6m ago"),
        Clock(name: "both", now: now + 86_400_000, until: now, line: "Podcasts  Yesterday, 6:00 PM"),
        Clock(name: "now before the notification", now: now - 600_000, line: "Podcasts  6:00 PM"),
        Clock(name: "an offset", now: now + 86_400_000, offset: 60, line: "Podcasts  Yesterday, 7:00 PM"),
    ])
    func theClockIsNowOrUntil(_ item: Clock) async throws {
        let lines = try await Self.lines {
            $0.now = item.now
            $0.until = item.until
            $0.timeZoneOffset = item.offset
        }
        #expect(lines == [item.line])
    }

    /// The clock changes no other format.
    @Test(arguments: [SnapshotFormat.ndjson, .json, .csv])
    func otherFormatsHaveNoTimes(_ format: SnapshotFormat) async throws {
        let plain = try await Self.lines {
            $0.format = format
            $0.now = nil
        }
        #expect(try await Self.lines { $0.format = format } == plain)
    }

    @Test(arguments: [-1_440, 1_440]) func offsetsOfADayAreRefused(_ offset: Int) throws {
        var options = ReplayOptions(sources: ["log"])
        options.timeZoneOffset = offset
        let error = #expect(throws: ReplayError.self) { try options.validate() }
        #expect("\(try #require(error))".contains("must be from -1439 to 1439"))
    }
}
