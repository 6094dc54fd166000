import SheafBytes
import SheafGroups

extension Replay {
    /// Returns warnings about probable mistakes, in the order in which the user should read them.
    ///
    /// - Parameters:
    ///   - result: what writing the result found.
    ///   - sources: the sources whose records the result has.
    func warnings(
        _ statistics: Statistics, _ result: ReplayResult, of sourceTable: SourceTable
    ) -> [ReplayWarning] {
        let wasResumed = checkpointing?.loaded != nil
        let (devices, apps, missing, levelsIgnored, repeats, unread) = reading.state.withLock { state in
            var (devices, apps) = (DeviceCensus(), AppCensus(options.settings, options.inputs))
            var repeats = RepeatCensus()
            var missing = MissingTexts()
            var census = SourceCensus()
            let levelsIgnored = state.idleWorkers.reduce(UInt64(0)) { $0 + $1.levelsIgnored }
            for worker in state.idleWorkers {
                if let found = worker.devices { devices.add(found) }
                apps.add(worker.apps)
                missing.add(worker.missing)
                repeats.add(worker.repeats)
                census.add(worker.sources)
            }
            return (devices, apps, missing, levelsIgnored, repeats, census.unread)
        }
        var warnings = SourceList.warnings(skipped: filesSkipped)
        warnings += SourceList.repetitionWarnings(sources, storage: storage)
        warnings += timeWarnings(result.bounds, sourceTable)
        // A checkpoint does not record which apps and keys the interrupted run encountered.
        if !wasResumed {
            warnings += apps.warnings(
                of: statistics.records - statistics.rejectedTotal - statistics.otherPlatform)
            if let warning = missing.warning { warnings.append(warning) }
            if let first = unread.first, statistics.rejectedTotal < statistics.records {
                warnings.append(
                    .sourcesWithoutRecords(
                        first: SystemPath.shown(sourceTable.name(of: first.source)), records: first.rejected,
                        count: UInt64(unread.count), of: UInt64(sources.count)))
            }
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
    private func timeWarnings(_ bounds: SnapshotBounds?, _ table: SourceTable) -> [ReplayWarning] {
        guard let timeline = options.every else { return [] }
        let (census, newest) = reading.state.withLock { state in
            var census = TimeCensus()
            for worker in state.idleWorkers { census.add(worker.times) }
            let times = state.idleWorkers.map(\.tally.times) + [checkpointing?.loaded?.counts.tally.times]
            return (census, times.compactMap { $0?.newest }.max())
        }
        // A checkpoint does not record the times of single records.
        let isComplete = checkpointing?.loaded == nil
        let outliers = isComplete ? census.outliers() : nil
        var warnings: [ReplayWarning] = []
        if let warning = bounds.flatMap({ ReplayWarning(ahead: $0) }) { warnings.append(warning) }
        // Those that are ahead have a warning of their own.
        if let outliers, outliers.earlier > 0 || outliers.later > bounds?.ahead ?? 0 {
            warnings.append(.outliers(ReplayWarning.Outliers(outliers, table)))
        } else if bounds == nil, let warning = ReplayWarning(future: newest, options.clock) {
            warnings.append(warning)
        }
        if let bounds, bounds.leftOut > 0 {
            warnings.append(.snapshotsLeftOut(bounds.leftOut))
        } else if options.emit == .all, options.partial == nil, isComplete, let gap = census.longestGap() {
            let count = timeline.interval(of: gap.end) - timeline.interval(of: gap.start) - 1
            if count >= Limits.unchangedSnapshots {
                warnings.append(.unchangedSnapshots(UInt64(count), start: gap.start, end: gap.end))
            }
        }
        return warnings
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

    /// Warns of the newest of the records that several snapshots follow, if it is dated after the present.
    ///
    /// - Parameter newest: milliseconds since 1970; nil if there are no such records.
    init?(future newest: Int64?, _ clock: RunClock) {
        guard let newest, newest > clock.present() + Limits.aheadMilliseconds else { return nil }
        self = .future(newest: newest)
    }
}

extension ReplayWarning.Outliers {
    init(_ found: TimeCensus.Outliers, _ table: SourceTable) {
        func record(_ order: OrderKey) -> ReplayWarning.DatedRecord {
            ReplayWarning.DatedRecord(
                source: SystemPath.shown(table.name(of: order.source)), line: order.line,
                timestamp: order.timestamp)
        }
        (earlier, later, records) = (found.earlier, found.later, found.count)
        (start, end) = (found.start, found.end)
        (oldest, newest) = (record(found.oldest), record(found.newest))
    }
}
