import ArgumentParser
import SheafBytes
import SheafFlow

/// What replaying and merging have in common: what is written, how it is shown, and what it may take.
struct ResultOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "Where the snapshot goes; - is standard output, .gz is compressed.")
    var output: String?

    @Option(help: "Where mergeable state goes, for sheaf merge; there is no snapshot then.")
    var partial: String?

    @Option(help: "How apps are grouped and shown: a JSON file.")
    var config: String?

    @Option(help: "The order of groups: key (device, app, thread) or recent (newest first).")
    var sort = ReplayOptions.Order.key

    @Flag(help: "Show what a locked device shows.")
    var locked = false

    @Option(help: "How many rejected lines are no failure.")
    var maxRejects: UInt64 = 0

    @Option(help: "Where statistics go, one JSON object.")
    var stats: String?

    @Option(
        help: "How much memory to take, in bytes or with KiB, MiB, GiB; half of the machine's when not given."
    )
    var memory: ByteSize?

    @Option(
        help: "The folder for state that does not fit the memory; the system's temporary one when not given.")
    var spillDir: String?

    @Option(help: "Threads that work; the number of processors when not given. No result depends on it.")
    var threads: Int?

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        if let threads { try Self.check(Limits.threadsRange, threads, "--threads") }
        if partial != nil, output != nil {
            throw ValidationError(
                "--partial writes state instead of a snapshot: --output can't be given with it")
        }
    }

    static func check(_ range: ClosedRange<Int>, _ value: Int, _ name: String) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(name) is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// A run's options.
    func options(sources: [String]) throws -> ReplayOptions {
        var options = ReplayOptions(sources: sources)
        options.output = output ?? "-"
        options.partial = partial
        if let config { options.settings = try ConfigurationFile.read(config) }
        options.order = sort
        options.locked = locked
        options.statistics = stats
        options.memory = memory?.bytes
        options.spillFolder = spillDir
        options.threads = threads ?? min(ProcessMemory.processorCount, Limits.threadsRange.upperBound)
        return options
    }
}

extension ReplayOptions.Order: ExpressibleByArgument {}
