import SheafGroups

extension Replay {
    /// Returns warnings about probable mistakes, in the order in which the user should read them.
    ///
    /// - Parameter result: what writing the result found.
    func warnings(_ statistics: Statistics, _ result: ReplayResult) -> [ReplayWarning] {
        let wasResumed = checkpointing?.loaded != nil
        let (devices, apps, missing, levelsIgnored, repeats) = reading.state.withLock { state in
            var (devices, apps) = (DeviceCensus(), AppCensus(options.settings, options.inputs))
            var repeats = RepeatCensus()
            var missing = MissingTexts()
            let levelsIgnored = state.idleWorkers.reduce(UInt64(0)) { $0 + $1.levelsIgnored }
            for worker in state.idleWorkers {
                if let found = worker.devices { devices.add(found) }
                apps.add(worker.apps)
                missing.add(worker.missing)
                repeats.add(worker.repeats)
            }
            return (devices, apps, missing, levelsIgnored, repeats)
        }
        var warnings = SourceList.warnings(skipped: filesSkipped)
        warnings += SourceList.repetitionWarnings(sources, storage: storage)
        warnings += timeWarnings(result.bounds)
        // A checkpoint does not record which apps and keys the interrupted run encountered.
        if !wasResumed {
            warnings += apps.warnings(
                of: statistics.records - statistics.rejectedTotal - statistics.otherPlatform)
            if let warning = missing.warning { warnings.append(warning) }
        }
        warnings += statistics.warnings.map { warning in
            guard case .untimed(let count, let records) = warning, let pointer = hints.timestampPointer()
            else {
                return warning
            }
            return .unmappedTimestamps(count, of: records, pointer: pointer)
        }
        // The profile of a partial result is that of the merge.
        if levelsIgnored > 0, options.partial == nil { warnings.append(.levelsIgnored(levelsIgnored)) }
        if let share = repeats.share, share > RepeatCensus.notableShare {
            warnings.append(.repeatedPushes(share: share))
        }
        if result.forgottenPushes > 0 { warnings.append(.pushesForgotten(result.forgottenPushes)) }
        if let warning = hints.rejects(statistics.rejected, of: statistics.records) {
            warnings.append(warning)
        }
        if !options.byDevice { warnings += sharedGroups(devices, result.devices, wasResumed) }
        return warnings
    }

    /// Warnings of times that are probably wrong, in a run with several snapshots.
    private func timeWarnings(_ bounds: SnapshotBounds?) -> [ReplayWarning] {
        guard options.every != nil else { return [] }
        if let bounds {
            let leftOut = bounds.leftOut > 0 ? ReplayWarning.snapshotsLeftOut(bounds.leftOut) : nil
            return [ReplayWarning(ahead: bounds), leftOut].compactMap(\.self)
        }
        let times = reading.state.withLock { state in
            state.idleWorkers.compactMap { $0.tally.times?.newest }
        }
        guard let newest = times.max(),
            newest - Limits.aheadMilliseconds > SnapshotBounds.present()
        else { return [] }
        return [.future(newest: newest)]
    }

    private var hints: InputHints {
        InputHints(
            options.inputs, sources, head: reading.state.withLock { $0.head },
            maximumLine: options.maximumLine)
    }

    private func sharedGroups(
        _ decoded: DeviceCensus, _ folded: DeviceCensus?, _ wasResumed: Bool
    ) -> [ReplayWarning] {
        var devices = decoded
        if let folded { devices.add(folded) }
        guard devices.hasSharedGroups else { return [] }
        let (count, isExact) = devices.devices
        return [.sharedGroups(devices: wasResumed ? nil : count, isExact: isExact)]
    }
}

extension ReplayWarning {
    /// Warns of records that are ahead, if there are any.
    init?(ahead bounds: SnapshotBounds) {
        guard let newest = bounds.newestAhead else { return nil }
        self = .ahead(bounds.ahead, newest: newest)
    }
}
