import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// `sheaf replay`: reads logs and writes a snapshot of their groups.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Turn push logs into a snapshot of notification groups.",
        discussion: """
            Exit status: 0 success; 64 usage error; 65 written, but more lines were rejected than --max-rejects or a \
            source was damaged; 66 a source cannot be opened; 70 internal error; 73 an output cannot be created; \
            74 reading or writing failed; 75 another run is using the checkpoint folder; 78 configuration error; \
            129, 130, 143 or 152 interrupted.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories (with all files in them), or - for standard input.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String] = []

    @OptionGroup(title: HelpSection.usual) var snapshot: ResultOptions.SnapshotOptions
    @OptionGroup(title: HelpSection.usual) var records: RecordOptions
    @OptionGroup(title: HelpSection.usual) var rejected: RejectOptions
    @OptionGroup(title: HelpSection.time) var window: WindowOptions
    @OptionGroup(title: HelpSection.time) var times: TimeOptions
    @OptionGroup(title: HelpSection.time) var live: LiveOptions
    @OptionGroup(title: HelpSection.display) var display: ResultOptions.DisplayOptions
    @OptionGroup(title: HelpSection.input) var reading: ReadingOptions
    @OptionGroup(title: HelpSection.input) var defaultApp: DefaultAppOptions
    @OptionGroup(title: HelpSection.input) var selection: SelectionOptions
    @OptionGroup(title: HelpSection.run) var memory: MemoryOptions
    @OptionGroup(title: HelpSection.run) var threads: ThreadOptions
    @OptionGroup(title: HelpSection.run) var messages: QuietOptions
    @OptionGroup(title: HelpSection.run) var progress: ProgressOptions
    @OptionGroup var job: JobOptions

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            """
            Group each device's notifications separately, or those of all devices together. (default: together, with a \
            warning if devices share groups)
            """))
    var byDevice: Bool?

    @Option(
        parsing: .unconditional, help: .number("The maximum number of arguments in a summary, 1 to 1024."),
        transform: OptionValue.number)
    var maxArguments = Limits.arguments

    /// Where the records come from besides the sources, and how the run can resume.
    struct JobOptions: ParsableArguments {
        @Option(
            help: .folder(
                "Keep checkpoints in DIR: the same command resumes from there, however the previous run ended."
            ),
            completion: .directory)
        var checkpoint: String?

        @Option(
            parsing: .unconditional,
            help: .time(
                """
                The time between checkpoints, in seconds or with ms, s, m, h or d. (default: 30s, or longer if writing one \
                takes long)
                """),
            transform: OptionValue.timeSpan)
        var checkpointInterval: Int64?

        @OptionGroup var listed: ListedSourceOptions

        func apply(to options: inout ReplayOptions) {
            listed.apply(to: &options)
            options.checkpoint = checkpoint
            options.checkpointInterval = checkpointInterval.map { .milliseconds($0) }
            options.add(given: [.checkpointInterval: checkpointInterval != nil])
        }
    }

    /// Whether there are several snapshots, and on which clock.
    struct TimeOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: .time(
                """
                Show what was on screen after every TIME of the log, such as 15m, 1h, 1d or 1w: at each multiple of it, and \
                at the end. Weeks begin on Monday.
                """),
            transform: OptionValue.step)
        var every: Timeline?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "The difference from UTC of the clock that --every counts by, such as +02:00. (default: +00:00)",
                valueName: "OFFSET"),
            transform: OptionValue.clockOffset)
        var offset: Int?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                """
                The time zone of the clock that --every counts by, such as Europe/Berlin: a day is a local one, of 23 to 25 \
                hours. Instead of --offset.
                """, valueName: "NAME"),
            transform: OptionValue.timeZone)
        var timeZone: LocalClock?

        /// The clock of times that are written without an offset.
        private var clock: LocalClock { timeZone ?? LocalClock(offset: Int64(offset ?? 0) * 60_000) }

        /// - Parameter window: has the times that are on this clock.
        func apply(to options: inout ReplayOptions, _ window: WindowOptions) {
            window.apply(to: &options, clock)
            options.timeZone = timeZone
            options.every = every.flatMap { every in
                let timeline =
                    timeZone.map { Timeline(step: every.step, clock: $0) }
                    ?? Timeline(step: every.step, offset: Int64(offset ?? 0) * 60_000)
                return every.countsWeeks ? timeline.inWeeks : timeline
            }
            // The clock of a time that is written without an offset has an effect even on a single snapshot.
            let readsTime = [window.since, window.until].contains { $0 != nil && $0?.offset == nil }
            options.add(given: [
                .timeZoneOffset: offset != nil && (!readsTime || timeZone != nil),
                .timeZone: timeZone != nil && (!readsTime || offset != nil),
            ])
        }
    }

    /// Whether, and when, snapshots are written while sources are read.
    struct LiveOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: .time(
                """
                Write the snapshots of --every while reading, each once all sources are at least TIME past it; older \
                records are part of the next one.
                """),
            transform: OptionValue.timeSpanFromZero)
        var lateness: Int64?

        @Option(
            parsing: .unconditional,
            help: .time(
                """
                With --lateness, the snapshots do not follow a record that is dated more than TIME after both the present \
                and the other records of its source, because of a wrong clock. (default: 1h)
                """),
            transform: OptionValue.timeSpan)
        var maxAhead: Int64?

        @Option(
            parsing: .unconditional,
            help: .time(
                """
                With --lateness, the snapshots do not wait for a pipe that has been silent for TIME: they are written as \
                time passes. (default: 30s)
                """),
            transform: OptionValue.timeSpan)
        var idle: Int64?

        @Option(
            parsing: .unconditional,
            help: .number(
                "Release records N times as fast as they happened, such as 1 or 60; implies --lateness 0s."),
            transform: OptionValue.positive)
        var speed: Double?

        /// Whether snapshots are written while sources are read.
        var isLive: Bool { lateness != nil || speed != nil }

        func apply(to options: inout ReplayOptions) {
            options.lateness = lateness ?? (speed == nil ? nil : 0)
            options.speed = speed
            options.maximumAhead = maxAhead ?? Limits.aheadMilliseconds
            options.idle = idle ?? Limits.idleMilliseconds
            options.add(given: [
                .lateness: lateness != nil, .speed: speed != nil, .maximumAhead: maxAhead != nil,
                .idle: idle != nil,
            ])
        }
    }

    private var results: ResultOptions {
        ResultOptions(
            snapshot: snapshot, display: display, memory: memory, threads: threads, messages: messages,
            progress: progress)
    }

    /// The options as far as they follow from the arguments alone.
    private var options: ReplayOptions {
        var options = results.options(sources: sources)
        options.byDevice = byDevice ?? false
        records.apply(to: &options)
        options.rejects = rejected.rejects
        options.maximumArguments = maxArguments
        times.apply(to: &options, window)
        live.apply(to: &options)
        if display.now == nil { options.timeZoneOffset = times.offset ?? window.until?.offset ?? 0 }
        reading.apply(to: &options)
        options.defaultApp = defaultApp.app
        selection.apply(to: &options)
        job.apply(to: &options)
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
            try Run.run(options, results, rejects: rejected.rejects, isLive: live.isLive, isMeant: isMeant)
        }
    }

    /// Whether the options show that the subject of a warning is intended.
    private func isMeant(_ warning: ReplayWarning) -> Bool {
        switch warning {
        case .sharedGroups: byDevice == false
        case .levelsIgnored: snapshot.profile != nil
        default: false
        }
    }
}
