import SheafBytes
import SheafGroups

/// A source of lines, by its place in the order of sources.
public struct Source: Sendable, Equatable {
    /// As given, or a given folder's path with what is in it; `-` is standard input.
    public let path: String
    /// In bytes as stored; nil where it is not known before the end.
    public let size: UInt64?
    let identity: FileIdentity?
}

/// From the paths that were given to the sources that are read (specification §1).
public enum SourceList {
    /// Folders become their files, recursively, in byte order of path. Symbolic links to files are followed,
    /// those to folders inside a folder are not, so that no file is met in a circle.
    ///
    /// - Throws: `ReplayError.source` for what is missing, can't be opened, or is a folder without files;
    ///   `ReplayError.usage` when standard input is given twice.
    public static func expand(_ paths: [String], storage: any Storage) throws(ReplayError) -> [Source] {
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
                let found = try files(in: path, storage)
                if found.isEmpty { throw .source(path: path, reason: "the directory holds no files") }
                sources += found
            } else {
                sources.append(source(path, status))
            }
        }
        if sources.count >= OrderKey.maximumSources {
            throw .usage("\(sources.count) sources: at most \(OrderKey.maximumSources) can be told apart")
        }
        for source in sources { try checkReadable(source, storage) }
        return sources
    }

    private static func files(in folder: String, _ storage: any Storage) throws(ReplayError) -> [Source] {
        var found: [Source] = []
        var folders = [folder]
        while let next = folders.popLast() {
            let names: [String]
            do {
                names = try storage.names(in: next)
            } catch {
                throw .source(path: next, reason: "cannot be listed: \(error.reason)")
            }
            // Temporary files of live and killed runs are not logs.
            for name in names where !TemporaryNames.isUsed(name) {
                let path = next.hasSuffix("/") ? next + name : next + "/" + name
                let isLink = storage.isSymbolicLink(path)
                guard let status = try status(of: path, storage) else {
                    throw .source(path: path, reason: "a symbolic link to nothing")
                }
                switch status.kind {
                case .folder: if !isLink { folders.append(path) }
                case .file: found.append(source(path, status))
                case .other: continue
                }
            }
        }
        return found.sorted { SystemPath.precedes($0.path, $1.path) }
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

    /// Hours of replaying should not end in a file that could never be opened. Pipes are left alone: to open one
    /// is to take part in it.
    private static func checkReadable(_ source: Source, _ storage: any Storage) throws(ReplayError) {
        guard source.size != nil else { return }
        do {
            try storage.openForReading(source.path).close()
        } catch {
            throw .source(path: source.path, reason: "cannot be opened: \(error.reason)")
        }
    }
}
