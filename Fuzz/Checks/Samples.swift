import TestSupport

/// The logs in `Data`.
enum Samples {
    /// The contents of the samples and of the damaged logs.
    static let logs: [[UInt8]] = folders.flatMap { folder in
        names(in: folder).filter { [".ndjson", ".gz", ".zst"].contains(where: $0.hasSuffix) }
            .filter { !$0.hasPrefix("expected") }
            .map { contents(of: "\(folder)/\($0)") }
    }

    /// Lines of the generated log, with every envelope and many scripts.
    static let lines: [[UInt8]] = {
        let text = Drained(contents(of: "Data/generated/sample.ndjson.gz")).bytes
        return text.split(separator: UInt8(ascii: "\n"), maxSplits: 200).prefix(200).map { Array($0) }
    }()

    /// The stored partial result.
    static let partial = contents(of: "Data/partial/samples.partial")

    private static let folders =
        ["Data/damaged"] + names(in: "Data/samples").map { "Data/samples/\($0)" }

    private static func names(in folder: String) -> [String] {
        do {
            return try Repository.names(in: folder).sorted()
        } catch {
            fatalError("\(folder): \(error)")
        }
    }

    private static func contents(of path: String) -> [UInt8] {
        do {
            return [UInt8](try Repository.contents(of: path))
        } catch {
            fatalError("\(path): \(error)")
        }
    }
}
