import SheafBytes

/// Files in memory; written bytes are discarded.
struct MemoryStorage: Storage {
    private let files: [String: [UInt8]]

    init(_ files: [String: [UInt8]]) { self.files = files }

    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        InputFile(files[path] ?? [])
    }

    func createNew(_ path: String) throws(StorageError) -> any WritableFile { DroppingFile() }

    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile { try openForReading(path) }

    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        try createNew(path)
    }

    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile { DroppingFile() }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        files[path].map {
            FileStatus(
                kind: .file, size: UInt64($0.count),
                identity: FileIdentity(device: 0, inode: UInt64($0.count)))
        }
    }

    func status(of stream: StandardStream) -> FileStatus? { nil }

    func isOwn(_ path: String) -> Bool { false }

    func names(in folder: String) throws(StorageError) -> [String] { [] }

    func isSymbolicLink(_ path: String) -> Bool { false }

    func resolvingLinks(_ path: String) throws(StorageError) -> String { path }

    func rename(_ path: String, to target: String) throws(StorageError) {}

    func remove(_ path: String) throws(StorageError) {}

    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile {
        try createNew(path)
    }

    func makeFolder(_ path: String, isPrivate: Bool) throws(StorageError) {}

    func syncFolder(_ path: String) throws(StorageError) {}

    var temporaryFolder: String { "temporary" }

    func lock(_ path: String) throws(StorageError) -> FileLock? { nil }

    private final class InputFile: ReadableFile {
        private var input: MemoryInput

        init(_ bytes: [UInt8]) { input = MemoryInput(bytes) }

        func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            try input.read(into: &buffer)
        }

        func seek(to offset: UInt64) throws(StorageError) { input.seek(to: offset) }

        func close() {}
    }

    private final class DroppingFile: WritableFile {
        func write(_ bytes: Span<UInt8>) throws(StorageError) {}

        func setAccess(_ access: FileAccess) {}

        func sync() throws(StorageError) {}

        func finish() throws(StorageError) {}

        func close() {}
    }
}
