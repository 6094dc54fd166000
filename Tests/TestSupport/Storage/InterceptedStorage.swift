import Foundation
import SheafBytes
import Synchronization

/// Another storage, with every operation recorded and its outcome decided by a test.
///
/// An operation is recorded before it is performed. Looking up a path's status or its links is not recorded, so that
/// the numbers of the operations stay the same when the code checks more paths.
package final class InterceptedStorage: Storage {
    /// A recorded operation on a path. That of a rename is the target.
    package struct Event: Hashable, CustomStringConvertible, Sendable {
        package let operation: StorageError.Operation
        package let path: String

        package init(operation: StorageError.Operation, path: String) {
            self.operation = operation
            self.path = path
        }

        package var description: String { "\(operation.rawValue) \(path)" }
    }

    /// The outcome of an operation.
    package enum Fate: Sendable {
        /// The storage performs it, which may still fail.
        case succeeds
        case fails(Int32)
        /// Half of the bytes are written, then the write fails.
        case tears(Int32)
        /// The operation and all later ones fail and change nothing.
        case crashes
    }

    /// A lookup, which can fail but is not recorded.
    package enum Lookup: Sendable { case status, links }

    private struct State {
        var events: [Event] = []
        var hasCrashed = false
    }

    private let base: any Storage
    private let state = Mutex(State())
    private let onLookup: @Sendable (Lookup, String) -> Int32?
    private let onEvent: @Sendable (Int, Event) -> Fate

    /// - Parameters:
    ///   - onEvent: called before each operation with its number, starting at 0.
    ///   - onLookup: called before each lookup with its path; an error code makes it fail.
    package init(
        _ base: any Storage, onEvent: @escaping @Sendable (Int, Event) -> Fate = { _, _ in .succeeds },
        onLookup: @escaping @Sendable (Lookup, String) -> Int32? = { _, _ in nil }
    ) {
        self.base = base
        self.onLookup = onLookup
        self.onEvent = onEvent
    }

    /// Creates a storage in which one operation does not succeed.
    package convenience init(_ base: any Storage, at moment: Moment, _ fate: Fate) {
        self.init(base) { moment.isReached(by: $1) ? fate : .succeeds }
    }

    /// Creates a storage in which every write to one path fails.
    package convenience init(_ base: any Storage, failingWritesTo path: String, code: Int32) {
        self.init(base) { $1.operation == .write && $1.path == path ? .fails(code) : .succeeds }
    }

    /// The operations so far.
    package var events: [Event] { state.withLock { $0.events } }
    private var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

    /// Records an operation.
    ///
    /// - Throws: the error of an operation that is not to be performed.
    private func intercept(
        _ operation: StorageError.Operation, _ path: String, onTear: () throws(StorageError) -> Void = {}
    ) throws(StorageError) {
        let event = Event(operation: operation, path: path)
        let number: Int? = state.withLock { state in
            if state.hasCrashed { return nil }
            state.events.append(event)
            return state.events.count - 1
        }
        guard let number else { throw StorageError(operation, path: path, code: EIO) }
        switch onEvent(number, event) {
        case .succeeds:
            if hasCrashed { throw StorageError(operation, path: path, code: EIO) }
        case .fails(let code): throw StorageError(operation, path: path, code: code)
        case .tears(let code):
            try onTear()
            throw StorageError(operation, path: path, code: code)
        case .crashes:
            state.withLock { $0.hasCrashed = true }
            throw StorageError(operation, path: path, code: EIO)
        }
    }

    private func look(_ lookup: Lookup, _ path: String) throws(StorageError) {
        if let code = hasCrashed ? EIO : onLookup(lookup, path) {
            throw StorageError(.open, path: path, code: code)
        }
    }
}

extension InterceptedStorage {
    package func openForReading(_ path: String) throws(StorageError) -> any ReadableFile {
        try intercept(.open, path)
        return Reading(self, path, try base.openForReading(path))
    }

    package func openOwn(_ path: String) throws(StorageError) -> any ReadableFile {
        try intercept(.open, path)
        return Reading(self, path, try base.openOwn(path))
    }

    package func createNew(_ path: String) throws(StorageError) -> any WritableFile {
        try intercept(.create, path)
        return Writing(self, path, try base.createNew(path))
    }

    package func createTemporary(_ path: String, isPrivate: Bool) throws(StorageError) -> any WritableFile {
        try intercept(.create, path)
        return Writing(self, path, try base.createTemporary(path, isPrivate: isPrivate))
    }

    package func openForWriting(_ path: String) throws(StorageError) -> any WritableFile {
        try intercept(.create, path)
        return Writing(self, path, try base.openForWriting(path))
    }

    package func openForAppending(
        _ path: String, keeping count: UInt64
    ) throws(StorageError) -> any WritableFile {
        try intercept(.create, path)
        return Writing(self, path, try base.openForAppending(path, keeping: count))
    }

    package func makeFolder(_ path: String, isPrivate: Bool) throws(StorageError) {
        try intercept(.create, path)
        try base.makeFolder(path, isPrivate: isPrivate)
    }

    package func syncFolder(_ path: String) throws(StorageError) {
        try intercept(.sync, path)
        try base.syncFolder(path)
    }

    package func status(of path: String) throws(StorageError) -> FileStatus? {
        try look(.status, path)
        return try base.status(of: path)
    }

    package func status(of stream: StandardStream) -> FileStatus? { base.status(of: stream) }

    package func isOwn(_ path: String) -> Bool { base.isOwn(path) }

    package func names(in folder: String) throws(StorageError) -> [String] {
        try intercept(.list, folder)
        return try base.names(in: folder)
    }

    package func isSymbolicLink(_ path: String) -> Bool { base.isSymbolicLink(path) }

    package func resolvingLinks(_ path: String) throws(StorageError) -> String {
        try look(.links, path)
        return try base.resolvingLinks(path)
    }

    package func rename(_ path: String, to target: String) throws(StorageError) {
        try intercept(.rename, target)
        try base.rename(path, to: target)
    }

    package func remove(_ path: String) throws(StorageError) {
        try intercept(.remove, path)
        try base.remove(path)
    }

    package var temporaryFolder: String { base.temporaryFolder }

    package func lock(_ path: String) throws(StorageError) -> FileLock? {
        try intercept(.lock, path)
        return try base.lock(path)
    }
}

extension InterceptedStorage {
    private final class Reading: ReadableFile {
        private let storage: InterceptedStorage
        private let path: String
        private var file: any ReadableFile

        init(_ storage: InterceptedStorage, _ path: String, _ file: any ReadableFile) {
            self.storage = storage
            self.path = path
            self.file = file
        }

        func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
            try storage.intercept(.read, path)
            return try file.read(into: &buffer)
        }

        func seek(to offset: UInt64) throws(StorageError) {
            try storage.intercept(.seek, path)
            try file.seek(to: offset)
        }

        func close() { file.close() }
    }

    private final class Writing: WritableFile {
        private let storage: InterceptedStorage
        private let path: String
        private var file: any WritableFile

        init(_ storage: InterceptedStorage, _ path: String, _ file: any WritableFile) {
            self.storage = storage
            self.path = path
            self.file = file
        }

        func write(_ bytes: Span<UInt8>) throws(StorageError) {
            try storage.intercept(.write, path) { () throws(StorageError) in
                try file.write(bytes.extracting(first: bytes.count / 2))
            }
            try file.write(bytes)
        }

        func setAccess(_ access: FileAccess) { file.setAccess(access) }

        func sync() throws(StorageError) {
            try storage.intercept(.sync, path)
            try file.sync()
        }

        func finish() throws(StorageError) {
            do throws(StorageError) {
                try storage.intercept(.close, path)
            } catch {
                // A descriptor is closed even if that fails.
                file.close()
                throw error
            }
            try file.finish()
        }

        func close() { file.close() }
    }
}
