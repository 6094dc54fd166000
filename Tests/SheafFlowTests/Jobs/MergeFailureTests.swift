import Foundation
import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

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

        fileprivate func job(_ storage: any Storage) throws(ReplayError) -> any Job<Statistics> {
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

    /// Returns the output of an undisturbed run.
    private static func result(_ task: Task) throws -> [UInt8]? {
        let storage = MemoryStorage(files)
        _ = try task.job(storage).run {}
        return storage["out/result"]
    }

    struct Operation: NamedCase {
        let operation: StorageError.Operation
        let task: Task
        /// The minimum number of operations of this type.
        let minimumCount: Int

        var name: String { "\(operation.rawValue), \(task.name)" }
    }

    static let operations: [Operation] = tasks.flatMap { task in
        // A merge of few files needs runs only for folding.
        let spills = !(task.isMerge && task.isPartial)
        return [
            (StorageError.Operation.open, 6), (.read, 6), (.create, spills ? 4 : 2), (.write, 6),
            (.sync, 2), (.rename, 2), (.lock, spills ? 1 : 0), (.list, 2), (.remove, spills ? 3 : 0),
        ].map { Operation(operation: $0.0, task: task, minimumCount: $0.1) }
    }

    private static let runs = EachOperation(files: files, lastOutput: "out/result")

    @Test(arguments: operations)
    func eachOperationFails(_ item: Operation) async throws {
        let expected = try Self.result(item.task)
        let count = try await Self.runs.fail(item.operation, code: ENOSPC, item.task.job) {
            event, result, storage in
            // A source's own thread closes it after reading.
            #expect(!item.task.isMerge || storage.openFiles == 0, "\(event)")
            switch (result, EachOperation.error(for: event, code: ENOSPC)) {
            case (.success, nil):
                #expect(storage["out/result"] == expected, "\(event)")
                // Files that could not be removed are left to the next run.
                let left = storage.entries
                #expect(event.operation == .remove || Set(left.keys) == Set(Self.files.keys), "\(event)")
                let later = MemoryStorage(left)
                _ = try item.task.job(later).run {}
                #expect(Set(later.entries.keys) == Set(Self.files.keys), "\(event)")
            case (.failure(let found), let error?):
                #expect(Self.runs.isSame(found, error), "\(event): \(found)")
                Self.runs.checkNothingIsLeft(storage, wasRenaming: event.operation == .rename, "\(event)")
            case (.success, _): Issue.record("\(event) failed, the run did not")
            case (.failure(let found), nil): Issue.record("\(event) ended the run: \(found)")
            }
        }
        #expect(count >= item.minimumCount)
    }

    @Test(arguments: tasks)
    func aRunCanBeInterruptedAtAnyOperation(_ task: Task) async throws {
        let operations = try await Self.runs.interrupt(task.job)
        #expect(operations.isSuperset(of: [.open, .read, .create, .write, .sync, .list]))
    }

    @Test(arguments: tasks.filter(\.isMerge))
    func aRunCanBeInterruptedBeforeItStarts(_ task: Task) throws {
        let files = MemoryStorage(Self.files)
        let storage = InterceptedStorage(files)
        let job = try task.job(storage)
        job.interrupt(signal: 2)
        job.interrupt(signal: 15)
        #expect(throws: ReplayError.interrupted(signal: 2)) { try job.run {} }
        Self.runs.checkNothingIsLeft(files, wasRenaming: false, "before the run")
        #expect(!storage.events.contains { $0.operation == .read })
    }

    @Test func aClosedOutputIsNotAFailure() throws {
        var options = Self.tasks[2].options
        options.output = "-"
        let storage = MemoryStorage(Self.files)
        let failing = InterceptedStorage(storage, failingWritesTo: "-", code: EPIPE)
        let statistics = try Merge(options, storage: failing).run()
        #expect(statistics.outputWasClosed)
        #expect(storage["out/stats"] == statistics.json())
        #expect(storage.output.isEmpty)
        #expect(Set(storage.entries.keys) == Set(Self.files.keys))
    }
}
