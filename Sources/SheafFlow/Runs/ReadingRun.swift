import Dispatch
import SheafBytes
import Synchronization

/// A run that reads sources: a replay or a check. The protocol's extension has the stages that both share.
///
///     sources ─▶ SourceReader ─▶ unit ───▶ Worker ─▶ unit ───▶ the run's own stages
///                └──── JobQueue: at most one job per thread ────┘
///                 ▲                                  │
///                 └─ FlowControl: a fixed number of units circulates
///
/// Between two chunks of each source, a run can be paused: open sources read on to a position from which reading can
/// restart soon, then all work units become free, and the run calls `resume` once it has saved its state.
package protocol ReadingRun: AnyObject, Sendable {
    associatedtype Worker: ChunkWorker
    /// What else the run keeps under the lock of its state.
    associatedtype OwnState: Sendable

    var reading: ReadingStages<Worker, OwnState> { get }
    /// The stages that receive processed work units.
    var stages: [any ReadingStage] { get }

    /// Called when all work units are free after a request to pause.
    func didPause()
    /// Passes on a warning that can't wait for the end of the run.
    func warn(_ warning: ReplayWarning)
    /// Returns the range of the times of the records that a result was made of; nil if none has a time that matters.
    func times(ofBranch branch: Int) -> TimeRange?
}

extension ReadingRun {
    package func didPause() { preconditionFailure("this run is never paused") }
    package func warn(_ warning: ReplayWarning) {}
    package func times(ofBranch branch: Int) -> TimeRange? { nil }
}

/// A reason to end a run of keyed lines.
struct KeyFailure {
    let source: Int
    /// The line in the source that is read; nil after the last line.
    let line: UInt64?
    let error: ReplayError

    fileprivate func precedes(_ other: KeyFailure) -> Bool {
        (source, line ?? .max) < (other.source, other.line ?? .max)
    }
}

/// The sources of a run, and what it needs to read them.
package final class ReadingStages<Worker: ChunkWorker, OwnState: Sendable>: Sendable {
    let sources: [Source]
    /// The ordinals of the sources that have yet to be read.
    fileprivate let unread: [Int]
    fileprivate let storage: any Storage
    fileprivate let chunks: ChunkSizes
    /// The limit on the memory for zstd frames; nil for none.
    let windows: WindowMemory?
    fileprivate let inflater: Inflater
    fileprivate let units: [WorkUnit]
    let jobs: JobQueue
    package let state: Mutex<State>
    package let progress = RunProgress()
    /// Whether each line has a key with its source and line. Damage then ends the run, since nothing tells which
    /// sources lack lines.
    let isKeyed: Bool
    /// Returns the position from which a source is read.
    let start: @Sendable (Int) -> SourcePosition
    /// The number of filled chunks after which the run is paused again; nil if it is paused only on request.
    let pauseInterval: Int?
    fileprivate let finished = DispatchSemaphore(value: 0)

    /// The state that changes while sources are read. Locked only briefly, a few times per chunk.
    package struct State {
        var flow: FlowControl
        var readers: [Int: SourceReader] = [:]
        package var idleWorkers: [Worker]
        var bytesRead: UInt64 = 0
        var bytesInflated: UInt64 = 0
        package var damages: [Int: SourceDamage] = [:]
        var endedSources: Set<Int> = []
        /// Whether sources are being read.
        var isReading = false
        fileprivate var hasBegun = false
        /// The open sources that have not reached a suitable position since the run was requested to pause, and the
        /// number of chunks filled from each; nil without a request.
        fileprivate(set) var pausing: [Int: Int]?
        /// The number of chunks filled, if there is an interval of pauses.
        fileprivate var fills = 0
        var failure: ReplayError?
        /// The first reason found in keyed lines to end the run, once all lines before it are decoded.
        var keyFailure: KeyFailure?
        /// The first lines of the first source, to look for the likely cause if most of the log can't be used.
        package var head: [UInt8] = []
        var own: OwnState

        /// Records a reason to end the run, unless there is one that comes before it. Reading stops, but the lines
        /// before it are decoded, so that the run always ends with the first reason.
        fileprivate mutating func record(_ failure: KeyFailure) {
            if let first = keyFailure, first.precedes(failure) { return }
            keyFailure = failure
        }

        /// Requests all open sources to pause.
        mutating func requestPause() -> [FlowControl.Action] {
            guard isReading, pausing == nil else { return [] }
            pausing = readers.mapValues { _ in 0 }
            return pauseWhenReady()
        }

        /// Records that a chunk was filled from a source, or that the source ended.
        ///
        /// - Parameter interval: the number of chunks after which the run is paused again; nil if it is not.
        fileprivate mutating func recordFill(of reader: SourceReader, _ interval: Int?) -> [FlowControl
            .Action]
        {
            var actions: [FlowControl.Action] = []
            if let interval {
                fills += 1
                if fills % interval == 0 { actions += requestPause() }
            }
            guard let before = pausing?[reader.ordinal] else { return actions }
            let isNear = reader.position.map { $0.bytesToDrop <= Limits.checkpointDropBytes } ?? true
            pausing?[reader.ordinal] = isNear || before + 1 >= Limits.checkpointFills ? nil : before + 1
            return actions + pauseWhenReady()
        }

        private mutating func pauseWhenReady() -> [FlowControl.Action] {
            pausing?.isEmpty == true ? flow.pause() : []
        }
    }

    /// - Parameters:
    ///   - unread: the ordinals of the sources that have yet to be read; nil for all of them.
    ///   - openSources: the number of sources that are read at once.
    ///   - shards: the number of shards of each branch, for which jobs are added.
    ///   - decodings: the branches of the run, which make its results: by branch, how it gets its records.
    ///   - readsItself: whether the run reads the sources, so that it needs work units.
    ///   - workers: one per thread.
    ///   - windows: the limit on the memory for zstd frames; nil for none.
    ///   - inflater: the decoder of gzip data.
    ///   - isKeyed: whether each line has a key with its source and line.
    ///   - pauseInterval: the number of filled chunks after which the run is paused again; nil for none.
    ///   - start: returns the position from which a source is read.
    package init(
        _ sources: [Source], unread: [Int]? = nil, storage: any Storage, chunks: ChunkSizes, openSources: Int,
        shards: Int = 0, decodings: [BranchDecoding] = [(branch: 0, rule: nil)], readsItself: Bool = true,
        workers: [Worker],
        windows: WindowMemory? = nil, inflater: Inflater,
        isKeyed: Bool = false, pauseInterval: Int? = nil, own: OwnState,
        start: @escaping @Sendable (Int) -> SourcePosition = { _ in .start }
    ) {
        self.isKeyed = isKeyed
        self.pauseInterval = pauseInterval
        self.start = start
        self.inflater = inflater
        self.windows = windows
        self.sources = sources
        self.storage = storage
        self.chunks = chunks
        let unread = unread ?? Array(sources.indices)
        self.unread = unread
        units = (0..<(readsItself ? Limits.chunks(threads: workers.count) : 0)).map { index in
            WorkUnit(index: index, chunks, shards: shards, decodings: decodings)
        }
        jobs = JobQueue(threads: workers.count, lanes: shards * decodings.count)
        let flow = FlowControl(
            sources: unread.count, units: Limits.chunks(threads: workers.count), openSources: openSources,
            workers: workers.count)
        state = Mutex(State(flow: flow, idleWorkers: workers, own: own))
    }

    /// Begins the run, which can be done once: afterwards its resources are gone.
    ///
    /// - Throws: `ReplayError.alreadyRun` the second time.
    package func begin() throws(ReplayError) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if !isFirst { throw .alreadyRun }
    }
}

extension ReadingRun {
    package var sources: [Source] { reading.sources }
    var isKeyed: Bool { reading.isKeyed }

    /// Reads and processes every source.
    ///
    /// - Parameter started: called once reading has started.
    /// - Throws: the first failure.
    package func readAll(started: () -> Void = {}) throws(ReplayError) {
        let sizes = sources.map(\.size)
        if !sizes.contains(nil) { reading.progress.setTotal(sizes.reduce(0) { $0 + ($1 ?? 0) }) }
        perform(
            reading.state.withLock { state in
                state.isReading = true
                return state.flow.start()
            })
        started()
        reading.finished.wait()
        let keyFailure = reading.state.withLock { state in
            state.isReading = false
            return state.keyFailure?.error
        }
        try checkFailure()
        if let keyFailure { throw keyFailure }
    }

    /// Frees the memory of the work units, once all sources are read. If the run was closed before, a source may still
    /// be read.
    func releaseUnits() {
        if reading.state.withLock({ $0.flow.isClosed }) { return }
        for unit in reading.units { unit.releaseMemory() }
    }

    func perform(_ actions: [FlowControl.Action]) {
        for action in actions {
            switch action {
            case .fill(let source, let unit):
                let reader = reader(of: reading.unread[source])
                reading.jobs.enqueueReading { self.fill(unit, by: reader, from: source) }
            case .decode(let unit):
                reading.jobs.enqueue { self.process(unit) }
            case .quiescent:
                didPause()
            case .finish:
                reading.finished.signal()
            }
        }
    }

    private func reader(of source: Int) -> SourceReader {
        reading.state.withLock { state in
            if let reader = state.readers[source] { return reader }
            let reader = SourceReader(
                sources[source], ordinal: source, storage: reading.storage, chunks: reading.chunks,
                at: reading.start(source), windows: reading.windows, inflater: reading.inflater)
            state.readers[source] = reader
            return reader
        }
    }

    /// - Parameter number: the source's index in `unread`.
    private func fill(_ index: Int, by reader: SourceReader, from number: Int) {
        if isKeyed, reading.state.withLock({ $0.keyFailure != nil }) {
            perform(
                reading.state.withLock {
                    $0.flow.filled(index, from: number, hasLines: false, sourceEnded: true)
                })
            return
        }
        let outcome: SourceReader.Outcome
        if reading.state.withLock({ $0.pausing?[reader.ordinal] != nil }) { reader.requestRestartPoint() }
        do {
            outcome = try reader.fill(reading.units[index])
        } catch {
            fail(error)
            return
        }
        // What is read after the end of the run does not count.
        if reading.state.withLock({ $0.flow.isOver }) { return }
        reading.progress.addBytes(outcome.bytesRead)
        let source = reader.ordinal
        if outcome.hasEnded {
            let count = reading.units[index].sequence + (outcome.hasLines ? 1 : 0)
            for stage in stages { stage.sourceEnded(source, chunkCount: count, for: self) }
        }
        perform(
            reading.state.withLock { state in
                state.bytesRead += outcome.bytesRead
                state.bytesInflated += outcome.bytesInflated
                state.damages[source] = outcome.damage
                // Together with the end of the source, so that the run can't end without it.
                if isKeyed, let damage = outcome.damage { recordDamage(damage, of: source, in: &state) }
                if outcome.hasEnded {
                    state.readers[source] = nil
                    state.endedSources.insert(source)
                }
                // First, so that a source that has reached a suitable position does not continue.
                let pausing = state.recordFill(of: reader, reading.pauseInterval)
                let actions = state.flow.filled(
                    index, from: number, hasLines: outcome.hasLines,
                    sourceEnded: outcome.hasEnded)
                return pausing + actions
            })
        if isKeyed { checkKeys() }
    }

    private func process(_ index: Int) {
        let unit = reading.units[index]
        if unit.source == 0, unit.sequence == 0, unit.isComplete {
            var head = unit.head(upTo: Limits.sampledBytes)
            if isKeyed { head = KeyedLines.withoutKeys(head) }
            reading.state.withLock { $0.head = head }
        }
        // There are as many workers as work units that are processed at once, so one is always idle.
        let worker = reading.state.withLock { $0.idleWorkers.removeLast() }
        reading.progress.addRecords(worker.process(unit))
        if let invalid = unit.invalidKey {
            let error = ReplayError.source(path: sources[unit.source].path, reason: invalid.reason)
            let failure = KeyFailure(source: unit.source, line: invalid.line, error: error)
            reading.state.withLock { $0.record(failure) }
        }
        let holders = stages.map { (stage: $0, count: $0.holderCount(of: unit)) }.filter { $0.count > 0 }
        let isComplete = unit.isComplete
        let actions = reading.state.withLock { state in
            state.idleWorkers.append(worker)
            return state.flow.decoded(
                index, holders: holders.reduce(0) { $0 + $1.count }, isComplete: isComplete)
        }
        for holder in holders { holder.stage.accept(unit, for: self) }
        perform(actions)
        if isKeyed { checkKeys() }
    }

    private func recordDamage(
        _ damage: SourceDamage, of source: Int, in state: inout ReadingStages<Worker, OwnState>.State
    ) {
        let rest = damage.reason.format == nil ? ", and nothing tells which lines are missing" : ""
        let error = ReplayError.source(path: sources[source].path, reason: "\(damage)\(rest)")
        state.record(KeyFailure(source: source, line: nil, error: error))
    }

    /// Ends a run of keyed lines if there is a reason, and all lines before it are decoded. It does not wait for a
    /// source that is being read: a pipe may have nothing to read for a long time.
    private func checkKeys() {
        let error = reading.state.withLock { $0.flow.isDecoded ? $0.keyFailure?.error : nil }
        if let error { fail(error) }
    }

    /// Called by each holder of a work unit when it no longer needs it.
    func release(_ unit: WorkUnit) {
        perform(reading.state.withLock { $0.flow.released(unit.index) })
    }

    /// Ends reading without a failure.
    func close() { perform(reading.state.withLock { $0.flow.close() }) }

    /// Continues a paused run, after changing its state.
    func resume(_ change: (inout OwnState) -> Void) {
        perform(
            reading.state.withLock { state in
                change(&state.own)
                state.pausing = nil
                return state.flow.resume()
            })
    }

    /// Records the first failure and ends the run.
    package func fail(_ error: ReplayError) {
        perform(
            reading.state.withLock { state in
                if state.failure == nil { state.failure = error }
                return state.flow.stop()
            })
    }

    package func checkFailure() throws(ReplayError) {
        if let failure = reading.state.withLock({ $0.failure }) { throw failure }
    }
}
