import Foundation
import Testing

@testable import SheafBytes

/// Temporary files that a killed process left are removed by the next one with the same target; no others are.
@Suite struct AbandonedFileTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    struct Case: NamedCase {
        let name: String
        var target = "out"
        let file: String
        /// Whether it is left of a run that wrote the target.
        var isAbandoned = false
        /// Whether a folder that is a source passes over it.
        var isUsed = true
    }

    @Test(arguments: [
        Case(name: "left of the target", file: ".out.sheaf-1x2y.tmp", isAbandoned: true),
        Case(name: "the largest tag", file: ".out.sheaf-3w5e11264sgsf.tmp", isAbandoned: true),
        Case(
            name: "left of a target with a mark", target: "a.sheaf-b", file: ".a.sheaf-b.sheaf-1.tmp",
            isAbandoned: true),
        Case(
            name: "left of a long target", target: String(repeating: "n", count: 255),
            file: "." + String(repeating: "n", count: 200) + ".sheaf-1.tmp", isAbandoned: true),
        Case(name: "left of another target", file: ".out2.sheaf-1x2y.tmp"),
        Case(name: "left of a target with the same start", file: ".out.sheaf-b.sheaf-1.tmp"),
        Case(name: "no tag", file: ".out.sheaf-.tmp", isUsed: false),
        Case(name: "no such tag", file: ".out.sheaf-01.tmp", isUsed: false),
        Case(name: "a tag that is too large", file: ".out.sheaf-3w5e11264sgsg.tmp", isUsed: false),
        Case(name: "upper case", file: ".out.sheaf-1X2Y.tmp", isUsed: false),
        Case(name: "another program's", file: ".out.1x2y.tmp", isUsed: false),
        Case(name: "another suffix", file: ".out.sheaf-1x2y.tmp.gz", isUsed: false),
        Case(name: "not hidden", file: "out.sheaf-1x2y.tmp", isUsed: false),
        Case(name: "a spool without its file", file: ".out.sheaf-1x2y.7.spool"),
        Case(name: "a spool without a number", file: ".out.sheaf-1x2y.spool", isUsed: false),
    ])
    func byName(_ item: Case) throws {
        try folder.write("left", to: item.file)
        try OutputFile(folder.path(item.target), storage: storage).commit()
        #expect(
            folder.names == [item.target, item.isAbandoned ? nil : item.file].compactMap(\.self).sorted())
        #expect(TemporaryNames.isUsed(item.file) == item.isUsed)
    }

    @Test func spoolsGoWithTheirFile() throws {
        for name in [
            ".out.sheaf-1x.tmp", ".out.sheaf-1x.0.spool", ".out.sheaf-1x.70.spool", ".out.sheaf-1x2.0.spool",
        ] {
            try folder.write("left", to: name)
        }
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == [".out.sheaf-1x2.0.spool", "out"])
    }

    /// In every state of the file that is being written, its spools too.
    @Test func whatIsBeingWrittenStays() throws {
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
        #expect(folder.names == live + ["out"], "finished, and not in its place yet")
        try storage.remove(spool)
        try first.commit()
        #expect(folder.content("out") == "first")
        #expect(folder.names == ["out"])
    }

    /// Many writers of one target at once, each of which also leaves a file as if it had been killed.
    @Test func manyAtOnce() throws {
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

    @Test func aLinkOfThatNameIsNotFollowed() throws {
        try folder.write("theirs", to: "victim")
        try folder.link(".out.sheaf-1.tmp", to: "victim")
        try folder.link(".out.sheaf-2.tmp", to: "missing")
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == [".out.sheaf-1.tmp", ".out.sheaf-2.tmp", "out", "victim"])
        #expect(folder.content("victim") == "theirs")
    }

    @Test func anotherUsersFileStays() throws {
        // Only the superuser can make one.
        guard geteuid() == 0 else { return }
        try folder.write("theirs", to: ".out.sheaf-1.tmp")
        try FileManager.default.setAttributes(
            [.ownerAccountID: 65_534], ofItemAtPath: folder.path(".out.sheaf-1.tmp"))
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.names == [".out.sheaf-1.tmp", "out"])
    }
}
