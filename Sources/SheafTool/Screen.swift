import SheafBytes
import SheafFlow

/// The room that a result has on the terminal.
struct Screen {
    /// The number of rows of a result that fit on the screen together with the lines that follow it.
    let resultRows: Int

    /// The approximate lengths of the line of totals, and of the note about groups that are left out.
    private static let totalsLength = 110
    private static let noteLength = 100

    /// - Parameter quiet: whether the line of totals is omitted.
    init(quiet: Bool) {
        self.init(
            rows: Terminal.outputRows, columns: Terminal.outputColumns,
            showsTotals: !quiet && Terminal.isErrorTerminal)
    }

    init(rows: Int, columns: Int, showsTotals: Bool) {
        func lines(_ length: Int) -> Int { (length + columns - 1) / max(columns, 1) }
        // The 2 are an empty line and the shell's prompt.
        let others = 2 + lines(Self.noteLength) + (showsTotals ? lines(Self.totalsLength) : 0)
        resultRows = max(rows - others, 1)
    }

    /// The note after a result that is too long for the screen.
    static func note(groupsLeftOut count: UInt64) -> String {
        let text =
            "\(Numbers.count(count, "more group")): use --top N for the largest, "
            + "or -o FILE or --format text | less for all of them"
        return "\n" + wrapped(text, columns: Terminal.outputColumns) + "\n"
    }

    /// Returns `text` wrapped between words. A word that is longer than a line gets a line of its own.
    ///
    /// - Parameter columns: the width of a line; nil leaves the text on one line.
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
