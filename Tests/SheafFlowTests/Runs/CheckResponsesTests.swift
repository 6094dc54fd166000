import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// What checks find about responses (specification §16).
@Suite struct CheckResponsesTests {
    typealias Case = Example<String, [String]>

    private static let settings = """
        {"apps":{"a":{"categories":{
          "c":{"actions":["REPLY","caf\u{e9}"]},"dismissed":{"actions":[],"options":["customDismissAction"]},
          "unlisted":{},"dynamic":{"actions":["REPLY"],"dynamicActions":true},
          "static":{"actions":["REPLY"],"dynamicActions":false}}},"b":{"categories":{"c":{"actions":["OPEN"]}}}}}
        """

    private static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    private static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"

    private static func report(_ lines: [String]) throws -> CheckReport {
        let text = lines.map { $0 + "\n" }.joined()
        let storage = MemoryStorage(["log": .file(Array(text.utf8))])
        var options = CheckOptions(sources: ["log"])
        options.settings = try Settings(json: Array(settings.utf8), file: "c")
        options.output = "report"
        return try LogCheck(options, storage: storage).run()
    }

    @Test(arguments: [
        Case("an action of the category", #""app":"a","category":"c","action":"REPLY""#, []),
        Case("escapes", #""app":"\u0061","category":"\u0063","action":"caf\u00e9""#, []),
        Case(
            "another action", #""app":"a","category":"c","action":"reply""#, ["action.unknown 'reply' of 'c'"]
        ),
        Case(
            "the action of another app", #""app":"a","category":"c","action":"OPEN""#,
            ["action.unknown 'OPEN' of 'c'"]),
        Case("a category of the payload", #""app":"b","aps":{"category":"c"},"action":"OPEN""#, []),
        Case("the default action", #""app":"a","category":"c","action":"\#(defaultAction)""#, []),
        Case(
            "a dismissal", #""app":"a","category":"c","action":"\#(dismissAction)""#,
            ["action.unknown '\(dismissAction)' of 'c'"]),
        Case(
            "a dismissal that the category asks for",
            #""app":"a","category":"dismissed","action":"\#(dismissAction)""#, []),
        Case(
            "a category without actions", #""app":"a","category":"dismissed","action":"REPLY""#,
            ["action.unknown 'REPLY' of 'dismissed'"]),
        Case("actions that are not known", #""app":"a","category":"unlisted","action":"REPLY""#, []),
        Case(
            "an action of a content extension", #""app":"a","category":"dynamic","action":"PLAY""#, []),
        Case(
            "the dismissal of a category with a content extension",
            #""app":"a","category":"dynamic","action":"\#(dismissAction)""#, []),
        Case(
            "a category whose actions don't change", #""app":"a","category":"static","action":"PLAY""#,
            ["action.unknown 'PLAY' of 'static'"]),
        Case("no category", #""app":"a","action":"REPLY""#, []),
        Case("another category", #""app":"a","category":"d","action":"REPLY""#, ["category.unknown"]),
        Case("another app", #""app":"z","category":"c","action":"REPLY""#, []),
        Case("no action", #""app":"a","category":"c""#, ["response.invalid"]),
        Case("no problem of a push", #""app":"a","action":"R","aps":{"badge":-1,"alert":7}"#, []),
    ])
    func actionsAreThoseOfTheirCategories(_ example: Case) throws {
        let report = try Self.report([#"{"event":"response",\#(example.input)}"#])
        let found = report.findings.map { item in
            ([item.finding.name] + [item.detail].compactMap { $0 }).joined(separator: " ")
        }
        #expect(found == example.expected)
        #expect(report.records == 1)
    }

    @Test func theFirstResponseIsLocated() throws {
        let wrong = #"{"event":"response","app":"a","ts":1,"category":"c","action":"X"}"#
        let right = wrong.replacing("\"X\"", with: "\"REPLY\"")
        let report = try Self.report([right, "", wrong, wrong.replacing("X", with: "Y")])
        let item = try #require(report.findings.first)
        #expect(report.findings.count == 1)
        #expect(item.finding == .problem(.actionUnknown) && item.count == 2)
        #expect(item.source == "log" && item.position == .line(3) && item.detail == "'X' of 'c'")
        #expect(item.severity == .warning)
    }

    @Test func responsesInWrappersAreCheckedToo() throws {
        let entry = #"{\"event\":\"response\",\"app\":\"a\",\"category\":\"c\",\"action\":\"X\"}"#
        let report = try Self.report([#"{"message":"\#(entry)"}"#])
        #expect(report.findings.map(\.finding) == [.problem(.actionUnknown)])
    }
}
