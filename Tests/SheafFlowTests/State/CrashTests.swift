import Foundation
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Replays with a checkpoint that crash at any operation, with any loss of unsynced data, and resume: they write the
/// same bytes as an uninterrupted run, and never an output that is half old and half new.
@Suite(.serialized, .tags(.extended)) struct CrashTests {
    /// A log that covers every kind of record and output with few operations.
    static func smallLog() throws -> RandomLog { try RandomLog(seed: 3034, lines: 18, files: 2) }

    static func smallOptions(_ log: RandomLog) -> ReplayOptions {
        var options = log.options
        options.chunkBytes = 600
        options.maximumLine = 700
        options.checkpoint = CheckpointedRun.folder
        options.checkpointChunks = 2
        return options
    }

    /// Returns the statistics of an uninterrupted run without a checkpoint.
    static func statistics(_ log: RandomLog) async throws -> String {
        let storage = log.storage()
        _ = try await run(log.options, on: storage).get()
        #expect(log.problem(storage, statistics: nil) == nil)
        return RandomLog.statistics(storage)
    }

    @Test func theLogCoversEverything() async throws {
        let log = try Self.smallLog()
        let storage = log.storage()
        let recorded = InterceptedStorage(storage)
        // With several threads, the number of checkpoints depends on when each source reaches a position for one.
        var options = Self.smallOptions(log)
        options.threads = 1
        let statistics = try await run(options, on: recorded).get()
        #expect(log.problem(storage, statistics: nil) == nil)
        #expect(statistics.updated > 0)
        #expect(statistics.rejectedTotal > 0)
        #expect((statistics.removals?.removed ?? 0) > 0)
        #expect(statistics.groups > 1)
        #expect((statistics.responses?.total ?? 0) > 0)
        #expect(statistics.badges?.newest.isEmpty == false)
        // Nothing after damage is read, so that failing to read it is no error.
        #expect(statistics.sourceErrors.isEmpty)
        #expect(log.files.count { $0.key.hasPrefix("logs") && $0.value.starts(with: [0x1f, 0x8b]) } == 1)
        let checkpoints = Set(
            recorded.events.filter { $0.operation == .rename && $0.path.contains("checkpoint-") })
        #expect(checkpoints.count > 1)
    }

    @Test func aRunResumesAfterACrashAtAnyOperation() async throws {
        let log = try Self.smallLog()
        let options = Self.smallOptions(log)
        let statistics = try await Self.statistics(log)
        var random = SeededGenerator(seed: 1)
        var crashed = CheckpointedRun(log)
        var number = 0
        while await crashed.crash(at: number, options, &random) {
            crashed.restart(losing: random.pick(MemoryStorage.Loss.allCases), &random)
            await crashed.finish(options, statistics: statistics, &random)
            #expect(crashed.problems == [])
            number += 1
            crashed = CheckpointedRun(log)
        }
        #expect(number > 50)
    }

    /// Once a run has succeeded, its outputs are on the disk: it would not be repeated.
    @Test(arguments: MemoryStorage.Loss.allCases)
    func outputsSurviveACrashAfterTheRun(_ loss: MemoryStorage.Loss) async throws {
        let log = try Self.smallLog()
        var random = SeededGenerator(seed: 1)
        var run = CheckpointedRun(log)
        #expect(await !run.crash(at: .max, Self.smallOptions(log), &random))
        run.restart(losing: loss, &random)
        #expect(log.problem(run.storage, statistics: nil) == nil)
        #expect(run.problems == [])
    }

    @Test(arguments: Seeds.several(6))
    func aRunResumesAfterRepeatedCrashes(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try RandomLog(seed: seed, lines: 20 + random.below(100), files: 1 + random.below(5))
        let statistics = try await Self.statistics(log)
        var run = CheckpointedRun(log)
        for _ in 0..<(1 + random.below(4)) {
            let loss = random.pick(MemoryStorage.Loss.allCases)
            let number = random.pick([40, 200, 1_000])
            _ = await run.crash(at: random.below(number), run.randomOptions(&random), &random)
            run.restart(losing: loss, &random)
        }
        await run.finish(run.randomOptions(&random), statistics: statistics, &random)
        #expect(run.problems == [])
    }
}
