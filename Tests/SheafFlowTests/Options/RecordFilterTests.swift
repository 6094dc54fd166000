import SheafGroups
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// Replays and checks of some apps and devices only.
@Suite struct RecordFilterTests {
    /// A name is found if it is one of the set, whatever the other names.
    @Test(arguments: Seeds.several(4)) func aSetHasItsNames(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func name() -> String {
            String((0..<random.below(4)).map { _ in random.pick(["a", "b", "é", "\u{0}"]) })
        }
        for _ in 0..<200 {
            let names = Set((0..<random.below(20)).map { _ in name() })
            let set = NameSet(names)
            for _ in 0..<20 {
                let other = name()
                #expect(set.contains(Array(other.utf8).span) == names.contains(other))
            }
            #expect(Set(set.texts) == names && set.texts.count == names.count)
            #expect(set == NameSet(names.shuffled()))
        }
    }

    /// Records of two apps and two devices, and records that name no device.
    private static let log = [
        #"{"ts":1,"device":"D","app":"a","aps":{"alert":"1"}}"#,
        #"{"ts":2,"device":"E","app":"a","aps":{"alert":"2"}}"#,
        #"{"ts":3,"app":"a","aps":{"alert":"3"}}"#, #"{"ts":4,"device":"D","app":"b","aps":{"alert":"4"}}"#,
        #"{"ts":5,"device":"D","app":"b","aps":{"content-available":1}}"#,
        #"{"ts":6,"device":"E","app":"b","aps":{"content-available":1}}"#, #"{"ts":7,"app":"#,
        #"{"ts":8,"event":"settings","sounds":false,"device":"E"}"#,
        #"{"ts":9,"event":"settings","sounds":true}"#,
        #"{"ts":10,"event":"response","app":"b","device":"E","category":"c","action":"x"}"#,
    ]

    struct Selection: NamedCase {
        let name: String
        var apps: [String] = []
        var devices: [String] = []
        /// The bodies of the notifications that are grouped.
        let bodies: [String]
        let unselected: UInt64?
        let silent: UInt64
        let settings: UInt64
        let responses: UInt64
    }

    @Test(arguments: [
        Selection(
            name: "everything", bodies: ["1", "2", "3", "4"], unselected: nil, silent: 2, settings: 2,
            responses: 1),
        Selection(
            name: "an app", apps: ["a"], bodies: ["1", "2", "3"], unselected: 4, silent: 0, settings: 2,
            responses: 0),
        Selection(
            name: "two apps", apps: ["b", "a"], bodies: ["1", "2", "3", "4"], unselected: 0, silent: 2,
            settings: 2,
            responses: 1),
        Selection(
            name: "a device", devices: ["D"], bodies: ["1", "4"], unselected: 5, silent: 1, settings: 1,
            responses: 0),
        Selection(
            name: "an app and a device", apps: ["b"], devices: ["E"], bodies: [], unselected: 5, silent: 1,
            settings: 2, responses: 1),
        Selection(
            name: "part of a name", apps: ["A", "a ", ""], devices: [], bodies: [], unselected: 7, silent: 0,
            settings: 2, responses: 0),
    ])
    func onlySelectedRecordsAreGrouped(_ item: Selection) throws {
        let storage = MemoryStorage(["log": .file(Array(Self.log.joined(separator: "\n").utf8))])
        var options = ReplayOptions(sources: ["log"])
        (options.output, options.delivery) = ("out", true)
        (options.onlyApps, options.onlyDevices) = (item.apps, item.devices)
        let statistics = try Replay(options, storage: storage).run()
        let text = String(decoding: storage["out"] ?? [], as: UTF8.self)
        for body in ["1", "2", "3", "4"] where !item.bodies.contains(body) {
            #expect(!text.contains("\"body\":\"\(body)\""))
        }
        #expect(Int(statistics.grouped + (statistics.delivery?.suppressed ?? 0)) == item.bodies.count)
        #expect(statistics.unselected == item.unselected)
        #expect(statistics.silent == item.silent)
        #expect(statistics.delivery?.settings == item.settings)
        #expect(statistics.responses?.total ?? 0 == item.responses)
        // A line that can't be read is rejected, whatever its app.
        #expect(statistics.rejectedTotal == 1)
        #expect(statistics.records == UInt64(Self.log.count))
    }

    @Test func partialResultsOfOtherSelectionsAreRefused() throws {
        let storage = MemoryStorage(["log": .file(Array(Self.log.joined(separator: "\n").utf8))])
        for (file, apps) in [("one", ["a", "b"]), ("two", ["b"]), ("three", ["b", "a"])] {
            var options = ReplayOptions(sources: ["log"])
            (options.partial, options.onlyApps, options.onlyDevices) = (file, apps, ["D"])
            _ = try Replay(options, storage: storage).run()
        }
        func merge(_ files: [String]) throws -> Statistics {
            var options = ReplayOptions(sources: files)
            options.output = "out"
            return try Merge(options, storage: storage).run()
        }
        #expect(try merge(["one", "three"]).unselected == 10)
        let error = #expect(throws: ReplayError.self) { try merge(["one", "two"]) }
        #expect(
            error
                == .usage(
                    "'two' and 'one' can't be merged: 'one' was written with \(.onlyApps) 'a' \(.onlyApps) 'b' "
                        + "\(.onlyDevices) 'D', 'two' with \(.onlyApps) 'b' \(.onlyDevices) 'D'"))
    }

    @Test func aCheckReadsOnlySelectedRecords() throws {
        let log = [
            #"{"ts":1,"device":"D","app":"a","aps":{"alert":"1","badge":"x"}}"#,
            #"{"ts":1,"device":"E","app":"b","aps":{"alert":"1","sound":1}}"#,
            #"{"ts":1,"device":"D","app":"b","aps":{"content-available":1,"threadid":"t"}}"#,
        ]
        let storage = MemoryStorage(["log": .file(Array(log.joined(separator: "\n").utf8))])
        func findings(_ apps: [String], _ devices: [String]) throws -> Set<String> {
            var options = CheckOptions(sources: ["log"])
            (options.output, options.format) = ("out", .json)
            (options.onlyApps, options.onlyDevices) = (apps, devices)
            let report = try LogCheck(options, storage: storage).run()
            return Set(report.findings.map { "\($0.finding)" })
        }
        let all = try findings([], [])
        let (a, b) = (try findings(["a"], []), try findings(["b"], []))
        #expect(!a.isEmpty && !b.isEmpty && a.union(b) == all)
        #expect(try findings([], ["E"]).isStrictSubset(of: b))
        #expect(try findings(["a"], ["E"]).isEmpty)
    }

    @Test func whatSelectsNothingIsReported() throws {
        let storage = MemoryStorage(["log": .file(Array(Self.log.joined(separator: "\n").utf8))])
        func warnings(_ change: (inout ReplayOptions) -> Void) throws -> [ReplayWarning] {
            var options = ReplayOptions(sources: ["log"])
            (options.output, options.byDevice, options.delivery) = ("out", true, true)
            change(&options)
            return try Replay(options, storage: storage).run().warnings
        }
        #expect(try warnings { _ in } == [])
        #expect(try warnings { $0.onlyApps = ["b"] } == [])
        #expect(
            try warnings { $0.onlyApps = ["aa", "b"] } == [.unselectedApps([.init(app: "aa", nearest: "a")])])
        #expect(try warnings { $0.onlyDevices = ["F"] } == [])
        #expect(try warnings { ($0.onlyApps, $0.onlyDevices) = (["a"], ["F"]) } == [])
        #expect(try warnings { $0.defaultApp = "c" } == [.unusedDefaultApp("c")])
    }

    /// The default app is in use as soon as one record has no app, even if another one names it.
    @Test func aDefaultAppThatIsUsedIsNotReported() throws {
        for (line, expected) in [
            (#"{"ts":1,"aps":{"alert":"1"}}"#, [ReplayWarning]()),
            (#"{"ts":1,"message":{"token":"t","apns":{"payload":{"aps":{"alert":"x"}}}}}"#, []),
            (#"{"ts":1,"app":"c","aps":{"alert":"1"}}"#, [.unusedDefaultApp("c")]),
        ] {
            let storage = MemoryStorage(["log": .file(Array("\(line)\n".utf8))])
            var options = ReplayOptions(sources: ["log"])
            (options.output, options.byDevice, options.defaultApp) = ("out", true, "c")
            #expect(try Replay(options, storage: storage).run().warnings == expected)
        }
    }
}
