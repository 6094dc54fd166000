import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Random logs of all shapes and wrappers give the groups of the same pushes as native records, however the work is
/// split (specification §12).
@Suite(.tags(.extended)) struct MixedLogTests {
    struct Split: NamedCase {
        var threads = 1
        var chunkBytes = Limits.chunkBytes
        var partBytes: Int?
        var spillsAlways = false

        var name: String {
            "\(threads) threads, chunks of \(chunkBytes)" + (partBytes.map { " in parts of \($0)" } ?? "")
                + (spillsAlways ? ", spilling" : "")
        }
    }

    static let splits = [
        Split(), Split(threads: 3, chunkBytes: 1), Split(threads: 3, chunkBytes: 37, partBytes: 1),
        Split(chunkBytes: 1, partBytes: 300, spillsAlways: true),
        Split(threads: 3, chunkBytes: 4_096, partBytes: 1, spillsAlways: true),
        Split(chunkBytes: 300, partBytes: 1_000), Split(threads: 3, partBytes: 300),
    ]

    private struct Result {
        var snapshot: String
        var rejects: String
        var counts: [UInt64]
        var statistics: Statistics
    }

    private static func replay(
        _ lines: [String], _ options: ReplayOptions, _ split: Split
    ) async throws -> Result {
        var options = options
        options.sources = ["log"]
        options.output = "out"
        options.rejects = "rejects"
        options.threads = split.threads
        options.chunkBytes = split.chunkBytes
        options.partBytes = split.partBytes
        options.spillsAlways = options.spillsAlways || split.spillsAlways
        let storage = MemoryStorage(["log": .file(Array(lines.map { $0 + "\n" }.joined().utf8))])
        let statistics = try await run(options, on: storage).get()
        func text(_ name: String) -> String { String(decoding: storage[name] ?? [], as: UTF8.self) }
        return Result(
            snapshot: text("out"), rejects: text("rejects"),
            counts: [
                statistics.grouped, statistics.updated, statistics.silent, statistics.untimed,
                statistics.rejectedTotal, statistics.groups,
            ], statistics: statistics)
    }

    private static func withoutLines(_ snapshot: String) -> [Substring] {
        snapshot.replacing(#/,"source":"log","line":\d+/#, with: "").split(separator: "\n")
    }

    private func check(_ log: MixedLog, seed: UInt64, _ splits: [Split]) async throws {
        var random = SeededGenerator(seed: seed)
        var options = ReplayOptions(sources: [])
        options.byDevice = random.chance(50)
        options.settings = try Settings(
            json: Array(random.pick(LogGenerator.configurations).utf8), file: "sheaf.json")
        let native = try await Self.replay(log.native, options, Split())
        let expected = Self.withoutLines(native.snapshot)
        var first: Result?
        for split in splits {
            let mixed = try await Self.replay(log.lines, options, split)
            let found = Self.withoutLines(mixed.snapshot)
            if found != expected {
                let line = zip(found, expected).first { $0 != $1 }
                #expect(line?.0 == line?.1)
                #expect(found.count == expected.count)
                Issue.record("differs from the native log with \(split.name)")
            }
            #expect(mixed.counts == native.counts, "\(split.name)")
            let statistics = mixed.statistics
            #expect(statistics.otherPlatform == UInt64(log.otherPlatform))
            #expect(statistics.lines == UInt64(log.lines.count))
            #expect(statistics.lines == statistics.blank + statistics.linesRead)
            #expect(statistics.records == UInt64(log.native.count + log.otherPlatform))
            // The same bytes, too, with lines and indices.
            let reference = first ?? mixed
            first = reference
            #expect(mixed.snapshot == reference.snapshot, "\(split.name)")
            #expect(mixed.rejects == reference.rejects, "\(split.name)")
        }
    }

    @Test(arguments: Seeds.several(3))
    func mixedLogsGiveTheGroupsOfNativeLogs(_ seed: UInt64) async throws {
        try await check(MixedLog(seed: seed, lines: 80), seed: seed, Self.splits)
    }

    @Test(arguments: Seeds.several(24))
    func manyMixedLogsGiveTheGroupsOfNativeLogs(_ seed: UInt64) async throws {
        let split = Self.splits[Int(seed % UInt64(Self.splits.count))]
        try await check(MixedLog(seed: seed &+ 10_000, lines: 40), seed: seed, [split])
    }

    @Test func theLogsCoverEverything() {
        var lines = ""
        var (count, records, otherPlatform) = (0, 0, 0)
        for seed in 0..<10 {
            let log = MixedLog(seed: UInt64(seed), lines: 100)
            lines += log.lines.joined(separator: "\n")
            count += log.lines.count
            records += log.native.count
            otherPlatform += log.otherPlatform
        }
        #expect(records > 2 * count)
        #expect(otherPlatform > 50)
        for part in [
            #""schema":null"#, #""Records":["#, #""logEvents":["#, #"\\\"message\\\":"#, "ExponentPushToken",
            #""notifications":["#, "COLLAPSE_ID", "send_after", "push_time", "threadIdentifier",
            #""request":"#,
            "loc-args", #""a":1"#,
        ] {
            #expect(lines.contains(part), "no log has \(part)")
        }
    }
}
