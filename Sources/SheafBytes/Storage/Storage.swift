#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where files are: the one way to them, behind a protocol so that a test can make any single call fail.
public protocol Storage: Sendable {
    /// Opens a file for reading; `-` is standard input.
    func openForReading(_ path: String) throws(StorageError) -> any ReadableFile

    /// Opens one of the program's own files for reading. Its name may be predictable: a symbolic link, another user's
    /// file, or anything that is not a regular file is refused.
    func openOwn(_ path: String) throws(StorageError) -> any ReadableFile

    /// Makes a new file that only this user can read and write. Fails when the path exists.
    func createNew(_ path: String) throws(StorageError) -> any WritableFile

    /// Makes a new file that will be renamed. It is locked until it is closed, so that other processes can distinguish it
    /// from one that a killed process left: `lock` returns nil for it. Fails with `EEXIST` when the path exists, or when
    /// another process took the file for an abandoned one before it was locked.
    ///
    /// - Parameter isPrivate: whether only this user can read it; otherwise it has the permissions of any new file.
    func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile

    /// Opens what is there for writing as it is: a device, a pipe; `-` is standard output, which is refused when it is
    /// closed.
    func openForWriting(_ path: String) throws(StorageError) -> any WritableFile

    /// Opens a file that was written before, to write on behind its first `count` bytes; what it has behind them is cut
    /// off. Fails when it has fewer, and for what `openOwn` refuses.
    func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError) -> any WritableFile

    /// Makes a new folder.
    func makeFolder(_ path: String) throws(StorageError)

    /// Makes a new folder that only this user can access.
    func makePrivateFolder(_ path: String) throws(StorageError)

    /// Returns when the names in a folder are on the disk.
    func syncFolder(_ path: String) throws(StorageError)

    /// What stands at a path, symbolic links followed; nil when nothing does.
    func status(of path: String) throws(StorageError) -> FileStatus?

    /// What a standard stream is open on; nil when it is closed.
    func status(of stream: StandardStream) -> FileStatus?

    /// Whether a name is a regular file of this user: no link, and no other user's.
    func isOwn(_ path: String) -> Bool

    /// The names in a folder, without `.` and `..`, in no particular order.
    func names(in folder: String) throws(StorageError) -> [String]

    /// Whether a name is a symbolic link.
    func isSymbolicLink(_ path: String) -> Bool

    /// The path with every symbolic link in it followed.
    func resolvingLinks(_ path: String) throws(StorageError) -> String

    /// Renames a file, replacing what was there, in one step.
    func rename(_ path: String, to target: String) throws(StorageError)

    func remove(_ path: String) throws(StorageError)

    /// Where files may stand that nobody needs when the program has ended.
    var temporaryFolder: String { get }

    /// Takes a lock that no other process has, on a file that is made where it is not there, for this user alone. What
    /// `openOwn` refuses is refused. The lock goes with the process, however that ends.
    ///
    /// - Returns: nil when another process has it.
    func lock(_ path: String) throws(StorageError) -> (any FileLock)?
}

extension Storage {
    /// Returns when the name of what stands at a path is on the disk.
    public func syncName(of path: String) throws(StorageError) { try syncFolder(folder(of: path)) }

    /// All bytes of a file.
    ///
    /// - Throws: `StorageError` with `EFBIG` when there are more than `limit`.
    public func contents(of path: String, upTo limit: Int) throws(StorageError) -> [UInt8] {
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

    /// The folder that a path's name stands in; `.` where the path is a name alone.
    public func folder(of path: String) -> String {
        let names = path.split(separator: "/").dropLast().filter { $0 != "." }
        let folder = names.joined(separator: "/")
        if path.hasPrefix("/") { return "/" + folder }
        return folder.isEmpty ? "." : folder
    }
}

/// What is known of a file without opening it.
public struct FileStatus: Equatable, Sendable {
    public enum Kind: Sendable { case file, folder, other }

    public let kind: Kind
    /// In bytes; means nothing for what is not a file.
    public let size: UInt64
    /// The same for two paths exactly when they are the same file.
    public let identity: FileIdentity
    /// When its contents were last changed, in nanoseconds since 1970.
    public let modified: Int64
    /// nil where files have no owners.
    public let access: FileAccess?

    public init(
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
public struct FileAccess: Equatable, Sendable {
    /// The nine bits of a mode for reading, writing and executing.
    public let permissions: UInt32
    public let owner: UInt32
    public let group: UInt32

    public init(permissions: UInt32, owner: UInt32, group: UInt32) {
        self.permissions = permissions
        self.owner = owner
        self.group = group
    }
}

public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64

    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// A file being read. Closing twice is harmless; it is closed at the latest when the object goes.
public protocol ReadableFile: AnyObject, ByteInput {
    /// Goes on reading `offset` bytes from the file's start. Behind its end there is nothing to read; a pipe has no
    /// places to go to.
    func seek(to offset: UInt64) throws(StorageError)

    func close()
}

/// A file being written. Closing twice is harmless; it is closed at the latest when the object goes.
public protocol WritableFile: ByteOutput {
    /// Gives the file the owner, group and permissions of another one, as far as this user is allowed to. If the group
    /// can't be kept, the file's own group gets no permissions that others lack.
    func takeAccess(_ access: FileAccess)

    /// Returns when what was written is on the disk.
    func sync() throws(StorageError)

    func close()
}

/// A lock on a file, held until the object goes.
public protocol FileLock: AnyObject, Sendable {}
