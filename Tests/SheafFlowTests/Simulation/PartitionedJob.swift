import Foundation
import SheafBytes
import TestSupport

@testable import SheafFlow

/// A seeded round of a job on many machines: a random log is replayed in parts with named sources, and the snapshot is made
/// in two ways.
///
///     sources ──replay──▶ partial results ─┬─merge, in any order and grouping──▶ snapshot
///                                          └─split──▶ slices ──newest, merge──▶ parts of the snapshot
struct PartitionedJob {
    let log: RandomLog
    /// Without snapshots over time, which are not made of ranges.
    private var wanted: ReplayOptions
    private var random: SeededGenerator
    private let storage: MemoryStorage
    private var number = 0
    /// The steps of the round, for the analysis of failures.
    private(set) var story: [String] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed &+ 77)
        log = try RandomLog(
            seed: seed, lines: random.below(120), files: 1 + random.below(7), decides: false)
        wanted = log.options
        wanted.every = nil
        wanted.emit = .changes
        wanted.order = .key
        wanted.top = nil
        wanted.format = random.pick([.ndjson, .csv])
        wanted.rejects = nil
        storage = log.storage()
    }

    /// Runs the round.
    ///
    /// - Returns: the problems found.
    mutating func run() async throws -> [String] {
        let whole = log.storage()
        _ = try await SheafFlowTests.run(options { _ in }, on: whole).get()
        let expected = (RandomLog.text(whole["out/snapshot"]), RandomLog.statistics(whole))
        var partials = try await replayParts()
        partials = try await mergeSome(partials, "merged")
        var problems: [String] = []
        let merged = try await merge(partials.shuffled(using: &random))
        if merged != expected { problems.append("merged: \(merged)\nexpected: \(expected)") }
        let parts = try await partition(partials)
        if parts.snapshot != expected.0 {
            problems.append("parts: \(parts.snapshot)\nexpected: \(expected.0)")
        }
        if !(try Self.equal(parts.statistics, expected.1)) {
            problems.append("statistics: \(parts.statistics)\nexpected: \(expected.1)")
        }
        return problems
    }

    /// Returns options of a run with the work split at random.
    private mutating func options(_ change: (inout ReplayOptions) -> Void) -> ReplayOptions {
        let split = log.randomOptions(&random)
        var options = wanted
        (options.threads, options.chunkBytes) = (split.threads, split.chunkBytes)
        (options.partBytes, options.spillsAlways) = (split.partBytes, split.spillsAlways)
        (options.memory, options.stateBytes) = (split.memory, split.stateBytes)
        change(&options)
        return options
    }

    private mutating func name(_ what: String) -> String {
        number += 1
        return "out/\(what) \(number)\(random.chance(20) ? ".gz" : "")"
    }

    /// Replays the sources, a few at a time, in any order.
    private mutating func replayParts() async throws -> [String] {
        let step = 1 + random.below(3)
        var left = wanted.sources.enumerated().map {
            NamedSource(path: $0.element, name: $0.element, ordinal: step * $0.offset)
        }
        var partials: [String] = []
        while !left.isEmpty {
            var part: [NamedSource] = []
            for _ in 0..<min(left.count, 1 + random.below(3)) {
                part.append(left.remove(at: random.below(left.count)))
            }
            let path = name("part")
            partials.append(path)
            story.append("\(path): \(part.map(\.ordinal))")
            let named = part.sorted { $0.ordinal < $1.ordinal }
            let options = options {
                $0.sources = []
                $0.namedSources = named
                $0.partial = path
                $0.statistics = nil
            }
            _ = try await SheafFlowTests.run(options, on: storage).get()
        }
        return partials
    }

    /// Merges some of the files into partial results.
    private mutating func mergeSome(_ paths: [String], _ what: String) async throws -> [String] {
        var left = paths
        while left.count > 1, random.chance(50) {
            var some: [String] = []
            for _ in 0..<(1 + random.below(left.count)) {
                some.append(left.remove(at: random.below(left.count)))
            }
            let path = name(what)
            story.append("\(path): \(some)")
            let options = options {
                $0.sources = some
                $0.partial = path
                $0.statistics = nil
            }
            _ = try await SheafFlowTests.merge(options, on: storage).get()
            left.append(path)
        }
        return left
    }

    /// Merges files into a snapshot.
    private mutating func merge(_ paths: [String]) async throws -> (String, String) {
        let options = options { $0.sources = paths }
        _ = try await SheafFlowTests.merge(options, on: storage).get()
        return (RandomLog.text(storage["out/snapshot"]), RandomLog.statistics(storage))
    }

    private mutating func partition(
        _ partials: [String]
    ) async throws -> (snapshot: String, statistics: [String]) {
        let count = 1 + random.below(6)
        let ranges = try await ranges(count, partials)
        var folders: [String] = []
        var left = partials.shuffled(using: &random)
        while !left.isEmpty {
            let some = Array(left.prefix(1 + random.below(3)))
            left.removeFirst(some.count)
            let folder = "out/slices \(folders.count)"
            folders.append(folder)
            story.append("split \(some)")
            try PartialRun(
                .split(ranges: ranges, folder: folder), options { $0.sources = some }, storage: storage
            ).run()
        }
        let newest = wanted.byDevice ? [] : try newest(folders, count, ranges)
        var result = (snapshot: "", statistics: [String]())
        for range in 0..<count {
            let groups = folders.map { "\($0)/\(SliceFiles.name(.groups, range))" }
            let others =
                wanted.byDevice
                ? folders.map { "\($0)/\(SliceFiles.name(.identities, range))" }
                : newest.map { "out/newest/\(SliceFiles.name(.newest, range, of: $0))" }
            let slices = try await mergeSome(groups, "groups") + mergeSome(others, "others")
            let (part, statistics) = try await merge(slices.shuffled(using: &random))
            result.snapshot += part
            result.statistics.append(statistics)
        }
        return result
    }

    /// Writes ranges: of some of the files, or of samples of them. Those of all files may know all removals.
    private mutating func ranges(_ count: Int, _ partials: [String]) async throws -> String {
        var sources: [String] = []
        let areComplete = random.chance(50)
        for path in partials.shuffled(using: &random)
        where areComplete || sources.isEmpty || random.chance(70) {
            guard random.chance(50) else {
                sources.append(path)
                continue
            }
            let sample = name("sample")
            let options = options {
                $0.sources = [path]
                $0.output = sample
            }
            try PartialRun(.sampleKeys, options, storage: storage).run()
            sources.append(sample)
        }
        let path = name("ranges")
        let options = options {
            $0.sources = sources
            $0.output = path
        }
        if areComplete { story.append("complete ranges") }
        try PartialRun(.findRanges(count: count, areComplete: areComplete), options, storage: storage).run()
        return path
    }

    /// Finds the newest versions in each range of identities, or in several at once.
    ///
    /// - Returns: the first ranges of each run.
    private mutating func newest(_ folders: [String], _ count: Int, _ ranges: String) throws -> [Int] {
        var firsts: [Int] = []
        var left = Array(0..<count).shuffled(using: &random)
        while !left.isEmpty {
            let some = Array(left.prefix(1 + random.below(3)))
            left.removeFirst(some.count)
            firsts.append(some.min() ?? 0)
            let slices = some.flatMap { range in
                folders.map { "\($0)/\(SliceFiles.name(.identities, range))" }
            }
            let sources = slices.shuffled(using: &random)
            try PartialRun(
                .keepNewest(ranges: ranges, folder: "out/newest"), options { $0.sources = sources },
                storage: storage
            ).run()
        }
        return firsts
    }

    // MARK: Statistics

    /// Whether statistics add up to others.
    private static func equal(_ parts: [String], _ whole: String) throws -> Bool {
        var sum: Any = NSNull()
        for part in parts { sum = add(sum, try JSONSerialization.jsonObject(with: Data(part.utf8))) }
        return try (sum as? NSDictionary)
            == (JSONSerialization.jsonObject(with: Data(whole.utf8)) as? NSDictionary)
    }

    private static func add(_ a: Any, _ b: Any) -> Any {
        switch (a, b) {
        case (is NSNull, let b): b
        case (let a as [String: Any], let b as [String: Any]): a.merging(b) { add($0, $1) }
        case (let a as [Any], let b as [Any]): a + b
        // A number plus 0 is itself; so is a switch, of which at most one is on.
        case (let a as NSNumber, let b as NSNumber) where b.int64Value == 0: a
        case (let a as NSNumber, let b as NSNumber): NSNumber(value: a.int64Value + b.int64Value)
        default: a
        }
    }
}
