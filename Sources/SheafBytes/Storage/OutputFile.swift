/// A file that is written next to its target and renamed into place when it is complete.
///
///     target.ndjson                     the old file, if there is one, until `commit()`
///     .target.ndjson.sheaf-1x2y.tmp      the file being written; gone after `commit()` or `discard()`
///     .target.ndjson.sheaf-1x2y.7.spool  data for it: see `spoolPath`
///
/// The temporary file is locked until it is renamed or removed. A file without a lock was left by a killed process; the
/// next process that writes the same target removes it and its spools.
///
/// The new file takes over the owner and permissions of the file that it replaces, and is private until then.
///
/// A target that is not a regular file (a device, a pipe, standard output) can't be replaced, so it is written
/// directly. A symbolic link is followed: the file that it refers to is replaced, not the link. A target whose
/// name has the suffix of an `OutputCompression` is compressed.
package final class OutputFile: ByteOutput {
    private let storage: any Storage
    private let target: String
    private let temporary: String?
    /// The access of the file that was at the target initially; nil if there was no file.
    private let access: FileAccess?
    /// Whether the target's name is on disk when `commit()` returns.
    private let syncsName: Bool
    private let file: any WritableFile
    private let compressor: (any OutputCompressor)?
    private var isFinished = false
    private var isDone = false

    /// - Parameters:
    ///   - path: the target; `-` is standard output.
    ///   - syncsName: whether `commit()` also waits until the target's name is on disk, so that the caller can then
    ///     remove the data that the file was made from.
    ///   - removesAbandoned: whether to look for files that killed processes left for the target, which lists its folder.
    /// - Throws: `StorageError` if the target can't be written, before anything is written.
    package init(
        _ path: String, storage: any Storage, syncsName: Bool = false, removesAbandoned: Bool = true
    ) throws(StorageError) {
        self.storage = storage
        self.syncsName = syncsName
        let status = path == "-" ? nil : try storage.status(of: path)
        if status?.kind == .folder { throw StorageError(.create, path: path, code: EISDIR) }
        if path == "-" || status?.kind == .other {
            target = path
            temporary = nil
            access = nil
            file = try storage.openForWriting(path)
        } else {
            target = try Self.followingLinks(path, storage)
            access = status?.access
            let names = try TemporaryNames(target)
            if removesAbandoned { names.removeAbandoned(storage) }
            (temporary, file) = try Self.createTemporary(
                names, for: target, isPrivate: status != nil, storage)
        }
        compressor = OutputCompression(path: path)?.compressor()
    }

    deinit { discard() }

    /// Whether a reader receives bytes at once: the target is a pipe, a device or standard output.
    package var isDirect: Bool { temporary == nil }

    /// A path next to the temporary file for data that becomes part of the target later. The caller removes the file;
    /// if the process is killed, the next run removes it together with the temporary file. nil for a device, a pipe
    /// or standard output, which have no temporary file.
    package func spoolPath(_ number: Int) -> String? {
        temporary.map { TemporaryNames.spool(number, of: $0) }
    }

    /// Writes all of `bytes`, compressed if the target is compressed. If that fails, the file is discarded.
    package func write(_ bytes: Span<UInt8>) throws(StorageError) {
        if isFinished { throw StorageError(.write, path: target, code: EBADF) }
        do throws(StorageError) {
            if let compressor {
                try compressor.write(bytes, to: file)
            } else {
                try file.write(bytes)
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Ends the file: all bytes are written, and no more are accepted. Further calls do nothing. If it fails, the
    /// file is discarded.
    package func finish() throws(StorageError) {
        guard !isFinished, !isDone else { return }
        isFinished = true
        do throws(StorageError) {
            try compressor?.finish(to: file)
            guard temporary != nil else { return try file.finish() }
            try adoptAccess()
            // If the file were renamed before it is on disk, it could be empty after a power failure. It stays open,
            // and therefore locked, until it is renamed.
            try file.sync()
        } catch {
            discard()
            throw error
        }
    }

    /// Ends the file and renames it to its target. Further calls do nothing.
    package func commit() throws(StorageError) {
        guard !isDone else { return }
        try finish()
        do throws(StorageError) {
            if let temporary { try storage.rename(temporary, to: target) }
            isDone = true
            file.close()
        } catch {
            discard()
            throw error
        }
        if syncsName, temporary != nil { try storage.syncName(of: target) }
    }

    /// Removes the file unless it was committed. Further calls do nothing.
    package func discard() {
        guard !isDone else { return }
        isDone = true
        // A file that can't be removed is left for the next run.
        if let temporary { try? storage.remove(temporary) }
        file.close()
    }

    /// Takes over the owner and permissions of the file that will be replaced.
    private func adoptAccess() throws(StorageError) {
        let status = try storage.status(of: target)
        // A file that has appeared since the start counts, and so does a file that has disappeared: another process may
        // be replacing it.
        if let access = status?.kind == .file ? status?.access : access { file.setAccess(access) }
    }

    private static func followingLinks(_ path: String, _ storage: any Storage) throws(StorageError) -> String
    {
        storage.isSymbolicLink(path) ? try storage.resolvingLinks(path) : path
    }

    /// Creates a new file in the target's folder.
    ///
    /// - Parameter isPrivate: whether the target's permissions are not those of a new file.
    private static func createTemporary(
        _ names: TemporaryNames, for target: String, isPrivate: Bool, _ storage: any Storage
    ) throws(StorageError) -> (String, any WritableFile) {
        var attempt = 0
        while true {
            let path = names.random()
            do throws(StorageError) {
                return (path, try storage.createTemporary(path, isPrivate: isPrivate))
            } catch {
                attempt += 1
                guard error.code == EEXIST, attempt < 100 else {
                    throw StorageError(.create, path: target, code: error.code)
                }
            }
        }
    }
}
