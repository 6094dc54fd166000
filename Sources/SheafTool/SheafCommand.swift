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
        version: SheafVersion.current,
        subcommands: [
            ReplayCommand.self, ReportCommand.self, MeasureCommand.self, CompareCommand.self,
            ExplainCommand.self,
            CheckCommand.self, MergeCommand.self,
            PartialCommand.self, InputsCommand.self,
            GenerateCommand.self,
        ])

    static func main() {
        CurrentProcess.returnLargeBlocks()
        guard StandardStream.openClosed() else {
            Message.write("a standard stream is closed, and /dev/null cannot be opened in its place")
            exit(withError: ExitCode.inputOutput)
        }
        CurrentProcess.raiseFileLimit(to: Limits.openFiles)
        let arguments = CurrentProcess.arguments
        do {
            if let error = unknownSubcommand(arguments) ?? missingValue(arguments) { throw error }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            let status = exitCode(for: error)
            // Help and completion scripts are Sheaf's own text and may contain line breaks.
            if status == .success {
                if let brief = briefHelp(error, arguments) {
                    StandardStream.output.write(brief + "\n")
                    exit(withError: ExitCode.success)
                }
                exit(withError: error)
            }
            let message = fullMessage(for: error)
            if !message.isEmpty { Message.write(parserError: message, quoting: arguments) }
            exit(withError: status)
        }
    }

    /// Returns the help that `-h` asks for; nil if `error` is not a request for it.
    private static func briefHelp(_ error: any Error, _ arguments: [String]) -> String? {
        guard let subcommand = arguments.first, arguments.prefix(while: { $0 != "--" }).contains("-h"),
            !arguments.contains("--help"), subcommand != "-h"
        else { return nil }
        return HelpSection.brief(fullMessage(for: error), of: "sheaf \(subcommand)")
    }

    /// Returns an error with a suggestion for a word where a subcommand must be. The parser would report it as an unexpected
    /// argument.
    private static func unknownSubcommand(_ arguments: [String]) -> ValidationError? {
        var command: any ParsableCommand.Type = self
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = subcommands.first(where: { $0._commandName == word }) {
                command = next
                continue
            }
            let known = subcommands.map { $0._commandName }
            let of = command == self ? "" : " of sheaf \(command._commandName)"
            if let nearest = Suggestion.nearest(word, known: known) {
                return ValidationError("unknown subcommand '\(word)'\(of), did you mean '\(nearest)'?")
            }
            let list = known.dropLast().joined(separator: ", ") + " and " + (known.last ?? "")
            return ValidationError("unknown subcommand '\(word)'\(of): the subcommands are \(list)")
        }
        return nil
    }

    /// Returns an error for an option with an equals sign and nothing after it, as a shell variable that is not set leaves it.
    /// The parser would take the next argument as its value.
    private static func missingValue(_ arguments: [String]) -> ValidationError? {
        let option = arguments.prefix { $0 != "--" }.first { $0.hasPrefix("--") && $0.hasSuffix("=") }
        return option.map {
            ValidationError("\($0) has no value: write one after the equals sign, or leave it out")
        }
    }
}
