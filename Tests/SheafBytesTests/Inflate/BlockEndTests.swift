import CZlib
import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Streams that stop at the ends of blocks, and streams that restart there (RFC 1951).
@Suite(.tags(.spilling)) struct BlockEndTests {
    struct Case: NamedCase {
        let name: String
        let text: [UInt8]
        let body: [UInt8]
        /// The number of block ends before that of the last block, where zlib's manual specifies it.
        let count: Int?

        init(
            _ name: String, _ blocks: DeflateBlocks, of text: [UInt8] = BlockEndTests.text, count: Int? = nil
        ) {
            self.name = name
            self.text = text
            body = blocks.body(of: text)
            self.count = count
        }
    }

    static let text = [UInt8]((0..<300).map { "line \($0), \($0 * $0 % 971)\n" }.joined())
    /// The size of a flushed piece: an eighth of the text, rounded up, so that the last piece is not flushed.
    static let piece = text.count / 8 + 1

    static let cases = [
        Case("one block", .one, count: 0),
        Case("small blocks", .small),
        Case("small fixed blocks", .smallFixed),
        Case("stored blocks", .stored(every: piece), count: 7),
        Case("blocks without alignment", .flushed(Z_BLOCK, every: piece), count: 7),
        Case("an empty fixed block after each", .flushed(Z_PARTIAL_FLUSH, every: piece), count: 14),
        Case("an empty stored block after each", .flushed(Z_SYNC_FLUSH, every: piece), count: 14),
        Case("no references across flushes", .flushed(Z_FULL_FLUSH, every: piece), count: 14),
        Case(
            "one block per byte", DeflateBlocks(strategy: Z_FIXED, flush: Z_BLOCK, pieceBytes: 1),
            of: Array(text.prefix(200))),
    ]

    /// Where a block ends, and the state from which the stream resumes there.
    private struct End: Equatable {
        var consumed: Int
        var produced: Int
        var unusedBits: UInt8
    }

    /// Inflates a body in pieces, stopping at the end of every block.
    private static func ends(
        of body: [UInt8], _ inflater: Inflater, step: Int, room: Int
    ) -> (ends: [End], content: [UInt8]) {
        let stream = InflateStream(inflater)
        var ends: [End] = []
        var (content, offset): ([UInt8], Int) = ([], 0)
        while true {
            let input = body[offset..<min(offset + step, body.count)]
            var output = content + [UInt8](repeating: 0, count: room)
            var target = output.mutableSpan
            let (consumed, produced, outcome) = stream.inflate(
                input.span, into: &target, at: content.count, stopsAtBlocks: true)
            offset += consumed
            content = Array(output[..<(content.count + produced)])
            switch outcome {
            case .progress: continue
            case .blockEnd(let unusedBits):
                ends.append(End(consumed: offset, produced: content.count, unusedBits: unusedBits))
            case .finished, .corrupt: return (ends, content)
            }
        }
    }

    @Test(arguments: cases, Inflater.allCases)
    func blockEndsDoNotDependOnPieceSizes(_ test: Case, _ inflater: Inflater) {
        let (ends, content) = Self.ends(of: test.body, inflater, step: 1 << 20, room: 1 << 16)
        #expect(content == test.text)
        if let count = test.count { #expect(ends.count == count) } else { #expect(ends.count > 5) }
        for (step, room) in [(1, 1 << 16), (1 << 16, 1), (1, 1), (7, 13)] {
            let others = Self.ends(of: test.body, inflater, step: step, room: room)
            #expect(others.ends == ends, "step \(step), room \(room)")
            #expect(others.content == content, "step \(step), room \(room)")
        }
    }

    /// Each decoder continues where the other one stopped.
    @Test(arguments: cases, Inflater.allCases)
    func everyBlockEndCanBeRestartedFrom(_ test: Case, _ inflater: Inflater) {
        let other: Inflater = inflater == .zlib ? .sheaf : .zlib
        let stream = InflateStream(inflater)
        for end in Self.ends(of: test.body, other, step: 1 << 20, room: 1 << 16).ends {
            let window = Array(test.text[..<end.produced].suffix(RestartPoint.Block.windowBytes))
            stream.restart(
                at: RestartPoint.Block(
                    unusedBits: end.unusedBits,
                    bits: end.consumed == 0 ? 0 : test.body[end.consumed - 1] >> (8 - end.unusedBits),
                    window: window, checksum: 0, length: 0))
            var output = window + [UInt8](repeating: 0, count: test.text.count)
            var target = output.mutableSpan
            let rest = test.body[end.consumed...]
            let (consumed, produced, outcome) = stream.inflate(rest.span, into: &target, at: window.count)
            #expect(outcome == .finished)
            #expect(consumed == test.body.count - end.consumed)
            #expect(output[window.count..<(window.count + produced)] == test.text[end.produced...])
        }
    }

    /// A block may end at any bit of a byte, and the cases above cover all eight.
    @Test func casesEndAtEveryBit() {
        let bits = Self.cases.flatMap { test in
            Self.ends(of: test.body, .sheaf, step: 1 << 20, room: 1 << 16).ends.map(\.unusedBits)
        }
        #expect(Set(bits) == Set(0...7))
    }

    /// No stream can restart after the last block.
    @Test(arguments: [DeflateBlocks.one, .small, .smallFixed, .stored(every: 10)], Inflater.allCases)
    func lastBlockHasNoEnd(_ blocks: DeflateBlocks, _ inflater: Inflater) {
        for text in ["", "a", "some text"] {
            let body = blocks.body(of: [UInt8](text))
            let (ends, content) = Self.ends(of: body, inflater, step: 1, room: 1)
            #expect(ends.isEmpty)
            #expect(content == [UInt8](text))
        }
    }

    @Test(arguments: [1, 1000, 1 << 16], Inflater.allCases)
    func windowIsTheLast32KiBOfALongOutput(_ room: Int, _ inflater: Inflater) throws {
        let text = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
        var source = SourceInput(
            MemoryInput(GzipMember(text, .small).bytes), bufferBytes: 100, inflater: inflater)
        var output = [UInt8](repeating: 0, count: room)
        var count = 0
        var windows = 0
        while true {
            source.requestRestartPoint()
            var target = output.mutableSpan
            let produced = try source.read(into: &target)
            guard produced > 0 else { break }
            #expect(output[..<produced] == text[count..<(count + produced)])
            count += produced
            guard case .block(let block) = source.restartPoint(before: 0).kind else { continue }
            let end = Int(source.restartPoint(before: 0).bytesInflated)
            windows += 1
            if windows % 97 == 0 {
                #expect(block.window == Array(text[..<end].suffix(RestartPoint.Block.windowBytes)))
            }
        }
        #expect(count == text.count)
        #expect(windows > 100 || room > 1000)
    }
}
