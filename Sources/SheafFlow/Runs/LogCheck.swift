import Dispatch
import SheafBytes
import SheafGroups
import Synchronization

/// Checks logs and reports the problems in them: how often each one occurs, and where it occurs first.
///
///     sources ─▶ SourceReader ─▶ parcel ─▶ CheckWorker ─▶ CheckTally ─▶ CheckReport
///                └──────── JobQueue: at most one job per thread ──────┘
///                 ▲                             │
///                 └── FlowControl: a fixed number of parcels circulates
///
/// These are the stages of a replay before its shards, with the same readers, parcels and flow control, and so with
/// the same bounds. Memory is the parcels, the buffers of the open sources, and for each worker its counts and two
/// copies of texts. The report is a pure function of the sources' bytes.
public final class LogCheck: Sendable {
    private let options: CheckOptions
    private let storage: any Storage
    private let sources: [Source]
    private let parcels: [Parcel]
    private let jobs: JobQueue
    private let finished = DispatchSemaphore(value: 0)
    private let state: Mutex<RunState>
    public let progress = Progress()

    /// The state that changes during the run. Locked only briefly, a few times per chunk.
    private struct RunState {
        var flow: FlowControl
        var readers: [Int: SourceReader] = [:]
        var idleWorkers: [CheckWorker]
        var damages: [Int: SourceDamage] = [:]
        var failure: ReplayError?
    }

    /// Finds the sources and allocates the run's resources. Nothing is read or written yet.
    ///
    /// - Throws: `ReplayError` if an option is invalid, a source can't be opened, or the report would replace one.
    public convenience init(_ options: CheckOptions) throws(ReplayError) {
        try self.init(options, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(_ options: CheckOptions, storage: any Storage) throws(ReplayError) {
        try Limits.check(options.asReplay)
        self.options = options
        self.storage = storage
        let openFiles = try OpenFiles(options.asReplay)
        sources = try SourceList.expand(options.sources, storage: storage)
        try OutputCheck.check(
            [("the report", options.output)], sources, configuration: options.configurationFiles,
            storage: storage)
        let capacity = ChunkFiller.chunkCapacity(
            targetBytes: options.chunkBytes, maximumLine: options.maximumLine)
        parcels = (0..<Limits.chunks(threads: options.threads)).map { index in
            Parcel(index: index, capacity: capacity, shards: 0)
        }
        jobs = JobQueue(threads: options.threads, shards: 0)
        let flow = FlowControl(
            sources: sources.count, parcels: parcels.count,
            openSources: openFiles.sources, workers: options.threads)
        let known = KnownCategories(options.settings)
        let workers = (0..<options.threads).map { _ in CheckWorker(options, known) }
        state = Mutex(RunState(flow: flow, idleWorkers: workers))
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) { fail(.interrupted(signal: signal)) }

    /// Checks the sources and writes the report. Blocks until done; must be called only once.
    ///
    /// - Parameter willWrite: called when all sources have been read, before the report is written.
    /// - Returns: the report; findings are not errors of the run.
    /// - Throws: `ReplayError`; no output remains in that case.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> CheckReport {
        do throws(ReplayError) {
            var files = try ResultFiles(options.asReplay, storage: storage)
            try readAll()
            var report = report()
            report.sourceWarnings = RepeatedSources.warnings(sources, storage: storage)
            willWrite()
            try files.writeResult { file throws(ReplayError) in
                do throws(StorageError) {
                    try file.write(report.bytes(options.format).span)
                } catch {
                    throw .writing(error)
                }
            }
            report.outputWasClosed = files.wasClosed
            try checkFailure()
            try files.commit()
            return report
        } catch {
            fail(error)
            throw error
        }
    }

    private func report() -> CheckReport {
        state.withLock { state in
            var tally = CheckTally()
            for worker in state.idleWorkers { tally.add(worker.tally) }
            return CheckReport(tally, damages: state.damages, sources: sources.map(\.path))
        }
    }
}

// MARK: - Stages

extension LogCheck {
    private func readAll() throws(ReplayError) {
        let sizes = sources.map(\.size)
        if !sizes.contains(nil) { progress.setTotal(sizes.reduce(0) { $0 + ($1 ?? 0) }) }
        perform(state.withLock { $0.flow.start() })
        finished.wait()
        try checkFailure()
    }

    private func perform(_ actions: [FlowControl.Action]) {
        for action in actions {
            switch action {
            case .fill(let source, let parcel):
                let reader = reader(of: source)
                jobs.addReading { self.fill(parcel, by: reader) }
            case .decode(let parcel): jobs.addDecoding { self.check(parcel) }
            case .rest: preconditionFailure("a check is never paused")
            case .finish: finished.signal()
            }
        }
    }

    private func reader(of source: Int) -> SourceReader {
        state.withLock { state in
            if let reader = state.readers[source] { return reader }
            let reader = SourceReader(
                sources[source], ordinal: source, storage: storage, options: options.asReplay)
            state.readers[source] = reader
            return reader
        }
    }

    private func fill(_ index: Int, by reader: SourceReader) {
        let outcome: SourceReader.Outcome
        do {
            outcome = try reader.fill(parcels[index])
        } catch {
            fail(error)
            return
        }
        progress.addBytes(outcome.bytesRead)
        let source = reader.ordinal
        perform(
            state.withLock { state in
                state.damages[source] = outcome.damage
                if outcome.hasEnded { state.readers[source] = nil }
                return state.flow.filled(
                    index, from: source, hasLines: outcome.hasLines, sourceEnded: outcome.hasEnded)
            })
    }

    private func check(_ index: Int) {
        // There are as many workers as parcels that are checked at once, so one is always idle.
        let worker = state.withLock { $0.idleWorkers.removeLast() }
        worker.check(parcels[index])
        progress.addRecords(UInt64(parcels[index].chunk.lineCount))
        perform(
            state.withLock { state in
                state.idleWorkers.append(worker)
                return state.flow.decoded(index, holders: 0)
            })
    }

    /// Records the first failure and ends the run.
    private func fail(_ error: ReplayError) {
        perform(
            state.withLock { state in
                if state.failure == nil { state.failure = error }
                return state.flow.stop()
            })
    }

    private func checkFailure() throws(ReplayError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
