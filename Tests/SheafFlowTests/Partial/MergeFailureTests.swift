import Foundation
import SheafBytes
import Synchronization
import TestSupport
import Testing

@testable import SheafFlow

/// The common interface of a replay and a merge.
private protocol Job: AnyObject, Sendable {
    func run(willWrite: () -> Void) throws(ReplayError) -> Statistics
    func interrupt(signal: Int32)
}

extension Replay: Job {}
extension Merge: Job {}

/// Runs that write state to disk and fail, or are interrupted, at any single operation: they report the right error,
/// leave outputs unchanged, and leave no other files.
@Suite(.serialized) struct MergeFailureTests {
    /// The run under test.
    struct Task: NamedCase {
        let name: String
        let isMerge: Bool
        let isPartial: Bool

        var options: ReplayOptions {
            var options = ReplayOptions(sources: [isMerge ? "parts" : "logs"])
            options.output = "out/result"
            options.partial = isPartial ? "out/result" : nil
            options.rejects = isMerge ? nil : "out/rejects"
            options.statistics = "out/stats"
            options.spillFolder = "spill"
            options.spillsAlways = true
            // One source at a time, so that operations have a fixed order.
            options.threads = 1
            options.chunkBytes = 400
            options.maximumLine = 1_000
            options.order = .recent
            return options
        }

        fileprivate func job(_ storage: MemoryStorage) throws(ReplayError) -> any Job {
            if isMerge { return try Merge(options, storage: storage) }
            return try Replay(options, storage: storage)
        }
    }

    static let tasks = [
        Task(name: "spilling replay", isMerge: false, isPartial: false),
        Task(name: "partial replay", isMerge: false, isPartial: true),
        Task(name: "merge", isMerge: true, isPartial: false),
        Task(name: "partial merge", isMerge: true, isPartial: true),
    ]

    /// Logs, their partial results, and existing outputs.
    private static let files: [String: MemoryStorage.Entry] = {
        var entries: [String: MemoryStorage.Entry] = ["logs": .folder, "parts": .folder]
        for (index, name) in ["a", "b", "c"].enumerated() {
            let lines = (0..<(2 + index)).map { line in
                let collapse = line % 2 == 0 ? #""collapse-id":"c\#(index % 2)","# : ""
                return #"{"app":"a\#(line % 3)",\#(collapse)"payload":{"aps":{"alert":"\#(line)"}}}"#
            }
            entries["logs/\(name)"] = .file(Array((lines.joined(separator: "\n") + "\nreject").utf8))
            let storage = MemoryStorage(entries)
            var options = ReplayOptions(sources: ["logs/\(name)"])
            options.partial = "parts/\(name)"
            _ = try? Replay(options, storage: storage).run()
            entries["parts/\(name)"] = storage.entries["parts/\(name)"]
        }
        for name in ["out", "spill"] { entries[name] = .folder }
        for name in ["result", "rejects", "stats"] { entries["out/\(name)"] = .file(Array("old".utf8)) }
        return entries
    }()

    private static func run(_ task: Task, _ storage: MemoryStorage) -> Result<Statistics, ReplayError> {
        do throws(ReplayError) {
            return .success(try task.job(storage).run {})
        } catch {
            return .failure(error)
        }
    }

    /// Returns the output of an undisturbed run.
    private static func result(_ task: Task) throws -> [UInt8]? {
        let storage = MemoryStorage(files)
        _ = try run(task, storage).get()
        return storage["out/result"]
    }

    /// Returns the error that results from an operation's failure; nil if the run succeeds anyway.
    private static func error(for event: MemoryStorage.Event) -> ReplayError? {
        let error = StorageError(event.operation, path: event.path, code: ENOSPC)
        let isInput = event.path.hasPrefix("logs") || event.path.hasPrefix("parts")
        switch event.operation {
        case .open where isInput:
            return .source(path: event.path, reason: "cannot be opened: \(error.reason)")
        case .list where isInput:
            return .source(path: event.path, reason: "cannot be listed: \(error.reason)")
        case .read where isInput:
            // The offset is compared separately.
            return .reading(path: event.path, offset: 0, error)
        case .create where event.path.hasSuffix(".tmp"):
            let name = event.path.split(separator: ".")[1]
            return .output(StorageError(.create, path: "out/\(name)", code: ENOSPC))
        case .rename: return .output(error)
        case .list, .remove: return nil
        default: return .writing(error)
        }
    }

    private static func isSame(_ found: ReplayError, _ expected: ReplayError) -> Bool {
        guard case .reading(let path, _, let error) = expected,
            case .reading(path, let offset, error) = found
        else { return found == expected }
        return offset <= MemoryStorage(files)[path]?.count ?? 0
    }

    struct Operation: NamedCase {
        let operation: StorageError.Operation
        let task: Task
        /// The minimum number of operations of this type.
        let least: Int

        var name: String { "\(operation.rawValue), \(task.name)" }
    }

    static let operations: [Operation] = tasks.flatMap { task in
        // A merge of few files needs runs only for folding.
        let spills = !(task.isMerge && task.isPartial)
        return [
            (StorageError.Operation.open, 6), (.read, 6), (.create, spills ? 4 : 2), (.write, 6),
            (.sync, 2), (.rename, 2), (.lock, spills ? 1 : 0), (.list, 2), (.remove, spills ? 3 : 0),
        ].map { Operation(operation: $0.0, task: task, least: $0.1) }
    }

    /// Fails the first, the second, … operation of a type, until every one has failed once.
    @Test(arguments: operations)
    func eachOperationFails(_ item: Operation) throws {
        let expected = try Self.result(item.task)
        for wanted in 0... {
            let failed = Mutex<MemoryStorage.Event?>(nil)
            let count = Mutex(0)
            let storage = MemoryStorage(Self.files) { _, event in
                guard event.operation == item.operation else { return nil }
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard number == wanted else { return nil }
                failed.withLock { $0 = event }
                return ENOSPC
            }
            let result = Self.run(item.task, storage)
            guard let event = failed.withLock({ $0 }) else {
                _ = try result.get()
                #expect(wanted >= item.least)
                return
            }
            // A source's own thread closes it after reading.
            #expect(!item.task.isMerge || storage.openFiles == 0, "\(event)")
            switch (result, Self.error(for: event)) {
            case (.success, nil):
                #expect(storage["out/result"] == expected, "\(event)")
                // Files that could not be removed are left to the next run.
                let left = storage.entries
                #expect(event.operation == .remove || Set(left.keys) == Set(Self.files.keys), "\(event)")
                let later = MemoryStorage(left)
                _ = try Self.run(item.task, later).get()
                #expect(Set(later.entries.keys) == Set(Self.files.keys), "\(event)")
            case (.failure(let found), let error?):
                #expect(Self.isSame(found, error), "\(event): \(found)")
                checkNothingIsLeft(storage, wasRenaming: event.operation == .rename, "\(event)")
            case (.success, _): Issue.record("\(event) failed, the run did not")
            case (.failure(let found), nil): Issue.record("\(event) ended the run: \(found)")
            }
        }
    }

    /// Outputs are the old ones, and there are no other new files. If a rename failed, the outputs renamed before it
    /// remain; the result is renamed last.
    private func checkNothingIsLeft(_ storage: MemoryStorage, wasRenaming: Bool, _ when: String) {
        let entries = storage.entries
        #expect(Set(entries.keys) == Set(Self.files.keys), "left behind: \(when)")
        for (path, old) in Self.files where entries[path] != old {
            #expect(wasRenaming && path != "out/result", "\(path) was replaced: \(when)")
        }
    }

    /// Interrupts the run at its first, its second, … operation, until every one has been interrupted once.
    @Test(arguments: tasks)
    func aRunCanBeInterruptedAtAnyOperation(_ task: Task) throws {
        var operations: Set<String> = []
        for wanted in 0... {
            let job = Mutex<(any Job)?>(nil)
            let moment = Mutex<MemoryStorage.Event?>(nil)
            let count = Mutex(0)
            let storage = MemoryStorage(Self.files) { _, event in
                guard let job = job.withLock({ $0 }) else { return nil }
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard number == wanted else { return nil }
                moment.withLock { $0 = event }
                job.interrupt(signal: 15)
                return nil
            }
            let made = try task.job(storage)
            job.withLock { $0 = made }
            let result: Result<Statistics, ReplayError>
            do throws(ReplayError) {
                result = .success(try made.run {})
            } catch {
                result = .failure(error)
            }
            job.withLock { $0 = nil }
            guard let event = moment.withLock({ $0 }) else {
                _ = try result.get()
                break
            }
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
        #expect(operations.isSuperset(of: ["open", "read", "create", "write", "sync", "list"]))
    }

    @Test(arguments: tasks.filter(\.isMerge))
    func aRunCanBeInterruptedBeforeItStarts(_ task: Task) throws {
        let storage = MemoryStorage(Self.files)
        let job = try task.job(storage)
        job.interrupt(signal: 2)
        job.interrupt(signal: 15)
        #expect(throws: ReplayError.interrupted(signal: 2)) { try job.run {} }
        checkNothingIsLeft(storage, wasRenaming: false, "before the run")
        #expect(!storage.events.contains { $0.operation == .read })
    }

    @Test func aClosedOutputIsNotAFailure() throws {
        var options = Self.tasks[2].options
        options.output = "-"
        let storage = MemoryStorage(Self.files) { _, event in
            event.operation == .write && event.path == "-" ? EPIPE : nil
        }
        let statistics = try Merge(options, storage: storage).run()
        #expect(statistics.outputWasClosed)
        #expect(storage["out/stats"] == statistics.json())
        #expect(storage.output.isEmpty)
        #expect(Set(storage.entries.keys) == Set(Self.files.keys))
    }
}
