import SheafBytes
import SheafGroups
import SheafText

/// Reads an app's string tables from its project folder.
package enum StringFolder {
    /// Reads the tables in a folder and its subfolders.
    ///
    /// - Parameters:
    ///   - path: the folder's path; for a language folder (`.lproj`) its parent folder is read.
    ///   - willRead: receives the path of each table before it is read.
    /// - Throws: `ConfigurationError` when there are no tables, or one can't be read.
    package static func read(
        _ path: String, storage: any Storage = SystemStorage(), willRead: (String) -> Void = { _ in }
    ) throws(ConfigurationError) -> StringTables {
        var folder = path
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        if folder.hasSuffix(".lproj") { folder = storage.folder(of: folder) }
        var paths: [String] = []
        do throws(StorageError) {
            let kind = try storage.status(of: folder)?.kind
            guard kind == .folder else {
                throw StorageError(.list, path: folder, code: kind == nil ? ENOENT : ENOTDIR)
            }
            try collect(in: folder, "", to: &paths, depth: 0, storage)
        } catch {
            throw ConfigurationError(
                file: folder, message: "the string tables cannot be read: \(error.reason)")
        }
        let files = StringTableFile.files(among: paths)
        guard !files.isEmpty else {
            throw ConfigurationError(
                file: folder,
                message: "no string tables: it has no Localizable.strings, .stringsdict or .xcstrings")
        }
        var tables = StringTables()
        for file in files {
            willRead("\(folder)/\(file.path)")
            try read(file, in: folder, into: &tables, storage)
        }
        return tables
    }

    /// Collects the paths of the tables in the folder. Links to folders are not followed, since they may form cycles.
    /// An entry whose status can't be read is skipped unless it is named like a table.
    private static func collect(
        in folder: String, _ prefix: String, to paths: inout [String], depth: Int, _ storage: any Storage
    ) throws(StorageError) {
        guard depth <= Limits.projectDepth else { return }
        for name in try storage.names(in: folder).ordered() {
            let path = "\(folder)/\(name)"
            let isTable = StringTableFile(path: prefix + name) != nil || StringTableFile(path: path) != nil
            let kind: FileStatus.Kind?
            do {
                kind = try storage.status(of: path)?.kind
            } catch {
                guard isTable else { continue }
                throw error
            }
            switch kind {
            case .folder:
                guard !StringTableFile.isSkipped(folder: name), !storage.isSymbolicLink(path) else {
                    continue
                }
                try collect(in: path, "\(prefix)\(name)/", to: &paths, depth: depth + 1, storage)
            case .file: if isTable { paths.append(prefix + name) }
            case .other, nil: break
            }
        }
    }

    private static func read(
        _ file: StringTableFile, in folder: String, into tables: inout StringTables, _ storage: any Storage
    ) throws(ConfigurationError) {
        let path = "\(folder)/\(file.path)"
        do {
            let contents = try storage.contents(of: path, upTo: Limits.stringTableBytes)
            try tables.add(contents, of: StringTableFile(path: path, kind: file.kind))
        } catch let error as ConfigurationError {
            throw error
        } catch let error as StorageError {
            throw ConfigurationError(
                file: path, message: "the string table cannot be read: \(error.reason)")
        } catch {
            throw ConfigurationError(file: path, message: "\(error)")
        }
    }
}
