import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// One log in each format, byte for byte, with its groups in memory or in files.
@Suite(.tags(.spilling)) struct SnapshotFormatTests {
    private static let log = #"""
        {"ts":1,"app":"com.example.chat","device":"d1","payload":{"aps":{"alert":{"title":"Ann, \"A\"","body":"Hi\nthere","summary-arg":"Ann"},"thread-id":"t","category":"msg"}}}
        {"ts":2,"app":"com.example.chat","device":"d1","payload":{"aps":{"alert":{"title":"Bob","subtitle":"s","body":"Yes","summary-arg":"Bob"},"thread-id":"t","category":"msg"}}}
        {"ts":3,"app":"com.example.mail","apns-id":"7","payload":{"aps":{"alert":"=1+1, \u001b[31mred\u202e"}}}
        """#

    private static func replay(
        _ log: String = log, spills: Bool, _ change: (inout ReplayOptions) -> Void
    ) async throws -> String {
        let storage = MemoryStorage(["log": .file(Array(log.utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.spillsAlways = spills
        options.settings = try Settings(
            json: Array(
                #"{"apps":{"com.example.mail":{"name":"Mail","showPreviews":"whenAuthenticated"}}}"#.utf8),
            file: "config")
        change(&options)
        _ = try await run(options, on: storage).get()
        return String(decoding: try #require(storage["out"]), as: UTF8.self)
    }

    private static let first =
        #"{"app":"com.example.chat","thread":"t","count":2,"total":2,"leading":{"id":null,"timestamp":2000,"title":"Bob","subtitle":"s","body":"Yes","category":"msg","source":"log","line":2},"summary":{"more":1,"text":"1 more notification from Ann"},"arguments":["Ann"],"argumentsTruncated":false,"hidden":{"title":null,"subtitle":null,"body":"2 Notifications"},"display":{"title":"Bob","subtitle":"s","body":"Yes","summary":"1 more notification from Ann"},"categories":[{"category":"msg","count":2,"weight":2}],"first":1000,"last":2000}"#
    private static let second =
        #"{"app":"com.example.mail","thread":null,"count":1,"total":1,"leading":{"id":"7","timestamp":3000,"title":null,"subtitle":null,"body":"=1+1, \u001b[31mred‮","category":null,"source":"log","line":3},"summary":null,"arguments":[],"argumentsTruncated":false,"hidden":{"title":null,"subtitle":null,"body":"Notification"},"display":{"title":null,"subtitle":null,"body":"=1+1, \u001b[31mred‮","summary":null},"categories":[{"category":null,"count":1,"weight":1}],"first":3000,"last":3000}"#

    @Test(arguments: [false, true]) func ndjson(spills: Bool) async throws {
        #expect(try await Self.replay(spills: spills) { _ in } == "\(Self.first)\n\(Self.second)\n")
    }

    @Test(arguments: [false, true]) func json(spills: Bool) async throws {
        let list = try await Self.replay(spills: spills) { $0.format = .json }
        #expect(list == "[\n\(Self.first),\n\(Self.second)\n]\n")
    }

    @Test(arguments: [false, true]) func csv(spills: Bool) async throws {
        let lines = [
            "app,thread,count,total,leading_id,leading_timestamp_ms,leading_title,leading_subtitle,leading_body,"
                + "leading_category,leading_source,leading_line,summary_more,summary_text,arguments,"
                + "arguments_truncated,hidden_title,hidden_subtitle,hidden_body,display_title,display_subtitle,"
                + "display_body,display_summary,categories,other_categories,first_ms,last_ms",
            "com.example.chat,t,2,2,,2000,Bob,s,Yes,msg,log,2,1,1 more notification from Ann,"
                + "\"[\"\"Ann\"\"]\",false,,,2 Notifications,Bob,s,Yes,1 more notification from Ann,"
                + "\"[{\"\"category\"\":\"\"msg\"\",\"\"count\"\":2,\"\"weight\"\":2}]\",,1000,2000",
            "com.example.mail,,1,1,7,3000,,,\"=1+1, \u{1b}[31mred\u{202e}\",,log,3,,,[],false,,,Notification,,,"
                + "\"=1+1, \u{1b}[31mred\u{202e}\",,"
                + "\"[{\"\"category\"\":null,\"\"count\"\":1,\"\"weight\"\":1}]\",,3000,3000",
        ]
        let text = try await Self.replay(spills: spills) { $0.format = .csv }
        #expect(text == lines.map { $0 + "\r\n" }.joined())
    }

    @Test(arguments: [false, true]) func csvWithDates(spills: Bool) async throws {
        let numbers = try await Self.replay(spills: spills) { $0.format = .csv }
        let dates = try await Self.replay(spills: spills) { $0.format = .csvISO }
        let expected = numbers.replacing("_ms,", with: ",").replacing("_ms\r\n", with: "\r\n")
            .replacing(",1000,2000", with: ",1970-01-01T00:00:01Z,1970-01-01T00:00:02Z")
            .replacing(",3000,3000", with: ",1970-01-01T00:00:03Z,1970-01-01T00:00:03Z")
            .replacing(",2000,Bob", with: ",1970-01-01T00:00:02Z,Bob")
            .replacing("7,3000,", with: "7,1970-01-01T00:00:03Z,")
        #expect(dates == expected)
        #expect(!dates.contains("_ms"))
    }

    @Test func csvByDevice() async throws {
        let text = try await Self.replay(spills: false) {
            $0.format = .csv
            $0.byDevice = true
        }
        let lines = text.split(separator: "\r\n")
        #expect(lines[0].hasPrefix("device,app,thread,"))
        #expect(lines[1].hasPrefix(",com.example.mail,,1,"))
        #expect(lines[2].hasPrefix("d1,com.example.chat,t,2,"))
    }

    @Test(arguments: [false, true]) func text(spills: Bool) async throws {
        let text = try await Self.replay(spills: spills) {
            $0.format = .text(TextStyle())
            $0.order = .recent
        }
        #expect(
            text == """
                Mail
                  =1+1, ␛[31mred<U+202E>

                com.example.chat
                  Bob
                  s
                  Yes
                  1 more notification from Ann

                """)
    }

    @Test func narrowColouredTextWithHiddenPreviews() async throws {
        let text = try await Self.replay(spills: false) {
            $0.format = .text(TextStyle(width: 12, hasColours: true))
            $0.locked = true
            $0.byDevice = true
        }
        #expect(
            text == """
                \u{1b}[1;36mMail\u{1b}[0m
                  Notificat…

                \u{1b}[1;36mcom.example…\u{1b}[0m
                  \u{1b}[1mBob\u{1b}[0m
                  s
                  Yes
                  \u{1b}[2m1 more no…\u{1b}[0m

                """)
    }

    struct Empty: NamedCase {
        let name: String
        let format: SnapshotFormat
        let text: String
    }

    @Test(arguments: [
        Empty(name: "ndjson", format: .ndjson, text: ""), Empty(name: "json", format: .json, text: "[\n]\n"),
        Empty(name: "text", format: .text(TextStyle()), text: ""),
    ])
    func anEmptySnapshot(_ item: Empty) async throws {
        for spills in [false, true] {
            let text = try await Self.replay("", spills: spills) { $0.format = item.format }
            #expect(text == item.text)
        }
    }

    /// More groups than a piece holds: the separator is written only between groups.
    @Test(arguments: [false, true]) func separatorsAreOnlyBetweenGroups(spills: Bool) async throws {
        let count = 2 * Limits.groupsPerPiece + 3
        let log = (0..<count).map { #"{"app":"a","payload":{"aps":{"alert":"b","thread-id":"\#($0)"}}}"# }
            .joined(separator: "\n")
        let plain = try await Self.replay(log, spills: spills) { $0.threads = 2 }
        let list = try await Self.replay(log, spills: spills) {
            $0.threads = 2
            $0.format = .json
        }
        let objects = plain.split(separator: "\n")
        #expect(objects.count == count)
        #expect(list == "[\n" + objects.joined(separator: ",\n") + "\n]\n")
        let text = try await Self.replay(log, spills: spills) {
            $0.threads = 2
            $0.format = .text(TextStyle())
        }
        #expect(text == (0..<count).map { _ in "a\n  b\n" }.joined(separator: "\n"))
    }

    /// The groups with the most notifications in descending order; groups with equal counts in order of their keys.
    @Test(arguments: [false, true]) func topGroupsAreSortedByCount(spills: Bool) async throws {
        let counts = (0..<(2 * Limits.groupsPerPiece)).map { 1 + $0 * 7 % 13 }
        let log = counts.enumerated().flatMap { thread, count in
            (0..<count).map { _ in
                #"{"app":"a","payload":{"aps":{"alert":"b","thread-id":"\#(10_000 + thread)"}}}"#
            }
        }.joined(separator: "\n")
        let all = try await Self.replay(log, spills: spills) { _ in }.split(separator: "\n")
        let expected = zip(counts, all).enumerated()
            .sorted { ($1.element.0, $0.offset) < ($0.element.0, $1.offset) }.map(\.element.1)
        for limit in [1, 2, 100, 5_000] {
            let top = try await Self.replay(log, spills: spills) {
                $0.threads = 2
                $0.top = limit
            }
            #expect(top.split(separator: "\n") == Array(expected.prefix(limit)))
            let list = try await Self.replay(log, spills: spills) {
                $0.top = limit
                $0.format = .json
            }
            #expect(list == "[\n" + expected.prefix(limit).joined(separator: ",\n") + "\n]\n")
        }
    }
}
