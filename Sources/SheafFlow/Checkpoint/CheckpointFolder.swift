import SheafBytes
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder that holds a run's checkpoint, so that the run may be killed at any moment.
///
///     checkpoint.lock    held by the run
///     checkpoint-7       the newest checkpoint, written beside, synced, renamed; the one before stays until then
///     state-7-0.run      what a shard had in memory then
///     spill-3.run        what was spilled before
///     rejects-0          rejected lines of a source, to be written on
///
/// Nothing in it is removed before the run's results are in place, but for what a newer checkpoint replaces.
final class CheckpointFolder: Sendable {
    let path: String
    private let storage: any Storage
    private let lock: any FileLock
    private let newest: Mutex<Newest>

    /// The newest checkpoint.
    private struct Newest {
        /// 0 when there is none.
        var number = 0
        /// It, and all the files that it needs.
        var needed: Set<String> = []

        init() {}

        init(_ number: Int, _ checkpoint: Checkpoint) {
            self.number = number
            needed = ["\(CheckpointNames.checkpointPrefix)\(number)"]
            needed.formUnion(checkpoint.runs + checkpoint.dumps)
            needed.formUnion(checkpoint.rejects.keys.map { CheckpointNames.rejects(of: $0) })
        }
    }

    /// Takes the folder, which is made where it is not there.
    ///
    /// - Throws: `ReplayError.usage` when another run has it, `ReplayError.output` when it can't be used.
    init(_ path: String, storage: any Storage) throws(ReplayError) {
        self.path = path.hasSuffix("/") ? path : path + "/"
        self.storage = storage
        newest = Mutex(Newest())
        let lock: (any FileLock)?
        do {
            lock = try Self.take(path, lockPath: self.path + CheckpointNames.lock, storage)
        } catch {
            throw .output(error)
        }
        guard let lock else { throw .usage("another run has the checkpoint in '\(path)'") }
        self.lock = lock
    }

    private static func take(
        _ path: String, lockPath: String, _ storage: any Storage
    ) throws(StorageError) -> (any FileLock)? {
        switch try storage.status(of: path)?.kind {
        case .folder: break
        case nil:
            try storage.makePrivateFolder(path)
            try storage.syncName(of: path)
        default: throw StorageError(.create, path: path, code: ENOTDIR)
        }
        return try storage.lock(lockPath)
    }

    /// The newest checkpoint; nil when there is none. Files that it does not need are removed: they were written after
    /// it.
    ///
    /// - Throws: `ReplayError.damaged` when there are checkpoints and all are damaged; `ReplayError.writing` when one can't
    ///   be read, which may be better another time.
    func load() throws(ReplayError) -> Checkpoint? {
        let names = try names()
        let numbers = names.compactMap { CheckpointNames.number(of: $0) }.sorted(by: >)
        var failure: ReplayError?
        for number in numbers {
            do throws(ReplayError) {
                let checkpoint = try read(number)
                let found = Newest(number, checkpoint)
                newest.withLock { $0 = found }
                try remove(names, but: found)
                return checkpoint
            } catch {
                guard case .damaged = error else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        try remove(names, but: Newest())
        return nil
    }

    /// Where the newest checkpoint is.
    var newestPath: String { path + CheckpointNames.checkpointPrefix + String(newest.withLock { $0.number }) }

    /// The number of the next checkpoint.
    var nextNumber: Int { newest.withLock { $0.number } + 1 }

    /// Puts a checkpoint in the place of the one before. What it names is on the disk already.
    func write(_ checkpoint: Checkpoint) throws(ReplayError) {
        let before = newest.withLock { $0 }
        let number = before.number + 1
        let target = path + CheckpointNames.checkpointPrefix + String(number)
        let temporary = target + CheckpointNames.temporarySuffix
        var record = OutputBuffer()
        checkpoint.append(to: &record)
        var payload = OutputBuffer()
        payload.appendText(record.bytes)
        do throws(StorageError) {
            // What a killed run left.
            if try storage.status(of: temporary) != nil { try storage.remove(temporary) }
            let file = try storage.createNew(temporary)
            defer { file.close() }
            var frames = try FrameWriter(file, magic: .checkpoint)
            try frames.write(payload.bytes, kind: StateSection.header.rawValue)
            try frames.end()
            try file.sync()
            // The names of the files that it needs, before its own.
            try storage.syncFolder(path)
            try storage.rename(temporary, to: target)
            try storage.syncFolder(path)
        } catch {
            throw .writing(error)
        }
        let now = Newest(number, checkpoint)
        newest.withLock { $0 = now }
        // In this order the one before goes ahead of what it alone needs.
        for name in before.needed.subtracting(now.needed).sorted() { try? storage.remove(path + name) }
    }

    /// Removes everything that a run put here: its results are in place.
    func removeAll() {
        do {
            let names = try names().filter { CheckpointNames.isOwn($0) }
            // Checkpoints first, the oldest of them first, each on the disk too: one that is there has all that it needs.
            let checkpoints = names.compactMap { CheckpointNames.number(of: $0) }.sorted()
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
            // What can't be removed is left to the next run: it goes on from there, or removes it.
        }
    }

    /// Removes what the newest checkpoint does not need: the run has failed, maybe because there is no room.
    func removeUnneeded() {
        let newest = newest.withLock { $0 }
        // One that was renamed and may be on the disk or not: all that it needs stays.
        guard let names = try? names(),
            !names.contains(where: { CheckpointNames.number(of: $0) ?? 0 > newest.number })
        else { return }
        // What can't be removed is left to the next run.
        guard (try? remove(names, but: newest)) != nil, newest.number == 0 else { return }
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
        return try StateReader.only(of: .header, file, storage) { Checkpoint($0) }.value
    }

    private func remove(_ names: [String], but newest: Newest) throws(ReplayError) {
        for name in names where CheckpointNames.isOwn(name) && !newest.needed.contains(name) {
            do {
                try storage.remove(path + name)
            } catch {
                // A thread that was still writing a file when the run failed removes it itself.
                if error.code == ENOENT { continue }
                // The run would make files of these names.
                throw .writing(error)
            }
        }
    }
}

extension RejectSpools {
    /// In a checkpoint's folder.
    init(
        _ folder: CheckpointFolder, lengths: [Int: UInt64], storage: any Storage,
        maximumOpen: Int = Limits.openSpools
    ) {
        self.init(folder: folder.path, lengths: lengths, storage: storage, maximumOpen: maximumOpen)
    }
}
