import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// The next process that writes the same target removes the temporary files that a killed one left, and no others.
@Suite struct AbandonedFileTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    struct Case: NamedCase {
        let name: String
        var target = "out"
        let file: String
        /// Whether the file was left by a run that wrote the target.
        var isAbandoned = false
        /// Whether the name is that of a temporary file, which is skipped in a source folder.
        var isReserved = true
    }

    @Test(arguments: [
        Case(name: "left by the target", file: ".out.sheaf-1x2y.tmp", isAbandoned: true),
        Case(name: "the largest tag", file: ".out.sheaf-3w5e11264sgsf.tmp", isAbandoned: true),
        Case(
            name: "left by a target with a marker in its name", target: "a.sheaf-b",
            file: ".a.sheaf-b.sheaf-1.tmp",
            isAbandoned: true),
        Case(
            name: "left by a long target", target: String(repeating: "n", count: 255),
            file: "." + String(repeating: "n", count: 200) + ".sheaf-1.tmp", isAbandoned: true),
        Case(name: "left by another target", file: ".out2.sheaf-1x2y.tmp"),
        Case(name: "left by a target with the same prefix", file: ".out.sheaf-b.sheaf-1.tmp"),
        Case(name: "no tag", file: ".out.sheaf-.tmp", isReserved: false),
        Case(name: "an invalid tag", file: ".out.sheaf-01.tmp", isReserved: false),
        Case(name: "a tag that is out of range", file: ".out.sheaf-3w5e11264sgsg.tmp", isReserved: false),
        Case(name: "upper case", file: ".out.sheaf-1X2Y.tmp", isReserved: false),
        Case(name: "another program's", file: ".out.1x2y.tmp", isReserved: false),
        Case(name: "another suffix", file: ".out.sheaf-1x2y.tmp.gz", isReserved: false),
        Case(name: "not hidden", file: "out.sheaf-1x2y.tmp", isReserved: false),
        Case(name: "a spool without its file", file: ".out.sheaf-1x2y.7.spool", isAbandoned: true),
        Case(name: "another target's spool without its file", file: ".out2.sheaf-1x2y.7.spool"),
        Case(name: "a spool without a number", file: ".out.sheaf-1x2y.spool", isReserved: false),
    ])
    func abandonedFilesAreRecognizedByName(_ item: Case) throws {
        try folder.write("left", to: item.file)
        try OutputFile(folder.path(item.target), storage: storage).commit()
        #expect(
            folder.names == [item.target, item.isAbandoned ? nil : item.file].compactMap(\.self).sorted())
        #expect(TemporaryNames.isReserved(item.file) == item.isReserved)
    }

    @Test func spoolsAreRemovedWithTheirFile() throws {
        for name in [
            ".out.sheaf-1x.tmp", ".out.sheaf-1x.0.spool", ".out.sheaf-1x.70.spool", ".out.sheaf-1x2.spool",
        ] {
            try folder.write("left", to: name)
        }
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == [".out.sheaf-1x2.spool", "out"])
    }

    /// A power failure may lose a name and keep others. The lock of a living process shows that it needs its spools.
    @Test func spoolsWithoutTheirFileAreRemovedUnlessItIsLocked() throws {
        let lock = try storage.lock(folder.path(".out.sheaf-2.tmp"))
        for name in [".out.sheaf-1.0.spool", ".out.sheaf-1.3.spool", ".out.sheaf-2.0.spool"] {
            try folder.write("left", to: name)
        }
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == [".out.sheaf-2.0.spool", ".out.sheaf-2.tmp", "out"])
        withExtendedLifetime(lock) {}
    }

    /// A file being written is not removed in any of its states, and neither are its spools.
    @Test func filesInUseAreNotRemoved() throws {
        let first = try OutputFile(folder.path("out"), storage: storage)
        let spool = try #require(first.spoolPath(3))
        try storage.createNew(spool).close()
        let live = folder.names
        #expect(live.count == 2)
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == live + ["out"])
        let bytes = [UInt8]("first")
        try first.write(bytes.span)
        try first.finish()
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == live + ["out"], "finished, but not yet committed")
        try storage.remove(spool)
        try first.commit()
        #expect(folder.content("out") == "first")
        #expect(folder.names == ["out"])
    }

    /// Several threads write the same target, each of which also leaves a file as if it had been killed.
    @Test func concurrentWritersRemoveAbandonedFiles() throws {
        let (path, storage, folder) = (folder.path("out"), storage, folder.path)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<20 {
                do {
                    let file = try OutputFile(path, storage: storage)
                    let bytes = [UInt8]("\(thread) \(round)")
                    try file.write(bytes.span)
                    try storage.createNew("\(folder)/.out.sheaf-\(thread + 1)0\(round + 1).tmp").close()
                    try file.commit()
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        try OutputFile(path, storage: storage).commit()
        #expect(self.folder.names == ["out"])
    }

    @Test func linksWithMatchingNamesAreNotFollowed() throws {
        try folder.write("theirs", to: "victim")
        try folder.link(".out.sheaf-1.tmp", to: "victim")
        try folder.link(".out.sheaf-2.tmp", to: "missing")
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == [".out.sheaf-1.tmp", ".out.sheaf-2.tmp", "out", "victim"])
        #expect(folder.content("victim") == "theirs")
    }

    @Test func filesOfOtherUsersAreNotRemoved() throws {
        // Only the superuser can change a file's owner.
        guard geteuid() == 0 else { return }
        let theirs = [".out.sheaf-1.tmp", ".out.sheaf-2.0.spool"]
        for name in theirs {
            try folder.write("theirs", to: name)
            try FileManager.default.setAttributes(
                [.ownerAccountID: 65_534], ofItemAtPath: folder.path(name))
        }
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == theirs + ["out"])
    }
}
