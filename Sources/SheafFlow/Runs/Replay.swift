import Dispatch
import SheafBytes
import SheafGroups
import Synchronization

/// Replays logs, from the sources to the snapshot, and connects all the stages on the way.
///
/// ```swift
/// var options = ReplayOptions(sources: ["log.ndjson.gz"])
/// options.output = "groups.ndjson"
/// let replay = try Replay(options)
/// let statistics = try replay.run()
/// ```
///
///     sources ─▶ SourceReader ─▶ parcel ─▶ DecodeWorker ─▶ batches ─▶ Shard ─▶ SortedGroups ─▶ SnapshotWriter
///                └─────────────────── JobQueue: at most one job per thread ───┘ one per shard  this thread
///                 ▲                                                           │
///                 └────── FlowControl: a fixed number of parcels circulates ──┘
///
/// Full shards spill their state to disk, where `StateFiles` merges it. `Replay+Checkpoint.swift` has the checkpoints,
/// which allow a run to be killed and resumed. Memory is bounded by `MemoryBudget`. The result is a pure function of
/// the records and their order keys (see the introduction of the specification): nothing here influences it.
public final class Replay: Sendable {
    let options: ReplayOptions
    let storage: any Storage
    /// The number of names in folders that were skipped.
    let filesSkipped: Int
    /// The names of the sources; nil if they are known only once all keyed lines are read.
    let names: SourceNames?
    let reading: ReadingStages<DecodeWorker, Notes>
    let shards: [Shard]
    private let stateOptions: StateOptions
    let rejectLog: RejectLog?
    let budget: MemoryBudget
    let openFiles: OpenFiles
    let spills: SpillFolder
    /// nil if the run can't be resumed.
    let checkpointing: Checkpointing?

    /// The progress of the run, which may be read from any thread.
    public var progress: RunProgress { reading.progress }

    /// What a replay keeps about checkpoints while it reads.
    struct Notes {
        var request: CheckpointRequest?
        /// nil if checkpoints are made when they are due, however long they take.
        var pace: CheckpointPace?
        /// The number of chunks filled.
        var fills = 0
        /// Writes snapshots while records are read; nil if they are written at the end.
        var live: LiveStage?
        /// Whether the reader of these snapshots has closed them.
        var isOutputClosed = false
        /// A signal that ends the run after the next checkpoint.
        var signal: Int32?
        /// Called with the first warning that can't wait for the end of the run; nil once it was called.
        var warn: (@Sendable (ReplayWarning) -> Void)?
    }

    /// Finds the sources and allocates the run's resources. Nothing is read or written yet, except that the rejects
    /// file is created next to its target.
    ///
    /// - Throws: `ReplayError` if an option is invalid, a source can't be opened, or an output can't be created or
    ///   would replace a source; `ReplayError.inUse` if another run is using the checkpoint folder.
    public convenience init(_ options: ReplayOptions) throws(ReplayError) {
        try self.init(options, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(_ options: ReplayOptions, storage: any Storage) throws(ReplayError) {
        try Limits.check(options)
        self.options = options
        self.storage = storage
        let openFiles = try OpenFiles(limit: options.openFiles, threads: options.threads)
        self.openFiles = openFiles
        let sources: [Source]
        var skipped = 0
        if let named = options.namedSources, !options.isKeyed {
            sources = try SourceList.find(named, storage: storage)
        } else {
            sources = try SourceList.expand(options.sources, storage: storage) { skipped += $0 }
        }
        filesSkipped = skipped
        names =
            try options.isKeyed ? Self.keyedNames(options.namedSources) : SourceNames(SourceTable(sources))
        try OutputCheck.check(options.files, sources, storage: storage)
        budget = try MemoryBudget(options)
        checkpointing = try Checkpointing(options, sources, storage: storage)
        let loaded = checkpointing?.loaded
        if let checkpointing {
            spills = SpillFolder(
                checkpoint: checkpointing.folder.path, nextNumber: loaded?.nextNumber ?? 0, storage: storage,
                writers: openFiles.writers)
        } else {
            spills = try SpillFolder(in: options.spillFolder, storage: storage, writers: openFiles.writers)
        }
        do {
            let format = RejectFormat(names: names)
            rejectLog = try options.rejects.map { [checkpointing, spills] path throws(StorageError) in
                try RejectLog(
                    path: path,
                    format: { format.append($0, source: $1, line: $2, index: $3, text: $4, to: &$5) },
                    storage: storage, maximumSpools: openFiles.spools,
                    kept: checkpointing?.rejectSpools(maximumOpen: openFiles.spools),
                    syncsName: checkpointing != nil, makeSpoolPath: spills.makeSpoolPath)
            }
        } catch {
            throw .output(error)
        }
        // Creating these takes time proportional to the number of configured apps, so they are created once and copied.
        let state = options.state
        stateOptions = state
        let inputs = options.inputs
        let apps = AppCensus(options.settings, options.inputs)
        // A partial result has no texts yet.
        let missing = MissingTexts(options.partial == nil ? options.strings : ResolvedStrings())
        shards = (0..<options.threads).map { Shard(index: $0, count: options.threads, options: state) }
        let workers = (0..<options.threads).map { _ in
            DecodeWorker(
                state, inputs, profile: options.profile, apps: apps, keepsRejects: options.rejects != nil,
                partBytes: options.partBytes ?? Limits.partBytes(options.chunks),
                keyed: options.keyedLines, missing: missing)
        }
        reading = ReadingStages(
            sources, unread: loaded?.unread, storage: storage, chunks: options.chunks,
            openSources: openFiles.sources, shards: options.lateness == nil ? options.threads : 1,
            workers: workers,
            windows: budget.windows(), inflater: options.inflater, notes: Notes())
        if let loaded { reading.state.withLock { $0.restore(loaded) } }
    }

    /// The part of the input that an interrupted run has processed, and all of it, in bytes as stored; nil if the run does
    /// not resume one. The second number is 0 if the size of a source is unknown.
    public var resumedBytes: (processed: UInt64, total: UInt64)? {
        guard let loaded = checkpointing?.loaded else { return nil }
        let sizes = sources.map(\.size)
        return (loaded.counts.bytesRead, sizes.contains(nil) ? 0 : sizes.reduce(0) { $0 + ($1 ?? 0) })
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    ///
    /// ```swift
    /// let replay = try Replay(ReplayOptions(sources: ["logs"]))
    /// let source = DispatchSource.makeSignalSource(signal: 2)
    /// source.setEventHandler { replay.interrupt(signal: 2) }
    /// source.resume()
    /// ```
    ///
    /// If checkpoints are enabled, one is made first; a second interrupt does not wait for it.
    public func interrupt(signal: Int32) {
        if checkpointing == nil || !requestFinalCheckpoint(signal: signal) {
            fail(.interrupted(signal: signal))
            live?.stop()
        }
    }

    /// Replays the sources and writes every output. Blocks until done.
    ///
    /// - Parameter willWrite: called when all sources have been read, before the result is written.
    /// - Returns: the statistics, which include rejected lines and damaged sources; these are not errors of the run.
    /// - Throws: `ReplayError`. No output remains in that case, except that a failure to move one of several outputs
    ///   into place leaves those that were moved before, and `ReplayError.stopped`. `ReplayError.alreadyRun` if called a
    ///   second time.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> Statistics {
        try run(warn: { _ in }, willWrite: willWrite)
    }

    /// `run(willWrite:)` for a stream that may never end, and with it the statistics.
    ///
    /// - Parameters:
    ///   - warn: called once, on any thread, if a run with a lateness comes to a record whose time is ahead. The statistics
    ///     have the warning, too.
    ///   - willWrite: called when all sources have been read, before the result is written.
    public func run(
        warn: @escaping @Sendable (ReplayWarning) -> Void, willWrite: () -> Void = {}
    ) throws(ReplayError) -> Statistics {
        try reading.use.begin()
        reading.state.withLock { $0.notes.warn = warn }
        let clock = ContinuousClock()
        let start = clock.now
        spills.removeAbandoned()
        var created: ResultFiles?
        do throws(ReplayError) {
            var files = try ResultFiles(options.files, storage: storage, syncsNames: checkpointing != nil)
            created = files
            try startLive(files)
            try restore()
            try readAll(started: startCheckpoints)
            if let signal = reading.state.withLock({ $0.notes.signal }) { throw .interrupted(signal: signal) }
            // The following stages need the memory. If the reader of snapshots has closed them, a source may still be read.
            if !reading.state.withLock({ $0.notes.isOutputClosed }) { releaseParcels() }
            let sourceTable = try findSources()
            willWrite()
            let result = try writeResult(to: &files, of: sourceTable)
            try onRejects { log throws(StorageError) in try log.finish() }
            var statistics = Statistics(
                try counts(replaced: result.replaced), sources: sourceTable,
                input: options.inputIdentity, hidden: result.hidden,
                badges: options.showsBadges ? BadgeStyle(byDevice: options.byDevice) : nil,
                groups: result.groups,
                spilledBytes: spills.spilledBytes, seconds: (clock.now - start) / .seconds(1))
            statistics.late = live?.late
            statistics.outputWasClosed = files.wasClosed
            statistics.warnings = warnings(statistics, result.devices)
            try files.write(statistics)
            spills.removeAll()
            try checkFailure()
            // Everything is written. Only now are the outputs moved into place, the main result last.
            try onRejects { log throws(StorageError) in try log.commit() }
            try files.commit()
            checkpointing?.removeAll()
            return statistics
        } catch {
            fail(error)
            live?.stop()
            checkpointing?.wait()
            if let rejectLog { rejectLog.queue.sync { rejectLog.discard() } }
            // No new files are created from here on.
            spills.removeAll()
            checkpointing?.removeUnneeded()
            if case .interrupted(let signal) = error, let kept = created.flatMap(keepComplete) {
                throw .stopped(signal: signal, kept: kept)
            }
            discard(created)
            throw error
        }
    }
}

// MARK: - Stages

extension Replay: ReadingRun {
    var isKeyed: Bool { options.isKeyed }

    func start(of source: Int) -> SourcePosition { checkpointing?.start(of: source) ?? .start }

    func willFill(_ reader: SourceReader) { prepareCheckpoint(reader) }

    func noteFill(
        of reader: SourceReader, in state: inout ReadingStages<DecodeWorker, Notes>.State
    ) -> [FlowControl.Action] { state.noteFill(of: reader, by: checkpointing) }

    func didEnd(_ source: Int, chunkCount: Int) {
        if let live { live.queue.async { self.endLive(source, chunkCount: chunkCount, of: live) } }
        guard let rejectLog else { return }
        rejectLog.queue.async {
            do throws(StorageError) {
                try rejectLog.end(source, chunkCount: chunkCount)
            } catch {
                self.fail(.writing(error))
            }
        }
    }

    func holderCount(of parcel: Parcel) -> Int {
        let shards = live == nil ? parcel.batches.indices.count { parcel.hasWork(for: $0) } : 1
        return shards + (rejectLog == nil ? 0 : 1)
    }

    func pass(_ parcel: Parcel) {
        if let live {
            live.queue.async { self.addLive(parcel, to: live) }
        } else {
            passToShards(parcel)
        }
        if let rejectLog { rejectLog.queue.async { self.addRejects(of: parcel) } }
    }

    private func passToShards(_ parcel: Parcel) {
        // A shard that gets the parcel may be its last holder, so the batches must not be read after that.
        let holders = parcel.batches.indices.filter(parcel.hasWork)
        for shard in holders {
            reading.jobs.enqueueAdding(to: shard) { self.add(parcel, to: self.shards[shard]) }
        }
    }

    func didPause() { checkpointing?.queue.async { self.writeCheckpoint() } }

    private func add(_ parcel: Parcel, to shard: Shard) {
        let before = shard.groupCount
        shard.apply(parcel)
        progress.addGroups(UInt64(shard.groupCount - before))
        // Before the parcel is released: after the last release the shard is considered done.
        let borrowed = reading.windows?.borrowedBytes ?? 0
        if shard.heldBytes > budget.shard(beside: borrowed) || options.spillsAlways { spill(shard) }
        release(parcel)
    }

    func spill(_ shard: Shard) {
        do {
            try shard.spill(to: spills)
        } catch {
            fail(error)
        }
    }

    private func addRejects(of parcel: Parcel) {
        guard let rejectLog else { return }
        do {
            for done in try rejectLog.add(parcel) { release(done) }
        } catch {
            fail(.writing(error))
        }
    }

    /// What writing the result found.
    private struct Result {
        /// The number of notifications that were found to be replaced at the end.
        var replaced: UInt64 = 0
        var hidden = HiddenCounts()
        /// The number of groups written.
        var groups: UInt64 = 0
        /// The devices whose notifications were added to groups on disk.
        var devices: DeviceCensus?
    }

    /// Writes the snapshot or the partial result.
    ///
    /// - Parameter sources: the sources whose records the result has.
    private func writeResult(
        to files: inout ResultFiles, of sources: SourceTable
    ) throws(ReplayError) -> Result {
        if let live {
            try files.finishResult(wasClosed: try finishLive(live))
            return Result(hidden: live.hidden, groups: UInt64(live.groupCount))
        }
        let isSpilled =
            checkpointing?.loaded?.runs.isEmpty == false
            || shards.contains { !$0.files.isEmpty || $0.foldedBytes > budget.shard }
        guard isSpilled || options.spillsAlways || options.partial != nil || options.every != nil else {
            let (sorted, hidden) = try sortGroups()
            try files.writeResult { output throws(ReplayError) in
                var writer = SnapshotWriter(
                    sorted, top: options.top, style: options.style, names: names ?? SourceNames(sources),
                    threads: options.threads)
                try writer.write(to: output, progress: progress) { () throws(ReplayError) in
                    try checkFailure()
                }
            }
            return Result(hidden: hidden, groups: sorted.reduce(0) { $0 + UInt64($1.groups.count) })
        }
        var state = try spillAll()
        if options.partial != nil {
            try files.writeResult { output throws(ReplayError) in
                try PartialFile.write(&state, header: options.header(of: sources), to: output) {
                    replaced throws(ReplayError) in
                    try counts(replaced: replaced)
                }
            }
            return Result(replaced: state.replaced, groups: state.groupCount)
        }
        try state.fold()
        var groups: UInt64 = 0
        try files.writeResult { output throws(ReplayError) in
            groups = try state.writeSnapshot(
                to: output, style: options.style, names: names ?? SourceNames(sources),
                threads: options.threads, progress: progress)
        }
        // If the reader closed the output early, this is the number of groups written until then.
        if options.every == nil { groups = max(groups, progress.groupsWritten) }
        progress.setGroups(groups)
        return Result(
            replaced: state.replaced, hidden: state.hidden, groups: groups, devices: state.devices)
    }

    /// Spills all state to disk, all shards in parallel.
    private func spillAll() throws(ReplayError) -> StateFiles {
        _ = onShards { self.spill($0) }
        try checkFailure()
        return StateFiles(
            try restoredRuns() + shards.flatMap(\.files), stateOptions, options.selection,
            times: try counts(replaced: 0).tally.times, budget: budget, openFiles: openFiles, folder: spills,
            storage: storage, spillsAlways: options.spillsAlways
        ) { [self] () throws(ReplayError) in try checkFailure() }
    }

    /// Folds replaceable notifications, which are final by now, into their groups and sorts each shard's groups, all
    /// shards in parallel.
    ///
    /// - Returns: the groups, and how many notifications are not on screen.
    private func sortGroups() throws(ReplayError) -> (groups: [SortedShard], hidden: HiddenCounts) {
        let hidden = try foldReplaceable()
        let order = options.order
        let sorted = onShards { $0.takeSorted(order) }
        try checkFailure()
        return (sorted, hidden)
    }

    /// Folds replaceable notifications into their groups, those of one shard at a time, so that their memory is
    /// released before the next shard's notifications make groups larger. This is a separate stage, so that the memory
    /// of all of them is released before sorting allocates.
    ///
    /// - Returns: how many notifications are not on screen.
    private func foldReplaceable() throws(ReplayError) -> HiddenCounts {
        var hidden = HiddenCounts()
        var events = Judge(options.state.delivery, nil)
        for shard in shards { events.add(shard.takeEvents()) }
        let judge = events
        if judge.events.results.count > 0 { _ = onShards { $0.replaceContents(by: judge) } }
        for shard in shards {
            let replaceable = shard.takeReplaceable()
            for counts in onShards({ $0.fold(replaceable, by: judge) }) { hidden += counts }
            try checkFailure()
        }
        return hidden
    }

    /// Runs `body` on all shards in parallel and returns its results, by shard.
    func onShards<Result: Sendable>(_ body: @escaping @Sendable (Shard) -> Result) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: shards.count))
        DispatchQueue.concurrentPerform(iterations: shards.count) { index in
            let result = body(shards[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap { $0 } }
    }
}

// MARK: - Rejects and counts

extension Replay {
    /// Calls `body` with the reject log, if there is one, on the log's queue.
    private func onRejects(_ body: (RejectLog) throws(StorageError) -> Void) throws(ReplayError) {
        guard let rejectLog else { return }
        do throws(StorageError) {
            try rejectLog.queue.run { () throws(StorageError) in try body(rejectLog) }
        } catch {
            throw ResultFiles.failure(of: error)
        }
    }

    /// Returns the counts of the run.
    ///
    /// - Parameter replaced: the number of notifications found to be replaced after the shards were done.
    /// - Throws: `ReplayError.damaged` if the checkpoint's files hold more notifications than the checkpoint counts.
    func counts(replaced: UInt64) throws(ReplayError) -> RunCounts {
        let counts = allCounts(replaced: replaced)
        if counts.updated > counts.tally.notifications, let checkpointing {
            throw .damaged(path: checkpointing.folder.newestPath, .content, offset: 0)
        }
        return counts
    }

    private func allCounts(replaced: UInt64) -> RunCounts {
        reading.state.withLock { state in
            var counts = checkpointing?.loaded?.counts ?? RunCounts()
            for worker in state.idleWorkers { counts.tally.add(worker.tally) }
            counts.bytesRead = state.bytesRead
            counts.bytesInflated = state.bytesInflated
            counts.updated += shards.reduce(replaced) { $0 + $1.updated } + (state.notes.live?.updated ?? 0)
            counts.damages = state.damages.sorted { $0.key < $1.key }.map {
                RunCounts.DamagedSource(source: sources[$0.key].named?.ordinal ?? $0.key, damage: $0.value)
            }
            return counts
        }
    }
}
