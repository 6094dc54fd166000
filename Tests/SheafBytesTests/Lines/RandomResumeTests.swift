import CZlib
import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Random logs, left and resumed at random positions: the lines are those that the rules define for the whole log.
@Suite(.tags(.spilling)) struct RandomResumeTests {
    @Test(arguments: Seeds.several(4))
    func resumedLogsHaveTheSameLines(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<25 {
            let maximumLine = random.pick([1, 10, 100, 2000])
            let content = Self.text(&random, maximumLine)
            let source = Self.source(of: content, &random)
            let decoded = Drained(source)
            let relay = Self.relay(source, maximumLine, &random)
            var kept = decoded.bytes
            if decoded.damage?.truncatesData == true {
                kept.removeSubrange((kept.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...)
            }
            let message = "seed \(seed), round \(round), left \(relay.positions.count) times"
            let lines = LineModel.lines(of: kept, maximumLine: maximumLine)
            try #require(relay.framing.lines == lines, "\(message)")
            try #require(relay.framing.violations == [], "\(message)")
            try #require(relay.damage == decoded.damage, "\(message)")
            try #require(relay.bytesInflated == UInt64(decoded.bytes.count), "\(message)")
            if decoded.damage == nil { try #require(relay.bytesRead == UInt64(source.count), "\(message)") }
            try #require(relay.positions.allSatisfy { $0.restored == $0 }, "\(message)")
        }
    }

    private static func relay(_ source: [UInt8], _ maximumLine: Int, _ random: inout SeededGenerator) -> Relay
    {
        var generator = random
        defer { random = generator }
        let (mostChunks, requestsPoints) = (generator.pick([1, 3, 20]), generator.oneIn(2))
        return Relay(source) { _ in
            let sizes = Framing.Sizes(
                target: generator.pick([1, 7, 64, 500, 4096]), maximumLine: maximumLine,
                buffer: generator.pick([2, 3, 64, 1 << 12]))
            let chunks = generator.number(1...mostChunks)
            return Relay.Leg(
                sizes: sizes, chunks: chunks,
                request: requestsPoints && generator.oneIn(2) ? generator.below(chunks) : nil,
                step: generator.pick([1, 7, 61, 1 << 16]), defersChecksum: generator.oneIn(2),
                inflater: generator.pick(Inflater.allCases))
        }
    }

    private static func text(_ random: inout SeededGenerator, _ maximumLine: Int) -> [UInt8] {
        var text: [UInt8] = random.oneIn(4) ? [0xef, 0xbb, 0xbf] : []
        for number in 0..<random.number(0...80) {
            switch random.below(12) {
            case 0: text += [UInt8](repeating: UInt8(ascii: " "), count: random.number(0...(maximumLine + 2)))
            case 1: text += random.bytes(random.number(0...40))
            case 2: text += [UInt8](repeating: UInt8(ascii: "x"), count: random.number(1000...3000))
            default: text += [UInt8]("line \(number), \(random.below(1000)) \(random.below(10))")
            }
            text += random.pick([[0x0a], [0x0a], [0x0a], [0x0d, 0x0a], [0x0a, 0x0a]])
        }
        if random.oneIn(3) { text += [UInt8]("the end") }
        return text
    }

    /// Returns the text uncompressed, or in members of random blocks, sometimes padded, damaged or truncated.
    private static func source(of text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        if random.oneIn(6) { return text }
        var source: [UInt8] = []
        var rest = text[...]
        let isZstd = random.oneIn(3)
        repeat {
            let part = Array(
                rest.prefix(random.oneIn(3) ? random.number(0...20) : random.number(0...text.count)))
            rest = rest.dropFirst(part.count)
            if isZstd {
                if random.oneIn(6) { source += ZstdFrame.skippable(random.bytes(random.number(0...20))) }
                source += zstd(
                    part, level: random.pick([1, 3, 9]), hasChecksum: random.oneIn(2),
                    windowLog: random.pick([nil, 10]), pieceBytes: random.pick([nil, 30, 500]))
                continue
            }
            var member = random.oneIn(6) ? GzipMember.decorated("") : GzipMember("")
            member.content = part
            member.blocks = DeflateBlocks(
                level: random.pick([0, 1, 6]), memory: random.pick([1, 1, 9]),
                strategy: random.pick([Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY]),
                flush: random.pick([Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK]),
                pieceBytes: random.number(20...2000))
            source += member.bytes
        } while !rest.isEmpty
        if random.oneIn(4) { source += [UInt8](repeating: 0, count: random.number(1...100)) }
        if random.oneIn(5) { source[random.number(2...(source.count - 1))] ^= 1 << UInt8(random.below(8)) }
        if random.oneIn(8) { source.removeSubrange(random.number(2...source.count)...) }
        return source
    }
}
