import SheafBytes
import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafFlow

/// An option outside its range is an error in every run, and the message has the value and the range. It never traps.
@Suite struct OptionRangeTests {
    struct Case: NamedCase {
        let name: String
        let message: String
        let change: @Sendable (inout ReplayOptions) -> Void

        init(_ name: String, _ message: String, _ change: @escaping @Sendable (inout ReplayOptions) -> Void) {
            self.name = name
            self.message = message
            self.change = change
        }
    }

    static let cases = [
        Case("no threads", "`threads` is 0, but must be from 1 to 256") { $0.threads = 0 },
        Case("a negative number of threads", "`threads` is -1, but must be from 1 to 256") {
            $0.threads = -1
        },
        Case("too many threads", "`threads` is 257, but must be from 1 to 256") {
            $0.threads = 257
        },
        Case("no chunks", "`chunkBytes` is 0, but must be from 1 to 67108864") {
            $0.chunkBytes = 0
        },
        Case(
            "lines of any length",
            "`maximumLine` is \(Int.max), but must be from 1 to 1073741824"
        ) { $0.maximumLine = .max },
        Case("no arguments", "`maximumArguments` is 0, but must be from 1 to 1024") {
            $0.maximumArguments = 0
        },
        Case(
            "too many groups",
            "`top` is 10001, but must be from 1 to 10000"
        ) { $0.top = 10_001 },
        Case(
            "no groups", "`top` is 0, but must be from 1 to 10000"
        ) {
            $0.top = 0
        },
        Case("no lines", "the number of lines is 0, but must be from 1 to \(Int.max)") {
            $0.maximumLines = 0
        },
        Case(
            "checkpoints all the time",
            "`checkpointInterval` is 0.0 seconds, but must be longer than 0"
        ) {
            $0.checkpointInterval = .zero
        },
    ]

    @Test(arguments: cases) func replaysAndMergesRefuse(_ item: Case) throws {
        let storage = MemoryStorage(["log": .file([])])
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.checkpoint = "checkpoint"
        item.change(&options)
        let replay = #expect(throws: ReplayError.self) { try Replay(options, storage: storage) }
        let merge = #expect(throws: ReplayError.self) { try Merge(options, storage: storage) }
        #expect(replay?.description == item.message)
        #expect(merge?.description == item.message)
    }

    @Test(arguments: [0, -1, 257, Int.min, Int.max]) func checksRefuse(threads: Int) throws {
        var options = CheckOptions(sources: ["log"])
        options.threads = threads
        let message: OptionMessage = "\(.threads) is \(threads), but must be from 1 to 256"
        #expect(throws: ReplayError.usage(message)) {
            _ = try LogCheck(options, storage: MemoryStorage(["log": .file([])]))
        }
    }

    @Test func theDefaultUsesEveryProcessor() {
        #expect(ReplayOptions(sources: []).threads == Limits.defaultThreads)
        #expect(CheckOptions(sources: []).threads == Limits.defaultThreads)
        #expect(Limits.threadsRange.contains(Limits.defaultThreads))
        #expect(Limits.defaultThreads == min(CurrentProcess.processorCount, 256))
    }
}
