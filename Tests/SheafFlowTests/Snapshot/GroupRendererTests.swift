import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// A group's line, byte for byte (specification §10).
@Suite struct GroupRendererTests {
    static let names = SourceNames(["a.ndjson", "-", "d/\"q\"\u{1}é"])

    /// Returns the lines of these notifications' groups, each without its LF.
    private func render(
        _ notifications: [NotificationText], _ change: (inout ReplayOptions) -> Void = { _ in }
    ) -> [String] {
        var options = ReplayOptions(sources: [])
        change(&options)
        var table = GroupTable(maximumArguments: options.maximumArguments)
        for notification in notifications {
            let (record, bytes) = notification.encoded()
            table.add(record, in: bytes.span, hash: Routing.groupHash(record, in: bytes.span))
        }
        let sorted = SortedGroups(table, order: options.order, byDevice: options.byDevice)
        var renderer = GroupRenderer(options.style, names: Self.names, shards: 1)
        var lines: [String] = []
        for index in 0..<sorted.count {
            var output: [UInt8] = []
            renderer.append(index, of: sorted, shard: 0, to: &output)
            #expect(output.last == UInt8(ascii: "\n"))
            #expect(output.count { $0 == UInt8(ascii: "\n") } == 1)
            lines.append(String(decoding: output.dropLast(), as: UTF8.self))
        }
        return lines
    }

    private func notification(
        _ time: Int64, _ change: (inout NotificationText) -> Void = { _ in }
    ) -> NotificationText {
        var notification = NotificationText()
        notification.app = "com.example"
        notification.order = OrderKey(timestamp: time, source: 0, line: UInt64(time + 7))
        notification.body = "B"
        change(&notification)
        return notification
    }

    @Test func aGroupWithOnlyABody() {
        #expect(
            render([notification(0)]) == [
                #"{"app":"com.example","thread":null,"count":1,"total":1,"#
                    + #""leading":{"id":null,"timestamp":0,"title":null,"subtitle":null,"body":"B","#
                    + #""category":null,"source":"a.ndjson","line":7},"#
                    + #""summary":null,"arguments":[],"argumentsTruncated":false,"#
                    + #""hidden":{"title":null,"subtitle":null,"body":"Notification"},"#
                    + #""display":{"title":null,"subtitle":null,"body":"B","summary":null},"#
                    + #""categories":[{"category":null,"count":1,"weight":1}],"first":0,"last":0}"#
            ])
    }

    @Test func aGroupWithEveryField() {
        let notifications = [
            notification(-5) {
                $0.thread = "t"
                $0.device = "d"
                $0.category = "news"
                $0.argument = "Ana"
                $0.weight = 4
            },
            notification(3) {
                $0.thread = "t"
                $0.device = "d"
                $0.argument = "Bob"
            },
            notification(9) {
                $0.thread = "t"
                $0.device = "d"
                $0.identifier = "id"
                $0.title = "T"
                $0.subtitle = "S"
                $0.category = "chat"
                $0.weight = 2
                $0.order = OrderKey(timestamp: 9, source: 2, line: 1_099_511_627_775)
            },
        ]
        #expect(
            render(notifications) { $0.byDevice = true } == [
                #"{"device":"d","app":"com.example","thread":"t","count":3,"total":7,"#
                    + #""leading":{"id":"id","timestamp":9,"title":"T","subtitle":"S","body":"B","#
                    + #""category":"chat","source":"d/\"q\"\u0001é","line":1099511627775},"#
                    + #""summary":{"more":5,"text":"5 more notifications from Bob and Ana"},"#
                    + #""arguments":["Bob","Ana"],"argumentsTruncated":false,"#
                    + #""hidden":{"title":null,"subtitle":null,"body":"3 Notifications"},"#
                    + #""display":{"title":"T","subtitle":"S","body":"B","#
                    + #""summary":"5 more notifications from Bob and Ana"},"#
                    + #""categories":[{"category":null,"count":1,"weight":1},"#
                    + #"{"category":"chat","count":1,"weight":2},{"category":"news","count":1,"weight":4}],"#
                    + #""first":-5,"last":9}"#
            ])
    }

    @Test func theDeviceIsWrittenOnlyWhenGroupingByDevice() {
        #expect(render([notification(0)])[0].hasPrefix(#"{"app":"com.example","#))
        #expect(
            render([notification(0)]) { $0.byDevice = true }[0].hasPrefix(
                #"{"device":null,"app":"com.example","#))
    }

    typealias Escape = Example<String, String>

    @Test(arguments: [
        Escape("quote", "\"", #"\""#), Escape("backslash", "\\", #"\\"#), Escape("slash", "/", "/"),
        Escape("BS", "\u{8}", #"\b"#), Escape("FF", "\u{c}", #"\f"#), Escape("LF", "\n", #"\n"#),
        Escape("CR", "\r", #"\r"#), Escape("TAB", "\t", #"\t"#), Escape("NUL", "\0", #"\u0000"#),
        Escape("VT", "\u{b}", #"\u000b"#), Escape("ESC", "\u{1b}", #"\u001b"#),
        Escape("US", "\u{1f}", #"\u001f"#), Escape("DEL", "\u{7f}", "\u{7f}"),
        Escape("a C1 control", "\u{85}", "\u{85}"), Escape("line separator", "\u{2028}", "\u{2028}"),
        Escape("paragraph separator", "\u{2029}", "\u{2029}"),
        Escape("byte order mark", "\u{feff}", "\u{feff}"),
        Escape("letters", "äé日😀", "äé日😀"), Escape("replacement", "\u{fffd}", "\u{fffd}"),
        Escape("html", "<a&b>'", "<a&b>'"),
    ])
    func textIsEscaped(_ item: Escape) {
        let text = "<\(item.input)>"
        let line = render(
            [
                notification(0) {
                    $0.thread = text
                    $0.category = text
                    $0.argument = text
                },
                notification(1) {
                    $0.thread = text
                    $0.category = text
                    $0.identifier = text
                    $0.title = text
                    $0.subtitle = text
                    $0.body = text
                },
            ])[0]
        let written = "\"<\(item.expected)>\""
        for field in [
            "\"thread\":\(written),", "\"id\":\(written),", "\"title\":\(written),",
            "\"subtitle\":\(written),",
            "\"body\":\(written),", "\"category\":\(written),", "\"arguments\":[\(written)]",
            "\"text\":\"1 more notification from <\(item.expected)>\"",
        ] {
            #expect(line.utf8.contains(field.utf8), "\(field)")
        }
    }

    @Test func argumentsAreLimited() {
        let notifications = (0..<5).map { time in notification(Int64(time)) { $0.argument = "A\(time)" } }
        let line = render(notifications) { $0.maximumArguments = 3 }[0]
        #expect(line.contains(#""arguments":["A3","A2","A1"],"argumentsTruncated":true,"#))
        #expect(line.contains(#""text":"4 more notifications from A3, A2, and A1""#))
    }

    @Test func categoriesAreInByteOrder() {
        let names = ["b", "", "a", "B", "é", "a.b", "a-b", "z"]
        let notifications = names.enumerated().map { time, name in
            notification(Int64(time)) { $0.category = name }
        }
        let line = render(notifications)[0]
        let order = ["null", "\"B\"", "\"a\"", "\"a-b\"", "\"a.b\"", "\"b\"", "\"z\"", "\"é\""]
            .map { #"{"category":\#($0),"count":1,"weight":1}"# }
        #expect(line.contains("\"categories\":[\(order.joined(separator: ","))]"))
    }

    private func settings(_ json: String) throws -> Settings {
        try Settings(json: Array(json.utf8), file: "f")
    }

    @Test(arguments: [false, true])
    func hiddenPreviewsFollowTheSettings(_ locked: Bool) throws {
        let settings = try settings(
            """
            {"showPreviews":"whenAuthenticated","apps":{"com.example":{"categories":{
              "image":{"categorySummaryFormat":"%u more images","hiddenPreviewsBodyPlaceholder":"%u Images",
                "options":["hiddenPreviewsShowTitle"]},
              "comment":{"hiddenPreviewsBodyPlaceholder":"%u Comments","options":["hiddenPreviewsShowSubtitle"]}}}}}
            """)
        func line(_ leading: String) -> String {
            render(
                [
                    notification(0) { $0.category = leading == "image" ? "comment" : "image" },
                    notification(1) {
                        $0.category = leading
                        $0.title = "T"
                        $0.subtitle = "S"
                    },
                ]
            ) {
                $0.settings = settings
                $0.locked = locked
            }[0]
        }
        let image = #""title":"T","subtitle":null,"body":"1 Images and 1 Comments""#
        #expect(line("image").contains("\"hidden\":{\(image)}"))
        let comment = #""title":null,"subtitle":"S","body":"1 Comments and 1 Images""#
        #expect(line("comment").contains("\"hidden\":{\(comment)}"))
        if locked {
            #expect(line("image").contains("\"display\":{\(image),\"summary\":null}"))
        } else {
            #expect(
                line("comment").contains(
                    #""display":{"title":"T","subtitle":"S","body":"B","summary":"1 more images"}"#))
        }
        // The summary's text is written whether or not it is displayed.
        #expect(line("comment").contains(#""summary":{"more":1,"text":"1 more images"}"#))
    }

    @Test func formatsAreCachedByAppAndCategory() throws {
        let settings = try settings(
            #"{"apps":{"a":{"categories":{"c":{"categorySummaryFormat":"%u of a"}}},"#
                + #""b":{"categories":{"c":{"categorySummaryFormat":"%u of b"}}}}}"#)
        let notifications = ["a", "b", "c"].flatMap { app in
            (0..<3).map { time in
                notification(Int64(time)) {
                    $0.app = app
                    $0.category = "c"
                }
            }
        }
        let lines = render(notifications) { $0.settings = settings }
        #expect(lines.count == 3)
        for (line, text) in zip(lines, ["2 of a", "2 of b", "2 more notifications"]) {
            #expect(line.contains("\"text\":\"\(text)\""))
        }
    }
}

extension String.UTF8View {
    /// Whether these bytes contain the other bytes, regardless of character boundaries.
    fileprivate func contains(_ other: String.UTF8View) -> Bool {
        let bytes = Array(self)
        let wanted = Array(other)
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }
}
