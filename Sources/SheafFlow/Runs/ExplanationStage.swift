import Dispatch
import SheafBytes
import SheafGroups

/// Keeps all records of a person, and explains the screen at the end.
///
///     unit ──▶ PersonHistory ──▶ Explanation ──▶ output
final class ExplanationStage: ResultStage, @unchecked Sendable {
    // Unchecked because the history and the explanation are used on the queue.
    private let queue = DispatchQueue(label: "sheaf.explanation")
    private let options: ReplayOptions
    private let explaining: Explaining
    private let maximumBytes: Int
    private var history: PersonHistory

    init(_ options: ReplayOptions, _ explaining: Explaining, _ state: StateOptions, budget: MemoryBudget) {
        (self.options, self.explaining) = (options, explaining)
        maximumBytes = budget.state
        history = PersonHistory(state)
    }

    func holderCount(of unit: WorkUnit) -> Int { 1 }

    func accept(_ unit: WorkUnit, for run: some ReadingRun) {
        queue.async {
            unit.access.begin(.shared)
            self.history.add(unit, onlyTraces: self.explaining.findsPeople)
            unit.access.end(.shared)
            if self.history.heldBytes > self.maximumBytes {
                run.fail(
                    .usage(
                        "the records of '\(self.explaining.question.device)' need more than "
                            + "\(self.maximumBytes >> 20) MiB: raise \(.memory), or explain a shorter time"))
            }
            run.release(unit)
        }
    }

    func sourceEnded(_ source: Int, chunkCount: Int, for run: some ReadingRun) {}

    func begin(
        _ files: ResultFiles, _ loaded: (checkpoint: Checkpoint, dumps: [StateFile])?, for run: Replay
    ) throws(ReplayError) {}

    func finish(
        to files: inout ResultFiles, of sources: SourceTable, for run: Replay
    ) throws(ReplayError) -> ReplayResult {
        if explaining.findsPeople {
            let devices = queue.sync { Set(history.traces.map(\.device)) }
            explaining.receiveDevices(devices.map { $0.span.string }.ordered())
            return ReplayResult()
        }
        let (found, hidden, result) = queue.sync {
            var (found, hidden) = (RunCounts(), VerdictCounts())
            let result = Explanation(
                history, explaining.question, options, names: SourceNames(sources), &found, &hidden)
            return (found, hidden, result)
        }
        explaining.receive(result)
        try files.writeResult(result.bytes(options.format, until: options.until))
        return ReplayResult(found: found, hidden: hidden, groups: UInt64(result.groups.count))
    }

    func stop() {}

    func discard(_ files: ResultFiles, keepsComplete: Bool) -> Bool {
        files.discard()
        return false
    }

    var heldBytes: Int { queue.sync { history.heldBytes } }
    var repeated: UInt64 { 0 }
    var updated: UInt64 { 0 }
    var runs: [StateFile] { [] }

    func dump(_ write: @Sendable (Int, (inout StateWriter) throws(ReplayError) -> Void) -> DumpResult)
        -> [DumpResult]
    { preconditionFailure("an explanation makes no checkpoints") }

    func snapshotProgress() throws(ReplayError) -> StreamProgress? { nil }
}

/// A question that a run answers.
package struct Explaining: Sendable {
    let question: Question
    /// Receives the answer before it is written.
    var receive: @Sendable (Explanation) -> Void = { _ in }
    /// Receives the people with a push that has the id, if the question does not name a person.
    var receiveDevices: @Sendable ([String]) -> Void = { _ in }

    /// Whether the run only finds the people with a push.
    var findsPeople: Bool { question.device.isEmpty }

    var selection: TraceSelection {
        TraceSelection(device: Array(question.device.utf8), identifier: Array((question.id ?? "").utf8))
    }
}
