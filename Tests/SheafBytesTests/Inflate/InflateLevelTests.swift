import CZlib
import FuzzChecks
import TestSupport
import Testing

@testable import SheafBytes

/// Everything that zlib's compressor writes is inflated.
@Suite struct InflateLevelTests {
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
