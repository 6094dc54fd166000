import Foundation
import TestSupport
import Testing

@testable import SheafBytes

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
