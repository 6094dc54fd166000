import Foundation
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// The folder for spilled state: file names, ownership, and removal of every file.
@Suite(.tags(.spilling)) struct SpillFolderTests {
    private static func folder(_ storage: any Storage, _ path: String? = nil) throws -> SpillFolder {
        try SpillFolder(in: path, storage: storage)
    }

    private static func write(_ folder: SpillFolder) throws -> StateFile {
        let record: [UInt8] = [1, 2, 3]
        return try folder.write { writer throws(ReplayError) in try writer.add(record.span, to: .groups) }
    }

    @Test func nothingIsCreatedBeforeTheFirstFile() throws {
        let files = MemoryStorage()
        let storage = InterceptedStorage(files)
        let folder = try Self.folder(storage)
        folder.removeAbandoned()
        folder.removeAll()
        #expect(files.entries.isEmpty)
        #expect(!storage.events.contains { $0.operation != .list })
    }

    struct Location: NamedCase {
        let named: String?
        let prefix: String

        var name: String { named ?? "none" }
    }

    static let locations = [
        Location(named: nil, prefix: "temporary/"), Location(named: "spill", prefix: "spill/"),
        Location(named: "spill/", prefix: "spill/"),
    ]

    @Test(arguments: locations)
    func filesAreNamedByProcessAndNumber(_ location: Location) throws {
        let files = MemoryStorage(["spill": .folder])
        let storage = InterceptedStorage(files)
        let folder = try Self.folder(storage, location.named)
        let paths = try (0..<3).map { _ in try Self.write(folder).path }
        let pattern = /(.*)(sheaf-spill-[0-9a-z]+)-0\.run/
        let match = try #require(paths[0].wholeMatch(of: pattern))
        #expect(match.1 == location.prefix)
        let stem = location.prefix + match.2
        #expect(paths == (0..<3).map { "\(stem)-\($0).run" })
        #expect(Set(files.entries.keys) == Set(paths + ["\(stem).lock", "spill"]))
        // Created first: a file without its lock would look like a dead process's file.
        #expect(storage.events.first == InterceptedStorage.Event(operation: .lock, path: "\(stem).lock"))
        folder.removeAll()
        #expect(files.entries == ["spill": .folder])
        #expect(files.openFiles == 0)
    }

    @Test func onlyOwnFilesAreRemoved() throws {
        let storage = MemoryStorage(["temporary/other": .file([])])
        let folder = try Self.folder(storage)
        let files = try (0..<3).map { _ in try Self.write(folder) }
        folder.remove(files[1].path)
        #expect(storage[files[1].path] == nil)
        #expect(storage[files[0].path] != nil && storage[files[2].path] != nil)
        folder.remove(files[1].path)
        folder.remove("temporary/other")
        #expect(storage["temporary/other"] != nil, "a file of another program")
        #expect(try Self.write(folder).path != files[1].path, "a name is used once")
        folder.removeAll()
        #expect(Set(storage.entries.keys) == ["temporary/other"])
    }

    /// If a thread is still writing when the run has failed, no file is left, whichever of them removes it.
    @Test(arguments: [false, true]) func filesFinishedAfterTheEndAreRemoved(isKept: Bool) throws {
        let storage = MemoryStorage(["check": .folder])
        let folder =
            isKept
            ? SpillFolder(checkpoint: "check/", nextNumber: 0, storage: storage) : try Self.folder(storage)
        let record: [UInt8] = [1, 2, 3]
        let error = try #require(throws: ReplayError.self) {
            _ = try folder.write { writer throws(ReplayError) in
                try writer.add(record.span, to: .groups)
                folder.removeAll()
            }
        }
        guard case .writing(let cause) = error else { throw error }
        #expect(cause.code == ECANCELED)
        #expect(storage.entries == ["check": .folder])
        #expect(storage.openFiles == 0)
    }

    /// A file system may notice only when a file is closed that it cannot store all of it.
    @Test func anErrorOfClosingIsReported() throws {
        let files = MemoryStorage()
        let storage = InterceptedStorage(files) { _, event in
            event.operation == .close ? .fails(EDQUOT) : .succeeds
        }
        let folder = try Self.folder(storage)
        let error = #expect(throws: ReplayError.self) { _ = try Self.write(folder) }
        guard case .writing(let cause) = error else { throw try #require(error) }
        #expect(cause.operation == .close && cause.code == EDQUOT)
        folder.removeAll()
        #expect(files.entries.isEmpty)
    }

    /// A power failure may lose the name of a lock and keep those of runs.
    @Test func runsWithoutTheirLockAreRemoved() throws {
        let storage = MemoryStorage([
            "spill": .folder, "spill/sheaf-spill-1z-0.run": .file([]),
            "spill/sheaf-spill-1z-12.run": .file([]),
            "spill/sheaf-spill-2-0.run": .file([]), "spill/sheaf-spill-3-0.run": .unreadable,
        ])
        let lock = try storage.lock("spill/sheaf-spill-2.lock")
        try Self.folder(storage, "spill").removeAbandoned()
        let kept = ["sheaf-spill-2-0.run", "sheaf-spill-2.lock", "sheaf-spill-3-0.run"]
        #expect(Set(storage.entries.keys) == Set(["spill"] + kept.map { "spill/\($0)" }))
        withExtendedLifetime(lock) {}
    }

    /// Files that only look like this user's are kept, and so is the lock by which they are found.
    @Test func otherUsersFilesAreKept() throws {
        let left: [String: MemoryStorage.Entry] = [
            "temporary/sheaf-spill-1.lock": .file([]), "temporary/sheaf-spill-1-0.run": .unreadable,
            "temporary/sheaf-spill-2-0.run": .link("temporary/sheaf-spill-3-0.run"),
            "temporary/sheaf-spill-2.lock": .file([]),
        ]
        let storage = MemoryStorage(left.merging(["temporary/sheaf-spill-1-1.run": .file([])]) { $1 })
        try Self.folder(storage).removeAbandoned()
        #expect(storage["temporary/sheaf-spill-1-1.run"] == nil)
        #expect(storage.entries["temporary/sheaf-spill-1-0.run"] == .unreadable)
        #expect(storage.entries["temporary/sheaf-spill-2-0.run"] != nil)
    }

    @Test func spilledBytesAreCounted() throws {
        let storage = MemoryStorage()
        let folder = try Self.folder(storage)
        #expect(folder.spilledBytes == 0)
        var count = 0
        for _ in 0..<3 {
            let file = try Self.write(folder)
            count += storage[file.path]?.count ?? 0
            #expect(folder.spilledBytes == UInt64(count))
            folder.remove(file.path)
        }
        folder.removeAll()
        #expect(folder.spilledBytes == UInt64(count))
    }

    @Test func aFileThatFailsIsRemoved() throws {
        let storage = MemoryStorage()
        let folder = try Self.folder(storage)
        let file = try Self.write(folder)
        #expect(throws: ReplayError.interrupted(signal: 1)) {
            _ = try folder.write { _ throws(ReplayError) in throw .interrupted(signal: 1) }
        }
        #expect(storage.entries.keys.filter { $0.hasSuffix(".run") } == [file.path])
        #expect(storage.openFiles == 0)
        #expect(folder.spilledBytes == UInt64(storage[file.path]?.count ?? 0))
    }

    @Test func nothingIsWrittenAfterTheEnd() throws {
        let storage = MemoryStorage()
        let folder = try Self.folder(storage)
        _ = try Self.write(folder)
        folder.removeAll()
        folder.removeAll()
        let error = #expect(throws: ReplayError.self) { _ = try Self.write(folder) }
        guard case .writing(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.operation == .create)
        #expect(storage.entries.isEmpty)
    }

    @Test(arguments: ["none", "file"])
    func aPathThatIsNotAFolderIsRefused(_ path: String) throws {
        let storage = MemoryStorage(["file": .file([])])
        let message: OptionMessage =
            "the folder for spilled state, '\(path)', does not exist or is not a directory"
        #expect(throws: ReplayError.usage(message)) {
            _ = try Self.folder(storage, path)
        }
    }

    /// Files of a killed process have a lock that no process holds.
    @Test func abandonedFilesAreRemoved() throws {
        let others = [
            "other", "sheaf-spill-", "sheaf-spill-x", "sheaf-spill-x.txt", "x.lock", "sheaf-spill-X-0.run",
            "sheaf-spill-a-0.run.txt", "xsheaf-spill-a-0.run", "sheaf-spill-a0.run", "sheaf-spill-a-0-0.run",
            "sheaf-spill-a-x.run", "sheaf-spill--0.run", "sheaf-spill-0a-0.run",
        ]
        let abandoned = [
            "sheaf-spill-a.lock", "sheaf-spill-a-0.run", "sheaf-spill-a-17.run", "sheaf-spill-b.lock",
        ]
        let living = ["sheaf-spill-c.lock", "sheaf-spill-c-0.run"]
        var entries: [String: MemoryStorage.Entry] = ["spill": .folder]
        for name in others + abandoned + living { entries["spill/\(name)"] = .file([]) }
        let storage = MemoryStorage(entries)
        let lock = try storage.lock("spill/sheaf-spill-c.lock")
        let folder = try Self.folder(storage, "spill")
        let mine = try Self.write(folder).path
        try Self.folder(storage, "spill").removeAbandoned()
        let kept = Set((others + living).map { "spill/\($0)" } + ["spill", mine])
        #expect(Set(storage.entries.keys.filter { !$0.hasSuffix(".lock") || kept.contains($0) }) == kept)
        #expect(abandoned.allSatisfy { storage["spill/\($0)"] == nil })
        // The folder's own lock is held by a living process, too.
        #expect(storage.entries.count == kept.count + 1)
        withExtendedLifetime(lock) {}
    }

    @Test func filesThatCannotBeRemovedAreLeftToTheNextRun() throws {
        for wanted in ["-0.run", "-1.run", ".lock"] {
            for isEarly in [false, true] {
                let files = MemoryStorage()
                let storage = InterceptedStorage(files) { _, event in
                    event.operation == .remove && event.path.hasSuffix(wanted) ? .fails(EACCES) : .succeeds
                }
                let folder = try Self.folder(storage)
                let written = try (0..<2).map { _ in try Self.write(folder) }
                if isEarly { folder.remove(written[0].path) }
                folder.removeAll()
                let left = files.entries
                #expect(left.keys.contains { $0.hasSuffix(".lock") }, "\(wanted) can't be found later")
                #expect(left.count == (wanted == ".lock" ? 1 : 2))
                // A run that can't remove it either leaves it unchanged.
                try Self.folder(storage).removeAbandoned()
                #expect(files.entries == left)
                let later = MemoryStorage(left)
                try Self.folder(later).removeAbandoned()
                #expect(later.entries.isEmpty)
            }
        }
    }

    /// Failing to remove abandoned files does not fail the run.
    @Test(arguments: [StorageError.Operation.list, .lock, .remove])
    func abandonedFilesThatCannotBeRemovedAreKept(_ operation: StorageError.Operation) throws {
        let entries: [String: MemoryStorage.Entry] = [
            "spill": .folder, "spill/sheaf-spill-a.lock": .file([]), "spill/sheaf-spill-a-0.run": .file([]),
        ]
        let files = MemoryStorage(entries)
        let storage = InterceptedStorage(files) { _, event in
            event.operation == operation ? .fails(EACCES) : .succeeds
        }
        try Self.folder(storage, "spill").removeAbandoned()
        #expect(files.entries == entries)
    }
}
