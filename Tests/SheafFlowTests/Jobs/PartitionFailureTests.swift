import Foundation
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Runs that cut partial results and fail, or are interrupted, at any single operation: they report the right error, and
/// leave no file.
@Suite(.serialized, .tags(.spilling)) struct PartitionFailureTests {
    enum Step: String, CaseIterable, NamedCase {
        case sample, keys, split, newest, inspect
        var name: String { rawValue }

        func run(
            _ storage: any Storage, interrupt: (@escaping @Sendable (Int32) -> Void) -> Void = { _ in }
        ) throws(ReplayError) {
            var options = ReplayOptions(sources: ["parts/p0", "parts/p1"])
            options.spillsAlways = true
            options.spillFolder = "spill"
            options.threads = 1
            options.output = "out/result"
            let action: PartialRun.Action
            switch self {
            case .sample: action = .sampleKeys
            case .keys: action = .findRanges(count: 2)
            case .split: action = .split(ranges: "parts/ranges", folder: "out")
            case .newest:
                options.sources = ["parts/s/identities-00000.partial", "parts/s/identities-00001.partial"]
                action = .keepNewest(ranges: "parts/ranges", folder: "out")
            case .inspect: action = .inspect
            }
            let run = try PartialRun(action, options, storage: storage)
            interrupt { run.interrupt(signal: $0) }
            try run.run()
        }
    }

    private static let files: [String: MemoryStorage.Entry] = {
        var entries: [String: MemoryStorage.Entry] = ["parts": .folder, "out": .folder, "spill": .folder]
        for (path, entry) in NamedMergeTests.files {
            switch path {
            case "p0", "p1", "ranges": entries["parts/\(path)"] = entry
            case "s0/identities-00000.partial", "s0/identities-00001.partial":
                entries["parts/s/\(path.dropFirst(3))"] = entry
            default: continue
            }
        }
        entries["parts/s"] = .folder
        return entries
    }()

    struct Operation: NamedCase {
        let step: Step
        let operation: StorageError.Operation
        var name: String { "\(operation.rawValue), \(step.name)" }
    }

    static let operations = Step.allCases.flatMap { step in
        [StorageError.Operation.open, .read, .create, .write, .sync, .rename].map {
            Operation(step: step, operation: $0)
        }
    }

    @Test(arguments: operations) func eachOperationFails(_ item: Operation) throws {
        var number = 0
        while true {
            let moment = Moment(after: number) { $0.operation == item.operation }
            let storage = MemoryStorage(Self.files)
            let result = Result { () throws(ReplayError) in
                try item.step.run(InterceptedStorage(storage, at: moment, .fails(ENOSPC)))
            }
            guard let event = moment.event else {
                try result.get()
                break
            }
            number += 1
            #expect(storage.openFiles == 0, "\(event)")
            guard case .failure(let error) = result else {
                // Whether a file has keys is asked first, and then it is read.
                #expect(event.operation == .open || event.operation == .read, "\(event)")
                continue
            }
            #expect("\(error)".contains("No space left on device"), "\(event): \(error)")
            let wasOutput = event.path.hasPrefix("out") || event.path.hasPrefix("spill")
            switch error {
            case .source(event.path, _), .reading(event.path, _, _): #expect(!wasOutput, "\(event): \(error)")
            case .writing, .output: #expect(wasOutput, "\(event): \(error)")
            default: Issue.record("\(event): \(error)")
            }
            #expect(Set(storage.entries.keys) == Set(Self.files.keys), "\(event)")
        }
        #expect(number > 0)
    }

    @Test(arguments: Step.allCases) func aRunCanBeInterruptedAtAnyOperation(_ step: Step) throws {
        for number in 0... {
            let moment = Moment(after: number)
            let storage = MemoryStorage(Self.files)
            let interrupt = Interruption()
            let intercepted = InterceptedStorage(storage) { _, event in
                if moment.isReached(by: event) { interrupt.call() }
                return .succeeds
            }
            let result = Result { () throws(ReplayError) in
                try step.run(intercepted) { interrupt.body = $0 }
            }
            guard moment.event != nil else {
                try result.get()
                #expect(number > 10)
                return
            }
            switch result {
            case .success: continue
            case .failure(let error):
                #expect(error == .interrupted(signal: 15))
                #expect(Set(storage.entries.keys) == Set(Self.files.keys), "\(number)")
                #expect(storage.openFiles == 0)
            }
        }
    }

    private final class Interruption: @unchecked Sendable {
        // Unchecked because everything runs on one thread.
        var body: ((Int32) -> Void)?
        func call() { body?(15) }
    }
}
