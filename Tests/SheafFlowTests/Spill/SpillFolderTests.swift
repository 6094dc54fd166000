import Foundation
import SheafBytes
import Testing

@testable import SheafFlow

/// Where state is put that does not fit: names, who owns what, and that nothing stays.
@Suite struct SpillFolderTests {
    private static func folder(_ storage: MemoryStorage, _ path: String? = nil) throws -> SpillFolder {
        var options = ReplayOptions(sources: [])
        options.spillFolder = path
        return try SpillFolder(options, storage: storage)
    }

    private static func write(_ folder: SpillFolder) throws -> StateFile {
        let record: [UInt8] = [1, 2, 3]
        return try folder.write { writer throws(ReplayError) in try writer.add(record.span, to: .groups) }
    }

    @Test func nothingIsMadeBeforeTheFirstFile() throws {
        let storage = MemoryStorage()
        let folder = try Self.folder(storage)
        folder.removeAbandoned()
        folder.removeAll()
        #expect(storage.entries.isEmpty)
        #expect(!storage.events.contains { $0.operation != .list })
    }

    struct Place: NamedCase {
        let named: String?
        let prefix: String

        var name: String { named ?? "none" }
    }

    static let places = [
        Place(named: nil, prefix: "temporary/"), Place(named: "spill", prefix: "spill/"),
        Place(named: "spill/", prefix: "spill/"),
    ]

    @Test(arguments: places)
    func filesHaveTheProcessesNameAndNumbers(_ place: Place) throws {
        let storage = MemoryStorage(["spill": .folder])
        let folder = try Self.folder(storage, place.named)
        let paths = try (0..<3).map { _ in try Self.write(folder).path }
        let pattern = /(.*)(sheaf-spill-[0-9a-z]+)-0\.run/
        let match = try #require(paths[0].wholeMatch(of: pattern))
        #expect(match.1 == place.prefix)
        let stem = place.prefix + match.2
        #expect(paths == (0..<3).map { "\(stem)-\($0).run" })
        #expect(Set(storage.entries.keys) == Set(paths + ["\(stem).lock", "spill"]))
        // Made first: a file without its lock would be taken for a dead process's.
        #expect(storage.events.first == MemoryStorage.Event(operation: .lock, path: "\(stem).lock"))
        folder.removeAll()
        #expect(storage.entries == ["spill": .folder])
        #expect(storage.openFiles == 0)
    }

    @Test func filesAreRemovedWhenTheyAreNotNeeded() throws {
        let storage = MemoryStorage(["temporary/other": .file([])])
        let folder = try Self.folder(storage)
        let files = try (0..<3).map { _ in try Self.write(folder) }
        folder.remove(files[1].path)
        #expect(storage[files[1].path] == nil)
        #expect(storage[files[0].path] != nil && storage[files[2].path] != nil)
        folder.remove(files[1].path)
        folder.remove("temporary/other")
        #expect(storage["temporary/other"] != nil, "a file of somebody else")
        #expect(try Self.write(folder).path != files[1].path, "a name is used once")
        folder.removeAll()
        #expect(Set(storage.entries.keys) == ["temporary/other"])
    }

    /// A thread that is still writing when the run has failed leaves nothing, whoever removes its file.
    @Test(arguments: [false, true]) func whatIsWrittenTooLateIsRemoved(isKept: Bool) throws {
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

    /// What looks like this user's but is not stays, and so does the lock that it is found by.
    @Test func anotherUsersFilesStay() throws {
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

    @Test func whatIsWrittenIsCounted() throws {
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

    @Test func nothingIsLeftOfAFileThatFails() throws {
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

    @Test func nothingIsWrittenBehindTheEnd() throws {
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
    func whatIsNoFolderIsRefused(_ path: String) throws {
        let storage = MemoryStorage(["file": .file([])])
        #expect(throws: ReplayError.usage("the folder for spilled state, '\(path)', is not there")) {
            _ = try Self.folder(storage, path)
        }
    }

    /// What a killed process left has a lock that nobody holds.
    @Test func whatIsAbandonedIsRemoved() throws {
        let others = [
            "other", "sheaf-spill-", "sheaf-spill-x", "sheaf-spill-x.txt", "x.lock", "sheaf-spill-x-0.run",
            "sheaf-spill-a-0.run.txt", "xsheaf-spill-a-0.run", "sheaf-spill-a0.run",
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
        // Its own lock is held by a living process as well.
        #expect(storage.entries.count == kept.count + 1)
        withExtendedLifetime(lock) {}
    }

    /// What can't be removed is found by the next run.
    @Test func whatCanNotBeRemovedIsLeftToTheNextRun() throws {
        for wanted in ["-0.run", "-1.run", ".lock"] {
            for isEarly in [false, true] {
                let storage = MemoryStorage { _, event in
                    event.operation == .remove && event.path.hasSuffix(wanted) ? 13 : nil
                }
                let folder = try Self.folder(storage)
                let files = try (0..<2).map { _ in try Self.write(folder) }
                if isEarly { folder.remove(files[0].path) }
                folder.removeAll()
                let left = storage.entries
                #expect(left.keys.contains { $0.hasSuffix(".lock") }, "\(wanted) is never found")
                #expect(left.count == (wanted == ".lock" ? 1 : 2))
                // One that can't remove it either leaves it as it is.
                try Self.folder(storage).removeAbandoned()
                #expect(storage.entries == left)
                let later = MemoryStorage(left)
                try Self.folder(later).removeAbandoned()
                #expect(later.entries.isEmpty)
            }
        }
    }

    /// Tidying up what others left is no reason to fail.
    @Test(arguments: [StorageError.Operation.list, .lock, .remove])
    func whatCanNotBeTidiedIsLeft(_ operation: StorageError.Operation) throws {
        let entries: [String: MemoryStorage.Entry] = [
            "spill": .folder, "spill/sheaf-spill-a.lock": .file([]), "spill/sheaf-spill-a-0.run": .file([]),
        ]
        let storage = MemoryStorage(entries) { _, event in event.operation == operation ? 13 : nil }
        try Self.folder(storage, "spill").removeAbandoned()
        #expect(storage.entries == entries)
    }
}
