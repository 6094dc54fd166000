import Dispatch
import SheafBytes
import SheafGroups
import Synchronization

/// Replays logs with two designs at once, and finds where what they show differs (specification §20).
///
/// ```swift
/// let now = ReplayOptions(sources: ["logs"])
/// var new = now
/// new.apply(try Configuration(contentsOf: "new.json"))
/// let report = try Comparison(now, new).run()
/// if let people = report.people { print("\(people.groups.fewer) people have fewer groups") }
/// ```
///
///     sources ─▶ SourceReader ─▶ unit ─▶ BranchWorker ─▶ a unit for each branch ─▶ its GroupStage
///
///     groups of each design ─▶ SnapshotWriter ─▶ GroupPipe ─▶ ScreenChanges ─┐     for each shard
///                           └─▶ notifications ─▶ RowSorter ─▶ GroupPairs ───┼─▶ ComparisonReport
///     people of each design ─▶ Measurement ─▶ rows, and people by hash ─────┘
///
/// The sources are read and inflated once, and decoded once for all branches that read the same records. Each design has a
/// branch for its snapshot and one for what people get, which are replays by device; a branch whose records and state are the
/// same with both designs is there once. A person's groups are in the same shard with both designs, so that the screens are
/// compared shard by shard. All branches share the memory budget.
public final class Comparison: Sendable {
    private let options: Sides<ReplayOptions>
    private let comparison: ComparisonOptions
    private let storage: any Storage
    package let reading: ReadingStages<BranchWorker, Void>
    /// The replays in the order of the work units that are decoded for them.
    private let branches: [Replay]
    private let snapshots: Sides<Replay>
    /// nil if people need not be measured: what happened is the same, and what is on screen follows from the snapshots.
    private let people: Sides<Replay>?
    private let spills: SpillFolder
    /// What the branches pass on.
    private let shown: Sides<RowSorter>
    private let measured: Sides<RowSorter>
    private let apps = AppNumbers()
    private let designs: ComparedDesigns
    /// Whether both designs have the same groups of an app.
    private let isAlike: @Sendable (Span<UInt8>) -> Bool
    private let makeSorter: @Sendable () -> RowSorter

    /// The progress of the run, which may be read from any thread.
    public var progress: RunProgress { reading.progress }

    /// Finds the sources and allocates the run's resources. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - now: the design in use: the sources, how they are read, grouped and shown, and the limits of the run. Devices
    ///     are separated in any case.
    ///   - new: the other design. Only its `settings`, texts, `input`, `profile` and `locale` are used.
    ///   - comparison: the report's form, its conditions, and the files for both snapshots.
    /// - Throws: `ReplayError` if an option is invalid, a source can't be opened, or the output would replace a source.
    public convenience init(
        _ now: ReplayOptions, _ new: ReplayOptions, _ comparison: ComparisonOptions = ComparisonOptions()
    ) throws(ReplayError) {
        try self.init(now, new, comparison, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(
        _ now: ReplayOptions, _ new: ReplayOptions, _ comparison: ComparisonOptions, storage: any Storage
    ) throws(ReplayError) {
        let options = try Self.designs(now, new)
        (self.options, self.comparison, self.storage) = (options, comparison, storage)
        let designs = ComparedDesigns(options, comparison)
        self.designs = designs
        let isAlike = designs.groupsAlike
        self.isAlike = isAlike
        // Each of them has one branch if nothing that it depends on differs.
        let count =
            (designs.sharesGroups ? 1 : 2) + (designs.measuresPeople ? designs.sharesPeople ? 1 : 2 : 0)
        // Rows for sorting take a share of the memory, like a branch.
        let shares = count + (designs.sharesGroups ? 0 : 1)
        let budget = try MemoryBudget(options.now, branches: shares)
        let spills = try SpillFolder(in: now.spillFolder, storage: storage)
        let openFiles = try OpenFiles(limit: now.openFiles, threads: now.threads)
        let makeSorter: @Sendable () -> RowSorter = {
            RowSorter(spills, storage, budget, openFiles)
        }
        (self.spills, self.makeSorter) = (spills, makeSorter)
        let (shown, measured) = (
            Sides(now: makeSorter(), new: makeSorter()), Sides(now: makeSorter(), new: makeSorter())
        )
        (self.shown, self.measured) = (shown, measured)
        let (apps, areKept) = (apps, comparison.partial != nil)
        var branches: [Replay] = []
        func replay(
            _ options: ReplayOptions, shown sorter: RowSorter? = nil
        ) throws(ReplayError) -> Replay {
            let shown = sorter.map { sorter in
                ShownNotifications(apps, areKept: areKept, of: { !isAlike($0) }) { sorter.add($0) }
            }
            let branch = Branch(index: branches.count, shares: shares, shown: shown)
            let replay = try Replay(options, page: nil, branch: branch, storage: storage)
            branches.append(replay)
            return replay
        }
        let snapshot = try replay(options.now, shown: designs.sharesGroups ? nil : shown.now)
        snapshots = Sides(
            now: snapshot, new: designs.sharesGroups ? snapshot : try replay(options.new, shown: shown.new))
        if designs.measuresPeople {
            let person = try replay(Self.measuring(options.now, measured.now))
            people = Sides(
                now: person,
                new: designs.sharesPeople
                    ? person : try replay(Self.measuring(options.new, measured.new)))
        } else {
            people = nil
        }
        self.branches = branches
        let sources = snapshot.sources
        try OutputCheck.check(comparison.files(options), sources, storage: storage)
        let decodings = branches.map { branch in
            branches.indices.lazy.compactMap { branch.decoding(from: branches[$0], $0) }.first
                ?? (branch: 0, rule: nil)
        }
        reading = ReadingStages(
            sources, storage: storage, chunks: options.now.chunks, openSources: openFiles.sources,
            shards: now.threads, decodings: decodings,
            workers: (0..<now.threads).map { [branches] index in
                BranchWorker(branches.map { $0.worker(index) }, decodings)
            },
            windows: budget.windows(), inflater: now.inflater, isKeyed: now.isKeyed, own: ())
    }

    /// Returns both designs as replays by device.
    private static func designs(
        _ now: ReplayOptions, _ new: ReplayOptions
    ) throws(ReplayError) -> Sides<ReplayOptions> {
        for (option, isGiven) in [
            (RunOption.partial, now.partial != nil), (.checkpoint, now.checkpoint != nil),
            (.rejects, now.rejects != nil), (.every, now.every != nil), (.lateness, now.lateness != nil),
            (.top, now.top != nil),
        ] where isGiven {
            throw .usage("\(option) can't be given for a comparison, which is of the screens at the end")
        }
        var options = Sides(now: now, new: now)
        options.new.settings = new.settings
        options.new.strings = new.strings
        options.new.configurationFiles = new.configurationFiles
        options.new.texts = new.texts
        options.new.input = new.input
        options.new.profile = new.profile
        for side in [\Sides<ReplayOptions>.now, \.new] {
            options[keyPath: side] = options[keyPath: side].compared
            options[keyPath: side].byDevice = true
        }
        return options
    }

    /// Returns the options of a replay that measures what people get.
    private static func measuring(_ options: ReplayOptions, _ people: RowSorter) -> ReplayOptions {
        var options = options
        options.measure(.compared(people))
        return options
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) {
        fail(.interrupted(signal: signal))
        for branch in branches { branch.fail(.interrupted(signal: signal)) }
    }

    /// Compares the designs and writes the report. Blocks until done.
    ///
    /// - Parameter willWrite: called when all sources have been read, before the report is written.
    /// - Throws: `ReplayError`; no output remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> ComparisonReport {
        try reading.begin()
        spills.removeAbandoned()
        let start = ContinuousClock.now
        defer { removeSpills() }
        var result = comparison.files(options)
        (result.rejects, result.statistics) = (nil, nil)
        var files = try ResultFiles(result, storage: storage)
        var copies: [OutputFile] = []
        var pending: Pending<[GroupChanges]>?
        do throws(ReplayError) {
            let copy = try makeCopies(&copies)
            try readAll()
            releaseUnits()
            for branch in branches { branch.takeCounts(of: reading) }
            // The first branch decodes all lines itself.
            let table = try snapshots.now.findSources()
            let names = snapshots.now.names ?? SourceNames(table)
            if comparison.partial != nil {
                willWrite()
                let report = try writePartial(of: table, to: &files, since: start)
                removeSpills()
                try checkFailure()
                try files.commit()
                return report
            }
            let measures = try measure()
            let groups = try finishGroups()
            willWrite()
            // The groups are distinguished while the snapshots are compared.
            let pairs = Pending<[GroupChanges]> { () throws(ReplayError) in
                self.designs.sharesGroups ? [] : try self.pairs()
            }
            pending = pairs
            let (screens, written) = try compareScreens(groups.map(\.groups), names)
            try writeCopies(groups.map(\.groups), names, copy)
            func result(isNow: Bool) -> ReplayResult {
                let group = isNow ? groups.now : groups.new
                return ReplayResult(
                    found: group.found, hidden: group.hidden, groups: isNow ? written.now : written.new,
                    people: isNow ? measures?.people.now : measures?.people.new)
            }
            let results = Sides(now: result(isNow: true), new: result(isNow: false))
            var report = ComparisonReport(
                statistics: try statistics(of: results, table, since: start), screens,
                pairs: try pairs.value(), isAlike: isAlike, names: apps.all,
                sources: Sides(now: names, new: names),
                measures: measures?.rows ?? screens.measures(ComparisonCondition.quantiles),
                people: try measures.map { found throws(ReplayError) in
                    designs.sharesPeople
                        ? ComparisonReport.People(alike: found.people.now.count)
                        : try ComparisonReport.People(measured.now.sorted(), measured.new.sorted())
                } ?? screens.counted)
            report.noteEvents(measuresPeople: designs.measuresPeople)
            try report.evaluate(comparison.failures)
            try files.writeResult(comparison.bytes(of: report, options))
            report.outputWasClosed = files.wasClosed
            removeSpills()
            try checkFailure()
            for file in copies {
                do {
                    try file.finish()
                    try file.commit()
                } catch {
                    throw ResultFiles.failure(of: error)
                }
            }
            try files.commit()
            return report
        } catch {
            fail(error)
            _ = try? pending?.value()
            for file in copies { file.discard() }
            files.discard()
            throw error
        }
    }
}

// MARK: - Reading

extension Comparison: ReadingRun {
    private func removeSpills() { for folder in [spills] + branches.map(\.spills) { folder.removeAll() } }

    package var stages: [any ReadingStage] { branches.map(\.stage) }
}

extension Replay {
    /// Returns the worker with an index, for a comparison to decode a chunk.
    fileprivate func worker(_ index: Int) -> DecodeWorker { reading.state.withLock { $0.idleWorkers[index] } }

    /// Takes what another run has found while it read the sources for this one.
    fileprivate func takeCounts(of other: ReadingStages<BranchWorker, Void>) {
        let (read, inflated, damages, head) = other.state.withLock { state in
            (state.bytesRead, state.bytesInflated, state.damages, state.head)
        }
        reading.state.withLock { state in
            (state.bytesRead, state.bytesInflated, state.damages, state.head) = (
                read, inflated, damages, head
            )
        }
    }

    /// Returns how the records of this branch follow from those of another one, with all that is decoded of them: they are
    /// the same, or have other threads; nil if they differ in more.
    fileprivate func decoding(from other: Replay, _ branch: Int) -> BranchDecoding? {
        let (state, otherState) = (options.state, other.options.state)
        var alike = options
        alike.input = other.options.input
        guard alike.inputIdentity == other.options.inputIdentity, options.profile == other.options.profile,
            (state.delivery == nil) == (otherState.delivery == nil),
            state.readsBadges == otherState.readsBadges
        else { return nil }
        if options.inputIdentity == other.options.inputIdentity { return (branch, nil) }
        return options.inputs.log.threadRule(from: other.options.inputs.log).map { (branch, $0) }
    }

    fileprivate var groupStage: GroupStage {
        guard let stage = stage as? GroupStage else { preconditionFailure("a branch without groups") }
        return stage
    }
}

// MARK: - Results

extension Comparison {
    private typealias Screens = (changes: ScreenChanges, written: Sides<UInt64>)
    private typealias Groups = (groups: FinishedGroups, found: RunCounts, hidden: VerdictCounts)

    private func statistics(
        of results: Sides<ReplayResult>, _ sources: SourceTable, since start: ContinuousClock.Instant
    ) throws(ReplayError) -> Sides<Statistics> {
        func statistics(_ replay: Replay, _ result: ReplayResult) throws(ReplayError) -> Statistics {
            try replay.statistics(
                of: result, sources: sources,
                seconds: start.duration(to: .now) / .seconds(1))
        }
        return Sides(
            now: try statistics(snapshots.now, results.now), new: try statistics(snapshots.new, results.new))
    }

    /// Writes a partial comparison.
    private func writePartial(
        of sources: SourceTable, to files: inout ResultFiles, since start: ContinuousClock.Instant
    ) throws(ReplayError) -> ComparisonReport {
        var parts: [ComparisonFile.Part: String] = [:]
        var results = Sides(now: ReplayResult(), new: ReplayResult())
        for part in ComparisonFile.Part.allCases where part.exists(in: designs) {
            func write(_ replay: Replay?) throws(ReplayError) -> ReplayResult {
                guard let replay else { preconditionFailure("a comparison without a branch") }
                var result = ReplayResult()
                parts[part] = try spills.writeFile { output throws(ReplayError) in
                    result = try replay.groupStage.writePartial(of: sources, to: output, for: replay)
                }
                return result
            }
            func write(_ rows: RowSorter) throws(ReplayError) {
                parts[part] = try ComparisonFile.writeShown(
                    rows.sorted(), apps: apps.all, to: spills
                ) { () throws(ReplayError) in try checkFailure() }
            }
            switch part {
            case .groupsNow: results.now = try write(snapshots.now)
            case .groupsNew: results.new = try write(snapshots.new)
            case .peopleNow: _ = try write(people?.now)
            case .peopleNew: _ = try write(people?.new)
            case .shownNow: try write(shown.now)
            case .shownNew: try write(shown.new)
            }
        }
        if designs.sharesGroups { results.new = results.now }
        try files.writeResult { output throws(ReplayError) in
            try ComparisonFile.write(designs, parts, to: output, storage: storage) {
                () throws(ReplayError) in try checkFailure()
            }
        }
        var statistics = try statistics(of: results, sources, since: start)
        // The profile is that of the comparison.
        for side in [\Sides<Statistics>.now, \.new] {
            statistics[keyPath: side].warnings.removeAll {
                if case .levelsIgnored = $0 { true } else { false }
            }
        }
        var report = ComparisonReport(partial: statistics)
        report.outputWasClosed = files.wasClosed
        return report
    }

    /// Returns the distributions of both designs, and the numbers of people; nil if people are not measured.
    private func measure() throws(ReplayError) -> (
        rows: Sides<[MeasureRow]>, people: Sides<MeasuredPeople>
    )? {
        guard let people else { return nil }
        func measure(_ replay: Replay) throws(ReplayError) -> ([MeasureRow], MeasuredPeople) {
            var (measurement, result) = try replay.groupStage.finishMeasurement(for: replay)
            var rows: [MeasureRow] = []
            try measurement.forEachRow(
                ComparisonCondition.quantiles, check: { () throws(ReplayError) in try checkFailure() }
            ) { rows.append($0) }
            return (rows, result.people ?? MeasuredPeople())
        }
        let now = try measure(people.now)
        let new = designs.sharesPeople ? now : try measure(people.new)
        return (Sides(now: now.0, new: new.0), Sides(now: now.1, new: new.1))
    }

    private func finishGroups() throws(ReplayError) -> Sides<Groups> {
        func finish(_ replay: Replay) throws(ReplayError) -> Groups {
            var (groups, found, hidden, _) = try replay.groupStage.finishGroups(for: replay)
            if case .files(var state) = groups {
                // Two snapshots are written at once.
                try state.reduce(to: 2)
                groups = .files(state)
            }
            return (groups, found, hidden)
        }
        let now = try finish(snapshots.now)
        return Sides(now: now, new: designs.sharesGroups ? now : try finish(snapshots.new))
    }

    /// Creates the files for the snapshots of both designs.
    ///
    /// - Parameter files: receives those that were created.
    private func makeCopies(_ files: inout [OutputFile]) throws(ReplayError) -> Sides<OutputFile?> {
        func make(_ path: String?, _ files: inout [OutputFile]) throws(ReplayError) -> OutputFile? {
            guard let path else { return nil }
            do {
                files.append(try OutputFile(path, storage: storage, syncsName: false))
                return files.last
            } catch {
                throw .output(error)
            }
        }
        let now = try make(comparison.snapshots.now, &files)
        return Sides(now: now, new: try make(comparison.snapshots.new, &files))
    }

    /// Writes the snapshots of both designs to files.
    private func writeCopies(
        _ groups: Sides<FinishedGroups>, _ names: SourceNames, _ files: Sides<OutputFile?>
    ) throws(ReplayError) {
        func write(
            _ groups: FinishedGroups, _ options: ReplayOptions, _ file: OutputFile?
        ) throws(ReplayError) {
            guard let file else { return }
            _ = try groups.write(
                to: file, options.style, names: names, threads: options.threads,
                progress: RunProgress()
            ) { () throws(ReplayError) in try checkFailure() }
        }
        try write(groups.now, options.now, files.now)
        try write(groups.new, options.new, files.new)
    }

    /// Compares the snapshots, which are written at the same time. If all groups are in memory, shards are compared in
    /// parallel.
    ///
    /// - Returns: the differences, and the numbers of groups.
    private func compareScreens(
        _ groups: Sides<FinishedGroups>, _ names: SourceNames
    ) throws(ReplayError) -> Screens {
        var parts = Array(zip(groups.now.shards, groups.new.shards))
        if groups.now.shards.count != groups.new.shards.count { parts = [(groups.now, groups.new)] }
        let threads = max(1, options.now.threads / (2 * parts.count))
        let results = parts.concurrentMap { now, new in
            Result { () throws(ReplayError) in
                try compareScreens(Sides(now: now, new: new), names, threads: threads)
            }
        }
        var (changes, written) = (ScreenChanges(), Sides<UInt64>(now: 0, new: 0))
        for result in results {
            let (found, count) = try result.get()
            changes.add(found)
            written += count
        }
        return (changes, written)
    }

    /// Compares the snapshots of a part of the people.
    private func compareScreens(
        _ groups: Sides<FinishedGroups>, _ names: SourceNames, threads: Int
    ) throws(ReplayError) -> Screens {
        let written = Mutex(Sides<UInt64>(now: 0, new: 0))
        func writer(
            _ groups: FinishedGroups, _ options: ReplayOptions,
            _ side: WritableKeyPath<Sides<UInt64>, UInt64> & Sendable
        ) -> GroupPipe.Writer {
            var style = options.style
            style.isCompared = true
            let shown = style
            return { [self] pipe throws(ReplayError) in
                let count = try groups.write(
                    to: pipe, shown, names: names, threads: threads,
                    progress: side == \.now ? progress : RunProgress()
                ) { () throws(ReplayError) in try checkFailure() }
                written.withLock { $0[keyPath: side] = count }
            }
        }
        var changes = ScreenChanges()
        try GroupPipe.reading(
            writer(groups.now, options.now, \.now), writer(groups.new, options.new, \.new)
        ) { now, new throws(ReplayError) in
            try changes.compare(&now, &new) { () throws(ReplayError) in try checkFailure() }
        }
        return (changes, written.withLock(\.self))
    }

    /// Returns the fate of the groups, by number of the app.
    private func pairs() throws(ReplayError) -> [GroupChanges] {
        var pairs = GroupPairs(makeSorter: makeSorter) { () throws(ReplayError) in
            try self.checkFailure()
        }
        try pairs.join(try shown.now.sorted(), try shown.new.sorted())
        return pairs.changes
    }

}

/// A value that another thread makes.
private final class Pending<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, ReplayError>?>(nil)
    private let isDone = DispatchGroup()

    init(_ make: @escaping @Sendable () throws(ReplayError) -> Value) {
        DispatchQueue(label: "sheaf.pending").async(group: isDone) { [self] in
            let made = Result(catching: make)
            result.withLock { $0 = made }
        }
    }

    /// Waits for the value.
    func value() throws(ReplayError) -> Value {
        isDone.wait()
        guard let made = result.withLock(\.self) else { preconditionFailure("nothing was made") }
        return try made.get()
    }
}
