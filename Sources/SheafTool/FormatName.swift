import ArgumentParser
import SheafBytes
import SheafFlow

/// The values of `--format`.
enum FormatName: String, ExpressibleByArgument, CaseIterable {
    case ndjson, json, csv, text

    /// The format that a file's name implies, with or without that of a compression; nil if it implies none.
    init?(output path: String) {
        let name = path.lowercased()
        let plain = OutputCompression.removingSuffix(name)
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
    /// The style for a terminal, as wide as it is and coloured, or for anything else, with lines of any length.
    init(onTerminal: Bool) {
        // Any non-empty value of NO_COLOR turns colour off (no-color.org).
        self.init(
            width: onTerminal ? Terminal.outputColumns : nil,
            hasColours: onTerminal && Terminal.supportsControlSequences
                && (ProcessEnvironment.value("NO_COLOR") ?? "").isEmpty,
            optionNames: [.maximumLine: RunOption.maximumLine.flag])
    }
}
