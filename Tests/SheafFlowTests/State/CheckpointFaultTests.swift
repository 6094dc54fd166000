import Foundation
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Replays with a checkpoint in which a single operation fails: the error is the right one, no output is half written,
/// and the next run resumes and writes the right bytes.
@Suite(.serialized, .tags(.extended)) struct CheckpointFaultTests {
    /// - Parameter resumes: whether the run resumes from a checkpoint.
    @Test(arguments: [false, true]) func eachOperationFails(resumes: Bool) async throws {
        let log = try CrashTests.smallLog()
        let options = CrashTests.smallOptions(log)
        let statistics = try await CrashTests.statistics(log)
        var random = SeededGenerator(seed: 1)
        var begun = CheckpointedRun(log)
        if resumes {
            // Soon after the first checkpoint: spilling adds operations before it.
            var hasCheckpoint = false
            for number in stride(from: 60, to: 300, by: 20) where !hasCheckpoint {
                begun = CheckpointedRun(log)
                _ = await begun.crash(at: number, options, &random)
                begun.restart(losing: .nothing, &random)
                // Files left by the crash are not files left by a fault.
                begun.storage = try Self.tidied(begun.storage, &random)
                hasCheckpoint = begun.storage.paths.contains { $0.hasPrefix("checkpoint/checkpoint-") }
            }
            #expect(hasCheckpoint)
        }
        var number = 0
        while true {
            var run = begun
            guard let (event, result) = await run.fail(at: number, .tears(ENOSPC), options, &random) else {
                break
            }
            number += 1
            switch result {
            case .success: #expect(Self.mayBeIgnored(event), "\(event) failed, the run did not")
            case .failure(let error):
                #expect(Self.isExpected(error, for: event, code: ENOSPC), "\(event): \(error)")
                if !Self.keepsFiles(event) {
                    let unneeded = try Self.unneeded(run.storage, &random)
                    #expect(unneeded == [], "\(event)")
                }
            }
            await run.finish(options, statistics: statistics, &random)
            #expect(run.problems == [])
        }
        #expect(number > 40)
    }

    /// Returns the files in the checkpoint's folder that a resumed run would remove.
    private static func unneeded(
        _ storage: MemoryStorage, _ random: inout SeededGenerator
    ) throws -> [String] {
        guard storage.paths.contains(where: { $0.hasPrefix("checkpoint/") }) else { return [] }
        return Set(storage.paths).subtracting(try tidied(storage, &random).paths).sorted()
    }

    /// Returns the storage without the files in the checkpoint's folder that a resumed run removes.
    private static func tidied(
        _ storage: MemoryStorage, _ random: inout SeededGenerator
    ) throws -> MemoryStorage {
        let next = storage.restarted(losing: .nothing, &random)
        _ = try CheckpointFolder(CheckpointedRun.folder, storage: next).load()
        return next
    }

    /// Whether files may remain: they can't be removed, or a checkpoint that may or may not be on the disk needs them.
    private static func keepsFiles(_ event: InterceptedStorage.Event) -> Bool {
        switch event.operation {
        case .remove, .list: true
        case .sync: event.path == "checkpoint/"
        default: false
        }
    }

    /// Whether the run succeeds although `event` fails. The next run finishes a failed cleanup. The last checkpoint may
    /// be written while results are moved into place: it is no longer needed.
    private static func mayBeIgnored(_ event: InterceptedStorage.Event) -> Bool {
        switch event.operation {
        // Temporary files of a killed run.
        case .list where event.path == "out/": true
        case .lock where event.path.hasPrefix("out/"), .remove where event.path.hasPrefix("out/"): true
        case .remove, .list, .rename: event.path.hasPrefix("checkpoint")
        case .write, .create, .sync: event.path.hasPrefix("checkpoint/") && !event.path.contains("/spill-")
        default: false
        }
    }

    private static func isExpected(_ found: ReplayError, for event: InterceptedStorage.Event, code: Int32)
        -> Bool
    {
        let error = StorageError(event.operation, path: event.path, code: code)
        let isSource = event.path.hasPrefix("logs/")
        let name = event.path.split(separator: "/").last.map(String.init) ?? ""
        switch event.operation {
        case .open where isSource, .read where isSource:
            if found == .source(path: event.path, reason: "cannot be opened: \(error.reason)") { return true }
            guard event.operation == .read, case .reading(event.path, _, error) = found else { return false }
            return true
        case .seek where isSource:
            return found
                == .source(path: event.path, reason: "cannot be resumed: \(error.reason)")
        case .create where event.path.hasPrefix("out/"):
            return found
                == .output(StorageError(.create, path: "out/\(name.split(separator: ".")[0])", code: code))
        case .create where event.path == "checkpoint": return found == .output(error)
        case .sync where event.path == ".": return found == .output(error)
        case .lock: return found == .output(error)
        case .rename where event.path.hasPrefix("out/"), .remove where event.path.hasPrefix("out/"):
            return found == .output(error)
        default: return found == .writing(error)
        }
    }

    @Test(arguments: Seeds.several(6))
    func anyOperationFails(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &+ 500)
        let log = try RandomLog(seed: seed &+ 500, lines: 20 + random.below(80), files: 1 + random.below(4))
        let statistics = try await CrashTests.statistics(log)
        var run = CheckpointedRun(log)
        for _ in 0..<3 {
            let fate = random.pick([InterceptedStorage.Fate.fails(EIO), .fails(ENOSPC), .tears(ENOSPC)])
            _ = await run.fail(
                at: random.below(random.pick([40, 200, 600])), fate, run.randomOptions(&random), &random)
        }
        await run.finish(run.randomOptions(&random), statistics: statistics, &random)
        #expect(run.problems == [])
    }
}
