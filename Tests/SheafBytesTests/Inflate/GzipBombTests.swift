import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// A small source that inflates to a large one is read in constant memory.
@Suite(.tags(.spilling)) struct GzipBombTests {
    private static let contentBytes = 64 << 20

    @Test func everyByteIsDecoded() throws {
        var source = try SourceInput(MemoryInput(Self.bomb()))
        var output = [UInt8](repeating: 0xff, count: 1 << 18)
        let zeros = [UInt8](repeating: 0, count: output.count)
        var remaining = Self.contentBytes
        while remaining > 0 {
            var target = output.mutableSpan
            let count = try source.read(into: &target)
            try #require(count > 0 && count <= remaining)
            let areZeros = output.span.extracting(first: count).isEqual(
                to: zeros.span.extracting(first: count))
            try #require(areZeros)
            remaining -= count
        }
        var target = output.mutableSpan
        let end = try source.read(into: &target)
        #expect(end == 0)
    }

    /// Runs in its own process, so that the peak includes nothing else.
    @Test func constantMemory() async {
        await #expect(processExitsWith: .success) {
            let bomb = try Self.bomb()
            #expect(bomb.count < 100_000)
            let before = CurrentProcess.peakResidentBytes
            let total = try Self.drain(bomb)
            #expect(total == Self.contentBytes)
            let grown = CurrentProcess.peakResidentBytes - before
            #expect(grown < 4 << 20, "\(grown) additional bytes for \(total) bytes")
        }
    }

    private static func drain(_ bomb: [UInt8]) throws -> Int {
        var source = SourceInput(MemoryInput(bomb))
        var output = [UInt8](repeating: 0, count: 1 << 16)
        var total = 0
        while true {
            var target = output.mutableSpan
            let count = try source.read(into: &target)
            if count == 0 { return total }
            total += count
        }
    }

    /// Returns zeros, compressed one piece at a time.
    private static func bomb() throws -> [UInt8] {
        let file = CollectingFile()
        let compressor = GzipCompressor()
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<(contentBytes / piece.count) { try compressor.write(piece.span, to: file) }
        try compressor.finish(to: file)
        return file.bytes
    }
}
