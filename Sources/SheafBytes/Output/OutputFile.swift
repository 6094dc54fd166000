#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is written beside its target and renamed into place when it is whole.
///
///     target.ndjson            the old file, or none, until `commit()`
///     .target.ndjson.1x2y.tmp   what is being written; gone after `commit()` or `discard()`
///
/// A target that is no regular file (a device, a pipe, standard output) can't be replaced: it is written as it
/// is. A symbolic link is followed: the file that it names is replaced, not the link. A `.gz` target is
/// compressed.
public final class OutputFile: ByteOutput {
    private let storage: any Storage
    private let target: String
    private let temporary: String?
    /// Whether the target's name is on the disk when `commit()` returns.
    private let syncsName: Bool
    private let file: any WritableFile
    private var compressor: GzipCompressor?
    private var isFinished = false
    private var isDone = false

    /// - Parameters:
    ///   - path: the target; `-` is standard output.
    ///   - tag: tells the temporary file from others of the same target. Nobody else has it: a file that is there
    ///     was left by a process that was killed, and is replaced. Whoever gives one may remove what the file could be
    ///     made from again as soon as `commit()` returns. nil: any that nobody has.
    /// - Throws: `StorageError`, before anything is written, when the target can't be.
    public init(_ path: String, storage: any Storage, tag: String? = nil) throws(StorageError) {
        self.storage = storage
        syncsName = tag != nil
        let status = path == "-" ? nil : try storage.status(of: path)
        if status?.kind == .folder { throw StorageError(.create, path: path, code: EISDIR) }
        if path == "-" || status?.kind == .other {
            target = path
            temporary = nil
            file = try storage.openForWriting(path)
        } else {
            target = try Self.followingLinks(path, storage)
            (temporary, file) = try Self.createTemporary(beside: target, storage, tag)
        }
        compressor = path.hasSuffix(".gz") ? GzipCompressor() : nil
    }

    /// The file that `commit()` replaces or makes, symbolic links followed; nil where the target is written as it is.
    public var replacedPath: String? { temporary == nil ? nil : target }

    deinit { discard() }

    /// Writes all of `bytes`, or what they become compressed. A file that could not be written is discarded.
    public func write(_ bytes: Span<UInt8>) throws(StorageError) {
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

    /// Ends the file: everything is written, and nothing more can be. Further calls do nothing. Where it fails
    /// the file is discarded.
    public func finish() throws(StorageError) {
        guard !isFinished, !isDone else { return }
        isFinished = true
        do throws(StorageError) {
            try compressor?.finish(to: file)
            // Renamed before it is on the disk, a file could be found empty after a power failure.
            if temporary != nil { try file.sync() }
            file.close()
        } catch {
            discard()
            throw error
        }
    }

    /// Ends the file and puts it in its target's place. Further calls do nothing.
    public func commit() throws(StorageError) {
        guard !isDone else { return }
        try finish()
        do throws(StorageError) {
            if let temporary { try storage.rename(temporary, to: target) }
            isDone = true
        } catch {
            discard()
            throw error
        }
        if syncsName, temporary != nil { try storage.syncName(of: target) }
    }

    /// Removes what was written, unless it was committed. Further calls do nothing.
    public func discard() {
        guard !isDone else { return }
        isDone = true
        file.close()
        // A file that can't be removed is left: there is nobody to tell who could do more.
        if let temporary { try? storage.remove(temporary) }
    }

    private static func followingLinks(_ path: String, _ storage: any Storage) throws(StorageError) -> String
    {
        storage.isSymbolicLink(path) ? try storage.resolvingLinks(path) : path
    }

    /// A new file in the target's folder, with a name that tells where it is from.
    private static func createTemporary(
        beside target: String, _ storage: any Storage, _ fixedTag: String?
    ) throws(StorageError) -> (String, any WritableFile) {
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(target[...$0]) } ?? ""
        let name = slash.map { String(target[target.utf8.index(after: $0)...]) } ?? target
        guard !name.isEmpty else { throw StorageError(.create, path: target, code: ENOENT) }
        // A name may have 255 bytes: a long one leaves no room for what is put around it.
        let start = String(decoding: name.utf8.prefix(200), as: UTF8.self)
        var attempt = 0
        while true {
            let tag = fixedTag ?? String(UInt64.random(in: .min ... .max), radix: 36)
            let path = "\(folder).\(start).\(tag).tmp"
            do throws(StorageError) {
                return (path, try storage.createNew(path))
            } catch {
                attempt += 1
                guard error.code == EEXIST, attempt < 100 else {
                    throw StorageError(.create, path: target, code: error.code)
                }
                if fixedTag != nil { try storage.remove(path) }
            }
        }
    }
}
