import SheafBytes
import Synchronization

/// Measures how much each person gets, and how often they are interrupted (specification §19).
///
/// ```swift
/// var options = ReplayOptions(sources: ["logs"])
/// options.output = "measures.ndjson"
/// options.every = Timeline(step: 86_400_000)
/// let report = try Measures(options).run()
/// let banners = report.rows.filter { $0.app == nil && $0.measure == .banners }
/// print(banners.map(\.max))
/// ```
///
/// A replay by device whose result is measures: it has the same stages, bounds, partial results and checkpoints.
public final class Measures: Sendable {
    private let replay: Replay
    private let rows = Received<[MeasureRow]>([])

    /// Finds the sources and allocates the run's resources. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - options: the sources, how they are read, the result's path and format, and the intervals: `every`, or all of
    ///     the log. Options for groups in snapshots have no effect.
    ///   - measures: what is measured.
    /// - Throws: as `Replay.init`.
    public convenience init(
        _ options: ReplayOptions, _ measures: MeasureOptions = MeasureOptions()
    ) throws(ReplayError) {
        try self.init(options, measures, storage: SystemStorage())
    }

    /// - Parameter storage: the storage for all files of the run.
    package convenience init(
        _ options: ReplayOptions, _ measures: MeasureOptions, storage: any Storage
    ) throws(ReplayError) {
        try self.init(options, measures, page: nil, storage: storage)
    }

    /// - Parameter section: as for `Replay`.
    package init(
        _ options: ReplayOptions, _ measures: MeasureOptions,
        page section: PageSection?, storage: any Storage
    ) throws(ReplayError) {
        var (options, measures) = (options, measures)
        measures.receive = { [rows] row in rows.value.withLock { $0.append(row) } }
        options.measure(measures)
        replay = try Replay(options, page: section, storage: storage)
    }

    /// The progress of the run, which may be read from any thread.
    public var progress: RunProgress { replay.progress }

    /// Ends the run as soon as possible, as `Replay.interrupt(signal:)` does.
    public func interrupt(signal: Int32) { replay.interrupt(signal: signal) }

    /// Measures the sources and writes every output. Blocks until done.
    ///
    /// Memory: that of a replay, and the report: a row for each interval, app and measure.
    ///
    /// - Parameter willWrite: called when all sources have been read, before the result is written.
    /// - Throws: as `Replay.run`.
    public func run(willWrite: () -> Void = {}) throws(ReplayError) -> MeasureReport {
        let statistics = try replay.run(willWrite: willWrite)
        return MeasureReport(statistics: statistics, rows: rows.value.withLock(\.self))
    }
}

/// What a run passes on while it works, on any thread.
final class Received<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
}

/// The result of a measurement.
public struct MeasureReport: Sendable {
    public let statistics: Statistics
    /// The distribution of each measure, in the order of intervals, apps and parts. Empty if the values of each person
    /// were written, or a partial result.
    public let rows: [MeasureRow]
}
