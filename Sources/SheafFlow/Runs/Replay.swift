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
///     sources ─▶ SourceReader ─▶ unit ───▶ DecodeWorker ─▶ batches ─▶ Shard ─▶ SortedGroups ─▶ SnapshotWriter
///                └─────────────────── JobQueue: at most one job per thread ───┘ one per shard  this thread
///                 ▲                                                           │
///                 └────── FlowControl: a fixed number of units circulates ────┘
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
    package let reading: ReadingStages<DecodeWorker, OwnState>
    let stage: any ResultStage
    let rejectLog: RejectLog?
    let budget: MemoryBudget
    let openFiles: OpenFiles
    let spills: SpillFolder
    /// nil if the run can't be resumed.
    let checkpointing: Checkpointing?
    /// The page that the result is a section of, and where its lines are written; nil for other formats.
    private let page: PageSection?

    /// The progress of the run, which may be read from any thread.
    public var progress: RunProgress { reading.progress }

    package var stages: [any ReadingStage] { [stage] + (rejectLog.map { [$0] } ?? []) }

    /// What a replay keeps while it reads.
    package struct OwnState {
        /// nil if checkpoints are made when they are due, however long they take.
        var pace: CheckpointPace?
        /// A signal that ends the run after the next checkpoint.
        var signal: Int32?
        /// Receives the warnings that can't wait for the end of the run.
        var warn: @Sendable (ReplayWarning) -> Void = { _ in }
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
    package convenience init(_ options: ReplayOptions, storage: any Storage) throws(ReplayError) {
        try self.init(options, page: nil, storage: storage)
    }

    /// - Parameters:
    ///   - section: a page that another run writes, and where the lines of this run are written; nil for a run with a result
    ///     of its own.
    ///   - branch: the place of the replay among those of a comparison, which reads for all of them; nil for a run that reads
    ///     its sources itself.
    ///   - explaining: the question whose answer is the result; nil for snapshots or measures.
    package init(
        _ options: ReplayOptions, page section: PageSection?, branch: Branch? = nil,
        explaining: Explaining? = nil, storage: any Storage
    ) throws(ReplayError) {
        try options.validate()
        var options = options
        page = section ?? options.newPage()
        if section != nil || branch != nil || explaining?.findsPeople == true { options.output = "" }
        if let page, let measures = options.measures {
            options.measures?.receive = { row in
                measures.receive?(row)
                page.page.add(row)
            }
        }
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
        budget = try MemoryBudget(options, branches: branch?.shares ?? 1)
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
        var state = options.state
        state.shown = branch?.shown
        state.isCompared = branch != nil
        state.traced = explaining?.selection
        let inputs = options.inputs
        let apps = AppCensus(options.settings, options.inputs)
        // A partial result has no texts yet, and measures have none.
        let showsTexts = options.partial == nil && options.measures == nil && explaining == nil
        let missing = MissingTexts(showsTexts ? options.strings : ResolvedStrings())
        let snapshotStage = SnapshotStage(
            options, names: names ?? SourceNames(SourceTable(sources)), sources: sources,
            openSources: openFiles.sources, budget: budget)
        let keepsState = snapshotStage == nil && explaining == nil
        if let snapshotStage {
            stage = snapshotStage
        } else if let explaining {
            stage = ExplanationStage(options, explaining, state, budget: budget)
        } else {
            stage = GroupStage(
                options, state, budget: budget, openFiles: openFiles, spills: spills, storage: storage,
                branch: branch?.index ?? 0)
        }
        let workers = (0..<options.threads).map { [state] _ in
            DecodeWorker(
                state, inputs, profile: options.profile, apps: apps, keepsRejects: options.rejects != nil,
                partBytes: options.partBytes ?? Limits.partBytes(options.chunks),
                keyed: options.keyedLines, missing: missing,
                decidesAtEnd: keepsState)
        }
        reading = ReadingStages(
            sources, unread: loaded?.unread, storage: storage, chunks: options.chunks,
            openSources: openFiles.sources,
            shards: keepsState ? options.threads : 1, readsItself: branch == nil,
            workers: workers, windows: budget.windows(), inflater: options.inflater,
            isKeyed: options.isKeyed, pauseInterval: checkpointing?.chunks, own: OwnState(),
            start: { [checkpointing] in checkpointing?.start(of: $0) ?? .start })
        if let loaded { reading.state.withLock { $0.restore(loaded) } }
    }

    /// The part of the input that an interrupted run has processed, and all of it, in bytes as stored; nil if the run
    /// does not resume one. The second number is 0 if the size of a source is unknown.
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
            stage.stop()
        }
    }

    /// Replays the sources and writes every output. Blocks until done.
    ///
    /// - Parameter willWrite: called when all sources have been read, before the result is written.
    /// - Returns: the statistics, which include rejected lines and damaged sources; these are not errors of the run.
    /// - Throws: `ReplayError`. No output remains in that case, except that a failure to move one of several outputs
    ///   into place leaves those that were moved before, and `ReplayError.stopped`. `ReplayError.alreadyRun` if called
    ///   a second time.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> Statistics {
        try run(warn: { _ in }, willWrite: willWrite)
    }

    /// `run(willWrite:)` for a stream that may never end, and with it the statistics.
    ///
    /// - Parameters:
    ///   - warn: called once, on any thread, if a run with a lateness comes to a record whose time is ahead. The
    ///     statistics have the warning, too.
    ///   - willWrite: called when all sources have been read, before the result is written.
    public func run(
        warn: @escaping @Sendable (ReplayWarning) -> Void, willWrite: () -> Void = {}
    ) throws(ReplayError) -> Statistics {
        try reading.begin()
        reading.state.withLock { $0.own.warn = warn }
        let clock = ContinuousClock()
        let start = clock.now
        spills.removeAbandoned()
        var created: ResultFiles?
        do throws(ReplayError) {
            var files = try ResultFiles(
                options.files, page: page, storage: storage, syncsNames: checkpointing != nil)
            created = files
            try stage.begin(files, restored(), for: self)
            try readAll(started: startCheckpoints)
            if let signal = reading.state.withLock({ $0.own.signal }) { throw .interrupted(signal: signal) }
            // Writing needs the memory.
            releaseUnits()
            let sourceTable = try findSources()
            willWrite()
            let result = try stage.finish(to: &files, of: sourceTable, for: self)
            try rejectLog?.run { () throws(StorageError) in try rejectLog?.finish() }
            var statistics = try statistics(
                of: result, sources: sourceTable, seconds: (clock.now - start) / .seconds(1))
            statistics.outputWasClosed = files.wasClosed
            try files.write(statistics)
            spills.removeAll()
            try checkFailure()
            // Everything is written. Only now are the outputs moved into place, the main result last.
            try rejectLog?.run { () throws(StorageError) in try rejectLog?.commit() }
            try files.commit()
            checkpointing?.removeAll()
            return statistics
        } catch {
            fail(error)
            stage.stop()
            checkpointing?.wait()
            if let rejectLog { rejectLog.queue.sync { rejectLog.discard() } }
            // No new files are created from here on.
            spills.removeAll()
            checkpointing?.removeUnneeded()
            guard let created else { throw error }
            if case .interrupted(let signal) = error, checkpointing == nil {
                if stage.discard(created, keepsComplete: true) {
                    throw .stopped(signal: signal, kept: options.files.result)
                }
            } else {
                _ = stage.discard(created, keepsComplete: false)
            }
            throw error
        }
    }
}

/// The place of a replay among those of a comparison.
package struct Branch: Sendable {
    let index: Int
    /// The number of replays and sorters that share the memory for state equally.
    let shares: Int
    /// Receives each notification that is shown, with its group; nil if nothing needs them.
    var shown: ShownNotifications?
}

extension Replay {
    /// Returns the statistics of the run with its warnings, once the result is written.
    func statistics(
        of result: ReplayResult, sources: SourceTable, seconds: Double
    ) throws(ReplayError) -> Statistics {
        var statistics = Statistics(
            try counts(found: result.found), sources: sources,
            input: options.inputIdentity, hidden: result.hidden,
            badgesByDevice: options.showsBadges ? options.byDevice : nil,
            groups: result.groups,
            spilledBytes: spills.spilledBytes, seconds: seconds)
        statistics.late = result.late
        statistics.ahead = result.bounds?.ahead ?? 0
        statistics.warnings = warnings(statistics, result, of: sources)
        result.people?.add(to: &statistics)
        return statistics
    }
}

// MARK: - Reading

extension Replay: ReadingRun {
    package func didPause() { checkpointing?.queue.async { self.writeCheckpoint() } }

    package func warn(_ warning: ReplayWarning) { reading.state.withLock { $0.own.warn }(warning) }

    package func times(ofBranch branch: Int) -> TimeRange? { allCounts.tally.times }

    /// Returns the counts of the run.
    ///
    /// - Parameter found: what was found after the shards were done.
    /// - Throws: `ReplayError.damaged` if the checkpoint's files hold more notifications than the checkpoint counts.
    func counts(found: RunCounts = RunCounts()) throws(ReplayError) -> RunCounts {
        var counts = allCounts
        guard found.tally.refusals.total <= counts.tally.notifications || checkpointing == nil else {
            throw .damaged(path: checkpointing?.folder.newestPath ?? "", .content, offset: 0)
        }
        counts.add(found: found)
        if counts.updated + counts.repeated > counts.tally.notifications, let checkpointing {
            throw .damaged(path: checkpointing.folder.newestPath, .content, offset: 0)
        }
        return counts
    }

    private var allCounts: RunCounts {
        let (updated, repeated) = (stage.updated, stage.repeated)
        return reading.state.withLock { state in
            var counts = checkpointing?.loaded?.counts ?? RunCounts()
            for worker in state.idleWorkers { counts.add(worker.tally) }
            counts.bytesRead = state.bytesRead
            counts.bytesInflated = state.bytesInflated
            counts.updated &+= updated
            counts.repeated += repeated
            counts.damages = state.damages.orderedByKey().map {
                RunCounts.DamagedSource(source: sources[$0.key].named?.ordinal ?? $0.key, damage: $0.value)
            }
            return counts
        }
    }
}

// MARK: - Keyed lines

/// Keyed lines: the sources of a run are streams of lines of other sources, which their keys refer to.
extension Replay {
    /// Returns the names of the sources that keys refer to; nil if they are not listed.
    ///
    /// - Parameter listed: the sources, in the order of their ordinals; nil if they are not listed.
    /// - Throws: `ReplayError.usage` if an ordinal is invalid.
    static func keyedNames(_ listed: [NamedSource]?) throws(ReplayError) -> SourceNames? {
        guard let listed else { return nil }
        try SourceList.checkOrdinals(of: listed)
        return SourceNames(SourceTable(listed))
    }

    /// Returns the sources whose records the run has, once all lines are read.
    ///
    /// - Throws: `ReplayError.source` if a line of one of them certainly occurs more than once.
    func findSources() throws(ReplayError) -> SourceTable {
        guard isKeyed else { return SourceTable(sources) }
        var sets = LineSets()
        for found in reading.state.withLock({ $0.idleWorkers.compactMap(\.lineSets) }) { sets.add(found) }
        let listed = options.namedSources.map { SourceTable($0) }
        var entries: [SourceTable.Entry] = []
        for element in sets.sorted {
            let name = listed?.name(of: element.ordinal) ?? String(element.ordinal)
            let lines = element.lines
            if lines.hasRepeated {
                throw .source(
                    path: name,
                    reason:
                        "\(lines.count) lines have the ordinal \(element.ordinal), but their line numbers are from "
                        + "\(lines.first) to \(lines.last): at least one is repeated")
            }
            entries.append(SourceTable.Entry(ordinal: element.ordinal, name: name, lines: lines))
        }
        return SourceTable(named: entries)
    }
}

extension SourceTable {
    /// Creates the table of sources that may or may not occur.
    fileprivate init(_ listed: [NamedSource]) {
        self.init(named: listed.map { Entry(ordinal: $0.ordinal, name: $0.name) })
    }
}
