/// Renders a report as workflow commands, which GitHub Actions shows as annotations of the named files (GitHub,
/// "Workflow commands for GitHub Actions"):
///
///     ::error file=pushes/a.ndjson,line=17,title=json.invalid::Not one JSON value in valid UTF-8. (3 times)
extension CheckReport {
    /// Returns a line for each rule and source, each with an LF. Empty unless findings were located in each source, as
    /// for `CheckFormat.github`.
    public func github() -> [UInt8] {
        var output = ""
        for occurrence in occurrences {
            let (item, location) = (occurrence.item, occurrence.location)
            output +=
                "::\(item.severity.rawValue) file=\(Self.property(location.source)),line=\(occurrence.line),"
            output += "title=\(Self.property(item.finding.name))::\(Self.data(occurrence.message))"
            if location.count > 1 { output += " (\(location.count) times)" }
            output += "\n"
        }
        return Array(output.utf8)
    }

    /// Escapes a message. Control characters, line ends among them, are replaced with visible symbols.
    private static func data(_ text: String) -> String { escaped(text, ["%": "%25"]) }

    /// Escapes what would end a property, too.
    private static func property(_ text: String) -> String {
        escaped(text, ["%": "%25", ":": "%3A", ",": "%2C"])
    }

    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        var output = ""
        for scalar in DisplayText.shown(text).unicodeScalars {
            if let escape = escapes[scalar] { output += escape } else { output.unicodeScalars.append(scalar) }
        }
        return output
    }
}
