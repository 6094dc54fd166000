import Foundation
import TestSupport
import Testing

@testable import SheafBytes

@Suite struct SystemStorageTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    @Test func writtenFilesAreReadBack() throws {
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let file = try storage.createNew(folder.path("file"))
        try file.write(content.span)
        let nothing: [UInt8] = []
        try file.write(nothing.span)
        file.close()
        file.close()
        var read: [UInt8] = []
        var source = try storage.openForReading(folder.path("file"))
        var buffer = [UInt8](repeating: 0, count: 30_000)
        while true {
            var target = buffer.mutableSpan
            let count = try source.read(into: &target)
            if count == 0 { break }
            read += buffer[..<count]
        }
        source.close()
        source.close()
        #expect(read == content)
        #expect(try storage.status(of: folder.path("file"))?.size == 100_000)
    }

    @Test func closedFilesCannotBeUsed() throws {
        let path = folder.path("file")
        let file = try storage.createNew(path)
        file.close()
        let bytes: [UInt8] = [1]
        #expect(throws: StorageError(.write, path: path, code: EBADF)) { try file.write(bytes.span) }
        var source = try storage.openForReading(path)
        source.close()
        var buffer: [UInt8] = [0]
        let error = try #require(throws: StorageError.self) {
            var target = buffer.mutableSpan
            _ = try source.read(into: &target)
        }
        #expect(error == StorageError(.read, path: path, code: EBADF))
    }

    /// A descriptor that is not closed explicitly is closed with its object. Otherwise the process would run out of
    /// descriptors.
    @Test func descriptorsAreClosedWithTheirObjects() throws {
        try folder.write("text", to: "file")
        for _ in 0..<5000 { _ = try storage.openForReading(folder.path("file")) }
    }

    @Test func creatingAnExistingFileFails() throws {
        try folder.write("old", to: "file")
        try folder.link("link", to: "missing")
        for name in ["file", "link"] {
            #expect(throws: StorageError(.create, path: folder.path(name), code: EEXIST)) {
                _ = try storage.createNew(folder.path(name))
            }
        }
        #expect(folder.content("file") == "old")
    }

    @Test func missingFilesAreReported() throws {
        let path = folder.path("missing")
        #expect(throws: StorageError(.open, path: path, code: ENOENT)) {
            _ = try storage.openForReading(path)
        }
        #expect(throws: StorageError(.create, path: path, code: ENOENT)) {
            _ = try storage.openForWriting(path)
        }
        #expect(throws: StorageError(.list, path: path, code: ENOENT)) { try storage.names(in: path) }
        #expect(throws: StorageError(.remove, path: path, code: ENOENT)) { try storage.remove(path) }
        #expect(throws: StorageError(.open, path: path, code: ENOENT)) { try storage.resolvingLinks(path) }
        #expect(throws: StorageError(.rename, path: folder.path("to"), code: ENOENT)) {
            try storage.rename(path, to: folder.path("to"))
        }
        #expect(try storage.status(of: path) == nil)
        #expect(!storage.isSymbolicLink(path))
        #expect(folder.names == [])
    }

    @Test func readingAFolderFails() {
        #expect(throws: StorageError(.open, path: folder.path, code: EISDIR)) {
            _ = try storage.openForReading(folder.path)
        }
    }

    @Test func openingForWritingKeepsTheContent() throws {
        try folder.write("old text", to: "file")
        let file = try storage.openForWriting(folder.path("file"))
        let bytes = [UInt8]("new")
        try file.write(bytes.span)
        file.close()
        #expect(folder.content("file") == "new text")
    }

    @Test func statusFollowsLinks() throws {
        try folder.write("12345", to: "file")
        try folder.makeFolder("folder")
        try folder.link("link", to: "file")
        try folder.link("dangling", to: "missing")
        try folder.link("loop", to: "loop")
        let file = try #require(try storage.status(of: folder.path("file")))
        let inner = try #require(try storage.status(of: folder.path("folder")))
        #expect(file.kind == .file)
        #expect(file.size == 5)
        #expect(inner.kind == .folder)
        #expect(inner.identity != file.identity)
        #expect(try storage.status(of: folder.path("link")) == file)
        #expect(try storage.status(of: "\(folder.path)/folder/../file") == file)
        #expect(try storage.status(of: folder.path("dangling")) == nil)
        #expect(try storage.status(of: folder.path("file/inside")) == nil)
        #expect(throws: StorageError(.open, path: folder.path("loop"), code: ELOOP)) {
            try storage.status(of: folder.path("loop"))
        }
        #expect(try storage.status(of: "/dev/null")?.kind == .other)
    }

    @Test func namesIncludeHiddenFilesAndFolders() throws {
        #expect(try storage.names(in: folder.path) == [])
        let names = ["a", "b c", ".hidden", "ünïcödé", "日本", String(repeating: "n", count: 255)]
        for name in names { try folder.write("", to: name) }
        try folder.makeFolder("folder")
        #expect(try storage.names(in: folder.path).sorted() == (names + ["folder"]).sorted())
        #expect(throws: StorageError(.list, path: folder.path("a"), code: ENOTDIR)) {
            try storage.names(in: folder.path("a"))
        }
    }

    @Test func linksAreResolved() throws {
        try folder.write("text", to: "file")
        try folder.makeFolder("folder")
        try folder.link("link", to: "file")
        try folder.link("folder/up", to: "../link")
        try folder.link("dangling", to: "missing")
        #expect(storage.isSymbolicLink(folder.path("link")))
        #expect(storage.isSymbolicLink(folder.path("dangling")))
        #expect(!storage.isSymbolicLink(folder.path("file")))
        #expect(!storage.isSymbolicLink(folder.path("folder")))
        let resolved = try storage.resolvingLinks(folder.path("file"))
        #expect(try storage.resolvingLinks(folder.path("link")) == resolved)
        #expect(try storage.resolvingLinks(folder.path("folder/up")) == resolved)
        #expect(resolved.hasSuffix("/file"))
    }

    @Test func renamingReplacesTheTarget() throws {
        try folder.write("new", to: "new")
        try folder.write("old", to: "old")
        try folder.makeFolder("folder")
        try storage.rename(folder.path("new"), to: folder.path("old"))
        #expect(folder.names == ["folder", "old"])
        #expect(folder.content("old") == "new")
        #expect(throws: StorageError(.rename, path: folder.path("folder"), code: EISDIR)) {
            try storage.rename(folder.path("old"), to: folder.path("folder"))
        }
        try storage.remove(folder.path("old"))
        #expect(folder.names == ["folder"])
    }

    @Test func errorsDescribeTheOperationAndReason() {
        let error = StorageError(.open, path: "/some/log", code: ENOENT)
        #expect("\(error)" == "/some/log: cannot open: No such file or directory")
        #expect(StorageError(.write, path: "-", code: EPIPE).isClosedPipe)
        #expect(!error.isClosedPipe)
        #expect(!StorageError(.read, path: "x", code: 99_999).reason.isEmpty)
    }

    @Test func memoryInputReadsInSteps() throws {
        var input = MemoryInput([1, 2, 3, 4, 5], step: 2)
        var buffer = [UInt8](repeating: 0, count: 3)
        var counts: [Int] = []
        var bytes: [UInt8] = []
        for _ in 0..<5 {
            var target = buffer.mutableSpan
            let count = try input.read(into: &target)
            counts.append(count)
            bytes += buffer[..<count]
        }
        #expect(counts == [2, 2, 1, 0, 0])
        #expect(bytes == [1, 2, 3, 4, 5])
    }
}

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
        try storage.makeFolder(folder.path("folder"), isPrivate: true)
        #expect(try storage.status(of: folder.path("folder"))?.kind == .folder)
        #expect(throws: StorageError(.create, path: folder.path("folder"), code: EEXIST)) {
            try storage.makeFolder(folder.path("folder"), isPrivate: true)
        }
        #expect(throws: StorageError(.create, path: folder.path("a/b"), code: ENOENT)) {
            try storage.makeFolder(folder.path("a/b"), isPrivate: true)
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

/// File locks, which have at most one holder across threads and processes.
@Suite struct SystemLockTests {
    private let folder: TemporaryFolder
    private let path: String
    private let storage = SystemStorage()

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("a.lock")
    }

    @Test func lockingCreatesTheFile() throws {
        let lock = try storage.lock(path)
        #expect(lock != nil)
        #expect(folder.names == ["a.lock"])
    }

    @Test func existingFileIsNotChanged() throws {
        try folder.write("content", to: "a.lock")
        let lock = try storage.lock(path)
        #expect(lock != nil)
        #expect(folder.content("a.lock") == "content")
    }

    @Test func heldLockCannotBeTakenAgain() throws {
        let lock = try storage.lock(path)
        #expect(try storage.lock(path) == nil)
        #expect(try storage.lock(path) == nil)
        let other = try storage.lock(folder.path("b.lock"))
        #expect(other != nil)
        withExtendedLifetime(lock) {}
    }

    @Test func lockIsReleasedWithItsObject() throws {
        var lock = try storage.lock(path)
        #expect(try storage.lock(path) == nil)
        lock = nil
        lock = try storage.lock(path)
        #expect(lock != nil)
        #expect(folder.names == ["a.lock"])
    }

    /// If the holder removes the file, the next lock creates a new one.
    @Test func removedFileIsReplacedByANewLock() throws {
        let first = try storage.lock(path)
        try storage.remove(path)
        let second = try storage.lock(path)
        #expect(second != nil)
        #expect(folder.names == ["a.lock"])
        #expect(try storage.lock(path) == nil)
        withExtendedLifetime(first) {}
        withExtendedLifetime(second) {}
    }

    /// Threads that take the lock and remove its file never hold it at the same time.
    @Test func lockIsExclusiveWhileItsFileIsRemoved() throws {
        let (path, mark, storage) = (path, folder.path("mark"), storage)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            var taken = 0
            while taken < 50 {
                guard let lock = try? storage.lock(path) else { continue }
                taken += 1
                // The holder creates the mark, which exists only while the lock is held.
                do {
                    try storage.createNew(mark).close()
                    try storage.remove(mark)
                    try storage.remove(path)
                } catch {
                    Issue.record("two threads held the lock: \(error)")
                }
                withExtendedLifetime(lock) {}
            }
        }
        #expect(folder.names == [])
    }

    /// Starts a shell that holds the lock until its input ends; nil if the system has no `flock`.
    private func shellWithLock() throws -> (process: Process, input: Pipe)? {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "command -v flock >/dev/null || exit 0; exec 9>\"$0\"; flock -n 9 && echo taken && read _",
            path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let reply = output.fileHandleForReading.availableData
        return reply.isEmpty ? nil : (process, input)
    }

    @Test func otherProcessHoldsTheLockUntilItExits() throws {
        guard let shell = try shellWithLock() else { return }
        #expect(try storage.lock(path) == nil)
        shell.input.fileHandleForWriting.closeFile()
        shell.process.waitUntilExit()
        #expect(try storage.lock(path) != nil)
    }

    @Test func killedProcessReleasesTheLock() throws {
        guard let shell = try shellWithLock() else { return }
        kill(shell.process.processIdentifier, SIGKILL)
        shell.process.waitUntilExit()
        #expect(try storage.lock(path) != nil)
    }

    @Test func missingFoldersAndFoldersAreReported() {
        let missing = folder.path("none/a.lock")
        #expect(throws: StorageError(.lock, path: missing, code: ENOENT)) { try storage.lock(missing) }
        #expect(throws: StorageError(.lock, path: folder.path, code: EISDIR)) {
            try storage.lock(folder.path)
        }
    }
}
