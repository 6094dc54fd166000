import ArgumentParser
import SheafBytes
import SheafFlow
import SheafSynthesis
import Synchronization

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
        parsing: .unconditional,
        help: ArgumentHelp(
            "The share of pushes that the push service refused, from 0 to 1.", valueName: "SHARE"),
        transform: OptionValue.share)
    var refused: Double = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The share of records that report a removal instead of a push, from 0 to 1.", valueName: "SHARE"),
        transform: OptionValue.share)
    var removals: Double = 0

    @Option(
        parsing: .unconditional,
        help: .number("The number of days that the records are spread over. (default: one for 2,000,000)"),
        transform: OptionValue.number)
    var days: Int?

    @Option(
        parsing: .unconditional, help: .number("The number of files to split the log into."),
        transform: OptionValue.number)
    var files = 1

    @Option(
        name: [.short, .long],
        help: .file("Write the log to FILE, or to standard output if it is -; .gz or .zst compresses it."),
        completion: .file())
    var output = "-"

    @OptionGroup var messages: QuietOptions

    /// The number of files is bounded because all their names are made before the first is written.
    private static let filesRange = 1...100_000

    func validate() throws {
        guard records >= 0 else {
            throw ValidationError("--records is \(records), but must be 0 or more")
        }
        if threadIds != nil, threads != nil {
            throw ValidationError("--threads is the old name of --thread-ids: give only --thread-ids")
        }
        try Failure.validating {
            try Limits.check(apps, in: LogShape.appsRange, "--apps")
            if let threadIds { try Limits.check(threadIds, in: LogShape.threadsRange, "--thread-ids") }
            if let threads { try Limits.check(threads, in: LogShape.threadsRange, "--threads") }
            try Limits.check(devices, in: LogShape.devicesRange, "--devices")
            if let days { try Limits.check(days, in: LogShape.daysRange, "--days") }
            try Limits.check(files, in: Self.filesRange, "--files")
            try Limits.check(path: output, "\(.output)")
        }
        if files > 1, output == "-" {
            throw ValidationError("--files \(files) needs -o with a name for the files")
        }
    }

    func run() throws {
        let shape = LogShape(
            records: records, seed: seed, apps: apps, threads: threadIds ?? threads ?? 1000, devices: devices,
            refused: Int((refused * 1_000_000).rounded()), removed: Int((removals * 1_000_000).rounded()),
            days: days)
        do {
            try OpenFiles.check()
        } catch {
            throw Failure(error).reported()
        }
        let writer = LogWriter(shape, paths: LogWriter.paths(output, files))
        let total = UInt64(records)
        // Output starts at once, so progress on the same terminal would be in its way.
        let showsProgress = !messages.quiet && ProgressLine.isPossible && !Terminal.mayShow(output)
        let line =
            showsProgress
            ? ProgressLine {
                ProgressLine.text(recordsGenerated: writer.recordsGenerated, of: total, seconds: $0)
            }
            : nil
        let signals = Run.signals(line) { writer.interrupt(signal: $0) }
        defer { withExtendedLifetime(signals) {} }
        do {
            defer { line?.end() }
            let bytes = try writer.write()
            line?.end()
            guard !messages.quiet, output != "-" else { return }
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

/// Writes a synthetic log to its files, one after another.
final class LogWriter: Sendable {
    private let shape: LogShape
    private let paths: [String]
    private let generated = Atomic<UInt64>(0)
    /// The signal that interrupted writing; 0 if none has arrived.
    private let signal = Atomic<Int32>(0)

    private static let bufferBytes = 256 << 10

    init(_ shape: LogShape, paths: [String]) {
        self.shape = shape
        self.paths = paths
    }

    /// The number of records generated so far. Safe to read from any thread.
    var recordsGenerated: UInt64 { generated.load(ordering: .relaxed) }

    /// The names of `count` files: each has its number before the first dot of the file's name, padded with zeros so
    /// that byte order is the files' order.
    static func paths(_ path: String, _ count: Int) -> [String] {
        guard count > 1 else { return [path] }
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let dot = path[nameStart...].dropFirst().firstIndex(of: ".") ?? path.endIndex
        let width = String(count).count
        return (1...count).map { number in
            "\(path[..<dot])-\(Numbers.padded(String(number), to: width))\(path[dot...])"
        }
    }

    func interrupt(signal number: Int32) { signal.store(number, ordering: .relaxed) }

    /// The number of records in the files before `index`: that share of all records, rounded down, so that the sizes of
    /// files differ by at most one record and their sum is exact.
    static func recordsBefore(file index: Int, of files: Int, records: Int) -> Int {
        let (high, low) = records.multipliedFullWidth(by: index)
        return files.dividingFullWidth((high, low)).quotient
    }

    /// Writes all files and creates missing folders. Each file is either complete or absent.
    ///
    /// - Returns: the number of bytes of text, before compression.
    func write() throws(ReplayError) -> UInt64 {
        let storage = SystemStorage()
        var log = SyntheticLog(shape)
        var total: UInt64 = 0
        var buffer: [UInt8] = []
        for (index, path) in paths.enumerated() {
            let first = Self.recordsBefore(file: index, of: paths.count, records: shape.records)
            let count = Self.recordsBefore(file: index + 1, of: paths.count, records: shape.records) - first
            let file: OutputFile
            do {
                if path != "-" { try storage.makeFolders(storage.folder(of: path)) }
                file = try OutputFile(path, storage: storage)
            } catch {
                throw .output(error)
            }
            do throws(StorageError) {
                for number in 0..<count {
                    guard log.appendRecord(to: &buffer) else { break }
                    guard buffer.count >= Self.bufferBytes else { continue }
                    generated.store(UInt64(first + number + 1), ordering: .relaxed)
                    total += UInt64(buffer.count)
                    try file.write(buffer.span)
                    buffer.removeAll(keepingCapacity: true)
                    if signal.load(ordering: .relaxed) != 0 { break }
                }
                total += UInt64(buffer.count)
                try file.write(buffer.span)
                buffer.removeAll(keepingCapacity: true)
                let number = signal.load(ordering: .relaxed)
                if number == 0 { try file.commit() } else { file.discard() }
            } catch {
                throw error.operation == .rename ? .output(error) : .writing(error)
            }
            let number = signal.load(ordering: .relaxed)
            if number != 0 { throw .interrupted(signal: number) }
        }
        return total
    }
}
