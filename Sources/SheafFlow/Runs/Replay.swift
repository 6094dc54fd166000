import Dispatch
import SheafBytes
import SheafGroups
import Synchronization

/// A replay, from its sources to its snapshot: the one place that names every stage.
///
///     sources ─▶ SourceReader ─▶ parcel ─▶ DecodeWorker ─▶ batches ─▶ Shard ─▶ SortedGroups ─▶ SnapshotWriter
///                └──────────── JobQueue: as many at once as there are threads ┘ one a shard    this thread
///                 ▲                                                           │
///                 └────── FlowControl: a fixed number of parcels go round ────┘
///
/// Shards that are full put their state on disk, where `StateFiles` merges it; `Pipeline+Checkpoint.swift` has what a run
/// keeps so that it may be killed. Memory is bounded by `MemoryBudget`. The result is a pure function of
/// the records and their order keys (specification's first paragraph): nothing here decides anything about it.
public final class Replay: Sendable {
    let options: ReplayOptions
    let storage: any Storage
    let sources: [Source]
    private let names: SourceNames
    /// The sources that are still to be read, by ordinal.
    private let unread: [Int]
    private let parcels: [Parcel]
    let shards: [Shard]
    let rejectLog: RejectLog?
    let budget: MemoryBudget
    let openFiles: OpenFiles
    let spills: SpillFolder
    let state: Mutex<RunState>
    /// nil where no run goes on where this one ends.
    let checkpointing: Checkpointing?
    private let jobs: JobQueue
    private let finished = DispatchSemaphore(value: 0)
    public let progress = Progress()

    /// What changes while the run goes on; taken for a moment a few times a chunk.
    struct RunState {
        var flow: FlowControl
        var readers: [Int: SourceReader] = [:]
        var idleWorkers: [DecodeWorker]
        var bytesRead: UInt64 = 0
        var bytesInflated: UInt64 = 0
        var damages: [Int: SourceDamage] = [:]
        var endedSources: Set<Int> = []
        var request: CheckpointRequest?
        /// nil where checkpoints are made when they are due, whatever they take.
        var pace: CheckpointPace?
        /// Chunks that were filled.
        var fills = 0
        /// Whether sources are being read: before and after that a checkpoint would not hold all that it says.
        var isReading = false
        /// A signal that ends the run behind the next checkpoint.
        var signal: Int32?
        var failure: ReplayError?
    }

    /// Finds the sources and takes what the run needs. Nothing is read or written yet, but for the rejects' file
    /// beside its target.
    ///
    /// - Throws: `ReplayError` when an option is invalid, a source can't be opened, an output can't be created or
    ///   replaces a source.
    public init(_ options: ReplayOptions, storage: any Storage = SystemStorage()) throws(ReplayError) {
        try Limits.check(options)
        self.options = options
        self.storage = storage
        let openFiles = try OpenFiles(options)
        self.openFiles = openFiles
        sources = try SourceList.expand(options.sources, storage: storage)
        names = SourceNames(sources.map(\.path))
        try OutputCheck.check(options, sources, storage: storage)
        budget = try MemoryBudget(options)
        checkpointing = try Checkpointing(options, sources, storage: storage)
        let loaded = checkpointing?.loaded
        if let checkpointing {
            spills = SpillFolder(
                checkpoint: checkpointing.folder.path, nextNumber: loaded?.nextNumber ?? 0, storage: storage,
                writers: openFiles.writers)
        } else {
            spills = try SpillFolder(options, storage: storage, writers: openFiles.writers)
        }
        let shardCount = options.threads
        let capacity = ChunkFiller.chunkCapacity(
            targetBytes: options.chunkBytes, maximumLine: options.maximumLine)
        parcels = (0..<Limits.chunks(threads: options.threads)).map { index in
            Parcel(index: index, capacity: capacity, shards: shardCount)
        }
        // Each takes as long as the configuration has apps: made once, and copied.
        let rules = GroupingRules(options.settings)
        let apps = AppCensus(options.settings)
        shards = (0..<shardCount).map {
            Shard(index: $0, count: shardCount, options: options, rules: rules)
        }
        jobs = JobQueue(threads: options.threads, shards: shardCount)
        do {
            let format = RejectFormat(names: names)
            rejectLog = try options.rejects.map { [checkpointing, spills] path throws(StorageError) in
                try RejectLog(
                    path: path, format: { format.append($0, source: $1, line: $2, text: $3, to: &$4) },
                    storage: storage, spills: spills, maximumSpools: openFiles.spools,
                    kept: checkpointing?.rejectSpools(maximumOpen: openFiles.spools),
                    syncsName: checkpointing != nil)
            }
        } catch {
            throw .output(error)
        }
        let workers = (0..<options.threads).map { _ in
            DecodeWorker(
                options: options, rules: rules, apps: apps, keepsRejects: options.rejects != nil)
        }
        unread = loaded?.unread ?? Array(sources.indices)
        let flow = FlowControl(
            sources: unread.count, parcels: parcels.count,
            openSources: openFiles.sources, workers: options.threads)
        var state = RunState(flow: flow, idleWorkers: workers)
        if let loaded { state.restore(loaded) }
        self.state = Mutex(state)
    }

    /// Ends the run as soon as may be; `run()` then throws `ReplayError.interrupted`. May be called from any
    /// thread, at any time.
    ///
    /// Where there are checkpoints one is made first; a second interrupt does not wait for it.
    public func interrupt(signal: Int32) {
        if checkpointing == nil || !endsBehindCheckpoint(signal: signal) {
            fail(.interrupted(signal: signal))
        }
    }

    /// Replays the sources and writes every output. To be called once; blocks until it is done.
    ///
    /// - Parameter willWrite: called when all is read, before the result is written.
    /// - Returns: what was counted. Rejected lines and damaged sources are in it and are no error here.
    /// - Throws: `ReplayError`; nothing is left of any output then.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> Statistics {
        let clock = ContinuousClock()
        let start = clock.now
        spills.removeAbandoned()
        do throws(ReplayError) {
            var files = try ResultFiles(options, storage: storage, syncsNames: checkpointing != nil)
            try restore()
            try readAll()
            willWrite()
            let (replaced, groups, devices) = try writeResult(to: &files)
            try onRejects { log throws(StorageError) in try log.finish() }
            var statistics = Statistics(
                try counts(replaced: replaced), sources: sources.map(\.path), groups: groups,
                spilledBytes: spills.spilledBytes, seconds: (clock.now - start) / .seconds(1))
            statistics.outputWasClosed = files.wasClosed
            statistics.warnings = warnings(statistics, devices)
            try files.write(statistics)
            spills.removeAll()
            try checkFailure()
            // Everything is written: only now are results put in place, the one that was asked for last.
            try onRejects { log throws(StorageError) in try log.commit() }
            try files.commit()
            checkpointing?.removeAll()
            return statistics
        } catch {
            fail(error)
            checkpointing?.wait()
            if let rejectLog { rejectLog.queue.sync { rejectLog.discard() } }
            // No file is begun any more.
            spills.removeAll()
            checkpointing?.removeUnneeded()
            throw error
        }
    }
}

// MARK: - Stages

extension Replay {
    /// Runs every source through decoding into the shards.
    private func readAll() throws(ReplayError) {
        let sizes = sources.map(\.size)
        if !sizes.contains(nil) { progress.setTotal(sizes.reduce(0) { $0 + ($1 ?? 0) }) }
        perform(
            state.withLock { state in
                state.isReading = true
                return state.flow.start()
            })
        startCheckpoints()
        finished.wait()
        state.withLock { $0.isReading = false }
        try checkFailure()
        if let signal = state.withLock({ $0.signal }) { throw .interrupted(signal: signal) }
        // All parcels are free: what they take is for what comes next.
        for parcel in parcels { parcel.giveBack() }
    }

    func perform(_ actions: [FlowControl.Action]) {
        for action in actions {
            switch action {
            case .fill(let source, let parcel):
                let reader = reader(of: unread[source])
                jobs.addReading { self.fill(parcel, by: reader, from: source) }
            case .decode(let parcel):
                jobs.addDecoding { self.decode(parcel) }
            case .rest:
                checkpointing?.queue.async { self.writeCheckpoint() }
            case .finish:
                finished.signal()
            }
        }
    }

    private func reader(of source: Int) -> SourceReader {
        state.withLock { state in
            if let reader = state.readers[source] { return reader }
            let reader = SourceReader(
                sources[source], ordinal: source, storage: storage, options: options,
                at: checkpointing?.start(of: source) ?? .start)
            state.readers[source] = reader
            return reader
        }
    }

    /// - Parameter number: the source's among the unread ones.
    private func fill(_ index: Int, by reader: SourceReader, from number: Int) {
        let outcome: SourceReader.Outcome
        prepareCheckpoint(reader)
        do {
            outcome = try reader.fill(parcels[index])
        } catch {
            fail(error)
            return
        }
        progress.addBytes(outcome.bytesRead)
        let source = reader.ordinal
        if outcome.hasEnded, let rejectLog {
            let chunks = parcels[index].sequence + (outcome.hasLines ? 1 : 0)
            rejectLog.queue.async { self.endRejects(of: source, chunkCount: chunks) }
        }
        perform(
            state.withLock { state in
                state.bytesRead += outcome.bytesRead
                state.bytesInflated += outcome.bytesInflated
                state.damages[source] = outcome.damage
                if outcome.hasEnded {
                    state.readers[source] = nil
                    state.endedSources.insert(source)
                }
                // First, so that a source that stands where it should does not go on.
                let pausing = state.noteFill(of: reader, by: checkpointing)
                let actions = state.flow.filled(
                    index, from: number, hasLines: outcome.hasLines,
                    sourceEnded: outcome.hasEnded)
                return pausing + actions
            })
    }

    private func decode(_ index: Int) {
        let parcel = parcels[index]
        // As many workers as parcels being decoded: there is always one.
        let worker = state.withLock { $0.idleWorkers.removeLast() }
        worker.decode(parcel)
        progress.addRecords(UInt64(parcel.chunk.lineCount))
        let holders = parcel.batches.indices.filter { !parcel.batches[$0].isEmpty }
        let actions = state.withLock { state in
            state.idleWorkers.append(worker)
            return state.flow.decoded(index, holders: holders.count + (rejectLog == nil ? 0 : 1))
        }
        for holder in holders {
            jobs.addAdding(to: holder) { self.add(parcel, to: self.shards[holder]) }
        }
        if let rejectLog { rejectLog.queue.async { self.addRejects(of: parcel) } }
        perform(actions)
    }

    private func add(_ parcel: Parcel, to shard: Shard) {
        let before = shard.groupCount
        shard.apply(parcel)
        progress.addGroups(UInt64(shard.groupCount - before))
        // Before the parcel is let go: behind the last one the shard is taken to be done.
        if shard.heldBytes > budget.shard || options.spillsAlways { spill(shard) }
        release(parcel.index)
    }

    func spill(_ shard: Shard) {
        do {
            try shard.spill(to: spills)
        } catch {
            fail(error)
        }
    }

    private func release(_ index: Int) {
        perform(state.withLock { $0.flow.released(index) })
    }

    private func addRejects(of parcel: Parcel) {
        guard let rejectLog else { return }
        do {
            for done in try rejectLog.add(parcel) { release(done.index) }
        } catch {
            fail(.writing(error))
        }
    }

    private func endRejects(of source: Int, chunkCount: Int) {
        do {
            try rejectLog?.end(source, chunkCount: chunkCount)
        } catch {
            fail(.writing(error))
        }
    }

    /// Writes what was asked for.
    ///
    /// - Returns: how many notifications were found replaced at the end, how many groups were written, and which
    ///   devices' notifications were added to groups on the disk.
    private func writeResult(to files: inout ResultFiles) throws(ReplayError) -> (
        replaced: UInt64, groups: UInt64, devices: DeviceCensus?
    ) {
        let isSpilled =
            checkpointing?.loaded?.runs.isEmpty == false
            || shards.contains { !$0.files.isEmpty || $0.foldedBytes > budget.shard }
        guard isSpilled || options.spillsAlways || options.partial != nil else {
            let sorted = try sortGroups()
            try files.writeResult { output throws(ReplayError) in
                var writer = SnapshotWriter(sorted, options: options, names: names)
                try writer.write(to: output, progress: progress) { () throws(ReplayError) in
                    try checkFailure()
                }
            }
            return (0, sorted.reduce(0) { $0 + UInt64($1.groups.count) }, nil)
        }
        var state = try spillAll()
        if options.partial != nil {
            try files.writeResult { output throws(ReplayError) in
                let header = PartialHeader(options, sources: sources.map(\.path))
                try PartialFile.write(&state, header: header, to: output) { replaced throws(ReplayError) in
                    try counts(replaced: replaced)
                }
            }
            return (state.replaced, state.groupCount, nil)
        }
        try state.fold()
        var groups: UInt64 = 0
        try files.writeResult { output throws(ReplayError) in
            groups = try state.writeSnapshot(to: output, names: names, progress: progress)
        }
        // Where the reader of the output had enough, those that were written until then.
        groups = max(groups, progress.groupsWritten)
        progress.setGroups(groups)
        return (state.replaced, groups, state.devices)
    }

    /// Puts all state on the disk: the shards beside each other.
    private func spillAll() throws(ReplayError) -> StateFiles {
        _ = onShards { self.spill($0) }
        try checkFailure()
        return StateFiles(
            try restoredRuns() + shards.flatMap(\.files), options: options, budget: budget,
            openFiles: openFiles, folder: spills, storage: storage
        ) { [self] () throws(ReplayError) in try checkFailure() }
    }

    /// Folds what can be replaced no more into its groups, and sorts each shard's groups: the shards beside each
    /// other.
    private func sortGroups() throws(ReplayError) -> [SortedShard] {
        try foldReplaceable()
        let order = options.order
        let sorted = onShards { $0.takeSorted(order) }
        try checkFailure()
        return sorted
    }

    /// A stage of its own, so that the notifications' memory is given back before sorting takes some.
    private func foldReplaceable() throws(ReplayError) {
        let replaceable = onShards { $0.takeReplaceable() }
        try checkFailure()
        _ = onShards { $0.fold(replaceable) }
        try checkFailure()
    }

    /// Runs `body` with all shards at once and returns what each one gave.
    func onShards<Result: Sendable>(_ body: @escaping @Sendable (Shard) -> Result) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: shards.count))
        DispatchQueue.concurrentPerform(iterations: shards.count) { index in
            let result = body(shards[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap { $0 } }
    }
}

// MARK: - Ends

extension Replay {
    /// Notes the first failure and ends the run.
    func fail(_ error: ReplayError) {
        perform(
            state.withLock { state in
                if state.failure == nil { state.failure = error }
                return state.flow.stop()
            })
    }

    func checkFailure() throws(ReplayError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Does something with the rejects' file, where there is one, on its queue.
    private func onRejects(_ body: (RejectLog) throws(StorageError) -> Void) throws(ReplayError) {
        guard let rejectLog else { return }
        let error = rejectLog.queue.sync { () -> StorageError? in
            do throws(StorageError) {
                try body(rejectLog)
                return nil
            } catch {
                return error
            }
        }
        if let error { throw ResultFiles.failure(of: error) }
    }

    /// What was counted.
    ///
    /// - Parameter replaced: how many notifications were found replaced after the shards were done.
    /// - Throws: `ReplayError.damaged`, when the checkpoint's files hold more notifications than it says.
    func counts(replaced: UInt64) throws(ReplayError) -> RunCounts {
        let counts = allCounts(replaced: replaced)
        if counts.updated > counts.tally.notifications, let checkpointing {
            throw .damaged(path: checkpointing.folder.newestPath, .content, offset: 0)
        }
        return counts
    }

    private func allCounts(replaced: UInt64) -> RunCounts {
        state.withLock { state in
            var counts = checkpointing?.loaded?.counts ?? RunCounts()
            for worker in state.idleWorkers { counts.tally.add(worker.tally) }
            counts.bytesRead = state.bytesRead
            counts.bytesInflated = state.bytesInflated
            counts.updated += shards.reduce(replaced) { $0 + $1.updated }
            counts.damages = state.damages.sorted { $0.key < $1.key }.map {
                RunCounts.DamagedSource(source: $0.key, damage: $0.value)
            }
            return counts
        }
    }
}
