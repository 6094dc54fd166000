import Foundation
import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Rejected lines that are stored with a checkpoint, one file per source, and that the next run appends to.
@Suite struct RejectSpoolsTests {
    private static func spools(
        _ storage: MemoryStorage, _ contents: [Int: SpoolContents] = [:], maximumOpen: Int = 3
    ) throws -> RejectSpools {
        RejectSpools(
            try CheckpointFolder("check", storage: storage), contents: contents, storage: storage,
            maximumOpen: maximumOpen)
    }

    private static func write(_ text: String, of source: Int, to spools: inout RejectSpools) throws {
        let bytes = Array(text.utf8)
        try spools.write(bytes.span, of: source)
    }

    private static func contents(_ text: String) -> SpoolContents {
        var contents = SpoolContents()
        contents.append(Array(text.utf8).span)
        return contents
    }

    private static func copy(_ spools: inout RejectSpools, _ storage: MemoryStorage) throws -> String {
        let output = try OutputFile("rejects", storage: storage)
        try spools.copy(to: output)
        try output.commit()
        return RandomLog.text(storage["rejects"])
    }

    @Test func sourcesAreCopiedInOrder() throws {
        let storage = MemoryStorage()
        var spools = try Self.spools(storage)
        for (source, text) in [(10, "k\n"), (2, "c\n"), (0, "a\n"), (2, "d\n")] {
            try Self.write(text, of: source, to: &spools)
        }
        #expect(try Self.copy(&spools, storage) == "a\nc\nd\nk\n")
        #expect(storage.openFiles == 0)
    }

    @Test func noRejectsGiveAnEmptyOutput() throws {
        let storage = MemoryStorage()
        var spools = try Self.spools(storage)
        try spools.close(3)
        #expect(try spools.sync() == [:])
        #expect(try Self.copy(&spools, storage) == "")
    }

    /// A file that is closed to open another one is synced, and is later appended to.
    @Test(arguments: [1, 2, 3]) func filesAreWrittenAlternately(_ maximumOpen: Int) throws {
        var random = SeededGenerator(seed: 1)
        let storage = MemoryStorage()
        var spools = try Self.spools(storage, maximumOpen: maximumOpen)
        for turn in 0..<3 {
            for source in 0..<5 {
                try Self.write("\(source).\(turn)\n", of: source, to: &spools)
                // The lock is not counted.
                #expect(storage.openFiles <= maximumOpen)
            }
        }
        let contents = try spools.sync()
        try storage.syncFolder("check")
        let next = storage.restarted(losing: .anything, &random)
        var others = try Self.spools(next, contents)
        let expected = (0..<5).flatMap { source in (0..<3).map { "\(source).\($0)\n" } }.joined()
        #expect(try Self.copy(&others, next) == expected)
    }

    /// The resumed run writes again what was written after the checkpoint.
    @Test func rejectsAfterTheCheckpointAreTruncated() throws {
        let storage = MemoryStorage()
        var contents: [Int: SpoolContents] = [:]
        do {
            var first = try Self.spools(storage)
            try Self.write("kept\n", of: 1, to: &first)
            try Self.write("closed\n", of: 0, to: &first)
            try first.close(0)
            contents = try first.sync()
            try Self.write("half a l", of: 1, to: &first)
        }
        #expect(contents == [0: Self.contents("closed\n"), 1: Self.contents("kept\n")])
        var second = try Self.spools(storage, contents)
        try Self.write("more\n", of: 1, to: &second)
        #expect(try second.sync() == [0: Self.contents("closed\n"), 1: Self.contents("kept\nmore\n")])
        #expect(try Self.copy(&second, storage) == "closed\nkept\nmore\n")
    }

    @Test func rejectsAfterTheCheckpointAreNotCopied() throws {
        let storage = MemoryStorage(files: ["check/rejects-0": Array("kept\nhalf".utf8)])
        var spools = try Self.spools(storage, [0: Self.contents("kept\n")])
        #expect(try Self.copy(&spools, storage) == "kept\n")
    }

    /// The resumed run may have appended to the file before the damage shows.
    @Test(arguments: [false, true]) func aDamagedFileIsAnError(isContinued: Bool) throws {
        let storage = MemoryStorage(files: ["check/rejects-0": Array("kept\n".utf8)])
        var spools = try Self.spools(storage, [0: Self.contents("keep\n")])
        if isContinued { try Self.write("more\n", of: 0, to: &spools) }
        let error = #expect(throws: StorageError.self) { _ = try Self.copy(&spools, storage) }
        #expect(error?.path == "check/rejects-0")
        #expect(error?.reason == "the lines in it do not match their checksum")
        #expect(storage["rejects"] == nil)
    }

    /// Checkpoints before version 4 have no checksums.
    @Test func aFileWithoutAChecksumIsCopied() throws {
        let storage = MemoryStorage(files: ["check/rejects-0": Array("kept\n".utf8)])
        var spools = try Self.spools(storage, [0: SpoolContents(byteCount: 5, checksum: nil)])
        try Self.write("more\n", of: 0, to: &spools)
        #expect(try spools.sync() == [0: SpoolContents(byteCount: 10, checksum: nil)])
        #expect(try Self.copy(&spools, storage) == "kept\nmore\n")
    }

    /// What `sync` returns, including files that `close` has closed, survive any crash.
    @Test(arguments: Seeds.several(10))
    func syncedRejectsSurviveACrash(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let storage = MemoryStorage()
        var spools = try Self.spools(storage)
        try Self.write("open\n", of: 0, to: &spools)
        try Self.write("closed\n", of: 1, to: &spools)
        try spools.close(1)
        let contents = try spools.sync()
        try storage.syncFolder("check")
        try Self.write("lost", of: 0, to: &spools)
        let next = storage.restarted(losing: .anything, &random)
        var others = try Self.spools(next, contents)
        #expect(try Self.copy(&others, next) == "open\nclosed\n")
    }

    @Test(arguments: ["", "kep"]) func aTruncatedFileIsAnError(_ left: String) throws {
        let storage = MemoryStorage(files: ["check/rejects-0": Array(left.utf8)])
        var spools = try Self.spools(storage, [0: Self.contents("kept\n")])
        #expect(throws: StorageError(.read, path: "check/rejects-0", code: ENODATA)) {
            _ = try Self.copy(&spools, storage)
        }
        #expect(throws: StorageError(.write, path: "check/rejects-0", code: ENODATA)) {
            try Self.write("more\n", of: 0, to: &spools)
        }
    }
}
