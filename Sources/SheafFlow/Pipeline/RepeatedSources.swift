import SheafBytes

/// Finds sources that probably contain the same log.
enum RepeatedSources {
    /// The number of bytes of text that are compared.
    private static let comparedBytes = 4096

    static func warnings(_ sources: [Source], storage: any Storage) -> [ReplayWarning] {
        [repeated(sources, storage), compressedCopies(sources, storage)].compactMap { $0 }
    }

    /// Returns a warning if the same file is a source more than once, under any path.
    static func repeated(_ sources: [Source], _ storage: any Storage) -> ReplayWarning? {
        var originals: [FileIdentity: String] = [:]
        var repeated: [(path: String, original: String)] = []
        for source in sources {
            guard let identity = identity(of: source, storage) else { continue }
            if let original = originals[identity] {
                repeated.append((source.path, original))
            } else {
                originals[identity] = source.path
            }
        }
        guard let first = repeated.first else { return nil }
        return .repeatedSources(count: repeated.count, first: first.path, original: first.original)
    }

    /// The identity of a regular file, which standard input may be too; nil for other sources.
    private static func identity(of source: Source, _ storage: any Storage) -> FileIdentity? {
        guard source.path == "-" else { return source.size == nil ? nil : source.identity }
        let status = storage.status(of: .input)
        return status?.kind == .file ? status?.identity : nil
    }

    /// Returns a warning for pairs such as `log.ndjson` and `log.ndjson.gz` that begin with the same text.
    private static func compressedCopies(_ sources: [Source], _ storage: any Storage) -> ReplayWarning? {
        var plain: [String: Source] = [:]
        for source in sources where source.size != nil { plain[source.path] = source }
        var copies: [(plain: String, compressed: String)] = []
        for source in sources where source.size != nil && OutputCompression(path: source.path) != nil {
            guard let original = plain[String(OutputCompression.removingSuffix(source.path))],
                original.identity != source.identity
            else { continue }
            let text = beginning(of: original, storage)
            if !text.isEmpty, text == beginning(of: source, storage) {
                copies.append((original.path, source.path))
            }
        }
        guard let first = copies.first else { return nil }
        return .compressedCopies(count: copies.count, plain: first.plain, compressed: first.compressed)
    }

    /// Returns the first bytes of a source's text; none if it can't be read: the replay reports that error.
    private static func beginning(of source: Source, _ storage: any Storage) -> [UInt8] {
        guard let file = try? storage.openForReading(source.path) else { return [] }
        defer { file.close() }
        return SourceHead.inflated(file, upTo: comparedBytes)
    }
}
