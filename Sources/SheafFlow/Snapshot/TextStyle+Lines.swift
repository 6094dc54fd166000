import SheafBytes

/// Sentences and columns for reports that are text.
extension TextStyle {
    /// A Select Graphic Rendition sequence (ECMA-48).
    package enum Colour: String {
        case bold = "\u{1b}[1m"
        case faint = "\u{1b}[2m"
        case red = "\u{1b}[1;31m"
        case yellow = "\u{1b}[1;33m"
    }

    package func coloured(_ text: String, _ colour: Colour) -> String {
        hasColours ? "\(colour.rawValue)\(text)\u{1b}[0m" : text
    }

    /// Wraps a sentence between words; a word that is too long gets its own line.
    package static func lines(of sentence: String, width: Int) -> [String] {
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

    /// Returns a text in one line of at most `width` columns, with harmless characters only, and the number of its columns.
    static func fitted(_ text: [UInt8], width: Int) -> (text: String, columns: Int) {
        var line: [UInt8] = []
        let columns = DisplayText.append(text.span, width: max(1, width), isList: true, to: &line)
        return (String(decoding: line, as: UTF8.self), columns)
    }
}

/// A workflow command, which GitHub Actions shows as an annotation (GitHub, "Workflow commands for GitHub Actions"):
///
///     ::error file=pushes/a.ndjson,line=17,title=json.invalid::Not exactly one JSON value in valid UTF-8.
package enum WorkflowCommand {
    /// Returns a command followed by an LF. Control characters, line ends among them, are replaced with visible symbols.
    ///
    /// - Parameter level: error, warning or notice.
    package static func line(
        _ level: String, _ properties: KeyValuePairs<String, String>, _ message: String
    ) -> String {
        let properties = properties.map {
            "\($0.key)=\(escaped($0.value, ["%": "%25", ":": "%3A", ",": "%2C"]))"
        }
        return "::\(level) \(properties.joined(separator: ","))::\(escaped(message, ["%": "%25"]))\n"
    }

    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        var output = ""
        for scalar in DisplayText.shown(text).unicodeScalars {
            if let escape = escapes[scalar] { output += escape } else { output.unicodeScalars.append(scalar) }
        }
        return output
    }
}
