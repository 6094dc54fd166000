import Foundation
import SheafBytes
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// A resumed run does not read more of a source than it needs.
@Suite(.tags(.spilling)) struct RereadTests {
    /// Blank lines, which are cheap to process.
    private static let text: [UInt8] = {
        let line = [UInt8](repeating: UInt8(ascii: " "), count: 65_535) + [UInt8(ascii: "\n")]
        return (0..<240).reduce(into: []) { text, _ in text += line }
    }()

    struct Log: NamedCase {
        let name: String
        /// The most bytes that are inflated again, in addition to those after the last checkpoint.
        let again: Int
        let bytes: @Sendable () -> [UInt8]
    }

    static let logs = [
        Log(name: "plain", again: 0) { text },
        Log(name: "a member of many blocks", again: Int(Limits.checkpointDropBytes)) {
            var random = SeededGenerator(seed: 1)
            return LogFiles.storedBlocks(text, &random, maximum: 60_000)
        },
        Log(name: "many members", again: 0) {
            var random = SeededGenerator(seed: 1)
            var members: [UInt8] = []
            for start in stride(from: 0, to: text.count, by: 100_000) {
                let part = Array(text[start..<min(start + 100_000, text.count)])
                members += LogFiles.storedBlocks(part, &random, maximum: 60_000)
            }
            return members
        },
    ]

    @Test(arguments: logs) func onlyTheRemainderIsReadAgain(_ item: Log) async throws {
        let bytes = item.bytes()
        var options = ReplayOptions(sources: ["log"])
        options.output = "out"
        options.chunkBytes = 100_000
        options.maximumLine = 70_000
        options.checkpoint = "check"
        options.checkpointChunks = 4
        let whole = InterceptedStorage(MemoryStorage(files: ["log": bytes]))
        _ = try await run(options, on: whole).get()
        let reads = whole.events.count { $0.operation == .read && $0.path == "log" }

        let moment = Moment(after: reads * 3 / 4) { $0.operation == .read && $0.path == "log" }
        let storage = MemoryStorage(files: ["log": bytes])
        _ = await run(options, on: InterceptedStorage(storage, at: moment, .crashes))
        #expect(moment.event != nil)
        let next = storage.restarted()
        let statistics = try await run(options, on: next).get()
        #expect(statistics.lines == 240)
        #expect(statistics.blank == 240)
        #expect(statistics.bytesRead == UInt64(bytes.count))
        // After the last checkpoint there are up to four chunks, the chunks in flight and the data read ahead. The
        // first bytes are read to identify the source.
        let chunks = (4 + Limits.chunks(threads: 1)) * (options.chunkBytes + options.maximumLine)
        let ahead = chunks + SourceInput.defaultBufferBytes + SourceIdentity.headBytes
        let limit = bytes.count / 4 + item.again + ahead
        #expect(next.bytesRead(of: "log") < limit)
        #expect(limit < bytes.count * 3 / 4)
    }
}
