import SheafBytes
import SheafFlow

/// What the command says to a person, on standard error.
enum Message {
    /// A line behind the command's name. Names of files and of apps may hold anything: what could move the cursor is
    /// shown.
    static func write(_ text: String) { Terminal.writeError("sheaf: \(DisplayText.shown(text))\n") }
}
