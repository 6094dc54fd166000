import SheafBytes
import SheafFlow

/// What fits on the terminal.
struct Screen {
    /// How many rows of a result fit on the screen together with the lines that follow it.
    let resultRows: Int

    /// About how long the closing line is, and the line about groups that are left out.
    private static let totalsLength = 110
    private static let noteLength = 100

    /// - Parameter quiet: whether the closing line is left out.
    init(quiet: Bool) {
        self.init(
            rows: Terminal.outputRows, columns: Terminal.outputColumns,
            showsTotals: !quiet && Terminal.isErrorTerminal)
    }

    init(rows: Int, columns: Int, showsTotals: Bool) {
        func lines(_ length: Int) -> Int { (length + columns - 1) / max(columns, 1) }
        // An empty line, and the shell's prompt.
        let others = 2 + lines(Self.noteLength) + (showsTotals ? lines(Self.totalsLength) : 0)
        resultRows = max(rows - others, 1)
    }

    /// What follows a result that is too long for the screen.
    static func note(groupsLeftOut count: UInt64) -> String {
        let text =
            "\(Numbers.count(count, "more group")): --top N shows the largest; "
            + "-o FILE, or --format text | less, has all of them"
        return "\n" + wrapped(text, columns: Terminal.outputColumns) + "\n"
    }

    /// A text with line feeds in place of spaces, so that words stay whole. A word that is longer than a line has one to
    /// itself.
    ///
    /// - Parameter columns: nil: the text stays one line.
    static func wrapped(_ text: String, columns: Int?) -> String {
        guard let columns else { return text }
        var output = ""
        var column = 0
        for word in text.split(separator: " ") {
            if column > 0, column + 1 + word.count > columns {
                output += "\n"
                column = 0
            } else if column > 0 {
                output += " "
                column += 1
            }
            output += word
            column += word.count
        }
        return output
    }
}
