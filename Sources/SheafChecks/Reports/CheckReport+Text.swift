import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// Renders a report as text, errors first:
///
///     error       12  json.invalid
///                     logs/a.ndjson:17
///                     Not exactly one JSON value in valid UTF-8.
///     warning  1,204  untimed
///                     …
///
///     2,345 records from 3 sources: 12 errors, 1,204 warnings
extension CheckReport {
    /// The number of columns to which sentences are wrapped, unless the text is narrower.
    static let defaultWidth = 80
    static let gap = 2

    /// Returns the report as a table with an LF after each line. Control characters in the sources' names are replaced.
    ///
    /// - Parameter style: if it has a width, longer names of sources are cut at the beginning.
    public func text(_ style: TextStyle) -> [UInt8] {
        var output = ""
        let severityWidth = findings.map(\.severity.rawValue.count).max() ?? 0
        let countWidth = findings.map { Numbers.grouped($0.count).count }.max() ?? 0
        let indent = severityWidth + countWidth + 2 * Self.gap
        let room = max(1, min(style.width ?? Self.defaultWidth, Self.defaultWidth) - indent)
        let margin = String(repeating: " ", count: indent)
        let maximumLine = style.optionNames[.maximumLine] ?? "the maximum"
        for item in findings {
            let severity = item.severity
            let count = Numbers.grouped(item.count)
            let name = severity.rawValue
            output += style.coloured(name, Self.colour(of: severity))
            let padding = severityWidth - name.count + Self.gap + countWidth - count.count
            output += String(repeating: " ", count: padding) + count
            output += String(repeating: " ", count: Self.gap)
            output += style.coloured(item.finding.name, .bold) + "\n"
            output += margin + location(of: item, width: style.width.map { max(1, $0 - indent) }) + "\n"
            var explanation = rules.explanation(of: item.finding, maximumLine: maximumLine)
            if let detail = item.detail { explanation += " First: \(DisplayText.shown(detail))" }
            for line in TextStyle.lines(of: explanation, width: room) {
                output += margin + style.coloured(line, .faint) + "\n"
            }
        }
        if !findings.isEmpty { output += "\n" }
        for sentence in refusals + [totals] {
            for line in TextStyle.lines(of: sentence, width: style.width ?? .max) { output += line + "\n" }
        }
        return Array(output.utf8)
    }

    /// A line with the number of refused pushes, and one with that of refusals by later outcomes, each with the most
    /// frequent reasons. They are information and not findings; those without any are left out.
    var refusals: [String] {
        [
            refused?.sentence,
            laterRefusals?.sentence("refusal", "refusals", "reported by outcomes of other records"),
        ].compactMap { $0 }
    }

    /// One line with the numbers of records, sources, errors and warnings.
    public var totals: String {
        "\(Numbers.count(records, "record")) from \(Numbers.count(UInt64(sources), "source")): "
            + "\(Numbers.count(errors, "error")), \(Numbers.count(warnings, "warning"))"
            + (hasBaseline ? ", \(Numbers.grouped(known)) known" : "")
    }

    private func location(of item: Item, width: Int?) -> String {
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

// MARK: - Fitting text into columns

extension CheckReport {
    /// Returns the end of a text that fits into `width` columns, with an ellipsis in place of the missing beginning.
    private static func ending(_ text: String, width: Int) -> String {
        func columns(_ characters: some Sequence<Character>) -> Int {
            characters.reduce(0) { $0 + DisplayText.columns(of: $1) }
        }
        guard columns(text) > width else { return text }
        var end: [Character] = []
        var used = 1
        for character in text.reversed() {
            used += DisplayText.columns(of: character)
            if used > width { break }
            end.append(character)
        }
        return "…" + String(end.reversed())
    }
}

// MARK: - Colours

extension CheckReport {
    static func colour(of severity: CheckFinding.Severity) -> TextStyle.Colour {
        switch severity {
        case .error: .red
        case .warning: .yellow
        }
    }
}
