import TestSupport
import TestTags
import Testing

@testable import SheafBytes

@Suite(.tags(.spilling)) struct GzipCompressorTests {
    /// Random content in random pieces is read back by `SourceInput`.
    @Test(arguments: Seeds.several(4))
    func compressedContentIsReadBack(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<6 {
            let pieces = (0..<random.number(0...5)).map { _ in
                let count = random.pick([0, 1, 10, 1000, 70_000])
                return random.oneIn(2)
                    ? random.bytes(count) : [UInt8](repeating: UInt8(ascii: "a"), count: count)
            }
            let file = CollectingFile()
            let compressor = GzipCompressor(level: Int32(random.number(0...9)))
            for piece in pieces { try compressor.write(piece.span, to: file) }
            try compressor.finish(to: file)
            let drained = Drained(file.bytes)
            #expect(drained.damage == nil, "round \(round)")
            #expect(drained.bytes == Array(pieces.joined()), "round \(round)")
        }
    }

    /// The header has neither a time nor a name, so that equal content yields equal files.
    @Test func headerIsReproducible() {
        let bytes = gzip([UInt8]("text"))
        #expect(Array(bytes.prefix(9)) == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0])
        #expect(bytes == gzip([UInt8]("text")))
    }

    @Test func writeFailuresAreReported() {
        #expect(throws: CollectingFile.failure) {
            try GzipCompressor().finish(to: CollectingFile(failsAfter: 0))
        }
    }

    @Test func writingAfterTheEndTraps() async {
        await #expect(processExitsWith: .failure) {
            let file = CollectingFile()
            let compressor = GzipCompressor()
            let more: [UInt8] = [1]
            try compressor.finish(to: file)
            try compressor.write(more.span, to: file)
        }
    }
}

@Suite struct ZstdCompressorTests {
    /// Random content is read back, and its compressed bytes do not depend on the pieces in which it is written.
    @Test(arguments: Seeds.several(4))
    func compressedContentIsReadBack(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<6 {
            let pieces = (0..<random.number(0...8)).map { _ in
                let count = random.pick([0, 1, 10, 1000, 70_000, 131_072, 400_000])
                return random.oneIn(2)
                    ? random.bytes(count) : [UInt8](repeating: UInt8(ascii: "a"), count: count)
            }
            let level = Int32(random.pick([1, 3, 9]))
            let file = CollectingFile()
            let compressor = ZstdCompressor(level: level)
            for piece in pieces { try compressor.write(piece.span, to: file) }
            try compressor.finish(to: file)
            let drained = Drained(file.bytes)
            #expect(drained.damage == nil, "round \(round)")
            #expect(drained.bytes == Array(pieces.joined()), "round \(round)")
            #expect(file.bytes == zstd(Array(pieces.joined()), level: level), "round \(round)")
        }
    }

    @Test func framesHaveChecksums() {
        #expect(zstd([UInt8]("text")).prefix(5).elementsEqual([0x28, 0xb5, 0x2f, 0xfd, 0x04]))
        #expect(zstd([UInt8]("text")) == zstd([UInt8]("text")))
    }

    @Test func writeFailuresAreReported() {
        #expect(throws: CollectingFile.failure) {
            try ZstdCompressor().finish(to: CollectingFile(failsAfter: 0))
        }
    }

    @Test func writingAfterTheEndTraps() async {
        await #expect(processExitsWith: .failure) {
            let file = CollectingFile()
            let compressor = ZstdCompressor()
            let more: [UInt8] = [1]
            try compressor.finish(to: file)
            try compressor.write(more.span, to: file)
        }
    }

    @Test(
        arguments: [
            ("a.gz", .gzip, "a"), ("a.ndjson.zst", .zstd, "a.ndjson"), ("a", nil, "a"), (".zst", .zstd, ""),
            ("a.zstd", nil, "a.zstd"), ("zst", nil, "zst"), ("a.gz.zst", .zstd, "a.gz"),
            ("a.ZST", nil, "a.ZST"),
        ] as [(String, OutputCompression?, String)])
    func namesDecide(_ name: String, _ compression: OutputCompression?, _ rest: String) {
        #expect(OutputCompression(path: name) == compression)
        #expect(OutputCompression.removingSuffix(name) == rest)
    }
}
