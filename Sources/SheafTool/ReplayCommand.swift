import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups

/// `sheaf replay`: logs in, grouped snapshot out.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Turn push logs into a snapshot of notification groups.",
        discussion: """
            Exit status: 0 done; 64 usage; 65 done, but more lines were rejected than --max-rejects or a source \
            was damaged; 66 a source cannot be opened; 70 internal error; 73 an output cannot be created; \
            74 reading or writing failed; 78 configuration error; 130 or 143 interrupted.
            """)

    @Argument(help: "Files, directories (all files in them), or - for standard input.")
    var sources: [String]

    @Option(name: [.short, .long], help: "Where the snapshot goes; - is standard output, .gz is compressed.")
    var output = "-"

    @Option(help: "How apps are grouped and shown: a JSON file.")
    var config: String?

    @Flag(help: "Group each device's notifications apart.")
    var byDevice = false

    @Option(help: "The order of groups: key (device, app, thread) or recent (newest first).")
    var sort = ReplayOptions.Order.key

    @Flag(help: "Show what a locked device shows.")
    var locked = false

    @Option(help: "The most arguments that a summary names, 1 to 1024.")
    var maxArguments = Limits.arguments

    @Option(help: "The longest line; longer ones are rejected. Bytes, or with KiB, MiB, GiB.")
    var maxLine = ByteSize(Limits.lineBytes)

    @Option(help: "How many rejected lines are no failure.")
    var maxRejects: UInt64 = 0

    @Option(help: "Where rejected lines go, one line of JSON each.")
    var rejects: String?

    @Option(help: "Where statistics go, one JSON object.")
    var stats: String?

    @Option(
        name: .customLong("partial"),
        help: "Where the mergeable state goes, instead of a snapshot, for sheaf merge.")
    var partial: String?

    @Option(help: "How much memory to take: bytes, or with KiB, MiB, GiB. Half of the machine's when not given.")
    var memory: ByteSize?

    @Option(help: "The folder for state that does not fit the memory; the system's temporary one when not given.")
    var spillDir: String?

    @Option(help: "Threads that work; the number of processors when not given. No result depends on it.")
    var threads: Int?

    @Option(
        help: ArgumentHelp(
            "How much of a log is handed on at once. No result depends on it.", visibility: .hidden))
    var chunkSize = ByteSize(Limits.chunkBytes)

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        try Self.check(Limits.argumentsRange, maxArguments, "--max-arguments")
        try Self.check(Limits.lineBytesRange, maxLine.bytes, "--max-line")
        try Self.check(Limits.chunkBytesRange, chunkSize.bytes, "--chunk-size")
        if let threads { try Self.check(Limits.threadsRange, threads, "--threads") }
    }

    private static func check(_ range: ClosedRange<Int>, _ value: Int, _ name: String) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(name) is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    func run() throws {
        do {
            try replay()
        } catch let error as ReplayError {
            throw Failure(error).reported()
        } catch let error as ConfigurationError {
            throw Failure(error).reported()
        } catch let code as ExitCode {
            throw code
        } catch {
            Terminal.writeError("sheaf: internal error: \(error)\n")
            throw ExitCode(ExitStatus.internalError)
        }
    }

    private func replay() throws {
        let replay = try Replay(options())
        let signals = Signals { replay.interrupt(signal: $0) }
        let line = quiet || !Terminal.isErrorTerminal ? nil : ProgressLine(replay.progress)
        defer { withExtendedLifetime(signals) {} }
        let statistics: Statistics
        do {
            statistics = try replay.run()
            line?.end()
        } catch {
            line?.end()
            throw error
        }
        let report = Report(statistics, maximumRejects: maxRejects, rejectsFile: rejects)
        if !statistics.outputWasClosed {
            if !quiet { Terminal.writeError(report.totals + "\n") }
            for problem in report.problems { Terminal.writeError("sheaf: \(problem)\n") }
        }
        if !report.problems.isEmpty { throw ExitCode(ExitStatus.data) }
    }

    private func options() throws -> ReplayOptions {
        var options = ReplayOptions(sources: sources)
        options.output = output
        options.rejects = rejects
        options.statistics = stats
        if let config { options.settings = try ConfigurationFile.read(config) }
        options.byDevice = byDevice
        options.order = sort
        options.locked = locked
        options.maximumArguments = maxArguments
        options.maximumLine = maxLine.bytes
        options.chunkBytes = chunkSize.bytes
        options.partial = partial
        options.memory = memory?.bytes
        options.spillFolder = spillDir
        options.threads = threads ?? min(ProcessMemory.processorCount, Limits.threadsRange.upperBound)
        return options
    }
}

extension ReplayOptions.Order: ExpressibleByArgument {}
