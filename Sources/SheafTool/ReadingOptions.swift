import ArgumentParser
import SheafFlow

/// How sources are read, whatever is made of them.
struct ReadingOptions: ParsableArguments {
    @Option(help: "The longest line; longer ones are rejected. Bytes, or with KiB, MiB, GiB.")
    var maxLine = ByteSize(Limits.lineBytes)

    @Option(
        help: ArgumentHelp(
            "How much of a log is handed on at once. No result depends on it.", visibility: .hidden))
    var chunkSize = ByteSize(Limits.chunkBytes)

    func validate() throws {
        try ResultOptions.check(Limits.lineBytesRange, maxLine.bytes, "--max-line")
        try ResultOptions.check(Limits.chunkBytesRange, chunkSize.bytes, "--chunk-size")
    }
}
