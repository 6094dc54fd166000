import SheafBytes
import Synchronization

/// A folder that holds a run's checkpoint, so that the run may be killed at any moment.
///
///     checkpoint.lock    held by the run
///     checkpoint-7       the newest checkpoint: written to a temporary file, synced and renamed; the previous
///                        checkpoint is kept until then
///     state-7-0.run      the state that a shard had in memory at that time
///     spill-3.run        the state that was spilled before
///     rejects-0          rejected lines of a source; a resumed run appends to it
///     snapshots          the live snapshots that were written; a resumed run appends to it
///
/// Nothing that the newest checkpoint needs is removed before the run's results are in place.
final class CheckpointFolder: Sendable {
    let path: String
    private let storage: any Storage
    private let lock: FileLock
    private let newest: Mutex<Newest>

    /// The newest checkpoint.
    private struct Newest {
        /// 0 before the first checkpoint.
        var number = 0
        /// The names of the checkpoint and of all files that it needs.
        var needed: Set<String> = []

        init() {}

        init(_ number: Int, _ checkpoint: Checkpoint) {
            self.number = number
            needed = ["\(CheckpointNames.checkpointPrefix)\(number)"]
            needed.formUnion(checkpoint.runs + checkpoint.dumps)
            if checkpoint.stream != nil { needed.insert(CheckpointNames.snapshots) }
            needed.formUnion(checkpoint.rejects.keys.map { CheckpointNames.rejects(of: $0) })
        }
    }

    /// Locks the folder, and creates it if it does not exist.
    ///
    /// - Throws: `ReplayError.inUse` if another run holds the lock, `ReplayError.output` if the folder can't be used.
    init(_ path: String, storage: any Storage) throws(ReplayError) {
        self.path = path.hasSuffix("/") ? path : path + "/"
        self.storage = storage
        newest = Mutex(Newest())
        let lock: FileLock?
        do {
            lock = try Self.take(path, lockPath: self.path + CheckpointNames.lock, storage)
        } catch {
            throw .output(error)
        }
        guard let lock else { throw .inUse(folder: path) }
        self.lock = lock
    }

    private static func take(
        _ path: String, lockPath: String, _ storage: any Storage
    ) throws(StorageError) -> FileLock? {
        switch try storage.status(of: path)?.kind {
        case .folder: break
        case nil:
            try storage.makeFolder(path, isPrivate: true)
            try storage.syncName(of: path)
        default: throw StorageError(.create, path: path, code: ENOTDIR)
        }
        return try storage.lock(lockPath)
    }

    /// Loads the newest checkpoint that is not damaged; nil if the folder has none. Files that the checkpoint does not
    /// need are removed, since they were written after it.
    ///
    /// - Throws: `ReplayError.damaged` if there are checkpoints but all are damaged; `ReplayError.writing` if one can't
    ///   be read, which may be temporary.
    func load() throws(ReplayError) -> Checkpoint? {
        let names = try names()
        let numbers = names.compactMap { CheckpointNames.number(of: $0) }.ordered { $0 > $1 }
        var failure: ReplayError?
        for number in numbers {
            do throws(ReplayError) {
                let checkpoint = try read(number)
                let found = Newest(number, checkpoint)
                newest.withLock { $0 = found }
                try remove(names, except: found)
                return checkpoint
            } catch {
                guard case .damaged = error else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        try remove(names, except: Newest())
        return nil
    }

    /// The path of the newest checkpoint.
    var newestPath: String { path + CheckpointNames.checkpointPrefix + String(newest.withLock { $0.number }) }

    /// The number of the next checkpoint.
    var nextNumber: Int { newest.withLock { $0.number } + 1 }

    /// Replaces the previous checkpoint. The files that `checkpoint` names must already be synced.
    func write(_ checkpoint: Checkpoint) throws(ReplayError) {
        let previous = newest.withLock { $0 }
        let number = previous.number + 1
        let target = path + CheckpointNames.checkpointPrefix + String(number)
        let temporary = target + CheckpointNames.temporarySuffix
        var record = OutputBuffer()
        checkpoint.append(to: &record)
        var payload = OutputBuffer()
        payload.appendText(record.bytes)
        do throws(StorageError) {
            // A killed run may have left this file.
            if try storage.status(of: temporary) != nil { try storage.remove(temporary) }
            let file = try storage.createNew(temporary)
            defer { file.close() }
            var frames = try FrameWriter(file, magic: .checkpoint)
            try frames.write(payload.bytes, kind: StateSection.header.rawValue)
            try frames.end()
            try file.sync()
            // The directory entries of the files that the checkpoint needs must be on disk before its own.
            try storage.syncFolder(path)
            try storage.rename(temporary, to: target)
            try storage.syncFolder(path)
        } catch {
            throw .writing(error)
        }
        let now = Newest(number, checkpoint)
        newest.withLock { $0 = now }
        // In this order the previous checkpoint is removed before the files that only it needs.
        for name in previous.needed.subtracting(now.needed).ordered() { try? storage.remove(path + name) }
    }

    /// Removes all files of a run whose results are in place.
    func removeAll() {
        do {
            let names = try names().filter { CheckpointNames.isOwn($0) }
            // Checkpoints go first, the oldest of them first, and each removal is synced: a checkpoint that still
            // exists has all the files that it needs.
            let checkpoints = names.compactMap { CheckpointNames.number(of: $0) }.ordered()
            for number in checkpoints {
                try storage.syncFolder(path)
                try storage.remove("\(path)\(CheckpointNames.checkpointPrefix)\(number)")
            }
            if !checkpoints.isEmpty { try storage.syncFolder(path) }
            for name in names where CheckpointNames.number(of: name) == nil {
                try? storage.remove(path + name)
            }
            try storage.remove(path + CheckpointNames.lock)
        } catch {
            // Files that can't be removed are left to the next run, which resumes from them or removes them.
        }
    }

    /// Removes the files that the newest checkpoint does not need, after a failed run: the disk may be full.
    func removeUnneeded() {
        let newest = newest.withLock { $0 }
        // A newer checkpoint has been renamed but may not be on disk yet: everything that it needs must stay.
        guard let names = try? names(),
            !names.contains(where: { CheckpointNames.number(of: $0) ?? 0 > newest.number })
        else { return }
        // Files that can't be removed are left to the next run.
        guard (try? remove(names, except: newest)) != nil, newest.number == 0 else { return }
        try? storage.remove(path + CheckpointNames.lock)
    }

    private func names() throws(ReplayError) -> [String] {
        do {
            return try storage.names(in: String(path.dropLast()))
        } catch {
            throw .writing(error)
        }
    }

    private func read(_ number: Int) throws(ReplayError) -> Checkpoint {
        let file = StateFile(
            path: path + CheckpointNames.checkpointPrefix + String(number), magic: .checkpoint)
        return try StateReader.onlyRecord(of: .header, file, storage) { Checkpoint($0) }.value
    }

    private func remove(_ names: [String], except newest: Newest) throws(ReplayError) {
        for name in names where CheckpointNames.isOwn(name) && !newest.needed.contains(name) {
            do {
                try storage.remove(path + name)
            } catch {
                // A thread that was still writing a file when the run failed removes the file itself.
                if error.code == ENOENT { continue }
                // The run would create files with the same names.
                throw .writing(error)
            }
        }
    }
}

extension RejectSpools {
    /// Creates spools in a checkpoint's folder.
    init(
        _ folder: CheckpointFolder, contents: [Int: SpoolContents], storage: any Storage,
        maximumOpen: Int = Limits.openSpools
    ) {
        self.init(folder: folder.path, contents: contents, storage: storage, maximumOpen: maximumOpen)
    }
}
