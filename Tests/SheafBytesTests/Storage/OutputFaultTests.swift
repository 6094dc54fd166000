import Foundation
import TestSupport
import Testing

@testable import SheafBytes

/// Every call that can fail while a file is written: the error identifies it, and no temporary file remains.
@Suite struct OutputFaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Fault: NamedCase {
        let name: String
        let call: FaultyStorage.Call
        var successes = 0
        let operation: StorageError.Operation
        /// Whether the error's path is the target's; otherwise it is the temporary file's.
        let namesTarget: Bool
        var file = "out"
    }

    static let faults = [
        Fault(name: "status", call: .status, operation: .open, namesTarget: true),
        Fault(name: "create", call: .create, operation: .create, namesTarget: true),
        Fault(name: "first write", call: .write, operation: .write, namesTarget: false),
        Fault(name: "second write", call: .write, successes: 1, operation: .write, namesTarget: false),
        Fault(name: "sync", call: .sync, operation: .sync, namesTarget: false),
        Fault(name: "rename", call: .rename, operation: .rename, namesTarget: true),
        Fault(
            name: "last write of compressed data", call: .write, operation: .write, namesTarget: false,
            file: "out.gz"),
    ]

    @Test(arguments: faults, [nil, "old"])
    func failedCallLeavesNothing(_ fault: Fault, _ old: String?) throws {
        if let old { try folder.write(old, to: fault.file) }
        let storage = FaultyStorage(failing: fault.call, after: fault.successes, code: EIO)
        let error = try #require(throws: StorageError.self) {
            try writeTwice(to: folder.path(fault.file), storage)
        }
        #expect(error.operation == fault.operation)
        #expect(error.code == EIO)
        if fault.namesTarget {
            #expect(error.path == folder.path(fault.file))
        } else {
            #expect(error.path.hasPrefix(folder.path(".\(fault.file).")) && error.path.hasSuffix(".tmp"))
        }
        #expect(folder.content(fault.file) == old)
        #expect(folder.names == (old == nil ? [] : [fault.file]))
    }

    @Test func unresolvableLinkIsReported() throws {
        try folder.write("old", to: "target")
        try folder.link("link", to: "target")
        let path = folder.path("link")
        #expect(throws: StorageError(.open, path: path, code: EIO)) {
            try writeTwice(to: path, FaultyStorage(failing: .resolve, code: EIO))
        }
        #expect(folder.content("target") == "old")
        #expect(folder.names == ["link", "target"])
    }

    @Test func inaccessibleDeviceIsReported() throws {
        #expect(throws: StorageError(.create, path: "/dev/null", code: EACCES)) {
            try writeTwice(to: "/dev/null", FaultyStorage(failing: .openForWriting, code: EACCES))
        }
    }

    /// Another process may have taken the name, so the next one is tried.
    @Test func takenNameIsSkipped() throws {
        let storage = FaultyStorage(failing: .create, code: EEXIST)
        try writeTwice(to: folder.path("out"), storage)
        #expect(folder.content("out") == "onetwo")
        #expect(folder.names == ["out"])
    }

    /// If removing the file fails too, the first error is reported.
    @Test func firstErrorIsReportedWhenRemovingFails() throws {
        try folder.write("old", to: "out")
        // A file cannot replace a folder at the target.
        let file = try OutputFile(folder.path("out"), storage: FaultyStorage(failing: .remove, code: EIO))
        try FileManager.default.removeItem(atPath: folder.path("out"))
        try folder.makeFolder("out")
        #expect(throws: StorageError(.rename, path: folder.path("out"), code: EISDIR)) { try file.commit() }
        file.discard()
        #expect(folder.names.count == 2, "the temporary file could not be removed")
    }

    /// A failed commit closes the file and is not retried.
    @Test func commitIsNotRetried() throws {
        let file = try OutputFile(folder.path("out"), storage: FaultyStorage(failing: .rename, code: EIO))
        #expect(throws: StorageError.self) { try file.commit() }
        try file.commit()
        #expect(folder.names == [])
    }

    /// After a failed write the file is incomplete, so no later call commits it.
    @Test(arguments: ["out", "out.gz"])
    func failedWriteIsNeverCommitted(_ name: String) throws {
        try folder.write("old", to: name)
        let file = try OutputFile(folder.path(name), storage: FaultyStorage(failing: .write, code: ENOSPC))
        let bytes = [UInt8]("text")
        #expect(throws: StorageError.self) {
            try file.write(bytes.span)
            // Compressed data is written by now at the latest.
            try file.finish()
        }
        try? file.finish()
        try? file.commit()
        #expect(folder.content(name) == "old")
        #expect(folder.names == [name])
    }

    private func writeTwice(to path: String, _ storage: any Storage) throws(StorageError) {
        let file = try OutputFile(path, storage: storage)
        for text in ["one", "two"] {
            let bytes = [UInt8](text)
            try file.write(bytes.span)
        }
        try file.commit()
    }
}
