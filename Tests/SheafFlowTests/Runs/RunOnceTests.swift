import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// A run can be run only once.
@Suite(.tags(.spilling)) struct RunOnceTests {
    private static let line = #"{"app":"a","aps":{"alert":"b"}}"#
    private let storage = MemoryStorage(["log": .file(Array((line + "\n").utf8))])

    private func options(_ source: String, _ change: (inout ReplayOptions) -> Void) -> ReplayOptions {
        var options = ReplayOptions(sources: [source])
        options.threads = 1
        change(&options)
        return options
    }

    @Test func aReplayRunsOnce() throws {
        let replay = try Replay(options("log") { $0.output = "out" }, storage: storage)
        #expect(try replay.run().groups == 1)
        let output = storage["out"]
        #expect(throws: ReplayError.alreadyRun) { try replay.run() }
        #expect(storage["out"] == output)
    }

    @Test func aMergeRunsOnce() throws {
        _ = try Replay(options("log") { $0.partial = "partial" }, storage: storage).run()
        let merge = try Merge(options("partial") { $0.output = "out" }, storage: storage)
        #expect(try merge.run().groups == 1)
        #expect(throws: ReplayError.alreadyRun) { try merge.run() }
    }

    @Test func aCheckRunsOnce() throws {
        var options = CheckOptions(sources: ["log"])
        options.output = "out"
        let check = try LogCheck(options, storage: storage)
        #expect(try check.run().lines == 1)
        #expect(throws: ReplayError.alreadyRun) { try check.run() }
    }

    /// A failed run can't be run again either: its resources are gone.
    @Test func aFailedRunIsNotRunAgain() throws {
        let replay = try Replay(options("log") { $0.output = "out" }, storage: storage)
        replay.interrupt(signal: 2)
        #expect(throws: ReplayError.interrupted(signal: 2)) { try replay.run() }
        #expect(throws: ReplayError.alreadyRun) { try replay.run() }
    }
}
