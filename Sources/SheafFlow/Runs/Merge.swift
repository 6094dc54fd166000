import SheafBytes
import SheafGroups

/// Merges partial results into a snapshot, or into another partial result.
///
/// ```swift
/// for (log, partial) in [("monday.gz", "monday.partial"), ("tuesday.gz", "tuesday.partial")] {
///     var options = ReplayOptions(sources: [log])
///     options.partial = partial
///     _ = try Replay(options).run()
/// }
/// var options = ReplayOptions(sources: ["monday.partial", "tuesday.partial"])
/// options.output = "groups.ndjson"
/// let statistics = try Merge(options).run()
/// ```
///
///     partial results ──read and checked──▶ headers, counts
///                     ──merged by key────▶ StateFiles ──▶ snapshot or partial result
///
/// The output is, byte for byte, what one replay of all their sources in that order writes. Every file is read
/// completely before anything is merged, so that a damaged file is never merged. Memory is bounded by `MemoryBudget`,
/// the number of open files by `OpenFiles`.
public final class Merge: Sendable {
    private let inputs: PartialInputs
    /// Warns that a partial result is merged more than once.
    private let repeated: ReplayWarning?
    /// The progress of the merge, which may be read from any thread.
    public let progress = RunProgress()

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameter options: the options of a replay, with the partial results as sources. The options by which records
    ///   are read, `since`, `until`, `byDevice` and `maximumArguments` are taken from the files instead.
    /// - Throws: `ReplayError` if an option is invalid, a file is missing, or an output would replace a file.
    public convenience init(_ options: ReplayOptions) throws(ReplayError) {
        try self.init(options, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(_ options: ReplayOptions, storage: any Storage) throws(ReplayError) {
        inputs = try PartialInputs(options, storage: storage)
        repeated = SourceList.repetitionWarning(inputs.files, storage)
        try OutputCheck.check(options.files, inputs.files, storage: storage)
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) {
        inputs.interrupt(signal: signal)
    }

    /// Merges the files and writes every output. Blocks until done.
    ///
    /// - Parameter willWrite: called when every file has been checked, before the result is written.
    /// - Returns: the combined statistics of the replays.
    /// - Throws: `ReplayError`; no output remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> Statistics {
        try inputs.whileRunning { () throws(ReplayError) in try merge(willWrite: willWrite) }
    }

    private func merge(willWrite: () -> Void) throws(ReplayError) -> Statistics {
        let clock = ContinuousClock()
        let start = clock.now
        let (options, spills) = (inputs.options, inputs.spills)
        let parts = try PartialResults(inputs, for: options.partial == nil ? .snapshot : .partial)
        var outputs = try ResultFiles(
            options.files, page: section(of: parts), storage: inputs.storage)
        try checkSelection(of: parts)
        if options.emit == .all, parts.header.input.timeline == nil {
            throw .usage(
                "\(.emit) has no effect without several snapshots: none of the partial results was written with \(.every)"
            )
        }
        let stateOptions = try inputs.stateOptions(parts.header)
        if let slice = parts.slice, slice.delivery != 0, options.partial == nil,
            slice.delivery != stateOptions.delivery?.digest
        {
            let what =
                slice.kind == .measures ? "measures" : "newest versions of range \(slice.range)"
            throw .usage(
                "the \(what) were made with another configuration of delivery, another profile, or another choice of "
                    + "\(.locked)")
        }
        let unmatched = try inputs.unmatchedApps(in: parts)
        var state = inputs.state(of: parts, stateOptions, options.selection)
        willWrite()
        var people: MeasuredPeople?
        let groups = try write(&state, parts, to: &outputs, &people)
        let counts = parts.counts(found: state.found)
        var hidden = state.hidden
        hidden += counts.hidden
        var statistics = Statistics(
            counts, sources: parts.header.sources, range: parts.range,
            input: parts.header.input, hidden: hidden,
            badgesByDevice: options.showsBadges ? parts.header.byDevice : nil, groups: groups,
            spilledBytes: spills.spilledBytes, seconds: (clock.now - start) / .seconds(1))
        statistics.outputWasClosed = outputs.wasClosed
        // A partial result has the oldest and the newest time, but not those of single records.
        if options.partial == nil,
            let warning = ReplayWarning(future: counts.tally.times?.newest, options.clock)
        {
            statistics.warnings.insert(warning, at: 0)
        }
        statistics.warnings.insert(contentsOf: unmatched, at: 0)
        people?.add(to: &statistics)
        if let repeated { statistics.warnings.insert(repeated, at: 0) }
        try outputs.write(statistics)
        spills.removeAll()
        try inputs.check()
        try outputs.commit()
        return statistics
    }

    /// - Returns: the number of groups written.
    private func write(
        _ state: inout StateFiles, _ parts: PartialResults, to outputs: inout ResultFiles,
        _ people: inout MeasuredPeople?
    ) throws(ReplayError) -> UInt64 {
        if inputs.options.partial != nil {
            try outputs.writeResult { output throws(ReplayError) in
                if let slice = parts.slice, slice.kind == .measures {
                    return try PartialFile.write(measuresOf: &state, parts, slice, to: output)
                }
                try PartialFile.write(&state, header: parts.header, slice: parts.slice, to: output) {
                    parts.counts(found: $0)
                }
            }
            return state.groupCount
        }
        if let division = parts.header.input.division {
            var measures = inputs.options.measuresOfMerge
            measures.division = division
            measures.receive = outputs.receiveRow
            people = try state.writeMeasures(
                measures, inputs.options.format, continues: (parts.range ?? 0) > 0, to: &outputs)
            return 0
        }
        try state.fold()
        var options = inputs.options
        options.until = parts.header.input.filter.until
        options.every = parts.header.input.timeline
        if options.now == nil, let timeline = options.every {
            options.timeZoneOffset = Int(timeline.offset / 60_000)
            options.timeZone = timeline.clock
        }
        var style = options.style
        style.byDevice = parts.header.byDevice
        style.showsDelivery = parts.header.input.tracksDelivery
        style.continuesSnapshot = (parts.range ?? 0) > 0
        var groups: UInt64 = 0
        try outputs.writeResult { output throws(ReplayError) in
            groups = try state.writeSnapshot(
                to: output, style: style.noting(parts.counts(found: state.found)),
                names: SourceNames(parts.header.sources),
                threads: options.threads, progress: progress)
        }
        return parts.header.input.timeline == nil ? max(groups, progress.groupsWritten) : groups
    }

    /// Returns the section of a page that the result is; nil for other formats.
    private func section(of parts: PartialResults) -> PageSection? {
        let input = parts.header.input
        var measures = inputs.options.measuresOfMerge
        if let division = input.division { measures.division = division }
        return inputs.options.newPage(
            byDevice: parts.header.byDevice, every: input.timeline,
            measures: input.division == nil ? nil : measures,
            alone: parts.header.groupings.filter { $0.grouping == .off }.map(\.app))
    }

    /// Checks that the results of ranges, one after the other, are the result of all of them.
    private func checkSelection(of parts: PartialResults) throws(ReplayError) {
        let options = inputs.options
        guard let slice = parts.slice, options.partial == nil else { return }
        if parts.header.input.division != nil { try checkMeasures(of: slice) }
        guard parts.range != nil else { return }
        if !options.format.groupFormat.isDivisible {
            throw .usage(
                "a part of a result can be written as ndjson or csv, not as \(options.format.name)")
        }
        if options.order != .key || options.top != nil || options.maximumLines != nil {
            throw .usage("a part of a snapshot has all groups of its range, in the order of their keys")
        }
    }

    /// Checks that slices of people have the values that the options ask for.
    private func checkMeasures(of slice: Slice) throws(ReplayError) {
        let measures = inputs.options.measuresOfMerge
        guard slice.kind == .measures else {
            guard !measures.writesCells else { return }
            throw .usage(
                "measures are distributions over the people of all ranges: give \(.cells), or measure each range and merge "
                    + "the measures of all of them")
        }
        if measures.writesCells {
            throw .usage(
                "\(.cells) needs the slices that the measures were made from: measures have no people")
        }
        if inputs.options.given.contains(.fold), measures.fold != slice.fold {
            throw .usage("the measures were made with \(.fold) \(slice.fold), not \(measures.fold)")
        }
    }
}

extension PartialInputs {
    /// Returns a warning if configured apps have no records. A slice has only some of the apps of its job, and
    /// a run may have selected some.
    ///
    /// Reads the files until all of these apps have been found. Silent records without a badge are not in them.
    func unmatchedApps(in parts: PartialResults) throws(ReplayError) -> [ReplayWarning] {
        var apps = AppCensus(options.settings)
        guard parts.slice == nil, !parts.header.input.filter.selects, apps.hasUnseenApps else { return [] }
        let tally = parts.counts().tally
        for badge in tally.badges.table.entries {
            apps.record(Array(badge.texts.second.utf8).span, isDefault: false)
        }
        for response in tally.responses.kinds.entries {
            apps.record(Array(response.texts.first.utf8).span, isDefault: false)
        }
        for file in parts.files {
            try record(NotificationEntry.self, of: file, in: &apps) { $0.record.app }
            try record(GroupEntry.self, of: file, in: &apps) { $0.group.leading.app }
        }
        return apps.warnings(of: tally.records - tally.rejectedTotal - tally.otherPlatform)
    }

    /// Records the apps in a section of a file.
    private func record<Entry: StateRecord>(
        _ entry: Entry.Type, of file: StateFile, in apps: inout AppCensus, app: (Entry) -> TextRange
    ) throws(ReplayError) {
        guard apps.hasUnseenApps else { return }
        try forEachRecord(Entry.section, of: file, checksRemainder: false) {
            reader throws(ReplayError) in
            guard let entry = Entry(reader.bytes, of: file) else { throw reader.damage() }
            // A change of settings may be for all apps.
            let name = app(entry)
            if !name.isEmpty { apps.record(reader.bytes.extracting(name.range), isDefault: false) }
            return apps.hasUnseenApps
        }
    }
}
