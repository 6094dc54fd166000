import Foundation
import Testing

@testable import SheafBytes

/// Locks on files: one holder at a time, whoever it is.
@Suite struct SystemLockTests {
    private let folder: TemporaryFolder
    private let path: String
    private let storage = SystemStorage()

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("a.lock")
    }

    @Test func aLockMakesItsFile() throws {
        let lock = try storage.lock(path)
        #expect(lock != nil)
        #expect(folder.names == ["a.lock"])
    }

    @Test func aFileThatIsThereStaysAsItIs() throws {
        try folder.write("content", to: "a.lock")
        let lock = try storage.lock(path)
        #expect(lock != nil)
        #expect(folder.content("a.lock") == "content")
    }

    @Test func aLockIsTakenOnce() throws {
        let lock = try storage.lock(path)
        #expect(try storage.lock(path) == nil)
        #expect(try storage.lock(path) == nil)
        let other = try storage.lock(folder.path("b.lock"))
        #expect(other != nil)
        withExtendedLifetime(lock) {}
    }

    @Test func aLockIsFreeWhenItsObjectGoes() throws {
        var lock = try storage.lock(path)
        #expect(try storage.lock(path) == nil)
        lock = nil
        lock = try storage.lock(path)
        #expect(lock != nil)
        #expect(folder.names == ["a.lock"])
    }

    /// Whoever removes the file while it has the lock leaves a new file to the next one.
    @Test func aRemovedFileIsAnotherLock() throws {
        let first = try storage.lock(path)
        try storage.remove(path)
        let second = try storage.lock(path)
        #expect(second != nil)
        #expect(folder.names == ["a.lock"])
        #expect(try storage.lock(path) == nil)
        withExtendedLifetime(first) {}
        withExtendedLifetime(second) {}
    }

    /// Many that take a lock and remove its file: never two at once, however they meet.
    @Test func lockedAndRemovedByManyAtOnce() throws {
        let (path, mark, storage) = (path, folder.path("mark"), storage)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            var taken = 0
            while taken < 50 {
                guard let lock = try? storage.lock(path) else { continue }
                taken += 1
                // Made by whoever has the lock, and there for as long as it does.
                do {
                    try storage.createNew(mark).close()
                    try storage.remove(mark)
                    try storage.remove(path)
                } catch {
                    Issue.record("two had the lock: \(error)")
                }
                withExtendedLifetime(lock) {}
            }
        }
        #expect(folder.names == [])
    }

    /// A shell that holds the lock until its input ends.
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
        let said = output.fileHandleForReading.availableData
        return said.isEmpty ? nil : (process, input)
    }

    @Test func anotherProcessHasTheLockUntilItEnds() throws {
        guard let shell = try shellWithLock() else { return }
        #expect(try storage.lock(path) == nil)
        shell.input.fileHandleForWriting.closeFile()
        shell.process.waitUntilExit()
        #expect(try storage.lock(path) != nil)
    }

    @Test func aKilledProcessHasNoLock() throws {
        guard let shell = try shellWithLock() else { return }
        kill(shell.process.processIdentifier, SIGKILL)
        shell.process.waitUntilExit()
        #expect(try storage.lock(path) != nil)
    }

    @Test func aFolderThatIsMissingIsNamed() {
        let missing = folder.path("none/a.lock")
        #expect(throws: StorageError(.lock, path: missing, code: ENOENT)) { try storage.lock(missing) }
        #expect(throws: StorageError(.lock, path: folder.path, code: EISDIR)) {
            try storage.lock(folder.path)
        }
    }
}
