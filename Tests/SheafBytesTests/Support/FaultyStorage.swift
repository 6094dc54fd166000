import Synchronization

@testable import SheafBytes

/// The system's storage, except that one call fails.
final class FaultyStorage: Storage {
    /// A call that can be made to fail.
    enum Call: String, CaseIterable {
        case status, resolve, create, openForWriting, write, sync, rename, remove
    }

    private let system = SystemStorage()
    private let call: Call
    /// The number of calls that still succeed before the one that fails; calls after the failure succeed again.
    private let successes: Mutex<Int>
    private let code: Int32

    /// - Parameters:
    ///   - successes: how many calls succeed before the one that fails.
    ///   - code: the error number of the failure.
    init(failing call: Call, after successes: Int = 0, code: Int32) {
        self.call = call
        self.successes = Mutex(successes)
        self.code = code
    }

    fileprivate func check(
        _ call: Call, _ operation: StorageError.Operation, _ path: String
    ) throws(StorageError) {
        guard call == self.call else { return }
        let left = successes.withLock { count in
            count -= 1
            return count
        }
        if left == -1 { throw StorageError(operation, path: path, code: code) }
    }

    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        try system.openForReading(path)
    }

    func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        try check(.create, .create, path)
        return FaultyFile(try system.createNew(path), path: path, storage: self)
    }

    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile { try system.openOwn(path) }

    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        try check(.create, .create, path)
        let file = try system.createTemporary(path, isPrivate: isPrivate)
        return FaultyFile(file, path: path, storage: self)
    }

    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        try check(.openForWriting, .create, path)
        return FaultyFile(try system.openForWriting(path), path: path, storage: self)
    }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        try check(.status, .open, path)
        return try system.status(of: path)
    }

    func status(of stream: StandardStream) -> FileStatus? { system.status(of: stream) }

    func isOwn(_ path: String) -> Bool { system.isOwn(path) }

    func names(in folder: String) throws(StorageError) -> [String] { try system.names(in: folder) }

    func isSymbolicLink(_ path: String) -> Bool { system.isSymbolicLink(path) }

    func resolvingLinks(_ path: String) throws(StorageError) -> String {
        try check(.resolve, .open, path)
        return try system.resolvingLinks(path)
    }

    func rename(_ path: String, to target: String) throws(StorageError) {
        try check(.rename, .rename, target)
        try system.rename(path, to: target)
    }

    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile {
        try system.openForAppending(path, keeping: count)
    }

    func makeFolder(_ path: String) throws(StorageError) { try system.makeFolder(path) }

    func makePrivateFolder(_ path: String) throws(StorageError) { try system.makePrivateFolder(path) }

    func syncFolder(_ path: String) throws(StorageError) { try system.syncFolder(path) }

    var temporaryFolder: String { system.temporaryFolder }

    func lock(_ path: String) throws(StorageError) -> (any FileLock)? { try system.lock(path) }

    func remove(_ path: String) throws(StorageError) {
        try check(.remove, .remove, path)
        try system.remove(path)
    }
}

private final class FaultyFile: WritableFile {
    private let file: any WritableFile
    private let path: String
    private let storage: FaultyStorage

    init(_ file: any WritableFile, path: String, storage: FaultyStorage) {
        self.file = file
        self.path = path
        self.storage = storage
    }

    func write(_ bytes: Span<UInt8>) throws(StorageError) {
        try storage.check(.write, .write, path)
        try file.write(bytes)
    }

    func takeAccess(_ access: FileAccess) { file.takeAccess(access) }

    func sync() throws(StorageError) {
        try storage.check(.sync, .sync, path)
        try file.sync()
    }

    func close() { file.close() }
}
