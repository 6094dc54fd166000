import Foundation
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Reading files from given offsets.
@Suite(.tags(.spilling)) struct SeekTests {
    private let folder: TemporaryFolder
    private let storage = SystemStorage()

    init() throws { folder = try TemporaryFolder() }

    private static func read(_ file: inout any ReadableFile) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4)
        while true {
            var target = buffer.mutableSpan
            let count = try file.read(into: &target)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    @Test func readingContinuesAtTheOffset() throws {
        try folder.write("0123456789", to: "file")
        var file = try storage.openForReading(folder.path("file"))
        for (offset, rest) in [(3, "3456789"), (0, "0123456789"), (9, "9"), (10, ""), (1 << 40, "")] {
            try file.seek(to: UInt64(offset))
            #expect(try Self.read(&file) == rest, "from \(offset)")
        }
    }

    @Test func offsetsAboveInt64MaxAreRejected() throws {
        try folder.write("text", to: "file")
        let path = folder.path("file")
        let file = try storage.openForReading(path)
        for offset in [UInt64(Int64.max) + 1, .max] {
            #expect(throws: StorageError(.seek, path: path, code: EINVAL)) { try file.seek(to: offset) }
        }
    }

    @Test func pipeCannotSeek() throws {
        let path = folder.path("pipe")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        // Opened for reading and writing, so that opening does not wait for the other end.
        let file = try SystemFile(path, flags: O_RDWR, operation: .open)
        #expect(throws: StorageError(.seek, path: path, code: ESPIPE)) { try file.seek(to: 1) }
    }

    @Test func closedFileCannotSeek() throws {
        try folder.write("text", to: "file")
        let path = folder.path("file")
        let file = try storage.openForReading(path)
        file.close()
        let error = StorageError(.seek, path: path, code: EBADF)
        #expect(throws: error) { try file.seek(to: 0) }
        #expect("\(error)" == "\(path): cannot seek: Bad file descriptor")
    }

    @Test func memoryInputSeeks() throws {
        var input = MemoryInput([1, 2, 3, 4, 5], step: 2)
        var buffer: [UInt8] = [0]
        for (offset, expected) in [(4, 5), (0, 1), (2, 3)] as [(UInt64, UInt8)] {
            input.seek(to: offset)
            var target = buffer.mutableSpan
            _ = try input.read(into: &target)
            #expect(buffer == [expected])
        }
        for offset: UInt64 in [5, 6, .max] {
            input.seek(to: offset)
            var target = buffer.mutableSpan
            let count = try input.read(into: &target)
            #expect(count == 0)
        }
    }
}
