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

    package func openForAppending(_ path: String, keeping count: UInt64) throws(StorageError)
        -> any WritableFile
    {
        let file = try SystemFile(own: path, flags: O_WRONLY, operation: .create)
        try file.truncate(to: count)
        return file
    }

    /// Refuses a stream that is closed, or that `StandardStream.openClosed` opened because it was closed.
    private static func check(
        _ stream: StandardStream, isOpenFor mode: Int32, _ name: String, _ operation: StorageError.Operation
    ) throws(StorageError) {
        let flags = fcntl(stream.rawValue, F_GETFL)
        guard flags < 0 || flags & O_ACCMODE != mode && flags & O_ACCMODE != O_RDWR else { return }
        throw StorageError(operation, path: name, code: EBADF, detail: "it is closed")
    }

    package func makeFolder(_ path: String, isPrivate: Bool) throws(StorageError) {
        guard unsafe mkdir(SystemPath.cString(path), isPrivate ? 0o700 : 0o777) == 0 else {
            throw StorageError(.create, path: path, code: errno)
        }
    }

    package func syncFolder(_ path: String) throws(StorageError) {
        try SystemFile(path, flags: O_RDONLY, operation: .open).sync()
    }

    package func rename(_ path: String, to target: String) throws(StorageError) {
        guard systemRename(path, target) == 0 else { throw StorageError(.rename, path: target, code: errno) }
    }

    package func remove(_ path: String) throws(StorageError) {
        guard unsafe unlink(SystemPath.cString(path)) == 0 else {
            throw StorageError(.remove, path: path, code: errno)
        }
    }

    package var temporaryFolder: String {
        let folder = CurrentProcess.environment("TMPDIR") ?? ""
        return folder.isEmpty ? "/tmp" : folder
    }

    /// Locks a file (`flock`). A process that has the lock may remove the file: other processes then find that their
    /// file is no longer at the path.
    package func lock(_ path: String) throws(StorageError) -> FileLock? {
        while true {
            let file = try SystemFile(own: path, flags: O_RDWR | O_CREAT, operation: .lock)
            guard try file.lock() else { return nil }
            if file.isSame(as: path) {
                let descriptor = file.release()
                return FileLock { systemClose(descriptor) }
            }
            // The previous owner removed the file between the two calls, so a lock on it is worthless.
        }
    }
}

// MARK: - Status, names and links

extension SystemStorage {
    package func status(of path: String) throws(StorageError) -> FileStatus? {
        guard let status = systemStatus(path) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StorageError(.open, path: path, code: errno)
        }
        return FileStatus(status)
    }

    package func status(of stream: StandardStream) -> FileStatus? {
        systemStatus(stream.rawValue).map { FileStatus($0) }
    }

    package func isOwn(_ path: String) -> Bool {
        guard let status = systemStatus(path, followsLinks: false) else { return false }
        return status.type == S_IFREG && status.st_uid == geteuid()
    }

    package func isSymbolicLink(_ path: String) -> Bool {
        systemStatus(path, followsLinks: false)?.type == S_IFLNK
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

    /// Resolves the links in the path of a file that does not exist yet.
    private func resolvingMissing(_ path: String) throws(StorageError) -> String {
        if isSymbolicLink(path) { return try resolvingLinks(path) }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let folder = try resolvingLinks(folder(of: path))
        return folder == "/" ? folder + name : folder + "/" + name
    }

    /// Returns the path that a symbolic link holds, relative to the same folder as `path`; nil if there is no such link.
    private func linkTarget(_ path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            // Safety: the system writes at most `count` bytes into a buffer that outlives the call.
            unsafe readlink(SystemPath.cString(path), buffer.baseAddress!, buffer.count)
        }
        guard count > 0 else { return nil }
        let target = SystemPath.text(Array(bytes[..<count]))
        return target.hasPrefix("/") ? target : folder(of: path) + "/" + target
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        let kind: Kind =
            switch status.type {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        #if canImport(Darwin)
        let modified = status.st_mtimespec
        #else
        let modified = status.st_mtim
        #endif
        self.init(
            kind: kind, size: UInt64(max(0, status.st_size)),
            identity: FileIdentity(
                device: UInt64(truncatingIfNeeded: status.st_dev),
                inode: UInt64(truncatingIfNeeded: status.st_ino)),
            modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
            access: FileAccess(
                permissions: UInt32(status.st_mode) & 0o777, owner: status.st_uid, group: status.st_gid))
    }
}
