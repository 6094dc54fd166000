import Foundation
import SheafBytes
import Synchronization

/// Files in memory, in which any single operation can fail or trigger another action.
///
/// A path is a file, a folder, a link or a device; `-` is standard input and output. All operations are recorded in
/// order.
final class MemoryStorage: Storage {
    enum Entry: Equatable {
        case file([UInt8])
        case folder
        case link(String)
        /// Collects the bytes written to it.
        case device([UInt8])
        /// A file that is listed but can't be opened.
        case unreadable
    }

    /// A recorded operation on a path.
    struct Event: Hashable, CustomStringConvertible {
        let operation: StorageError.Operation
        let path: String

        var description: String { "\(operation.rawValue) \(path)" }
    }

    private struct State {
        var entries: [String: Entry]
        var input: [UInt8] = []
        var output: [UInt8] = []
        var events: [Event] = []
        var openFiles = 0
        var locks: Set<String> = []
        /// The paths of the files that the standard streams are open on.
        var streams: [StandardStream: String] = [:]
    }

    private let state: Mutex<State>
    /// Called before each operation with its number, starting at 0; an error code makes the operation fail.
    private let onEvent: @Sendable (Int, Event) -> Int32?

    init(
        _ entries: [String: Entry] = [:], input: [UInt8] = [], streams: [StandardStream: String] = [:],
        onEvent: @escaping @Sendable (Int, Event) -> Int32? = { _, _ in nil }
    ) {
        state = Mutex(State(entries: entries, input: input, streams: streams))
        self.onEvent = onEvent
    }

    var events: [Event] { state.withLock { $0.events } }
    var entries: [String: Entry] { state.withLock { $0.entries } }
    var output: [UInt8] { state.withLock { $0.output } }
    /// The number of files that are open now.
    var openFiles: Int { state.withLock { $0.openFiles } }

    /// The bytes of a file or a device; nil for other paths.
    subscript(path: String) -> [UInt8]? {
        switch entries[path] {
        case .file(let bytes), .device(let bytes): bytes
        default: nil
        }
    }

    fileprivate func note(_ operation: StorageError.Operation, _ path: String) throws(StorageError) {
        let event = Event(operation: operation, path: path)
        let number = state.withLock { state in
            state.events.append(event)
            return state.events.count - 1
        }
        if let code = onEvent(number, event) { throw StorageError(operation, path: path, code: code) }
    }

    /// Returns the path with all links resolved, including those in its folders.
    private func target(of path: String) -> String {
        if case .link(let target) = entries[path] { return self.target(of: target) }
        guard let slash = path.lastIndex(of: "/") else { return path }
        let folder = String(path[..<slash])
        return target(of: folder) + path[slash...]
    }

    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        try note(.open, path)
        let bytes: [UInt8]
        switch path == "-" ? .file(state.withLock { $0.input }) : entries[target(of: path)] {
        case .file(let content): bytes = content
        case .device: bytes = []
        case .unreadable: throw StorageError(.open, path: path, code: EACCES)
        case .folder: throw StorageError(.open, path: path, code: EISDIR)
        case .link, nil: throw StorageError(.open, path: path, code: ENOENT)
        }
        state.withLock { $0.openFiles += 1 }
        return Reading(self, path, bytes)
    }

    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile {
        if isSymbolicLink(path) { throw StorageError(.open, path: path, code: ELOOP) }
        return try openForReading(path)
    }

    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        try makeFile(path)
        state.withLock { _ = $0.locks.insert(path) }
        return Writing(self, path, lock: Lock(self, path))
    }

    func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        try makeFile(path)
        return Writing(self, path)
    }

    private func makeFile(_ path: String) throws(StorageError) {
        try note(.create, path)
        if entries[path] != nil { throw StorageError(.create, path: path, code: EEXIST) }
        if let slash = path.lastIndex(of: "/"), path[..<slash] != temporaryFolder,
            entries[String(path[..<slash])] != .folder
        {
            throw StorageError(.create, path: path, code: ENOENT)
        }
        state.withLock {
            $0.entries[path] = .file([])
            $0.openFiles += 1
        }
    }

    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        try note(.create, path)
        state.withLock { $0.openFiles += 1 }
        return Writing(self, path)
    }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        let target = target(of: path.hasSuffix("/") ? String(path.dropLast()) : path)
        let kind: FileStatus.Kind
        var size = 0
        switch entries[target] {
        case .file(let bytes): (kind, size) = (.file, bytes.count)
        case .unreadable: kind = .file
        case .folder: kind = .folder
        case .device: kind = .other
        case .link, nil: return nil
        }
        let identity = FileIdentity(device: 1, inode: UInt64(truncatingIfNeeded: target.hashValue))
        return FileStatus(kind: kind, size: UInt64(size), identity: identity)
    }

    func status(of stream: StandardStream) -> FileStatus? {
        state.withLock { $0.streams[stream] }.flatMap { try? status(of: $0) }
    }

    func isOwn(_ path: String) -> Bool {
        if case .file = entries[path] { true } else { false }
    }

    func names(in folder: String) throws(StorageError) -> [String] {
        try note(.list, folder)
        if folder == "." { return entries.keys.filter { !$0.contains("/") } }
        let plain = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let prefix = target(of: plain) + "/"
        return entries.keys.filter { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
            .map { String($0.dropFirst(prefix.count)) }
    }

    func isSymbolicLink(_ path: String) -> Bool {
        if case .link = entries[path] { true } else { false }
    }

    func resolvingLinks(_ path: String) throws(StorageError) -> String { target(of: path) }

    func rename(_ path: String, to target: String) throws(StorageError) {
        try note(.rename, target)
        state.withLock { $0.entries[target] = $0.entries.removeValue(forKey: path) }
    }

    func remove(_ path: String) throws(StorageError) {
        try note(.remove, path)
        let removed = state.withLock { $0.entries.removeValue(forKey: path) }
        if removed == nil { throw StorageError(.remove, path: path, code: ENOENT) }
    }

    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile {
        try note(.create, path)
        guard case .file(let bytes)? = entries[path] else {
            throw StorageError(.create, path: path, code: ENOENT)
        }
        guard count <= bytes.count else { throw StorageError(.write, path: path, code: ENODATA) }
        state.withLock {
            $0.entries[path] = .file(Array(bytes.prefix(Int(count))))
            $0.openFiles += 1
        }
        return Writing(self, path)
    }

    func makeFolder(_ path: String) throws(StorageError) { try makePrivateFolder(path) }

    func makePrivateFolder(_ path: String) throws(StorageError) {
        try note(.create, path)
        if entries[path] != nil { throw StorageError(.create, path: path, code: EEXIST) }
        state.withLock { $0.entries[path] = .folder }
    }

    func syncFolder(_ path: String) throws(StorageError) { try note(.sync, path) }

    /// A folder that exists without an entry.
    var temporaryFolder: String { "temporary" }

    func lock(_ path: String) throws(StorageError) -> (any FileLock)? {
        try note(.lock, path)
        let isFree = state.withLock { state in
            guard state.locks.insert(path).inserted else { return false }
            if state.entries[path] == nil { state.entries[path] = .file([]) }
            return true
        }
        return isFree ? Lock(self, path) : nil
    }

    fileprivate func unlock(_ path: String) { state.withLock { _ = $0.locks.remove(path) } }

    fileprivate func append(_ bytes: Span<UInt8>, to path: String) {
        var copy: [UInt8] = []
        copy.append(bytes)
        state.withLock { state in
            switch path == "-" ? nil : state.entries[path] {
            case .file(let content): state.entries[path] = .file(content + copy)
            case .device(let content): state.entries[path] = .device(content + copy)
            default: if path == "-" { state.output += copy }
            }
        }
    }

    fileprivate func close() { state.withLock { $0.openFiles -= 1 } }
}

extension MemoryStorage {
    /// A file being read. A read returns at most 1000 bytes.
    private final class Reading: ReadableFile {
        private let storage: MemoryStorage
        private let path: String
        private var input: MemoryInput
        private var isClosed = false

        init(_ storage: MemoryStorage, _ path: String, _ bytes: [UInt8]) {
            self.storage = storage
            self.path = path
            input = MemoryInput(bytes, step: 1_000)
        }

        deinit { close() }

        func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            try storage.note(.read, path)
            return try input.read(into: &buffer)
        }

        func seek(to offset: UInt64) throws(StorageError) {
            try storage.note(.seek, path)
            // Standard input is a pipe.
            if path == "-" { throw StorageError(.seek, path: path, code: ESPIPE) }
            input.seek(to: offset)
        }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            storage.close()
        }
    }

    /// A file being written.
    private final class Writing: WritableFile {
        private let storage: MemoryStorage
        private let path: String
        /// The lock of a temporary file, until it is closed.
        private var lock: Lock?
        private var isClosed = false

        init(_ storage: MemoryStorage, _ path: String, lock: Lock? = nil) {
            self.storage = storage
            self.path = path
            self.lock = lock
        }

        deinit { close() }

        func write(_ bytes: Span<UInt8>) throws(StorageError) {
            if isClosed { throw StorageError(.write, path: path, code: EBADF) }
            try storage.note(.write, path)
            storage.append(bytes, to: path)
        }

        /// There is only one user.
        func takeAccess(_ access: FileAccess) {}

        func sync() throws(StorageError) { try storage.note(.sync, path) }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            lock = nil
            storage.close()
        }
    }

    /// A lock that is released with the object.
    private final class Lock: FileLock {
        private let storage: MemoryStorage
        private let path: String

        init(_ storage: MemoryStorage, _ path: String) {
            self.storage = storage
            self.path = path
        }

        deinit { storage.unlock(path) }
    }
}
