import ArgumentParser
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
    @OptionGroup(title: HelpSection.usual) var people: PeopleOptions
    @OptionGroup(title: HelpSection.time) var times: TimeOptions
    @OptionGroup(title: HelpSection.display) var display: ResultOptions.DisplayOptions
    @OptionGroup(title: HelpSection.input) var reading: ReadingOptions
    @OptionGroup(title: HelpSection.input) var selection: SelectionOptions
    @OptionGroup(title: HelpSection.run) var resources: ResourceOptions
    @OptionGroup(title: HelpSection.run) var progress: ProgressOptions

    @Option(
        parsing: .unconditional, help: .number("The maximum number of arguments in a summary, 1 to 1024."),
        transform: OptionValue.number)
    var maxArguments = Limits.arguments

    @Option(
        help: .folder(
            "Keep checkpoints in DIR: the same command resumes from there, however the previous run ended."),
        completion: .directory)
    var checkpoint: String?

    @Option(
        parsing: .unconditional,
        help: .time(
            """
            The time between checkpoints, in seconds or with ms, s, m, h or d. (default: 30s, or longer if writing one \
            takes long)
            """),
        transform: TimeSpan.parse)
    var checkpointInterval: TimeSpan?

    @Option(
        help: .file(
            """
            Read the sources that FILE lists, each as {"path":…,"source":…,"ordinal":…}: the file, its name and its number in \
            a job of many runs. With --keyed, the sources that keys refer to, which are not read.
            """), completion: .file())
    var sourcesFrom: String?

    @Flag(
        help: ArgumentHelp(
            """
            Read lines of other sources, in any order: each is ORDINAL, a tab, the line number there, a tab and the line.
            """))
    var keyed = false

    /// Whose notifications are shown, and with which outcomes.
    struct PeopleOptions: ParsableArguments {
        @Flag(
            inversion: .prefixedNo,
            help: ArgumentHelp(
                """
                Group each device's notifications separately, or those of all devices together. (default: together, with a \
                warning if devices share groups)
                """))
        var byDevice: Bool?

        @Flag(
            help: ArgumentHelp(
                "Leave out notifications that the log reports as removed. Takes memory for each notification."
            ))
        var removals = false

        @Flag(
            help: ArgumentHelp(
                """
                Report how notifications were delivered: quietly, with a banner or a sound, or not at all. Takes memory \
                for each notification. (default: if the configuration has settings of delivery)
                """))
        var delivery = false

        @Option(
            help: .file("Write the rejected lines to FILE, each as one line of JSON."), completion: .file())
        var rejects: String?
    }

    /// Which times are shown.
    struct TimeOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: .time(
                "Show what was on screen at TIME: leave out all later records. Text shows times relative to it."
            ),
            transform: Instant.parse)
        var until: Instant?

        @Option(
            parsing: .unconditional,
            help: .time(
                """
                Leave out records before TIME: a date and time such as 2026-01-05T18:00:00Z, or milliseconds since 1970. \
                A time without an offset is on the clock of --offset, and a date means its first moment.
                """),
            transform: Instant.parse)
        var since: Instant?

        @Option(
            parsing: .unconditional,
            help: .time(
                """
                Show what was on screen after every TIME of the log, such as 15m, 1h or 1d: at each multiple of it, and \
                at the end.
                """),
            transform: TimeSpan.parse)
        var every: TimeSpan?

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "The difference from UTC of the clock that --every counts by, such as +02:00. (default: +00:00)",
                valueName: "OFFSET"),
            transform: ClockOffset.parse)
        var offset: ClockOffset?

        @Option(
            parsing: .unconditional,
            help: .time(
                """
                Write the snapshots of --every while reading, each once all sources are at least TIME past it; older \
                records are part of the next one.
                """),
            transform: TimeSpan.parseFromZero)
        var lateness: TimeSpan?

        @Option(
            parsing: .unconditional,
            help: .number(
                "Release records N times as fast as they happened, such as 1 or 60; implies --lateness 0s."),
            transform: OptionValue.positive)
        var speed: Double?

        /// Whether snapshots are written while sources are read.
        var isLive: Bool { lateness != nil || speed != nil }
        /// Whether a time is written without an offset.
        var readsClock: Bool { [since, until].contains { $0 != nil && $0?.offset == nil } }

        func apply(to options: inout ReplayOptions) {
            options.since = since?.milliseconds(on: offset)
            options.until = until?.milliseconds(on: offset)
            options.lateness = lateness?.milliseconds ?? (speed == nil ? nil : 0)
            options.speed = speed
            options.every = every.map { Timeline(step: $0.milliseconds, offset: offset?.milliseconds ?? 0) }
        }

        func validate() throws {
            if let since, let until, until.milliseconds(on: offset) < since.milliseconds(on: offset) {
                throw ValidationError("--until is before --since: no time is between them")
            }
        }
    }

    private var results: ResultOptions {
        ResultOptions(snapshot: snapshot, display: display, resources: resources, progress: progress)
    }

    func validate() throws {
        try results.check()
        try OptionValue.checkSources(sources)
        try OptionValue.checkPaths([
            "--rejects": people.rejects, "--checkpoint": checkpoint, "--sources-from": sourcesFrom,
        ])
        if sources.isEmpty, sourcesFrom == nil || keyed {
            throw ValidationError("Missing expected argument '<SOURCE> ...'")
        }
        if let source = sources.first, let sourcesFrom, !keyed {
            throw ValidationError(
                "--sources-from reads the sources that '\(sourcesFrom)' lists, but '\(source)' is given too")
        }
        try OptionValue.check(Limits.argumentsRange, maxArguments, "--max-arguments")
        if keyed {
            for (option, isGiven) in [
                ("--checkpoint", checkpoint != nil), ("--lateness", times.lateness != nil),
                ("--speed", times.speed != nil),
            ]
            where isGiven {
                throw ValidationError(
                    "--keyed can't be given with \(option): keyed lines are in any order, and have no position from which "
                        + "a run could resume")
            }
        }
        if times.every == nil {
            for (option, isGiven) in [
                ("--offset", times.offset != nil && !times.readsClock),
                ("--emit", display.emit != nil), ("--lateness", times.lateness != nil),
                ("--speed", times.speed != nil),
            ]
            where isGiven {
                throw ValidationError(
                    "\(option) has no effect without several snapshots: give their times with --every")
            }
        }
        if snapshot.partial != nil, times.isLive {
            throw ValidationError(
                "--partial can't be given with \(times.lateness == nil ? "--speed" : "--lateness"): a partial result has no "
                    + "snapshots, but what they are written from")
        }
        if checkpoint != nil, times.speed != nil {
            throw ValidationError("--checkpoint can't be given with --speed: a checkpoint does not wait")
        }
        if checkpoint == nil, checkpointInterval != nil {
            throw ValidationError(
                "--checkpoint-interval has no effect without checkpoints: name their folder with --checkpoint"
            )
        }
        if checkpoint != nil, resources.spillDir != nil {
            throw ValidationError(
                "--spill-dir has no effect with --checkpoint: state that does not fit in memory goes to the "
                    + "checkpoint's folder; leave --spill-dir out")
        }
    }

    func run() throws {
        try Run.reportingErrors(checkpoint: checkpoint) {
            let replay = try Replay(options())
            if !results.quiet, let resumed = replay.resumedBytes {
                Message.write(Report.resumed(at: resumed.processed, of: resumed.total))
            }
            try Run(
                results, rejects: .replay(file: people.rejects), isLive: times.isLive, isMeant: isMeant)(
                    replay.progress, interrupt: { replay.interrupt(signal: $0) }
                ) { warn, willWrite throws(ReplayError) in try replay.run(warn: warn, willWrite: willWrite) }
        }
    }

    /// Whether the options show that the subject of a warning is intended.
    private func isMeant(_ warning: ReplayWarning) -> Bool {
        switch warning {
        case .sharedGroups: people.byDevice == false
        case .levelsIgnored: display.profile != nil
        default: false
        }
    }

    private func options() throws -> ReplayOptions {
        var options = try results.options(sources: sources)
        if let sourcesFrom {
            options.namedSources = try NamedSource.list(contentsOf: sourcesFrom)
            options.listFiles = [sourcesFrom]
        }
        options.isKeyed = keyed
        options.rejects = people.rejects
        options.byDevice = people.byDevice ?? false
        options.maximumArguments = maxArguments
        times.apply(to: &options)
        options.appliesRemovals = people.removals
        options.delivery = people.delivery
        if display.now == nil {
            options.timeZoneOffset = times.offset?.minutes ?? times.until?.offset ?? 0
        }
        options.input = try reading.logInput()
        options.defaultApp = reading.app
        (options.onlyApps, options.onlyDevices) = (selection.onlyApp, selection.onlyDevice)
        options.maximumLine = reading.maxLine.bytes
        options.chunkBytes = reading.chunkSize.bytes
        options.inflater = reading.inflater
        options.checkpoint = checkpoint
        options.checkpointInterval = checkpointInterval?.duration
        return options
    }
}
