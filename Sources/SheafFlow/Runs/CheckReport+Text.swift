import SheafBytes
import SheafGroups

/// What a person reads of a report, errors first:
///
///     error       12  json.invalid
///                     logs/a.ndjson:17
///                     Not one JSON value in valid UTF-8.
///     warning  1,204  untimed
///                     …
///
///     2,345 records from 3 sources: 12 errors, 1,204 warnings
extension CheckReport {
    /// Sentences are broken to fit as many columns, where there are no fewer.
    private static let usualWidth = 80
    private static let gap = 2

    /// A table without any control character, whatever the sources' names are, and an LF behind each line.
    ///
    /// - Parameter style: where it has a width, names of sources that are longer lose their beginnings.
    public func text(_ style: TextStyle) -> [UInt8] {
        var output = ""
        let severityWidth = findings.map(\.finding.severity.rawValue.count).max() ?? 0
        let countWidth = findings.map { Numbers.grouped($0.count).count }.max() ?? 0
        let indent = severityWidth + countWidth + 2 * Self.gap
        let room = max(1, min(style.width ?? Self.usualWidth, Self.usualWidth) - indent)
        let margin = String(repeating: " ", count: indent)
        for item in findings {
            let severity = item.finding.severity
            let count = Numbers.grouped(item.count)
            let name = severity.rawValue
            output += Self.coloured(name, Self.colour(of: severity), style)
            let padding = severityWidth - name.count + Self.gap + countWidth - count.count
            output += String(repeating: " ", count: padding) + count
            output += String(repeating: " ", count: Self.gap)
            output += Self.coloured(item.finding.name, Self.bold, style) + "\n"
            output += margin + place(of: item, width: style.width.map { max(1, $0 - indent) }) + "\n"
            for line in Self.lines(of: item.finding.explanation, width: room) {
                output += margin + Self.coloured(line, Self.faint, style) + "\n"
            }
        }
        if !findings.isEmpty { output += "\n" }
        for line in Self.lines(of: totals, width: style.width ?? .max) { output += line + "\n" }
        return Array(output.utf8)
    }

    /// One line: how much was read, and what was found.
    public var totals: String {
        "\(Numbers.count(records, "record")) from \(Numbers.count(UInt64(sources), "source")): "
            + "\(Numbers.count(errors, "error")), \(Numbers.count(warnings, "warning"))"
    }

    private func place(of item: Item, width: Int?) -> String {
        let position =
            switch item.position {
            case .line(let number): ":\(number)"
            case .offset(let offset): " at byte \(offset)"
            }
        let name = DisplayText.shown(item.source)
        guard let width else { return name + position }
        return Self.ending(name, width: width - position.count) + position
    }
}

// MARK: - Words and columns

extension CheckReport {
    /// A text's end in so many columns, an ellipsis in place of what is missing.
    private static func ending(_ text: String, width: Int) -> String {
        func columns(_ characters: some Sequence<Character>) -> Int {
            characters.reduce(0) { $0 + DisplayWidth.columns(of: $1) }
        }
        guard columns(text) > width else { return text }
        var end: [Character] = []
        var used = 1
        for character in text.reversed() {
            used += DisplayWidth.columns(of: character)
            if used > width { break }
            end.append(character)
        }
        return "…" + String(end.reversed())
    }

    /// A sentence broken between words; a word that is too long has a line of its own.
    private static func lines(of sentence: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in sentence.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

// MARK: - Colours

extension CheckReport {
    /// Select Graphic Rendition (ECMA-48).
    private static let bold = "\u{1b}[1m"
    private static let faint = "\u{1b}[2m"
    private static let colourEnd = "\u{1b}[0m"

    private static func colour(of severity: CheckFinding.Severity) -> String {
        switch severity {
        case .error: "\u{1b}[1;31m"
        case .warning: "\u{1b}[1;33m"
        }
    }

    private static func coloured(_ text: String, _ colour: String, _ style: TextStyle) -> String {
        style.hasColours ? colour + text + colourEnd : text
    }
}
