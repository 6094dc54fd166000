import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Rejected lines and records come back as they were added.
@Suite struct RejectedLinesTests {
    private struct Entry: Equatable {
        let reason: RejectReason
        let source: Int?
        let line: UInt64
        let index: UInt32?
        let text: String
    }

    private static func entries(_ rejects: borrowing RejectedLines, _ chunk: Chunk) -> [Entry] {
        var entries: [Entry] = []
        rejects.forEach(in: chunk) { reason, source, line, index, text in
            entries.append(Entry(reason: reason, source: source, line: line, index: index, text: text.string))
        }
        return entries
    }

    /// Records of one line, and lines without an index, with texts in the chunk and copied ones.
    @Test(arguments: Seeds.several(20)) func entriesRoundTrip(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = Array("the first line of the chunk\nand a second one\n".utf8)
        let chunk = Chunk(text)
        var rejects = RejectedLines()
        for _ in 0..<2 {
            var expected: [Entry] = []
            var line = 1 + UInt64(random.below(1 << 20))
            for _ in 0..<random.below(30) {
                let reason = random.pick(RejectReason.allCases)
                // Lines with sources of their own are in any order.
                let source = random.chance(30) ? random.pick([0, OrderKey.maximumSources - 1]) : nil
                let position = source == nil ? line : random.pick([1, OrderKey.maximumLines - 1])
                let count = random.chance(20) ? 1 : 1 + random.below(5)
                for index in 0..<count {
                    let index = count == 1 ? nil : UInt32(index) * UInt32(random.pick([1, 300_000]))
                    let start = random.below(text.count)
                    let range = TextRange(start..<(start + random.below(text.count - start)))
                    if random.chance(50) {
                        rejects.append(
                            reason, source: source, line: position, index: index, text: range, of: chunk)
                    } else {
                        rejects.append(
                            reason, source: source, line: position, index: index,
                            text: chunk.bytes(of: range))
                    }
                    expected.append(
                        Entry(
                            reason: reason, source: source, line: position, index: index,
                            text: String(decoding: text[range.range], as: UTF8.self)))
                }
                if source == nil { line += 1 + UInt64(random.below(100)) }
            }
            #expect(Self.entries(rejects, chunk) == expected)
            #expect(rejects.isEmpty == expected.isEmpty)
            rejects.removeAll()
            #expect(rejects.isEmpty && rejects.byteCount == 0)
        }
    }
}
