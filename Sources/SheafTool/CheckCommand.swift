import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// `sheaf check`: logs in, what is wrong with them out.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong in push logs: how often, and where first.",
        usage: "sheaf check <SOURCE> ... [<options>]",
        discussion: """
            Errors are what Apple's service or a device refuses or ignores, and what can't be read; warnings are what is \
            delivered, but probably not shown as was meant.

            Exit status: 0 nothing found that --fail-on names; 64 usage; 65 something found; 66 a source cannot be \
            opened; 70 internal error; 73 the output cannot be created; 74 reading or writing failed; 78 \
            configuration error; 129, 130, 143 or 152 interrupted.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories, or - for standard input, in their order.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String]

    @Option(
        name: [.short, .long],
        help: .file(
            "Where the report goes; - is standard output, .gz is compressed, and .json and .txt choose the format."
        ),
        completion: .file())
    var output = "-"

    @Option(
        help: .file("Which categories the apps have, a JSON file; others are warned of."),
        completion: .file())
    var config: String?

    @Option(
        help: .name(
            "Whose rules are looked at: ios12, or ios15, which ignores summary arguments and their counts."))
    var profile = Profile.ios12

    @Option(
        help: .name(
            """
            How the report is written: text, or one JSON object; when not given, by the output's name, else \
            text.
            """))
    var format: FormatName?

    @Option(help: .name("What is a failure: an error, or a warning too."))
    var failOn = CheckFinding.Severity.error

    @OptionGroup var reading: ReadingOptions

    @Option(
        parsing: .unconditional,
        help: .number("Threads that work; the number of processors when not given. No result depends on it."),
        transform: OptionValue.number)
    var threads: Int?

    @Flag(name: [.short, .long], help: "Write nothing but errors to standard error.")
    var quiet = false

    /// What `--format` may be.
    enum FormatName: String, ExpressibleByArgument, CaseIterable {
        case text, json

        /// The format that a file's name implies; nil if it implies none.
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
                // A text on standard output ends with them.
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
            let file = try ConfigurationFile(config, locale: .default)
            options.settings = file.settings
            options.configurationFiles = file.files
        }
        options.profile = profile
        options.maximumLine = reading.maxLine.bytes
        options.chunkBytes = reading.chunkSize.bytes
        if let threads { options.threads = threads }
        return options
    }
}

extension CheckFinding.Severity: ExpressibleByArgument {}
