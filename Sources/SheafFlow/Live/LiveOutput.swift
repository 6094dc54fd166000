import SheafBytes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The output of live snapshots, and a copy of it in a checkpoint's folder.
///
///     snapshots ──▶ output        a pipe, or a file that is not in place until the run ends
///               └─▶ copy          what a resumed run must not write again
///
/// A file is written anew by a resumed run: first the copy up to the checkpoint, then what follows. A pipe has received
/// everything in the copy, which may be more than the checkpoint knows; that part is compared with what the run writes
/// again, and left out.
final class LiveOutput {
    private let output: OutputFile
    private let path: String?
    private let storage: any Storage
    private var copy: (any WritableFile)?
    /// The part of the copy that a pipe has received after the checkpoint.
    private var received: [UInt8] = []
    private var receivedOffset = 0
    /// The number of bytes that were written, by earlier runs too.
    private(set) var byteCount: UInt64 = 0

    /// - Parameter folder: the path of the checkpoint's folder, with a slash at its end; nil without checkpoints.
    init(_ output: OutputFile, copyIn folder: String?, storage: any Storage) {
        self.output = output
        self.storage = storage
        path = folder.map { $0 + CheckpointNames.snapshots }
    }

    deinit { copy?.close() }

    /// Begins the first run.
    func begin() throws(ReplayError) {
        guard let path else { return }
        do {
            copy = try storage.createNew(path)
        } catch {
            throw .writing(error)
        }
    }

    /// Continues a run.
    ///
    /// - Parameter count: the number of bytes that were written up to the checkpoint.
    func resume(after count: UInt64) throws(ReplayError) {
        guard let path else { return }
        do throws(StorageError) {
            let size = try storage.status(of: path)?.size ?? 0
            if size < count { throw StorageError(.read, path: path, code: ENODATA) }
            if output.isDirect {
                received = try tail(of: path, from: count, size)
                copy = try storage.openForAppending(path, keeping: size)
            } else {
                try copyStart(of: path, count)
                copy = try storage.openForAppending(path, keeping: count)
            }
        } catch {
            throw .writing(error)
        }
        byteCount = count
    }

    /// Writes all of `bytes`, except for what the output has received.
    func write(_ bytes: Span<UInt8>) throws(ReplayError) {
        let known = min(bytes.count, received.count - receivedOffset)
        byteCount += UInt64(bytes.count)
        if known > 0 {
            let range = receivedOffset..<receivedOffset + known
            guard received.span.extracting(range).isEqual(to: bytes.extracting(first: known)) else {
                throw .usage(
                    "the snapshots after the checkpoint differ from those that were written: the sources were read at "
                        + "another pace; remove the folder of \(.checkpoint) to start anew")
            }
            receivedOffset += known
            if known == bytes.count { return }
        }
        let rest = bytes.extracting(droppingFirst: known)
        do throws(StorageError) {
            try output.write(rest)
            try copy?.write(rest)
        } catch {
            throw .writing(error)
        }
    }

    /// Waits until the copy is on disk.
    func sync() throws(ReplayError) {
        do {
            try copy?.sync()
        } catch {
            throw .writing(error)
        }
    }

    /// Writes the first bytes of the copy to the output.
    private func copyStart(of path: String, _ count: UInt64) throws(StorageError) {
        let file = try storage.openOwn(path)
        defer { file.close() }
        var input: any ByteInput = file
        var buffer = [UInt8](repeating: 0, count: Limits.copyBytes)
        var left = count
        while left > 0 {
            var target = buffer.mutableSpan
            let read = min(UInt64(try input.read(into: &target)), left)
            if read == 0 { throw StorageError(.read, path: path, code: ENODATA) }
            try output.write(buffer.span.extracting(first: Int(read)))
            left -= read
        }
    }

    private func tail(of path: String, from start: UInt64, _ size: UInt64) throws(StorageError) -> [UInt8] {
        let file = try storage.openOwn(path)
        defer { file.close() }
        var input: any ByteInput = file
        var offset: UInt64 = 0
        var tail: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Limits.copyBytes)
        while offset < size {
            var target = buffer.mutableSpan
            let read = try input.read(into: &target)
            if read == 0 { break }
            let skipped = Int(min(UInt64(read), start > offset ? start - offset : 0))
            tail.append(buffer.span.extracting(first: read).extracting(droppingFirst: skipped))
            offset += UInt64(read)
        }
        return tail
    }
}
