import Foundation
import SheafBytes
import Synchronization

extension MemoryStorage {
    package func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        let bytes = try state.withLock { state throws(StorageError) in
            let node = state.disk.node(at: state.disk.resolved(path))
            let bytes: [UInt8]
            switch path == "-" ? .file : node?.kind {
            case .file?: bytes = node?.bytes ?? input
            case .device?: bytes = []
            case .unreadable?: throw StorageError(.open, path: path, code: EACCES)
            case .folder?: throw StorageError(.open, path: path, code: EISDIR)
            case .link?, nil: throw StorageError(.open, path: path, code: ENOENT)
            }
            state.openFiles += 1
            return bytes
        }
        return Reading(self, path, bytes)
    }

    package func openOwn(_ path: String) throws(StorageError) -> any ReadableFile {
        if isSymbolicLink(path) { throw StorageError(.open, path: path, code: ELOOP) }
        return try openForReading(path)
    }

    package func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        Writing(self, path, try createFile(path))
    }

    package func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        let node = try createFile(path)
        return Writing(self, path, node, lock: try lock(path))
    }

    private func createFile(_ path: String) throws(StorageError) -> Int {
        try state.withLock { state throws(StorageError) in
            let node = try Self.add(.file, path, to: &state.disk)
            state.openFiles += 1
            return node
        }
    }

    private static func add(
        _ kind: MemoryDisk.Node.Kind, _ path: String, to disk: inout MemoryDisk
    ) throws(StorageError) -> Int {
        let resolved = disk.resolved(path, followsLast: false)
        if disk.names[resolved] != nil { throw StorageError(.create, path: path, code: EEXIST) }
        guard disk.isFolder(MemoryDisk.folder(of: resolved)) else {
            throw StorageError(.create, path: path, code: ENOENT)
        }
        return disk.add(kind, at: resolved)
    }

    package func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        let node = try state.withLock { state throws(StorageError) in
            let number = state.disk.names[state.disk.resolved(path)]
            guard path == "-" || number.map({ state.disk.nodes[$0].kind }) == .device else {
                throw StorageError(.create, path: path, code: ENXIO)
            }
            state.openFiles += 1
            return path == "-" ? nil : number
        }
        return Writing(self, path, node)
    }

    package func openForAppending(
        _ path: String, keeping count: UInt64
    ) throws(StorageError) -> any WritableFile {
        let node = try state.withLock { state throws(StorageError) in
            guard let number = state.disk.names[path], state.disk.nodes[number].kind == .file else {
                throw StorageError(.create, path: path, code: ENOENT)
            }
            guard count <= state.disk.nodes[number].bytes.count else {
                throw StorageError(.write, path: path, code: ENODATA)
            }
            state.disk.truncate(number, to: Int(count))
            state.openFiles += 1
            return number
        }
        return Writing(self, path, node)
    }

    package func makeFolder(_ path: String, isPrivate: Bool) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            _ = try Self.add(.folder, path, to: &state.disk)
        }
    }

    package func syncFolder(_ path: String) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            let folder = state.disk.resolved(path)
            guard state.disk.isFolder(folder) else { throw StorageError(.open, path: path, code: ENOENT) }
            state.disk.syncNames(in: folder)
        }
    }

    package func status(of path: String) throws(StorageError) -> FileStatus? {
        let disk = state.withLock { $0.disk }
        guard let number = disk.names[disk.resolved(path)] else { return nil }
        let node = disk.nodes[number]
        let kind: FileStatus.Kind =
            switch node.kind {
            case .file, .unreadable: .file
            case .folder: .folder
            case .device, .link: .other
            }
        return FileStatus(
            kind: kind, size: kind == .file ? UInt64(node.bytes.count) : 0,
            identity: FileIdentity(device: 1, inode: UInt64(number)), modified: node.modified)
    }

    package func status(of stream: StandardStream) -> FileStatus? {
        streams[stream].flatMap { try? status(of: $0) }
    }

    package func isOwn(_ path: String) -> Bool { kind(of: path) == .file }

    package func isSymbolicLink(_ path: String) -> Bool {
        if case .link? = kind(of: path) { true } else { false }
    }

    /// Returns the kind of the node that a path names, which may be a link.
    private func kind(of path: String) -> MemoryDisk.Node.Kind? {
        state.withLock { $0.disk.node(at: $0.disk.resolved(path, followsLast: false))?.kind }
    }

    package func names(in folder: String) throws(StorageError) -> [String] {
        try state.withLock { state throws(StorageError) in
            let resolved = state.disk.resolved(folder)
            guard state.disk.isFolder(resolved) else {
                throw StorageError(.list, path: folder, code: ENOENT)
            }
            return state.disk.names(in: resolved)
        }
    }

    package func resolvingLinks(_ path: String) throws(StorageError) -> String {
        state.withLock { $0.disk.resolved(path) }
    }

    package func rename(_ path: String, to target: String) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            let old = state.disk.resolved(path, followsLast: false)
            if state.disk.names[old] == nil { throw StorageError(.rename, path: target, code: ENOENT) }
            state.disk.rename(old, to: state.disk.resolved(target, followsLast: false))
        }
    }

    package func remove(_ path: String) throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            let resolved = state.disk.resolved(path, followsLast: false)
            guard let node = state.disk.node(at: resolved), node.kind != .folder else {
                throw StorageError(.remove, path: path, code: ENOENT)
            }
            state.disk.remove(resolved)
        }
    }

    package var temporaryFolder: String { Self.temporaryFolder }

    package func lock(_ path: String) throws(StorageError) -> FileLock? {
        try state.withLock { state throws(StorageError) in
            let resolved = state.disk.resolved(path)
            if state.locks.contains(resolved) { return nil }
            if state.disk.names[resolved] == nil { _ = try Self.add(.file, path, to: &state.disk) }
            state.locks.insert(resolved)
            return FileLock { [self] in self.state.withLock { _ = $0.locks.remove(resolved) } }
        }
    }
}

extension MemoryStorage {
    /// A file being read: its bytes when it was opened.
    private final class Reading: ReadableFile {
        private let storage: MemoryStorage
        private let path: String
        private var input: MemoryInput
        private var isClosed = false

        init(_ storage: MemoryStorage, _ path: String, _ bytes: [UInt8]) {
            self.storage = storage
            self.path = path
            input = MemoryInput(bytes, step: storage.step)
        }

        deinit { close() }

        func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            let count = try input.read(into: &buffer)
            storage.state.withLock { $0.bytesRead[path, default: 0] += count }
            return count
        }

        func seek(to offset: UInt64) throws(StorageError) {
            // Standard input is a pipe.
            if path == "-" { throw StorageError(.seek, path: path, code: ESPIPE) }
            input.seek(to: offset)
        }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            storage.state.withLock { $0.openFiles -= 1 }
        }
    }

    /// A file being written.
    private final class Writing: WritableFile {
        private let storage: MemoryStorage
        private let path: String
        /// The file's number on the disk; nil for standard output.
        private let node: Int?
        /// The lock of a temporary file, until it is closed.
        private var lock: FileLock?
        private var isClosed = false

        init(_ storage: MemoryStorage, _ path: String, _ node: Int?, lock: FileLock? = nil) {
            self.storage = storage
            self.path = path
            self.node = node
            self.lock = lock
        }

        deinit { close() }

        func write(_ bytes: Span<UInt8>) throws(StorageError) {
            if isClosed { throw StorageError(.write, path: path, code: EBADF) }
            var copy: [UInt8] = []
            copy.append(bytes)
            let text = copy
            storage.state.withLock { state in
                if let node { state.disk.append(text, to: node) } else { state.output += text }
            }
        }

        /// Does nothing, because there is only one user.
        func setAccess(_ access: FileAccess) {}

        func sync() throws(StorageError) {
            guard let node else { return }
            storage.state.withLock { $0.disk.sync(node) }
        }

        func finish() throws(StorageError) { close() }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            lock = nil
            storage.state.withLock { $0.openFiles -= 1 }
        }
    }
}
