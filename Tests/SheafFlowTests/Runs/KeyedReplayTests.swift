import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Keyed lines in any order give, byte for byte, the snapshot and the statistics of a replay of the sources that they
/// come from, however they are spread over runs.
@Suite(.serialized, .tags(.extended)) struct KeyedReplayTests {
    /// A log, its keyed lines, and the outputs of a replay of its sources.
    private struct Log {
        var options: ReplayOptions
        let keyed: KeyedLog
        let files: [String: MemoryStorage.Entry]
        var random: SeededGenerator

        /// Native records in several sources, or records of all shapes.
        init(seed: UInt64) throws {
            random = SeededGenerator(seed: ~seed)
            if seed % 3 == 0 {
                options = ReplayOptions(sources: [])
                var files: [String: MemoryStorage.Entry] = [:]
                for index in 0..<3 {
                    let log = MixedLog(seed: seed &* 3 &+ UInt64(index), lines: 15)
                    files["logs/\(index)"] = .file(Array(log.lines.map { $0 + "\n" }.joined().utf8))
                }
                self.files = files
            } else {
                let log = try ReplayTests.Log(seed: seed, lines: 60, files: 1 + random.below(5))
                (options, files) = (log.options, log.files)
            }
            let paths = files.keys.filter { $0.hasPrefix("logs/") }.sorted()
            var texts: [(path: String, text: [UInt8])] = []
            for path in paths {
                guard case .file(let bytes)? = files[path] else { continue }
                texts.append((path, KeyedLog.inflated(bytes)))
            }
            keyed = KeyedLog(texts, &random)
            options.sources = []
            options.output = "out"
            options.rejects = "rejects"
            options.statistics = "stats"
            options.badges = true
            options.byDevice = random.chance(40)
            options.every = random.chance(30) ? Timeline(step: 500) : nil
            options.until = random.chance(20) ? 1_700_000_002_000 : nil
        }

        mutating func cut(_ options: inout ReplayOptions) {
            options.threads = 1 + random.below(3)
            options.chunkBytes = random.pick([1, 37, 300, 4_096, Limits.chunkBytes])
            options.partBytes = random.pick([nil, 1, 300, 1_000])
            options.spillsAlways = random.chance(40)
        }
    }

    private struct Outcome: Equatable {
        var snapshot: String
        var statistics: String
        /// In no particular order.
        var rejects: [String]?
    }

    private func outcome(
        _ storage: MemoryStorage, _ statistics: Statistics, hasRejects: Bool = true
    ) -> Outcome {
        func text(_ path: String) -> String { String(decoding: storage[path] ?? [], as: UTF8.self) }
        return Outcome(
            snapshot: text("out"), statistics: statistics.comparableRecords,
            rejects: hasRejects ? text("rejects").components(separatedBy: "\n").sorted() : nil)
    }

    private func expectSame(_ found: Outcome, _ expected: Outcome) {
        #expect(found.statistics == expected.statistics)
        #expect(found.snapshot == expected.snapshot)
        #expect(found.rejects == expected.rejects)
    }

    private func expected(_ log: Log) async throws -> Outcome {
        var options = log.options
        options.namedSources = log.keyed.sources
        let storage = MemoryStorage(log.files)
        return outcome(storage, try await run(options, on: storage).get())
    }

    @Test(arguments: Seeds.several(12))
    func oneRunMatchesAReplayOfTheSources(_ seed: UInt64) async throws {
        var log = try Log(seed: seed &+ 50_000)
        let expected = try await expected(log)
        for _ in 0..<4 {
            var options = log.options
            options.isKeyed = true
            // More sources may be listed than occur.
            options.namedSources =
                log.keyed.sources + [NamedSource(path: "-", name: "none", ordinal: 9_999_999)]
            log.cut(&options)
            let streams = log.keyed.streams(1 + log.random.below(3), &log.random)
            options.sources = streams.indices.map { $0 == 0 ? "-" : "stream \($0)" }
            var files: [String: MemoryStorage.Entry] = [:]
            for (path, stream) in zip(options.sources, streams).dropFirst() { files[path] = .file(stream) }
            let storage = MemoryStorage(files, input: streams[0])
            let statistics = try await run(options, on: storage).get()
            expectSame(outcome(storage, statistics), expected)
            #expect(storage["stats"] == statistics.json())
            #expect(statistics.sources == log.keyed.sources.count)
            #expect(storage.openFiles == 0)
        }
    }

    @Test(arguments: Seeds.several(10))
    func mergedRunsMatchAReplayOfTheSources(_ seed: UInt64) async throws {
        var log = try Log(seed: seed &+ 60_000)
        var expected = try await expected(log)
        expected.rejects = nil
        let storage = MemoryStorage()
        var paths: [String] = []
        for stream in log.keyed.streams(1 + log.random.below(6), &log.random) {
            var options = log.options
            options.isKeyed = true
            options.namedSources = log.keyed.sources
            options.sources = ["stream"]
            options.partial = "partial \(paths.count)"
            (options.rejects, options.statistics) = (nil, nil)
            log.cut(&options)
            storage["stream"] = stream
            _ = try await run(options, on: storage).get()
            paths.append("partial \(paths.count)")
        }
        paths.shuffle(using: &log.random)
        var options = log.options
        (options.rejects, options.statistics) = (nil, nil)
        if paths.count > 2, log.random.chance(50) {
            // Some are merged first.
            options.sources = Array(paths.suffix(2))
            options.partial = "step"
            _ = try await merge(options, on: storage).get()
            paths = paths.dropLast(2) + ["step"]
            options.partial = nil
        }
        options.sources = paths
        options.expectedSources = log.keyed.sources
        options.spillsAlways = log.random.chance(50)
        let statistics = try await merge(options, on: storage).get()
        expectSame(outcome(storage, statistics, hasRejects: false), expected)
        #expect(statistics.sources == log.keyed.sources.count)
    }

    /// Without names, a source is named after its ordinal.
    @Test func ordinalsAreNames() async throws {
        let text = "7\t3\t{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}\n7\t2\treject\n"
        var options = ReplayOptions(sources: ["-"])
        options.isKeyed = true
        options.rejects = "rejects"
        options.output = "out"
        let storage = MemoryStorage(input: Array(text.utf8))
        let statistics = try await run(options, on: storage).get()
        #expect(
            String(decoding: storage["out"] ?? [], as: UTF8.self).contains("\"source\":\"7\",\"line\":3}"))
        #expect(
            storage["rejects"]
                == Array(#"{"source":"7","line":2,"reason":"json.invalid","text":"reject"}"#.utf8) + [0x0a])
        #expect(statistics.firstReject?.source == "7" && statistics.firstReject?.line == 2)
        #expect(statistics.sources == 1)
    }

    /// Rejected lines are written in the order in which they are read, each with its own source and line.
    @Test(arguments: [1, 3]) func rejectsKeepTheOrderOfTheLines(_ threads: Int) async throws {
        var random = SeededGenerator(seed: 9)
        let keys = (0..<400).map { ($0 % 7, $0 / 7 + 1) }.shuffled(using: &random)
        var options = ReplayOptions(sources: ["-"])
        options.isKeyed = true
        (options.rejects, options.output) = ("rejects", "out")
        (options.threads, options.chunkBytes) = (threads, 50)
        let text = keys.map { "\($0.0)\t\($0.1)\t[\($0.0)]\n" }.joined()
        let storage = MemoryStorage(input: Array(text.utf8))
        _ = try await run(options, on: storage).get()
        let expected = keys.map {
            "{\"source\":\"\($0.0)\",\"line\":\($0.1),\"reason\":\"json.not-object\",\"text\":\"[\($0.0)]\"}\n"
        }
        #expect(String(decoding: storage["rejects"] ?? [], as: UTF8.self) == expected.joined())
    }

    /// The limit on the length of a line does not include its key, and the text of a reject has no key.
    @Test(arguments: [5, 1_024, 1_500], [1, 4_096])
    func theLongestLineHasNoKey(_ maximumLine: Int, _ chunkBytes: Int) async throws {
        var plain = ""
        for count in [maximumLine - 1, maximumLine, maximumLine + 1, 3_000, 70_000] {
            let line = String((0..<count).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
            plain += line + "\n" + line + "\r\n"
        }
        let lines = plain.utf8.split(separator: UInt8(ascii: "\n"))
        var text: [UInt8] = []
        for (index, line) in lines.enumerated() {
            let zeros = index % 2 == 0 ? String(repeating: "0", count: 19 - index / 9) : ""
            text += Array("\(zeros)0\t\(zeros)\(index + 1)\t".utf8) + line + [0x0a]
        }
        var options = ReplayOptions(sources: ["log"])
        (options.rejects, options.output) = ("rejects", "out")
        (options.maximumLine, options.chunkBytes) = (maximumLine, chunkBytes)
        options.namedSources = [NamedSource(path: "log", name: "log", ordinal: 0)]
        let expected = MemoryStorage(["log": .file(Array(plain.utf8))])
        _ = try await run(options, on: expected).get()
        options.isKeyed = true
        let storage = MemoryStorage(["log": .file(text)])
        _ = try await run(options, on: storage).get()
        #expect(storage["rejects"] == expected["rejects"])
        #expect(expected["rejects"]?.isEmpty == false)
    }

    /// The first lines, by which the cause of rejects is found, have no keys.
    @Test func hintsAreThoseOfTheLinesWithoutKeys() async throws {
        let text = (1...40).map {
            "0\t\($0)\t{\"when\":1700000000,\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}\n"
        }.joined()
        var options = ReplayOptions(sources: ["-"])
        options.isKeyed = true
        options.output = "out"
        let storage = MemoryStorage(input: Array(text.utf8))
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.warnings == [.unmappedTimestamps(40, of: 40, pointer: "/when")])
    }

    /// No lines at all are a valid part of a job.
    @Test(arguments: ["", "\n \t\n\r\n"]) func aStreamWithoutKeyedLinesIsEmpty(_ text: String) async throws {
        let storage = MemoryStorage(input: Array(text.utf8))
        var options = ReplayOptions(sources: ["-"])
        options.isKeyed = true
        options.partial = "empty"
        let statistics = try await run(options, on: storage).get()
        #expect(statistics.sources == 0 && statistics.lines == 0)
        options.isKeyed = false
        options.partial = "named"
        options.namedSources = [NamedSource(path: "log", name: "0", ordinal: 0)]
        storage["log"] = Array("{\"app\":\"a\",\"aps\":{\"alert\":\"x\"}}\n".utf8)
        _ = try await run(options, on: storage).get()
        var merged = ReplayOptions(sources: ["empty", "named"])
        merged.output = "out"
        #expect(try await merge(merged, on: storage).get().sources == 1)
    }
}
