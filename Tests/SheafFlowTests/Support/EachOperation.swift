import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Repeats a run and disturbs each of its operations once.
struct EachOperation {
    /// The files before each run.
    let files: [String: MemoryStorage.Entry]
    /// The output that is renamed last.
    let lastOutput: String

    /// Fails the first, the second, … operation of a type, until every one has failed once.
    ///
    /// - Parameter check: called after each run with the operation, the run's result and the files it left.
    /// - Returns: the number of operations of the type.
    func fail<Success: Sendable>(
        _ operation: StorageError.Operation, code: Int32,
        _ makeJob: (any Storage) throws(ReplayError) -> any Job<Success>,
        check: (InterceptedStorage.Event, Result<Success, ReplayError>, MemoryStorage) async throws -> Void
    ) async throws -> Int {
        var number = 0
        while true {
            let moment = Moment(after: number) { $0.operation == operation }
            let storage = MemoryStorage(files)
            let result = await run { () throws(ReplayError) in
                try makeJob(InterceptedStorage(storage, at: moment, .fails(code)))
            }
            guard let event = moment.event else {
                _ = try result.get()
                return number
            }
            try await check(event, result, storage)
            number += 1
        }
    }

    /// Interrupts a run at its first, its second, … operation, until every one has been interrupted once: it reports
    /// that, and leaves nothing.
    ///
    /// - Returns: the types of the operations at which the run could be interrupted.
    func interrupt<Success: Sendable>(
        _ makeJob: (any Storage) throws(ReplayError) -> any Job<Success>
    ) async throws -> Set<StorageError.Operation> {
        var operations: Set<StorageError.Operation> = []
        for number in 0... {
            let moment = Moment(after: number)
            let storage = MemoryStorage(files)
            let result = try await Interrupter([15], at: moment.isReached).run(on: storage, makeJob)
            guard let event = moment.event else {
                _ = try result.get()
                break
            }
            // Once results are being renamed it is too late.
            if event.operation == .rename {
                #expect((try? result.get()) != nil, "\(event)")
                continue
            }
            operations.insert(event.operation)
            guard case .failure(.interrupted(signal: 15)) = result else {
                Issue.record("interrupted at \(event): \(result)")
                continue
            }
            checkNothingIsLeft(storage, wasRenaming: false, "\(event)")
        }
        return operations
    }

    /// Checks that the outputs are the old ones, and that there are no other new files. If a rename failed, the outputs
    /// renamed before it remain.
    func checkNothingIsLeft(_ storage: MemoryStorage, wasRenaming: Bool, _ when: String) {
        let entries = storage.entries
        #expect(Set(entries.keys) == Set(files.keys), "files were left: \(when)")
        for (path, old) in files where entries[path] != old {
            #expect(wasRenaming && path != lastOutput, "\(path) was replaced: \(when)")
        }
    }

    /// Returns the error that results from an operation's failure; nil if the run succeeds anyway.
    static func error(for event: InterceptedStorage.Event, code: Int32) -> ReplayError? {
        let error = StorageError(event.operation, path: event.path, code: code)
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
            return .output(StorageError(.create, path: "out/\(name)", code: code))
        case .rename: return .output(error)
        case .list, .remove: return nil
        default: return .writing(error)
        }
    }

    /// Returns whether a run reported the right error, and a position within the file if that could not be read.
    func isSame(_ found: ReplayError, _ expected: ReplayError) -> Bool {
        guard case .reading(let path, _, let error) = expected,
            case .reading(path, let offset, error) = found
        else { return found == expected }
        return offset <= MemoryStorage(files)[path]?.count ?? 0
    }
}

/// A type of operation that fails in a run with a number of threads.
struct FailingOperation: NamedCase {
    let operation: StorageError.Operation
    let threads: Int

    var name: String { "\(operation.rawValue), \(threads) threads" }

    /// The operations of a run that reads its sources and writes its outputs, and nothing else.
    static let ofOutputs = [StorageError.Operation.open, .read, .create, .write, .sync, .rename].flatMap {
        operation in [1, 3].map { FailingOperation(operation: operation, threads: $0) }
    }
}
