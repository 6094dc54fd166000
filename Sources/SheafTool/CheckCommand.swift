import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// `sheaf check`: reads logs and reports their problems.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report problems in push logs: how often each occurs, and where first.",
        usage: "sheaf check <SOURCE> ... [<options>]",
        discussion: """
            Errors are pushes that Apple's service or a device refuses, fields that it ignores, and input that can't \
            be read. Warnings are pushes that are delivered, but probably not shown as intended.

            Exit status: 0 no finding counts as a failure; 64 usage error; 65 at least one does; 66 a source cannot \
            be opened; 70 internal error; 73 the output cannot be created; 74 reading or writing failed; 78 \
            configuration error; 129, 130, 143 or 152 interrupted.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories, or - for standard input, in order.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String]

    @Option(
        name: [.short, .long],
        help: .file(
            """
            Write the report to FILE, or to standard output if it is -; .gz or .zst compresses it, and .json or .txt selects \
            the format.
            """),
        completion: .file())
    var output = "-"

    @Option(
        help: .file("A JSON file with each app's categories; others are reported as warnings."),
        completion: .file())
    var config: String?

    @Option(
        help: .name(
            """
            The iOS version whose rules apply: ios12, or ios15, which ignores summary arguments and their counts.
            """))
    var profile = Profile.ios12

    @Option(
        help: .name(
            """
            The format of the report: text, or json for one JSON object. (default: as the output's name implies, \
            else text)
            """))
    var format: FormatName?

    @Option(help: .name("The least severe finding that counts as a failure."))
    var failOn = CheckFinding.Severity.error

    @OptionGroup var reading: ReadingOptions

    @Option(
        parsing: .unconditional,
        help: .number("The number of worker threads; no result depends on it. (default: one per processor)"),
        transform: OptionValue.number)
    var threads: Int?

    @Flag(name: [.short, .long], help: "Write only errors to standard error.")
    var quiet = false

    /// The values of `--format`.
    enum FormatName: String, ExpressibleByArgument, CaseIterable {
        case text, json

        /// The format that a file's name implies; nil if it implies none that a report has.
        init?(output path: String) {
            switch SheafTool.FormatName(output: path) {
            case .text: self = .text
            case .json: self = .json
            case .ndjson, .csv, nil: return nil
            }
        }
    }

    private var reportFormat: FormatName { format ?? FormatName(output: output) ?? .text }

    func validate() throws {
        try OptionValue.checkSources(sources)
        try OptionValue.checkPaths(["--output": output, "--config": config])
        if let threads { try OptionValue.check(Limits.threadsRange, threads, "--threads") }
    }

    func run() throws {
        try Run.reportingErrors {
            let check = try LogCheck(options())
            let report = try Run.watched(
                check.progress, quiet: quiet, showsGroups: false, interrupt: { check.interrupt(signal: $0) }
            ) { line throws(ReplayError) in
                try check.run { if Terminal.mayShow(output) { line?.end() } }
            }
            if !report.outputWasClosed {
                // A text report on standard output ends with the totals.
                let showsTotals = reportFormat != .text || output != "-"
                if showsTotals, !quiet { Message.writeTotals(report.totals) }
                if !quiet { Message.write(report.sourceWarnings) }
                let advice = SourceAdvice(command: "check", use: "checked")
                for problem in report.damagedSources { Message.write(advice.line(problem)) }
            }
            let failures = report.errors + (failOn == .warning ? report.warnings : 0)
            if failures > 0 { throw ExitCode(ExitStatus.data) }
        }
    }

    private func options() throws -> CheckOptions {
        var options = CheckOptions(sources: sources)
        options.output = output
        switch reportFormat {
        case .text: options.format = .text(TextStyle(onTerminal: output == "-" && Terminal.isOutputTerminal))
        case .json: options.format = .json
        }
        if let config {
            options.apply(try ConfigurationFile(contentsOf: config))
        }
        options.profile = profile
        options.input = try reading.logInput()
        options.defaultApp = reading.app
        options.maximumLine = reading.maxLine.bytes
        options.chunkBytes = reading.chunkSize.bytes
        if let threads { options.threads = threads }
        return options
    }
}

extension CheckFinding.Severity: ExpressibleByArgument {}
