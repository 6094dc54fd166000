import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import Synchronization

/// Runs a replay or a merge for the command: shows its progress, forwards signals, and reports its outcome.
struct Run {
    let quiet: Bool
    let maximumRejects: UInt64
    /// The outputs that are written once everything has been read.
    let outputs: [String]
    let rejects: Report.Rejects
    /// Whether a part of the outputs is written while sources are still being read.
    let isLive: Bool
    let progressStyle: ProgressOptions.Style?
    /// Whether a warning is not shown, because the options show that its subject is intended.
    let isMeant: (ReplayWarning) -> Bool

    init(
        _ results: ResultOptions, rejects: Report.Rejects, isLive: Bool = false,
        isMeant: @escaping (ReplayWarning) -> Bool = { _ in false }
    ) {
        self.isMeant = isMeant
        self.isLive = isLive
        quiet = results.quiet
        maximumRejects = results.snapshot.maxRejects
        progressStyle = results.progress.progress
        outputs = results.outputs
        self.rejects = rejects
    }

    /// Runs the body of a command and reports the errors that it throws.
    ///
    /// - Parameter checkpoint: the folder from which the command can resume after an interruption.
    /// - Throws: `ExitCode` if the status is not 0.
    static func reportingErrors(checkpoint: String? = nil, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as ReplayError {
            throw Failure(error, checkpoint: checkpoint).reported()
        } catch let error as ConfigurationError {
            throw Failure(error).reported()
        } catch let code as ExitCode {
            throw code
        } catch {
            Message.write("internal error: \(error)")
            throw ExitCode(ExitStatus.internalError)
        }
    }

    /// Runs `body`, passing signals to `interrupt`, and reports the outcome.
    ///
    /// - Parameter body: calls its arguments for a warning that can't wait for the end, and before it writes the result.
    func callAsFunction(
        _ progress: RunProgress, interrupt: @escaping @Sendable (Int32) -> Void,
        _ body: (
            _ warn: @escaping @Sendable (ReplayWarning) -> Void, _ willWrite: () -> Void
        ) throws(ReplayError) -> Statistics
    ) throws {
        // What is written while sources are still being read: rejected lines, and live snapshots.
        let early = [rejects.file].compactMap(\.self) + (isLive ? outputs : [])
        let style =
            progressStyle ?? (early.contains(where: Terminal.mayShow) ? ProgressOptions.Style.none : nil)
        let known = KnownWarnings()
        let statistics = try Self.watched(
            progress, style, quiet: quiet, shows: isLive ? .snapshots : .groups, interrupt: interrupt
        ) { line throws(ReplayError) in
            try body({ [quiet] in if !quiet { known.write($0) } }) {
                if outputs.contains(where: Terminal.mayShow) { line?.end() }
            }
        }
        let report = Report(statistics, maximumRejects: maximumRejects, rejects: rejects)
        if progress.groupsLeftOut > 0 {
            Terminal.writeOutput(Screen.note(groupsLeftOut: progress.groupsLeftOut))
        }
        if !statistics.outputWasClosed {
            if !quiet {
                Message.writeTotals(report.totals)
                Message.write(
                    statistics.warnings.filter { !known.contains($0) && !isMeant($0) && !$0.isAboutRejects })
            }
            for problem in report.problems { Message.write(problem) }
            // After the number of rejects that it explains.
            if !quiet { Message.write(statistics.warnings.filter(\.isAboutRejects)) }
        }
        if !report.problems.isEmpty { throw ExitCode(ExitStatus.data) }
    }

    /// Runs `body`, passing signals to `interrupt` and showing its progress on the terminal.
    ///
    /// - Parameters:
    ///   - style: how it is shown; nil for a line if there is a terminal.
    ///   - shown: the count next to bytes and records.
    ///   - body: receives the progress line, which it may end before it writes to the terminal itself.
    static func watched<Result>(
        _ progress: RunProgress, _ style: ProgressOptions.Style?, quiet: Bool,
        shows shown: ProgressLine.Count?,
        interrupt: @escaping @Sendable (Int32) -> Void,
        _ body: (ProgressLine?) throws(ReplayError) -> Result
    ) throws(ReplayError) -> Result {
        let line =
            switch style {
            case .json: ProgressLine(isJSON: true) { ProgressLine.json(progress, seconds: $0) }
            case .line, nil:
                quiet || !ProgressLine.isPossible
                    ? nil : ProgressLine { ProgressLine.text(progress, seconds: $0, shows: shown) }
            case .some(.none): nil as ProgressLine?
            }
        defer { line?.end() }
        let signals = Interrupts.signals(line, interrupt)
        defer { withExtendedLifetime(signals) {} }
        return try body(line)
    }
}

extension ReplayWarning {
    /// Whether the warning explains why lines were rejected.
    fileprivate var isAboutRejects: Bool { if case .mostlyRejected = self { true } else { false } }
}

/// The warnings that the user has seen before a run ends.
private final class KnownWarnings: Sendable {
    private let warnings = Mutex<[ReplayWarning]>([])

    func write(_ warning: ReplayWarning) {
        warnings.withLock { $0.append(warning) }
        Message.write([warning])
    }

    func contains(_ warning: ReplayWarning) -> Bool { warnings.withLock { $0.contains(warning) } }
}
