import Dispatch
import SheafBytes
import SheafGroups

/// Compares two snapshots or partial results, as far as they hold what is needed (specification §20).
///
/// ```swift
/// let report = try FileComparison(
///     ReplayOptions(sources: ["monday.partial"]), ReplayOptions(sources: ["tuesday.partial"])
/// ).run()
/// for sentence in report.missing { print(sentence) }
/// ```
///
///     a snapshot ──SnapshotLines──────────────┐
///     a partial result ──StateFiles, rendered─┴─▶ groups by key ─▶ ScreenChanges ─▶ ComparisonReport
///
/// Memory: for each partial result that of a merge.
public final class FileComparison: Sendable {
    private let options: Sides<ReplayOptions>
    private let comparison: ComparisonOptions
    private let storage: any Storage
    private let inputs: Sides<PartialInputs>
    /// The progress of the run, which may be read from any thread.
    public let progress = RunProgress()

    /// Finds the files. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - now: has one source, a snapshot in NDJSON or a partial result, and how groups are shown.
    ///   - new: has the other one.
    ///   - comparison: the report's form and its conditions.
    /// - Throws: `ReplayError` if an option is invalid, a file is missing, or the output would replace a file.
    public convenience init(
        _ now: ReplayOptions, _ new: ReplayOptions, _ comparison: ComparisonOptions = ComparisonOptions()
    ) throws(ReplayError) {
        try self.init(now, new, comparison, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package init(
        _ now: ReplayOptions, _ new: ReplayOptions, _ comparison: ComparisonOptions, storage: any Storage
    ) throws(ReplayError) {
        let options = Sides(now: now.compared, new: new.compared)
        (self.options, self.comparison, self.storage) = (options, comparison, storage)
        inputs = Sides(
            now: try PartialInputs(options.now, storage: storage),
            new: try PartialInputs(options.new, storage: storage))
        guard inputs.now.files.count == 1, inputs.new.files.count == 1 else {
            throw .usage("two files are compared, each a snapshot or a partial result")
        }
        try OutputCheck.check(
            comparison.files(options), inputs.now.files + inputs.new.files, storage: storage)
    }

    /// Whether a file is a snapshot in NDJSON or a partial result, and not a log.
    public static func canCompare(_ path: String) -> Bool {
        // A pipe can be read only once.
        guard path != "-", (try? SystemStorage().status(of: path))?.kind == .file,
            let file = try? SystemStorage().openForReading(path)
        else { return false }
        defer { file.close() }
        switch SourceHead.damage(SourceHead.read(file).bytes)?.reason {
        case .snapshot, .partialResult: return true
        default: return false
        }
    }

    /// Ends the run as soon as possible; `run()` then throws `ReplayError.interrupted`. May be called from any thread
    /// at any time.
    public func interrupt(signal: Int32) {
        inputs.now.interrupt(signal: signal)
        inputs.new.interrupt(signal: signal)
    }

    /// Compares the files and writes the report. Blocks until done.
    ///
    /// - Parameter willWrite: called before the report is written.
    /// - Throws: `ReplayError`; no output remains in that case. `ReplayError.alreadyRun` if called a second time.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> ComparisonReport {
        try inputs.now.whileRunning { () throws(ReplayError) in
            try inputs.new.whileRunning { () throws(ReplayError) in try compare(willWrite) }
        }
    }

    private func compare(_ willWrite: () -> Void) throws(ReplayError) -> ComparisonReport {
        var files = try ResultFiles(comparison.files(options), storage: storage)
        do throws(ReplayError) {
            let sides = Sides(
                now: try open(inputs.now, options.now), new: try open(inputs.new, options.new))
            willWrite()
            let screens = try ScreenChanges(sides, options, check: inputs.now.check)
            let hasMeasures = !sides.now.rows.isEmpty && !sides.new.rows.isEmpty
            let byDevice = sides.now.byDevice && sides.new.byDevice && sides.now.write != nil
            var report = ComparisonReport(
                statistics: sides.map(\.statistics), screens, pairs: nil, isAlike: { _ in false }, names: [],
                sources: sides.map { $0.names() },
                measures: hasMeasures
                    ? sides.map(\.rows)
                    : byDevice
                        ? screens.measures(ComparisonCondition.quantiles) : Sides(now: [], new: []),
                people: byDevice ? screens.counted : nil)
            report.missing = missing(sides)
            report.statistics.now.groups = report.all.groups.now
            report.statistics.new.groups = report.all.groups.new
            try report.evaluate(comparison.failures)
            try files.writeResult(comparison.bytes(of: report, options))
            report.outputWasClosed = files.wasClosed
            try inputs.now.check()
            try files.commit()
            return report
        } catch {
            files.discard()
            throw error
        }
    }

    /// What the files do not hold, in sentences.
    private func missing(_ sides: Sides<ComparedSide>) -> [String] {
        var sentences: [String] = []
        if sides.now.write == nil || sides.new.write == nil {
            sentences.append("Measures alone are compared: a partial result of measures has no groups.")
        } else {
            sentences.append(
                "Whether groups are kept, split or merged is not known: the files do not hold which notifications a group "
                    + "has. Comparing the logs finds it.")
            if !(sides.now.byDevice && sides.new.byDevice) {
                sentences.append("Nothing is known of single people: the groups are not separated by device.")
            } else {
                sentences.append(
                    "People without anything on screen are not counted, and what happened is not known.")
            }
        }
        return sentences
    }

    /// Finds what a file holds.
    private func open(_ inputs: PartialInputs, _ options: ReplayOptions) throws(ReplayError) -> ComparedSide {
        let source = inputs.files[0]
        let head: [UInt8]
        do {
            let file = try storage.openForReading(source.path)
            head = SourceHead.read(file).bytes
            file.close()
        } catch {
            throw .source(path: source.path, reason: "it cannot be opened: \(error.reason)")
        }
        switch SourceHead.damage(head)?.reason {
        case .partialResult: return try ComparedSide.reading(inputs)
        case .snapshot:
            let lines = try SnapshotLines(source, storage: storage, inflater: options.inflater)
            let byDevice = SourceHead.inflated(MemoryInput(head), upTo: 10).starts(
                with: Array("{\"device\":".utf8))
            return ComparedSide(
                write: { _, pipe throws(ReplayError) in
                    while let piece = try lines.read() {
                        try pipe.write(result: piece.span)
                    }
                }, names: { lines.names }, byDevice: byDevice)
        default:
            throw .source(
                path: source.path, reason: "it is neither a snapshot in NDJSON nor a partial result")
        }
    }
}
