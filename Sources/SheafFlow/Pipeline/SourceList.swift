import SheafBytes
import SheafGroups

/// A source of lines.
package struct Source: Sendable, Equatable {
    /// The path as given, or the path of a file inside a given folder; `-` is standard input.
    package let path: String
    /// The name and the ordinal in a job of many runs. nil if its ordinal is its index in the list of sources.
    var named: NamedSource?
    /// The size in bytes, as stored; nil if it is unknown, as for pipes.
    package let size: UInt64?
    let identity: FileIdentity?
}

extension SourceTable {
    /// Creates the table of a run's sources. Either all of them are named, or none is.
    init(_ sources: [Source]) {
        guard sources.first?.named != nil else {
            self.init(paths: sources.map(\.path))
            return
        }
        self.init(named: sources.compactMap(\.named).map { Entry(ordinal: $0.ordinal, name: $0.name) })
    }
}

/// Expands the given paths into sources (specification §1).
package enum SourceList {
    /// Returns the sources for the given paths. A folder expands to its files, recursively, in byte order of path.
    ///
    /// Symbolic links to files are followed; links to folders inside a folder are not, so that cycles are impossible.
    /// Inside a folder, names that begin with `.` or `_` are skipped: those of hidden files, checksums and markers such
    /// as `_SUCCESS`.
    ///
    /// - Parameter reportSkipped: called with the number of names that are skipped in a given folder, if there are any.
    /// - Throws: `ReplayError.source` for a path that is missing, can't be opened, or is a folder without files;
    ///   `ReplayError.usage` when standard input is given twice, or there are too many sources.
    package static func expand(
        _ paths: [String], storage: any Storage, reportSkipped: (Int) -> Void = { _ in }
    ) throws(ReplayError) -> [Source] {
        var sources: [Source] = []
        for path in paths {
            if path == "-" {
                if sources.contains(where: { $0.path == "-" }) {
                    throw .usage("standard input ('-') can be a source only once")
                }
                sources.append(Source(path: "-", size: nil, identity: nil))
                continue
            }
            guard let status = try status(of: path, storage) else {
                throw .source(path: path, reason: "no such file or directory")
            }
            if status.kind == .folder {
                let (found, skipped) = try files(in: path, storage)
                if found.isEmpty {
                    let others = skipped == 0 ? "" : " but \(skipped) whose names begin with '.' or '_'"
                    throw .source(path: path, reason: "the directory holds no files\(others)")
                }
                if skipped > 0 { reportSkipped(skipped) }
                sources += found
            } else {
                sources.append(source(path, status))
            }
        }
        if sources.count >= OrderKey.maximumSources {
            throw .usage(
                "\(sources.count) sources are too many: fewer than \(OrderKey.maximumSources) are supported")
        }
        for source in sources { try checkReadable(source, storage) }
        return sources
    }

    /// Returns a warning if names in folders were skipped.
    package static func warnings(skipped: Int) -> [ReplayWarning] {
        skipped > 0 ? [.filesSkipped(skipped)] : []
    }

    /// Returns the sources with names.
    ///
    /// - Parameter named: in the order of their ordinals.
    /// - Throws: as `expand`; also `ReplayError.source` for a folder, and `ReplayError.usage` for an invalid ordinal.
    static func find(
        _ named: [NamedSource], storage: any Storage
    ) throws(ReplayError) -> [Source] {
        try checkOrdinals(of: named)
        var sources: [Source] = []
        for item in named {
            var found = try expand([item.path], storage: storage)
            guard found.count == 1, found[0].path == item.path else {
                throw .source(path: item.path, reason: "is a directory: a named source is one file")
            }
            if item.path == "-", sources.contains(where: { $0.path == "-" }) {
                throw .usage("standard input ('-') can be a source only once")
            }
            found[0].named = item
            sources += found
        }
        return sources
    }

    /// - Throws: `ReplayError.usage` if the ordinals are not ascending, or out of range.
    static func checkOrdinals(of named: [NamedSource]) throws(ReplayError) {
        var last: NamedSource?
        for item in named {
            guard (0..<NamedSource.ordinals).contains(item.ordinal) else {
                throw .usage(
                    "the ordinal of '\(item.path)' is \(item.ordinal), but must be from 0 to \(NamedSource.ordinals - 1)"
                )
            }
            if let last, last.ordinal >= item.ordinal {
                throw .usage(
                    "'\(last.path)' and '\(item.path)' have the ordinals \(last.ordinal) and \(item.ordinal): they must be "
                        + "in ascending order, and each may occur only once")
            }
            last = item
        }
    }

    /// Returns the files in a folder, and the number of names that are skipped.
    private static func files(
        in folder: String, _ storage: any Storage
    ) throws(ReplayError) -> (files: [Source], skipped: Int) {
        var (found, skipped): ([Source], Int) = ([], 0)
        var folders = [folder]
        while let next = folders.popLast() {
            let names: [String]
            do {
                names = try storage.names(in: next)
            } catch {
                throw .source(path: next, reason: "cannot be listed: \(error.reason)")
            }
            // The temporary files of running and killed runs are not worth counting.
            for name in names where !TemporaryNames.isReserved(name) {
                if name.hasPrefix(".") || name.hasPrefix("_") {
                    skipped += 1
                    continue
                }
                let path = next.hasSuffix("/") ? next + name : next + "/" + name
                let isLink = storage.isSymbolicLink(path)
                guard let status = try status(of: path, storage) else {
                    throw .source(path: path, reason: "broken symbolic link")
                }
                switch status.kind {
                case .folder: if !isLink { folders.append(path) }
                case .file: found.append(source(path, status))
                case .other: continue
                }
            }
        }
        return (found.ordered { SystemPath.precedes($0.path, $1.path) }, skipped)
    }

    private static func status(of path: String, _ storage: any Storage) throws(ReplayError) -> FileStatus? {
        do {
            return try storage.status(of: path)
        } catch {
            throw .source(path: path, reason: "cannot be opened: \(error.reason)")
        }
    }

    private static func source(_ path: String, _ status: FileStatus) -> Source {
        Source(path: path, size: status.kind == .file ? status.size : nil, identity: status.identity)
    }

    /// Checks that a source can be opened, so that a long replay does not fail late. Pipes are skipped, since opening
    /// one affects its writer.
    private static func checkReadable(_ source: Source, _ storage: any Storage) throws(ReplayError) {
        guard source.size != nil else { return }
        do {
            try storage.openForReading(source.path).close()
        } catch {
            throw .source(path: source.path, reason: "cannot be opened: \(error.reason)")
        }
    }
}

// MARK: - Repeated sources

extension SourceList {
    /// The number of bytes of text that are compared.
    private static let comparedBytes = 4096

    /// Returns warnings about sources that probably contain the same log.
    package static func repetitionWarnings(_ sources: [Source], storage: any Storage) -> [ReplayWarning] {
        [repetitionWarning(sources, storage), compressedCopies(sources, storage)].compactMap { $0 }
    }

    /// Returns a warning if the same file is a source more than once, under any path.
    static func repetitionWarning(_ sources: [Source], _ storage: any Storage) -> ReplayWarning? {
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
