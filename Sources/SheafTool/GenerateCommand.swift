import ArgumentParser
import SheafBytes
import SheafFlow
import SheafSynthesis

/// `sheaf generate`: a realistic log, the same for the same seed on every machine.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write a realistic push log: the same bytes for the same seed on every machine.",
        usage: "sheaf generate --records <N> --seed <N> [<options>]",
        discussion: """
            With --files the records are cut into as many files of equal length, in order, and -o names them: \
            push.ndjson.gz becomes push-1.ndjson.gz, push-2.ndjson.gz and so on. Folders of the output that are \
            missing are created.
            """)

    @Option(parsing: .unconditional, help: .number("How many records."), transform: OptionValue.number)
    var records: Int

    @Option(
        parsing: .unconditional, help: .number("What the random numbers start from."),
        transform: OptionValue.number)
    var seed: UInt64

    @Option(parsing: .unconditional, help: .number("How many apps."), transform: OptionValue.number)
    var apps = 200

    @Option(
        parsing: .unconditional,
        help: .number("How many thread identifiers; with 0 no notification has one. (default: 1000)"),
        transform: OptionValue.number)
    var threadIds: Int?

    /// The name that `--thread-ids` had before. In the other subcommands it means threads that work.
    @Option(
        parsing: .unconditional, help: ArgumentHelp(valueName: "N", visibility: .hidden),
        transform: OptionValue.number)
    var threads: Int?

    @Option(
        parsing: .unconditional, help: .number("How many devices; with 0 no record names one."),
        transform: OptionValue.number)
    var devices = 10_000

    @Option(
        parsing: .unconditional, help: .number("How many files to cut the log into."),
        transform: OptionValue.number)
    var files = 1

    @Option(
        name: [.short, .long], help: .file("Where the log goes; - is standard output, .gz is compressed."),
        completion: .file())
    var output = "-"

    @Flag(name: [.short, .long], help: "Write nothing but errors to standard error.")
    var quiet = false

    /// Files are named before one is written, with as many digits as it takes.
    private static let filesRange = 1...100_000

    func validate() throws {
        guard records >= 0 else {
            throw ValidationError("--records is \(records), but must be 0 or more")
        }
        try OptionValue.check(LogShape.appsRange, apps, "--apps")
        if let threadIds {
            try OptionValue.check(LogShape.threadsRange, threadIds, "--thread-ids")
        }
        if let threads {
            try OptionValue.check(LogShape.threadsRange, threads, "--threads")
            if threadIds != nil {
                throw ValidationError("--threads is the old name of --thread-ids: give only --thread-ids")
            }
        }
        try OptionValue.check(LogShape.devicesRange, devices, "--devices")
        try OptionValue.check(Self.filesRange, files, "--files")
        try OptionValue.checkPaths(["--output": output])
        if files > 1, output == "-" {
            throw ValidationError("--files \(files) needs -o with a name for the files")
        }
    }

    func run() throws {
        let shape = LogShape(
            records: records, seed: seed, apps: apps, threads: threadIds ?? threads ?? 1000, devices: devices)
        do {
            try OpenFileLimit.check()
        } catch {
            throw Failure(error).reported()
        }
        let writer = LogWriter(shape, paths: LogWriter.paths(output, files))
        let total = UInt64(records)
        // What comes out is written from the start.
        let showsProgress = !quiet && ProgressLine.isPossible && !Terminal.mayShow(output)
        let line =
            showsProgress
            ? ProgressLine { ProgressLine.text(recordsMade: writer.recordsMade, of: total, seconds: $0) }
            : nil
        let signals = Signals { number in
            line?.end()
            writer.interrupt(signal: number)
        }
        defer { withExtendedLifetime(signals) {} }
        do {
            defer { line?.end() }
            let bytes = try writer.write()
            line?.end()
            guard !quiet, output != "-" else { return }
            Message.writeTotals(
                "\(Numbers.count(total, "record")), \(Numbers.bytes(bytes)) in "
                    + "\(Numbers.count(UInt64(files), "file"))")
        } catch .writing(let error) where error.isClosedPipe {
            // The reader has enough.
        } catch {
            throw Failure(error).reported()
        }
    }
}
