import Dispatch
import SheafBytes
import SheafGroups

// A checkpoint is made between two chunks of each source:
//
//     request ──▶ open sources reach a stopping point ──▶ pause ──▶ parcels are free ──▶ state is written ──▶ resume
//                                                                                                └─▶ sync, rename
//
// The run is paused only while the state is written to the operating system; it is synced to disk in the background.

extension Replay {
    /// Returns the spilled runs that the loaded checkpoint names.
    func restoredRuns() throws(ReplayError) -> [StateFile] {
        guard let checkpointing, let loaded = checkpointing.loaded else { return [] }
        var runs: [StateFile] = []
        for name in loaded.runs {
            var run = file(name, .run, of: loaded, in: checkpointing.folder)
            run.largestFrame = try StateFile.largestFrame(of: run.path, storage: storage)
            runs.append(run)
        }
        return runs
    }

    /// Returns a state file that the checkpoint names.
    private func file(
        _ name: String, _ magic: FrameMagic, of checkpoint: Checkpoint, in folder: CheckpointFolder
    ) -> StateFile {
        StateFile(
            path: folder.path + name, magic: magic, sources: checkpoint.header.sources.ordinals,
            notificationCount: checkpoint.counts.tally.notifications - checkpoint.counts.updated,
            appliesRemovals: checkpoint.header.input.appliesRemovals,
            tracksDelivery: checkpoint.header.input.tracksDelivery,
            timeline: checkpoint.header.input.timeline, rules: checkpoint.header.state.rules)
    }

    /// Restores the state that was in memory.
    func restore() throws(ReplayError) {
        guard let checkpointing, let loaded = checkpointing.loaded else { return }
        progress.addBytes(loaded.counts.bytesRead)
        progress.addRecords(loaded.counts.tally.records)
        if let live, let liveProgress = loaded.live {
            return try resume(live, liveProgress, loaded, in: checkpointing.folder)
        }
        var restored = RestoredSums()
        for name in loaded.dumps {
            let file = file(name, .dump, of: loaded, in: checkpointing.folder)
            try restoreNotifications(file, &restored)
            try restoreGroups(file, &restored)
        }
    }

    private func resume(
        _ live: LiveStage, _ progress: LiveProgress, _ loaded: Checkpoint, in folder: CheckpointFolder
    ) throws(ReplayError) {
        guard loaded.dumps.count == 2 else {
            throw .damaged(path: folder.newestPath, .content, offset: 0)
        }
        let files = loaded.dumps.map { file($0, .dump, of: loaded, in: folder) }
        try live.queue.run { () throws(ReplayError) in
            try live.resume(
                progress, files[0], files[1], records: loaded.counts.tally.records, storage: storage)
        }
    }

    /// The sums over the dumps read so far. Their records are in any order, and those of one group may be in many
    /// dumps: only these sums guarantee that the records can be added.
    private struct RestoredSums {
        var notifications: UInt64 = 0

        /// Adds a record's notifications; returns false if the sum exceeds the maximum of a group, or if the file can't
        /// hold such a record.
        mutating func add(_ entry: some StateRecord, _ bytes: Span<UInt8>, of file: StateFile) -> Bool {
            notifications += entry.notificationCount
            return notifications <= EncodedGroup.maximumCount && file.canHold(entry, notifications, in: bytes)
        }
    }

    private func restoreNotifications(
        _ file: StateFile, _ restored: inout RestoredSums
    ) throws(ReplayError) {
        var reader = try StateReader(file, section: .notifications, storage: storage)
        while try reader.advance() {
            let bytes = reader.bytes
            guard let entry = NotificationEntry(bytes, of: file), restored.add(entry, bytes, of: file)
            else { throw reader.damage() }
            let shard: Shard
            if let event = entry.event {
                shard = self.shard(of: Routing.hash(event, in: bytes))
                shard.restore(event, in: bytes)
            } else {
                let item = RoutedRecord(entry.record, byDevice: options.byDevice, in: bytes)
                shard = self.shard(of: item.identityHash)
                shard.restore(item, in: bytes)
            }
            try spillIfFull(shard)
        }
    }

    private func shard(of hash: UInt64) -> Shard { shards[Routing.shard(of: hash, count: shards.count)] }

    private func restoreGroups(_ file: StateFile, _ restored: inout RestoredSums) throws(ReplayError) {
        var reader = try StateReader(file, section: .groups, storage: storage)
        while try reader.advance() {
            let bytes = reader.bytes
            guard let entry = GroupEntry(bytes, of: file), restored.add(entry, bytes, of: file)
            else { throw reader.damage() }
            let group = entry.group
            let hash = Routing.groupHash(group.leading, in: bytes)
            let shard = shard(of: hash)
            shard.restore(group, in: bytes, hash: hash)
            try spillIfFull(shard)
        }
    }

    private func spillIfFull(_ shard: Shard) throws(ReplayError) {
        if shard.heldBytes > budget.shard { try shard.spill(to: spills) }
    }
}

// MARK: - Requests

extension Replay {
    /// Schedules the first checkpoint.
    func startCheckpoints() {
        guard let checkpointing, checkpointing.chunks == nil else { return }
        if checkpointing.isPaced { reading.state.withLock { $0.notes.pace = CheckpointPace(start: .now) } }
        requestCheckpoint(after: checkpointing.interval)
    }

    private func requestCheckpoint(after interval: Duration) {
        checkpointing?.queue.asyncAfter(deadline: .now() + (interval / .seconds(1))) { [weak self] in
            self?.requestCheckpoint()
        }
    }

    private func requestCheckpoint() { perform(reading.state.withLock { $0.requestCheckpoint() }) }

    /// Requests a checkpoint after which the run ends; returns false if one was already requested or none can be made.
    func requestFinalCheckpoint(signal: Int32) -> Bool {
        let (isFirst, actions) = reading.state.withLock { state in
            guard state.isReading, state.notes.signal == nil, state.failure == nil else {
                return (false, [FlowControl.Action]())
            }
            state.notes.signal = signal
            return (true, state.requestCheckpoint())
        }
        perform(actions)
        return isFirst
    }

    /// Requests a restart point from a source that a checkpoint is waiting for.
    func prepareCheckpoint(_ reader: SourceReader) {
        guard checkpointing != nil else { return }
        if reading.state.withLock({ $0.notes.request?.waiting[reader.ordinal] != nil }) {
            reader.requestRestartPoint()
        }
    }
}

extension ReadingStages<DecodeWorker, Replay.Notes>.State {
    /// Restores the counts of a checkpoint.
    mutating func restore(_ checkpoint: Checkpoint) {
        bytesRead = checkpoint.counts.bytesRead
        bytesInflated = checkpoint.counts.bytesInflated
        for item in checkpoint.counts.damages {
            damages[checkpoint.header.sources.ordinals.index(of: item.source)] = item.damage
        }
        endedSources = Set(checkpoint.progress.indices.filter { checkpoint.progress[$0] == .ended })
    }

    /// Requests a checkpoint from all open sources.
    fileprivate mutating func requestCheckpoint() -> [FlowControl.Action] {
        guard isReading, notes.request == nil else { return [] }
        notes.request = CheckpointRequest(waiting: readers.mapValues { _ in 0 })
        return pauseWhenReady()
    }

    /// Notes that a chunk was filled from a source, or that the source ended.
    mutating func noteFill(of reader: SourceReader, by checkpointing: Checkpointing?) -> [FlowControl.Action]
    {
        guard let checkpointing else { return [] }
        notes.fills += 1
        var actions: [FlowControl.Action] = []
        if let chunks = checkpointing.chunks, notes.fills % chunks == 0 { actions += requestCheckpoint() }
        guard let before = notes.request?.waiting[reader.ordinal] else { return actions }
        let isNear = reader.position.map { $0.bytesToDrop <= Limits.checkpointDropBytes } ?? true
        notes.request?.waiting[reader.ordinal] =
            isNear || before + 1 >= Limits.checkpointFills ? nil : before + 1
        return actions + pauseWhenReady()
    }

    private mutating func pauseWhenReady() -> [FlowControl.Action] {
        notes.request?.waiting.isEmpty == true ? flow.pause() : []
    }
}

// MARK: - Writing

extension Replay {
    /// Writes the state of the paused run, resumes the run, and moves the checkpoint into place.
    func writeCheckpoint() {
        guard let checkpointing else { return }
        let start = ContinuousClock.now
        let heldBytes =
            live.map { live in live.queue.sync { live.heldBytes } } ?? shards.reduce(0) { $0 + $1.heldBytes }
        let (signal, pace) = reading.state.withLock { ($0.notes.signal, $0.notes.pace) }
        if signal == nil, let delay = pace?.delay(heldBytes: heldBytes, now: start) {
            resumeRun { _ in }
            return requestCheckpoint(after: delay)
        }
        do throws(ReplayError) {
            try checkFailure()
            let (dumps, files) = try dump(to: checkpointing.folder)
            var checkpoint = try checkpoint(dumps: dumps)
            checkpoint.live = try liveProgress()
            let now = ContinuousClock.now
            resumeRun { $0.pace?.note(heldBytes: heldBytes, pause: now - start, now: now) }
            for file in files { try finish(file) }
            try checkpointing.folder.write(checkpoint)
            if let signal { throw .interrupted(signal: signal) }
            // A signal has arrived in the meantime and needs a checkpoint that covers everything up to now.
            if reading.state.withLock({ $0.notes.signal }) != nil { requestCheckpoint() }
            if checkpointing.chunks == nil { requestCheckpoint(after: checkpointing.interval) }
        } catch {
            fail(error)
        }
    }

    /// Resumes the paused run, after updating its state by `note`.
    private func resumeRun(_ note: (inout Notes) -> Void) {
        perform(
            reading.state.withLock { state in
                note(&state.notes)
                state.notes.request = nil
                return state.flow.resume()
            })
    }

    /// Writes the state of all shards in parallel.
    private func dump(to folder: CheckpointFolder) throws(ReplayError) -> ([String], [any WritableFile]) {
        let number = folder.nextNumber
        let results: [DumpResult]
        if let live {
            results = live.queue.sync {
                [true, false].enumerated().map { index, isTable in
                    dump(index, of: number, in: folder) { writer throws(ReplayError) in
                        try live.dump(isTable: isTable, to: &writer)
                    }
                }
            }
        } else {
            results = onShards { shard in
                self.dump(shard.index, of: number, in: folder) { writer throws(ReplayError) in
                    try shard.dump(to: &writer)
                }
            }
        }
        var names: [String] = []
        var files: [any WritableFile] = []
        for result in results {
            switch result {
            case .success(let name, let file):
                names.append(name)
                if let file { files.append(file) }
            case .failure(let error): throw error
            }
        }
        return (names, files)
    }

    /// Returns the progress of live snapshots; nil if there are none.
    private func liveProgress() throws(ReplayError) -> LiveProgress? {
        guard let live else { return nil }
        let style = options.snapshotStyle
        return try live.queue.run { () throws(ReplayError) in try live.progress(style: style) }
    }

    /// Writes one of a checkpoint's dumps.
    private func dump(
        _ index: Int, of number: Int, in folder: CheckpointFolder,
        _ write: (inout StateWriter) throws(ReplayError) -> Void
    ) -> DumpResult {
        let name = CheckpointNames.dump(number, shard: index)
        do throws(ReplayError) {
            let file = try spills.whileWriting { () throws(ReplayError) in
                try dump(to: folder.path + name, write)
            }
            return .success(name, file)
        } catch {
            return .failure(error)
        }
    }

    private enum DumpResult: @unchecked Sendable {
        // Unchecked because a file is passed from one thread to another, and the first one no longer uses it.
        case success(String, (any WritableFile)?)
        case failure(ReplayError)
    }

    /// - Returns: the file, which the caller must sync and close; nil if this has been done already, because too few
    ///   files may be open at once.
    private func dump(
        to path: String, _ write: (inout StateWriter) throws(ReplayError) -> Void
    ) throws(ReplayError) -> (any WritableFile)? {
        let file: any WritableFile
        do {
            file = try storage.createNew(path)
        } catch {
            throw .writing(error)
        }
        var writer = try StateWriter(file, magic: .dump)
        try write(&writer)
        try writer.end()
        if openFiles.keepsDumps { return file }
        try finish(file)
        return nil
    }

    private func finish(_ file: any WritableFile) throws(ReplayError) {
        defer { file.close() }
        do {
            try file.sync()
        } catch {
            throw .writing(error)
        }
    }

    /// Returns a checkpoint of the paused run.
    private func checkpoint(dumps: [String]) throws(ReplayError) -> Checkpoint {
        guard let checkpointing else { preconditionFailure("a checkpoint of a run without checkpoints") }
        let rejects = try syncRejects()
        var counts = try counts(replaced: 0)
        let progress = reading.state.withLock { state in
            for reader in state.readers.values {
                let ahead = reader.readAhead
                counts.bytesRead -= ahead.read
                counts.bytesInflated -= ahead.inflated
            }
            return sources.indices.map { source -> SourceProgress in
                if state.endedSources.contains(source) { return .ended }
                let position = state.readers[source]?.position
                return .position(position ?? checkpointing.start(of: source))
            }
        }
        let folder = checkpointing.folder.path
        return Checkpoint(
            header: options.header(of: SourceTable(sources)), maximumLine: options.maximumLine,
            keepsRejects: options.rejects != nil, profile: options.profile,
            identities: checkpointing.identities, progress: progress,
            rejects: rejects, counts: counts,
            runs: (checkpointing.loaded?.runs ?? [])
                + shards.flatMap(\.files).map { String($0.path.dropFirst(folder.count)) },
            dumps: dumps, nextNumber: spills.nextNumber)
    }

    private func syncRejects() throws(ReplayError) -> [Int: SpoolContents] {
        guard let rejectLog else { return [:] }
        do throws(StorageError) {
            return try rejectLog.queue.run { () throws(StorageError) in try rejectLog.sync() }
        } catch {
            throw .writing(error)
        }
    }
}
