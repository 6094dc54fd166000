import Foundation
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Replays that fail or are interrupted at any single operation: the error is the right one, and no files are left.
@Suite(.serialized, .tags(.spilling)) struct ReplayFailureTests {
    /// Sources that each contain rejects, and existing outputs.
    static let files: [String: MemoryStorage.Entry] = {
        func lines(_ count: Int) -> [UInt8] {
            Array(
                (0..<count).map { #"{"app":"a","payload":{"aps":{"alert":"\#($0)"}}}"# + "\nreject \($0)\n" }
                    .joined().utf8)
        }
        var random = SeededGenerator(seed: 1)
        let zipped = LogFiles.members(lines(30), &random)
        return [
            "logs": .folder, "logs/a": .file(lines(40)), "logs/b.gz": .file(zipped),
            "logs/c": .file(lines(5)),
            "out": .folder, "out/snapshot": .file(Array("old".utf8)), "out/rejects": .file(Array("old".utf8)),
            "out/stats": .file(Array("old".utf8)),
        ]
    }()

    static func options(threads: Int) -> ReplayOptions {
        var options = ReplayOptions(sources: ["logs"])
        options.output = "out/snapshot"
        options.rejects = "out/rejects"
        options.statistics = "out/stats"
        options.chunkBytes = 300
        options.maximumLine = 1_000
        options.threads = threads
        return options
    }

    private static let runs = EachOperation(files: files, lastOutput: "out/snapshot")

    @Test(arguments: FailingOperation.ofOutputs)
    func eachOperationFails(_ item: FailingOperation) async throws {
        let options = Self.options(threads: item.threads)
        let count = try await Self.runs.fail(item.operation, code: ENOSPC) { storage throws(ReplayError) in
            try Replay(options, storage: storage)
        } check: { event, result, storage in
            guard case .failure(let found) = result else {
                Issue.record("\(event) failed, the run did not")
                return
            }
            let expected = try #require(EachOperation.error(for: event, code: ENOSPC))
            #expect(Self.runs.isSame(found, expected), "\(event): \(found)")
            Self.runs.checkNothingIsLeft(storage, wasRenaming: event.operation == .rename, "\(event)")
        }
        // There is at least one operation of each type for every output.
        #expect(count >= 3)
    }

    @Test(arguments: [1, 3])
    func aReplayCanBeInterruptedAtAnyOperation(_ threads: Int) async throws {
        let options = Self.options(threads: threads)
        let operations = try await Self.runs.interrupt { storage throws(ReplayError) in
            try Replay(options, storage: storage)
        }
        #expect(operations.isSuperset(of: [.open, .read, .create, .write]))
    }

    @Test(arguments: [1, 3])
    func aReplayCanBeInterruptedBeforeItStarts(_ threads: Int) async throws {
        let files = MemoryStorage(Self.files)
        let storage = InterceptedStorage(files)
        let replay = try Replay(Self.options(threads: threads), storage: storage)
        let opened = storage.events.count { $0.operation == .open }
        replay.interrupt(signal: 2)
        let result = await run(replay)
        guard case .failure(.interrupted(signal: 2)) = result else {
            Issue.record("\(result)")
            return
        }
        Self.runs.checkNothingIsLeft(files, wasRenaming: false, "before the run")
        #expect(storage.events.count { $0.operation == .open } == opened, "nothing is read")
        #expect(!storage.events.contains { $0.operation == .read })
    }

    @Test func theFirstSignalIsReported() async throws {
        let replay = try Replay(Self.options(threads: 1), storage: MemoryStorage(Self.files))
        replay.interrupt(signal: 2)
        replay.interrupt(signal: 15)
        guard case .failure(.interrupted(signal: 2)) = await run(replay) else {
            Issue.record("the first signal was not reported")
            return
        }
    }

    @Test func aReplayThatIsNeverRunLeavesNoFiles() throws {
        let storage = MemoryStorage(Self.files)
        do { _ = try Replay(Self.options(threads: 1), storage: storage) }
        Self.runs.checkNothingIsLeft(storage, wasRenaming: false, "never run")
        #expect(storage.openFiles == 0)
    }

    @Test func invalidPathsAreErrorsBeforeTheRun() {
        func error(_ change: (inout ReplayOptions) -> Void) -> ReplayError? {
            var options = Self.options(threads: 1)
            change(&options)
            return #expect(throws: ReplayError.self) {
                _ = try Replay(options, storage: MemoryStorage(Self.files))
            }
        }
        #expect(error { $0.sources = ["none"] } == .source(path: "none", reason: "no such file or directory"))
        #expect(
            error { $0.output = "logs/a" } == .usage("'logs/a' is a source: the snapshot would replace it"))
        #expect(
            error { $0.rejects = "none/x" } == .output(StorageError(.create, path: "none/x", code: ENOENT)))
        #expect(error { $0.rejects = "logs" } == .output(StorageError(.create, path: "logs", code: EISDIR)))
    }

    @Test func invalidOutputsAreErrorsAtTheStart() async {
        func error(_ change: (inout ReplayOptions) -> Void) async -> ReplayError? {
            var options = Self.options(threads: 1)
            change(&options)
            let storage = MemoryStorage(Self.files)
            let result = await run(options, on: storage)
            Self.runs.checkNothingIsLeft(storage, wasRenaming: false, "\(result)")
            if case .failure(let error) = result { return error }
            return nil
        }
        #expect(
            await error { $0.output = "none/x" }
                == .output(StorageError(.create, path: "none/x", code: ENOENT)))
        #expect(
            await error { $0.output = "logs" } == .output(StorageError(.create, path: "logs", code: EISDIR)))
        #expect(
            await error { $0.statistics = "none/x" }
                == .output(StorageError(.create, path: "none/x", code: ENOENT)))
    }

    @Test func aClosedOutputIsNotAFailure() async throws {
        var options = Self.options(threads: 2)
        options.output = "-"
        let storage = MemoryStorage(Self.files)
        let failing = InterceptedStorage(storage, failingWritesTo: "-", code: EPIPE)
        let statistics = try await run(options, on: failing).get()
        #expect(statistics.outputWasClosed)
        #expect(statistics.grouped == 75)
        #expect(storage["out/stats"] == statistics.json())
        let rejects = try #require(storage["out/rejects"])
        #expect(rejects.count { $0 == UInt8(ascii: "\n") } == 75)
        #expect(storage.output.isEmpty)
        #expect(storage.openFiles == 0)
    }

    @Test func otherClosedOutputsAreFailures() async throws {
        var options = Self.options(threads: 1)
        options.statistics = "pipe"
        let files = Self.files.merging(["pipe": .device([])]) { $1 }
        let storage = MemoryStorage(files)
        let failing = InterceptedStorage(storage, failingWritesTo: "pipe", code: EPIPE)
        let result = await run(options, on: failing)
        guard case .failure(.writing(let error)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.isClosedPipe)
        #expect(storage.entries == files)
    }

    @Test func progressCountsUp() async throws {
        let replay = try Replay(Self.options(threads: 2), storage: MemoryStorage(Self.files))
        #expect(replay.progress.bytesRead == 0)
        let statistics = try await run(replay).get()
        #expect(replay.progress.bytesRead == statistics.bytesRead)
        #expect(replay.progress.totalBytes == statistics.bytesRead)
        #expect(replay.progress.records == 150)
        #expect(replay.progress.groups == 1)
    }
}
