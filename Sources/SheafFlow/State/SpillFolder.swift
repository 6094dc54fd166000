import Dispatch
import SheafBytes
import Synchronization

/// Manages the files with a run's spilled state, in a folder that other programs may use too.
///
///     sheaf-spill-1x2y.lock          locked by the process that owns the files, as long as it lives
///     sheaf-spill-1x2y-0.run         sorted state, written once, then read
///     sheaf-spill-1x2y-1.run
///
/// All files are removed when the run ends, whether it succeeds or fails. The next run removes the files of a killed
/// process: those whose lock file it can lock itself. A lock file that a power failure lost is created for that; a
/// living process has its own as long as it has files. Nothing is written until the first file is needed.
///
/// The files of a checkpointed run are in the checkpoint folder instead. They are synced when they are written, and
/// kept until the run's results are in place.
package final class SpillFolder: Sendable {
    private let path: String
    private let storage: any Storage
    /// Whether this is a checkpoint folder.
    private let isKept: Bool
    private let state: Mutex<State>
    /// Limits the number of threads that write state at once.
    private let writers: DispatchSemaphore

    private struct State {
        /// nil before the first file.
        var tag: Tag?
        var nextNumber = 0
        var files: Set<String> = []
        var isClosed = false
        var spilledBytes: UInt64 = 0
    }

    /// The process's prefix for its files, and its lock.
    private typealias Tag = (name: String, lockPath: String, lock: FileLock)

    private static let prefix = "sheaf-spill-"
    private static let lockSuffix = ".lock"
    private static let runSuffix = ".run"

    /// - Parameters:
    ///   - named: the folder that the user named; nil for the system's temporary folder.
    ///   - writers: the maximum number of threads that write state at once; others wait.
    /// - Throws: `ReplayError.usage` if `named` is not a folder.
    package init(
        in named: String?, storage: any Storage, writers: Int = Limits.threadsRange.upperBound
    ) throws(ReplayError) {
        if let named, (try? storage.status(of: named))?.kind != .folder {
            throw .usage("the folder for spilled state, '\(named)', does not exist or is not a directory")
        }
        let folder = named ?? storage.temporaryFolder
        path = folder.hasSuffix("/") ? folder : folder + "/"
        self.storage = storage
        isKept = false
        state = Mutex(State())
        self.writers = DispatchSemaphore(value: writers)
    }

    /// Creates a spill folder in a checkpoint folder.
    ///
    /// - Parameters:
    ///   - path: the folder's path, with a trailing slash.
    ///   - nextNumber: the number of the first new file, which is greater than those of existing files.
    ///   - writers: the maximum number of threads that write state at once; others wait.
    package init(
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

    /// The number of bytes written to files so far.
    var spilledBytes: UInt64 { state.withLock { $0.spilledBytes } }

    /// Writes a state file: `body` receives its writer.
    ///
    /// - Throws: `ReplayError.writing`, or the error that `body` throws. The file is removed then.
    func write(_ body: (inout StateWriter) throws(ReplayError) -> Void) throws(ReplayError) -> StateFile {
        try whileWriting { () throws(ReplayError) in try writeState(body) }
    }

    /// Runs `body`, which keeps a state file open. Waits while the maximum number of threads do so.
    func whileWriting<Result>(_ body: () throws(ReplayError) -> Result) throws(ReplayError) -> Result {
        writers.wait()
        defer { writers.signal() }
        return try body()
    }

    private func writeState(
        _ body: (inout StateWriter) throws(ReplayError) -> Void
    ) throws(ReplayError) -> StateFile {
        var (largestFrame, count): (Int, UInt64) = (0, 0)
        let path = try writeFile { file throws(ReplayError) in
            var writer = try StateWriter(file, magic: .run)
            try body(&writer)
            try writer.end()
            (largestFrame, count) = (writer.largestFrame, writer.byteCount)
        }
        state.withLock { $0.spilledBytes += count }
        return StateFile(path: path, magic: .run, largestFrame: largestFrame)
    }

    /// Writes a file of any format: `body` receives it.
    ///
    /// - Returns: the path.
    /// - Throws: `ReplayError.writing`, or the error that `body` throws. The file is removed then.
    func writeFile(_ body: (any ByteOutput) throws(ReplayError) -> Void) throws(ReplayError) -> String {
        let (path, file) = try makeFile()
        defer { file.close() }
        do throws(ReplayError) {
            try body(file)
            try finish(file)
            // The run has ended meanwhile, and no longer needs the file.
            if state.withLock(\.isClosed) {
                throw .writing(StorageError(.create, path: path, code: ECANCELED))
            }
            return path
        } catch {
            _ = tryToRemove(path)
            throw error
        }
    }

    private func finish(_ file: any WritableFile) throws(ReplayError) {
        do {
            if isKept { try file.sync() }
            try file.finish()
        } catch {
            throw .writing(error)
        }
    }

    /// Removes a file that is no longer needed.
    func remove(_ path: String) {
        // A checkpoint may still refer to the file.
        if isKept { return }
        let isMine = state.withLock { $0.files.contains(path) }
        if isMine { _ = tryToRemove(path) }
    }

    /// Removes a file; if that fails, `files` keeps it. Two threads may remove the same file at once.
    private func tryToRemove(_ path: String) -> Bool {
        do throws(StorageError) {
            try storage.remove(path)
        } catch {
            if error.code != ENOENT { return false }
        }
        state.withLock { _ = $0.files.remove(path) }
        return true
    }

    /// Removes all files. No files can be written after that.
    ///
    /// Files that can't be removed are left to the next run, together with the lock file by which it finds them. This
    /// is not an error, since the caller could do nothing about it.
    package func removeAll() {
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
        // The lock file is removed while it is locked, so that no other run takes these files for abandoned ones.
        if let tag, left.isEmpty { try? storage.remove(tag.lockPath) }
    }

    /// Removes the files of this user's killed processes.
    package func removeAbandoned() {
        if isKept { return }
        guard let names = try? storage.names(in: path) else { return }
        var files: [Substring: [String]] = [:]
        for name in names where name.hasPrefix(Self.prefix) {
            if name.hasSuffix(Self.lockSuffix) {
                files[name.dropLast(Self.lockSuffix.count), default: []] += []
            } else if let tag = Self.tagName(ofRun: name), storage.isOwn(path + name) {
                files[tag, default: []].append(name)
            }
        }
        for (tag, runs) in files {
            let lockPath = path + tag + Self.lockSuffix
            guard let lock = try? storage.lock(lockPath) else { continue }
            let left = runs.filter { (try? storage.remove(path + $0)) == nil }
            if left.isEmpty { try? storage.remove(lockPath) }
            withExtendedLifetime(lock) {}
        }
    }

    /// Returns the prefix of a run's name, which the name of its lock begins with, too; nil if the name is not a run's.
    private static func tagName(ofRun name: String) -> Substring? {
        guard name.hasPrefix(prefix), name.hasSuffix(runSuffix) else { return nil }
        let parts = name.dropFirst(prefix.count).dropLast(runSuffix.count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, TemporaryNames.isTag(parts[0]), UInt64(parts[1]) != nil else { return nil }
        return name.dropLast(runSuffix.count + parts[1].count + 1)
    }

    /// Creates the next file, and registers it for removal. The state is locked meanwhile, so that no file is created
    /// after `removeAll`.
    private func makeFile() throws(ReplayError) -> (path: String, file: any WritableFile) {
        do throws(StorageError) {
            return try state.withLock { state throws(StorageError) in
                // The run has ended while this thread was still working.
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

    /// Returns a path for a file of rejected lines, and registers it for removal.
    package func makeSpoolPath() throws(StorageError) -> String {
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
            let name = Self.prefix + TemporaryNames.randomTag()
            let lockPath = path + name + Self.lockSuffix
            // Another run's cleanup may have locked the file first: then try another name.
            if let lock = try storage.lock(lockPath) {
                return (name, lockPath, lock)
            }
        }
    }
}
