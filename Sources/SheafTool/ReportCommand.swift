import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafReport
import SheafText

/// `sheaf report`: reads logs and writes a page that shows what recipients saw.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make a web page that shows what recipients saw.",
        discussion: """
            The page is one file that opens in any browser, offline: the screens of some people, charts of what all of them \
            got, and the findings of a check. --every adds a slider through the snapshots. Each source is read several times, \
            so that it must be a file.

            Exit status: as for sheaf replay.
            """)

    @Argument(
        help: ArgumentHelp("Files or directories (with all files in them).", valueName: "SOURCE"),
        completion: .file())
    var sources: [String]

    @Option(
        name: [.short, .long],
        help: .file("Write the page to FILE, or to standard output if it is -; .gz or .zst compresses it."),
        completion: .file())
    var output: String

    @Option(
        parsing: .unconditional,
        help: .number(
            """
            The number of people whose screens are shown, 1 to 1000: half of them are those with the most pushes, the others \
            a sample. --only-device selects others. (default: \(Report.standardPeople))
            """),
        transform: OptionValue.number)
    var people: Int = Report.standardPeople

    @Option(help: .file("A JSON file that sets how apps are grouped and shown."), completion: .file())
    var config: String?

    @Option(help: .file("Write statistics to FILE, as one JSON object."), completion: .file())
    var stats: String?

    @Option(
        parsing: .unconditional,
        help: .number("The number of lines that may be rejected before the run counts as failed."),
        transform: OptionValue.number)
    var maxRejects: UInt64 = 0

    @Option(
        help: .name(
            """
            The iOS version whose rules apply: ios12 (default), or ios15, which ignores summary arguments and their \
            counts.
            """))
    var profile = Profile.ios12

    @Option(
        help: ArgumentHelp(
            "The locale of the texts on the screens, such as de or zh_Hant_TW. (default: en_US)",
            valueName: "ID"),
        completion: .list(LocalizedTexts.locales),
        transform: ResultOptions.locale)
    var locale: LocaleIdentifier?

    @Flag(help: "Show what a locked device shows.")
    var locked = false

    @OptionGroup(title: HelpSection.usual) var records: RecordOptions
    @OptionGroup(title: HelpSection.time) var window: WindowOptions
    @OptionGroup(title: HelpSection.time) var times: ReplayCommand.TimeOptions
    @OptionGroup(title: HelpSection.input) var reading: ReadingOptions
    @OptionGroup(title: HelpSection.input) var defaultApp: DefaultAppOptions
    @OptionGroup(title: HelpSection.input) var selection: SelectionOptions
    @OptionGroup(title: HelpSection.run) var memory: MemoryOptions
    @OptionGroup(title: HelpSection.run) var threads: ThreadOptions
    @OptionGroup(title: HelpSection.run) var messages: QuietOptions
    @OptionGroup(title: HelpSection.run) var progress: ProgressOptions

    /// The options as far as they follow from the arguments alone.
    private var options: ReplayOptions {
        var options = ReplayOptions(sources: sources)
        options.output = output
        options.format = .html
        options.statistics = stats
        options.command = CommandText.current
        options.profile = profile
        if let locale { options.locale = locale }
        options.locked = locked
        records.apply(to: &options)
        times.apply(to: &options, window)
        options.timeZoneOffset = times.offset ?? window.until?.offset ?? 0
        reading.apply(to: &options)
        options.defaultApp = defaultApp.app
        selection.apply(to: &options)
        memory.apply(to: &options)
        threads.apply(to: &options)
        return options
    }

    func validate() throws {
        try progress.check(quiet: messages.quiet)
        if let other = ForeignFormat(output: output) {
            throw ValidationError("-o \(output): a report is a web page, not \(other.name): name it x.html")
        }
        if let format = FormatName(output: output), format != .html {
            throw ValidationError("-o \(output): a report is a web page: name it x.html")
        }
        try Failure.validating {
            try options.validate()
            try Limits.check(people, in: Limits.reportPeopleRange, "--people")
            try Limits.check(path: config, "--config")
        }
    }

    func run() throws {
        try Run.reportingErrors {
            var options = options
            if let config { try ResultOptions.apply(config, to: &options, quiet: messages.quiet) }
            options.input = try reading.logInput()
            let report = try Report(options, people: people)
            // For all runs of the report: a signal between two of them must not be lost.
            let signals = Run.signals(nil) { report.interrupt(signal: $0) }
            defer { withExtendedLifetime(signals) {} }
            let quiet = messages.quiet
            let style = progress.progress
            let statistics = try report.run { found, body throws(ReplayError) in
                try Run.showing(found, style, quiet: quiet, shows: .groups) { _ throws(ReplayError) in
                    try body()
                }
            }
            try Run.report(statistics, maximumRejects: maxRejects, rejects: .merge, quiet: quiet)
        }
    }
}
