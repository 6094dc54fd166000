import SheafBytes
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files in memory, for one run at a time. Only invalid operations fail, and none waits for a disk.
///
/// A name with a slash is in the folder before the slash, which need not be created.
final class MemoryFiles: Storage {
    private struct State {
        var files: [String: [UInt8]]
        /// The number of open files.
        var openCount = 0
        /// The number of reads of each file.
        var reads: [String: Int] = [:]
    }

    private let state: Mutex<State>
    private let onRead: @Sendable (String, Int) -> Void
    /// The maximum number of bytes of a read.
    private let step: Int

    /// - Parameter onRead: called before each read of a file, with its path and the number of earlier reads.
    init(
        _ files: [String: [UInt8]], step: Int = .max,
        onRead: @escaping @Sendable (String, Int) -> Void = { _, _ in }
    ) {
        state = Mutex(State(files: files))
        self.step = step
        self.onRead = onRead
    }

    var files: [String: [UInt8]] { state.withLock { $0.files } }
    var openCount: Int { state.withLock { $0.openCount } }
    subscript(path: String) -> [UInt8]? { state.withLock { $0.files[path] } }

    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        guard let bytes = self[path] else { throw StorageError(.open, path: path, code: ENOENT) }
        return Reading(self, path, bytes)
    }

    func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        let isNew = state.withLock { state in
            if state.files[path] != nil { return false }
            state.files[path] = []
            return true
        }
        guard isNew else { throw StorageError(.create, path: path, code: EEXIST) }
        return Writing(self, path)
    }

    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile { try openForReading(path) }

    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        try createNew(path)
    }

    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile { Writing(self, path) }

    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile {
        guard let bytes = self[path] else { throw StorageError(.create, path: path, code: ENOENT) }
        guard count <= bytes.count else { throw StorageError(.write, path: path, code: ENODATA) }
        state.withLock { $0.files[path]?.removeLast(bytes.count - Int(count)) }
        return Writing(self, path)
    }

    func makeFolder(_ path: String) throws(StorageError) { try makePrivateFolder(path) }

    func makePrivateFolder(_ path: String) throws(StorageError) {}
    func syncFolder(_ path: String) throws(StorageError) {}

    func status(of path: String) throws(StorageError) -> FileStatus? {
        guard let bytes = self[path] else {
            guard !(try names(in: path)).isEmpty else { return nil }
            return FileStatus(kind: .folder, size: 0, identity: Self.identity(of: path))
        }
        return FileStatus(kind: .file, size: UInt64(bytes.count), identity: Self.identity(of: path))
    }

    func status(of stream: StandardStream) -> FileStatus? { nil }

    func isOwn(_ path: String) -> Bool { self[path] != nil }

    private static func identity(of path: String) -> FileIdentity {
        FileIdentity(device: 1, inode: Array(path.utf8).span.stableHash(seed: 0))
    }

    func names(in folder: String) throws(StorageError) -> [String] {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return files.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    func isSymbolicLink(_ path: String) -> Bool { false }
    func resolvingLinks(_ path: String) throws(StorageError) -> String { path }

    func rename(_ path: String, to target: String) throws(StorageError) {
        let isThere = state.withLock { state in
            guard let bytes = state.files.removeValue(forKey: path) else { return false }
            state.files[target] = bytes
            return true
        }
        if !isThere { throw StorageError(.rename, path: path, code: ENOENT) }
    }

    func remove(_ path: String) throws(StorageError) {
        let removed = state.withLock { $0.files.removeValue(forKey: path) }
        if removed == nil { throw StorageError(.remove, path: path, code: ENOENT) }
    }

    var temporaryFolder: String { "temporary" }

    func lock(_ path: String) throws(StorageError) -> (any FileLock)? {
        state.withLock { $0.files[path] = $0.files[path] ?? [] }
        return Lock()
    }
}

extension MemoryFiles {
    /// A lock that is always free, because there is one run at a time.
    private final class Lock: FileLock {}

    private final class Reading: ReadableFile {
        private let storage: MemoryFiles
        private let path: String
        private var input: MemoryInput
        private var isClosed = false

        init(_ storage: MemoryFiles, _ path: String, _ bytes: [UInt8]) {
            self.storage = storage
            self.path = path
            input = MemoryInput(bytes, step: storage.step)
            storage.state.withLock { $0.openCount += 1 }
        }

        deinit { close() }

        func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            let count = storage.state.withLock { state in
                state.reads[path, default: 0] += 1
                return state.reads[path, default: 0]
            }
            storage.onRead(path, count - 1)
            return try input.read(into: &buffer)
        }

        func seek(to offset: UInt64) throws(StorageError) { input.seek(to: offset) }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            storage.state.withLock { $0.openCount -= 1 }
        }
    }

    private final class Writing: WritableFile {
        private let storage: MemoryFiles
        private let path: String
        private var isClosed = false

        init(_ storage: MemoryFiles, _ path: String) {
            self.storage = storage
            self.path = path
            storage.state.withLock { $0.openCount += 1 }
        }

        deinit { close() }

        func write(_ bytes: Span<UInt8>) throws(StorageError) {
            if isClosed { throw StorageError(.write, path: path, code: EBADF) }
            let copy = [UInt8](copying: bytes)
            storage.state.withLock { $0.files[path]?.append(contentsOf: copy) }
        }

        /// Does nothing, because there is only one user.
        func takeAccess(_ access: FileAccess) {}

        func sync() throws(StorageError) {}

        func close() {
            guard !isClosed else { return }
            isClosed = true
            storage.state.withLock { $0.openCount -= 1 }
        }
    }
}
