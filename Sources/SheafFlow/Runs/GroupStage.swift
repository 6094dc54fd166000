import SheafBytes
import SheafGroups
import Synchronization

/// Groups the notifications of a replay in shards, and writes the result once all sources have been read.
///
///     unit ───▶ Shard, one per thread ─ full ─▶ a sorted run on disk
///                 └─▶ SortedGroups ─▶ SnapshotWriter      if everything fits in memory
///                 └─▶ StateFiles   ─▶ SnapshotWriter      if state was spilled, or over time
final class GroupStage: ResultStage {
    private let options: ReplayOptions
    private let stateOptions: StateOptions
    private let shards: [Shard]
    private let budget: MemoryBudget
    private let openFiles: OpenFiles
    private let spills: SpillFolder
    private let storage: any Storage
    /// The number of the run's result among those that it makes of the records.
    private let branch: Int
    /// The runs that the loaded checkpoint names.
    private let restoredRuns = Mutex<[StateFile]>([])

    init(
        _ options: ReplayOptions, _ state: StateOptions, budget: MemoryBudget, openFiles: OpenFiles,
        spills: SpillFolder, storage: any Storage, branch: Int = 0
    ) {
        self.options = options
        self.branch = branch
        stateOptions = state
        self.budget = budget
        self.openFiles = openFiles
        self.spills = spills
        self.storage = storage
        shards = (0..<options.threads).map { Shard(index: $0, count: options.threads, options: state) }
    }

    var heldBytes: Int { shards.reduce(0) { $0 + $1.heldBytes } }
    var updated: UInt64 { shards.reduce(0) { $0 + $1.updated } }
    var repeated: UInt64 { 0 }
    var runs: [StateFile] { shards.flatMap(\.files) }

    func stop() {}

    func discard(_ files: ResultFiles, keepsComplete: Bool) -> Bool {
        files.discard()
        return false
    }
}

// MARK: - Reading

extension GroupStage {
    func holderCount(of unit: WorkUnit) -> Int {
        let unit = unit.ofBranch(branch)
        return shards.indices.count { unit.hasWork(for: $0) }
    }

    func accept(_ unit: WorkUnit, for run: some ReadingRun) {
        let unit = unit.ofBranch(branch)
        // A shard that gets the work unit may be its last holder, so the batches must not be read after that.
        let holders = shards.indices.filter(unit.hasWork)
        for shard in holders {
            run.reading.jobs.enqueue(inLane: branch * shards.count + shard) {
                self.add(unit, to: self.shards[shard], for: run)
            }
        }
    }

    func sourceEnded(_ source: Int, chunkCount: Int, for run: some ReadingRun) {}

    private func add(_ unit: WorkUnit, to shard: Shard, for run: some ReadingRun) {
        let before = shard.groupCount
        shard.apply(unit)
        run.reading.progress.addGroups(UInt64(shard.groupCount - before))
        // Before the work unit is released: after the last release the shard is considered done.
        let borrowed = run.reading.windows?.borrowedBytes ?? 0
        if shard.heldBytes > budget.shard(beside: borrowed) || options.spillsAlways { spill(shard, for: run) }
        run.release(unit)
    }

    private func spill(_ shard: Shard, for run: some ReadingRun) {
        do {
            try shard.spill(to: spills)
        } catch {
            run.fail(error)
        }
    }
}

// MARK: - Writing

extension GroupStage {
    func finish(
        to files: inout ResultFiles, of sources: SourceTable, for run: Replay
    ) throws(ReplayError) -> ReplayResult {
        if let measures = options.measures, let (all, result) = try measureShards(for: run) {
            var all = all
            try files.writeResult { output throws(ReplayError) in
                try all.write(measures, options.format, timeline, to: output) { () throws(ReplayError) in
                    try run.checkFailure()
                }
            }
            return result
        }
        if options.partial != nil {
            var result = ReplayResult()
            try files.writeResult { output throws(ReplayError) in
                result = try writePartial(of: sources, to: output, for: run)
            }
            return result
        }
        if let measures = options.measures {
            var state = try spillAll(for: run)
            let people = try state.writeMeasures(measures, options.format, to: &files)
            return ReplayResult(
                found: state.found, hidden: state.hidden, devices: devices(state.devices),
                people: people)
        }
        let (groups, found, hidden, other) = try finishGroups(for: run)
        var count = groups.count ?? 0
        try files.writeResult { output throws(ReplayError) in
            count = try groups.write(
                to: output, options.style.noting(try run.counts(found: found)),
                names: run.names ?? SourceNames(sources), threads: options.threads, progress: run.progress
            ) { () throws(ReplayError) in try run.checkFailure() }
        }
        // If the reader closed the output early, this is the number of groups written until then.
        if options.every == nil { count = max(count, run.progress.groupsWritten) }
        if groups.count == nil { run.progress.setGroups(count) }
        return ReplayResult(found: found, hidden: hidden, groups: count, devices: devices(other))
    }

    /// Writes all state as a partial result, once all sources have been read.
    func writePartial(
        of sources: SourceTable, to output: any ByteOutput, for run: Replay
    ) throws(ReplayError) -> ReplayResult {
        var state = try spillAll(for: run)
        try PartialFile.write(&state, header: options.header(of: sources), to: output) {
            found throws(ReplayError) in
            try run.counts(found: found)
        }
        return ReplayResult(found: state.found, groups: state.groupCount)
    }

    private var timeline: Timeline { stateOptions.timeline ?? .whole }

    /// Whether state is in files, or would not fit in memory with all notifications in groups.
    private var isSpilled: Bool {
        !restoredRuns.withLock { $0.isEmpty }
            || shards.contains { !$0.files.isEmpty || $0.foldedBytes > budget.shard }
    }

    /// The groups of all notifications, what was found of these, and the census of devices as far as it comes from files.
    typealias Finished = (
        groups: FinishedGroups, found: RunCounts, hidden: VerdictCounts, devices: DeviceCensus?
    )

    /// Returns the groups of all notifications, once all sources have been read.
    ///
    /// - Returns: the groups, what was found of their notifications, and the census of devices as far as it comes from files.
    func finishGroups(
        for run: some ReadingRun
    ) throws(ReplayError) -> Finished {
        if let timeline = stateOptions.timeline, let finished = try finishInMemory(timeline, for: run) {
            return finished
        }
        if isSpilled || options.spillsAlways || stateOptions.timeline != nil || stateOptions.hasWaiting {
            var state = try spillAll(for: run)
            try state.fold()
            return (.files(state), state.found, state.hidden, state.devices)
        }
        var found = RunCounts()
        let hidden = try foldReplaceable(for: run, &found)
        let order = options.order
        let sorted = shards.concurrentMap { $0.takeSorted(order) }
        try run.checkFailure()
        return (.shards(sorted, top: options.top), found, hidden, nil)
    }

    /// Returns the groups of a timeline; nil if they are not in memory, or would not fit.
    private func finishInMemory(
        _ timeline: Timeline, for run: some ReadingRun
    ) throws(ReplayError) -> Finished? {
        let clock = SnapshotClock(timeline, run.times(ofBranch: branch))
        guard !isSpilled, !options.spillsAlways, !stateOptions.hasWaiting,
            canHoldLines(clock)
        else { return nil }
        let judge = takeJudge(stateOptions.versions)
        let folded = shards.concurrentMap { shard in
            Result { () throws(ReplayError) -> (RunCounts, VerdictCounts, DeviceCensus?) in
                var state = self.files([], threads: self.shards.count, for: run)
                var windows = self.shards.map { _ in
                    NotificationWindow<StateFiles.LifetimePart>(
                        capacity: min(
                            Limits.prefetchedRecords,
                            max(1, Limits.collectedNotifications / self.shards.count)))
                }
                try state.forEachSpan(of: shard.takeReplaceable(), clock, judge) { part, bytes in
                    let shard = self.shard(of: part.hash, ofPerson: part.record, in: bytes)
                    windows[shard.index].append { texts in
                        texts.removeAll(keepingCapacity: true)
                        texts.append(bytes.extracting(first: part.record.textEnd))
                        return part
                    }
                    if windows[shard.index].isFull { shard.add(&windows[shard.index]) }
                }
                for shard in self.shards { shard.add(&windows[shard.index]) }
                return (state.found, state.hidden, state.devices)
            }
        }
        var (found, hidden) = (RunCounts(), VerdictCounts())
        var devices: [DeviceCensus?] = []
        found.tally.badges.record(from: judge, byDevice: stateOptions.byDevice)
        for item in folded {
            let (counts, verdicts, census) = try item.get()
            found.add(counts, sourceOffset: 0)
            hidden += verdicts
            devices.append(census)
        }
        let byDevice = stateOptions.byDevice
        let timelines = shards.concurrentMap { TimelineShard($0.takeTable(), clock, byDevice: byDevice) }
        let order = TimelineShard.makeLines(timelines, options.selection)
        try run.checkFailure()
        return (.timeline(timelines, order: order), found, hidden, Self.merged(devices))
    }

    /// Whether the lines of a timeline surely fit in memory.
    private func canHoldLines(_ clock: SnapshotClock) -> Bool {
        let (last, overflows) = clock.last.subtractingReportingOverflow(clock.first)
        guard !overflows, last < .max, shards.count <= UInt16.max else { return false }
        var bytes = shards.reduce(0) {
            $0 + $1.timelineBytes(UInt64(last + 1), lineBytes: TimelineGroups.lineBytes)
        }
        if options.emit == .all {
            // There are too many snapshots, which is an error.
            guard last < Limits.snapshots else { return false }
            let groups = shards.reduce(0) { $0 + $1.groupCount }
            let (lines, areTooMany) = groups.multipliedReportingOverflow(by: Int(last + 1))
            guard !areTooMany, lines < budget.state else { return false }
            bytes += lines * TimelineGroups.lineBytes
        }
        return bytes <= budget.state
    }

    /// Removes the events of all shards, which decide what is on screen.
    ///
    /// - Parameter timeline: the intervals of the events; nil for a single one.
    private func takeJudge(_ timeline: Timeline?) -> Judge {
        var judge = Judge(stateOptions.delivery, timeline)
        for shard in shards { judge.add(shard.takeEvents()) }
        return judge
    }

    /// Returns state files of the run.
    ///
    /// - Parameter threads: the number of threads that merge files at once.
    private func files(_ files: [StateFile], threads: Int, for run: some ReadingRun) -> StateFiles {
        StateFiles(
            files, stateOptions, options.selection, times: run.times(ofBranch: branch), budget: budget,
            openFiles: openFiles, folder: spills, storage: storage, spillsAlways: options.spillsAlways,
            threads: threads
        ) { () throws(ReplayError) in try run.checkFailure() }
    }

    /// Measures everyone, once all sources have been read.
    func finishMeasurement(for run: some ReadingRun) throws(ReplayError) -> (Measurement, ReplayResult) {
        if let measured = try measureShards(for: run) { return measured }
        var state = try spillAll(for: run)
        var measurement = state.measurement(options.measures ?? MeasureOptions())
        try state.measure(timeline, &measurement)
        return (
            measurement,
            ReplayResult(found: state.found, hidden: state.hidden, people: measurement.people)
        )
    }

    /// Returns the census of the shards and of files.
    private func devices(_ other: DeviceCensus?) -> DeviceCensus? {
        Self.merged([other] + shards.map(\.devices))
    }

    private static func merged(_ censuses: [DeviceCensus?]) -> DeviceCensus? {
        var all: DeviceCensus?
        for census in censuses.compactMap(\.self) {
            if all == nil { all = census } else { all?.add(census) }
        }
        return all
    }

    /// Whether the shards can be measured in parallel, with their groups in memory. A shard has all records of its people.
    private func canMeasureInMemory(_ measures: MeasureOptions) -> Bool {
        !isSpilled && options.partial == nil && !options.spillsAlways && !stateOptions.hasWaiting
            && !measures.writesCells && heldBytes <= budget.state / 2
    }

    /// Measures all shards in parallel; nil if that is not possible in memory.
    private func measureShards(
        for run: some ReadingRun
    ) throws(ReplayError) -> (Measurement, ReplayResult)? {
        guard let measures = options.measures, canMeasureInMemory(measures) else { return nil }
        let judge = takeJudge(stateOptions.versions)
        let timeline = timeline
        let measured = shards.concurrentMap { shard in
            Result { () throws(ReplayError) -> (RunCounts, VerdictCounts, Measurement) in
                let groups = SortedShard(
                    SortedGroups(shard.takeTable(), order: .key, byDevice: true, ties: .oldestFirst))
                let notifications = try shard.takeNotifications(self.spills)
                var state = self.files(notifications, threads: self.shards.count, for: run)
                var measurement = state.measurement(measures)
                try state.measure(timeline, &measurement, shared: (groups, judge))
                return (state.found, state.hidden, measurement)
            }
        }
        var result = ReplayResult(people: MeasuredPeople())
        result.found.tally.badges.record(from: judge, byDevice: true)
        var all: Measurement?
        for item in measured {
            let (found, hidden, measurement) = try item.get()
            result.found.add(found, sourceOffset: 0)
            result.hidden += hidden
            if all == nil { all = measurement } else { try all?.add(measurement) }
        }
        guard let all else { preconditionFailure("a run without shards") }
        result.people = all.people
        return (all, result)
    }

    /// Folds replaceable notifications, which are final by now, into their groups, those of one shard at a time unless
    /// their groups are in the same shard, so that their memory is released before the next shard's notifications make
    /// groups larger. This is a separate stage, so that the memory of all of them is released before sorting allocates.
    ///
    /// - Parameter found: the badges that settings let count are added.
    /// - Returns: what the verdicts on the notifications add up to.
    private func foldReplaceable(
        for run: some ReadingRun, _ found: inout RunCounts
    ) throws(ReplayError) -> VerdictCounts {
        var hidden = VerdictCounts()
        let judge = takeJudge(nil)
        found.tally.badges.record(from: judge, byDevice: stateOptions.byDevice)
        if judge.replacesContents {
            _ = shards.concurrentMap { $0.replaceContents(by: judge) }
        } else {
            // Their groups are in the same shards. A thread that is done with its own shard helps with the others: some
            // groups have many notifications.
            let counts = shards.concurrentMap { own in
                (self.shards[own.index...] + self.shards[..<own.index]).reduce(into: VerdictCounts()) {
                    $0 += $1.foldSingle(by: judge)
                }
            }
            for counts in counts { hidden += counts }
        }
        guard !stateOptions.isByPerson else {
            // The groups are in the same shards.
            for counts in shards.concurrentMap({ $0.fold($0.takeReplaceable(), by: judge) }) {
                hidden += counts
            }
            return hidden
        }
        for shard in shards {
            let replaceable = shard.takeReplaceable()
            for counts in shards.concurrentMap({ $0.fold(replaceable, by: judge) }) { hidden += counts }
            try run.checkFailure()
        }
        return hidden
    }

    /// Spills all state to disk, all shards in parallel.
    private func spillAll(for run: some ReadingRun) throws(ReplayError) -> StateFiles {
        _ = shards.concurrentMap { self.spill($0, for: run) }
        try run.checkFailure()
        return files(restoredRuns.withLock { $0 } + runs, threads: 1, for: run)
    }
}

// MARK: - Checkpoints

extension GroupStage {
    func dump(_ write: @Sendable (Int, (inout StateWriter) throws(ReplayError) -> Void) -> DumpResult)
        -> [DumpResult]
    {
        withoutActuallyEscaping(write) { write in
            shards.concurrentMap { shard in
                write(shard.index) { writer throws(ReplayError) in try shard.dump(to: &writer) }
            }
        }
    }

    func snapshotProgress() throws(ReplayError) -> StreamProgress? { nil }

    func begin(
        _ files: ResultFiles, _ loaded: (checkpoint: Checkpoint, dumps: [StateFile])?, for run: Replay
    ) throws(ReplayError) {
        guard let loaded else { return }
        let runs = try run.restoredRuns()
        restoredRuns.withLock { $0 = runs }
        // The records of a dump are in any order, and those of one group may be in many dumps: only the sum of all
        // notifications guarantees that the records can be added.
        var notifications: UInt64 = 0
        for file in loaded.dumps {
            try restoreNotifications(file, &notifications)
            try restoreGroups(file, &notifications)
        }
    }

    /// Adds a record's notifications to a sum; returns false if it exceeds the maximum of a group, or if the file can't
    /// hold such a record.
    private func canAdd(
        _ entry: some StateRecord, to notifications: inout UInt64, _ bytes: Span<UInt8>, of file: StateFile
    ) -> Bool {
        notifications += entry.notificationCount
        return notifications <= EncodedGroup.maximumCount && file.canHold(entry, notifications, in: bytes)
    }

    private func restoreNotifications(
        _ file: StateFile, _ notifications: inout UInt64
    ) throws(ReplayError) {
        var reader = try StateReader(file, section: .notifications, storage: storage)
        while try reader.advance() {
            let bytes = reader.bytes
            guard let entry = NotificationEntry(bytes, of: file),
                canAdd(entry, to: &notifications, bytes, of: file)
            else { throw reader.damage() }
            let shard: Shard
            if entry.isWaiting {
                shard = self.shard(of: entry.newest.lineAndIndex &* UInt64.goldenRatio)
                shard.restore(waiting: bytes)
            } else if let event = entry.event {
                shard = self.shard(of: Routing.hash(event, in: bytes))
                shard.restore(event, in: bytes)
            } else {
                let item = RoutedRecord(entry.record, byDevice: options.byDevice, in: bytes)
                shard = self.shard(of: item.shardHash, ofPerson: entry.record, in: bytes)
                shard.restore(item, in: bytes)
            }
            try spillIfFull(shard)
        }
    }

    private func restoreGroups(_ file: StateFile, _ notifications: inout UInt64) throws(ReplayError) {
        var reader = try StateReader(file, section: .groups, storage: storage)
        while try reader.advance() {
            let bytes = reader.bytes
            guard let entry = GroupEntry(bytes, of: file), canAdd(entry, to: &notifications, bytes, of: file)
            else { throw reader.damage() }
            let hash = Routing.groupHash(entry.group.leading, in: bytes)
            let shard = shard(of: hash, ofPerson: entry.group.leading, in: bytes)
            shard.restore(entry.group, in: bytes, hash: hash)
            try spillIfFull(shard)
        }
    }

    /// Returns the shard of a record with a hash, or that of its person.
    private func shard(of hash: UInt64, ofPerson record: NotificationRecord, in bytes: Span<UInt8>) -> Shard {
        shard(of: stateOptions.isByPerson ? Routing.personHash(record, in: bytes) : hash)
    }

    private func shard(of hash: UInt64) -> Shard { shards[Routing.shard(of: hash, count: shards.count)] }

    private func spillIfFull(_ shard: Shard) throws(ReplayError) {
        if shard.heldBytes > budget.shard { try shard.spill(to: spills) }
    }
}
