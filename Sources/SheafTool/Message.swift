import SheafBytes
import SheafFlow

/// What the command says to a person, on standard error.
enum Message {
    /// Writes a line that starts with the command's name. Names of files and of apps may hold anything: what could move
    /// the cursor is shown.
    static func write(_ text: String) { ProgressLine.writeError("sheaf: \(DisplayText.shown(text))\n") }

    /// Writes what a run counted, in lines as wide as the terminal.
    static func writeTotals(_ text: String) {
        let columns = Terminal.isErrorTerminal ? Terminal.errorColumns : nil
        ProgressLine.writeError(Screen.wrapped(text, columns: columns) + "\n")
    }
}
