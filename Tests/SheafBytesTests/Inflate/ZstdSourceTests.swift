import FuzzChecks
import TestSupport
import Testing

@testable import SheafBytes

/// zstd sources with any number of frames (specification §1).
@Suite struct ZstdSourceTests {
    typealias Case = SourceInputTests.Case

    static let text = [UInt8]((0..<50).map { "line \($0 * $0)\n" }.joined())
    static let frame = zstd(text)
    static let unchecked = zstd(text, hasChecksum: false)
    static let skippable = ZstdFrame.skippable([0x28, 0xb5, 0x2f, 0xfd])

    static let frames: [Case] = [
        Case("a frame", frame, yields: text),
        Case("a frame without a checksum", unchecked, yields: text),
        Case("an empty frame", zstd([]), yields: []),
        Case("an empty frame without a checksum", zstd([], hasChecksum: false), yields: []),
        Case("empty frames", zstd([]) + zstd([]) + zstd([]), yields: []),
        Case("a frame among empty ones", zstd([]) + frame + zstd([]), yields: text),
        Case("two frames", frame + unchecked, yields: text + text),
        Case(
            "one byte per frame", text.prefix(30).flatMap { zstd([$0]) }, yields: Array(text.prefix(30))),
        Case("a frame in a frame", zstd(frame), yields: frame),
        Case("blocks", zstd(text, pieceBytes: 40), yields: text),
        Case("a small window", zstd(text, windowLog: 10, pieceBytes: 100), yields: text),
        Case("the highest level", zstd(text, level: 22), yields: text),
        Case("a skippable frame", skippable, yields: []),
        Case("an empty skippable frame", ZstdFrame.skippable([], number: 15), yields: []),
        Case("skippable frames", skippable + frame + skippable + skippable + frame, yields: text + text),
        Case("a zero after the frame", frame + [0], yields: text),
        Case("zero padding", frame + [UInt8](repeating: 0, count: 1000), yields: text),
        Case("zero padding after a skippable frame", skippable + [0, 0], yields: []),
    ]

    /// Frames that libzstd accepts but does not write for these contents.
    static let made: [Case] = [
        Case("a raw block", ZstdFrame([.raw(text)]).bytes, yields: text),
        Case("an empty raw block", ZstdFrame([.raw([])]).bytes, yields: []),
        Case(
            "raw blocks", ZstdFrame([.raw([0x61]), .raw([]), .raw([0x62]), .raw([])]).bytes,
            yields: [0x61, 0x62]),
        made("a repeated byte", [.repeated(0x61, count: 1000)]),
        made("a byte repeated once", [.repeated(0x61, count: 1)]),
        made("a byte that is not repeated", [.repeated(0x61, count: 0), .raw([0x62])]),
        made(
            "raw and repeated", [.raw(text), .repeated(0x0a, count: 100), .raw(text), .repeated(0, count: 0)]),
        made("a block as large as the window", [.repeated(0x61, count: 1024), .raw([0x0a])]),
        made("a block of 128 KiB", [.repeated(0x61, count: 128 << 10)]) { $0.window = 0x70 },
        made("content size of 1 byte", [.raw([0x61])]) { ($0.window, $0.contentSize) = (nil, (1, 1)) },
        made("no content, with its size", [.raw([])]) { ($0.window, $0.contentSize) = (nil, (0, 1)) },
        made("content size of 2 bytes", [.repeated(0x61, count: 300)]) { $0.contentSize = (300, 2) },
        made("content size of 4 bytes", [.raw(text)]) { $0.contentSize = (UInt64(text.count), 4) },
        made("content size of 8 bytes", [.raw(text), .raw([])]) { $0.contentSize = (UInt64(text.count), 8) },
        made("an unused flag", [.raw(text)]) { $0.otherFlags = 0x10 },
        made("dictionary 0", [.raw(text)]) { $0.dictionary = 0 },
        made("a window of 128 MiB", [.raw(text)]) { $0.window = 0x88 },
        made("a checksum of raw and repeated blocks", [.raw(text), .repeated(0x0a, count: 9)]) {
            $0.checksum = zstd(text + [UInt8](repeating: 0x0a, count: 9)).suffix(4)
        },
    ]

    static let count = frame.count

    static let damaged: [Case] = [
        Case("garbage", frame + [0x61], yields: text, damage: .init(.zstdGarbage, count)),
        Case("text after a frame", frame + text, yields: text, damage: .init(.zstdGarbage, count)),
        Case("a member after a frame", frame + gzip(text), yields: text, damage: .init(.zstdGarbage, count)),
        Case(
            "another magic number after a frame", frame + [0x28, 0xb5, 0x2f, 0xfc], yields: text,
            damage: .init(.zstdGarbage, count)),
        Case(
            "part of a magic number", frame + [0x28, 0xb5], yields: text,
            damage: .init(.zstdTruncated, count + 2)),
        Case(
            "part of a skippable frame's magic number", frame + [0x5a, 0x2a, 0x4d], yields: text,
            damage: .init(.zstdTruncated, count + 3)),
        Case(
            "garbage after padding", frame + [0, 0, 0x61, 0], yields: text,
            damage: .init(.zstdGarbage, count + 2)),
        Case(
            "a frame after padding", frame + [0] + frame, yields: text, damage: .init(.zstdGarbage, count + 1)
        ),
        Case(
            "part of a skippable frame", frame + skippable.dropLast(), yields: text,
            damage: .init(.zstdTruncated, count + skippable.count - 1)),
        Case(
            "a checksum", Array(frame.dropLast()) + [frame[count - 1] ^ 1], yields: text,
            damage: .init(.zstdChecksum, count - 4)),
        Case(
            "the checksum of the second frame", frame + frame.dropLast() + [frame[count - 1] ^ 1] + frame,
            yields: text + text, damage: .init(.zstdChecksum, 2 * count - 4)),
        damaged("a reserved flag", [.raw(text)], .init(.zstdCorrupt, 0)) { $0.otherFlags = 8 },
        damaged("a dictionary", [.raw(text)], .init(.zstdDictionary, 0)) { $0.dictionary = 7 },
        damaged("a window of 144 MiB", [.raw(text)], .init(.zstdWindow, 0)) { $0.window = 0x89 },
        damaged("a window of 2 GiB", [.raw(text)], .init(.zstdWindow, 0)) { $0.window = 0xa8 },
        damaged("the largest window", [.raw(text)], .init(.zstdWindow, 0)) { $0.window = 0xff },
        damaged("a single segment of 1 GiB", [.raw(text)], .init(.zstdWindow, 0)) {
            ($0.window, $0.contentSize) = (nil, (1 << 30, 4))
        },
        damaged(
            "a reserved block", [.raw(text), .stored(kind: 3, count: 1, bytes: [0])],
            decoded: 1, .init(.zstdCorrupt, 6 + 3 + text.count)),
        damaged("an empty compressed block", [.stored(kind: 2, count: 0, bytes: [])], .init(.zstdCorrupt, 6)),
        damaged(
            "an invalid compressed block",
            [.raw([0x61]), .stored(kind: 2, count: 4, bytes: [0xff, 0xff, 0xff, 0xff])],
            decoded: 1, .init(.zstdCorrupt, 10)),
        damaged(
            "a raw block larger than the window", [.raw([UInt8](repeating: 0x61, count: 1025))],
            .init(.zstdCorrupt, 6)),
        damaged(
            "a repeated byte larger than the window", [.repeated(0x61, count: 1025)], .init(.zstdCorrupt, 6)),
        damaged(
            "less content than its size", [.raw(text), .raw([0x61])], decoded: 1,
            .init(.zstdCorrupt, 10 + 3 + text.count)
        ) {
            $0.contentSize = (UInt64(text.count + 2), 4)
        },
        damaged(
            "less content than its size, and an empty block", [.raw(text), .raw([])],
            decoded: 1, .init(.zstdCorrupt, 10 + 3 + text.count)
        ) {
            $0.contentSize = (UInt64(text.count + 2), 4)
        },
        damaged(
            "more content than its size", [.raw(text), .raw([0x61]), .raw([])],
            decoded: 1, .init(.zstdCorrupt, 10 + 3 + text.count)
        ) {
            $0.contentSize = (UInt64(text.count), 4)
        },
    ]

    private static func made(
        _ name: String, _ blocks: [ZstdFrame.Block], _ change: (inout ZstdFrame) -> Void = { _ in }
    ) -> Case {
        var frame = ZstdFrame(blocks)
        change(&frame)
        return Case(name, frame.bytes, yields: frame.content)
    }

    /// A damaged frame, which another one follows.
    ///
    /// - Parameter decoded: the number of blocks before the damage.
    private static func damaged(
        _ name: String, _ blocks: [ZstdFrame.Block], decoded: Int = 0, _ damage: SourceDamage,
        _ change: (inout ZstdFrame) -> Void = { _ in }
    ) -> Case {
        var frame = ZstdFrame(blocks)
        change(&frame)
        let content = ZstdFrame(Array(blocks.prefix(decoded))).content
        return Case(name, frame.bytes + self.frame, yields: content, damage: damage)
    }

    @Test(arguments: frames + made + damaged)
    func contentAndDamageMatch(_ test: Case) {
        for step in [1, 2, 3, 7, 1 << 18] {
            for bufferBytes in [2, 3, 64, 1 << 18] {
                for outputBytes in test.content.count > 10_000 ? [100, 1 << 12] : [1, 1 << 12] {
                    let drained = Drained(
                        MemoryInput(test.source, step: step), bufferBytes: bufferBytes,
                        outputBytes: outputBytes)
                    let message = "step \(step), buffer \(bufferBytes), output \(outputBytes)"
                    #expect(drained.bytes == test.content, "\(message)")
                    #expect(drained.damage == test.damage, "\(message)")
                    #expect(drained.bytesInflated == UInt64(test.content.count), "\(message)")
                    if test.damage == nil {
                        #expect(drained.bytesRead == UInt64(test.source.count), "\(message)")
                    }
                }
            }
        }
        #expect(ZstdModel(test.source).violations(of: Drained(test.source)) == [])
        #expect(SourceInflating.violations(in: test.source) == [])
    }

    @Test(
        arguments: [
            [], [0x28], [0x28, 0xb5], [0x28, 0xb5, 0x2f], [0x50], [0x5f, 0x2a, 0x4d],
            [0x28, 0xb5, 0x2f, 0xfc, 0x61],
        ] as [[UInt8]])
    func lessThanAMagicNumberIsPlain(_ source: [UInt8]) {
        for (step, bufferBytes) in [(1, 2), (2, 3), (.max, 64)] {
            let drained = Drained(MemoryInput(source, step: step), bufferBytes: bufferBytes, outputBytes: 2)
            #expect(drained.bytes == source)
            #expect(drained.damage == nil)
        }
    }

    /// Every way of reading a small source in pieces, with outputs of every size.
    @Test func piecesDoNotMatter() {
        let source = zstd(Array(Self.text.prefix(60)), pieceBytes: 25) + Self.skippable + zstd([0x61]) + [0]
        let whole = Drained(source)
        #expect(whole.damage == nil)
        for outputBytes in 1...whole.bytes.count + 1 {
            for step in 1...source.count {
                #expect(
                    Drained(MemoryInput(source, step: step), bufferBytes: 64, outputBytes: outputBytes)
                        == whole)
            }
        }
        for bufferBytes in 2...source.count {
            #expect(Drained(MemoryInput(source), bufferBytes: bufferBytes, outputBytes: 9) == whole)
        }
    }

    @Test func manyFramesAreRead() {
        let frames = (0..<1_000).map { number in
            zstd([UInt8]("line \(number)\n"), hasChecksum: number % 2 == 0)
        }
        let drained = Drained(MemoryInput(frames.flatMap { $0 }, step: 1_000))
        #expect(drained.bytes == (0..<1_000).flatMap { [UInt8]("line \($0)\n") })
        #expect(drained.damage == nil)
    }

    /// Contents longer than a window and many blocks, in windows and levels of every kind.
    @Test(arguments: Seeds.several(1)) func longContentIsRead(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = (0..<20_000).flatMap { [UInt8]("line \($0), \(random.below(500))\n") }
        for (level, windowLog) in [(1, nil), (3, 10), (9, 17), (19, 12)] as [(Int32, Int32?)] {
            let source = zstd(text, level: level, windowLog: windowLog)
            let whole = Drained(source)
            #expect(whole.bytes == text && whole.damage == nil)
            for (step, bufferBytes, outputBytes) in [
                (7, 64, 1 << 12), (1 << 16, 1 << 18, 1_000), (1_000, 2, 1 << 20),
            ] {
                #expect(
                    Drained(
                        MemoryInput(source, step: step), bufferBytes: bufferBytes, outputBytes: outputBytes)
                        == whole)
            }
        }
    }
}
