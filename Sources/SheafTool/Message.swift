import SheafBytes
import SheafFlow
import SheafText

/// Writes messages to the user on standard error.
enum Message {
    /// Writes a line that starts with the command's name. Names of files and apps may contain any character: control
    /// characters are made visible, so that none can move the cursor.
    static func write(_ text: String) { ProgressLine.writeError("sheaf: \(shown(text))\n") }

    /// Writes a run's totals, wrapped at the width of the terminal.
    static func writeTotals(_ text: String) {
        let columns = StandardStream.error.isTerminal ? StandardStream.error.columns : nil
        ProgressLine.writeError(wrapped(text, columns: columns) + "\n")
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
        text = addingSuggestion(to: listingOnOneLine(text))
        for argument in arguments where argument.utf8.contains(UInt8(ascii: "\n")) {
            // The parser quotes a long option without its value, and the value without its option.
            let parts = argument.split(separator: "=", maxSplits: 1)
            for part in [argument[...]] + parts { text = text.replacing(part, with: shown(part)) }
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        StandardStream.error.write(lines.map(shown).joined(separator: "\n") + "\n")
    }

    /// Moves the valid values to the line of their message. The parser lists more than five of them below it.
    private static func listingOnOneLine(_ text: String) -> String {
        text.replacing(/one of the following:\n(?<items>(?: +- .*\n?)+)/) { found in
            let names = found.items.split(separator: "\n").map { "'\($0.drop { " -".contains($0) })'" }
            return "one of \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "").\n"
        }
    }

    /// Adds the value that was probably meant to a message of the parser that lists the valid ones.
    private static func addingSuggestion(to text: String) -> String {
        let list = /The value '(?<value>.*)' is invalid for .*\. Please provide one of (?<known>'.*')\./
        guard let found = text.firstMatch(of: list) else { return text }
        let known = found.known.matches(of: /'([^']*)'/).map { String($0.1) }
        let value = String(found.value)
        // Of two that are equally similar, neither is suggested: 'ios16' is not more like 'ios12' than like 'ios15'.
        guard let nearest = Suggestion.nearest(value, known: known),
            known.count(where: { Suggestion.distance(value, $0) == Suggestion.distance(value, nearest) }) == 1
        else { return text }
        var text = text
        text.replaceSubrange(
            found.known.endIndex..<found.range.upperBound, with: "; did you mean '\(nearest)'?")
        return text
    }

    /// Writes each warning as a line.
    static func write(_ warnings: [ReplayWarning]) {
        for warning in warnings { write("warning: \(warning.text)") }
    }
}

// MARK: - Texts on a terminal

extension Message {
    /// The approximate lengths of the line of totals, and of the note about groups that are left out.
    private static let totalsLength = 110
    private static let noteLength = 100

    /// Returns the number of rows of a result that fit on a terminal together with the lines that follow it.
    ///
    /// - Parameter showsTotals: whether the line of totals is on the same terminal.
    static func resultRows(rows: Int, columns: Int, showsTotals: Bool) -> Int {
        func lines(_ length: Int) -> Int { (length + columns - 1) / max(columns, 1) }
        // The 2 are an empty line and the shell's prompt.
        let others = 2 + lines(noteLength) + (showsTotals ? lines(totalsLength) : 0)
        return max(rows - others, 1)
    }

    /// The note after a result that is too long for the screen.
    static func note(groupsLeftOut count: UInt64) -> String {
        let text =
            "\(Numbers.count(count, "more group")): use --top N for the largest, "
            + "or -o FILE or --format text | less for all of them"
        return "\n" + wrapped(text, columns: StandardStream.output.columns) + "\n"
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
