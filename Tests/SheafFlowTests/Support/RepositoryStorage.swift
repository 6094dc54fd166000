import SheafBytes
import TestSupport

/// The system's files, with relative paths resolved against the repository's root: a snapshot then has the same source
/// paths on every machine, and no test depends on the working directory.
struct RepositoryStorage: Storage {
    private let system = SystemStorage()

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") || path == "-" ? path : Repository.root + "/" + path
    }

    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        try system.openForReading(absolute(path))
    }

    func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        try system.createNew(absolute(path))
    }

    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile {
        try system.openOwn(absolute(path))
    }

    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        try system.createTemporary(absolute(path), isPrivate: isPrivate)
    }

    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        try system.openForWriting(absolute(path))
    }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        try system.status(of: absolute(path))
    }

    func status(of stream: StandardStream) -> FileStatus? { system.status(of: stream) }

    func isOwn(_ path: String) -> Bool { system.isOwn(absolute(path)) }

    func names(in folder: String) throws(StorageError) -> [String] {
        try system.names(in: absolute(folder))
    }

    func isSymbolicLink(_ path: String) -> Bool { system.isSymbolicLink(absolute(path)) }

    func resolvingLinks(_ path: String) throws(StorageError) -> String {
        try system.resolvingLinks(absolute(path))
    }

    func rename(_ path: String, to target: String) throws(StorageError) {
        try system.rename(absolute(path), to: absolute(target))
    }

    func remove(_ path: String) throws(StorageError) { try system.remove(absolute(path)) }

    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile {
        try system.openForAppending(absolute(path), keeping: count)
    }

    func makeFolder(_ path: String, isPrivate: Bool) throws(StorageError) {
        try system.makeFolder(absolute(path), isPrivate: isPrivate)
    }

    func syncFolder(_ path: String) throws(StorageError) { try system.syncFolder(absolute(path)) }

    var temporaryFolder: String { system.temporaryFolder }

    func lock(_ path: String) throws(StorageError) -> FileLock? { try system.lock(absolute(path)) }
}
