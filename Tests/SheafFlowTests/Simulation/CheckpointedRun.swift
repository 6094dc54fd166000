import Foundation
import SheafBytes
import TestSupport

@testable import SheafFlow

/// A replay with a checkpoint that crashes or fails repeatedly, and resumes each time until it completes.
///
/// Errors are collected in `problems`.
struct CheckpointedRun {
    static let folder = "checkpoint"

    let log: RandomLog
    var storage: MemoryStorage
    private(set) var problems: [String] = []
    /// How each run that did not complete ended.
    private(set) var ends: [String] = []

    init(_ log: RandomLog) {
        self.log = log
        storage = log.storage()
    }

    /// Returns the options with a checkpoint, and with the work split at random.
    func randomOptions(_ random: inout SeededGenerator) -> ReplayOptions {
        var options = log.randomOptions(&random)
        options.checkpoint = Self.folder
        options.checkpointChunks = 1 + random.below(5)
        return options
    }

    /// Runs until operation `number`, which crashes. The caller must call `restart` next.
    ///
    /// - Returns: whether the operation was reached.
    mutating func crash(
        at number: Int, _ options: ReplayOptions, _ random: inout SeededGenerator
    ) async -> Bool {
        let moment = Moment(after: number)
        storage = storage.restarted(losing: .nothing, &random)
        _ = await run(options, on: InterceptedStorage(storage, at: moment, .crashes))
        ends.append("crashed \(moment.event.map { "at \($0)" } ?? "after its end")")
        return moment.event != nil
    }

    /// Replaces the storage with what the crash left.
    mutating func restart(losing loss: MemoryStorage.Loss, _ random: inout SeededGenerator) {
        storage = storage.restarted(losing: loss, &random)
        ends.append("lost \(loss)")
        checkOutputs()
    }

    /// Runs until operation `number`, which fails.
    ///
    /// - Returns: the operation and the run's result; nil if the operation was not reached.
    mutating func fail(
        at number: Int, _ fate: InterceptedStorage.Fate, _ options: ReplayOptions,
        _ random: inout SeededGenerator
    ) async -> (event: InterceptedStorage.Event, result: Result<Statistics, ReplayError>)? {
        let moment = Moment(after: number)
        storage = storage.restarted(losing: .nothing, &random)
        let result = await run(options, on: InterceptedStorage(storage, at: moment, fate))
        storage = storage.restarted(losing: .nothing, &random)
        guard let event = moment.event else { return nil }
        ends.append("failed at \(event)")
        checkOutputs()
        return (event, result)
    }

    /// Runs to completion and checks the outputs.
    ///
    /// - Parameter statistics: the statistics of an uninterrupted run.
    mutating func finish(
        _ options: ReplayOptions, statistics: String, _ random: inout SeededGenerator
    ) async {
        storage = storage.restarted(losing: .nothing, &random)
        switch await run(options, on: storage) {
        case .failure(let error): note("\(error)")
        case .success:
            if let problem = log.problem(storage, statistics: statistics) { note(problem) }
            checkNothingIsLeft()
        }
    }

    /// Checks that only the sources and the outputs are left.
    mutating func checkNothingIsLeft() {
        var expected = Set(log.files.keys).union([log.options.output, log.options.statistics!])
        if let rejects = log.options.rejects { expected.insert(rejects) }
        let left = Set(storage.paths).subtracting(expected)
        if !left.isEmpty { note("left behind: \(left.sorted())") }
        if storage.openFiles > 0 { note("\(storage.openFiles) files are open") }
    }

    /// Checks that each output is either the old one or a complete new one.
    private mutating func checkOutputs() {
        for output in RandomLog.outputs {
            let found = storage[output]
            if found == log.files[output] { continue }
            let isWhole =
                switch output {
                case RandomLog.outputs[0]: RandomLog.text(found) == log.model.snapshot
                case RandomLog.outputs[1]: RandomLog.text(found) == log.model.rejects
                default: found?.first == UInt8(ascii: "{") && found?.last == UInt8(ascii: "\n")
                }
            if !isWhole { note("\(output) is neither old nor complete") }
        }
    }

    mutating func note(_ problem: String) {
        problems.append("\(problem)\(ends.isEmpty ? "" : "; it " + ends.joined(separator: ", "))")
    }
}
