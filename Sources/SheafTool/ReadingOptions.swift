import ArgumentParser
import SheafFlow

/// How sources are read, whatever is made of them.
struct ReadingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .size("The longest line; longer ones are rejected. Bytes, or with KiB, MiB, GiB."),
        transform: ByteSize.parse)
    var maxLine = ByteSize(Limits.lineBytes)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much of a log is handed on at once. No result depends on it.", valueName: "SIZE",
            visibility: .hidden),
        transform: ByteSize.parse)
    var chunkSize = ByteSize(Limits.chunkBytes)

    func validate() throws {
        try OptionValue.check(Limits.lineBytesRange, maxLine.bytes, "--max-line")
        try OptionValue.check(Limits.chunkBytesRange, chunkSize.bytes, "--chunk-size")
    }
}
