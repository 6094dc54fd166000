import ArgumentParser
import SheafFlow

/// Options of all runs that hold state: how much memory and how many threads they use, and where state goes that does
/// not fit.
struct ResourceOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .size(
            "The memory limit, in bytes or with KiB, MiB or GiB. (default: half of the machine's memory)"),
        transform: ByteSize.parse)
    var memory: ByteSize?

    @Option(
        help: .folder(
            "The folder for state that does not fit in memory. (default: the system's temporary folder)"),
        completion: .directory)
    var spillDir: String?

    @Option(
        parsing: .unconditional,
        help: .number("The number of worker threads; no result depends on it. (default: one per processor)"),
        transform: OptionValue.number)
    var threads: Int?

    @Flag(name: [.short, .long], help: "Write only errors to standard error.")
    var quiet = false

    func validate() throws {
        if let threads { try OptionValue.check(Limits.threadsRange, threads, "--threads") }
        if let memory, memory.bytes < 1 << 16 {
            throw ValidationError(
                "--memory \(memory.bytes) is \(memory.bytes) bytes: write \(memory.bytes)MiB or \(memory.bytes)GiB"
            )
        }
        try OptionValue.checkPaths(["--spill-dir": spillDir])
    }

    func apply(to options: inout ReplayOptions) {
        options.memory = memory?.bytes
        options.spillFolder = spillDir
        if let threads { options.threads = threads }
    }
}
