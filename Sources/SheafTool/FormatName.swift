import ArgumentParser
import SheafBytes
import SheafFlow

/// The values of `--format`.
enum FormatName: String, ExpressibleByArgument, CaseIterable {
    case ndjson, json, csv
    case csvISO = "csv-iso"
    case text, html

    /// The format that a file's name implies, with or without that of a compression; nil if it implies none.
    init?(output path: String) {
        let name = path.lowercased()
        let plain = OutputCompression.removingSuffix(name)
        let extensions: KeyValuePairs<String, FormatName> = [
            ".ndjson": .ndjson, ".jsonl": .ndjson, ".json": .json, ".csv": .csv, ".txt": .text,
            ".html": .html, ".htm": .html,
        ]
        guard let format = extensions.first(where: { plain.hasSuffix($0.key) })?.value else { return nil }
        self = format
    }

    func format(onTerminal: Bool) -> SnapshotFormat {
        switch self {
        case .ndjson: .ndjson
        case .json: .json
        case .csv: .csv
        case .csvISO: .csvISO
        case .text: .text(TextStyle(onTerminal: onTerminal))
        case .html: .html
        }
    }
}

extension TextStyle {
    /// The style for a terminal, as wide as it is and coloured, or for anything else, with lines of any length.
    init(onTerminal: Bool) {
        // Any non-empty value of NO_COLOR turns colour off (no-color.org).
        self.init(
            width: onTerminal ? StandardStream.output.columns : nil,
            hasColours: onTerminal && Terminal.supportsControlSequences
                && (CurrentProcess.environment("NO_COLOR") ?? "").isEmpty,
            optionNames: [.maximumLine: RunOption.maximumLine.flag])
    }
}

/// A format that Sheaf does not write, and the command that makes it from a file that Sheaf writes.
struct ForeignFormat {
    let name: String
    /// The file that the command converts.
    let source: String
    let command: String

    /// The format that a file's name implies, with or without the suffix of a compression that Sheaf writes; nil if it
    /// implies none of these.
    init?(output path: String) {
        var target = String(OutputCompression.removingSuffix(path))
        guard let dot = target.lastIndex(of: "."),
            let known = Self.known[target[target.index(after: dot)...].lowercased()]
        else { return nil }
        var base = String(target[..<dot])
        // These characters have a meaning in the commands' quotes: a plain name shows how the command is written.
        if !base.allSatisfy({ !"'\"$`\\!".contains($0) && !$0.isNewline }) {
            (base, target) = ("groups", "groups" + target[dot...])
        }
        name = known.name
        source = base + known.ending
        let isQuoted = known.command.contains("'SOURCE'")
        command = known.command.replacing("SOURCE", with: isQuoted ? source : source.shellWord)
            .replacing("TARGET", with: isQuoted ? target : target.shellWord)
    }

    /// The formats by the endings of names, in lower case: the name, the ending of the source in place of the format's own,
    /// and the command, in which `SOURCE` and `TARGET` are the files.
    private static let known: [String: (name: String, ending: String, command: String)] = {
        let arrow =
            "python3 -c \"from pyarrow import feather, json; "
            + "feather.write_feather(json.read_json('SOURCE'), 'TARGET')\""
        let excel = "duckdb -c \"INSTALL excel; LOAD excel; COPY (FROM 'SOURCE') TO 'TARGET' (FORMAT xlsx)\""
        var known = [
            "parquet": ("Parquet", ".ndjson", "duckdb -c \"COPY (FROM 'SOURCE') TO 'TARGET'\""),
            "duckdb": ("DuckDB", ".ndjson", "duckdb 'TARGET' \"CREATE TABLE groups AS FROM 'SOURCE'\""),
            "tsv": ("TSV", ".csv", "duckdb -c \"COPY (FROM 'SOURCE') TO 'TARGET' (DELIMITER '\\t')\""),
            "md": ("Markdown", ".csv", "duckdb -markdown -c \"FROM 'SOURCE'\" > 'TARGET'"),
            "xlsx": ("Excel", ".csv", excel),
            "xz": ("xz", "", "xz SOURCE"),
            "bz2": ("bzip2", "", "bzip2 SOURCE"),
            "lz4": ("LZ4", "", "lz4 SOURCE"),
            "zip": ("ZIP", "", "zip TARGET SOURCE"),
        ]
        for ending in ["arrow", "feather"] { known[ending] = ("Arrow", ".ndjson", arrow) }
        for ending in ["sqlite", "sqlite3", "db"] {
            known[ending] = ("SQLite", ".csv", "sqlite3 'TARGET' \".import --csv 'SOURCE' groups\"")
        }
        return known
    }()
}
