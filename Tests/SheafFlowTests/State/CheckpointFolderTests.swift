import Foundation
import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// The folder of a run's checkpoint: which checkpoint is loaded, and which files are removed or kept.
@Suite struct CheckpointFolderTests {
    private static func checkpoint(
        dumps: [String] = [], runs: [String] = [], rejects: [Int: SpoolContents] = [:], next: Int = 0
    ) -> Checkpoint {
        var options = ReplayOptions(sources: [])
        options.maximumArguments = 1
        return Checkpoint(
            header: options.header(of: SourceTable(paths: ["a", "b"])), maximumLine: 1, keepsRejects: true,
            identities: [
                SourceIdentity(size: 1, modified: 2, head: 3), SourceIdentity(size: 1, modified: 2, head: 3),
            ],
            progress: [.ended, .ended], rejects: rejects, counts: RunCounts(), runs: runs, dumps: dumps,
            nextNumber: next)
    }

    private static func folder(_ storage: any Storage) throws -> CheckpointFolder {
        try CheckpointFolder("check", storage: storage)
    }

    private static func names(_ storage: MemoryStorage) -> [String] {
        storage.paths.filter { $0.hasPrefix("check/") }.map { String($0.dropFirst(6)) }
    }

    @Test func anEmptyFolderHasNoCheckpoint() throws {
        let storage = MemoryStorage()
        let folder = try Self.folder(storage)
        #expect(try folder.load() == nil)
        #expect(folder.nextNumber == 1)
        #expect(Self.names(storage) == ["checkpoint.lock"])
    }

    @Test func theNewestCheckpointIsLoaded() throws {
        let storage = MemoryStorage()
        do {
            let folder = try Self.folder(storage)
            for number in 1...3 {
                #expect(folder.nextNumber == number)
                try folder.write(Self.checkpoint(next: number))
                #expect(Self.names(storage) == ["checkpoint-\(number)", "checkpoint.lock"])
            }
        }
        let folder = try Self.folder(storage)
        #expect(try folder.load() == Self.checkpoint(next: 3))
        #expect(folder.nextNumber == 4)
    }

    @Test func numbersAreComparedNumerically() throws {
        let storage = MemoryStorage()
        do {
            let folder = try Self.folder(storage)
            for number in 1...9 { try folder.write(Self.checkpoint(next: number)) }
            storage["check/checkpoint-10"] = storage["check/checkpoint-9"]
            storage["check/checkpoint-9"] = Array("old".utf8)
        }
        #expect(try Self.folder(storage).load() == Self.checkpoint(next: 9))
        #expect(Self.names(storage) == ["checkpoint-10", "checkpoint.lock"])
    }

    @Test func anOlderCheckpointReplacesADamagedOne() throws {
        let storage = MemoryStorage()
        do {
            let folder = try Self.folder(storage)
            try folder.write(Self.checkpoint(dumps: ["state-1-0.run"], next: 1))
            let first = storage["check/checkpoint-1"]
            try folder.write(Self.checkpoint(next: 2))
            storage["check/checkpoint-1"] = first
            storage["check/checkpoint-2"] = storage["check/checkpoint-2"]?.dropLast()
            storage["check/state-1-0.run"] = []
            storage["check/state-2-0.run"] = []
        }
        let folder = try Self.folder(storage)
        #expect(try folder.load()?.nextNumber == 1)
        #expect(folder.nextNumber == 2)
        #expect(Self.names(storage) == ["checkpoint-1", "checkpoint.lock", "state-1-0.run"])
    }

    @Test func theNewestIsNamedIfAllAreDamaged() throws {
        let files = ["check/checkpoint-1": Array("x".utf8), "check/checkpoint-2": Array("SHCKP".utf8)]
        let storage = MemoryStorage(files: files)
        let folder = try Self.folder(storage)
        let error = try #require(throws: ReplayError.self) { _ = try folder.load() }
        #expect(error == .damaged(path: "check/checkpoint-2", .foreign, offset: 0))
        #expect("\(error)" == "check/checkpoint-2: damaged at byte 0: the file has a different format")
        #expect(Self.names(storage) == ["checkpoint-1", "checkpoint-2", "checkpoint.lock"])
    }

    /// It may be readable later: an older one does not replace it, and it is not removed.
    @Test func anUnreadableCheckpointIsNotSkipped() throws {
        let whole = MemoryStorage()
        try Self.folder(whole).write(Self.checkpoint(next: 1))
        let bytes = try #require(whole["check/checkpoint-1"])
        let storage = MemoryStorage(files: ["check/checkpoint-1": bytes, "check/checkpoint-2": bytes])
        let folder = try Self.folder(
            InterceptedStorage(storage) { _, event in
                event.operation == .read && event.path == "check/checkpoint-2" ? .fails(EIO) : .succeeds
            })
        let error = StorageError(.read, path: "check/checkpoint-2", code: EIO)
        #expect(throws: ReplayError.writing(error)) { _ = try folder.load() }
        #expect(Self.names(storage) == ["checkpoint-1", "checkpoint-2", "checkpoint.lock"])
    }

    private static let needed = [
        "spill-0.run", "spill-12.run", "state-1-0.run", "state-1-1.run", "rejects-1",
    ]
    private static let unneeded = [
        "checkpoint-2.tmp", "state-2-0.run", "state-1-2.run", "spill-1.run", "rejects-0",
    ]
    private static let foreign = [
        "checkpoint", "checkpoint-", "checkpoint-x", "checkpoint-01", "checkpoint-+3", "checkpoint-1.gz",
        "checkpoint-1-2", "state-1.run", "state-of-things.run", "state-1-0.run.gz", "state-1-0",
        "state-1-0-0.run",
        "spill-.run", "spill-x.run", "spill-1", "rejects-1.ndjson", "rejects-", "rejects", "notes",
        "lock.txt",
    ]

    @Test func onlyUnneededFilesAreRemoved() throws {
        let storage = MemoryStorage()
        do {
            let folder = try Self.folder(storage)
            try folder.write(
                Self.checkpoint(
                    dumps: ["state-1-0.run", "state-1-1.run"], runs: ["spill-0.run", "spill-12.run"],
                    rejects: [1: SpoolContents()]))
        }
        let kept = Self.needed + Self.foreign
        for name in kept + Self.unneeded { storage["check/\(name)"] = [] }
        #expect(try Self.folder(storage).load() != nil)
        #expect(Self.names(storage) == (kept + ["checkpoint-1", "checkpoint.lock"]).sorted())
    }

    @Test func removingAllKeepsForeignFiles() throws {
        let storage = MemoryStorage()
        let folder = try Self.folder(storage)
        try folder.write(Self.checkpoint())
        for name in Self.needed + Self.unneeded + Self.foreign { storage["check/\(name)"] = [] }
        folder.removeAll()
        #expect(Self.names(storage) == Self.foreign.sorted())
    }

    /// While a checkpoint exists, so does every file that it needs.
    @Test func checkpointsAreRemovedFirst() throws {
        let files = MemoryStorage()
        let storage = InterceptedStorage(files)
        let folder = try Self.folder(storage)
        try folder.write(Self.checkpoint(dumps: ["state-1-0.run"]))
        files["check/state-1-0.run"] = []
        let before = storage.events.count
        folder.removeAll()
        #expect(
            storage.events[before...].map(\.description) == [
                "list check", "sync check/", "remove check/checkpoint-1", "sync check/",
                "remove check/state-1-0.run",
                "remove check/checkpoint.lock",
            ])
    }

    @Test func aSecondRunIsRefused() throws {
        let storage = MemoryStorage()
        let folder = try Self.folder(storage)
        let error = #expect(throws: ReplayError.inUse(folder: "check")) {
            _ = try Self.folder(storage)
        }
        #expect(
            error?.description
                == "check: another run is using this checkpoint folder; try again when it has ended, or use another folder"
        )
        withExtendedLifetime(folder) {}
    }

    @Test func theLockIsReleasedWithTheFolder() throws {
        let storage = MemoryStorage()
        do { _ = try Self.folder(storage) }
        _ = try Self.folder(storage)
    }

    @Test func thePathMustBeAFolder() {
        let storage = MemoryStorage(files: ["file": []])
        #expect(throws: ReplayError.output(StorageError(.create, path: "file", code: ENOTDIR))) {
            _ = try CheckpointFolder("file", storage: storage)
        }
        #expect(throws: ReplayError.output(StorageError(.create, path: "none/check", code: ENOENT))) {
            _ = try CheckpointFolder("none/check", storage: storage)
        }
    }

    /// The names of the files that a checkpoint needs are on the disk before the checkpoint's own name.
    @Test func namesAreSyncedInOrder() throws {
        let storage = InterceptedStorage(MemoryStorage())
        try Self.folder(storage).write(Self.checkpoint())
        #expect(
            storage.events.map(\.description) == [
                "create check", "sync .", "lock check/checkpoint.lock", "create check/checkpoint-1.tmp",
                "write check/checkpoint-1.tmp", "write check/checkpoint-1.tmp",
                "write check/checkpoint-1.tmp",
                "write check/checkpoint-1.tmp", "sync check/checkpoint-1.tmp", "sync check/",
                "rename check/checkpoint-1", "sync check/",
            ])
    }

    /// `syncName` syncs the folder that contains the name.
    @Test(arguments: [
        ("file", "."), ("folder/file", "folder"), ("a/b/", "a"), ("/file", "/"), ("/a/b", "/a"),
        ("./file", "."),
        ("a//b", "a"), ("folder/", "."),
    ])
    func syncingNames(path: String, folder: String) throws {
        let storage = InterceptedStorage(
            MemoryStorage(files: [:], folders: ["folder", "a", "/", "/a"]))
        try storage.syncName(of: path)
        #expect(storage.events.map(\.description) == ["sync \(folder)"])
    }
}
