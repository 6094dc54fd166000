import ArgumentParser
import SheafBytes
import SheafFlow

/// What `--format` may be.
enum FormatName: String, ExpressibleByArgument, CaseIterable {
    case ndjson, json, csv, text

    /// The format that a file's name implies, with or without `.gz`; nil if it implies none.
    init?(output path: String) {
        let name = path.lowercased()
        let plain = name.hasSuffix(".gz") ? name.dropLast(3) : name[...]
        let extensions: KeyValuePairs<String, FormatName> = [
            ".ndjson": .ndjson, ".jsonl": .ndjson, ".json": .json, ".csv": .csv, ".txt": .text,
        ]
        guard let format = extensions.first(where: { plain.hasSuffix($0.key) })?.value else { return nil }
        self = format
    }

    func format(onTerminal: Bool) -> SnapshotFormat {
        switch self {
        case .ndjson: .ndjson
        case .json: .json
        case .csv: .csv
        case .text: .text(TextStyle(onTerminal: onTerminal))
        }
    }
}

extension TextStyle {
    /// As wide as the terminal of standard output, and coloured there; or as long as it takes.
    init(onTerminal: Bool) {
        // A NO_COLOR with any value asks for none (no-color.org).
        self.init(
            width: onTerminal ? Terminal.outputColumns : nil,
            hasColours: onTerminal && Terminal.understandsControlSequences
                && (ProcessEnvironment.value("NO_COLOR") ?? "").isEmpty)
    }
}
