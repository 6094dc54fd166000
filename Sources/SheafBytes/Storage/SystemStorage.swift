import CSheaf

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file system, accessed through POSIX calls. Calls that a signal interrupts are repeated.
///
/// Safety: paths are passed as C strings in arrays, which outlive the calls and which the system only reads.
package struct SystemStorage: Storage {
    package init() {}

    package func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        if path == "-" {
            try Self.check(.input, isOpenFor: O_RDONLY, "standard input", .open)
            return SystemFile(descriptor: STDIN_FILENO, path: "standard input", owned: false)
        }
        let file = try SystemFile(path, flags: O_RDONLY, operation: .open)
        // Opening a folder succeeds, and only the first read fails, so it is refused here.
        if try status(of: path)?.kind == .folder { throw StorageError(.open, path: path, code: EISDIR) }
        return file
    }

    package func openOwn(_ path: String) throws(StorageError) -> any ReadableFile {
        try SystemFile(own: path, flags: O_RDONLY, operation: .open)
    }

    package func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        try SystemFile(path, flags: O_WRONLY | O_CREAT | O_EXCL, operation: .create, mode: 0o600)
    }

    package func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        let file = try SystemFile(
            path, flags: O_WRONLY | O_CREAT | O_EXCL, operation: .create, mode: isPrivate ? 0o600 : 0o666)
        guard file.isLocked(at: path) else { throw StorageError(.create, path: path, code: EEXIST) }
        return file
    }

    package func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        if path == "-" {
            try Self.check(.output, isOpenFor: O_WRONLY, "standard output", .create)
            return SystemFile(descriptor: STDOUT_FILENO, path: "standard output", owned: false)
        }
        return try SystemFile(path, flags: O_WRONLY, operation: .create)
    }

    /// Refuses a stream that is closed, or that `StandardStreams.openClosed` has opened in place of a closed one.
    private static func check(
        _ stream: StandardStream, isOpenFor mode: Int32, _ name: String, _ operation: StorageError.Operation
    ) throws(StorageError) {
        let flags = fcntl(stream.rawValue, F_GETFL)
        guard flags < 0 || flags & O_ACCMODE != mode && flags & O_ACCMODE != O_RDWR else { return }
        throw StorageError(operation, path: name, code: EBADF, detail: "it is closed")
    }

    package func status(of path: String) throws(StorageError) -> FileStatus? {
        var information = stat()
        // Safety: `stat` fills in the structure, which outlives the call.
        guard unsafe stat(SystemPath.cString(path), &information) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StorageError(.open, path: path, code: errno)
        }
        return Self.status(information)
    }

    package func status(of stream: StandardStream) -> FileStatus? {
        var information = stat()
        // Safety: `fstat` fills in the structure, which outlives the call.
        guard unsafe fstat(stream.rawValue, &information) == 0 else { return nil }
        return Self.status(information)
    }

    package func isOwn(_ path: String) -> Bool {
        var information = stat()
        // Safety: `lstat` fills in the structure, which outlives the call.
        guard unsafe lstat(SystemPath.cString(path), &information) == 0 else { return false }
        return information.st_mode & S_IFMT == S_IFREG && information.st_uid == geteuid()
    }

    private static func status(_ information: stat) -> FileStatus {
        let kind: FileStatus.Kind =
            switch information.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        let identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: information.st_dev),
            inode: UInt64(truncatingIfNeeded: information.st_ino))
        #if canImport(Darwin)
        let modified = information.st_mtimespec
        #else
        let modified = information.st_mtim
        #endif
        return FileStatus(
            kind: kind, size: UInt64(max(0, information.st_size)), identity: identity,
            modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
            access: FileAccess(
                permissions: UInt32(information.st_mode) & 0o777, owner: information.st_uid,
                group: information.st_gid))
    }

    package func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError)
        -> any WritableFile
    {
        let file = try SystemFile(own: path, flags: O_WRONLY, operation: .create)
        try file.truncate(to: count)
        return file
    }

    package func makeFolder(_ path: String) throws(StorageError) { try makeFolder(path, mode: 0o777) }

    package func makePrivateFolder(_ path: String) throws(StorageError) { try makeFolder(path, mode: 0o700) }

    private func makeFolder(_ path: String, mode: mode_t) throws(StorageError) {
        guard unsafe mkdir(SystemPath.cString(path), mode) == 0 else {
            throw StorageError(.create, path: path, code: errno)
        }
    }

    package func syncFolder(_ path: String) throws(StorageError) {
        try SystemFile(path, flags: O_RDONLY, operation: .open).sync()
    }

    package func names(in folder: String) throws(StorageError) -> [String] {
        guard let stream = unsafe opendir(SystemPath.cString(folder)) else {
            throw StorageError(.list, path: folder, code: errno)
        }
        // Safety: the stream was opened above, and only this call uses it.
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw StorageError(.list, path: folder, code: errno) }
                return names
            }
            // Safety: `d_name` is a C string inside the entry, which stays valid until the next `readdir`; it is
            // copied before that.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 1) {
                    unsafe SystemPath.text(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    package func isSymbolicLink(_ path: String) -> Bool {
        var information = stat()
        // Safety: `lstat` fills in the structure, which outlives the call.
        guard unsafe lstat(SystemPath.cString(path), &information) == 0 else { return false }
        return information.st_mode & S_IFMT == S_IFLNK
    }

    package func resolvingLinks(_ path: String) throws(StorageError) -> String {
        guard let resolved = unsafe realpath(SystemPath.cString(path), nil) else {
            let code = errno
            if code == ENOENT, let target = linkTarget(path) { return try resolvingMissing(target) }
            throw StorageError(.open, path: path, code: code)
        }
        // Safety: with a null buffer `realpath` allocates the C string, which is freed here and nowhere else.
        defer { unsafe free(resolved) }
        return unsafe SystemPath.text(cString: resolved)
    }

    /// The path of a file that does not exist yet, to which a link leads.
    private func resolvingMissing(_ path: String) throws(StorageError) -> String {
        if isSymbolicLink(path) { return try resolvingLinks(path) }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let folder = try resolvingLinks(folder(of: path))
        return folder == "/" ? folder + name : folder + "/" + name
    }

    /// The path that a symbolic link holds, from the link's folder on; nil if there is no such link.
    private func linkTarget(_ path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            // Safety: the buffer has as many bytes as are named.
            unsafe readlink(SystemPath.cString(path), buffer.baseAddress!, buffer.count)
        }
        guard count > 0 else { return nil }
        let target = SystemPath.text(Array(bytes[..<count]))
        return target.hasPrefix("/") ? target : folder(of: path) + "/" + target
    }

    package func rename(_ path: String, to target: String) throws(StorageError) {
        let status = systemRename(path, target)
        guard status == 0 else { throw StorageError(.rename, path: target, code: errno) }
    }

    package func remove(_ path: String) throws(StorageError) {
        guard unsafe unlink(SystemPath.cString(path)) == 0 else {
            throw StorageError(.remove, path: path, code: errno)
        }
    }

    package var temporaryFolder: String {
        let folder = ProcessEnvironment.value("TMPDIR") ?? ""
        return folder.isEmpty ? "/tmp" : folder
    }

    package func lock(_ path: String) throws(StorageError) -> (any FileLock)? {
        try SystemLock(path)
    }
}

/// An open file descriptor.
final class SystemFile: ReadableFile, WritableFile {
    private var descriptor: Int32
    private let path: String
    /// Whether to close the descriptor: standard input and output belong to the process.
    private let owned: Bool
    /// The number of bytes written, and how many of them the system was asked to write back.
    private var written = 0
    private var scheduled = 0

    /// The number of bytes for which writeback is requested at once.
    private static let writebackBytes = 8 << 20

    init(descriptor: Int32, path: String, owned: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.owned = owned
    }

    /// - Parameter mode: the permissions of a new file, before the process's mask is applied.
    convenience init(
        _ path: String, flags: Int32, operation: StorageError.Operation, mode: mode_t = 0o600
    ) throws(StorageError) {
        while true {
            // Safety: as in `SystemStorage`: the system only reads the path.
            let descriptor = unsafe open(SystemPath.cString(path), flags | O_CLOEXEC, mode)
            if descriptor >= 0 {
                self.init(descriptor: descriptor, path: path, owned: true)
                return
            }
            guard errno == EINTR else { throw StorageError(operation, path: path, code: errno) }
        }
    }

    /// Opens a regular file of this user. Other users may have put something else at its path: a link, to make the
    /// program read, change or create a file elsewhere, or a pipe, to make it wait forever.
    convenience init(
        own path: String, flags: Int32, operation: StorageError.Operation
    ) throws(StorageError) {
        do throws(StorageError) {
            try self.init(path, flags: flags | O_NOFOLLOW | O_NONBLOCK, operation: operation)
        } catch {
            guard error.code == ELOOP, SystemStorage().isSymbolicLink(path) else { throw error }
            throw StorageError(
                operation, path: path, code: ELOOP, detail: "it is a symbolic link, which is not followed")
        }
        var information = stat()
        // Safety: `fstat` fills in the structure, which outlives the call.
        guard unsafe fstat(descriptor, &information) == 0 else {
            throw StorageError(operation, path: path, code: errno)
        }
        switch information.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw StorageError(operation, path: path, code: EISDIR)
        default:
            throw StorageError(operation, path: path, code: EINVAL, detail: "it is not a regular file")
        }
        guard information.st_uid == geteuid() else {
            throw StorageError(operation, path: path, code: EPERM, detail: "it belongs to another user")
        }
    }

    /// Locks the file, and returns whether it is still the one at the path. On a file system without locks, no
    /// process can mistake it for an abandoned file.
    func isLocked(at path: String) -> Bool {
        while systemLock(descriptor) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { return true }
        }
        return isSame(as: path)
    }

    /// Locks the file.
    ///
    /// - Returns: false if another process has the lock.
    func lock() throws(StorageError) -> Bool {
        while systemLock(descriptor) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw StorageError(.lock, path: path, code: errno) }
        }
        return true
    }

    /// Returns whether this file is the one at the path, where another one may have been created since it was opened.
    func isSame(as path: String) -> Bool {
        var opened = stat()
        var found = stat()
        // Safety: `fstat` and `lstat` fill in the structures, which outlive the calls.
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(SystemPath.cString(path), &found) == 0
        else { return false }
        return opened.st_ino == found.st_ino && opened.st_dev == found.st_dev
    }

    func setAccess(_ access: FileAccess) {
        var permissions = access.permissions
        let (unchanged, others): (UInt32, UInt32) = (.max, 0o007)
        // Only the superuser can change the owner; the owner can choose among the groups that they are in.
        if fchown(descriptor, access.owner, access.group) != 0,
            fchown(descriptor, unchanged, access.group) != 0
        {
            permissions &= ~0o070 | (permissions & others) << 3
        }
        // Last, since changing the owner can clear permissions. If it fails, the file stays private.
        _ = fchmod(descriptor, mode_t(permissions))
    }

    deinit { close() }

    /// Releases the descriptor to the caller, which must close it.
    func release() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    func close() {
        guard owned, descriptor >= 0 else { return }
        systemClose(descriptor)
        descriptor = -1
    }

    func finish() throws(StorageError) {
        guard owned, descriptor >= 0 else { return }
        defer { descriptor = -1 }
        // A call that a signal interrupts has closed the descriptor, too.
        guard systemClose(descriptor) == 0 || errno == EINTR else {
            throw StorageError(.close, path: path, code: errno)
        }
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
                // Safety: the system writes at most `count` bytes into a buffer that outlives the call.
                unsafe systemRead(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw StorageError(.read, path: path, code: errno) }
        }
    }

    func seek(to offset: UInt64) throws(StorageError) {
        // An offset that no file can have fails with the error that the system would report.
        guard let position = off_t(exactly: offset) else {
            throw StorageError(.seek, path: path, code: EINVAL)
        }
        guard lseek(descriptor, position, SEEK_SET) >= 0 else {
            throw StorageError(.seek, path: path, code: errno)
        }
    }

    func write(_ bytes: Span<UInt8>) throws(StorageError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(droppingFirst: written)
            let count = unsafe rest.withUnsafeBytes { buffer in
                // Safety: the system reads at most `count` bytes of a buffer that outlives the call.
                unsafe systemWrite(descriptor, buffer.baseAddress, buffer.count)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw StorageError(.write, path: path, code: errno)
            }
        }
        self.written += written
        scheduleWriteback()
    }

    /// Asks the system to start writing back the bytes written so far, so that `sync` has less to wait for. Otherwise
    /// that would start only when the file is complete.
    private func scheduleWriteback() {
        let count = written - scheduled
        guard owned, count >= Self.writebackBytes else { return }
        sheaf_begin_writeback(descriptor, Int64(scheduled), Int64(count))
        scheduled = written
    }

    /// Continues writing after the first `count` bytes, and cuts off all bytes after those.
    func truncate(to count: UInt64) throws(StorageError) {
        let end = lseek(descriptor, 0, SEEK_END)
        guard let count = off_t(exactly: count), end >= count else {
            throw StorageError(.write, path: path, code: end < 0 ? errno : ENODATA)
        }
        guard ftruncate(descriptor, count) == 0, lseek(descriptor, count, SEEK_SET) == count else {
            throw StorageError(.write, path: path, code: errno)
        }
        written = Int(count)
        scheduled = Int(count)
    }

    func sync() throws(StorageError) {
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw StorageError(.sync, path: path, code: errno) }
        }
    }
}
