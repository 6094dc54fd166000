import ArgumentParser

/// The `sheaf` command.
@main
struct SheafCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheaf",
        abstract: "Replays logs of push payloads and says what people saw.",
        discussion: """
            A log is newline-delimited JSON, one push payload with its envelope a line, plain or compressed \
            with gzip. Sheaf groups the notifications as iOS's Notification Center does and writes one line of \
            JSON for each group.
            """,
        version: "0.1.0",
        subcommands: [
            ReplayCommand.self, CheckCommand.self, MergeCommand.self, GenerateCommand.self,
        ])
}
