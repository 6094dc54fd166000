import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// The permissions of output files.
@Suite struct OutputAccessTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    private func permissions(_ name: String) throws -> UInt32? {
        try storage.status(of: folder.path(name))?.access?.permissions
    }

    private func setPermissions(_ permissions: Int, _ name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: folder.path(name))
    }

    @Test(arguments: [0o600, 0o640, 0o644, 0o666, 0o604, 0o755, 0o444, 0o200])
    func replacedFileKeepsItsPermissions(_ permissions: Int) throws {
        try folder.write("old", to: "out")
        try setPermissions(permissions, "out")
        let file = try OutputFile(folder.path("out"), storage: storage)
        let temporary = try #require(folder.names.first { $0 != "out" })
        #expect(try self.permissions(temporary) == 0o600, "while it is temporary")
        try file.finish()
        #expect(try self.permissions(temporary) == UInt32(permissions))
        try file.commit()
        #expect(try self.permissions("out") == UInt32(permissions))
        #expect(folder.names == ["out"])
    }

    /// The special bits are meant for programs, and are dangerous if the owner cannot be preserved.
    @Test func specialBitsAreCleared() throws {
        try folder.write("old", to: "out")
        try setPermissions(0o4755, "out")
        try OutputFile(folder.path("out"), storage: storage).commit()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("out"))
        #expect(attributes[.posixPermissions] as? Int == 0o755)
    }

    @Test func newFileHasDefaultPermissions() throws {
        let other = unsafe open(folder.path("other"), O_WRONLY | O_CREAT, 0o666)
        _ = close(other)
        let usual = try permissions("other")
        let file = try OutputFile(folder.path("out"), storage: storage)
        let temporary = try #require(folder.names.first { $0 != "other" })
        #expect(try permissions(temporary) == usual)
        try file.commit()
        #expect(try permissions("out") == usual)
    }

    /// The permissions of the file at the target at commit time count, not those from before.
    @Test func targetMayChangeBeforeTheCommit() throws {
        let file = try OutputFile(folder.path("out"), storage: storage)
        try folder.write("other", to: "out")
        try setPermissions(0o600, "out")
        try file.commit()
        #expect(try permissions("out") == 0o600)
        let second = try OutputFile(folder.path("out"), storage: storage)
        try storage.remove(folder.path("out"))
        try second.commit()
        #expect(try permissions("out") == 0o600, "the permissions from before it was removed")
    }

    @Test func linkTargetKeepsItsPermissions() throws {
        try folder.write("old", to: "target")
        try setPermissions(0o640, "target")
        try folder.link("link", to: "target")
        try OutputFile(folder.path("link"), storage: storage).commit()
        #expect(try permissions("target") == 0o640)
        #expect(folder.linkTarget("link") == "target")
    }

    @Test func replacedFileKeepsItsOwner() throws {
        // Only the superuser can change a file's owner.
        guard geteuid() == 0 else { return }
        try folder.write("old", to: "out")
        try FileManager.default.setAttributes(
            [.ownerAccountID: 1000, .groupOwnerAccountID: 1001, .posixPermissions: 0o660],
            ofItemAtPath: folder.path("out"))
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(
            try storage.status(of: folder.path("out"))?.access
                == FileAccess(permissions: 0o660, owner: 1000, group: 1001))
    }

    @Test func stateFilesArePrivate() throws {
        try storage.createNew(folder.path("file")).close()
        let lock = try storage.lock(folder.path("lock"))
        try storage.makeFolder(folder.path("folder"), isPrivate: true)
        #expect(try permissions("file") == 0o600)
        #expect(try permissions("lock") == 0o600)
        #expect(try permissions("folder") == 0o700)
        withExtendedLifetime(lock) {}
    }
}

/// The program's own files, whose names other users can predict.
@Suite struct OwnFileTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    /// The ways to open one.
    static let ways = ["read", "append", "lock"]

    private func open(_ name: String, _ way: String) throws(StorageError) {
        let path = folder.path(name)
        switch way {
        case "read": try storage.openOwn(path).close()
        case "append": try storage.openForAppending(path, keeping: 0).close()
        default: _ = try storage.lock(path)
        }
    }

    @Test(arguments: ways) func ownFileIsOpened(_ way: String) throws {
        try folder.write("text", to: "file")
        try open("file", way)
        #expect(storage.isOwn(folder.path("file")))
    }

    @Test(arguments: ways, ["victim", "missing"]) func linkIsRejected(_ way: String, _ target: String) throws
    {
        try folder.write("theirs", to: "victim")
        try folder.link("link", to: target)
        let error = try #require(throws: StorageError.self) { try open("link", way) }
        #expect(error.code == ELOOP)
        #expect(error.reason == "it is a symbolic link, which is not followed")
        #expect(folder.names == ["link", "victim"])
        #expect(folder.content("victim") == "theirs")
        #expect(!storage.isOwn(folder.path("link")))
    }

    /// Opening a pipe does not wait for its other end.
    @Test(arguments: ways) func pipeIsRejected(_ way: String) throws {
        let made = unsafe mkfifo(folder.path("pipe"), 0o600)
        #expect(made == 0)
        #expect(throws: StorageError.self) { try open("pipe", way) }
        #expect(!storage.isOwn(folder.path("pipe")))
    }

    @Test(arguments: ways) func folderIsRejected(_ way: String) throws {
        try folder.makeFolder("folder")
        let error = try #require(throws: StorageError.self) { try open("folder", way) }
        #expect(error.code == EISDIR)
        #expect(!storage.isOwn(folder.path("folder")))
    }

    @Test(arguments: ways) func fileOfAnotherUserIsRejected(_ way: String) throws {
        guard geteuid() == 0 else { return }
        try folder.write("theirs", to: "file")
        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: folder.path("file"))
        let error = try #require(throws: StorageError.self) { try open("file", way) }
        #expect(error.code == EPERM)
        #expect(error.reason == "it belongs to another user")
        #expect(folder.content("file") == "theirs")
        #expect(!storage.isOwn(folder.path("file")))
    }
}
