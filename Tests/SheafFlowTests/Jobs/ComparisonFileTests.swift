import Foundation
import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Partial comparisons that are damaged, do not fit together, or can't be read or written.
@Suite(.serialized, .tags(.extended)) struct ComparisonFileTests {
    /// A comparison of two designs that group an app differently, with measures.
    struct Task: NamedCase {
        let name: String
        var isMerge = true
        var isPartial = false

        func job(_ storage: any Storage) throws(ReplayError) -> any Job<ComparisonReport> {
            let (now, new, comparison) = ComparisonFileTests.options(partial: isPartial ? "out/result" : nil)
            if isMerge {
                return try ComparisonMerge(["parts"], now, new, comparison, storage: storage)
            }
            var logs = now
            logs.sources = ["logs"]
            return try Comparison(logs, new, comparison, storage: storage)
        }
    }

    private static let tasks = [
        Task(name: "partial comparison", isMerge: false, isPartial: true), Task(name: "comparison of files"),
        Task(name: "merge", isPartial: true),
    ]

    private static func options(
        partial: String?
    ) -> (now: ReplayOptions, new: ReplayOptions, comparison: ComparisonOptions) {
        var now = ReplayOptions(sources: ["parts"])
        now.spillFolder = "spill"
        now.threads = 1
        now.chunkBytes = 400
        now.maximumLine = 1_000
        var new = now
        new.settings.apps["a1", default: AppSettings()].grouping = .off
        var comparison = ComparisonOptions()
        (comparison.output, comparison.partial) = ("out/result", partial)
        (comparison.format, comparison.measuresAll) = (.json, true)
        return (now, new, comparison)
    }

    /// Logs, their partial comparisons, and an existing output.
    private static let files: [String: MemoryStorage.Entry] = {
        var entries: [String: MemoryStorage.Entry] = ["logs": .folder, "parts": .folder]
        for name in ["out", "spill"] { entries[name] = .folder }
        entries["out/result"] = .file(Array("old".utf8))
        for (index, name) in ["a", "b"].enumerated() {
            let lines = (0..<(3 + index)).map { line in
                let collapse = line % 2 == 0 ? #""collapse-id":"c\#(index % 2)","# : ""
                return
                    #"{"app":"a\#(line % 2)","device":"d\#(line % 3)",\#(collapse)"aps":{"alert":"\#(line)"}}"#
            }
            entries["logs/\(name)"] = .file(Array((lines.joined(separator: "\n") + "\nreject").utf8))
            let storage = MemoryStorage(entries)
            var (now, new, comparison) = options(partial: "parts/\(name)")
            (now.sources, new.sources) = (["logs/\(name)"], [])
            _ = try? Comparison(now, new, comparison, storage: storage).run()
            comparison.partial = nil
            entries["parts/\(name)"] = storage.entries["parts/\(name)"]
        }
        return entries
    }()

    private static let good: [UInt8] = {
        guard case .file(let bytes) = files["parts/a"] else { return [] }
        return bytes
    }()

    /// Compares by a good file and another one.
    private static func compare(
        _ bytes: [UInt8], _ change: (inout ComparisonOptions) -> Void = { _ in }
    ) -> (error: ReplayError?, isUntouched: Bool) {
        var entries = files
        entries["bad"] = .file(bytes)
        let storage = MemoryStorage(entries)
        var (now, new, comparison) = options(partial: nil)
        change(&comparison)
        do throws(ReplayError) {
            _ = try ComparisonMerge(["parts/b", "bad"], now, new, comparison, storage: storage).run()
            return (nil, storage.entries == entries)
        } catch {
            return (error, storage.entries == entries)
        }
    }

    @Test func theUndamagedFilesAreCompared() {
        #expect(Self.good.count > 1_000)
        #expect(Self.compare(Self.good).error == nil)
    }

    @Test func everyChangedByteIsDetected() {
        for index in Self.good.indices {
            var bytes = Self.good
            bytes[index] ^= 0x11
            let (error, isUntouched) = Self.compare(bytes)
            switch error {
            case .damaged("bad", _, let offset) where isUntouched: #expect(offset <= UInt64(bytes.count))
            case .usage("'bad' is not a partial comparison") where isUntouched: #expect(index < 8)
            default: Issue.record("byte \(index): \(String(describing: error))")
            }
        }
    }

    @Test func everyTruncationIsDetected() {
        for count in Self.good.indices {
            let (error, isUntouched) = Self.compare(Array(Self.good[..<count]))
            switch error {
            case .damaged("bad", .truncated, _) where isUntouched: continue
            case .usage("'bad' is not a partial comparison") where isUntouched: #expect(count < 8)
            default: Issue.record("\(count) bytes: \(String(describing: error))")
            }
        }
    }

    /// Changed records in intact frames are reported as damage, do not fit, or are compared. Nothing traps.
    @Test(arguments: Seeds.several(4)) func changedRecordsNeverTrap(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let frames = try FrameFile.frames(Self.good, magic: .comparison).get()
        #expect(frames.count == 7)
        var outcomes: [String: Int] = [:]
        for _ in 0..<100 {
            var changed = frames
            let index = random.below(frames.count)
            if index == 0 {
                random.change(&changed[0].payload)
            } else {
                let magic = index < 5 ? FrameMagic.positional : .shown
                var inner = try FrameFile.frames(changed[index].payload, magic: magic).get()
                random.change(&inner[random.below(inner.count)].payload)
                changed[index].payload = try FrameFile.bytes(inner, magic: magic)
            }
            if random.chance(4) { changed.remove(at: random.below(changed.count)) }
            let (error, isUntouched) = Self.compare(try FrameFile.bytes(changed, magic: .comparison)) {
                $0.partial = random.chance(40) ? "out/result" : nil
            }
            switch error {
            case nil: outcomes["compared", default: 0] += 1
            case .damaged("bad", _, _): outcomes["damaged", default: 0] += 1
            case .usage: outcomes["usage", default: 0] += 1
            case .some(let error): Issue.record("\(error)")
            }
            #expect(error == nil || isUntouched)
        }
        #expect(outcomes["damaged"] ?? 0 > 0, "\(outcomes)")
    }
}

// MARK: - Failures

extension ComparisonFileTests {
    struct Operation: NamedCase {
        let operation: StorageError.Operation
        let task: Task

        var name: String { "\(operation.rawValue), \(task.name)" }
    }

    private static let operations: [Operation] = tasks.flatMap { task in
        [StorageError.Operation.open, .read, .create, .write, .sync, .rename, .lock, .list, .remove].map {
            Operation(operation: $0, task: task)
        }
    }

    private static let runs = EachOperation(files: files, lastOutput: "out/result")

    /// Runs that fail at any single operation report the error, leave the output unchanged, and leave no other files.
    @Test(arguments: operations) func eachOperationFails(_ item: Operation) async throws {
        let undisturbed = MemoryStorage(Self.files)
        _ = try item.task.job(undisturbed).run {}
        let count = try await Self.runs.fail(item.operation, code: ENOSPC, item.task.job) {
            event, result, storage in
            switch (result, EachOperation.error(for: event, code: ENOSPC)) {
            case (.success, nil):
                #expect(storage["out/result"] == undisturbed["out/result"], "\(event)")
                #expect(
                    event.operation == .remove || Set(storage.entries.keys) == Set(Self.files.keys),
                    "\(event)")
            case (.failure(let found), let error?):
                #expect(Self.runs.isSame(found, error), "\(event): \(found)")
                Self.runs.checkNothingIsLeft(storage, wasRenaming: event.operation == .rename, "\(event)")
            case (.success, _): Issue.record("\(event) failed, the run did not")
            case (.failure(let found), nil): Issue.record("\(event) ended the run: \(found)")
            }
        }
        #expect(count > 0)
    }

    @Test(arguments: tasks) func aRunCanBeInterruptedAtAnyOperation(_ task: Task) async throws {
        let operations = try await Self.runs.interrupt(task.job)
        #expect(operations.isSuperset(of: [.open, .read, .create, .write]))
    }
}
