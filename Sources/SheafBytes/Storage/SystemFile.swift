import CSheaf

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
        let descriptor = systemOpen(path, flags, mode: mode)
        guard descriptor >= 0 else { throw StorageError(operation, path: path, code: errno) }
        self.init(descriptor: descriptor, path: path, owned: true)
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
        guard let status = systemStatus(descriptor) else {
            throw StorageError(operation, path: path, code: errno)
        }
        switch status.type {
        case S_IFREG: break
        case S_IFDIR: throw StorageError(operation, path: path, code: EISDIR)
        default:
            throw StorageError(operation, path: path, code: EINVAL, detail: "it is not a regular file")
        }
        guard status.st_uid == geteuid() else {
            throw StorageError(operation, path: path, code: EPERM, detail: "it belongs to another user")
        }
    }

    deinit { close() }

    /// Throws the system's reason if the last call failed.
    private func check(_ succeeded: Bool, _ operation: StorageError.Operation) throws(StorageError) {
        if !succeeded { throw StorageError(operation, path: path, code: errno) }
    }

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
        try check(systemClose(descriptor) == 0 || errno == EINTR, .close)
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        let count = systemRead(descriptor, into: &buffer)
        try check(count >= 0, .read)
        return count
    }

    func seek(to offset: UInt64) throws(StorageError) {
        // An offset that no file can have fails with the error that the system would report.
        guard let position = off_t(exactly: offset) else {
            throw StorageError(.seek, path: path, code: EINVAL)
        }
        try check(lseek(descriptor, position, SEEK_SET) >= 0, .seek)
    }

    func write(_ bytes: Span<UInt8>) throws(StorageError) {
        try check(systemWrite(descriptor, bytes), .write)
        written += bytes.count
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
        try check(
            ftruncate(descriptor, count) == 0 && lseek(descriptor, count, SEEK_SET) == count, .write)
        written = Int(count)
        scheduled = Int(count)
    }

    func sync() throws(StorageError) {
        try check(repeatingInterrupted { fsync(descriptor) } == 0, .sync)
    }

    /// Locks the file, and returns whether it is still the one at the path. On a file system without locks, no
    /// process can mistake it for an abandoned file.
    func isLocked(at path: String) -> Bool {
        do throws(StorageError) { return try lock() && isSame(as: path) } catch { return true }
    }

    /// Locks the file.
    ///
    /// - Returns: false if another process has the lock.
    func lock() throws(StorageError) -> Bool {
        if systemLock(descriptor) == 0 { return true }
        try check(errno == EWOULDBLOCK, .lock)
        return false
    }

    /// Returns whether this file is the one at the path, where another file may have been created since it was opened.
    func isSame(as path: String) -> Bool {
        guard let opened = systemStatus(descriptor), let found = systemStatus(path, followsLinks: false)
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
}
