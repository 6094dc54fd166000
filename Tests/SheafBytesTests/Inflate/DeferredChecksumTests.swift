import TestSupport
import TestTags
import Testing

@testable import SheafBytes

@Suite(.tags(.spilling)) struct DeferredChecksumTests {
    private static let log = [UInt8](String(repeating: "123456789\n", count: 1000))

    /// A chunk may be dropped before its bytes are summed up: the checksum keeps it until then.
    @Test func owedBytesStayAllocated() throws {
        let checksum = DeferredChecksum()
        var filler = ChunkFiller(
            SourceInput(MemoryInput(gzip(Self.log)), checksum: checksum), targetBytes: 100, maximumLine: 50)
        weak var dropped: Chunk?
        do {
            let chunk = Chunk(capacity: ChunkFiller.chunkCapacity(targetBytes: 100, maximumLine: 50))
            _ = filler.fill(chunk)
            dropped = chunk
        }
        #expect(dropped != nil)
        checksum.settle()
        #expect(dropped == nil)
        let rest = Chunk(capacity: ChunkFiller.chunkCapacity(targetBytes: 20_000, maximumLine: 50))
        while true {
            switch filler.fill(rest) {
            case .more: checksum.settle()
            case .ended: return
            case .failed(let error): throw error
            }
        }
    }

    /// Closing a source forgets the bytes that are still owed.
    @Test func closedSourceKeepsNoChunk() {
        let checksum = DeferredChecksum()
        var filler = ChunkFiller(
            SourceInput(MemoryInput(gzip(Self.log)), checksum: checksum), targetBytes: 100, maximumLine: 50)
        weak var dropped: Chunk?
        do {
            let chunk = Chunk(capacity: ChunkFiller.chunkCapacity(targetBytes: 100, maximumLine: 50))
            _ = filler.fill(chunk)
            dropped = chunk
        }
        filler.close()
        #expect(dropped == nil)
    }

    /// Bytes without an owner that could keep them are summed up before `read` returns.
    @Test func bytesWithoutAnOwnerAreNotOwed() throws {
        var input = SourceInput(MemoryInput(gzip(Self.log)), checksum: DeferredChecksum())
        var bytes: [UInt8] = []
        while true {
            var output = [UInt8](repeating: 0, count: 99)
            var target = output.mutableSpan
            let count = try input.read(into: &target)
            if count == 0 { break }
            bytes += output[..<count]
            for index in output.indices { output[index] = 0xff }
        }
        #expect(bytes == Self.log)
    }
}
