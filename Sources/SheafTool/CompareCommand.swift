import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// `sheaf compare`: reads logs and shows what another design would show.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare what two designs show of the same logs.",
        discussion: """
            Two snapshots or partial results are compared as far as they hold what is needed. With --partial the state is \
            written instead of a comparison; any number of such files, given as sources, are compared like their logs.

            The logs are read once, with the design in use (--config, --input, --profile, --locale) and with another one: \
            --with, --with-input, --with-profile and --with-locale say what differs. Devices are separated.

            Exit status: as for sheaf replay; 65 also if a condition of --fail-if is true.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories (with all files in them), or - for standard input.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String] = []

    @Option(
        help: .file("The JSON file with the settings in use. (default: none)"), completion: .file())
    var config: String?

    @Option(
        help: .file("The JSON file with the new settings. (default: those of --config)"), completion: .file())
    var with: String?

    @Option(
        help: .name("How entries are read with the new design, as for --input. (default: as with --input)"))
    var withInput: [String] = []

    @Option(help: .name("The iOS version whose rules apply: ios12 (default), or ios15."))
    var profile = Profile.ios12

    @Option(help: .name("The iOS version with the new design. (default: that of --profile)"))
    var withProfile: Profile?

    @Option(
        help: ArgumentHelp(
            "The locale of the texts, such as de or zh_Hant_TW. (default: en_US)", valueName: "ID"),
        completion: .list(LocalizedTexts.locales), transform: ResultOptions.locale)
    var locale: LocaleIdentifier?

    @Option(
        help: ArgumentHelp(
            "The locale of the texts with the new design. (default: that of --locale)", valueName: "ID"),
        completion: .list(LocalizedTexts.locales), transform: ResultOptions.locale)
    var withLocale: LocaleIdentifier?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Fail if CONDITION is true, such as 'groups.p95 > +10%' or 'split@com.example.news > 5%'. May be given several \
            times.
            """, valueName: "CONDITION"))
    var failIf: [String] = []

    @Option(
        name: [.short, .long],
        help: .file(
            """
            Write the comparison to FILE, or to standard output if it is -; .gz or .zst compresses it, and .json, .txt or \
            .html selects the format.
            """),
        completion: .file())
    var output = "-"

    @Option(
        help: .file(
            "Write a partial comparison to FILE instead of a comparison: that of some of the logs, or of several such files."
        ), completion: .file())
    var partial: String?

    @Flag(
        help: "Measure everything that people get, also if it cannot differ: pushes, banners and others.")
    var measures = false

    @Option(
        help: .file("Write the snapshot of the design in use to FILE, as sheaf replay --by-device would."),
        completion: .file())
    var nowSnapshot: String?

    @Option(
        help: .file("Write the snapshot of the new design to FILE, as sheaf replay --by-device would."),
        completion: .file())
    var newSnapshot: String?

    @Option(
        help: .name(
            """
            The format of the comparison: text, json for one JSON object, github for annotations of GitHub Actions, or html \
            for a web page. (default: as the output's name implies, else text)
            """))
    var format: FormatName?

    @Option(
        parsing: .unconditional,
        help: .number("The number of lines that may be rejected before the run counts as failed."),
        transform: OptionValue.number)
    var maxRejects: UInt64 = 0

    @Flag(help: "Compare the screens of locked devices.")
    var locked = false

    @OptionGroup(title: HelpSection.usual) var records: RecordOptions
    @OptionGroup(title: HelpSection.time) var window: WindowOptions
    @OptionGroup(title: HelpSection.input) var reading: ReadingOptions
    @OptionGroup(title: HelpSection.input) var defaultApp: DefaultAppOptions
    @OptionGroup(title: HelpSection.input) var selection: SelectionOptions
    @OptionGroup(title: HelpSection.run) var memory: MemoryOptions
    @OptionGroup(title: HelpSection.run) var threads: ThreadOptions
    @OptionGroup(title: HelpSection.run) var messages: QuietOptions
    @OptionGroup(title: HelpSection.run) var progress: ProgressOptions
    @OptionGroup var listed: ListedSourceOptions
    @OptionGroup var expected: ExpectedSourcesOptions

    /// The values of `--format`.
    enum FormatName: String, ExpressibleByArgument, CaseIterable {
        case text, json, github, html

        /// The format that a file's name implies; nil if it implies none that a comparison has.
        init?(output path: String) {
            self.init(rawValue: SheafTool.FormatName(output: path)?.rawValue ?? "")
        }
    }
    private var reportFormat: FormatName { format ?? FormatName(output: output) ?? .text }

    /// The options of the design in use, as far as they follow from the arguments alone.
    private var now: ReplayOptions {
        var options = ReplayOptions(sources: sources)
        options.profile = profile
        if let locale { options.locale = locale }
        options.locked = locked
        records.apply(to: &options)
        window.apply(to: &options, LocalClock(offset: 0))
        reading.apply(to: &options)
        options.defaultApp = defaultApp.app
        selection.apply(to: &options)
        memory.apply(to: &options)
        threads.apply(to: &options)
        listed.apply(to: &options)
        return options
    }

    /// What is written, and when the comparison fails.
    private var comparison: ComparisonOptions {
        get throws {
            var options = ComparisonOptions()
            options.output = output
            options.partial = partial
            options.measuresAll = measures
            options.snapshots = Sides(now: nowSnapshot, new: newSnapshot)
            if reportFormat == .html { options.command = CommandText.current }
            options.format =
                switch reportFormat {
                case .text: .text(TextStyle(onTerminal: output == "-" && StandardStream.output.isTerminal))
                case .json: .json
                case .github: .github
                case .html: .html
                }
            options.failures = try failIf.map { text in
                do throws(ComparisonCondition.ParsingError) {
                    return try ComparisonCondition(text)
                } catch {
                    throw ValidationError("--fail-if \(error)")
                }
            }
            return options
        }
    }

    func validate() throws {
        try progress.check(quiet: messages.quiet)
        let comparison = try comparison
        try Failure.validating {
            try now.validate()
            try comparison.validate()
            try Limits.check(path: config, "--config")
            try Limits.check(path: with, "--with")
        }
        if format == nil, let other = ForeignFormat(output: output) {
            throw ValidationError(
                "-o \(output): a comparison is not written as \(other.name): name it x.json, x.txt or x.html")
        }
        try ReadingOptions.check(inputs: withInput, "--with-input")
        if sources.isEmpty, listed.needsSources {
            throw ValidationError("Missing expected argument '<SOURCE> ...'")
        }
        for (option, isGiven) in [("-o", output != "-"), ("--format", format != nil)]
        where partial != nil && isGiven {
            throw ValidationError("\(option) has no effect with --partial, which writes no comparison")
        }
    }

    func run() throws {
        try Run.reportingErrors {
            var now = now
            let quiet = messages.quiet
            if let config { try ResultOptions.apply(config, to: &now, quiet: quiet) }
            now.input = try reading.logInput()
            try listed.readList(into: &now)
            var new = now
            if let withProfile { new.profile = withProfile }
            if let withLocale { new.locale = withLocale }
            if let file = with ?? config, with != nil || withLocale != nil {
                try ResultOptions.apply(file, to: &new, quiet: quiet)
            }
            if !withInput.isEmpty { new.input = try reading.logInput(withInput, "--with-input") }
            let report = try merge(now, new) ?? compareFiles(now, new) ?? compareLogs(now, new)
            try Self.report(report, maximumRejects: maxRejects, quiet: quiet)
        }
    }

    /// Compares partial comparisons, or merges them into one; nil if the sources are others.
    private func merge(_ now: ReplayOptions, _ new: ReplayOptions) throws -> ComparisonReport? {
        guard sources.contains(where: ComparisonMerge.canMerge) else { return nil }
        try checkFileOptions()
        var now = now
        try expected.readList(into: &now)
        let merge = try ComparisonMerge(sources, now, new, comparison)
        return try watch(merge.progress, merge.interrupt, merge.run)
    }

    /// Compares two snapshots or partial results; nil if the sources are logs.
    private func compareFiles(_ now: ReplayOptions, _ new: ReplayOptions) throws -> ComparisonReport? {
        guard sources.count == 2, sources.allSatisfy(FileComparison.canCompare) else { return nil }
        try checkFileOptions([("--measures", measures), ("--partial", partial != nil)])
        var (now, new) = (now, new)
        (now.sources, new.sources) = ([sources[0]], [sources[1]])
        let comparison = try FileComparison(now, new, comparison)
        return try watch(comparison.progress, comparison.interrupt, comparison.run)
    }

    /// - Throws: `ValidationError` if options about logs are given.
    private func checkFileOptions(_ others: [(String, Bool)] = []) throws {
        for (option, isGiven) in [
            ("--input", !reading.input.isEmpty), ("--with-input", !withInput.isEmpty),
            ("--now-snapshot", nowSnapshot != nil), ("--new-snapshot", newSnapshot != nil),
            ("--sources-from", listed.sourcesFrom != nil), ("--keyed", listed.keyed),
            ("--unwrap", !reading.unwrap.isEmpty), ("--app", defaultApp.app != nil),
            ("--only-app", !selection.onlyApp.isEmpty), ("--only-device", !selection.onlyDevice.isEmpty),
            ("--since", window.since != nil), ("--until", window.until != nil),
            ("--removals", records.removals), ("--delivery", records.delivery),
            ("--outcomes", records.outcomes), ("--unique", records.unique),
        ] + others where isGiven {
            throw ValidationError("\(option) has no effect on files that are not logs")
        }
    }

    private func compareLogs(_ now: ReplayOptions, _ new: ReplayOptions) throws -> ComparisonReport {
        if with == nil, withInput.isEmpty, withProfile == nil, withLocale == nil {
            throw ValidationError(
                "nothing to compare with: give --with, --with-input, --with-profile or --with-locale, or two snapshots or "
                    + "partial results")
        }
        if expected.expectSources != nil {
            throw ValidationError("--expect-sources has no effect on logs")
        }
        let comparison = try Comparison(now, new, comparison)
        return try watch(comparison.progress, comparison.interrupt, comparison.run)
    }

    /// Compares, shows the progress, and stops at a signal.
    private func watch(
        _ found: RunProgress, _ interrupt: @escaping @Sendable (Int32) -> Void,
        _ compare: (() -> Void) throws(ReplayError) -> ComparisonReport
    ) throws -> ComparisonReport {
        try Run.watched(
            found, progress.progress, quiet: messages.quiet, shows: .groups, interrupt: interrupt
        ) { line throws(ReplayError) in
            try compare { if Terminal.mayShow(output) { line?.end() } }
        }
    }

    /// Reports the outcome to the user.
    ///
    /// - Throws: `ExitCode.data` if the run counts as failed.
    private static func report(
        _ report: ComparisonReport, maximumRejects: UInt64, quiet: Bool
    ) throws {
        let known = report.statistics.now.warnings
        // Snapshots have none.
        for (index, statistics) in [report.statistics.now, report.statistics.new].enumerated()
        where statistics.sources > 0 {
            // With the new design, only what it adds.
            if index > 0, statistics.rejectedTotal <= report.statistics.now.rejectedTotal {
                if !quiet { Message.write(statistics.warnings.filter { !known.contains($0) }) }
                continue
            }
            try Run.report(
                statistics, maximumRejects: maximumRejects, rejects: .merge, quiet: quiet,
                isNew: { index == 0 || !known.contains($0) })
        }
        if !report.outputWasClosed, !quiet {
            for failure in report.failures {
                Message.write("failed: \(failure.condition.text): \(failure.values)")
            }
        }
        if !report.failures.isEmpty { throw ExitCode.data }
    }
}
