import CZlib
import FuzzChecks
import TestSupport
import TestTags
import Testing

@testable import SheafBytes

/// Each rule of RFC 1951, and each error that zlib reports, by a stream written for it.
@Suite(.tags(.spilling)) struct InflateRuleTests {
    /// What follows a stream: nothing, a few bytes or more than any decoder reads ahead.
    private static let followers: [[UInt8]] = [
        [], [UInt8](repeating: 0, count: 7), [UInt8](repeating: 0xff, count: 20),
        [UInt8](repeating: 0x55, count: 600),
    ]

    /// zlib itself agrees with what the cases claim.
    @Test(arguments: DeflateCase.all)
    func caseIsRight(_ test: DeflateCase) {
        for follower in test.expected.ending == .unfinished ? [[]] : Self.followers {
            let model = DeflateModel(test.stream + follower)
            var expected = test.expected
            expected.adopt(endsOf: model.result)
            #expect(model.result == expected)
            #expect(model.complaint == test.complaint)
        }
    }

    /// The offset of an error is that of the byte with the bit that shows it, whichever bit of the byte it is.
    @Test(arguments: Inflater.allCases)
    func errorsAreFoundAtTheirBits(by inflater: Inflater) {
        let reused = InflateStream(inflater)
        for test in DeflateCase.shifted {
            for follower in [Self.followers[0], Self.followers[2], Self.followers[3]] {
                let stream = test.stream + follower
                let model = DeflateModel(stream)
                var expected = test.expected
                expected.adopt(endsOf: model.result)
                #expect(model.result == expected, "\(test)")
                #expect(model.complaint == test.complaint, "\(test)")
                for pieceBytes in [Int.max, 1] {
                    let run = InflateRun(
                        reused, stream, .init(input: pieceBytes), limit: expected.bytes.count + 600)
                    let violations = run.violations + run.result.differences(from: expected)
                    #expect(violations == [], "\(test), \(follower.count) bytes after it")
                }
            }
        }
    }

    @Test(arguments: DeflateCase.all, Inflater.allCases)
    func streamIsInflatedOrRefused(_ test: DeflateCase, by inflater: Inflater) {
        let reused = InflateStream(inflater)
        let count = test.expected.bytes.count
        // Every size of output is tried for small streams; the others would take too long.
        let cuts: [(input: Int, output: Int)] =
            count < 2_000
            ? [(.max, .max), (1, .max), (.max, 1), (1, 1), (3, 7), (50, 40), (9, .max), (.max, 300)]
            : [(.max, .max), (13, .max), (.max, 259), (1_000, 40_000)]
        for follower in test.expected.ending == .unfinished ? [[]] : Self.followers {
            let stream = test.stream + follower
            let ends = DeflateModel(stream).result
            for (input, output) in cuts {
                for stops in [false, true] {
                    var expected = test.expected
                    expected.adopt(endsOf: ends)
                    let run = InflateRun(
                        reused, stream, .init(input: input, output: output, stops: stops),
                        limit: count + 600)
                    let violations =
                        run.violations + run.result.differences(from: expected, stopsAlways: stops)
                    #expect(
                        violations == [],
                        "input \(input), output \(output), stops \(stops), \(follower.count) bytes after it")
                }
            }
        }
    }
}

/// Everything that zlib's compressor writes is inflated.
@Suite(.tags(.spilling)) struct InflateLevelTests {
    struct Text: NamedCase {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    static let texts: [Text] = {
        var random = SeededGenerator(seed: 16)
        var texts = [
            Text("nothing", []), Text("a byte", [0]), Text("three bytes", [1, 1, 1]),
            Text("zeros", [UInt8](repeating: 0, count: 70_000)), Text("random bytes", random.bytes(20_000)),
            Text("every byte", (0..<20).flatMap { _ in Array(0...255) }),
        ]
        let log = (0..<120).map { PushTexts.lines[$0 % PushTexts.lines.count] + [UInt8]("\($0 * $0)\n") }
        texts.append(Text("a log", Array(log.joined())))
        texts.append(Text("two letters", (0..<9_000).map { _ in UInt8(random.below(2)) }))
        texts.append(Text("seldom letters", (0..<9_000).map { _ in UInt8(255 / (1 + random.below(3_000))) }))
        texts.append(
            Text("every period", (1...20).flatMap { period in (0..<500).map { UInt8($0 % period) } }))
        // Matches of every length, between bytes that do not repeat.
        let words = random.bytes(300)
        texts.append(
            Text("every length", (3...258).flatMap { words.prefix($0) + random.bytes(3) }))
        texts.append(farText(&random))
        return texts
    }()

    /// Matches as far back as possible: zlib itself does not use the last 262 bytes of its window.
    private static func farText(_ random: inout SeededGenerator) -> Text {
        let start = random.bytes(300)
        let between = random.bytes(32_506 - 300)
        return Text("far matches", start + between + start + between.prefix(1_000))
    }

    private static let strategies = [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED]

    @Test(arguments: texts, Inflater.allCases)
    func compressedTextIsInflated(_ text: Text, by inflater: Inflater) {
        let reused = InflateStream(inflater)
        var bodies: Set<[UInt8]> = []
        for level in Int32(0)...9 {
            for strategy in Self.strategies {
                // The memory level decides how long blocks are: all of them only for some.
                for memory in level == 6 ? Array(Int32(1)...9) : [level % 9 + 1] {
                    let blocks = DeflateBlocks(level: level, memory: memory, strategy: strategy)
                    let body = blocks.body(of: text.bytes)
                    // Many of them write the same.
                    guard bodies.insert(body).inserted else { continue }
                    let run = InflateRun(
                        reused, body + [1, 2, 3],
                        .init(input: memory < 4 ? 1_000 : .max, output: strategy == Z_RLE ? 300 : .max),
                        limit: text.bytes.count + 600)
                    let expected = Inflated(text.bytes, consumed: body.count, ending: .finished)
                    let violations = run.violations + run.result.differences(from: expected)
                    #expect(violations == [], "level \(level), strategy \(strategy), memory \(memory)")
                }
            }
        }
    }

    /// Blocks that a flush ends are empty, or begin at any bit.
    @Test(arguments: [Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK], Inflater.allCases)
    func flushedTextIsInflated(_ flush: Int32, by inflater: Inflater) {
        let reused = InflateStream(inflater)
        for text in Self.texts where text.bytes.count < 10_000 {
            for pieceBytes in [1, 30, 1_000] where text.bytes.count / pieceBytes < 500 {
                let body = DeflateBlocks(flush: flush, pieceBytes: pieceBytes).body(of: text.bytes)
                let expected = DeflateModel(body).result
                #expect(expected.bytes == text.bytes)
                for stops in [false, true] {
                    let run = InflateRun(reused, body, .init(output: 900, stops: stops))
                    let violations =
                        run.violations + run.result.differences(from: expected, stopsAlways: stops)
                    #expect(violations == [], "\(text), pieces of \(pieceBytes) bytes, stops \(stops)")
                }
            }
        }
    }
}

/// The decoder touches no byte before or after its input and its buffer: there are pages that can't be accessed.
@Suite(.tags(.spilling)) struct InflateBoundsTests {
    /// A block of pages between two that can't be accessed.
    @safe private final class FencedMemory {
        private static let pageBytes = 1 << 16
        private static let byteCount = 1 << 20
        private let start: UnsafeMutableRawPointer

        init() {
            unsafe start = PageMemory.allocate(Self.byteCount)
            // Safety: the first and the last page are inside the block.
            unsafe mprotect(start, Self.pageBytes, PROT_NONE)
            unsafe mprotect(start + Self.byteCount - Self.pageBytes, Self.pageBytes, PROT_NONE)
        }

        deinit { unsafe PageMemory.deallocate(start, Self.byteCount) }

        /// Returns as many bytes, directly before the second fence or after the first one.
        ///
        /// Safety: valid as long as the memory.
        @unsafe func bytes(_ count: Int, atEnd: Bool) -> UnsafeMutableBufferPointer<UInt8> {
            precondition(count <= Self.byteCount - 2 * Self.pageBytes, "larger than the memory")
            let offset = atEnd ? Self.byteCount - Self.pageBytes - count : Self.pageBytes
            return unsafe UnsafeMutableRawBufferPointer(start: start + offset, count: count)
                .bindMemory(to: UInt8.self)
        }
    }

    private struct Fences {
        private let input = FencedMemory()
        private let output = FencedMemory()

        /// Returns what one call yields of a stream, with exactly this much room.
        func inflate(_ stream: [UInt8], _ room: Int, atEnd: Bool, _ inflater: InflateStream) -> [UInt8] {
            let source = unsafe input.bytes(stream.count, atEnd: atEnd)
            let target = unsafe output.bytes(room, atEnd: atEnd)
            _ = unsafe source.update(fromContentsOf: stream)
            var buffer = unsafe target.mutableSpan
            inflater.reset()
            // Safety: both are inside their memory, which outlives this call.
            let produced = unsafe inflater.inflate(Span(_unsafeElements: source), into: &buffer).produced
            return unsafe Array(target[..<produced])
        }
    }

    /// Runs in its own process, which an access to a fence ends.
    @Test func memoryOutsideIsNotTouched() async {
        await #expect(processExitsWith: .success) {
            for inflater in Inflater.allCases { Self.inflateBetweenFences(InflateStream(inflater)) }
        }
    }

    private static func inflateBetweenFences(_ inflater: InflateStream) {
        let fences = Fences()
        var random = SeededGenerator(seed: 1951)
        var streams = (0..<40).map { RandomDeflate(&random, length: 20 + 10 * $0).stream }
        streams += DeflateCase.all.map(\.stream).filter { $0.count < 2_000 }
        for stream in streams {
            let expected = DeflateModel(stream).result
            for count in [stream.count] + (0..<6).map({ _ in random.below(stream.count + 1) }) {
                let part = Array(stream.prefix(count))
                let room = random.pick([expected.bytes.count, random.below(expected.bytes.count + 1)])
                let whole = DeflateModel(part).result.bytes.prefix(room)
                for atEnd in [true, false] {
                    let bytes = fences.inflate(part, room, atEnd: atEnd, inflater)
                    #expect(bytes[...] == whole, "\(count) bytes into \(room)")
                }
            }
        }
    }
}
