import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// Appending to files, and changes to folders.
@Suite struct SystemStorageChangeTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [(0, "+"), (1, "o+"), (3, "old+")])
    func appendingKeepsTheGivenBytes(kept: Int, expected: String) throws {
        try folder.write("old", to: "file")
        let file = try storage.openForAppending(folder.path("file"), keeping: UInt64(kept))
        let bytes = Array("+".utf8)
        try file.write(bytes.span)
        try file.sync()
        file.close()
        #expect(folder.content("file") == expected)
    }

    @Test func openingForAppendingTruncatesImmediately() throws {
        try folder.write("old", to: "file")
        let file = try storage.openForAppending(folder.path("file"), keeping: 2)
        #expect(folder.content("file") == "ol")
        file.close()
    }

    @Test(arguments: [4, UInt64(Int64.max), .max]) func appendingPastTheEndFails(_ count: UInt64) throws {
        try folder.write("old", to: "file")
        #expect(throws: StorageError(.write, path: folder.path("file"), code: ENODATA)) {
            _ = try storage.openForAppending(folder.path("file"), keeping: count)
        }
        #expect(folder.content("file") == "old")
    }

    @Test func appendingToAMissingFileFails() {
        #expect(throws: StorageError(.create, path: folder.path("file"), code: ENOENT)) {
            _ = try storage.openForAppending(folder.path("file"), keeping: 0)
        }
        #expect(folder.names == [])
    }

    @Test func privateFoldersAreCreatedOnce() throws {
        try storage.makePrivateFolder(folder.path("folder"))
        #expect(try storage.status(of: folder.path("folder"))?.kind == .folder)
        #expect(throws: StorageError(.create, path: folder.path("folder"), code: EEXIST)) {
            try storage.makePrivateFolder(folder.path("folder"))
        }
        #expect(throws: StorageError(.create, path: folder.path("a/b"), code: ENOENT)) {
            try storage.makePrivateFolder(folder.path("a/b"))
        }
    }

    @Test func foldersCanBeSynced() throws {
        try storage.syncFolder(folder.path)
        try storage.syncFolder(".")
        #expect(throws: StorageError(.open, path: folder.path("none"), code: ENOENT)) {
            try storage.syncFolder(folder.path("none"))
        }
    }

    @Test func modificationTimesAreInNanoseconds() throws {
        try folder.write("old", to: "file")
        let path = folder.path("file")
        let before = try #require(try storage.status(of: path)?.modified)
        #expect(before > 1_000_000_000 * 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000.25)], ofItemAtPath: path)
        #expect(try storage.status(of: path)?.modified == 1_000_250_000_000)
    }
}
