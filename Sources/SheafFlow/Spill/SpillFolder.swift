import Dispatch
import SheafBytes
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a run keeps state that does not fit its memory: files in a folder that others use too.
///
///     sheaf-spill-1x2y.lock          held by the process whose files these are, for as long as it lives
///     sheaf-spill-1x2y-0.run         sorted state, written once, then read
///     sheaf-spill-1x2y-1.run
///
/// All of them are removed at the end, however that comes; what a killed process left is known by a lock that nobody
/// holds, and removed by the next run. Nothing is written before the first file is wanted.
///
/// Where a run is checkpointed its files stand in the checkpoint's folder instead, are put on the disk when they are
/// written, and stay there until the run's results are in place.
final class SpillFolder: Sendable {
    private let path: String
    private let storage: any Storage
    /// Whether the folder is a checkpoint's.
    private let isKept: Bool
    private let state: Mutex<State>
    /// Has room for as many threads as may write state at once.
    private let writers: DispatchSemaphore

    private struct State {
        /// The process's name for its files, with the lock; nil before the first one.
        var tag: Tag?
        var nextNumber = 0
        var files: Set<String> = []
        var isClosed = false
        var spilledBytes: UInt64 = 0
    }

    private struct Tag {
        let name: String
        let lockPath: String
        let lock: any FileLock
    }

    private static let prefix = "sheaf-spill-"
    private static let lockSuffix = ".lock"
    private static let runSuffix = ".run"

    /// - Throws: `ReplayError.usage` when what was named is no folder.
    ///
    /// - Parameter writers: how many threads may write state at once; others wait.
    init(
        _ options: ReplayOptions, storage: any Storage, writers: Int = Limits.threadsRange.upperBound
    ) throws(ReplayError) {
        if let named = options.spillFolder, (try? storage.status(of: named))?.kind != .folder {
            throw .usage("the folder for spilled state, '\(named)', is not there")
        }
        let folder = options.spillFolder ?? storage.temporaryFolder
        path = folder.hasSuffix("/") ? folder : folder + "/"
        self.storage = storage
        isKept = false
        state = Mutex(State())
        self.writers = DispatchSemaphore(value: writers)
    }

    /// In a checkpoint's folder.
    ///
    /// - Parameters:
    ///   - path: the folder's, with a slash at its end.
    ///   - nextNumber: the number of the first file, behind those that are there.
    ///   - writers: how many threads may write state at once; others wait.
    init(
        checkpoint path: String, nextNumber: Int, storage: any Storage,
        writers: Int = Limits.threadsRange.upperBound
    ) {
        self.path = path
        self.storage = storage
        isKept = true
        state = Mutex(State(nextNumber: nextNumber))
        self.writers = DispatchSemaphore(value: writers)
    }

    /// The number of the next file.
    var nextNumber: Int { state.withLock { $0.nextNumber } }

    /// How much was written to files so far.
    var spilledBytes: UInt64 { state.withLock { $0.spilledBytes } }

    /// Writes a file of state: `body` is given its writer.
    ///
    /// - Throws: `ReplayError.writing`, or what `body` throws; nothing is left of the file then.
    func write(_ body: (inout StateWriter) throws(ReplayError) -> Void) throws(ReplayError) -> StateFile {
        try whileWriting { () throws(ReplayError) in try writeFile(body) }
    }

    /// Runs `body`, which has a file of state open, once few enough threads do such a thing.
    func whileWriting<Result>(_ body: () throws(ReplayError) -> Result) throws(ReplayError) -> Result {
        writers.wait()
        defer { writers.signal() }
        return try body()
    }

    private func writeFile(
        _ body: (inout StateWriter) throws(ReplayError) -> Void
    ) throws(ReplayError) -> StateFile {
        let (path, file) = try makeFile()
        defer { file.close() }
        do throws(ReplayError) {
            var writer = try StateWriter(file, magic: .run)
            try body(&writer)
            try writer.end()
            if isKept { try Self.sync(file) }
            let count = writer.byteCount
            let largestFrame = writer.largestFrame
            let isClosed = state.withLock { state in
                state.spilledBytes += count
                return state.isClosed
            }
            // Too late for anybody to know of it.
            if isClosed { throw .writing(StorageError(.create, path: path, code: ECANCELED)) }
            return StateFile(path: path, magic: .run, largestFrame: largestFrame)
        } catch {
            _ = tryToRemove(path)
            throw error
        }
    }

    private static func sync(_ file: any WritableFile) throws(ReplayError) {
        do {
            try file.sync()
        } catch {
            throw .writing(error)
        }
    }

    /// Removes a file that is not needed any more.
    func remove(_ path: String) {
        // A checkpoint may need it.
        if isKept { return }
        let isMine = state.withLock { $0.files.contains(path) }
        if isMine { _ = tryToRemove(path) }
    }

    /// Removes a file, which stays known when it can't be. Two threads may do so at once.
    private func tryToRemove(_ path: String) -> Bool {
        do throws(StorageError) {
            try storage.remove(path)
        } catch {
            if error.code != ENOENT { return false }
        }
        state.withLock { _ = $0.files.remove(path) }
        return true
    }

    /// Removes all files. No more can be written.
    ///
    /// What can't be removed is left to the next run, with the file of the lock, by which that finds it: there is nobody
    /// to tell who could do more.
    func removeAll() {
        let (files, tag) = state.withLock { state in
            defer {
                state.files = []
                state.tag = nil
                state.isClosed = true
            }
            return (state.files, state.tag)
        }
        if isKept { return }
        let left = files.filter { !tryToRemove($0) }
        // The lock's file goes while the lock is held, so that nobody takes these files for a dead process's.
        if let tag, left.isEmpty { try? storage.remove(tag.lockPath) }
    }

    /// Removes what processes of this user left that were killed.
    func removeAbandoned() {
        if isKept { return }
        guard let names = try? storage.names(in: path) else { return }
        for name in names where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.lockSuffix) {
            guard let lock = try? storage.lock(path + name) else { continue }
            let files = name.dropLast(Self.lockSuffix.count) + "-"
            let left = names.filter { file in
                guard file.hasPrefix(files), file.hasSuffix(Self.runSuffix), storage.isOwn(path + file) else {
                    return false
                }
                return (try? storage.remove(path + file)) == nil
            }
            if left.isEmpty { try? storage.remove(path + name) }
            withExtendedLifetime(lock) {}
        }
    }

    /// One more file, which is noted so that it is removed in the end. Made while the state is locked: no file is
    /// behind `removeAll`.
    private func makeFile() throws(ReplayError) -> (path: String, file: any WritableFile) {
        do throws(StorageError) {
            return try state.withLock { state throws(StorageError) in
                // The run has ended, in the middle of something.
                if state.isClosed { throw StorageError(.create, path: path, code: ECANCELED) }
                let path = path + (try name(&state))
                let file = try storage.createNew(path)
                state.nextNumber += 1
                state.files.insert(path)
                return (path, file)
            }
        } catch {
            throw .writing(error)
        }
    }

    /// The path of one more file, for rejected lines, that is removed in the end like the others.
    func makeSpoolPath() throws(StorageError) -> String {
        try state.withLock { state throws(StorageError) in
            if state.isClosed { throw StorageError(.create, path: path, code: ECANCELED) }
            let path = path + (try name(&state))
            state.nextNumber += 1
            state.files.insert(path)
            return path
        }
    }

    private func name(_ state: inout State) throws(StorageError) -> String {
        if isKept { return CheckpointNames.spill(state.nextNumber) }
        let tag: Tag
        if let known = state.tag { tag = known } else { tag = try makeTag() }
        state.tag = tag
        return "\(tag.name)-\(state.nextNumber)\(Self.runSuffix)"
    }

    private func makeTag() throws(StorageError) -> Tag {
        while true {
            let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36)
            let lockPath = path + name + Self.lockSuffix
            // Somebody who cleans up may have been quicker: then another name.
            if let lock = try storage.lock(lockPath) {
                return Tag(name: name, lockPath: lockPath, lock: lock)
            }
        }
    }
}
