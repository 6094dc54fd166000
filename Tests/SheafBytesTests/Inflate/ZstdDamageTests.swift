import FuzzChecks
import TestSupport
import Testing

@testable import SheafBytes

/// Small zstd sources that are truncated at every byte, and in which every bit is flipped.
@Suite struct ZstdDamageTests {
    struct Source: NamedCase {
        let name: String
        let bytes: [UInt8]
        let text: [UInt8]
        /// The ends of the frames: a source that is cut there looks complete.
        let ends: [Int]

        init(_ name: String, _ frames: [[UInt8]], _ text: [UInt8]) {
            self.name = name
            bytes = frames.flatMap { $0 }
            self.text = text
            ends = frames.indices.map { frames[...$0].joined().count }
        }
    }

    static let text = [UInt8](
        "the first line\nthe second line, which is longer\nthe third line\nthe third line\n")
    static let long = [UInt8]((0..<40).map { "line \($0), \($0 * $0 % 97) of the log\n" }.joined())

    static let sources = [
        Source("a frame", [zstd(text)], text),
        Source("a frame without a checksum", [zstd(text, hasChecksum: false)], text),
        Source("compressed blocks", [zstd(long, level: 19, pieceBytes: 400)], long),
        Source(
            "compressed blocks without a checksum",
            [zstd(long, level: 19, hasChecksum: false, pieceBytes: 400)], long),
        Source(
            "raw and repeated blocks without a checksum",
            [ZstdFrame([.raw(text), .repeated(0x0a, count: 50), .raw(text)]).bytes],
            text + [UInt8](repeating: 0x0a, count: 50) + text),
        Source(
            "frames",
            [zstd(text), ZstdFrame.skippable([1, 2, 3]), zstd([]), zstd(text, hasChecksum: false)],
            text + text),
    ]

    @Test(arguments: sources) func truncationYieldsAPrefixAndItsOffset(_ source: Source) {
        for count in 4..<source.bytes.count {
            let cut = Array(source.bytes.prefix(count))
            let drained = Drained(cut)
            let damage = source.ends.contains(count) ? nil : SourceDamage(.zstdTruncated, count)
            #expect(drained.damage == damage, "\(count) bytes")
            #expect(source.text.starts(with: drained.bytes), "\(count) bytes")
            for (step, bufferBytes, outputBytes) in [(1, 2, 5), (7, 64, 1 << 12)] {
                #expect(
                    Drained(MemoryInput(cut, step: step), bufferBytes: bufferBytes, outputBytes: outputBytes)
                        == drained, "\(count) bytes")
            }
        }
        #expect(Drained(source.bytes).bytes == source.text)
    }

    /// The result is a prefix and damage, or the text; without a checksum, or in a magic number, what libzstd decides.
    @Test(arguments: sources) func flippedBitsAreFoundOrHarmless(_ source: Source) {
        let hasChecksum = !source.name.contains("without") && source.ends.count == 1
        for index in source.bytes.indices {
            for bit in 0..<8 {
                var changed = source.bytes
                changed[index] ^= 1 << UInt8(bit)
                let drained = Drained(changed)
                let message = "bit \(bit) of byte \(index): \(String(describing: drained.damage))"
                for (step, bufferBytes, outputBytes) in [(1, 2, 5), (7, 64, 1 << 12)] {
                    #expect(
                        Drained(
                            MemoryInput(changed, step: step), bufferBytes: bufferBytes,
                            outputBytes: outputBytes)
                            == drained, "\(message)")
                }
                guard ZstdModel.isFrame(changed) else {
                    #expect(drained.bytes == changed && drained.damage == nil, "\(message)")
                    continue
                }
                #expect(ZstdModel(changed).violations(of: drained) == [], "\(message)")
                if drained.damage == nil, hasChecksum {
                    // A flag that turns the checksum off makes it garbage; one that turns a frame into a skippable one
                    // makes it invisible.
                    #expect(drained.bytes == source.text, "\(message)")
                }
            }
        }
    }

    @Test(arguments: sources) func flippedBitsCauseTheirOwnDamage(_ source: Source) {
        let reasons = Set(
            source.bytes.indices.flatMap { index in
                (0..<8).compactMap { bit -> SourceDamage.Reason? in
                    var changed = source.bytes
                    changed[index] ^= 1 << UInt8(bit)
                    return Drained(changed).damage?.reason
                }
            })
        #expect(reasons.isSuperset(of: [.zstdCorrupt, .zstdTruncated]))
        #expect(reasons.allSatisfy { $0.rawValue.hasPrefix("zstd.") })
    }

    @Test(arguments: Seeds.several(1)) func damageDoesNotDependOnReadSizes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = [UInt8]((0..<3_000).map { "line \($0), \(random.next())\n" }.joined())
        let whole = zstd(text, hasChecksum: random.oneIn(2), pieceBytes: 5_000) + zstd(text)
        for round in 0..<60 {
            var source = whole
            let index = random.number(5...(whole.count - 1))
            if random.oneIn(4) {
                source.removeSubrange(index...)
            } else {
                source[index] ^= 1 << UInt8(random.below(8))
            }
            let expected = Drained(source)
            for (step, buffer, output) in [(1, 2, 1 << 12), (7, 64, 13), (.max, 1 << 16, 1 << 20)] {
                let drained = Drained(
                    MemoryInput(source, step: step), bufferBytes: buffer, outputBytes: output)
                #expect(
                    drained == expected, "round \(round), step \(step), buffer \(buffer), output \(output)")
            }
            #expect(ZstdModel(source).violations(of: expected) == [], "round \(round)")
        }
    }
}
