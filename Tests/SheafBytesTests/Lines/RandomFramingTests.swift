import TestSupport
import Testing

@testable import SheafBytes

/// Random texts in random pieces, compared with the rules applied to the whole text at once.
@Suite struct RandomFramingTests {
    static let maximumLines = [1, 2, 10, 100, 5000]
    static let targets = [1, 2, 3, 7, 64, 4096]

    @Test(arguments: Seeds.several(3), targets)
    func randomSourcesMatchTheModel(_ seed: UInt64, _ target: Int) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<25 {
            let maximumLine = Self.maximumLines[round % Self.maximumLines.count]
            let source = Self.text(&random, maximumLine: maximumLine)
            let sizes = Self.sizes(&random, target, maximumLine)
            let step = random.pick([1, 2, 3, 7, 61, 1000, 1 << 16])
            let framing = Framing(MemoryInput(source, step: step), sizes)
            let message = "round \(round), \(sizes), step \(step): \(source.shown)"
            try #require(framing.lines == LineModel.lines(of: source, maximumLine: maximumLine), "\(message)")
            try #require(framing.violations == [], "\(message)")
            try #require(framing.failure == nil, "\(message)")
            let pieces = Framing(piecesOf: source, step: step, sizes)
            try #require(pieces.lines == framing.lines, "pieces, \(message)")
            try #require(pieces.violations == [], "pieces, \(message)")
        }
    }

    /// Compressed sources, truncated or changed at random: the lines are those of the decoded bytes, without an
    /// incomplete last line where data was cut off.
    @Test(arguments: Seeds.several(8))
    func damagedSourcesMatchTheModel(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var reasons: Set<SourceDamage.Reason> = []
        for round in 0..<30 {
            let maximumLine = random.pick(Self.maximumLines)
            let source = Self.damaged(Self.text(&random, maximumLine: maximumLine), &random)
            let sizes = Self.sizes(&random, random.pick(Self.targets), maximumLine)
            let step = random.pick([1, 3, 61, 1 << 16])
            let framing = Framing(MemoryInput(source, step: step), sizes)
            let decoded = Drained(source)
            let kept =
                decoded.damage?.truncatesData == true ? Self.wholeLines(of: decoded.bytes) : decoded.bytes
            let message = "round \(round), \(sizes), step \(step)"
            try #require(framing.lines == LineModel.lines(of: kept, maximumLine: maximumLine), "\(message)")
            try #require(framing.violations == [], "\(message)")
            try #require(framing.damage == decoded.damage, "\(message)")
            if let reason = decoded.damage?.reason { reasons.insert(reason) }
        }
        #expect(reasons.count >= 4, "too few types of damage: \(reasons)")
    }

    @Test(arguments: Seeds.several(4))
    func readFailuresYieldOnlyCompleteLines(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<30 {
            let maximumLine = random.pick(Self.maximumLines)
            let text = Self.text(&random, maximumLine: maximumLine)
            let sizes = Self.sizes(&random, random.pick(Self.targets), maximumLine)
            let step = random.pick([1, 3, 61, 1 << 16])
            let framing = Framing(FailingInput(text, step: step), sizes)
            // A single byte is held back, because it could be the beginning of a magic number.
            let kept = text.count < 2 ? [] : Self.wholeLines(of: text)
            let message = "round \(round), \(sizes), step \(step): \(text.shown)"
            try #require(framing.lines == LineModel.lines(of: kept, maximumLine: maximumLine), "\(message)")
            try #require(framing.violations == [], "\(message)")
            guard case .unreadable(FailingInput.failure, let offset) = framing.failure else {
                Issue.record("\(message): \(String(describing: framing.failure))")
                return
            }
            try #require(offset == UInt64(text.count), "\(message)")
        }
    }

    private static func wholeLines(of text: [UInt8]) -> [UInt8] {
        Array(text[..<(text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)])
    }

    private static func sizes(_ random: inout SeededGenerator, _ target: Int, _ maximumLine: Int)
        -> Framing.Sizes
    {
        Framing.Sizes(target: target, maximumLine: maximumLine, buffer: random.pick([2, 3, 64, 1 << 16]))
    }

    /// Returns lines of every type, most of them near the limits.
    private static func text(_ random: inout SeededGenerator, maximumLine: Int) -> [UInt8] {
        var text: [UInt8] = random.oneIn(4) ? [0xef, 0xbb, 0xbf] : []
        for _ in 0..<random.number(0...12) {
            text += content(&random, maximumLine)
            text += random.pick([[0x0a], [0x0a], [0x0d, 0x0a], [0x0d, 0x0d, 0x0a], [0x0a, 0x0a, 0x0a]])
        }
        if random.oneIn(3) { text += content(&random, maximumLine) }
        if random.oneIn(6) { text.append(UInt8(ascii: "\r")) }
        if random.oneIn(6) { text = [UInt8](repeating: UInt8(ascii: "\n"), count: random.number(0...40)) }
        return text
    }

    private static func content(_ random: inout SeededGenerator, _ maximumLine: Int) -> [UInt8] {
        let longest = max(maximumLine, ChunkFiller.quotedBytes)
        let length =
            switch random.below(8) {
            case 0: 0
            case 1, 2, 3: random.number(1...12)
            case 4: random.number(max(0, maximumLine - 3)...(maximumLine + 4))
            case 5: random.number((longest - 3)...(longest + 6))
            case 6: random.number(0...200)
            default: random.oneIn(4) ? 3 * longest : random.number(0...3)
            }
        switch random.below(4) {
        case 0: return (0..<length).map { _ in random.pick([0x20, 0x09]) }
        case 1: return (0..<length).map { _ in random.pick([0x61, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0x00]) }
        default: return (0..<length).map { UInt8(0x61 + $0 % 26) }
        }
    }

    /// Returns the text in one or two members, with random damage.
    private static func damaged(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let cut = random.number(0...text.count)
        var first = GzipMember(Array(text[..<cut]))
        let second = GzipMember(Array(text[cut...]))
        switch random.below(6) {
        case 0:
            let whole = first.bytes + second.bytes
            return Array(whole[..<random.number(2...whole.count)])
        case 1:
            first.checksumError = 1
            return first.bytes + second.bytes
        case 2:
            first.lengthError = 1
            return first.bytes + second.bytes
        case 3:
            var wrong = second
            wrong.method = 0
            return first.bytes + wrong.bytes
        case 4:
            return first.bytes + second.bytes + random.pick([[0x61], [0, 0, 0x61], [0x1f, 0x1f], [0x1f]])
        default:
            // A block of the reserved type after a valid one.
            return first.header + [0, UInt8(min(cut, 255)), 0, ~UInt8(min(cut, 255)), 0xff]
                + text[..<min(cut, 255)] + [0x07]
        }
    }
}

extension Framing {
    fileprivate var damage: SourceDamage? {
        guard case .damaged(let damage) = failure else { return nil }
        return damage
    }
}
