import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// State on disk, spilled or in partial results, gives the same bytes as state in memory (specification, first
/// paragraph).
@Suite(.serialized) struct MergeTests {
    /// The outputs of a run that are compared.
    struct Outcome: Equatable {
        var result: [UInt8]?
        var rejects: [UInt8]?
        var statistics: String
    }

    private func replay(
        _ options: ReplayOptions, _ storage: MemoryStorage
    ) async throws -> (Outcome, Statistics) {
        let statistics = try await run(options, on: storage).get()
        return (outcome(options, storage, statistics), statistics)
    }

    private func outcome(
        _ options: ReplayOptions, _ storage: MemoryStorage, _ statistics: Statistics
    ) -> Outcome {
        Outcome(
            result: storage[options.partial ?? options.output],
            rejects: options.rejects.flatMap { storage[$0] },
            statistics: statistics.comparable)
    }

    /// Returns the log's files, each of which is a source.
    private func sources(_ log: ReplayTests.Log) -> [String] {
        log.files.keys.filter { $0.hasPrefix("logs/") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func expectSame(_ found: Outcome, _ expected: Outcome, _ what: String) {
        guard found != expected else { return }
        #expect(found.statistics == expected.statistics, "\(what)")
        #expect(
            String(decoding: found.result ?? [], as: UTF8.self)
                == String(decoding: expected.result ?? [], as: UTF8.self), "\(what)")
        #expect(found.rejects == expected.rejects, "\(what)")
        Issue.record("not the same: \(what)")
    }

    // MARK: - Spilling

    @Test(arguments: Seeds.several(5))
    func spilledStateGivesTheSameBytes(_ seed: UInt64) async throws {
        let log = try ReplayTests.Log(seed: seed &+ 20_000, lines: 70)
        var options = log.options
        options.spillsAlways = false
        let (whole, _) = try await replay(options, MemoryStorage(log.files))
        #expect(whole.result == Array(log.snapshot.utf8))
        #expect(whole.rejects == Array(log.model.rejects.utf8))
        // Chunks of one line each give more files than are merged at once.
        for (threads, chunkBytes) in [(1, 1), (1, 4_096), (3, 200)] {
            options.spillsAlways = true
            options.threads = threads
            options.chunkBytes = chunkBytes
            let storage = MemoryStorage(log.files)
            let (spilled, statistics) = try await replay(options, storage)
            expectSame(spilled, whole, "spilled by \(threads) threads, chunks of \(chunkBytes)")
            #expect(statistics.spilledBytes > 0)
            #expect(storage.openFiles == 0)
            let left = storage.entries.keys.filter { !$0.hasPrefix("logs") }
            #expect(Set(left) == ["out.ndjson", "rejects.ndjson", "stats.json"])
        }
    }

    /// A log whose state is larger than the minimum for a shard.
    private static let largeLog: [UInt8] = {
        var random = SeededGenerator(seed: 1)
        var text: [UInt8] = []
        for index in 0..<1_400 {
            let body = String(repeating: "body \(index) ", count: 700)
            let collapse = index % 5 == 0 ? "\"collapse-id\":\"c\(random.below(200))\"," : ""
            text += Array(
                """
                {"app":"a\(random.below(5))","ts":\(1_700_000_000 + random.below(90)),"device":"d\(index % 7)",\
                \(collapse)"aps":{"thread-id":"t\(random.below(5_000))","alert":{"title":"T","body":"\(body)"}}}

                """.utf8)
        }
        return text
    }()

    /// State that exceeds the memory is read, folded and sorted in parts that fit.
    @Test func theMinimumMemoryGivesTheSameBytes() async throws {
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.order = .recent
        options.threads = 2
        options.spillsAlways = false
        let (whole, statistics) = try await replay(options, MemoryStorage(["log": .file(Self.largeLog)]))
        #expect(statistics.spilledBytes == 0)
        options.threads = 1
        options.memory = MemoryBudget.minimum(options)
        let (small, spilled) = try await replay(options, MemoryStorage(["log": .file(Self.largeLog)]))
        #expect(small == whole)
        #expect(spilled.spilledBytes > 0)
    }

    /// The earliest and the latest valid timestamp in one group: their difference does not fit into a signed 64-bit
    /// integer.
    @Test func theDifferenceOfTimestampsMayExceedASignedInteger() async throws {
        let lines = ["9223372036854775807999999", "\"0001-01-01T00:00:00Z\"", "5"].map {
            #"{"app":"a","ts":\#($0),"aps":{"alert":"x"}}"# + "\n"
        }
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        var results: [[UInt8]?] = []
        for spills in [false, true] {
            options.spillsAlways = spills
            let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
            results.append(try await replay(options, storage).0.result)
        }
        #expect(results[0] == results[1])
        let text = String(decoding: results[0] ?? [], as: UTF8.self)
        #expect(text.contains(#""first":-62135596800000,"last":9223372036854775807}"#))
    }

    // MARK: - Partial results

    /// A log split into parts at random, with the partial result of each part and the outputs of one replay of all
    /// parts.
    private struct Parts {
        var log: ReplayTests.Log
        let sources: [String]
        /// The snapshot of one replay, with its statistics.
        let snapshot: Outcome
        let partial: Outcome
        var files: [String: MemoryStorage.Entry] = [:]
        var paths: [String] = []
    }

    private func parts(seed: UInt64) async throws -> Parts {
        var random = SeededGenerator(seed: seed)
        var log = try ReplayTests.Log(seed: seed, lines: 60, files: 2 + random.below(6))
        log.options.rejects = nil
        log.options.sources = sources(log)
        log.options.chunkBytes = random.pick([1, 200, 1 << 16])
        log.options.threads = 1 + random.below(2)
        let (snapshot, _) = try await replay(log.options, MemoryStorage(log.files))
        let whole = try await partial(log, log.options.sources, MemoryStorage(log.files))
        var parts = Parts(log: log, sources: log.options.sources, snapshot: snapshot, partial: whole)
        var rest = log.options.sources[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(1 + random.below(3)))
            rest = rest.dropFirst(some.count)
            let path = "part \(parts.paths.count)\(random.chance(30) ? random.pick([".gz", ".zst"]) : "")"
            let storage = MemoryStorage(log.files)
            _ = try await partial(log, some, storage, to: path)
            parts.files[path] = storage.entries[path]
            parts.paths.append(path)
        }
        return parts
    }

    private func partial(
        _ log: ReplayTests.Log, _ sources: [String], _ storage: MemoryStorage, to path: String = "partial"
    ) async throws -> Outcome {
        var options = log.options
        options.sources = sources
        options.partial = path
        return try await replay(options, storage).0
    }

    @Test(arguments: Seeds.several(4))
    func partsMergedAtOnceMatchOneReplay(_ seed: UInt64) async throws {
        let parts = try await parts(seed: seed &+ 30_000)
        var options = parts.log.options
        options.sources = parts.paths
        for order in ReplayOptions.Order.allCases {
            for locked in [false, true] {
                var wanted = parts.log.options
                wanted.order = order
                wanted.locked = locked
                let (expected, _) = try await replay(wanted, MemoryStorage(parts.log.files))
                options.order = order
                options.locked = locked
                options.spillsAlways.toggle()
                let storage = MemoryStorage(parts.files)
                let statistics = try await merge(options, on: storage).get()
                expectSame(outcome(options, storage, statistics), expected, "\(order), locked \(locked)")
                #expect(storage.openFiles == 0)
                let written: Set = ["out.ndjson", "stats.json"]
                #expect(Set(storage.entries.keys) == Set(parts.paths).union(written))
            }
        }
        options.partial = "merged"
        let storage = MemoryStorage(parts.files)
        let statistics = try await merge(options, on: storage).get()
        #expect(outcome(options, storage, statistics) == parts.partial)
    }

    /// Adjacent parts are merged in any order of steps: the sources keep their order.
    @Test(arguments: Seeds.several(6))
    func partsMergedAsATreeMatchOneReplay(_ seed: UInt64) async throws {
        let parts = try await parts(seed: seed &+ 40_000)
        var random = SeededGenerator(seed: seed)
        var options = parts.log.options
        let storage = MemoryStorage(parts.files)
        var paths = parts.paths
        var count = 0
        while paths.count > 1 {
            let first = random.below(paths.count - 1)
            let some = first..<min(paths.count, first + 2 + random.below(2))
            options.sources = Array(paths[some])
            options.partial = "tree \(count)\(random.chance(40) ? random.pick([".gz", ".zst"]) : "")"
            options.statistics = nil
            // A step needs no configuration: the files record how apps are grouped.
            if random.chance(50) { options.settings = Settings() }
            _ = try await merge(options, on: storage).get()
            paths.replaceSubrange(some, with: [options.partial ?? ""])
            count += 1
        }
        options.sources = paths
        options.settings = parts.log.options.settings
        options.statistics = parts.log.options.statistics
        options.partial = "merged"
        let merged = try await merge(options, on: storage).get()
        #expect(outcome(options, storage, merged) == parts.partial)
        options.partial = nil
        let statistics = try await merge(options, on: storage).get()
        expectSame(outcome(options, storage, statistics), parts.snapshot, "a tree")
    }

    /// Without a configuration, the groups are the same and are shown without settings.
    @Test func groupsDoNotDependOnTheConfigurationOfTheMerge() async throws {
        let grouped = #"{"apps":{"a":{"grouping":"off"},"b":{"grouping":"byApp"},"c":{"name":"C"}}}"#
        let lines = ["a", "a", "b", "b", "c"].enumerated().map { index, app in
            #"{"app":"\#(app)","ts":\#(index),"aps":{"alert":"x","thread-id":"t\#(index % 2)"}}"# + "\n"
        }
        var options = ReplayOptions(sources: ["log"])
        options.settings = try Settings(json: Array(grouped.utf8), file: "sheaf.json")
        options.output = "expected"
        let storage = MemoryStorage(["log": .file(Array(lines.joined().utf8))])
        _ = try await run(options, on: storage).get()
        options.partial = "partial"
        _ = try await run(options, on: storage).get()
        var merging = ReplayOptions(sources: ["partial"])
        merging.output = "out"
        let statistics = try await merge(merging, on: storage).get()
        #expect(storage["out"] == storage["expected"])
        #expect(statistics.groups == 4)
    }

    @Test(arguments: [0, 1, 2])
    func emptyPartialResultsGiveAnEmptySnapshot(_ count: Int) async throws {
        let storage = MemoryStorage(["empty": .file([])])
        var options = ReplayOptions(sources: count == 0 ? [] : ["empty"])
        options.partial = "partial"
        _ = try await run(options, on: storage).get()
        options.partial = nil
        options.sources = [String](repeating: "partial", count: max(1, count))
        options.output = "out"
        let statistics = try await merge(options, on: storage).get()
        #expect(storage["out"] == [])
        #expect(statistics.sources == count)
        #expect(statistics.lines == 0)
    }

    @Test func aFolderMayHaveMoreFilesThanAreMergedAtOnce() async throws {
        var generator = LogGenerator(seed: 77)
        let lines = generator.lines(150)
        var options = try generator.options()
        let storage = MemoryStorage(["logs": .folder, "parts": .folder])
        for (index, line) in lines.enumerated() {
            let path = "logs/\(1_000 + index)"
            try storage.createNew(path).write((line + [UInt8(ascii: "\n")]).span)
            options.sources = [path]
            options.partial = "parts/\(1_000 + index)"
            _ = try await run(options, on: storage).get()
        }
        options.partial = nil
        options.sources = ["logs"]
        options.output = "expected"
        let expected = try await run(options, on: storage).get()
        options.sources = ["parts"]
        options.output = "out"
        let statistics = try await merge(options, on: storage).get()
        #expect(storage["out"] == storage["expected"])
        #expect(statistics.comparable == expected.comparable)
        #expect(statistics.spilledBytes > 0)
    }

    /// Counts are added up, with the paths of the damaged sources and the first reject of the first source with one.
    @Test func countsAndDamageAreMerged() async throws {
        let record = Array((#"{"app":"a","aps":{"alert":"x"}}"# + "\n").utf8)
        let whole = gzip(record)
        let files: [String: MemoryStorage.Entry] = [
            "a": .file(record), "b": .file(whole + Array("garbage".utf8)), "c": .file(Array("reject\n".utf8)),
            "d": .file(Array(whole.dropLast(3))),
        ]
        var options = ReplayOptions(sources: ["a", "b", "c", "d"])
        options.output = "out"
        let expected = try await run(options, on: MemoryStorage(files)).get()
        let storage = MemoryStorage(files)
        for (path, sources) in [("one", ["a", "b"]), ("two", ["c", "d"])] {
            options.sources = sources
            options.partial = path
            _ = try await run(options, on: storage).get()
        }
        options.partial = nil
        options.sources = ["one", "two"]
        let statistics = try await merge(options, on: storage).get()
        #expect(statistics.comparable == expected.comparable)
        #expect(statistics.sourceErrors == expected.sourceErrors)
        #expect(statistics.sourceErrors.map(\.source) == ["b", "d"])
        #expect(statistics.firstReject == expected.firstReject)
        #expect(statistics.firstReject?.source == "c")
    }

    /// The same partial result given twice counts twice: duplicates cannot be detected.
    @Test func aPartialResultGivenTwiceCountsTwice() async throws {
        let record = Array((#"{"app":"a","aps":{"alert":"x"}}"# + "\n").utf8)
        let storage = MemoryStorage(["log": .file(record)])
        var options = ReplayOptions(sources: ["log"])
        options.partial = "partial"
        _ = try await run(options, on: storage).get()
        options.partial = nil
        options.output = "out"
        options.sources = ["partial", "partial"]
        let statistics = try await merge(options, on: storage).get()
        #expect(statistics.sources == 2)
        #expect(statistics.grouped == 2)
        #expect(statistics.groups == 1)
    }
}
