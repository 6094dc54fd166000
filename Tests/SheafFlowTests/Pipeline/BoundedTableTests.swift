import SheafBytes
import TestSupport
import Testing

@testable import SheafFlow

/// Tables of the smallest keys: their contents depend only on the set of updates.
@Suite struct BoundedTableTests {
    typealias Table = BoundedTable<UInt64>

    struct Key: Hashable, Comparable {
        let texts: [String]

        var byteCount: Int { texts.reduce(0) { $0 + $1.utf8.count } }

        static func < (a: Key, b: Key) -> Bool {
            for (x, y) in zip(a.texts, b.texts) where x != y {
                return Array(x.utf8).lexicographicallyPrecedes(Array(y.utf8))
            }
            return false
        }
    }

    private static func add(_ key: Key, to table: inout Table) {
        let (first, second, third) = (
            Array(key.texts[0].utf8), Array(key.texts[1].utf8), Array(key.texts[2].utf8)
        )
        table.update(first.span, second.span, third.span, 1) { $0 += 1 }
    }

    private static func contents(_ table: Table) -> [[String]] {
        table.entries.map { entry in
            [entry.texts.first, entry.texts.second, entry.texts.third, "\(entry.value)"]
        }
    }

    private static func encoded(_ table: Table) -> [UInt8] {
        var output = OutputBuffer()
        table.append(to: &output) { $1.appendNumber($0) }
        var bytes: [UInt8] = []
        bytes.append(output.bytes)
        return bytes
    }

    private static func decoded(_ bytes: [UInt8], limit: Int, isCut: Bool) -> Table? {
        var table = Table(limit: limit)
        var reader = ByteReader(bytes.span)
        table.read(&reader, in: bytes.span) { $0.number() }
        if isCut { table.cut() }
        return reader.isValid && reader.isAtEnd ? table : nil
    }

    /// Keys whose texts divide the same bytes differently, contain a zero, or are empty.
    private static let texts = ["", "a", "ab", "b", "a\u{0}", "\u{e9}", "B"]

    @Test(arguments: Seeds.several(30))
    func contentsAreThoseOfTheSmallestKeys(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = random.pick([0, 1, 2, 7, 60])
        let keys = (0..<random.below(300)).map { _ in
            Key(texts: (0..<3).map { _ in random.pick(Self.texts) })
        }
        var parts = (0...random.below(4)).map { _ in Table(limit: limit) }
        for key in keys { Self.add(key, to: &parts[random.below(parts.count)]) }
        var table = Table(limit: limit)
        for part in parts.shuffled(using: &random) { table.formUnion(part) { $0 += $1 } }

        let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
        let smallest = counts.sorted { $0.key < $1.key }.prefix(limit)
        #expect(Self.contents(table) == smallest.map { $0.key.texts + ["\($0.value)"] })
        #expect(table.isCut == (counts.count > limit))
        #expect(Self.decoded(Self.encoded(table), limit: limit, isCut: table.isCut) == table)
        #expect(table.isEmpty == keys.isEmpty)
    }

    @Test(arguments: [(512, true), (513, false)])
    func keysHaveAMaximumLength(_ count: Int, _ isKept: Bool) {
        var table = Table(limit: 5)
        let text = String(repeating: "x", count: count - 3)
        Self.add(Key(texts: ["a", text, "bc"]), to: &table)
        #expect(table.entries.count == (isKept ? 1 : 0))
        #expect(table.isCut == !isKept)
    }

    /// Number of entries, then for each three texts and a value.
    @Test(
        arguments: [
            Example(
                "more entries than the limit", [3, 1, 97, 0, 0, 1, 1, 98, 0, 0, 1, 1, 99, 0, 0, 1], false),
            Example("two entries", [2, 1, 97, 0, 0, 1, 1, 98, 0, 0, 1], true),
            Example("entries in the wrong order", [2, 1, 98, 0, 0, 1, 1, 97, 0, 0, 1], false),
            Example("an entry twice", [2, 1, 97, 0, 0, 1, 1, 97, 0, 0, 1], false),
            Example("a text that is longer than the bytes", [1, 9, 97, 0, 0, 1], false),
            Example("an entry without a value", [1, 1, 97, 0, 0], false),
            Example("fewer entries than their number", [2, 1, 97, 0, 0, 1], false),
            Example("nothing", [], false),
        ] as [Example<[UInt8], Bool>])
    func damagedBytesAreRefused(_ example: Example<[UInt8], Bool>) {
        #expect((Self.decoded(example.input, limit: 2, isCut: false) != nil) == example.expected)
    }

    @Test func keysThatAreTooLongAreRefused() {
        let text: [UInt8] = [0x81, 0x04] + Array(repeating: 97, count: 513)
        #expect(Self.decoded([1] + text + [0, 0, 1], limit: 2, isCut: false) == nil)
    }
}
