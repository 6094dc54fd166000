import ArgumentParser
import SheafBytes
import SheafFlow
import SheafSynthesis

/// `sheaf generate`: writes a realistic log, the same for the same seed on every machine.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write a realistic push log; a seed yields the same bytes on every machine.",
        usage: "sheaf generate --records <N> --seed <N> [<options>]",
        discussion: """
            With --files N the records are split, in order, into N files whose lengths differ by at most one record. \
            -o names them: push.ndjson.gz becomes push-1.ndjson.gz, push-2.ndjson.gz and so on. Missing folders in \
            the output's path are created.
            """)

    @Option(parsing: .unconditional, help: .number("The number of records."), transform: OptionValue.number)
    var records: Int

    @Option(
        parsing: .unconditional, help: .number("The seed of the random numbers."),
        transform: OptionValue.number)
    var seed: UInt64

    @Option(parsing: .unconditional, help: .number("The number of apps."), transform: OptionValue.number)
    var apps = 200

    @Option(
        parsing: .unconditional,
        help: .number("The number of thread identifiers; with 0, no notification has one. (default: 1000)"),
        transform: OptionValue.number)
    var threadIds: Int?

    /// The former name of `--thread-ids`. In the other subcommands it is the number of worker threads.
    @Option(
        parsing: .unconditional, help: ArgumentHelp(valueName: "N", visibility: .hidden),
        transform: OptionValue.number)
    var threads: Int?

    @Option(
        parsing: .unconditional, help: .number("The number of devices; with 0, no record names one."),
        transform: OptionValue.number)
    var devices = 10_000

    @Option(
        parsing: .unconditional, help: .number("The number of files to split the log into."),
        transform: OptionValue.number)
    var files = 1

    @Option(
        name: [.short, .long],
        help: .file("Write the log to FILE, or to standard output if it is -; .gz or .zst compresses it."),
        completion: .file())
    var output = "-"

    @Flag(name: [.short, .long], help: "Write only errors to standard error.")
    var quiet = false

    /// The number of files is bounded because all their names are made before the first is written.
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
        // Output starts at once, so progress on the same terminal would be in its way.
        let showsProgress = !quiet && ProgressLine.isPossible && !Terminal.mayShow(output)
        let line =
            showsProgress
            ? ProgressLine {
                ProgressLine.text(recordsGenerated: writer.recordsGenerated, of: total, seconds: $0)
            }
            : nil
        let signals = Interrupts.signals(line) { writer.interrupt(signal: $0) }
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
            // The reader has closed the pipe, which is not a failure.
        } catch {
            throw Failure(error).reported()
        }
    }
}
