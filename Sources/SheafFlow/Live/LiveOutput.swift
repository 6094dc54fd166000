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
    /// The rest of the copy, which a pipe has received after the checkpoint.
    private var received: Received?
    /// Whether a reader receives bytes at once.
    var isDirect: Bool { output.isDirect }

    /// The number of bytes that were written, by earlier runs too.
    private(set) var byteCount: UInt64 = 0

    private struct Received {
        let file: any ReadableFile
        var count: UInt64
    }

    /// - Parameter folder: the path of the checkpoint's folder, with a slash at its end; nil without checkpoints.
    init(_ output: OutputFile, copyIn folder: String?, storage: any Storage) {
        self.output = output
        self.storage = storage
        path = folder.map { $0 + CheckpointNames.snapshots }
    }

    deinit {
        copy?.close()
        received?.file.close()
    }

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
    /// - Parameters:
    ///   - count: the number of bytes that were written up to the checkpoint.
    ///   - wasDirect: whether a reader received them at once. Otherwise the reader has none of them: the run did not end.
    func resume(after count: UInt64, wasDirect: Bool) throws(ReplayError) {
        guard let path else { return }
        do throws(StorageError) {
            let size = try storage.status(of: path)?.size ?? 0
            if size < count { throw StorageError(.read, path: path, code: ENODATA) }
            let file = try storage.openOwn(path)
            if wasDirect, output.isDirect {
                try read(file, of: path, count) { _ in }
                received = Received(file: file, count: size - count)
                copy = try storage.openForAppending(path, keeping: size)
            } else {
                defer { file.close() }
                try read(file, of: path, count) { bytes throws(StorageError) in try output.write(bytes) }
                copy = try storage.openForAppending(path, keeping: count)
            }
        } catch {
            throw .writing(error)
        }
        byteCount = count
    }

    /// Writes all of `bytes`, except for those that the output has received.
    func write(_ bytes: Span<UInt8>) throws(ReplayError) {
        let known = try skipReceived(bytes)
        if known < bytes.count {
            let rest = bytes.extracting(droppingFirst: known)
            do throws(StorageError) {
                try output.write(rest)
                try copy?.write(rest)
            } catch {
                throw .writing(error)
            }
        }
        byteCount += UInt64(bytes.count)
    }

    /// Compares bytes with those that the output has received.
    ///
    /// - Returns: the number of first bytes that are among them.
    private func skipReceived(_ bytes: Span<UInt8>) throws(ReplayError) -> Int {
        guard var received = self.received.take() else { return 0 }
        var known = 0
        while known < bytes.count, received.count > 0 {
            let wanted = min(UInt64(bytes.count - known), received.count, UInt64(Limits.copyBytes))
            var buffer = [UInt8](repeating: 0, count: Int(wanted))
            let read: Int
            do throws(StorageError) {
                var input: any ByteInput = received.file
                var target = buffer.mutableSpan
                read = try input.read(into: &target)
                if read == 0 { throw StorageError(.read, path: path ?? "", code: ENODATA) }
            } catch {
                throw .writing(error)
            }
            let part = bytes.extracting(known..<known + read)
            guard buffer.span.extracting(first: read).isEqual(to: part) else {
                throw .usage(
                    "the snapshots after the checkpoint differ from those that were written: the sources were read at "
                        + "another pace; remove the folder of \(.checkpoint) to start anew")
            }
            known += read
            received.count -= UInt64(read)
        }
        if received.count > 0 {
            self.received = received
        } else {
            received.file.close()
        }
        return known
    }

    /// Waits until the copy is on disk.
    func sync() throws(ReplayError) {
        do {
            try copy?.sync()
        } catch {
            throw .writing(error)
        }
    }

    /// Reads the first bytes of the copy.
    private func read(
        _ file: any ReadableFile, of path: String, _ count: UInt64,
        _ body: (Span<UInt8>) throws(StorageError) -> Void
    ) throws(StorageError) {
        var input: any ByteInput = file
        var left = count
        while left > 0 {
            var buffer = [UInt8](repeating: 0, count: Int(min(left, UInt64(Limits.copyBytes))))
            var target = buffer.mutableSpan
            let read = try input.read(into: &target)
            if read == 0 { throw StorageError(.read, path: path, code: ENODATA) }
            try body(buffer.span.extracting(first: read))
            left -= UInt64(read)
        }
    }
}
