import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// A run as the command has it: its progress on the terminal, its signals, what is said at its end.
struct Run {
    let quiet: Bool
    let maximumRejects: UInt64
    /// Whether the result goes where the progress is.
    let writesToTerminal: Bool
    var rejectsFile: String?

    init(_ results: ResultOptions, rejectsFile: String? = nil) {
        quiet = results.quiet
        maximumRejects = results.maxRejects
        writesToTerminal = results.writesToTerminal
        self.rejectsFile = rejectsFile
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
        let statistics = try Self.watched(progress, quiet: quiet, interrupt: interrupt) {
            line throws(ReplayError) in try body { if writesToTerminal { line?.end() } }
        }
        let report = Report(statistics, maximumRejects: maximumRejects, rejectsFile: rejectsFile)
        if !statistics.outputWasClosed {
            if !quiet { Terminal.writeError(report.totals + "\n") }
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
        let signals = Signals(interrupt)
        defer { withExtendedLifetime(signals) {} }
        let line =
            quiet || !Terminal.isErrorTerminal ? nil : ProgressLine(progress, showsGroups: showsGroups)
        defer { line?.end() }
        return try body(line)
    }
}
