import Dispatch
import SheafBytes
import SheafGroups

// A checkpoint is made between two chunks of each source:
//
//     request ──▶ open sources reach a stopping point ──▶ pause ──▶ units are free ──▶ state is written ──▶ resume
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
            tracksDelivery: checkpoint.header.input.hasTraits, division: checkpoint.header.input.division,
            isUnique: checkpoint.header.input.isUnique,
            appliesOutcomes: checkpoint.header.input.appliesOutcomes,
            timeline: checkpoint.header.input.timeline, rules: checkpoint.header.state.rules)
    }

    /// Returns the checkpoint that the run resumes from, with the files of the state that was in memory; nil if there
    /// is none.
    func restored() -> (checkpoint: Checkpoint, dumps: [StateFile])? {
        guard let checkpointing, let loaded = checkpointing.loaded else { return nil }
        progress.addBytes(loaded.counts.bytesRead)
        progress.addRecords(loaded.counts.tally.records)
        return (loaded, loaded.dumps.map { file($0, .dump, of: loaded, in: checkpointing.folder) })
    }
}

// MARK: - Requests

extension Replay {
    /// Schedules the first checkpoint.
    func startCheckpoints() {
        guard let checkpointing, checkpointing.chunks == nil else { return }
        if checkpointing.isPaced { reading.state.withLock { $0.own.pace = CheckpointPace(start: .now) } }
        requestCheckpoint(after: checkpointing.interval)
    }

    private func requestCheckpoint(after interval: Duration) {
        checkpointing?.queue.asyncAfter(deadline: .now() + (interval / .seconds(1))) { [weak self] in
            self?.requestCheckpoint()
        }
    }

    private func requestCheckpoint() { perform(reading.state.withLock { $0.requestPause() }) }

    /// Requests a checkpoint after which the run ends; returns false if one was already requested or none can be made.
    func requestFinalCheckpoint(signal: Int32) -> Bool {
        let (isFirst, actions) = reading.state.withLock { state in
            guard state.isReading, state.own.signal == nil, state.failure == nil else {
                return (false, [FlowControl.Action]())
            }
            state.own.signal = signal
            return (true, state.requestPause())
        }
        perform(actions)
        return isFirst
    }
}

extension ReadingStages<DecodeWorker, Replay.OwnState>.State {
    /// Restores the counts of a checkpoint.
    mutating func restore(_ checkpoint: Checkpoint) {
        bytesRead = checkpoint.counts.bytesRead
        bytesInflated = checkpoint.counts.bytesInflated
        for item in checkpoint.counts.damages {
            damages[checkpoint.header.sources.ordinals.index(of: item.source)] = item.damage
        }
        endedSources = Set(checkpoint.progress.indices.filter { checkpoint.progress[$0] == .ended })
    }
}

// MARK: - Writing

extension Replay {
    /// Writes the state of the paused run, resumes the run, and moves the checkpoint into place.
    func writeCheckpoint() {
        guard let checkpointing else { return }
        let start = ContinuousClock.now
        let heldBytes = stage.heldBytes
        let (signal, pace) = reading.state.withLock { ($0.own.signal, $0.own.pace) }
        if signal == nil, let delay = pace?.delay(heldBytes: heldBytes, now: start) {
            resume { _ in }
            return requestCheckpoint(after: delay)
        }
        do throws(ReplayError) {
            try checkFailure()
            let (dumps, files) = try dump(to: checkpointing.folder)
            var checkpoint = try checkpoint(dumps: dumps)
            checkpoint.stream = try stage.snapshotProgress()
            let now = ContinuousClock.now
            resume { $0.pace?.record(heldBytes: heldBytes, pause: now - start, now: now) }
            for file in files { try finish(file) }
            try checkpointing.folder.write(checkpoint)
            if let signal { throw .interrupted(signal: signal) }
            // A signal has arrived in the meantime and needs a checkpoint that covers everything up to now.
            if reading.state.withLock({ $0.own.signal }) != nil { requestCheckpoint() }
            if checkpointing.chunks == nil { requestCheckpoint(after: checkpointing.interval) }
        } catch {
            fail(error)
        }
    }

    /// Writes the state in memory.
    private func dump(to folder: CheckpointFolder) throws(ReplayError) -> ([String], [any WritableFile]) {
        let number = folder.nextNumber
        let results = stage.dump { self.dump($0, of: number, in: folder, $1) }
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
        var counts = try counts()
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
                + stage.runs.map { String($0.path.dropFirst(folder.count)) },
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
