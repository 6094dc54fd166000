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
        var successes = 0
        let operation: StorageError.Operation
        /// Whether the error's path is the target's; otherwise it is the temporary file's.
        let namesTarget: Bool
        var file = "out"
    }

    static let faults = [
        Fault(name: "status", operation: .open, namesTarget: true),
        Fault(name: "create", operation: .create, namesTarget: true),
        Fault(name: "first write", operation: .write, namesTarget: false),
        Fault(name: "second write", successes: 1, operation: .write, namesTarget: false),
        Fault(name: "sync", operation: .sync, namesTarget: false),
        Fault(name: "rename", operation: .rename, namesTarget: true),
        Fault(
            name: "last write of compressed data", operation: .write, namesTarget: false,
            file: "out.gz"),
    ]

    @Test(arguments: faults, [nil, "old"])
    func failedCallLeavesNothing(_ fault: Fault, _ old: String?) throws {
        if let old { try folder.write(old, to: fault.file) }
        let storage = Self.storage(failing: fault.operation, after: fault.successes, code: EIO)
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
            try writeTwice(
                to: path,
                InterceptedStorage(SystemStorage(), onLookup: { lookup, _ in lookup == .links ? EIO : nil }))
        }
        #expect(folder.content("target") == "old")
        #expect(folder.names == ["link", "target"])
    }

    @Test func inaccessibleDeviceIsReported() throws {
        #expect(throws: StorageError(.create, path: "/dev/null", code: EACCES)) {
            try writeTwice(to: "/dev/null", Self.storage(failing: .create, code: EACCES))
        }
    }

    /// Another process may have taken the name, so the next one is tried.
    @Test func takenNameIsSkipped() throws {
        let storage = Self.storage(failing: .create, code: EEXIST)
        try writeTwice(to: folder.path("out"), storage)
        #expect(folder.content("out") == "onetwo")
        #expect(folder.names == ["out"])
    }

    /// If removing the file fails too, the first error is reported.
    @Test func firstErrorIsReportedWhenRemovingFails() throws {
        try folder.write("old", to: "out")
        // A file cannot replace a folder at the target.
        let file = try OutputFile(folder.path("out"), storage: Self.storage(failing: .remove, code: EIO))
        try FileManager.default.removeItem(atPath: folder.path("out"))
        try folder.makeFolder("out")
        #expect(throws: StorageError(.rename, path: folder.path("out"), code: EISDIR)) { try file.commit() }
        file.discard()
        #expect(folder.names.count == 2, "the temporary file could not be removed")
    }

    /// A failed commit closes the file and is not retried.
    @Test func commitIsNotRetried() throws {
        let file = try OutputFile(folder.path("out"), storage: Self.storage(failing: .rename, code: EIO))
        #expect(throws: StorageError.self) { try file.commit() }
        try file.commit()
        #expect(folder.names == [])
    }

    /// After a failed write the file is incomplete, so no later call commits it.
    @Test(arguments: ["out", "out.gz"])
    func failedWriteIsNeverCommitted(_ name: String) throws {
        try folder.write("old", to: name)
        let file = try OutputFile(folder.path(name), storage: Self.storage(failing: .write, code: ENOSPC))
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

    /// Returns the system's storage, in which one operation fails; `open` is the lookup of a path's status.
    private static func storage(
        failing operation: StorageError.Operation, after successes: Int = 0, code: Int32
    ) -> InterceptedStorage {
        if operation == .open {
            return InterceptedStorage(
                SystemStorage(), onLookup: { lookup, _ in lookup == .status ? code : nil })
        }
        let moment = Moment(after: successes) { $0.operation == operation }
        return InterceptedStorage(SystemStorage(), at: moment, .fails(code))
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
