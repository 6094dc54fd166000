import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Notifications with levels that the profile does not have are counted as active, which is reported.
@Suite struct LevelWarningTests {
    private static let log = [
        #"{"ts":1,"app":"a","aps":{"alert":"1","interruption-level":"time-sensitive"}}"#,
        #"{"ts":2,"app":"a","aps":{"alert":"2","interruption-level":"passive"}}"#,
        #"{"ts":3,"app":"a","aps":{"alert":"3","interruption-level":"active"}}"#,
        #"{"ts":4,"app":"a","aps":{"alert":"4","sound":{"critical":1}}}"#,
        #"{"ts":5,"app":"a","aps":{"content-available":1,"interruption-level":"passive"}}"#,
    ]

    struct Case: NamedCase {
        let name: String
        let change: @Sendable (inout ReplayOptions) -> Void
        let warnings: [ReplayWarning]
    }

    @Test(arguments: [
        Case(name: "the default", change: { $0.delivery = true }, warnings: [.levelsIgnored(2)]),
        Case(
            name: "while reading",
            change: { ($0.delivery, $0.every, $0.lateness) = (true, Timeline(step: 1), 0) },
            warnings: [.levelsIgnored(2)]),
        Case(name: "without levels", change: { _ in }, warnings: []),
        Case(name: "a newer profile", change: { ($0.delivery, $0.profile) = (true, .ios15) }, warnings: []),
        Case(
            name: "state", change: { ($0.delivery, $0.output, $0.partial) = (true, "-", "out") }, warnings: []
        ),
    ])
    func levelsThatTheProfileLacksAreCounted(_ item: Case) throws {
        let storage = MemoryStorage(["log": .file(Array(Self.log.joined(separator: "\n").utf8))])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        item.change(&options)
        #expect(try Replay(options, storage: storage).run().warnings == item.warnings)
    }
}
