import Foundation
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// A source that one reader leaves and another one resumes.
@Suite(.tags(.spilling)) struct SourceReaderTests {
    static let text = [UInt8]((0..<2_000).map { "line \($0), \($0 * $0 % 971)\n" }.joined().utf8)

    static let sources: [(name: String, bytes: [UInt8])] = {
        var random = SeededGenerator(seed: 1)
        return [("plain", text), ("member", gzip(text)), ("members", LogFiles.members(text, &random))]
    }()

    private static var options: ReplayOptions {
        var options = ReplayOptions(sources: [])
        options.chunkBytes = 1_500
        options.maximumLine = 100
        return options
    }

    private static func unit() -> WorkUnit {
        WorkUnit(index: 0, options.chunks, shards: 1)
    }

    private static func reader(
        _ path: String, _ storage: any Storage, at position: SourcePosition = .start
    ) -> SourceReader {
        SourceReader(
            Source(path: path, size: nil, identity: nil), ordinal: 3, storage: storage,
            chunks: options.chunks,
            at: position)
    }

    /// The text read so far, in order, and the counts.
    private struct Seen {
        var text: [UInt8] = []
        var sequences: [Int] = []
        var bytesRead: UInt64 = 0
        var bytesInflated: UInt64 = 0
        var hasEnded = false

        /// Fills one chunk.
        mutating func read(_ reader: SourceReader, _ unit: WorkUnit) throws {
            let outcome = try reader.fill(unit)
            unit.checksum?.settle()
            let chunk = unit.chunk
            text.append(chunk.bytes)
            sequences.append(unit.sequence)
            bytesRead += outcome.bytesRead
            bytesInflated += outcome.bytesInflated
            hasEnded = outcome.hasEnded
            #expect(outcome.damage == nil)
        }
    }

    @Test(arguments: sources.map(\.name), [0, 1, 2, 10])
    func anotherReaderResumesAtThePosition(_ name: String, _ chunks: Int) throws {
        let source = try #require(Self.sources.first { $0.name == name })
        let storage = InterceptedStorage(MemoryStorage([name: .file(source.bytes)]))
        let unit = Self.unit()
        var first = Seen()
        let reader = Self.reader(name, storage)
        reader.requestRestartPoint()
        for _ in 0..<chunks {
            try first.read(reader, unit)
            reader.requestRestartPoint()
        }
        let position = try #require(reader.position)
        #expect(position.bytesInflated == UInt64(first.text.count))
        #expect(first.sequences == Array(0..<chunks))

        var second = Seen()
        let other = Self.reader(name, storage, at: position)
        #expect(other.position == position)
        while !second.hasEnded { try second.read(other, unit) }
        #expect(other.position == nil)
        #expect(first.text + second.text == Self.text)
        #expect(second.sequences == Array(0..<second.sequences.count))
        // Together they count what a single reader would.
        #expect(position.bytesRead + second.bytesRead == UInt64(source.bytes.count))
        #expect(position.bytesInflated + second.bytesInflated == UInt64(Self.text.count))
        let seeks = storage.events.filter { $0.operation == .seek }
        #expect(seeks.count == (position.bytesRead == 0 ? 0 : 1))
    }

    @Test func lineNumbersContinue() throws {
        let storage = MemoryStorage(["log": .file(Self.text)])
        let unit = Self.unit()
        let reader = Self.reader("log", storage)
        _ = try reader.fill(unit)
        let count = UInt64(unit.chunk.lineCount)
        let other = Self.reader("log", storage, at: try #require(reader.position))
        _ = try other.fill(unit)
        #expect(unit.chunk.firstLine == count + 1)
    }

    /// A source that can't seek can't be resumed, and is closed again.
    @Test(arguments: [("log", EIO), ("-", ESPIPE)])
    func aFailedSeekIsAnError(_ path: String, _ code: Int32) throws {
        let plain = MemoryStorage(["log": .file(Self.text)])
        let unit = Self.unit()
        let reader = Self.reader("log", plain)
        _ = try reader.fill(unit)
        let position = try #require(reader.position)
        let files = MemoryStorage(["log": .file(Self.text)], input: Self.text)
        let storage = InterceptedStorage(files) { _, event in
            event.operation == .seek && event.path == "log" ? .fails(code) : .succeeds
        }
        let reason = StorageError(.seek, path: path, code: code).reason
        #expect(throws: ReplayError.source(path: path, reason: "cannot be resumed: \(reason)")) {
            _ = try Self.reader(path, storage, at: position).fill(unit)
        }
        #expect(files.openFiles == 0)
    }

    @Test func standardInputIsReadFromItsStart() throws {
        let storage = InterceptedStorage(MemoryStorage(input: Self.text))
        var seen = Seen()
        let reader = Self.reader("-", storage)
        while !seen.hasEnded { try seen.read(reader, Self.unit()) }
        #expect(seen.text == Self.text)
        #expect(!storage.events.contains { $0.operation == .seek })
    }
}
