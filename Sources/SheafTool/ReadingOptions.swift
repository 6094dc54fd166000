import ArgumentParser
import SheafFlow

/// Options for reading sources, shared by replays and checks.
struct ReadingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .size("The longest line, in bytes or with KiB, MiB or GiB; longer lines are rejected."),
        transform: ByteSize.parse)
    var maxLine = ByteSize(Limits.lineBytes)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The size of the chunks that logs are read in. It does not affect the result.", valueName: "SIZE",
            visibility: .hidden),
        transform: ByteSize.parse)
    var chunkSize = ByteSize(Limits.chunkBytes)

    func validate() throws {
        try OptionValue.check(Limits.lineBytesRange, maxLine.bytes, "--max-line")
        try OptionValue.check(Limits.chunkBytesRange, chunkSize.bytes, "--chunk-size")
    }
}
