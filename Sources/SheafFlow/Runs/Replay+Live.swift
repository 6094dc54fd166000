import SheafBytes

// With a lateness, snapshots are written while records are read:
//
//     parcel ──▶ LiveStage, on its queue: its turn? ──▶ LiveSnapshots ──▶ output
//
// There are no shards then, and nothing is spilled.

extension Replay {
    /// Writes snapshots while records are read; nil if they are written at the end.
    var live: LiveStage? { reading.state.withLock { $0.notes.live } }

    /// Creates the live stage, if there is a lateness, and writes what precedes the first snapshot unless the run
    /// resumes.
    func startLive(_ files: ResultFiles) throws(ReplayError) {
        guard let timeline = options.every, let lateness = options.lateness else { return }
        let snapshots = LiveSnapshots(
            timeline, lateness: lateness, options.state, options.selection, options.style,
            names: names ?? SourceNames(SourceTable(sources)), now: SnapshotBounds.present)
        let stage = LiveStage(
            snapshots,
            output: LiveOutput(files.result, copyIn: checkpointing?.folder.path, storage: storage),
            sources: sources.count,
            openSources: openFiles.sources, maximumBytes: budget.state,
            pace: options.speed.map(RecordPace.init(speed:)))
        reading.state.withLock { $0.notes.live = stage }
        if checkpointing?.loaded != nil { return }
        do {
            try stage.start()
        } catch {
            endLive(after: error)
        }
    }

    /// Passes a parcel to the live stage.
    func addLive(_ parcel: Parcel, to stage: LiveStage) {
        do {
            for done in try stage.add(parcel) { release(done) }
        } catch {
            endLive(after: error)
        }
        progress.setGroups(UInt64(stage.groupCount))
        progress.setLiveSnapshots(stage.snapshotCount)
        noteAhead(stage.bounds)
    }

    /// Passes on a warning of records that are ahead as soon as there is one, since a stream may never end.
    private func noteAhead(_ bounds: SnapshotBounds) {
        guard let warning = ReplayWarning(ahead: bounds) else { return }
        let warn = reading.state.withLock { state in
            defer { state.notes.warn = nil }
            return state.notes.warn
        }
        warn?(warning)
    }

    /// Notes that a source has ended.
    func endLive(_ source: Int, chunkCount: Int, of stage: LiveStage) {
        do {
            try stage.end(source, chunkCount: chunkCount)
        } catch {
            endLive(after: error)
        }
    }

    /// Ends the run. It has not failed if the reader of the snapshots has read enough, like `| head`.
    private func endLive(after error: ReplayError) {
        if case .writing(let cause) = error, cause.isClosedPipe {
            perform(
                reading.state.withLock { state in
                    state.notes.isOutputClosed = true
                    return state.flow.close()
                })
        } else {
            fail(error)
        }
    }

    /// Writes the snapshots that are left.
    ///
    /// - Returns: whether the reader of the snapshots closed them early.
    func finishLive(_ stage: LiveStage) throws(ReplayError) -> Bool {
        do throws(ReplayError) {
            try stage.queue.run { () throws(ReplayError) in
                if !reading.state.withLock({ $0.notes.isOutputClosed }) { try stage.finish() }
            }
        } catch {
            guard case .writing(let cause) = error, cause.isClosedPipe else { throw error }
            reading.state.withLock { $0.notes.isOutputClosed = true }
        }
        return reading.state.withLock { $0.notes.isOutputClosed }
    }

    /// Removes the files of a failed run, which the stage would keep as long as it exists.
    func discard(_ files: ResultFiles?) {
        guard let files else { return }
        if let live { live.queue.run { files.discard() } } else { files.discard() }
    }

    /// Moves the file of an interrupted run's complete snapshots into place.
    ///
    /// - Returns: the file's path; nil if nothing was kept: there are no snapshots before the end, a reader received
    ///   them at once, or the run can be resumed.
    func keepComplete(_ files: ResultFiles) -> String? {
        guard let live, checkpointing == nil else { return nil }
        do throws(ReplayError) {
            guard try live.queue.run({ () throws(ReplayError) in try live.keepComplete() }) else {
                return nil
            }
            try files.commitResult()
            return options.files.result
        } catch {
            return nil
        }
    }
}
