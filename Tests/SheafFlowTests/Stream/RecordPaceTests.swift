import SheafBytes
import SheafGroups
import Synchronization
import TestSupport
import Testing

@testable import SheafFlow

/// The pace of records that are released as they happened, in logs with wrong times.
@Suite struct RecordPaceTests {
    struct PacedLog: NamedCase {
        let name: String
        /// The times of each source's records, in seconds after 2023; `y` adds 76 years.
        let sources: [String]
        /// The time for which the run waits at twice the pace, in milliseconds.
        let waits: Int64
        /// The members of a record that is years ahead.
        var ahead = #""aps":{"alert":"x"}"#
    }

    static let pacedLogs = [
        PacedLog(name: "no record", sources: [""], waits: 0),
        PacedLog(name: "one record", sources: ["5"], waits: 0),
        PacedLog(name: "in order", sources: ["5 6 9"], waits: 2_000),
        PacedLog(name: "out of order", sources: ["5 9 6 9"], waits: 2_000),
        PacedLog(name: "ahead in between", sources: ["5 6 1y 7 9"], waits: 2_000),
        PacedLog(name: "ahead twice", sources: ["5 1y 2y 6 1y 9"], waits: 2_000),
        PacedLog(name: "ahead at the start", sources: ["1y 5 6 9"], waits: 2_000),
        PacedLog(name: "ahead at the end", sources: ["5 6 9 1y"], waits: 2_000),
        PacedLog(name: "one source begins ahead", sources: ["5 6 9", "1y 5 9"], waits: 2_000),
        PacedLog(name: "from the future", sources: ["5y 6y 9y"], waits: 2_000),
        PacedLog(name: "from the future, after a gap", sources: ["5y 9y 999999y 1000001y"], waits: 3_000),
        PacedLog(name: "from the future, with an older time", sources: ["999999y 5y 9y"], waits: 2_000),
        PacedLog(
            name: "a change of settings", sources: ["5 6 1y 7 9"], waits: 2_000,
            ahead: #""event":"settings","delivery":"quiet""#),
        PacedLog(
            name: "a change of settings at the start", sources: ["1y 5 9"], waits: 2_000,
            ahead: #""event":"settings","delivery":"quiet""#),
        PacedLog(
            name: "an outcome", sources: ["5 6 1y 7 9"], waits: 2_000,
            ahead: #""event":"outcome","id":"i","status":200"#),
        PacedLog(
            name: "a removal", sources: ["5 6 1y 7 9"], waits: 2_000,
            ahead: #""event":"removed","ids":["i"]"#),
    ]

    @Test(arguments: pacedLogs) func noRecordYearsAheadIsWaitedFor(_ log: PacedLog) async throws {
        let start = 1_672_531_200_000
        var files: [String: MemoryStorage.Entry] = [:]
        let names = log.sources.indices.map { "log \($0)" }
        for (name, times) in zip(names, log.sources) {
            let lines = times.split(separator: " ").map { text in
                let isAhead = text.hasSuffix("y")
                let seconds = (Int(text.filter(\.isNumber)) ?? 0) + (isAhead ? 2_398_377_600 : 0)
                let members = isAhead ? log.ahead : #""aps":{"alert":"x"}"#
                return #"{"app":"a","ts":\#(start + 1_000 * seconds),\#(members)}"# + "\n"
            }
            files[name] = .file(Array(lines.joined().utf8))
        }
        let waited = Mutex<Int64>(0)
        var options = ReplayOptions(sources: names)
        (options.output, options.every) = ("out", Timeline(step: 1_000))
        (options.lateness, options.speed) = (0, 2)
        (options.appliesRemovals, options.delivery, options.appliesOutcomes) = (true, true, true)
        options.clock.present = { Int64(start + 60_000) }
        options.clock.uptime = { waited.withLock { $0 } }
        options.clock.wait = { milliseconds, _ in waited.withLock { $0 += Int64(milliseconds) } }
        let statistics = try await run(options, on: MemoryStorage(files)).get()
        #expect(statistics.rejectedTotal == 0)
        #expect(waited.withLock { $0 } == log.waits)
    }
}
