import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// Files that appear complete or not at all (specification §10).
@Suite struct OutputFileTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [nil, "old"])
    func commitReplacesTheTarget(_ old: String?) throws {
        if let old { try folder.write(old, to: "out") }
        let file = try OutputFile(folder.path("out"), storage: storage)
        try write("new ", to: file)
        #expect(folder.content("out") == old, "nothing is visible before the commit")
        try write("text", to: file)
        #expect(folder.content("out") == old)
        let written = folder.names.filter { $0 != "out" }
        #expect(written.count == 1 && written[0].hasPrefix(".out.") && written[0].hasSuffix(".tmp"))
        try file.commit()
        #expect(folder.content("out") == "new text")
        #expect(folder.names == ["out"])
    }

    @Test(arguments: [nil, "old"])
    func discardKeepsTheTarget(_ old: String?) throws {
        if let old { try folder.write(old, to: "out") }
        let file = try OutputFile(folder.path("out"), storage: storage)
        try write("new", to: file)
        file.discard()
        #expect(folder.content("out") == old)
        #expect(folder.names == (old == nil ? [] : ["out"]))
    }

    @Test func uncommittedFileIsRemovedWithItsObject() throws {
        do {
            let file = try OutputFile(folder.path("out"), storage: storage)
            try write("new", to: file)
            #expect(folder.names.count == 1)
        }
        #expect(folder.names == [])
    }

    @Test func emptyFileReplacesTheTarget() throws {
        try folder.write("old", to: "out")
        try OutputFile(folder.path("out"), storage: storage).commit()
        #expect(folder.content("out") == "")
    }

    /// Finishing writes all data without making it visible at the target.
    @Test(arguments: ["out", "out.gz", "out.zst"])
    func finishedFileIsNotVisible(_ name: String) throws {
        let file = try OutputFile(folder.path(name), storage: storage)
        try write("text", to: file)
        try file.finish()
        try file.finish()
        #expect(folder.content(name) == nil)
        let hidden = try #require(folder.names.first)
        #expect(Drained(folder.bytes(hidden)).bytes == [UInt8]("text"))
        try file.commit()
        try file.finish()
        #expect(Drained(folder.bytes(name)).bytes == [UInt8]("text"))
        #expect(folder.names == [name])
    }

    @Test func finishedFileCanBeDiscarded() throws {
        let file = try OutputFile(folder.path("out"), storage: storage)
        try file.finish()
        file.discard()
        try file.commit()
        #expect(folder.names == [])
    }

    @Test func onlyTheFirstCommitOrDiscardCounts() throws {
        let file = try OutputFile(folder.path("out"), storage: storage)
        try write("new", to: file)
        try file.commit()
        file.discard()
        try file.commit()
        #expect(folder.content("out") == "new")
        let other = try OutputFile(folder.path("out"), storage: storage)
        try write("other", to: other)
        other.discard()
        try other.commit()
        other.discard()
        #expect(folder.content("out") == "new")
        #expect(folder.names == ["out"])
    }

    @Test func writingAfterCommitFails() throws {
        let file = try OutputFile(folder.path("out"), storage: storage)
        try file.commit()
        #expect(throws: StorageError.self) { try write("more", to: file) }
        #expect(folder.content("out") == "")
    }

    @Test func lastCommitWins() throws {
        let first = try OutputFile(folder.path("out"), storage: storage)
        let second = try OutputFile(folder.path("out"), storage: storage)
        try write("first", to: first)
        try write("second", to: second)
        #expect(folder.names.count == 2)
        try second.commit()
        #expect(folder.content("out") == "second")
        try first.commit()
        #expect(folder.content("out") == "first")
        #expect(folder.names == ["out"])
    }

    @Test(arguments: [
        "a b", "ünïcödé", ".hidden", "name.tmp", "-", String(repeating: "n", count: 255),
        String(repeating: "日", count: 85),
    ])
    func unusualNamesAreWritten(_ name: String) throws {
        let file = try OutputFile(folder.path(name), storage: storage)
        try write("new", to: file)
        try file.commit()
        #expect(folder.names == [name])
        #expect(folder.content(name) == "new")
    }

    @Test func missingFolderIsReported() {
        let path = folder.path("missing/out")
        #expect(throws: StorageError(.create, path: path, code: ENOENT)) {
            try OutputFile(path, storage: storage)
        }
        #expect(folder.names == [])
    }

    @Test func missingNameIsReported() {
        for path in ["", folder.path("missing/")] {
            #expect(throws: StorageError(.create, path: path, code: ENOENT)) {
                try OutputFile(path, storage: storage)
            }
        }
        #expect(folder.names == [])
    }

    @Test func fileAsAFolderIsReported() throws {
        try folder.write("old", to: "file")
        let path = folder.path("file/out")
        #expect(throws: StorageError(.create, path: path, code: ENOTDIR)) {
            try OutputFile(path, storage: storage)
        }
        #expect(folder.names == ["file"])
        #expect(folder.content("file") == "old")
    }

    @Test func folderAsTargetIsReported() throws {
        try folder.makeFolder("out")
        try folder.link("link", to: "out")
        for name in ["out", "link"] {
            let path = folder.path(name)
            #expect(throws: StorageError(.create, path: path, code: EISDIR)) {
                try OutputFile(path, storage: storage)
            }
        }
        #expect(folder.names == ["link", "out"])
    }

    /// The link remains, and the file that it points to is replaced in that file's folder.
    @Test(arguments: [nil, "old"] as [String?], [false, true])
    func symbolicLinkIsFollowed(_ old: String?, isAbsolute: Bool) throws {
        try folder.makeFolder("inner")
        let target = isAbsolute ? folder.path("inner/target") : "inner/target"
        try folder.link("link", to: target)
        if let old { try folder.write(old, to: "inner/target") }
        let file = try OutputFile(folder.path("link"), storage: storage)
        try write("new", to: file)
        #expect(folder.content("link") == old)
        #expect(folder.names == ["inner", "link"])
        try file.commit()
        #expect(folder.linkTarget("link") == target)
        #expect(folder.content("inner/target") == "new")
        #expect(try storage.names(in: folder.path("inner")) == ["target"])
    }

    /// As with a shell's redirection.
    @Test func linkToAMissingFileCreatesTheFile() throws {
        try folder.link("second", to: "target")
        try folder.link("first", to: "second")
        let file = try OutputFile(folder.path("first"), storage: storage)
        try write("new", to: file)
        try file.commit()
        #expect(folder.linkTarget("first") == "second")
        #expect(folder.linkTarget("second") == "target")
        #expect(folder.content("target") == "new")
    }

    @Test(arguments: ["missing/target": ENOENT, "link": ELOOP])
    func brokenLinkIsAnError(_ target: String, _ code: Int32) throws {
        try folder.link("link", to: target)
        let error = #expect(throws: StorageError.self) {
            try OutputFile(folder.path("link"), storage: storage)
        }
        #expect(error?.code == code)
        #expect(folder.linkTarget("link") == target)
        #expect(folder.names == ["link"])
    }

    @Test func linkToALinkIsFollowed() throws {
        try folder.write("old", to: "target")
        try folder.link("second", to: "target")
        try folder.link("first", to: "second")
        let file = try OutputFile(folder.path("first"), storage: storage)
        try write("new", to: file)
        try file.commit()
        #expect(folder.linkTarget("first") == "second")
        #expect(folder.linkTarget("second") == "target")
        #expect(folder.content("target") == "new")
        #expect(folder.names == ["first", "second", "target"])
    }

    @Test func deviceIsWrittenDirectly() throws {
        let before = try storage.status(of: "/dev/null")
        let file = try OutputFile("/dev/null", storage: storage)
        try write("text", to: file)
        try file.commit()
        let discarded = try OutputFile("/dev/null", storage: storage)
        try write("text", to: discarded)
        discarded.discard()
        let after = try storage.status(of: "/dev/null")
        #expect(before?.kind == .other)
        #expect(after == before)
    }

    @Test func linkToADeviceIsFollowed() throws {
        try folder.link("link", to: "/dev/null")
        let file = try OutputFile(folder.path("link"), storage: storage)
        try write("text", to: file)
        try file.commit()
        #expect(folder.linkTarget("link") == "/dev/null")
        #expect(folder.names == ["link"])
    }

    #if os(Linux)
    @Test func fullDeviceIsReported() throws {
        let file = try OutputFile("/dev/full", storage: storage)
        #expect(throws: StorageError(.write, path: "/dev/full", code: ENOSPC)) { try write("text", to: file) }
    }
    #endif

    @Test(
        arguments: [0, 1, 10, 300_000], [("out.gz", [0x1f, 0x8b]), ("out.zst", [0x28, 0xb5, 0x2f, 0xfd])])
    func targetIsCompressed(_ count: Int, _ target: (name: String, magic: [UInt8])) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        try folder.write("old", to: target.name)
        let file = try OutputFile(folder.path(target.name), storage: storage)
        try file.write(content.span.extracting(first: count / 2))
        try file.write(content.span.extracting(droppingFirst: count / 2))
        #expect(folder.content(target.name) == "old")
        try file.commit()
        let drained = Drained(try storage.openForReading(folder.path(target.name)))
        #expect(drained.damage == nil)
        #expect(drained.bytes == content)
        #expect(folder.bytes(target.name).starts(with: target.magic))
        #expect(folder.names == [target.name])
    }

    private func write(_ text: String, to file: OutputFile) throws(StorageError) {
        let bytes = [UInt8](text)
        try file.write(bytes.span)
    }
}
