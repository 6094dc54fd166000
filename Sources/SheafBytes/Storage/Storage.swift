/// Access to the file system: a protocol, so that a test can make any single call fail.
package protocol Storage: Sendable {
    /// Opens a file for reading; `-` is standard input.
    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile

    /// Opens one of the program's own files for reading. Its name may be predictable, so a symbolic link, another
    /// user's file, or anything that is not a regular file is refused.
    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile

    /// Creates a file that only this user can read and write. Fails if the path exists.
    func createNew(_ path: String) throws(StorageError) -> any WritableFile

    /// Creates a file that will be renamed. It is locked until it is closed, so that other processes can distinguish
    /// it from a file that a killed process left: `lock` returns nil for it. Fails with `EEXIST` if the path exists, or
    /// if another process took the file for an abandoned file before it was locked.
    ///
    /// - Parameter isPrivate: whether only this user can read it; otherwise it has the default permissions of a new
    ///   file.
    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile

    /// Opens an existing device or pipe for writing; `-` is standard output. Fails if standard output is closed.
    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile

    /// Opens an existing file to continue writing after its first `count` bytes; all bytes after those are cut off.
    /// Fails if the file is shorter, and for everything that `openOwn` refuses.
    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile

    /// Creates a folder.
    ///
    /// - Parameter isPrivate: whether only this user can access it; otherwise it has the default permissions of a new
    ///   folder.
    func makeFolder(_ path: String, isPrivate: Bool) throws(StorageError)

    /// Waits until the names in a folder are on disk.
    func syncFolder(_ path: String) throws(StorageError)

    /// Returns the status of the file at a path, following symbolic links; nil if the path does not exist.
    func status(of path: String) throws(StorageError) -> FileStatus?

    /// Returns the status of the file that a standard stream is open on; nil if the stream is closed.
    func status(of stream: StandardStream) -> FileStatus?

    /// Returns whether a path is a regular file of this user, not a link and not another user's file.
    func isOwn(_ path: String) -> Bool

    /// Returns the names in a folder, without `.` and `..`, in no particular order.
    func names(in folder: String) throws(StorageError) -> [String]

    /// Returns whether a path is a symbolic link.
    func isSymbolicLink(_ path: String) -> Bool

    /// Returns the path with every symbolic link in it resolved.
    func resolvingLinks(_ path: String) throws(StorageError) -> String

    /// Renames a file, atomically replacing any file at the target.
    func rename(_ path: String, to target: String) throws(StorageError)

    func remove(_ path: String) throws(StorageError)

    /// The folder for files that are no longer needed when the program has ended.
    var temporaryFolder: String { get }

    /// Takes an exclusive lock on a file, which is created for this user alone if it does not exist. Fails for
    /// everything that `openOwn` refuses. The lock is released when the process ends, however that happens.
    ///
    /// - Returns: nil if another process has the lock.
    func lock(_ path: String) throws(StorageError) -> FileLock?
}

extension Storage {
    /// Waits until the name of the file at a path is on disk.
    package func syncName(of path: String) throws(StorageError) { try syncFolder(folder(of: path)) }

    /// Returns all bytes of a file.
    ///
    /// - Throws: `StorageError` with `EFBIG` if there are more than `limit`.
    package func contents(of path: String, upTo limit: Int) throws(StorageError) -> [UInt8] {
        var file = try openForReading(path)
        defer { file.close() }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var target = buffer.mutableSpan
            let count = try file.read(into: &target)
            if count == 0 { return contents }
            contents.append(buffer.span.extracting(first: count))
            if contents.count > limit { throw StorageError(.read, path: path, code: EFBIG) }
        }
    }

    /// Creates a folder and the folders that contain it, if they are missing. Other processes may do the same.
    package func makeFolders(_ path: String) throws(StorageError) {
        guard try status(of: path) == nil else { return }
        let parent = folder(of: path)
        if parent != path, parent != "." { try makeFolders(parent) }
        do throws(StorageError) {
            try makeFolder(path, isPrivate: false)
        } catch {
            guard error.code == EEXIST, try status(of: path)?.kind == .folder else { throw error }
        }
    }

    /// Returns the folder that contains the last name of a path; `.` if the path is only a name.
    package func folder(of path: String) -> String {
        let names = path.split(separator: "/").dropLast().filter { $0 != "." }
        let folder = names.joined(separator: "/")
        if path.hasPrefix("/") { return "/" + folder }
        return folder.isEmpty ? "." : folder
    }
}

/// The properties of a file that are known without opening it.
package struct FileStatus: Equatable, Sendable {
    package enum Kind: Sendable { case file, folder, other }

    package let kind: Kind
    /// The size in bytes; meaningless unless `kind` is `file`.
    package let size: UInt64
    /// Equal for two paths exactly when they are the same file.
    package let identity: FileIdentity
    /// The time when its contents were last changed, in nanoseconds since 1970.
    package let modified: Int64
    /// The owner and permissions; nil if files have no owners.
    package let access: FileAccess?

    package init(
        kind: Kind, size: UInt64, identity: FileIdentity, modified: Int64 = 0, access: FileAccess? = nil
    ) {
        self.kind = kind
        self.size = size
        self.identity = identity
        self.modified = modified
        self.access = access
    }
}

/// The owner, group and permissions of a file.
package struct FileAccess: Equatable, Sendable {
    /// The nine mode bits for reading, writing and executing.
    package let permissions: UInt32
    package let owner: UInt32
    package let group: UInt32

    package init(permissions: UInt32, owner: UInt32, group: UInt32) {
        self.permissions = permissions
        self.owner = owner
        self.group = group
    }
}

package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// A file that is open for reading. Closing it twice is harmless; it is closed when the object is destroyed, at the
/// latest.
package protocol ReadableFile: AnyObject, ByteInput {
    /// Continues reading `offset` bytes from the start of the file. Past its end there is nothing to read; fails for
    /// a pipe, which cannot seek.
    func seek(to offset: UInt64) throws(StorageError)

    func close()
}

/// A file that is open for writing. Closing it twice is harmless; it is closed when the object is destroyed, at the
/// latest.
package protocol WritableFile: ByteOutput {
    /// Gives the file the owner, group and permissions of another file, as far as this user is allowed to. If the
    /// group can't be kept, the file's own group gets no permissions that other users lack.
    func setAccess(_ access: FileAccess)

    /// Waits until everything written is on disk.
    func sync() throws(StorageError)

    /// Closes the file, and reports what the system could not write: some file systems notice only then.
    func finish() throws(StorageError)

    /// Closes a file that is no longer needed, or that has been synced.
    func close()
}

/// A lock on a file, held until the object is destroyed.
package final class FileLock: Sendable {
    private let release: @Sendable () -> Void

    package init(release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}

/// Bytes in order from any source: a file, a pipe, a test.
package protocol ByteInput {
    /// Reads up to `buffer.count` bytes into the start of `buffer`, which is not empty.
    ///
    /// - Returns: the number of bytes read; 0 only at the end.
    /// - Throws: `StorageError` if reading failed.
    mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int
}

extension ByteInput {
    /// Reads until `buffer` is full or the input ends.
    ///
    /// - Parameter filled: the number of bytes already in the buffer, updated by each read, even if a later read fails.
    package mutating func fill(_ buffer: inout [UInt8], count filled: inout Int) throws(StorageError) {
        while filled < buffer.count {
            var whole = buffer.mutableSpan
            var room = whole._mutatingExtracting(filled..<whole.count)
            let count = try read(into: &room)
            if count == 0 { return }
            filled += count
        }
    }
}

/// An input that yields bytes from memory, at most `step` bytes at a time, as a pipe does.
package struct MemoryInput: ByteInput {
    private let bytes: [UInt8]
    private let step: Int
    private var offset = 0

    package init(_ bytes: [UInt8], step: Int = .max) {
        precondition(step > 0, "an input that yields nothing would never end")
        self.bytes = bytes
        self.step = step
    }

    package mutating func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        let count = min(step, buffer.count, bytes.count - offset)
        guard count > 0 else { return 0 }
        buffer.write(bytes.span.extracting(offset..<(offset + count)), at: 0)
        offset += count
        return count
    }

    /// Continues reading `offset` bytes from the start. Past the end there is nothing to read.
    package mutating func seek(to offset: UInt64) { self.offset = Int(min(offset, UInt64(bytes.count))) }
}

/// Receives bytes in order: a file, or a stage that writes into a file.
package protocol ByteOutput: AnyObject {
    /// Writes all of `bytes`.
    func write(_ bytes: Span<UInt8>) throws(StorageError)
}
