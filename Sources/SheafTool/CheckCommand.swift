import ArgumentParser
import SheafBytes
import SheafChecks
import SheafFlow
import SheafGroups
import SheafText

/// `sheaf check`: reads logs and reports their problems.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report problems in push logs: how often each occurs, and where first.",
        usage: """
            sheaf check <SOURCE> ... [<options>]
            sheaf check --rules [<options>]
            """,
        discussion: """
            Errors are pushes that Apple's service or a device refuses, fields that it ignores, and input that can't \
            be read. Warnings are pushes that are delivered, but probably not shown as intended. --rules lists all rules.

            With --baseline, only new findings are reported and count as failures: those beyond the number that the \
            baseline has for their rule and source.

            Exit status: 0 no finding counts as a failure; 64 usage error; 65 at least one does; 66 a source cannot \
            be opened; 70 internal error; 73 the output cannot be created; 74 reading or writing failed; 78 \
            configuration error; 129, 130, 143 or 152 interrupted.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories, or - for standard input, in order.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String] = []

    @Flag(help: "List all rules with their severities and sources, and read no sources.")
    var rules = false

    @Option(
        help: .name("Don't apply the rule NAME. May be repeated."),
        completion: .list(CheckFinding.all.map(\.name)))
    var disable: [String] = []

    @Option(help: .name("Set the severity of a rule: NAME=error or NAME=warning. May be repeated."))
    var severity: [String] = []

    @Option(
        help: .name(
            "Set the limit of a rule about what people get in a day: NAME=N. May be repeated."))
    var limit: [String] = []

    @Option(help: .file("Don't report the findings that FILE lists."), completion: .file())
    var baseline: String?

    @Option(
        help: .file("Write all findings to FILE, as a baseline for later runs."), completion: .file())
    var writeBaseline: String?

    @Option(
        help: .file(
            "Write all findings to FILE, one JSON object for each finding of a record; .gz or .zst compresses it."
        ),
        completion: .file())
    var findings: String?

    @Option(
        name: [.short, .long],
        help: .file(
            """
            Write the report to FILE, or to standard output if it is -; .gz or .zst compresses it, and .json, .sarif, \
            .txt or .html selects the format.
            """),
        completion: .file())
    var output = "-"

    @Option(
        help: .file(
            "A JSON file with each app's categories (others are reported as warnings) and its string tables."),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The locale of the string tables, such as de or zh_Hant_TW. (default: en_US)", valueName: "ID"),
        completion: .list(LocalizedTexts.locales),
        transform: ResultOptions.locale)
    var locale: LocaleIdentifier?

    @Option(
        help: .name(
            """
            The iOS version whose rules apply: ios12, or ios15, which ignores summary arguments and their counts.
            """))
    var profile = Profile.ios12

    @Option(
        help: .name(
            """
            The format of the report: text, json for one JSON object, sarif for code scanning (SARIF 2.1.0), github for \
            annotations of GitHub Actions, or html for a web page. (default: as the output's name implies, else text)
            """))
    var format: FormatName?

    @Option(help: .name("The least severe finding that counts as a failure."))
    var failOn = CheckFinding.Severity.error

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var defaultApp: DefaultAppOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var threads: ThreadOptions
    @OptionGroup var messages: QuietOptions

    /// The values of `--format`.
    enum FormatName: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif, github, html

        /// The format that a file's name implies; nil if it implies none that a report has.
        init?(output path: String) {
            if OutputCompression.removingSuffix(path.lowercased()).hasSuffix(".sarif") {
                self = .sarif
                return
            }
            self.init(rawValue: SheafTool.FormatName(output: path)?.rawValue ?? "")
        }
    }

    private var reportFormat: FormatName { format ?? FormatName(output: output) ?? .text }

    /// The options as far as they follow from the arguments alone.
    private var options: CheckOptions {
        get throws {
            var options = CheckOptions(sources: sources)
            options.output = output
            if reportFormat == .html { options.command = CommandText.current }
            options.format =
                switch reportFormat {
                case .text: .text(TextStyle(onTerminal: output == "-" && StandardStream.output.isTerminal))
                case .json: .json
                case .sarif: .sarif
                case .github: .github
                case .html: .html
                }
            if let locale { options.locale = locale }
            for name in disable { options.disabled.insert(try Self.rule(name, "--disable")) }
            for value in severity {
                let (rule, severity) = try Self.severity(value)
                options.severities[rule] = severity
            }
            for value in limit {
                let (rule, limit) = try Self.limit(value)
                options.limits[rule] = limit
            }
            options.baselineOutput = writeBaseline
            options.findingsOutput = findings
            options.profile = profile
            reading.apply(to: &options)
            options.defaultApp = defaultApp.app
            selection.apply(to: &options)
            threads.apply(to: &options)
            return options
        }
    }

    func validate() throws {
        try progress.check(quiet: messages.quiet)
        if rules {
            if let source = sources.first {
                throw ValidationError("--rules reads no sources, but '\(source)' is given")
            }
            for (option, isGiven) in [
                ("--baseline", baseline != nil), ("--write-baseline", writeBaseline != nil),
                ("--findings", findings != nil),
                ("--format \(reportFormat.rawValue)", [.sarif, .github, .html].contains(reportFormat)),
            ] where isGiven {
                throw ValidationError("--rules writes no report: \(option) can't be given with it")
            }
        } else if sources.isEmpty {
            throw ValidationError("Missing expected argument '<SOURCE> ...'")
        }
        if let locale, config == nil {
            throw ValidationError(
                "--locale \(locale) has no effect without --config, whose string tables it selects")
        }
        try Failure.validating {
            try options.validate()
            try Limits.check(path: config, "--config")
            try Limits.check(path: baseline, "--baseline")
        }
        if let findings,
            let other = ForeignFormat(output: findings)?.name
                ?? (SheafTool.FormatName(output: findings) == .html ? "HTML" : nil)
        {
            throw ValidationError(
                "--findings \(findings): findings are written as NDJSON, not as \(other): name the file x.ndjson"
            )
        }
    }

    /// Returns the rule with a name.
    private static func rule(_ name: String, _ option: String) throws -> CheckFinding {
        guard let rule = CheckFinding(name: name) else {
            throw ValidationError("\(option): \(CheckBaseline.unknownRule(name)); --rules lists them all")
        }
        return rule
    }

    /// Returns the rule and the severity in a value such as `untimed=error`.
    private static func severity(_ value: String) throws -> (CheckFinding, CheckFinding.Severity) {
        guard let sign = value.lastIndex(of: "=") else {
            throw ValidationError("--severity: '\(value)' must be NAME=error or NAME=warning")
        }
        let level = String(value[value.index(after: sign)...])
        guard let severity = CheckFinding.Severity(rawValue: level) else {
            throw ValidationError("--severity: '\(level)' in '\(value)' must be error or warning")
        }
        return (try rule(String(value[..<sign]), "--severity"), severity)
    }

    /// Returns the rule and the limit in a value such as `interruptions.many=50`.
    private static func limit(_ value: String) throws -> (CheckFinding, Int) {
        guard let sign = value.lastIndex(of: "=") else {
            throw ValidationError("--limit: '\(value)' must be NAME=N, such as interruptions.many=50")
        }
        let number = String(value[value.index(after: sign)...])
        guard let limit = Int(number) else {
            throw ValidationError("--limit: '\(number)' in '\(value)' must be a whole number")
        }
        return (try rule(String(value[..<sign]), "--limit"), limit)
    }

    func run() throws {
        try Run.reportingErrors {
            var options = try options
            try readFiles(into: &options)
            if rules { return try CheckRules(options).write(to: output, as: options.format) }
            let check = try LogCheck(options)
            let quiet = messages.quiet
            let report = try Run.watched(
                check.progress, progress.progress, quiet: quiet, shows: nil,
                interrupt: { check.interrupt(signal: $0) }
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
            if failures > 0 { throw ExitCode.data }
        }
    }

    /// Reads the configuration, the baseline and the mapping file, if they are given.
    private func readFiles(into options: inout CheckOptions) throws {
        if let config {
            let configuration = try Configuration(contentsOf: config, locale: options.locale)
            options.apply(configuration)
            if !messages.quiet, !rules { ResultOptions.write(warningsOf: configuration) }
        }
        if let baseline { options.baseline = try CheckBaseline(contentsOf: baseline) }
        options.input = try reading.logInput()
    }
}

extension CheckFinding.Severity: ExpressibleByArgument {}
