import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// A run as the command has it: its progress on the terminal, its signals, what is said at its end.
struct Run {
    let quiet: Bool
    let maximumRejects: UInt64
    /// Where results go, all of them written when everything is read.
    let outputs: [String]
    let rejects: Report.Rejects

    init(_ results: ResultOptions, rejects: Report.Rejects) {
        quiet = results.quiet
        maximumRejects = results.maxRejects
        outputs = results.outputs
        self.rejects = rejects
    }

    /// Does what the command is for and says what came of it.
    ///
    /// - Parameter checkpoint: the folder from which the command goes on when it is ended.
    /// - Throws: `ExitCode`, when that is not 0.
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

    /// Runs `body` while signals go to `interrupt`.
    ///
    /// - Parameter body: calls what it is given before it writes the result.
    func callAsFunction(
        _ progress: Progress, interrupt: @escaping @Sendable (Int32) -> Void,
        _ body: (_ willWrite: () -> Void) throws(ReplayError) -> Statistics
    ) throws {
        // Rejected lines are written while others are read.
        let showsProgress = !(rejects.file.map(Terminal.mayShow) ?? false)
        let statistics = try Self.watched(progress, quiet: quiet || !showsProgress, interrupt: interrupt) {
            line throws(ReplayError) in
            try body { if outputs.contains(where: Terminal.mayShow) { line?.end() } }
        }
        let report = Report(statistics, maximumRejects: maximumRejects, rejects: rejects)
        if progress.groupsLeftOut > 0 {
            Terminal.writeOutput(Screen.note(groupsLeftOut: progress.groupsLeftOut))
        }
        if !statistics.outputWasClosed {
            if !quiet {
                Message.writeTotals(report.totals)
                Message.write(statistics.warnings)
            }
            for problem in report.problems { Message.write(problem) }
        }
        if !report.problems.isEmpty { throw ExitCode(ExitStatus.data) }
    }

    /// Runs `body` while signals go to `interrupt` and its progress is on the terminal.
    ///
    /// - Parameters:
    ///   - showsGroups: whether groups are what it makes.
    ///   - body: is given what is on the terminal, which it may take away before it writes there itself.
    static func watched<Result>(
        _ progress: Progress, quiet: Bool, showsGroups: Bool = true,
        interrupt: @escaping @Sendable (Int32) -> Void,
        _ body: (ProgressLine?) throws(ReplayError) -> Result
    ) throws(ReplayError) -> Result {
        let line =
            quiet || !ProgressLine.isPossible
            ? nil : ProgressLine { ProgressLine.text(progress, seconds: $0, showsGroups: showsGroups) }
        defer { line?.end() }
        let signals = Signals { number in
            // The terminal has put its ^C after the line.
            line?.end()
            interrupt(number)
        }
        defer { withExtendedLifetime(signals) {} }
        return try body(line)
    }
}
