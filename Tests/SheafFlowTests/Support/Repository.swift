import Foundation
import SheafBytes

/// The files of this repository, by paths relative to its root, as a person in that folder would name them.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    static func contents(of path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: root + "/" + path))
    }

    /// The names in a folder, without those with a leading dot, in no particular order.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).filter { !$0.hasPrefix(".") }
    }
}

/// The system's files, with relative paths starting at the repository's root: a snapshot then names its sources by
/// the same paths on every machine, and no test needs a working directory.
struct RepositoryStorage: Storage {
    private let system = SystemStorage()

    private func place(_ path: String) -> String {
        path.hasPrefix("/") || path == "-" ? path : Repository.root + "/" + path
    }

    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        try system.openForReading(place(path))
    }

    func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        try system.createNew(place(path))
    }

    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile { try system.openOwn(place(path)) }

    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        try system.createTemporary(place(path), isPrivate: isPrivate)
    }

    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        try system.openForWriting(place(path))
    }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        try system.status(of: place(path))
    }

    func status(of stream: StandardStream) -> FileStatus? { system.status(of: stream) }

    func isOwn(_ path: String) -> Bool { system.isOwn(place(path)) }

    func names(in folder: String) throws(StorageError) -> [String] {
        try system.names(in: place(folder))
    }

    func isSymbolicLink(_ path: String) -> Bool { system.isSymbolicLink(place(path)) }

    func resolvingLinks(_ path: String) throws(StorageError) -> String {
        try system.resolvingLinks(place(path))
    }

    func rename(_ path: String, to target: String) throws(StorageError) {
        try system.rename(place(path), to: place(target))
    }

    func remove(_ path: String) throws(StorageError) { try system.remove(place(path)) }

    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile {
        try system.openForAppending(place(path), keeping: count)
    }

    func makeFolder(_ path: String) throws(StorageError) { try system.makeFolder(place(path)) }

    func makePrivateFolder(_ path: String) throws(StorageError) {
        try system.makePrivateFolder(place(path))
    }

    func syncFolder(_ path: String) throws(StorageError) { try system.syncFolder(place(path)) }

    var temporaryFolder: String { system.temporaryFolder }

    func lock(_ path: String) throws(StorageError) -> (any FileLock)? { try system.lock(place(path)) }
}

/// Runs `body` with a new, empty folder that is gone afterwards.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sheaf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}
