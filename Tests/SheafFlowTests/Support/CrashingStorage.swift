import Foundation
import SheafBytes
import Synchronization
import TestSupport

/// Files in memory that distinguish what a program sees from what is on the disk, and that crash at any operation.
///
///     write, truncate                          visible immediately, on the disk when the file is synced
///     create, rename, remove, create folder    visible immediately, on the disk when the folder is synced
///
/// Either may reach the disk earlier: what a crash leaves of it is random. Every call after a crash fails and changes
/// nothing; `restarted` returns the storage as the next process finds it. All its locks are free.
final class CrashingStorage: Storage {
    typealias Event = MemoryStorage.Event

    /// The outcome of an operation.
    enum Fate: Sendable {
        case goesOn
        case fails(Int32)
        /// Half of the bytes are written, then the write fails.
        case tears(Int32)
        case crashes
    }

    /// The data that a crash loses.
    enum Loss: CaseIterable, Sendable {
        /// Nothing: only the process ends.
        case nothing
        /// Everything that was not synced.
        case everything
        /// All changes of names after a random moment, and in each file all changes after another.
        case theNewest
        /// Random changes of names, and in each file all changes after a random moment.
        case anything
    }

    private enum Change {
        case write([UInt8])
        case cut(Int)
    }

    private struct File {
        var bytes: [UInt8]
        var synced: [UInt8]
        var changes: [Change] = []
        var modified: Int64

        /// Returns the content on the disk after `count` of the changes and `bytes` bytes of the next one.
        func torn(after count: Int, and bytes: Int) -> [UInt8] {
            var content = synced
            for (index, change) in changes.prefix(count + 1).enumerated() {
                switch change {
                case .write(let text): content += index < count ? text[...] : text.prefix(bytes)
                case .cut(let length): if index < count { content = Array(content.prefix(length)) }
                }
            }
            return content
        }
    }

    private enum Node {
        case file(File)
        case folder
    }

    private struct NameChange {
        let folder: String
        var removed: String?
        var added: String?
        var node = 0

        func apply(to names: inout [String: Int]) {
            if let removed { names[removed] = nil }
            if let added { names[added] = node }
        }
    }

    private struct State {
        var nodes: [Int: Node] = [:]
        /// The names that the program sees.
        var names: [String: Int] = [:]
        var diskNames: [String: Int] = [:]
        /// The changes of names that are not synced, in order.
        var changes: [NameChange] = []
        var clock: Int64 = 0
        var events: [Event] = []
        var openFiles = 0
        var bytesRead: [String: Int] = [:]
        var locks: Set<String> = []
        var hasCrashed = false

        func node(_ path: String) -> Node? { names[CrashingStorage.plain(path)].flatMap { nodes[$0] } }

        mutating func change(_ change: NameChange) {
            change.apply(to: &names)
            changes.append(change)
        }

        mutating func add(_ node: Node, _ path: String) -> Int {
            let number = nodes.count
            nodes[number] = node
            change(NameChange(folder: CrashingStorage.folder(of: path), added: path, node: number))
            return number
        }

        mutating func change(_ node: Int, _ body: (inout File) -> Void) {
            guard case .file(var file)? = nodes[node] else { return }
            clock += 1
            file.modified = clock
            body(&file)
            nodes[node] = .file(file)
        }

        mutating func sync(_ node: Int) {
            guard case .file(var file)? = nodes[node] else { return }
            file.synced = file.bytes
            file.changes = []
            nodes[node] = .file(file)
        }
    }

    private let state: Mutex<State>
    /// Called before each operation with its number, starting at 0.
    private let onEvent: @Sendable (Int, Event) -> Fate

    private init(_ state: State, _ onEvent: @escaping @Sendable (Int, Event) -> Fate) {
        self.state = Mutex(state)
        self.onEvent = onEvent
    }

    /// Creates a storage with files that are on the disk, and with their folders.
    convenience init(
        _ files: [String: [UInt8]], folders: [String] = [],
        onEvent: @escaping @Sendable (Int, Event) -> Fate = { _, _ in .goesOn }
    ) {
        var state = State()
        for folder in Set(files.keys.map { Self.folder(of: $0) } + folders + ["", "temporary"]).sorted() {
            _ = state.add(.folder, folder)
        }
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            state.clock += 1
            _ = state.add(.file(File(bytes: bytes, synced: bytes, modified: state.clock)), path)
        }
        state.diskNames = state.names
        state.changes = []
        self.init(state, onEvent)
    }

    /// Returns the storage as the next process finds it. The previous process can no longer change anything.
    func restarted(
        losing loss: Loss, _ random: inout SeededGenerator,
        onEvent: @escaping @Sendable (Int, Event) -> Fate = { _, _ in .goesOn }
    ) -> CrashingStorage {
        var generator = random
        let state = state.withLock { state in
            state.hasCrashed = true
            return Self.left(of: state, loss, &generator)
        }
        random = generator
        return CrashingStorage(state, onEvent)
    }

    private static func left(of state: State, _ loss: Loss, _ random: inout SeededGenerator) -> State {
        var left = State(clock: state.clock)
        var names = state.diskNames
        let count = random.below(state.changes.count + 1)
        for (index, change) in state.changes.enumerated() {
            let isKept =
                switch loss {
                case .nothing: true
                case .everything: false
                case .theNewest: index < count
                case .anything: random.chance(50)
                }
            if isKept { change.apply(to: &names) }
        }
        // Removing a folder removes its contents.
        for path in names.keys where names[folder(of: path)] == nil { names[path] = nil }
        left.nodes = state.nodes
        for (path, number) in names.sorted(by: { $0.key < $1.key }) {
            left.names[path] = number
            guard case .file(var file)? = state.nodes[number] else { continue }
            switch loss {
            case .nothing: file.synced = file.bytes
            case .everything: break
            case .theNewest, .anything:
                file.synced = file.torn(
                    after: random.below(file.changes.count + 1), and: random.below(40))
            }
            file.bytes = file.synced
            file.changes = []
            left.nodes[number] = .file(file)
        }
        left.diskNames = left.names
        return left
    }

    var events: [Event] { state.withLock { $0.events } }
    var hasCrashed: Bool { state.withLock { $0.hasCrashed } }
    var openFiles: Int { state.withLock { $0.openFiles } }

    /// The paths of all files, sorted.
    var paths: [String] {
        state.withLock { state in
            state.names.keys.filter { if case .file? = state.node($0) { true } else { false } }.sorted()
        }
    }

    /// A file's bytes as the program sees them; nil if the file does not exist.
    subscript(path: String) -> [UInt8]? {
        get {
            state.withLock { state in
                if case .file(let file)? = state.node(path) { file.bytes } else { nil }
            }
        }
        set {
            // Done by another program: it is on the disk immediately, with all names.
            state.withLock { state in
                if let bytes = newValue {
                    let empty = Node.file(File(bytes: [], synced: [], modified: 0))
                    let node = state.names[path] ?? state.add(empty, path)
                    state.change(node) { $0.bytes = bytes }
                    state.sync(node)
                } else {
                    state.names[path] = nil
                }
                state.diskNames = state.names
                state.changes = []
            }
        }
    }

    /// The number of bytes that were read from a file.
    func bytesRead(of path: String) -> Int { state.withLock { $0.bytesRead[path, default: 0] } }

    /// Updates the modification time of a file.
    func touch(_ path: String) { self[path] = self[path] }

    fileprivate static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    fileprivate static func plain(_ path: String) -> String {
        path == "." ? "" : path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
    }

    /// Records an operation, and performs it unless its fate is to fail.
    private func perform<Result: Sendable>(
        _ operation: StorageError.Operation, _ path: String, onTear: ((inout State) -> Void)? = nil,
        _ body: (inout State) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let event = Event(operation: operation, path: path)
        let number = try state.withLock { state throws(StorageError) in
            if state.hasCrashed { throw StorageError(operation, path: path, code: EIO) }
            state.events.append(event)
            return state.events.count - 1
        }
        let fate = onEvent(number, event)
        return try state.withLock { state throws(StorageError) in
            if case .crashes = fate { state.hasCrashed = true }
            if state.hasCrashed { throw StorageError(operation, path: path, code: EIO) }
            switch fate {
            case .goesOn, .crashes: return try body(&state)
            case .fails(let code): throw StorageError(operation, path: path, code: code)
            case .tears(let code):
                onTear?(&state)
                throw StorageError(operation, path: path, code: code)
            }
        }
    }
}

// MARK: - As a storage

extension CrashingStorage {
    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        let bytes = try perform(.open, path) { state throws(StorageError) in
            guard case .file(let file)? = state.node(path) else {
                throw StorageError(.open, path: path, code: ENOENT)
            }
            state.openFiles += 1
            return file.bytes
        }
        return Reading(self, path, bytes)
    }

    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile { try openForReading(path) }

    func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        Writing(self, path, try makeFile(path))
    }

    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        let node = try makeFile(path)
        state.withLock { _ = $0.locks.insert(path) }
        return Writing(self, path, node, lock: Lock(self, path))
    }

    private func makeFile(_ path: String) throws(StorageError) -> Int {
        try perform(.create, path) { state throws(StorageError) in
            if state.node(path) != nil { throw StorageError(.create, path: path, code: EEXIST) }
            guard case .folder? = state.node(Self.folder(of: path)) else {
                throw StorageError(.create, path: path, code: ENOENT)
            }
            state.openFiles += 1
            return state.add(.file(File(bytes: [], synced: [], modified: state.clock)), path)
        }
    }

    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        throw StorageError(.create, path: path, code: ENXIO)
    }

    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile {
        let node = try perform(.create, path) { state throws(StorageError) in
            guard case .file(let file)? = state.node(path), let node = state.names[path] else {
                throw StorageError(.create, path: path, code: ENOENT)
            }
            guard count <= file.bytes.count else { throw StorageError(.write, path: path, code: ENODATA) }
            state.change(node) { file in
                file.bytes = Array(file.bytes.prefix(Int(count)))
                file.changes.append(.cut(Int(count)))
            }
            state.openFiles += 1
            return node
        }
        return Writing(self, path, node)
    }

    func makeFolder(_ path: String) throws(StorageError) { try makePrivateFolder(path) }

    func makePrivateFolder(_ path: String) throws(StorageError) {
        try perform(.create, path) { state throws(StorageError) in
            if state.node(path) != nil { throw StorageError(.create, path: path, code: EEXIST) }
            guard case .folder? = state.node(Self.folder(of: Self.plain(path))) else {
                throw StorageError(.create, path: path, code: ENOENT)
            }
            _ = state.add(.folder, Self.plain(path))
        }
    }

    func syncFolder(_ path: String) throws(StorageError) {
        let folder = Self.plain(path)
        try perform(.sync, path) { state throws(StorageError) in
            guard case .folder? = state.node(path) else {
                throw StorageError(.open, path: path, code: ENOENT)
            }
            for change in state.changes where change.folder == folder { change.apply(to: &state.diskNames) }
            state.changes.removeAll { $0.folder == folder }
        }
    }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        try state.withLock { state throws(StorageError) in
            if state.hasCrashed { throw StorageError(.open, path: path, code: EIO) }
            guard let number = state.names[Self.plain(path)], let node = state.nodes[number] else {
                return nil
            }
            let identity = FileIdentity(device: 1, inode: UInt64(number))
            switch node {
            case .folder: return FileStatus(kind: .folder, size: 0, identity: identity)
            case .file(let file):
                return FileStatus(
                    kind: .file, size: UInt64(file.bytes.count), identity: identity, modified: file.modified)
            }
        }
    }

    func status(of stream: StandardStream) -> FileStatus? { nil }

    func isOwn(_ path: String) -> Bool { self[path] != nil }

    func names(in folder: String) throws(StorageError) -> [String] {
        let plain = Self.plain(folder)
        return try perform(.list, folder) { state throws(StorageError) in
            guard case .folder? = state.node(folder) else {
                throw StorageError(.list, path: folder, code: ENOENT)
            }
            let paths = state.names.keys.filter { !$0.isEmpty && Self.folder(of: $0) == plain }
            return paths.map { plain.isEmpty ? $0 : String($0.dropFirst(plain.count + 1)) }
        }
    }

    func isSymbolicLink(_ path: String) -> Bool { false }

    func resolvingLinks(_ path: String) throws(StorageError) -> String { path }

    func rename(_ path: String, to target: String) throws(StorageError) {
        try perform(.rename, target) { state throws(StorageError) in
            guard let node = state.names[path] else {
                throw StorageError(.rename, path: target, code: ENOENT)
            }
            state.change(
                NameChange(folder: Self.folder(of: target), removed: path, added: target, node: node))
        }
    }

    func remove(_ path: String) throws(StorageError) {
        try perform(.remove, path) { state throws(StorageError) in
            guard case .file? = state.node(path) else {
                throw StorageError(.remove, path: path, code: ENOENT)
            }
            state.change(NameChange(folder: Self.folder(of: path), removed: path))
        }
    }

    var temporaryFolder: String { "temporary" }

    func lock(_ path: String) throws(StorageError) -> (any FileLock)? {
        let isFree = try perform(.lock, path) { state throws(StorageError) in
            guard state.locks.insert(path).inserted else { return false }
            if state.node(path) == nil {
                _ = state.add(.file(File(bytes: [], synced: [], modified: state.clock)), path)
            }
            return true
        }
        return isFree ? Lock(self, path) : nil
    }
}

extension CrashingStorage {
    /// A file being read. A read returns at most 700 bytes, or more if the file is large.
    private final class Reading: ReadableFile {
        private let storage: CrashingStorage
        private let path: String
        private var input: MemoryInput
        private var isClosed = false

        init(_ storage: CrashingStorage, _ path: String, _ bytes: [UInt8]) {
            self.storage = storage
            self.path = path
            input = MemoryInput(bytes, step: max(700, bytes.count >> 8))
        }

        deinit { close() }

        func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            try storage.perform(.read, path) { _ in }
            let count = try input.read(into: &buffer)
            storage.state.withLock { $0.bytesRead[path, default: 0] += count }
            return count
        }

        func seek(to offset: UInt64) throws(StorageError) {
            try storage.perform(.seek, path) { _ in }
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
        private let storage: CrashingStorage
        private let path: String
        private let node: Int
        /// The lock of a temporary file, until it is closed.
        private var lock: Lock?
        private var isClosed = false

        init(_ storage: CrashingStorage, _ path: String, _ node: Int, lock: Lock? = nil) {
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
            let (text, node) = (copy, node)
            func append(_ text: [UInt8], _ state: inout State) {
                state.change(node) { file in
                    file.bytes += text
                    file.changes.append(.write(text))
                }
            }
            try storage.perform(
                .write, path, onTear: { append(Array(text.prefix(text.count / 2)), &$0) },
                { append(text, &$0) })
        }

        /// There is only one user.
        func takeAccess(_ access: FileAccess) {}

        func sync() throws(StorageError) {
            let node = node
            try storage.perform(.sync, path) { $0.sync(node) }
        }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            lock = nil
            storage.state.withLock { $0.openFiles -= 1 }
        }
    }

    /// A lock that is released with the object.
    private final class Lock: FileLock {
        private let storage: CrashingStorage
        private let path: String

        init(_ storage: CrashingStorage, _ path: String) {
            self.storage = storage
            self.path = path
        }

        deinit { storage.state.withLock { _ = $0.locks.remove(path) } }
    }
}
