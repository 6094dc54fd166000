import Foundation
import SheafBytes
import Synchronization
import TestSupport
import Testing

@testable import SheafFlow

/// Replays that fail or are interrupted at any single operation: the error is the right one, and no files are left.
@Suite(.serialized) struct ReplayFailureTests {
    /// Sources that each contain rejects, and existing outputs.
    static let files: [String: MemoryStorage.Entry] = {
        func lines(_ count: Int) -> [UInt8] {
            Array(
                (0..<count).map { #"{"app":"a","payload":{"aps":{"alert":"\#($0)"}}}"# + "\nreject \($0)\n" }
                    .joined().utf8)
        }
        var random = SeededGenerator(seed: 1)
        guard let zipped = try? LogFiles.gzip(lines(30), &random) else { return [:] }
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

    /// The event that a test chose, and the replay it interrupts.
    private final class Moment: Sendable {
        let event = Mutex<MemoryStorage.Event?>(nil)
        let replay = Mutex<Replay?>(nil)
    }

    /// Whether this is the right error for an operation's failure.
    private func isRight(_ found: ReplayError, for event: MemoryStorage.Event) -> Bool {
        let error = StorageError(event.operation, path: event.path, code: ENOSPC)
        let isSource = event.path.hasPrefix("logs/")
        switch event.operation {
        case .open where isSource:
            return found == .source(path: event.path, reason: "cannot be opened: \(error.reason)")
        case .read where isSource:
            guard case .reading(event.path, let offset, error) = found else { return false }
            return offset <= MemoryStorage(Self.files)[event.path]!.count
        case .create where event.path.hasSuffix(".tmp"):
            let name = event.path.split(separator: ".")[1]
            return found == .output(StorageError(.create, path: "out/\(name)", code: ENOSPC))
        case .rename: return found == .output(error)
        default: return found == .writing(error)
        }
    }

    struct Operation: NamedCase {
        let operation: StorageError.Operation
        let threads: Int

        var name: String { "\(operation.rawValue), \(threads) threads" }
    }

    static let operations = [StorageError.Operation.open, .read, .create, .write, .sync, .rename].flatMap {
        operation in [1, 3].map { Operation(operation: operation, threads: $0) }
    }

    /// Fails the first, the second, … operation of a type, until every one has failed once.
    @Test(arguments: operations)
    func eachOperationFails(_ item: Operation) async throws {
        var failures = 0
        while true {
            let moment = Moment()
            let count = Mutex(0)
            let wanted = failures
            let storage = MemoryStorage(Self.files) { _, event in
                guard event.operation == item.operation else { return nil }
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard number == wanted else { return nil }
                moment.event.withLock { $0 = event }
                return ENOSPC
            }
            let result = await run(Self.options(threads: item.threads), storage)
            guard let event = moment.event.withLock({ $0 }) else {
                _ = try result.get()
                break
            }
            failures += 1
            guard case .failure(let found) = result else {
                Issue.record("\(event) failed, the run did not")
                continue
            }
            #expect(isRight(found, for: event), "\(event): \(found)")
            checkNothingIsLeft(storage, wasRenaming: event.operation == .rename, "\(event)")
        }
        // There is at least one operation of each type for every output.
        #expect(failures >= 3)
    }

    /// Outputs are the old ones, and there are no other new files. If a rename failed, the outputs renamed before it
    /// remain; the snapshot is renamed last.
    private func checkNothingIsLeft(_ storage: MemoryStorage, wasRenaming: Bool, _ when: String) {
        let entries = storage.entries
        #expect(Set(entries.keys) == Set(Self.files.keys), "left behind: \(when)")
        for (path, old) in Self.files where entries[path] != old {
            #expect(wasRenaming && path != "out/snapshot", "\(path) was replaced: \(when)")
        }
    }

    /// Interrupts the run at its first, its second, … operation, until every one has been interrupted once.
    @Test(arguments: [1, 3])
    func aReplayCanBeInterruptedAtAnyOperation(_ threads: Int) async throws {
        var interrupts = 0
        var operations: Set<String> = []
        while true {
            let moment = Moment()
            let count = Mutex(0)
            let wanted = interrupts
            let storage = MemoryStorage(Self.files) { _, event in
                guard let replay = moment.replay.withLock({ $0 }) else { return nil }
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard number == wanted else { return nil }
                moment.event.withLock { $0 = event }
                replay.interrupt(signal: 15)
                return nil
            }
            let replay = try Replay(Self.options(threads: threads), storage: storage)
            moment.replay.withLock { $0 = replay }
            let result = await run(replay)
            moment.replay.withLock { $0 = nil }
            guard let event = moment.event.withLock({ $0 }) else {
                _ = try result.get()
                break
            }
            interrupts += 1
            // Once results are being renamed it is too late.
            if event.operation == .rename {
                #expect((try? result.get()) != nil, "\(event)")
                continue
            }
            operations.insert(event.operation.rawValue)
            guard case .failure(.interrupted(signal: 15)) = result else {
                Issue.record("interrupted at \(event): \(result)")
                continue
            }
            checkNothingIsLeft(storage, wasRenaming: false, "\(event)")
        }
        #expect(operations.isSuperset(of: ["open", "read", "create", "write"]))
    }

    @Test(arguments: [1, 3])
    func aReplayCanBeInterruptedBeforeItStarts(_ threads: Int) async throws {
        let storage = MemoryStorage(Self.files)
        let replay = try Replay(Self.options(threads: threads), storage: storage)
        let opened = storage.events.count { $0.operation == .open }
        replay.interrupt(signal: 2)
        let result = await run(replay)
        guard case .failure(.interrupted(signal: 2)) = result else {
            Issue.record("\(result)")
            return
        }
        checkNothingIsLeft(storage, wasRenaming: false, "before the run")
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
        checkNothingIsLeft(storage, wasRenaming: false, "never run")
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
            let result = await run(options, storage)
            checkNothingIsLeft(storage, wasRenaming: false, "\(result)")
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
        let storage = MemoryStorage(Self.files) { _, event in
            event.operation == .write && event.path == "-" ? EPIPE : nil
        }
        let statistics = try await run(options, storage).get()
        #expect(statistics.outputWasClosed)
        #expect(statistics.grouped == 75)
        #expect(storage["out/stats"] == statistics.json())
        let rejects = try #require(storage["out/rejects"])
        #expect(rejects.count { $0 == 0x0a } == 75)
        #expect(storage.output.isEmpty)
        #expect(storage.openFiles == 0)
    }

    @Test func otherClosedOutputsAreFailures() async throws {
        var options = Self.options(threads: 1)
        options.statistics = "pipe"
        let files = Self.files.merging(["pipe": .device([])]) { $1 }
        let storage = MemoryStorage(files) { _, event in
            event.operation == .write && event.path == "pipe" ? EPIPE : nil
        }
        let result = await run(options, storage)
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
