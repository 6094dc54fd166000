import Dispatch
import SheafBytes
import SheafGroups
import Synchronization

/// Writes the snapshots of a replay with a lateness while records are read.
///
///     unit ────▶ its turn in its source? ──▶ SnapshotStream ──due──▶ output
///
/// One record is added at a time, in the order of each source, so that what is late does not depend on threads or
/// chunks. The stage has no shards and spills nothing.
final class SnapshotStage: ResultStage, @unchecked Sendable {
    // Unchecked because everything is used on the queue, except for what is constant, `isStopped` and `stopped`.
    private let queue = DispatchQueue(label: "sheaf.snapshots")
    private let snapshots: SnapshotStream
    /// Whether each source is live: a pipe, whose records arrive as they happen.
    private let areLive: [Bool]
    /// The number of sources that are read at once.
    private let openSources: Int
    /// The memory for groups and open intervals.
    private let maximumBytes: Int
    /// How fast records are released; nil for as fast as they are read.
    private var pace: RecordPace?
    private let style: String
    /// The time after which a live source is silent, in milliseconds.
    private let idle: Int64
    /// Checks whether snapshots are due because live sources are silent; nil if there are none.
    private var timer: (any DispatchSourceTimer)?
    private let isStopped = Atomic(false)
    /// Is signaled once the run ends early.
    private let stopped = DispatchSemaphore(value: 0)
    /// nil before the run begins.
    private var output: StreamOutput?
    private var units = WorkUnitOrder()
    /// The next source to be read.
    private var nextSource = 0
    /// Whether the reader of the snapshots has closed them.
    private var isClosed = false
    /// The first failure to write a snapshot, after which the run makes no checkpoint.
    private var failure: ReplayError?
    /// Whether the run was told about records that are ahead.
    private var hasWarned = false

    /// - Parameter openSources: the number of sources that are read at once.
    /// - Returns: nil if the options have no lateness.
    init?(
        _ options: ReplayOptions, names: SourceNames, sources: [Source], openSources: Int,
        budget: MemoryBudget
    ) {
        guard let timeline = options.every, let rules = options.watermark else { return nil }
        snapshots = SnapshotStream(
            timeline, rules, options.state, options.selection, options.style, names: names,
            clock: options.clock)
        idle = rules.idle
        maximumBytes = min(budget.state, Limits.maximumTableBytes)
        pace = options.speed.map { [limit = snapshots.limit] in RecordPace(speed: $0, limit) }
        style = options.snapshotStyle
        areLive = sources.map { $0.size == nil }
        self.openSources = openSources
    }

    func begin(
        _ files: ResultFiles, _ loaded: (checkpoint: Checkpoint, dumps: [StateFile])?, for run: Replay
    ) throws(ReplayError) {
        try queue.run { () throws(ReplayError) in
            output = StreamOutput(
                files.result, copyIn: run.checkpointing?.folder.path, storage: run.storage)
            if let loaded { return try resume(loaded.checkpoint, loaded.dumps, for: run) }
            try stopIfClosed(run) { () throws(ReplayError) in
                try output?.begin()
                for _ in 0..<min(openSources, areLive.count) { beginNextSource() }
                try snapshots.writeHeader { bytes throws(ReplayError) in try write(bytes) }
            }
            if areLive.contains(true) { startTimer(for: run) }
        }
    }

    private func beginNextSource() {
        guard nextSource < areLive.count else { return }
        snapshots.begin(nextSource, isLive: areLive[nextSource])
        nextSource += 1
    }

    private func startTimer(for run: Replay) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let interval = DispatchTimeInterval.milliseconds(Int(min(idle, Limits.idleCheckMilliseconds)))
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler { [weak self, weak run] in
            guard let self, let run else { return }
            self.writeAfterSilence(for: run)
        }
        self.timer = timer
        timer.resume()
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        stopped.signal()
    }

    /// Calls `body`, and ends the run if it fails. It has not failed if the reader of the snapshots has read enough,
    /// like `| head`.
    private func stopIfClosed(_ run: some ReadingRun, _ body: () throws(ReplayError) -> Void)
        throws(ReplayError)
    {
        do throws(ReplayError) {
            try body()
        } catch .writing(let cause) where cause.isClosedPipe {
            isClosed = true
            run.close()
        }
    }
}

// MARK: - Reading

extension SnapshotStage {
    func holderCount(of unit: WorkUnit) -> Int { 1 }

    func accept(_ unit: WorkUnit, for run: some ReadingRun) {
        queue.async {
            self.perform(run) { () throws(ReplayError) in
                for done in try self.add(unit) { run.release(done) }
            }
            self.report(to: run)
        }
    }

    /// Writes the snapshots that are due because live sources are silent. A checkpoint is never made meanwhile: reading a
    /// pipe can't resume.
    private func writeAfterSilence(for run: some ReadingRun) {
        guard !isStopped.load(ordering: .relaxed), !isClosed, failure == nil else { return }
        perform(run) { () throws(ReplayError) in
            try snapshots.writeDue(at: snapshots.clock.uptime()) { bytes throws(ReplayError) in
                try write(bytes)
            }
        }
        report(to: run)
    }

    private func report(to run: some ReadingRun) {
        run.reading.progress.setGroups(UInt64(snapshots.groupCount))
        run.reading.progress.setSnapshots(snapshots.writtenCount)
        warn(run)
    }

    func sourceEnded(_ source: Int, chunkCount: Int, for run: some ReadingRun) {
        queue.async {
            guard !self.isStopped.load(ordering: .relaxed) else { return }
            self.perform(run) { () throws(ReplayError) in
                self.units.end(source, chunkCount: chunkCount)
                try self.endIfRead(source)
            }
        }
    }

    private func perform(_ run: some ReadingRun, _ body: () throws(ReplayError) -> Void) {
        do {
            try stopIfClosed(run, body)
        } catch {
            run.fail(error)
        }
    }

    /// Passes on a warning of records that are ahead as soon as there is one, since a stream may never end.
    private func warn(_ run: some ReadingRun) {
        guard !hasWarned, let warning = ReplayWarning(ahead: snapshots.bounds) else { return }
        hasWarned = true
        run.warn(warning)
    }

    /// Adds a decoded work unit, or the next part of one.
    ///
    /// - Returns: the work units that are no longer needed: this one or others.
    private func add(_ unit: WorkUnit) throws(ReplayError) -> [WorkUnit] {
        guard !isStopped.load(ordering: .relaxed) else { return [] }
        units.add(unit)
        var done: [WorkUnit] = []
        while let next = units.takeNext(of: unit.source) {
            try addRecords(of: next)
            done.append(next)
        }
        try endIfRead(unit.source)
        // Without the oldest pushes, outcomes that come late are lost, but the run continues.
        while snapshots.heldBytes > maximumBytes, !snapshots.table.pushes.isEmpty {
            snapshots.table.pushes.forgetOldest()
        }
        guard snapshots.heldBytes <= maximumBytes else {
            throw .usage(
                "the groups on screen and the open intervals need more than \(maximumBytes >> 20) MiB: raise "
                    + "\(.memory), or lower \(.lateness) or \(.every)")
        }
        return done
    }

    private func endIfRead(_ source: Int) throws(ReplayError) {
        guard units.isComplete(source) else { return }
        units.remove(source)
        snapshots.end(source)
        beginNextSource()
        try snapshots.writeDue { bytes throws(ReplayError) in try write(bytes) }
    }

    /// Adds the records of a work unit in their order.
    private func addRecords(of unit: WorkUnit) throws(ReplayError) {
        unit.access.begin(.shared)
        defer { unit.access.end(.shared) }
        let bytes = unit.chunk.bytes
        try unit.forEachInOrder { record throws(ReplayError) in
            waitUntilDue(record.order, of: unit.source)
            guard !isStopped.load(ordering: .relaxed) else { return }
            try snapshots.add(record, of: unit.source, in: bytes) { bytes throws(ReplayError) in
                try write(bytes)
            }
        }
        snapshots.recordArrival(of: unit.source)
    }

    /// Waits until a record is due at the run's pace. Records without a time are due at once, and so are those that are
    /// ahead.
    private func waitUntilDue(_ order: OrderKey, of source: Int) {
        guard pace != nil, order.timestamp > 0, !snapshots.isAhead(order, of: source) else { return }
        let clock = snapshots.clock
        guard let delay = pace?.delay(of: order.timestamp, at: clock.uptime()), delay > 0 else { return }
        clock.wait(delay, stopped)
    }

    private func write(_ bytes: Span<UInt8>) throws(ReplayError) {
        do throws(ReplayError) {
            try output?.write(bytes)
        } catch {
            failure = error
            throw error
        }
    }
}

// MARK: - Writing

extension SnapshotStage {
    var updated: UInt64 { queue.sync { snapshots.updated } }
    var repeated: UInt64 { queue.sync { snapshots.repeated } }
    var runs: [StateFile] { [] }

    func finish(
        to files: inout ResultFiles, of sources: SourceTable, for run: Replay
    ) throws(ReplayError) -> ReplayResult {
        try queue.run { () throws(ReplayError) in
            timer?.cancel()
            try finish(for: run) { output throws(ReplayError) in try snapshots.finish(output) }
        }
        var found = RunCounts()
        found.tally.refusals = snapshots.refusals
        found.tally.badges = snapshots.badges
        let note = Statistics.Refusals(try run.counts(found: found).tally.refusals)?.sentence ?? ""
        let wasClosed = try queue.run { () throws(ReplayError) -> Bool in
            try finish(for: run) { output throws(ReplayError) in
                try snapshots.writeEnding(noting: note, output)
            }
            return isClosed
        }
        try files.finishResult(wasClosed: wasClosed)
        return ReplayResult(
            found: found, hidden: snapshots.hidden, groups: UInt64(snapshots.groupCount),
            late: snapshots.late,
            bounds: snapshots.bounds, forgottenPushes: snapshots.forgottenPushes)
    }

    /// Writes what is left, unless the reader of the snapshots has read enough.
    private func finish(
        for run: Replay, _ body: (SnapshotStream.Output) throws(ReplayError) -> Void
    ) throws(ReplayError) {
        guard !isClosed else { return }
        try stopIfClosed(run) { () throws(ReplayError) in
            try body { bytes throws(ReplayError) in try write(bytes) }
        }
    }

    func discard(_ files: ResultFiles, keepsComplete: Bool) -> Bool {
        // On the queue, because the stage would keep the files as long as it exists.
        queue.run {
            timer?.cancel()
            if keepsComplete, (try? keepComplete(files)) == true { return true }
            files.discard()
            return false
        }
    }

    /// Ends the file of the snapshots that are complete, and moves it into place.
    ///
    /// - Returns: false if a reader received them at once.
    private func keepComplete(_ files: ResultFiles) throws(ReplayError) -> Bool {
        if let failure { throw failure }
        guard let output, !output.isDirect else { return false }
        try snapshots.writeEnding(noting: "") { bytes throws(ReplayError) in try write(bytes) }
        try files.commitResult()
        return true
    }
}

// MARK: - Checkpoints

extension SnapshotStage {
    var heldBytes: Int { queue.sync { snapshots.heldBytes } }

    /// Writes what is on screen, the open intervals, and what is ahead.
    func dump(_ write: @Sendable (Int, (inout StateWriter) throws(ReplayError) -> Void) -> DumpResult)
        -> [DumpResult]
    {
        queue.sync {
            if let failure { return [.failure(failure)] }
            var results = [
                write(0) { writer throws(ReplayError) in try snapshots.dumpTable(to: &writer) },
                write(1) { writer throws(ReplayError) in try snapshots.dumpOpen(to: &writer) },
            ]
            if snapshots.hasAhead {
                results.append(
                    write(2) { writer throws(ReplayError) in try snapshots.dumpAhead(to: &writer) })
            }
            return results
        }
    }

    /// Returns the progress of the paused run, once what it has written is on disk.
    func snapshotProgress() throws(ReplayError) -> StreamProgress? {
        try queue.run { () throws(ReplayError) in
            if let failure { throw failure }
            try output?.sync()
            var progress = StreamProgress(style: style)
            snapshots.addNumbers(to: &progress)
            progress.outputBytes = output?.byteCount ?? 0
            progress.isDirect = output?.isDirect ?? false
            progress.nextSource = nextSource
            return progress
        }
    }

    /// Continues from a checkpoint instead of starting.
    private func resume(
        _ loaded: Checkpoint, _ dumps: [StateFile], for run: Replay
    ) throws(ReplayError) {
        guard let progress = loaded.stream, (2...3).contains(dumps.count) else {
            throw .damaged(path: run.checkpointing?.folder.newestPath ?? "", .content, offset: 0)
        }
        try snapshots.restore(
            progress, dumps[0], dumps[1], ahead: dumps.count > 2 ? dumps[2] : nil,
            records: loaded.counts.tally.records, storage: run.storage)
        try output?.resume(after: progress.outputBytes, wasDirect: progress.isDirect)
        nextSource = progress.nextSource
        // This run may read more sources at once.
        for _ in 0..<max(0, openSources - progress.sources.count) { beginNextSource() }
    }
}
