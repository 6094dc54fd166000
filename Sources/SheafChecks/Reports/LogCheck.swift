import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// Checks logs and reports the problems in them: how often each one occurs, and where it occurs first.
///
/// ```swift
/// var options = CheckOptions(sources: ["log.ndjson"])
/// options.output = "report.txt"
/// let report = try LogCheck(options).run()
/// if report.errors > 0 { print("\(report.errors) pushes would be refused or shown wrongly") }
/// ```
///
///     sources ─▶ SourceReader ─▶ unit ───▶ CheckWorker ─▶ CheckTally, GroupingCensus ─▶ CheckReport
///
/// `ReadingRun` has the stages that a check shares with a replay: the same readers, work units and flow control, and so
/// the same bounds. Memory is the work units, the buffers of the open sources, and for each worker its counts, a
/// `GroupingCensus`, and two copies of texts; with a baseline, or a format with a location for each source, also an
/// entry for each finding of a source. The report is a pure function of the sources' bytes.
public final class LogCheck: ReadingRun, Sendable {
    private let options: CheckOptions
    private let storage: any Storage
    /// The number of names in folders that were skipped.
    private let filesSkipped: Int
    package let reading: ReadingStages<CheckWorker, Void>
    /// Writes the findings; nil if they are only counted.
    private let findingLog: RejectLog?
    /// The page that the report is a section of; nil for other formats.
    private let page: PageSection?
    private let format: FindingFormat?
    /// The folder for spools of findings that cannot be next to the file.
    private let spills: SpillFolder

    /// The progress of the check, which may be read from any thread.
    public var progress: RunProgress { reading.progress }

    /// Finds the sources and allocates the run's resources. Nothing is read or written yet.
    ///
    /// - Throws: `ReplayError` if an option is invalid, a source can't be opened, or the report would replace one.
    public convenience init(_ options: CheckOptions) throws(ReplayError) {
        try self.init(options, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package convenience init(_ options: CheckOptions, storage: any Storage) throws(ReplayError) {
        try self.init(options, page: nil, storage: storage)
    }

    /// - Parameter section: a section of a page that another run writes; nil for a report of its own.
    package init(_ options: CheckOptions, page section: PageSection?, storage: any Storage)
        throws(ReplayError)
    {
        try options.validate()
        var options = options
        page = section ?? options.newPage()
        if section != nil { options.output = "" }
        self.options = options
        self.storage = storage
        let openFiles = try OpenFiles(threads: options.threads)
        var skipped = 0
        let sources = try SourceList.expand(options.sources, storage: storage) { skipped += $0 }
        filesSkipped = skipped
        try OutputCheck.check(options.files, sources, storage: storage)
        let known = KnownCategories(options.settings, strings: options.strings)
        let inputs = options.inputs
        let apps = AppCensus(options.settings, inputs)
        let paths = sources.map(\.path)
        let format = options.findingsOutput.map { _ in
            FindingFormat(options, sources: paths, isTagged: options.baseline != nil)
        }
        self.format = format
        spills = try SpillFolder(in: nil, storage: storage)
        do {
            findingLog = try options.findingsOutput.map { [spills] path throws(StorageError) in
                try RejectLog(
                    path: path, format: nil,
                    filter: options.baseline.map { Self.newFindings($0, sources: paths) },
                    storage: storage,
                    maximumSpools: openFiles.spools, makeSpoolPath: spills.makeSpoolPath)
            }
        } catch {
            throw .output(error)
        }
        let partBytes = options.findingsOutput == nil ? .max : Limits.partBytes(options.chunks)
        let workers = (0..<options.threads).map { _ in
            CheckWorker(
                known, inputs, profile: options.profile, limits: options.limits, apps: apps,
                countsSources: options.countsSources, format: format, partBytes: partBytes)
        }
        reading = ReadingStages(
            sources, storage: storage, chunks: options.chunks, openSources: openFiles.sources,
            workers: workers, inflater: options.inflater, own: ())
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) { fail(.interrupted(signal: signal)) }

    /// Checks the sources and writes the report. Blocks until done.
    ///
    /// - Parameter willWrite: called when all sources have been read, before the report is written.
    /// - Returns: the report; findings are not errors of the run.
    /// - Throws: `ReplayError`; no output remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> CheckReport {
        try reading.begin()
        do throws(ReplayError) {
            if findingLog != nil { spills.removeAbandoned() }
            var files = try ResultFiles(options.files, page: page, storage: storage)
            try readAll()
            let (tally, problems) = tally()
            if let findingLog {
                try findingLog.run { () throws(StorageError) in try finish(findingLog, problems) }
            }
            var report = report(tally)
            report.sourceWarnings =
                SourceList.warnings(skipped: filesSkipped)
                + SourceList.repetitionWarnings(sources, storage: storage) + appWarnings(tally)
                + inputWarnings(tally)
            willWrite()
            try files.writeResult { file throws(ReplayError) in
                do throws(StorageError) {
                    try file.write(report.bytes(options.format).span)
                } catch {
                    throw .writing(error)
                }
            }
            try files.writePage()
            if options.baselineOutput != nil { try files.writeStatistics(report.baseline.json()) }
            report.outputWasClosed = files.wasClosed
            spills.removeAll()
            try checkFailure()
            try findingLog?.run { () throws(StorageError) in try findingLog?.commit() }
            try files.commit()
            return report
        } catch {
            fail(error)
            if let findingLog { findingLog.queue.sync { findingLog.discard() } }
            spills.removeAll()
            throw error
        }
    }

    /// Returns the counts, and the problems of apps that they include.
    private func tally() -> (CheckTally, [GroupingCensus.AppProblem]) {
        reading.state.withLock { state in
            var tally = CheckTally(countsSources: options.countsSources)
            var census: GroupingCensus?
            for worker in state.idleWorkers {
                tally.add(worker.tally)
                if census == nil { census = worker.census } else { census?.add(worker.census) }
            }
            let problems = census?.problems ?? []
            tally.count(problems)
            return (tally, problems)
        }
    }

    /// Returns a warning if configured apps have no records.
    private func appWarnings(_ tally: CheckTally) -> [ReplayWarning] {
        var apps = AppCensus(options.settings, options.inputs)
        reading.state.withLock { state in
            for worker in state.idleWorkers { apps.add(worker.apps) }
        }
        return apps.warnings(of: tally.used)
            + (tally.unselected > 0 && tally.unselected == tally.used ? [.emptySelection(tally.used)] : [])
    }

    private func report(_ tally: CheckTally) -> CheckReport {
        reading.state.withLock { state in
            CheckReport(tally, damages: state.damages, sources: sources.map(\.path), options: options)
        }
    }

    /// Returns warnings about the likely cause if most records are rejected or have no timestamp.
    private func inputWarnings(_ tally: CheckTally) -> [ReplayWarning] {
        let hints = InputHints(
            options.inputs, sources, head: reading.state.withLock { $0.head },
            maximumLine: options.maximumLine)
        let entries = RejectReason.allCases.map { (reason: $0, entry: tally[.rejected($0)]) }
        let rejected = entries.map { (reason: $0.reason, count: $0.entry.count) }.filter { $0.count > 0 }
        var warnings: [ReplayWarning] = []
        let untimed = tally[.untimed].count
        let records = tally.records - rejected.reduce(0) { $0 + $1.count }
        if Limits.isMajority(untimed, of: records), let pointer = hints.timestampPointer() {
            warnings.append(.unmappedTimestamps(untimed, of: records, pointer: pointer))
        }
        if let warning = hints.rejects(rejected, of: tally.records) { warnings.append(warning) }
        return warnings
    }
}

// MARK: - Findings

extension LogCheck {
    /// Selects the findings that a baseline does not know.
    private static func newFindings(_ baseline: CheckBaseline, sources: [String]) -> RejectLog.Filter {
        var known = KnownFindings(baseline, sources: sources)
        return { lines, source, output in known.appendNew(of: lines, of: source, to: &output) }
    }

    package var stages: [any ReadingStage] { findingLog.map { [$0] } ?? [] }

    /// Writes the findings that are not about one record, in the order of sources and reports, and finishes the file.
    private func finish(_ log: RejectLog, _ problems: [GroupingCensus.AppProblem]) throws(StorageError) {
        let damages = reading.state.withLock { $0.damages }
        var lines = OutputBuffer()
        for source in sources.indices {
            lines.removeAll()
            if let damage = damages[source] {
                format?.append(
                    .source(damage.reason), at: RecordPosition(source: source, line: damage.offset),
                    to: &lines)
            }
            for problem in problems where problem.first.source == source {
                format?.append(
                    .problem(problem.problem), at: problem.first, app: Array(problem.app.utf8).span,
                    detail: problem.numbers, to: &lines)
            }
            try log.append(lines.bytes, of: source)
        }
        try log.finish()
    }
}
