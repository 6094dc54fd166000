import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import Synchronization

/// Runs a replay or a merge for the command: shows its progress, forwards signals, and reports its outcome.
struct Run {
    let results: ResultOptions
    let rejects: Totals.Rejects
    /// Whether a part of the outputs is written while sources are still being read.
    var isLive = false
    /// Whether a warning is not shown, because the options show that its subject is intended.
    var isMeant: (ReplayWarning) -> Bool = { _ in false }

    /// Replays the sources of some options, for snapshots or measures, and reports the outcome.
    ///
    /// - Parameters:
    ///   - rejects: the file of rejected lines.
    ///   - isLive: whether snapshots are written while sources are still being read.
    static func run(
        _ options: ReplayOptions, _ results: ResultOptions, rejects: String?, isLive: Bool = false,
        isMeant: @escaping (ReplayWarning) -> Bool = { _ in false }
    ) throws {
        let replay = try Replay(options)
        if !results.quiet, let resumed = replay.resumedBytes {
            Message.write(Self.resumed(at: resumed.processed, of: resumed.total))
        }
        try Run(results: results, rejects: .replay(file: rejects), isLive: isLive, isMeant: isMeant)(
            replay.progress, interrupt: { replay.interrupt(signal: $0) }
        ) { warn, willWrite throws(ReplayError) in try replay.run(warn: warn, willWrite: willWrite) }
    }

    private static func resumed(at processed: UInt64, of total: UInt64) -> String {
        guard total > 0 else { return "resumed after \(Numbers.bytes(processed))" }
        return "resumed at \(processed * 100 / total) % of \(Numbers.bytes(total))"
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
        } catch let error as ValidationError {
            // A mistake that shows only once a file has been read.
            Message.write(error.message)
            throw ExitCode.usage
        } catch let code as ExitCode {
            throw code
        } catch {
            Message.write("internal error: \(error)")
            throw ExitCode.internalError
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
        let outputs = results.outputs
        let quiet = results.quiet
        // What is written while sources are still being read: rejected lines, and live snapshots.
        let early = [rejects.file].compactMap(\.self) + (isLive ? outputs : [])
        let style =
            results.progress.progress
            ?? (early.contains(where: Terminal.mayShow) ? ProgressOptions.Style.none : nil)
        // The warnings that the user has seen before the run ends.
        let shown = Mutex<[ReplayWarning]>([])
        let statistics = try Self.watched(
            progress, style, quiet: quiet, shows: isLive ? .snapshots : .groups, interrupt: interrupt
        ) { line throws(ReplayError) in
            try body({ warning in
                guard !quiet else { return }
                shown.withLock { $0.append(warning) }
                Message.write([warning])
            }) {
                if outputs.contains(where: Terminal.mayShow) { line?.end() }
            }
        }
        if progress.groupsLeftOut > 0 {
            StandardStream.output.write(Message.note(groupsLeftOut: progress.groupsLeftOut))
        }
        let known = shown.withLock(\.self)
        try Self.report(
            statistics, maximumRejects: results.snapshot.maxRejects, rejects: rejects, quiet: quiet
        ) { !known.contains($0) && !isMeant($0) }
    }

    /// Reports the outcome of a run to the user.
    ///
    /// - Parameter isNew: whether a warning is shown.
    /// - Throws: `ExitCode.data` if the run counts as failed.
    static func report(
        _ statistics: Statistics, maximumRejects: UInt64, rejects: Totals.Rejects, quiet: Bool,
        isNew: (ReplayWarning) -> Bool = { _ in true }
    ) throws {
        let totals = Totals(statistics, maximumRejects: maximumRejects, rejects: rejects)
        if !statistics.outputWasClosed {
            if !quiet {
                Message.writeTotals(totals.text)
                Message.write(statistics.warnings.filter { isNew($0) && !$0.isAboutRejects })
            }
            for problem in totals.problems { Message.write(problem) }
            // After the number of rejects that it explains.
            Message.write(statistics.warnings.filter { $0.isAboutRejects && (!quiet || $0.isAboutAll) })
        }
        if !totals.problems.isEmpty { throw ExitCode.data }
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
        try showing(progress, style, quiet: quiet, shows: shown) { line throws(ReplayError) in
            let signals = Self.signals(line, interrupt)
            defer { withExtendedLifetime(signals) {} }
            return try body(line)
        }
    }

    /// Runs `body`, showing its progress on the terminal.
    static func showing<Result>(
        _ progress: RunProgress, _ style: ProgressOptions.Style?, quiet: Bool,
        shows shown: ProgressLine.Count?, _ body: (ProgressLine?) throws(ReplayError) -> Result
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
        return try body(line)
    }

    /// Handles the signals that end a command: the first ones in an orderly way, a third one at once. A command that waits
    /// for its output, such as a full pipe, can't end in an orderly way.
    ///
    /// - Parameters:
    ///   - line: the progress line, which ends with the first signal.
    ///   - interrupt: interrupts the run; called for the first two signals.
    /// - Returns: the handlers, which are active as long as they exist.
    static func signals(_ line: ProgressLine?, _ interrupt: @escaping @Sendable (Int32) -> Void) -> Signals {
        let count = Atomic<Int>(0)
        return Signals { number in
            // The terminal has echoed ^C after the line.
            line?.end()
            switch count.add(1, ordering: .relaxed).newValue {
            case 1: interrupt(number)
            case 2:
                interrupt(number)
                Message.write(
                    "still stopping; the next interrupt ends the command at once and leaves its temporary files"
                )
            default: Signals.endProcess(status: ExitCode.signal(number).rawValue)
            }
        }
    }
}

extension ReplayWarning {
    /// Whether the warning explains why lines were rejected.
    fileprivate var isAboutRejects: Bool {
        switch self {
        case .mostlyRejected, .sourcesWithoutRecords: true
        default: false
        }
    }

    /// Whether no record of a source is left, which is worth a line to those who want few.
    fileprivate var isAboutAll: Bool {
        switch self {
        case .mostlyRejected(let count, let records, _, _): count == records
        case .sourcesWithoutRecords: true
        default: false
        }
    }
}

/// The totals of a replay or a merge as text for the user, and the reasons why it counts as failed.
struct Totals {
    private let statistics: Statistics
    private let maximumRejects: UInt64
    private let rejects: Rejects

    /// What happens to rejected lines.
    enum Rejects {
        /// They are written to the file, if one is given.
        case replay(file: String?)
        /// They were counted when the partial results were written, and are no longer available.
        case merge

        var file: String? {
            if case .replay(let file) = self { file } else { nil }
        }

        fileprivate var advice: String {
            switch self {
            case .replay("-"): "they are on standard output"
            case .replay(let file?): "they are in \(file)"
            case .replay(nil): "use --rejects FILE to keep them"
            case .merge: "use --rejects FILE with sheaf replay to keep them"
            }
        }
    }

    init(_ statistics: Statistics, maximumRejects: UInt64, rejects: Rejects) {
        self.statistics = statistics
        self.maximumRejects = maximumRejects
        self.rejects = rejects
    }

    /// One line with the numbers of records, groups and the like, and the time taken.
    var text: String {
        var parts = [
            "\(Numbers.count(statistics.records, "record")) from \(Numbers.count(UInt64(statistics.sources), "source"))",
            statistics.people.map { "\(Numbers.grouped($0)) \($0 == 1 ? "person" : "people")" }
                ?? Numbers.count(statistics.groups, "group"),
            "\(Numbers.grouped(statistics.silent)) silent",
            "\(Numbers.grouped(statistics.updated)) updated",
        ]
        if statistics.otherPlatform > 0 {
            parts.append("\(Numbers.grouped(statistics.otherPlatform)) for other platforms")
        }
        if let repeated = statistics.repeated, repeated > 0 {
            parts.append("\(Numbers.grouped(repeated)) repeated")
        }
        if let refused = statistics.refused { parts.append("\(Numbers.grouped(refused.total)) refused") }
        if let outside = statistics.outsideWindow {
            parts.append("\(Numbers.grouped(outside.earlier)) earlier")
            parts.append("\(Numbers.grouped(outside.later)) later")
        }
        if let unselected = statistics.unselected {
            parts.append("\(Numbers.grouped(unselected)) not selected")
        }
        if let removals = statistics.removals {
            parts.append("\(Numbers.grouped(removals.removed)) removed")
        }
        if let late = statistics.late { parts.append("\(Numbers.grouped(late)) late") }
        if statistics.ahead > 0 { parts.append("\(Numbers.grouped(statistics.ahead)) ahead") }
        if let delivery = statistics.delivery {
            parts.append("\(Numbers.grouped(delivery.suppressed)) suppressed")
            if let quiet = delivery.quiet { parts.append("\(Numbers.grouped(quiet)) quiet") }
            if delivery.modified > 0 { parts.append("\(Numbers.grouped(delivery.modified)) modified") }
            if delivery.expired > 0 { parts.append("\(Numbers.grouped(delivery.expired)) expired") }
        }
        if let responses = statistics.responses { parts.append(Numbers.count(responses.total, "response")) }
        parts.append("\(Numbers.grouped(statistics.rejectedTotal)) rejected")
        parts.append(Self.time(statistics.seconds, records: statistics.records))
        return parts.joined(separator: ", ")
    }

    /// A run's duration, and its rate if it took at least 0.1 s: below that, a rate is meaningless.
    static func time(_ seconds: Double, records: UInt64) -> String {
        guard seconds >= 0.1 else { return Numbers.seconds(seconds) }
        return "\(Numbers.seconds(seconds)) (\(Numbers.grouped(UInt64(Double(records) / seconds))) records/s)"
    }

    /// The reasons why the run counts as failed although its result was written, one line each.
    var problems: [String] {
        statistics.sourceErrors.map { SourceAdvice(command: "replay", use: "used").line($0) } + rejectProblem
    }

    private var rejectProblem: [String] {
        guard statistics.rejectedTotal > maximumRejects, let first = statistics.firstReject else { return [] }
        let reasons = statistics.rejected.map { "\(Numbers.grouped($0.count)) \($0.reason.name)" }
        let name = statistics.records == statistics.linesRead ? "line" : "record"
        let index = first.index.map { ", index \($0)" } ?? ""
        return [
            "\(Numbers.count(statistics.rejectedTotal, name)) rejected (\(reasons.joined(separator: ", "))), "
                + "the first at \(first.source):\(first.line)\(index); \(rejects.advice)"
        ]
    }
}
