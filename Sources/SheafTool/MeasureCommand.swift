import ArgumentParser
import SheafFlow
import SheafGroups

/// `sheaf measure`: reads logs and writes how much each person gets.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure how much each person gets, and how often they are interrupted.",
        discussion: """
            A person is a device. Each result is the distribution of a measure among all people who had a notification of \
            the app: pushes, banners and sounds in an interval, groups and notifications on screen at its end, and others.

            Exit status: as for sheaf replay.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories (with all files in them), or - for standard input.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String] = []

    @OptionGroup(title: HelpSection.usual) var measures: DistributionOptions
    @OptionGroup(title: HelpSection.usual) var snapshot: ResultOptions.SnapshotOptions
    @OptionGroup(title: HelpSection.usual) var records: RecordOptions
    @OptionGroup(title: HelpSection.usual) var rejected: RejectOptions
    @OptionGroup(title: HelpSection.time) var window: WindowOptions
    @OptionGroup(title: HelpSection.time) var times: ReplayCommand.TimeOptions
    @OptionGroup(title: HelpSection.input) var reading: ReadingOptions
    @OptionGroup(title: HelpSection.input) var defaultApp: DefaultAppOptions
    @OptionGroup(title: HelpSection.input) var selection: SelectionOptions
    @OptionGroup(title: HelpSection.run) var memory: MemoryOptions
    @OptionGroup(title: HelpSection.run) var threads: ThreadOptions
    @OptionGroup(title: HelpSection.run) var messages: QuietOptions
    @OptionGroup(title: HelpSection.run) var progress: ProgressOptions
    @OptionGroup var job: ReplayCommand.JobOptions

    @Option(
        help: .name(
            """
            What has measures of its own besides a person's apps together: app (default), category or level of each app, \
            or none.
            """))
    var per: MeasureOptions.Division?

    private var results: ResultOptions {
        ResultOptions(
            snapshot: snapshot, memory: memory, threads: threads, messages: messages, progress: progress)
    }

    /// The options as far as they follow from the arguments alone.
    private var options: ReplayOptions {
        var options = results.options(sources: sources)
        records.apply(to: &options)
        options.rejects = rejected.rejects
        times.apply(to: &options, window)
        options.timeZoneOffset = times.offset ?? window.until?.offset ?? 0
        reading.apply(to: &options)
        options.defaultApp = defaultApp.app
        selection.apply(to: &options)
        job.apply(to: &options)
        var found = measures.options
        found.division = per ?? .app
        options.measure(found)
        options.add(given: measures.given)
        return options
    }

    func validate() throws {
        try results.check()
        try Failure.validating { try options.validate() }
        if sources.isEmpty, job.listed.needsSources {
            throw ValidationError("Missing expected argument '<SOURCE> ...'")
        }
    }

    func run() throws {
        try Run.reportingErrors(checkpoint: job.checkpoint) {
            var options = options
            try results.readConfiguration(into: &options)
            try job.listed.readList(into: &options)
            options.input = try reading.logInput()
            try Run.run(options, results, rejects: rejected.rejects)
        }
    }
}

/// Which values of people are written.
struct DistributionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The percentiles of each measure, with up to three decimals. (default: 50,90,95,99)",
            valueName: "N,…"),
        transform: OptionValue.quantiles)
    var quantiles: [Quantile]?

    @Option(
        parsing: .unconditional,
        help: .number("The number of groups at the top of the screen, below which notifications are buried."),
        transform: OptionValue.number)
    var fold = MeasureOptions.standardFold

    @Flag(help: "Write the values of each person instead of their distributions.")
    var cells = false

    var options: MeasureOptions {
        var options = MeasureOptions()
        options.quantiles = quantiles ?? MeasureOptions.standardQuantiles
        options.fold = fold
        options.writesCells = cells
        return options
    }

    var given: KeyValuePairs<RunOption, Bool> {
        [.quantiles: quantiles != nil, .fold: fold != MeasureOptions.standardFold, .cells: cells]
    }
}

extension MeasureOptions.Division: ExpressibleByArgument {}
