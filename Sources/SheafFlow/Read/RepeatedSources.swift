import SheafBytes

/// Sources that are probably one log twice.
enum RepeatedSources {
    /// How much of two sources is compared, in bytes of text.
    private static let comparedBytes = 4096

    static func warnings(_ sources: [Source], storage: any Storage) -> [ReplayWarning] {
        [repeated(sources, storage), compressedCopies(sources, storage)].compactMap { $0 }
    }

    /// The same file under one name or several.
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

    /// nil for what is not a regular file. Standard input may be one.
    private static func identity(of source: Source, _ storage: any Storage) -> FileIdentity? {
        guard source.path == "-" else { return source.size == nil ? nil : source.identity }
        let status = storage.status(of: .input)
        return status?.kind == .file ? status?.identity : nil
    }

    /// `log.ndjson` and `log.ndjson.gz` that begin with the same text.
    private static func compressedCopies(_ sources: [Source], _ storage: any Storage) -> ReplayWarning? {
        var plain: [String: Source] = [:]
        for source in sources where source.size != nil { plain[source.path] = source }
        var copies: [(plain: String, compressed: String)] = []
        for source in sources where source.size != nil && source.path.hasSuffix(".gz") {
            guard let original = plain[String(source.path.dropLast(3))], original.identity != source.identity
            else { continue }
            let text = beginning(of: original, storage)
            if !text.isEmpty, text == beginning(of: source, storage) {
                copies.append((original.path, source.path))
            }
        }
        guard let first = copies.first else { return nil }
        return .compressedCopies(count: copies.count, plain: first.plain, compressed: first.compressed)
    }

    /// What can't be read is empty here: reading the source will say so.
    private static func beginning(of source: Source, _ storage: any Storage) -> [UInt8] {
        guard let file = try? storage.openForReading(source.path) else { return [] }
        defer { file.close() }
        return SourceHead.inflated(file, upTo: comparedBytes)
    }
}
