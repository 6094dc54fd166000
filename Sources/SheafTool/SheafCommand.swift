import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// The `sheaf` command.
@main
struct SheafCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheaf",
        abstract: "Replay logs of push notifications and show how iOS would have grouped them.",
        discussion: """
            A log is newline-delimited JSON, plain or compressed with gzip or zstd: each line is a push payload with its \
            envelope. Sheaf groups the notifications as iOS's Notification Center does and writes one line of \
            JSON for each group.
            """,
        version: "0.1.0",
        subcommands: [
            ReplayCommand.self, CheckCommand.self, MergeCommand.self, PartialCommand.self, InputsCommand.self,
            GenerateCommand.self,
        ])

    static func main() {
        ProcessMemory.returnLargeBlocks()
        guard StandardStreams.openClosed() else {
            Message.write("a standard stream is closed, and /dev/null cannot be opened in its place")
            exit(withError: ExitCode(ExitStatus.inputOutput))
        }
        ProcessFiles.raiseLimit(to: Limits.openFiles)
        let arguments = ProcessArguments.all
        do {
            // The parser would report any word as an unexpected argument, without a suggestion.
            if let word = arguments.first, let error = unknownSubcommand(word) { throw error }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            let status = exitCode(for: error)
            // Help and completion scripts are Sheaf's own text and may contain line breaks.
            if status == .success { exit(withError: error) }
            let message = fullMessage(for: error)
            if !message.isEmpty { Message.write(parserError: message, quoting: arguments) }
            exit(withError: status)
        }
    }

    private static func unknownSubcommand(_ word: String) -> ValidationError? {
        let known = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !word.hasPrefix("-"), word != "help", !known.contains(word) else { return nil }
        if let nearest = Suggestion.nearest(word, known: known) {
            return ValidationError("unknown subcommand '\(word)', did you mean '\(nearest)'?")
        }
        let list = known.dropLast().joined(separator: ", ") + " and " + (known.last ?? "")
        return ValidationError("unknown subcommand '\(word)': the subcommands are \(list)")
    }
}
