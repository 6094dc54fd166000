import SheafBytes
import SheafFlow

/// What a person is told of a source that could not be used, or not all of it.
struct SourceAdvice {
    /// `replay` or `check`.
    let command: String
    /// What was done with what came before the damage.
    let use: String

    func line(_ problem: Statistics.DamagedSource) -> String {
        guard problem.damage.isForeign else {
            return "\(problem.source): \(problem.damage); what came before it was \(use)"
        }
        let name = problem.source == "-" ? "standard input" : problem.source
        return "\(name): \(problem.damage); \(remedy(for: problem.damage, path: problem.source))"
    }

    private func remedy(for damage: SourceDamage, path: String) -> String {
        switch damage.reason {
        case .snapshot: return "\(command) the log that it was made from"
        case .runState: return "leave it out"
        case .partialResult where path == "-": return "write it to a file, which sheaf merge reads"
        case .partialResult: return "sheaf merge \(ShellWord.quoted(path))"
        default: break
        }
        guard let filters = filters(for: damage, path: path) else {
            return "convert it to one JSON object per line first"
        }
        return (filters + ["sheaf \(command) -"]).joined(separator: " | ")
    }

    /// The commands that make text of it, to be put before a pipe.
    private func filters(for damage: SourceDamage, path: String) -> [String]? {
        if damage.isInsideGzip {
            guard let filter = Self.filter(damage.reason) else { return nil }
            return [Self.apply("gzip -dc", to: path), filter]
        }
        if damage.reason == .zip, path != "-" { return [Self.apply("unzip -p", to: path)] }
        return Self.filter(damage.reason).map { filter in
            // These two read nothing but standard input.
            let readsFiles = damage.reason != .zlib && damage.reason != .avro
            if damage.reason == .avro, path != "-" { return [Self.apply("avro-tools tojson", to: path)] }
            return [
                readsFiles || path == "-"
                    ? Self.apply(filter, to: path) : "\(filter) < \(ShellWord.quoted(path))"
            ]
        }
    }

    private static func apply(_ filter: String, to path: String) -> String {
        path == "-" ? filter : "\(filter) \(ShellWord.quoted(path))"
    }

    /// From standard input to standard output.
    private static func filter(_ format: SourceDamage.Reason) -> String? {
        switch format {
        case .gzip: "gzip -dc"
        case .bzip2: "bzip2 -dc"
        case .xz: "xz -dc"
        case .zip: "funzip"
        case .zstd: "zstd -dc"
        case .lz4: "lz4 -dc"
        case .snappy: "snzip -dc"
        case .zlib: "pigz -dc"
        case .utf16: "iconv -f UTF-16 -t UTF-8"
        case .utf16LittleEndian: "iconv -f UTF-16LE -t UTF-8"
        case .utf16BigEndian: "iconv -f UTF-16BE -t UTF-8"
        case .utf32: "iconv -f UTF-32 -t UTF-8"
        case .avro: "avro-tools tojson -"
        default: nil
        }
    }
}

/// A word of a command line that a person may copy.
enum ShellWord {
    static func quoted(_ word: String) -> String {
        // What begins with a dash would be an option.
        let word = word.hasPrefix("-") ? "./\(word)" : word
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,="
        if !word.isEmpty, word.allSatisfy({ plain.contains($0) }) { return word }
        return "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
}
