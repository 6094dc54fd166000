import SheafBytes
import SheafFlow

/// What the command says to a person, on standard error.
enum Message {
    /// Writes a line that starts with the command's name. Names of files and of apps may hold anything: what could move
    /// the cursor is shown.
    static func write(_ text: String) { ProgressLine.writeError("sheaf: \(shown(text))\n") }

    /// Writes what a run counted, in lines as wide as the terminal.
    static func writeTotals(_ text: String) {
        let columns = Terminal.isErrorTerminal ? Terminal.errorColumns : nil
        ProgressLine.writeError(Screen.wrapped(text, columns: columns) + "\n")
    }

    private static func shown(_ text: some StringProtocol) -> String {
        DisplayText.shown(SystemPath.shown(String(text)))
    }

    /// An error of the option parser, which quotes `arguments` as they are: its own lines stay, and what could move the
    /// cursor is shown.
    static func write(parserError text: String, quoting arguments: [String]) {
        var text = text
        for argument in arguments where argument.utf8.contains(UInt8(ascii: "\n")) {
            // A long option is quoted without its value, and the value without its option.
            let parts = argument.split(separator: "=", maxSplits: 1)
            for part in [argument[...]] + parts { text = text.replacing(part, with: shown(part)) }
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        Terminal.writeError(lines.map(shown).joined(separator: "\n") + "\n")
    }

    /// A line for each warning.
    static func write(_ warnings: [ReplayWarning]) {
        for warning in warnings { write("warning: \(warning.text)") }
    }
}
