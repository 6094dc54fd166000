import SheafBytes
import SheafFlow

/// Writes messages to the user on standard error.
enum Message {
    /// Writes a line that starts with the command's name. Names of files and apps may contain any character: control
    /// characters are made visible, so that none can move the cursor.
    static func write(_ text: String) { ProgressLine.writeError("sheaf: \(shown(text))\n") }

    /// Writes a run's totals, wrapped at the width of the terminal.
    static func writeTotals(_ text: String) {
        let columns = Terminal.isErrorTerminal ? Terminal.errorColumns : nil
        ProgressLine.writeError(Screen.wrapped(text, columns: columns) + "\n")
    }

    private static func shown(_ text: some StringProtocol) -> String {
        DisplayText.shown(SystemPath.shown(String(text)))
    }

    /// Writes an error of the option parser, which quotes `arguments` verbatim. Its own line breaks are kept; control
    /// characters in the arguments are made visible.
    static func write(parserError text: String, quoting arguments: [String]) {
        var text = text
        if text.hasPrefix("Error: Unknown option '--device") {
            text = text.replacing(" '--by-device'?", with: " '--only-device' or '--by-device'?")
        }
        for argument in arguments where argument.utf8.contains(UInt8(ascii: "\n")) {
            // The parser quotes a long option without its value, and the value without its option.
            let parts = argument.split(separator: "=", maxSplits: 1)
            for part in [argument[...]] + parts { text = text.replacing(part, with: shown(part)) }
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        Terminal.writeError(lines.map(shown).joined(separator: "\n") + "\n")
    }

    /// Writes each warning as a line.
    static func write(_ warnings: [ReplayWarning]) {
        for warning in warnings { write("warning: \(warning.text)") }
    }
}
