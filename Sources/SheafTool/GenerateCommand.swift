import ArgumentParser
import SheafBytes
import SheafFlow
import SheafSynthesis

/// `sheaf generate`: a realistic log, the same for the same seed on every machine.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write a realistic push log: the same bytes for the same seed on every machine.",
        usage: "sheaf generate --records <records> --seed <seed> [<options>]",
        discussion: """
            With --files the records are cut into as many files of equal length, in order, and -o names them: \
            push.ndjson.gz becomes push-1.ndjson.gz, push-2.ndjson.gz and so on.
            """)

    @Option(help: "How many records.")
    var records: Int

    @Option(help: "What the random numbers start from.")
    var seed: UInt64

    @Option(help: "How many apps.")
    var apps = 200

    @Option(help: "How many thread identifiers; with 0 no notification has one.")
    var threads = 1000

    @Option(help: "How many devices; with 0 no record names one.")
    var devices = 10_000

    @Option(help: "How many files to cut the log into.")
    var files = 1

    @Option(name: [.short, .long], help: "Where the log goes; - is standard output, .gz is compressed.")
    var output = "-"

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        func check(_ name: String, _ value: Int, atLeast least: Int) throws {
            guard value < least else { return }
            throw ValidationError("\(name) is \(value), but must be \(least) or more")
        }
        try check("--records", records, atLeast: 0)
        try check("--apps", apps, atLeast: 1)
        try check("--threads", threads, atLeast: 0)
        try check("--devices", devices, atLeast: 0)
        try check("--files", files, atLeast: 1)
        if files > 1, output == "-" {
            throw ValidationError("--files \(files) needs -o with a name for the files")
        }
    }

    func run() throws {
        let shape = SyntheticLog.Shape(
            records: records, seed: seed, apps: apps, threads: threads, devices: devices)
        let writer = LogWriter(SyntheticLog(shape), records: records, paths: LogWriter.paths(output, files))
        let signals = Signals { writer.interrupt(signal: $0) }
        defer { withExtendedLifetime(signals) {} }
        do {
            let bytes = try writer.write()
            guard !quiet, output != "-" else { return }
            Terminal.writeError(
                "\(Numbers.count(UInt64(records), "record")), \(Numbers.bytes(bytes)) in "
                    + "\(Numbers.count(UInt64(files), "file"))\n")
        } catch .writing(let error) where error.isClosedPipe {
            // Whoever read has enough.
        } catch {
            throw Failure(error).reported()
        }
    }
}
