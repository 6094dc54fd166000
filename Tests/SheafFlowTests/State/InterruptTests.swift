import Foundation
import SheafBytes
import Synchronization
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Signals to a replay with a checkpoint: the first ends the run after a checkpoint, the second immediately.
@Suite(.serialized, .tags(.extended, .spilling)) struct InterruptTests {
    private static func log() throws -> RandomLog { try RandomLog(seed: 3, lines: 60, files: 3) }

    /// Options with which only a signal requests a checkpoint.
    private static func options(_ log: RandomLog) -> ReplayOptions {
        var options = log.options
        options.chunkBytes = 500
        options.threads = 2
        options.checkpoint = CheckpointedRun.folder
        options.checkpointChunks = 1_000_000
        return options
    }

    private static func checkpoints(_ storage: MemoryStorage) -> [String] {
        storage.paths.filter { $0.hasPrefix("checkpoint/checkpoint-") }
    }

    /// Runs with an interrupter, which must send all its signals, and then to completion.
    private func check(
        _ interrupter: Interrupter, expecting signal: Int32, checkpoints: [String]?
    ) async throws {
        let log = try Self.log()
        let statistics = try await CrashTests.statistics(log)
        var random = SeededGenerator(seed: 1)
        var run = CheckpointedRun(log)
        let result = try await interrupter.run(Self.options(log), on: run.storage)
        #expect(interrupter.isDone)
        guard case .failure(.interrupted(signal)) = result else {
            Issue.record("\(result)")
            return
        }
        if let checkpoints { #expect(Self.checkpoints(run.storage) == checkpoints) }
        for output in RandomLog.outputs { #expect(run.storage[output] == log.files[output]) }
        #expect(!run.storage.paths.contains { $0.hasPrefix("out/.") })
        await run.finish(Self.options(log), statistics: statistics, &random)
        #expect(run.problems == [])
    }

    private static func isRead(_ event: InterceptedStorage.Event) -> Bool {
        event.operation == .read && event.path.hasPrefix("logs/")
    }

    /// Reads that identify the sources do not count: the replay does not exist yet.
    @Test(arguments: [2, 15] as [Int32]) func theFirstSignalEndsTheRunAfterACheckpoint(_ signal: Int32)
        async throws
    {
        try await check(
            Interrupter([signal], at: Self.isRead), expecting: signal,
            checkpoints: ["checkpoint/checkpoint-1"])
    }

    /// The run does not wait for the checkpoint that the first signal requested.
    @Test func theSecondSignalEndsTheRunImmediately() async throws {
        try await check(Interrupter([15, 2], at: Self.isRead), expecting: 2, checkpoints: [])
    }

    @Test func aSecondSignalWhileTheCheckpointIsWrittenEndsTheRun() async throws {
        let isFirst = Mutex(true)
        let interrupter = Interrupter([15, 15]) { event in
            let isFirst = isFirst.withLock { first in
                defer { if Self.isRead(event) { first = false } }
                return first && Self.isRead(event)
            }
            return isFirst || event.operation == .create && event.path.hasPrefix("checkpoint/state-")
        }
        try await check(interrupter, expecting: 15, checkpoints: nil)
    }

    /// There is no checkpoint to wait for: all input has been read, and the output is being written.
    @Test func aSignalInTheFinalPhaseEndsTheRunImmediately() async throws {
        let interrupter = Interrupter([15]) { $0.operation == .write && $0.path.hasPrefix("out/.snapshot") }
        try await check(interrupter, expecting: 15, checkpoints: [])
    }

    /// While state is loaded from a checkpoint, no other checkpoint may replace it.
    @Test func aSignalWhileStateIsLoadedEndsTheRunImmediately() async throws {
        let log = try Self.log()
        let statistics = try await CrashTests.statistics(log)
        var random = SeededGenerator(seed: 1)
        var run = CheckpointedRun(log)
        let first = Interrupter([15], at: Self.isRead)
        _ = try await first.run(Self.options(log), on: run.storage)
        let before = Self.checkpoints(run.storage)
        let second = Interrupter([2]) { $0.operation == .read && $0.path.hasPrefix("checkpoint/state-") }
        run.storage = run.storage.restarted(losing: .nothing, &random)
        let result = try await second.run(Self.options(log), on: run.storage)
        #expect(second.isDone)
        guard case .failure(.interrupted(signal: 2)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(Self.checkpoints(run.storage) == before)
        await run.finish(Self.options(log), statistics: statistics, &random)
        #expect(run.problems == [])
    }

    @Test func aSignalBeforeTheRunEndsItImmediately() async throws {
        let log = try Self.log()
        let storage = log.storage()
        let replay = try Replay(Self.options(log), storage: storage)
        replay.interrupt(signal: 2)
        guard case .failure(.interrupted(signal: 2)) = await run(replay) else {
            Issue.record("the replay ran")
            return
        }
        #expect(Self.checkpoints(storage) == [])
    }

    /// After a signal at any operation, the run either ends with that signal or completes, and can be resumed.
    @Test(arguments: Seeds.several(6))
    func aSignalAtAnyOperationEndsTheRun(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &+ 900)
        let log = try RandomLog(seed: seed &+ 900, lines: 20 + random.below(60), files: 1 + random.below(4))
        let statistics = try await CrashTests.statistics(log)
        var run = CheckpointedRun(log)
        for _ in 0..<4 {
            let number = random.below(random.pick([40, 150, 500]))
            let moment = Moment(after: number)
            let interrupter = Interrupter(random.chance(30) ? [2, 15] : [15]) {
                moment.isReached(by: $0) || moment.event != nil
            }
            run.storage = run.storage.restarted(losing: .nothing, &random)
            switch try await interrupter.run(run.randomOptions(&random), on: run.storage) {
            case .success: break
            case .failure(.interrupted): #expect(!run.storage.paths.contains { $0.hasPrefix("out/.") })
            case .failure(let error): Issue.record("\(error)")
            }
        }
        await run.finish(run.randomOptions(&random), statistics: statistics, &random)
        #expect(run.problems == [])
    }
}
