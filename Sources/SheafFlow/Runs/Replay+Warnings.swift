import SheafGroups

extension Replay {
    /// What is probably not meant, in the order in which it should be read.
    ///
    /// - Parameter folded: of replaceable notifications whose groups were on the disk.
    func warnings(_ statistics: Statistics, _ folded: DeviceCensus?) -> [ReplayWarning] {
        let wasResumed = checkpointing?.loaded != nil
        let (devices, apps) = state.withLock { state in
            var (devices, apps) = (DeviceCensus(), AppCensus(options.settings))
            for worker in state.idleWorkers {
                if let found = worker.devices { devices.add(found) }
                apps.add(worker.apps)
            }
            return (devices, apps)
        }
        var warnings = RepeatedSources.warnings(sources, storage: storage)
        // Which apps the run before met is not kept.
        if statistics.records > statistics.rejectedTotal, !wasResumed {
            let unmatched = apps.unmatched(suggestionsUpTo: Limits.suggestedApps)
            if !unmatched.isEmpty { warnings.append(.unmatchedApps(unmatched)) }
        }
        warnings += statistics.warnings
        if !options.byDevice { warnings += sharedGroups(devices, folded, wasResumed) }
        return warnings
    }

    private func sharedGroups(
        _ decoded: DeviceCensus, _ folded: DeviceCensus?, _ wasResumed: Bool
    ) -> [ReplayWarning] {
        var devices = decoded
        for shard in shards { if let found = shard.devices { devices.add(found) } }
        if let folded { devices.add(folded) }
        guard devices.hasSharedGroups else { return [] }
        let (count, isExact) = devices.devices
        return [.sharedGroups(devices: wasResumed ? nil : count, isExact: isExact)]
    }
}
