import SheafBytes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes the slices of a folder one after the other; one is open at a time.
///
/// A slice is in place once it is complete. If a later one fails, `discard` removes those that are.
struct SliceFiles {
    /// Ends with a slash.
    private let folder: String
    private let storage: any Storage
    /// Those that did not exist before.
    private var written: [String] = []
    /// The names of temporary files in the folder: the folder is listed once, not for each slice.
    private let leftovers: [String]

    /// - Throws: `ReplayError` if the folder can't be created, or a slice would replace one of the files.
    init(
        in folder: String, names: [String], replacing sources: [Source], storage: any Storage
    ) throws(ReplayError) {
        let path = folder.hasSuffix("/") ? folder : folder + "/"
        (self.folder, self.storage) = (path, storage)
        do {
            try Self.makeFolder(folder, storage)
            leftovers = try storage.names(in: path).filter(TemporaryNames.isReserved)
            var identities: [FileIdentity: String] = [:]
            for source in sources { if let identity = source.identity { identities[identity] = source.path } }
            for name in names {
                guard let identity = try storage.status(of: path + name)?.identity,
                    let source = identities[identity]
                else { continue }
                throw ReplayError.usage(
                    "'\(source)' is a source: the slice '\(path + name)' would replace it")
            }
        } catch let error as ReplayError {
            throw error
        } catch let error as StorageError {
            throw .output(error)
        } catch {
            preconditionFailure("no other error is thrown")
        }
    }

    /// Creates a folder and those that contain it. Other processes may do the same.
    private static func makeFolder(_ path: String, _ storage: any Storage) throws(StorageError) {
        guard try storage.status(of: path) == nil else { return }
        let parent = storage.folder(of: path)
        if parent != path, parent != "." { try makeFolder(parent, storage) }
        do {
            try storage.makeFolder(path)
        } catch {
            guard error.code == EEXIST, try storage.status(of: path)?.kind == .folder else { throw error }
        }
    }

    /// The name of a slice's file.
    static func name(_ kind: Slice.Kind, _ range: Int, of first: Int? = nil) -> String {
        let prefix =
            switch kind {
            case .groups: "groups"
            case .identities: "identities"
            case .newest: "newest"
            }
        return ([prefix, digits(range)] + [first.map(digits)].compactMap { $0 }).joined(separator: "-")
            + ".partial"
    }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.count)) + text
    }

    /// Writes a slice.
    ///
    /// - Parameter body: writes the state and returns its counts.
    mutating func write(
        _ name: String, _ header: PartialHeader,
        _ body: (inout StateWriter) throws(ReplayError) -> RunCounts
    ) throws(ReplayError) {
        let output: OutputFile
        let isNew: Bool
        do {
            isNew = try storage.status(of: folder + name) == nil
            output = try OutputFile(
                folder + name, storage: storage,
                removesAbandoned: leftovers.contains { $0.hasPrefix(".\(name).") })
        } catch {
            throw .output(error)
        }
        // Without this, an error would leave the file until its last reference is gone.
        defer { output.discard() }
        var writer = try PartialFile.begin(header, output)
        let counts = try body(&writer)
        try PartialFile.end(&writer, header, counts)
        do {
            try output.commit()
        } catch {
            throw ResultFiles.failure(of: error)
        }
        if isNew { written.append(folder + name) }
    }

    /// Removes the slices that were written, except for those that replaced others: another attempt may have written them,
    /// with the same contents.
    func discard() {
        for path in written { try? storage.remove(path) }
    }
}
