import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// `sheaf check`: logs in, what is wrong with them out.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong in push logs: how often, and where first.",
        usage: "sheaf check <sources> ... [<options>]",
        discussion: """
            Errors are what Apple's service or a device refuses or ignores, and what can't be read; warnings are what is \
            delivered, but probably not shown as was meant.

            Exit status: 0 nothing found that --fail-on names; 64 usage; 65 something found; 66 a source cannot be \
            opened; 70 internal error; 73 the output cannot be created; 74 reading or writing failed; 78 \
            configuration error; 130 or 143 interrupted.
            """)

    @Argument(help: "Files, directories, or - for standard input, in their order.")
    var sources: [String]

    @Option(name: [.short, .long], help: "Where the report goes; - is standard output, .gz is compressed.")
    var output = "-"

    @Option(help: "Which categories the apps have, a JSON file; others are warned of.")
    var config: String?

    @Option(
        help: "Whose rules are looked at: ios12, or ios15, which ignores summary arguments and their counts.")
    var profile = Profile.ios12

    @Option(help: "How the report is written: text, or one JSON object.")
    var format = FormatName.text

    @Option(help: "What is a failure: an error, or a warning too.")
    var failOn = CheckFinding.Severity.error

    @OptionGroup var reading: ReadingOptions

    @Option(help: "Threads that work; the number of processors when not given. No result depends on it.")
    var threads: Int?

    @Flag(name: [.short, .long], help: "Say nothing but errors on standard error.")
    var quiet = false

    /// What `--format` may be.
    enum FormatName: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    func validate() throws {
        if let threads { try ResultOptions.check(Limits.threadsRange, threads, "--threads") }
    }

    func run() throws {
        try Run.reportingErrors {
            let check = try LogCheck(options())
            let report = try Run.watched(
                check.progress, quiet: quiet, showsGroups: false, interrupt: { check.interrupt(signal: $0) }
            ) { line throws(ReplayError) in try check.run { line?.end() } }
            if !report.outputWasClosed {
                // A text that somebody sees ends in them.
                let showsTotals = format != .text || output != "-"
                if showsTotals, !quiet { Terminal.writeError(report.totals + "\n") }
                for problem in report.sourceProblems { Message.write(problem) }
            }
            let failures = report.errors + (failOn == .warning ? report.warnings : 0)
            if failures > 0 { throw ExitCode(ExitStatus.data) }
        }
    }

    private func options() throws -> CheckOptions {
        var options = CheckOptions(sources: sources)
        options.output = output
        switch format {
        case .text: options.format = .text(TextStyle(onTerminal: output == "-" && Terminal.isOutputTerminal))
        case .json: options.format = .json
        }
        if let config {
            options.settings = try ConfigurationFile(config, locale: .default).settings
        }
        options.profile = profile
        options.maximumLine = reading.maxLine.bytes
        options.chunkBytes = reading.chunkSize.bytes
        options.threads = threads ?? ResultOptions.usualThreads
        return options
    }
}

extension CheckFinding.Severity: ExpressibleByArgument {}
