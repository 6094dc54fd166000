import SheafBytes
import SheafFlow

/// The message to the user about a source that could not be used, or only in part.
struct SourceAdvice {
    /// `replay` or `check`.
    let command: String
    /// What was done with the data before the damage: `used` or `checked`.
    let use: String

    func line(_ problem: Statistics.DamagedSource) -> String {
        guard problem.damage.isForeign else {
            if let advice = undecodable(problem) { return advice }
            return "\(problem.source): \(problem.damage); the data before that was \(use)"
        }
        let name = problem.source == "-" ? "standard input" : problem.source
        return "\(name): \(problem.damage); \(remedy(for: problem.damage, path: problem.source))"
    }

    /// The commands that pass the text of a log through a filter.
    static func filter(_ command: String, _ path: String) -> String {
        switch OutputCompression(path: path) {
        case .gzip: "zcat \(path.shellWord) | \(command)"
        case .zstd: "zstdcat \(path.shellWord) | \(command)"
        case nil: apply(command, to: path)
        }
    }

    /// The command that reads a URL through a pipe; nil for a path.
    static func pipe(from path: String) -> String? {
        guard let colon = path.firstRange(of: "://"), !path.hasPrefix("file:") else { return nil }
        let scheme = path[..<colon.lowerBound].lowercased()
        let url = path.shellWord
        let read =
            switch scheme {
            case "s3": "aws s3 cp \(url) -"
            case "gs": "gcloud storage cat \(url)"
            case "abfs", "abfss", "wasb", "wasbs", "hdfs": "hadoop fs -cat \(url)"
            default: "curl -sSfL \(url)"
            }
        return "pipe it to this command with - as the source: \(read) | sheaf …"
    }

    /// The message about a frame that `zstd` itself can decode with an option; nil for other damage.
    private func undecodable(_ problem: Statistics.DamagedSource) -> String? {
        let option: String
        switch problem.damage.reason {
        case .zstdWindow: option = "--long=31"
        case .zstdDictionary: option = "-D DICTIONARY"
        default: return nil
        }
        let filter = Self.apply("zstd -dc \(option)", to: problem.source)
        return "\(problem.source): \(problem.damage); the data before that was \(use); "
            + "for all of it: \(filter) | sheaf \(command) -"
    }

    private func remedy(for damage: SourceDamage, path: String) -> String {
        switch damage.reason {
        case .snapshot: return "\(command) the log that it was made from"
        case .runState: return "leave it out"
        case .partialResult where path == "-":
            return "write it to a file and give that to sheaf merge or sheaf compare"
        case .partialResult where ComparisonMerge.canMerge(path): return "sheaf compare \(path.shellWord)"
        case .partialResult: return "sheaf merge \(path.shellWord)"
        default: break
        }
        guard let filters = filters(for: damage, path: path) else {
            return "convert it to one JSON object per line first"
        }
        return (filters + ["sheaf \(command) -"]).joined(separator: " | ")
    }

    /// The commands that turn the source into text, in the order of the pipeline; nil if there are none.
    private func filters(for damage: SourceDamage, path: String) -> [String]? {
        if damage.isInsideGzip || damage.isInsideZstd {
            guard let filter = Self.filter(damage.reason) else { return nil }
            return [Self.apply(damage.isInsideZstd ? "zstd -dc" : "gzip -dc", to: path), filter]
        }
        if damage.reason == .zip, path != "-" { return [Self.apply("unzip -p", to: path)] }
        return Self.filter(damage.reason).map { filter in
            // The filters for these two read only standard input.
            let readsFiles = damage.reason != .zlib && damage.reason != .avro
            if damage.reason == .avro, path != "-" { return [Self.apply("avro-tools tojson", to: path)] }
            return [
                readsFiles || path == "-"
                    ? Self.apply(filter, to: path) : "\(filter) < \(path.shellWord)"
            ]
        }
    }

    private static func apply(_ filter: String, to path: String) -> String {
        path == "-" ? filter : "\(filter) \(path.shellWord)"
    }

    /// The command that converts a format from standard input to standard output; nil if no command does.
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

extension String {
    /// The text as one word of a command line that the user may copy.
    var shellWord: String {
        // A leading dash would make it an option.
        let word = hasPrefix("-") ? "./\(self)" : self
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,="
        if !word.isEmpty, word.allSatisfy({ plain.contains($0) }) { return word }
        return "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
}
