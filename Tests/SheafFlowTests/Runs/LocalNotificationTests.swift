import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// The identifier of a local notification is its identity: a later one with the same identifier replaces it (specification
/// §5).
@Suite struct LocalNotificationTests {
    struct Case: NamedCase {
        let name: String
        let lines: [String]
        /// The bodies of the leading notifications, in the order of their groups.
        let shown: [String]
        let updated: UInt64
    }

    private static func request(
        _ identifier: String?, _ body: String, _ time: Int, app: String = "a", device: String? = nil,
        thread: String = "t"
    ) -> String {
        let members = [
            #""ts":\#(time),"app":"\#(app)""#, device.map { #""device":"\#($0)""# },
            identifier.map { #""identifier":"\#($0)""# },
            #""content":{"title":"","body":"\#(body)","threadIdentifier":"\#(thread)"},"trigger":null"#,
        ]
        return "{\(members.compactMap { $0 }.joined(separator: ","))}"
    }

    static let cases = [
        Case(
            name: "the same identifier", lines: [request("i", "1", 1), request("i", "2", 2)], shown: ["2"],
            updated: 1),
        Case(
            name: "the newest first", lines: [request("i", "2", 2), request("i", "1", 1)], shown: ["2"],
            updated: 1),
        Case(
            name: "three times", lines: (1...3).map { request("i", "\($0)", $0) }, shown: ["3"], updated: 2),
        Case(
            name: "in another thread",
            lines: [request("i", "1", 1, thread: "s"), request("i", "2", 2, thread: "t")], shown: ["2"],
            updated: 1),
        Case(
            name: "other identifiers",
            lines: [request("i", "1", 1, thread: "s"), request("j", "2", 2)], shown: ["1", "2"], updated: 0),
        Case(
            name: "no identifiers", lines: [request(nil, "1", 1, thread: "s"), request(nil, "2", 2)],
            shown: ["1", "2"], updated: 0),
        Case(
            name: "other apps", lines: [request("i", "1", 1), request("i", "2", 2, app: "b")],
            shown: ["1", "2"], updated: 0),
        Case(
            name: "other devices",
            lines: [request("i", "1", 1, device: "d"), request("i", "2", 2, device: "e")],
            shown: ["1", "2"], updated: 0),
        Case(
            name: "the same device",
            lines: [request("i", "1", 1, device: "d"), request("i", "2", 2, device: "d")], shown: ["2"],
            updated: 1),
        Case(
            name: "one that is logged as a notification",
            lines: [
                request("i", "1", 1),
                #"{"app":"a","request":{"identifier":"i","content":{"body":"2"},"trigger":null},"date":2}"#,
            ], shown: ["2"], updated: 1),
        Case(
            name: "a push with that collapse identifier",
            lines: [
                request("i", "1", 1),
                #"{"ts":2,"app":"a","collapse-id":"i","aps":{"alert":"2","thread-id":"t"}}"#,
            ], shown: ["2"], updated: 1),
        Case(
            name: "a push with that id",
            lines: [
                request("i", "1", 1, thread: "s"),
                #"{"ts":2,"app":"a","id":"i","aps":{"alert":"2","thread-id":"t"}}"#,
            ], shown: ["1", "2"], updated: 0),
        Case(
            name: "elements of one line",
            lines: ["[\(request("i", "1", 1)),\(request("i", "2", 1)),\(request("j", "3", 1))]"],
            shown: ["3"], updated: 1),
    ]

    @Test(arguments: cases)
    func aLaterRequestReplacesTheEarlierOne(_ item: Case) async throws {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.byDevice = true
        let log = item.lines.map { $0 + "\n" }.joined()
        let storage = MemoryStorage(["log": .file(Array(log.utf8))])
        let statistics = try await run(options, on: storage).get()
        let snapshot = String(decoding: storage["out"] ?? [], as: UTF8.self)
        let shown = snapshot.matches(of: #/"subtitle":null,"body":"(.)","category"/#).map { String($0.1) }
        #expect(shown == item.shown)
        #expect(statistics.updated == item.updated)
        #expect(statistics.rejectedTotal == 0)
    }

    /// A local notification and its findings.
    typealias Checked = Example<String, [String]>

    private static let long = String(repeating: "x", count: 5_000)

    /// Rules about headers, push types and the sizes that Apple's service accepts are not for local notifications.
    @Test(arguments: [
        Checked("an identifier that is not a UUID", request("i", "1", 1), []),
        Checked("a long identifier", request(String(repeating: "i", count: 65), "1", 1), []),
        Checked("a long text", request("i", long, 1), []),
        Checked(
            "headers of another record",
            #"{"ts":1,"app":"a.voip","identifier":"i","content":{"body":"B"},"apns-id":"1","apns-priority":7,"#
                + #""apns-expiration":"x","device-token":"no","apns-push-type":"other","thread-id":"t"}"#, []),
        Checked(
            "a level that is unknown",
            #"{"ts":1,"app":"a","identifier":"i","content":{"body":"B","interruptionLevel":"high"}}"#,
            ["interruption-level.unknown"]),
        Checked(
            "no time", #"{"app":"a","identifier":"i","content":{"body":"B","badge":-1}}"#,
            ["badge.negative", "untimed"]),
        Checked(
            "a push", #"{"ts":1,"app":"a","apns-id":"1","apns-priority":7,"aps":{"alert":"\#(long)"}}"#,
            ["payload.too-large", "BadMessageId", "BadPriority"]),
    ])
    func rulesOfPushesAreNotApplied(_ item: Checked) async throws {
        let storage = MemoryStorage(["log": .file(Array("\(item.input)\n".utf8))])
        var checking = CheckOptions(sources: ["log"])
        checking.output = "report"
        #expect(try await run(checking, on: storage).get().findings.map(\.finding.name) == item.expected)
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        let statistics = try await run(options, on: storage).get()
        let counted = statistics.findings.map { "\($0.finding.name)" }
        #expect(counted == item.expected.filter { $0 == "payload.too-large" })
    }
}
