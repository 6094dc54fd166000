import ArgumentParser
import SheafFlow

/// `sheaf replay`: logs in, grouped snapshot out.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Turn push logs into a snapshot of notification groups.",
        discussion: """
            Exit status: 0 done; 64 usage; 65 done, but more lines were rejected than --max-rejects or a source \
            was damaged; 66 a source cannot be opened; 70 internal error; 73 an output cannot be created; \
            74 reading or writing failed; 78 configuration error; 129, 130, 143 or 152 interrupted.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, directories (all files in them), or - for standard input.", valueName: "SOURCE"),
        completion: .file())
    var sources: [String]

    @OptionGroup var results: ResultOptions

    @Flag(help: "Group each device's notifications apart.")
    var byDevice = false

    @Option(
        parsing: .unconditional, help: .number("The most arguments that a summary names, 1 to 1024."),
        transform: OptionValue.number)
    var maxArguments = Limits.arguments

    @OptionGroup var reading: ReadingOptions

    @Option(help: .file("Where rejected lines go, one line of JSON each."), completion: .file())
    var rejects: String?

    @Option(
        help: .folder(
            "A folder for how far the replay is: the same command resumes there however the last one ended."),
        completion: .directory)
    var checkpoint: String?

    @Option(
        parsing: .unconditional,
        help: .time(
            """
            How long after one checkpoint the next one is made: seconds, or with ms, s, m, h. (default: 30s, or more \
            where writing one takes long)
            """),
        transform: TimeSpan.parse)
    var checkpointInterval: TimeSpan?

    func validate() throws {
        try OptionValue.checkSources(sources)
        try OptionValue.checkPaths(["--rejects": rejects, "--checkpoint": checkpoint])
        try OptionValue.check(Limits.argumentsRange, maxArguments, "--max-arguments")
        if checkpoint == nil, checkpointInterval != nil {
            throw ValidationError(
                "--checkpoint-interval has no effect without checkpoints: name their folder with --checkpoint"
            )
        }
        if checkpoint != nil, results.spillDir != nil {
            throw ValidationError(
                "--spill-dir has no effect with --checkpoint: state that does not fit the memory goes to the "
                    + "checkpoint's folder; leave --spill-dir out")
        }
    }

    func run() throws {
        try Run.reportingErrors(checkpoint: checkpoint) {
            let replay = try Replay(options())
            try Run(results, rejects: .replay(file: rejects))(
                replay.progress, interrupt: { replay.interrupt(signal: $0) }
            ) { willWrite throws(ReplayError) in try replay.run(willWrite: willWrite) }
        }
    }

    private func options() throws -> ReplayOptions {
        var options = try results.options(sources: sources)
        options.rejects = rejects
        options.byDevice = byDevice
        options.maximumArguments = maxArguments
        options.maximumLine = reading.maxLine.bytes
        options.chunkBytes = reading.chunkSize.bytes
        options.checkpoint = checkpoint
        options.checkpointInterval = checkpointInterval?.duration
        return options
    }
}
