import TestSupport
import Testing

@testable import SheafGroups

/// Every branch of the summary rules (specification §7).
@Suite struct SummaryTextTests {
    /// The rest of a group, oldest first, and its summary.
    typealias Case = Example<[Rest], String>

    /// "c" takes a count, "a" a count and arguments, "p" both with positions; "c2" has the same format as "c".
    static let formats = [
        "c": "%u more photos", "c2": "%u more photos", "d": "%u more videos", "e": "%u more albums",
        "f": "%u more files", "a": "%u more messages from %@", "p": "%2$@ sent %1$u more",
        "percent": "%u%% more",
    ]

    static let ana = Rest(argument: "Ana")
    static func from(_ names: String..., category: String) -> [Rest] {
        names.map { Rest(category, argument: $0) }
    }

    @Test(arguments: [
        // No format.
        Case("no format, one", [Rest()], "1 more notification"),
        Case("no format, two", [Rest(), Rest()], "2 more notifications"),
        Case("no format, one of weight 2", [Rest(weight: 2)], "2 more notifications"),
        Case("no format, unknown categories", [Rest("x"), Rest("y"), Rest()], "3 more notifications"),
        Case("no format, one with an argument", [ana], "1 more notification from Ana"),
        Case(
            "no format, weight 2 with an argument", [Rest(weight: 2, argument: "Ana")],
            "2 more notifications from Ana"),
        Case("no format, one argument twice", [ana, ana], "2 more notifications from Ana"),
        Case(
            "no format, two arguments", [Rest(argument: "Bob"), ana], "2 more notifications from Ana and Bob"),
        Case(
            "no format, three arguments", [Rest(argument: "Cleo"), Rest(argument: "Bob"), ana],
            "3 more notifications from Ana, Bob, and Cleo"),
        Case(
            "no format, four arguments", ["D", "C", "B", "A"].map { Rest(argument: $0) },
            "4 more notifications from A, B, C, and D"),
        Case("no format, an argument missing", [ana, Rest()], "2 more notifications"),
        Case(
            "no format, arguments across unknown categories", [Rest("x", argument: "Bob"), ana],
            "2 more notifications from Ana and Bob"),
        // One format: a count.
        Case("count, one", [Rest("c")], "1 more photos"),
        Case("count, weights", [Rest("c", weight: 4), Rest("c", weight: 3)], "7 more photos"),
        Case("count, arguments are not named", from("Ana", category: "c"), "1 more photos"),
        Case("count, two categories of one format", [Rest("c"), Rest("c2")], "2 more photos"),
        Case("count, with a percent sign", [Rest("percent", weight: 50)], "50% more"),
        Case("count, large", [Rest("c", weight: 4_294_967_296)], "4294967296 more photos"),
        // One format: a count and arguments.
        Case("arguments, one", from("Ana", category: "a"), "1 more messages from Ana"),
        Case("arguments, two", from("Bob", "Ana", category: "a"), "2 more messages from Ana and Bob"),
        Case("arguments, three", from("C", "B", "A", category: "a"), "3 more messages from A, B, and C"),
        Case("arguments, by position", from("Bob", "Ana", category: "p"), "Ana and Bob sent 2 more"),
        Case("arguments, all missing", [Rest("a")], "1 more notification"),
        Case(
            "arguments, one missing", [Rest("a", argument: "Ana"), Rest("a", weight: 2)],
            "3 more notifications"),
        // Several formats.
        Case("two formats", [Rest("d", weight: 3), Rest("c", weight: 5)], "5 more photos and 3 more videos"),
        Case(
            "two formats, the other newer", [Rest("c", weight: 5), Rest("d", weight: 3)],
            "3 more videos and 5 more photos"),
        Case(
            "the newest decides, not the first", [Rest("c"), Rest("d"), Rest("c")],
            "2 more photos and 1 more videos"),
        Case(
            "three formats", [Rest("c"), Rest("d"), Rest("e")],
            "1 more albums, 1 more videos, and 1 more photos"),
        Case(
            "four formats", [Rest("c"), Rest("d"), Rest("e"), Rest("f")],
            "1 more files, 1 more albums, 1 more videos, and 1 more photos"),
        Case("a format and no format", [Rest(), Rest("c")], "1 more photos and 1 more notification"),
        Case(
            "no format and a format", [Rest("c"), Rest(weight: 2)], "2 more notifications and 1 more photos"),
        Case(
            "no format with arguments, and a format", [ana, Rest("c")],
            "1 more photos and 1 more notification"),
        Case(
            "two categories without a format are one phrase", [Rest("x"), Rest("c"), Rest()],
            "2 more notifications and 1 more photos"),
        Case(
            "equal formats are one phrase", [Rest("c"), Rest("d"), Rest("c2")],
            "2 more photos and 1 more videos"),
        Case(
            "one of several takes arguments", [Rest("c"), Rest("a", argument: "Ana")], "2 more notifications"),
        Case(
            "several take arguments", from("Ana", category: "a") + from("Bob", category: "p"),
            "2 more notifications"),
        Case("arguments and no format", [Rest("a", argument: "Ana"), ana], "2 more notifications"),
        Case(
            "several of weight 1 is not the singular", [Rest("a", argument: "Ana"), Rest("c")],
            "2 more notifications"),
    ])
    func summariesAreFormatted(_ item: Case) throws {
        let presentation = try TestPresentation(formats: Self.formats)
        #expect(presentation.summary(item.input) == item.expected)
    }

    @Test func formatsAreComparedByCodePoints() throws {
        let composed = "%u caf\u{e9}s"
        let decomposed = "%u cafe\u{301}s"
        let presentation = try TestPresentation(formats: ["one": composed, "two": decomposed])
        #expect(presentation.category("one").format != presentation.category("two").format)
        let text = presentation.summary([Rest("one"), Rest("two")])
        #expect(Array(text.utf8) == Array("1 cafe\u{301}s and 1 caf\u{e9}s".utf8))
    }

    @Test func formatEqualToTheDefaultIsSeparate() throws {
        let presentation = try TestPresentation(formats: ["own": "%u more notifications"])
        #expect(presentation.summary([Rest("own")]) == "1 more notifications")
        #expect(
            presentation.summary([Rest("own"), Rest()]) == "1 more notification and 1 more notifications")
    }

    @Test(arguments: [
        Case("default, one", [Rest()], "Notification"),
        Case("default, two", [Rest(), Rest()], "2 Notifications"),
        Case("default, weight 2", [Rest(weight: 2)], "Notification"),
        Case("default, two of weight 2", [Rest(weight: 2), Rest(weight: 2)], "2 Notifications"),
        Case("a count", [Rest("image"), Rest("image"), Rest("image")], "3 Images"),
        Case("a count, not the weight", [Rest("image", weight: 3), Rest("image")], "2 Images"),
        Case("a count of 1", [Rest("image")], "1 Images"),
        Case("without a count", [Rest("secret", weight: 9)], "A secret"),
        Case("two placeholders", [Rest("comment"), Rest("image")], "1 Images and 1 Comments"),
        Case(
            "two placeholders, the other newer", [Rest("image"), Rest("comment")], "1 Comments and 1 Images"),
        Case(
            "three placeholders", [Rest("comment"), Rest("image"), Rest("secret")],
            "A secret, 1 Images, and 1 Comments"),
        Case(
            "four placeholders", [Rest(), Rest("comment"), Rest("image"), Rest("secret")],
            "A secret, 1 Images, 1 Comments, and Notification"),
        Case("with the default", [Rest("image"), Rest(), Rest(weight: 2)], "2 Notifications and 1 Images"),
        Case(
            "equal placeholders of two categories",
            [Rest("image"), Rest("comment"), Rest("image2", weight: 4)],
            "2 Images and 1 Comments"),
        Case("literals are not formatted", [Rest("percent")], "100%"),
    ])
    func hiddenBodiesAreFormatted(_ item: Case) throws {
        let presentation = try TestPresentation(placeholders: [
            "image": "%u Images", "image2": "%u Images", "comment": "%u Comments", "secret": "A secret",
            "percent": "100%",
        ])
        #expect(presentation.hiddenBody(item.input) == item.expected)
    }
}
