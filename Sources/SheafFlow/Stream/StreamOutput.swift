import SheafBytes

/// The output of live snapshots, and a copy of it in a checkpoint's folder.
///
///     snapshots ──▶ output        a pipe, or a file that is not in place until the run ends
///               └─▶ copy          what a resumed run must not write again
///
/// A resumed run writes a file from the beginning: first the copy up to the checkpoint, then its own snapshots. A pipe
/// has received everything in the copy, which may be more than the checkpoint knows; that part is compared with what
/// the run writes again, and left out.
final class StreamOutput {
    private let output: OutputFile
    private let path: String?
    private let storage: any Storage
    private var copy: (any WritableFile)?
    /// The rest of the copy, which a pipe has received after the checkpoint.
    private var received: (file: any ReadableFile, count: UInt64)?
    /// The number of bytes that were written, by earlier runs too.
    private(set) var byteCount: UInt64 = 0
    /// Whether a reader receives bytes at once.
    var isDirect: Bool { output.isDirect }

    /// - Parameter folder: the path of the checkpoint's folder, which ends with a slash; nil without checkpoints.
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
    ///   - wasDirect: whether a reader received them at once. Otherwise the reader has none of them: the run did not
    ///     end.
    func resume(after count: UInt64, wasDirect: Bool) throws(ReplayError) {
        guard let path else { return }
        do throws(StorageError) {
            let size = try storage.status(of: path)?.size ?? 0
            if size < count { throw StorageError(.read, path: path, code: ENODATA) }
            if wasDirect, output.isDirect {
                let file = try storage.openOwn(path)
                try file.seek(to: count)
                received = (file, size - count)
                copy = try storage.openForAppending(path, keeping: size)
            } else {
                try output.append(path, length: count, storage: storage)
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
                        + "another pace; remove the folder of \(.checkpoint) to start from the beginning")
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
}
