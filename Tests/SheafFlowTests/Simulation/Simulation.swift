import Foundation
import SheafBytes
import TestSupport

@testable import SheafFlow

/// A seeded round that combines everything: a random log is cut into parts, each part is replayed with crashes and
/// faults and resumed, and the partial results are merged as a tree.
///
///     sources ──cut──▶ parts ──replay, crash, resume──▶ partial results ──merge, merge──▶ snapshot = model
///
/// With one part, the round is a replay into a snapshot.
struct Simulation {
    private let log: RandomLog
    private var random: SeededGenerator
    /// The steps of the round, for the analysis of failures.
    private(set) var story: [String] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        log = try RandomLog(seed: seed, lines: random.below(120), files: 1 + random.below(6))
    }

    /// Runs the round.
    ///
    /// - Returns: the problems found.
    mutating func run() async throws -> [String] {
        let whole = log.storage()
        _ = try await SheafFlowTests.run(log.randomOptions(&random), on: whole).get()
        if let problem = log.problem(whole, statistics: nil) { return ["uninterrupted: \(problem)"] }
        let statistics = RandomLog.statistics(whole)
        let parts = 1 + random.below(min(4, log.options.sources.count))
        return parts == 1 ? await replay(statistics) : await merge(parts, statistics)
    }

    /// Runs one replay with a checkpoint.
    private mutating func replay(_ statistics: String) async -> [String] {
        var run = CheckpointedRun(log)
        await disturb(&run) { $0.randomOptions(&$1) }
        await run.finish(run.randomOptions(&random), statistics: statistics, &random)
        story.append("replayed with \(run.ends)")
        return run.problems
    }

    /// Makes a run crash or fail a few times.
    private mutating func disturb(
        _ run: inout CheckpointedRun,
        _ options: (CheckpointedRun, inout SeededGenerator) -> ReplayOptions
    ) async {
        for _ in 0..<random.below(4) {
            let number = random.below(random.pick([30, 100, 300, 1_000]))
            let options = options(run, &random)
            if random.chance(30) {
                let fate = random.pick([InterceptedStorage.Fate.fails(EIO), .fails(ENOSPC), .tears(ENOSPC)])
                _ = await run.fail(at: number, fate, options, &random)
            } else {
                _ = await run.crash(at: number, options, &random)
                run.restart(losing: random.pick(MemoryStorage.Loss.allCases), &random)
            }
        }
    }

    /// Replays adjacent sources into partial results, and merges them a few at a time.
    private mutating func merge(_ count: Int, _ statistics: String) async -> [String] {
        var run = CheckpointedRun(log)
        let sources = log.options.sources
        let boundaries = ((1..<count).map { _ in random.below(sources.count + 1) } + [0, sources.count])
            .sorted()
        var partials: [String] = []
        var rejects: [UInt8] = []
        for (start, end) in zip(boundaries, boundaries.dropFirst()) where start < end {
            let (name, part) = ("out/part \(start)", Array(sources[start..<end]))
            await disturb(&run) { Self.part($0.randomOptions(&$1), part, name) }
            run.storage = run.storage.restarted(losing: .nothing, &random)
            if let error = await Self.failure(Self.part(run.randomOptions(&random), part, name), run.storage)
            {
                return ["a part: \(error)"]
            }
            partials.append(name)
            rejects += run.storage["\(name) rejects"] ?? []
            run.storage["\(name) rejects"] = nil
        }
        if let problem = await mergeTree(&partials, run.storage) { return [problem] }
        run.storage["out/rejects"] = rejects
        story.append("merged with \(run.ends)")
        if let problem = log.problem(run.storage, statistics: statistics) { run.note(problem) }
        run.checkNothingIsLeft()
        return run.problems
    }

    private static func part(_ options: ReplayOptions, _ sources: [String], _ name: String) -> ReplayOptions {
        var options = options
        options.sources = sources
        options.partial = name
        options.rejects = "\(name) rejects"
        options.statistics = nil
        return options
    }

    private static func failure(_ options: ReplayOptions, _ storage: MemoryStorage) async -> ReplayError? {
        if case .failure(let error) = await SheafFlowTests.run(options, on: storage) { error } else { nil }
    }

    /// Merges adjacent partial results until only the snapshot is left.
    private mutating func mergeTree(_ partials: inout [String], _ storage: MemoryStorage) async -> String? {
        var number = 0
        while true {
            let count = 1 + random.below(partials.count)
            let start = random.below(partials.count - count + 1)
            let merged = Array(partials[start..<(start + count)])
            let isLast = count == partials.count && random.chance(70)
            var options = log.randomOptions(&random)
            options.sources = merged
            options.rejects = nil
            if !isLast {
                options.partial = "out/merged \(number)"
                options.statistics = nil
            }
            story.append("merging \(merged)")
            do {
                let merge = try Merge(options, storage: storage)
                _ = try await SheafFlowTests.run(merge).get()
            } catch {
                return "merging \(merged): \(error)"
            }
            for path in merged { storage[path] = nil }
            if isLast { return nil }
            partials.replaceSubrange(start..<(start + count), with: ["out/merged \(number)"])
            number += 1
        }
    }
}
