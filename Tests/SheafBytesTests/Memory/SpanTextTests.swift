import TestSupport
import Testing

@testable import SheafBytes

/// Equality, order and hashes of texts as bytes, compared with straightforward implementations.
@Suite struct SpanTextTests {
    static let texts: [[UInt8]] = [
        [], [0x00], [0x00, 0x00], [0x61], [0x61, 0x00], [0x61, 0x61], [0x62], [0x7f], [0x80], [0xff],
        [0xff, 0xff],
        [UInt8]("abcdefg"), [UInt8]("abcdefgh"), [UInt8]("abcdefghi"), [UInt8]("abcdefgx"), [UInt8]("é"),
        [UInt8]("e\u{301}"), [UInt8](repeating: UInt8(ascii: "a"), count: 100),
        [UInt8](repeating: UInt8(ascii: "a"), count: 101),
        [UInt8](repeating: UInt8(ascii: "a"), count: 100) + [UInt8(ascii: "b")],
    ]

    @Test(arguments: texts)
    func comparisonsAndHashesMatchArrays(_ text: [UInt8]) {
        for other in Self.texts {
            let isEqual = text.span.isEqual(to: other.span)
            let order = text.span.compare(to: other.span)
            #expect(isEqual == (text == other), "\(other.shown)")
            #expect((order < 0) == text.lexicographicallyPrecedes(other), "\(other.shown)")
            #expect((order == 0) == (text == other), "\(other.shown)")
            let areHashesEqual = text.span.hash(seed: 1) == other.span.hash(seed: 1)
            #expect(areHashesEqual == (text == other), "\(other.shown)")
        }
    }

    @Test(arguments: Seeds.several(1))
    func randomTextsCompareLikeArrays(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for round in 0..<500 {
            let text = random.bytes(random.number(0...30))
            var other = random.oneIn(2) ? text : random.bytes(random.number(0...30))
            if !other.isEmpty, random.oneIn(2) { other[random.below(other.count)] &+= 1 }
            let order = text.span.compare(to: other.span)
            let isEqual = text.span.isEqual(to: other.span)
            #expect(isEqual == (text == other), "round \(round)")
            #expect((order < 0) == text.lexicographicallyPrecedes(other), "round \(round)")
            #expect((order == 0) == (text == other), "round \(round)")
        }
    }

    /// Equality does not depend on where in a buffer the bytes are, or on the bytes around them.
    @Test func equalPartsOfABufferAreEqual() {
        let buffer = [UInt8]("xabcdefghijkly abcdefghijklz")
        let first = buffer.span.extracting(1..<13)
        let second = buffer.span.extracting(15..<27)
        let (isEqual, order) = (first.isEqual(to: second), first.compare(to: second))
        let (hash, otherHash) = (first.hash(seed: 5), second.hash(seed: 5))
        #expect(isEqual)
        #expect(order == 0)
        #expect(hash == otherHash)
    }

    @Test(arguments: ["", "a", "é", "com.example.voip"])
    func literalsCompareLikeStrings(_ text: String) {
        let literals: [StaticString] = [
            "", "a", "é", "com.example.voip", "com.example.voiP", "com.example.voi",
        ]
        for literal in literals {
            let isEqual = [UInt8](text).span.isEqual(to: literal)
            #expect(isEqual == (text == "\(literal)"), "\(literal)")
        }
    }

    @Test(
        arguments: [
            ("", ""), ("", ".voip"), (".voip", ""), (".voip", ".voip"), ("com.example.voip", ".voip"),
            ("com.example.voip2", ".voip"), ("oip", ".voip"), ("VOIP", ".voip"), (".voip.", ".voip"),
        ] as [(String, StaticString)])
    func suffixesCompareLikeStrings(_ text: String, _ suffix: StaticString) {
        let hasSuffix = [UInt8](text).span.hasSuffix(suffix)
        #expect(hasSuffix == text.hasSuffix("\(suffix)"))
    }

    /// The stable hash must not change: samples that results depend on, and the fuzzers' inputs, are chosen with it.
    @Test(
        arguments: [
            ("", 0, 0xbeb1_2427_5d76_700e), ("a", 0, 0x4370_e3ff_6888_07a3),
            ("abcdefgh", 0, 0xc8a0_e0dc_63fb_18c9), ("com.example.mail", 7, 0x8c55_675b_dbfd_81d6),
            ("com.example.mail2", .max, 0x0442_199e_3995_ca3c),
        ] as [(String, UInt64, UInt64)])
    func stableHashesNeverChange(_ text: String, _ seed: UInt64, _ expected: UInt64) {
        #expect([UInt8](text).span.stableHash(seed: seed) == expected)
        #expect(CraftedCollisions.hash([UInt8](text), seed: seed) == expected)
    }

    /// Texts that collide under the stable hash are distributed like any others by the hash with a secret.
    @Test(arguments: [0, 1, .max] as [UInt64], [[], [UInt8]("-suffix of more than sixteen bytes")])
    func craftedCollisionsAreDistributed(_ seed: UInt64, _ suffix: [UInt8]) {
        let texts = CraftedCollisions.texts(20_000, seed: seed, suffix: suffix)
        #expect(Set(texts.map { $0.span.stableHash(seed: seed) }).count == 1)
        let hashes = texts.map { $0.span.hash(seed: seed) }
        #expect(Set(hashes).count == texts.count)
        // In 2^20 buckets, 20,000 * (1 - 20,000 / 2^21) = 19,809 are expected, with a standard deviation of 14.
        #expect(Set(hashes.map { $0 & 0xf_ffff }).count > 19_600)
        #expect(Set(hashes.map { $0 >> 44 }).count > 19_600)
    }

    /// Texts of every length made up of words for which a product in the hash could become zero.
    @Test func noWordCancelsTheOthers() {
        let constants: [UInt64] = [
            0, .max, 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3,
            0x9e37_79b9_7f4a_7c15, 0x9e37_79b9_7f4a_7c15 ^ 1,
        ]
        var texts = Set<[UInt8]>()
        for length in 0..<40 {
            for constant in constants {
                for number in 0..<8 as Range<UInt8> {
                    var text = (0..<length).map {
                        UInt8(truncatingIfNeeded: constant >> (8 * UInt64($0 % 8)))
                    }
                    if !text.isEmpty { text[0] = number }
                    texts.insert(text)
                }
            }
        }
        #expect(Set(texts.map { $0.span.hash(seed: 1) }).count == texts.count)
    }

    /// The number of buckets used matches that of random hashes, for similar texts and under every seed.
    @Test(arguments: [0, 1, 0x9e37_79b9_7f4a_7c15, .max] as [UInt64])
    func similarTextsAreDistributed(_ seed: UInt64) {
        var all = Set<UInt64>()
        var low = Set<UInt64>()
        var high = Set<UInt64>()
        for number in 0..<4096 {
            let hash = [UInt8]("thread-\(number)").span.hash(seed: seed)
            all.insert(hash)
            low.insert(hash & 0xfff)
            high.insert(hash >> 52)
        }
        #expect(all.count == 4096)
        // 4096 * (1 - 1/e) = 2589 are expected, with a standard deviation of 32.
        #expect((2400...2800).contains(low.count), "\(low.count) of 4096 low buckets")
        #expect((2400...2800).contains(high.count), "\(high.count) of 4096 high buckets")
    }

    @Test func trailingZerosChangeTheHash() {
        let hashes = (0..<40).map { [UInt8](repeating: 0, count: $0).span.hash(seed: 0) }
        #expect(Set(hashes).count == hashes.count)
    }

    @Test(
        arguments: [
            ([0xc3, 0xa9], "é"), ([], ""), ([0x61, 0xff, 0x62], "a\u{fffd}b"), ([0x00], "\u{0}"),
        ] as [([UInt8], String)])
    func invalidUTF8IsRepaired(_ bytes: [UInt8], _ text: String) {
        #expect(bytes.span.string == text)
    }

    @Test func textsAndLiteralsAreAppended() {
        var bytes = [UInt8]("a")
        let (text, nothing) = ([UInt8]("bc"), [UInt8]())
        bytes.append(text.span)
        bytes.append(nothing.span)
        bytes.append("dé")
        bytes.append("")
        #expect(bytes == [UInt8]("abcdé"))
    }

    @Test func writingReplacesBytes() {
        var bytes: [UInt8] = [1, 2, 3, 4]
        let source: [UInt8] = [8, 9]
        let nothing: [UInt8] = []
        var target = bytes.mutableSpan
        target.write(source.span, at: 2)
        target.write(nothing.span, at: 4)
        target.write(nothing.span, at: 0)
        #expect(bytes == [1, 2, 8, 9])
    }

    /// Short texts are copied and compared in parts that depend on their length.
    @Test(arguments: Array(1...70) + [95, 96, 97, 127, 128, 129, 255, 256, 257, 300])
    func everyLengthIsCopiedAndCompared(_ count: Int) {
        let text = (0..<count).map { UInt8(truncatingIfNeeded: 1 + $0 * 7) }
        var buffer = [UInt8](repeating: 0, count: count + 5)
        var target = buffer.mutableSpan
        target.write(text.span, at: 2)
        #expect(buffer == [0, 0] + text + [0, 0, 0])
        let copy = buffer.span.extracting(2..<(2 + count))
        let isEqual = copy.isEqual(to: text.span)
        #expect(isEqual)
        for index in text.indices {
            var other = text
            other[index] ^= 0x80
            let isOtherEqual = other.span.isEqual(to: text.span)
            #expect(!isOtherEqual, "\(index)")
        }
    }

    @Test func firstWordsAreReadAndWritten() async {
        var bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
        let word = bytes.span.firstWord
        #expect(word == 0x0807_0605_0403_0201)
        var target = bytes.mutableSpan
        target.write(firstWord: 0x1817_1615_1413_1211)
        #expect(bytes == [0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 9])
        await #expect(processExitsWith: .failure) {
            let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
            _ = bytes.span.firstWord
        }
        await #expect(processExitsWith: .failure) {
            var bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
            var target = bytes.mutableSpan
            target.write(firstWord: 0)
        }
    }

    @Test func writingOutOfBoundsTraps() async {
        await #expect(processExitsWith: .failure) {
            var bytes: [UInt8] = [1, 2]
            let source: [UInt8] = [8, 9]
            var target = bytes.mutableSpan
            target.write(source.span, at: 1)
        }
        await #expect(processExitsWith: .failure) {
            var bytes: [UInt8] = [1, 2]
            let source: [UInt8] = [8]
            var target = bytes.mutableSpan
            target.write(source.span, at: -1)
        }
    }

    @Test func textRangesConvertToRanges() {
        #expect(TextRange(3..<7) == TextRange(start: 3, count: 4))
        #expect(TextRange(3..<7).range == 3..<7)
        #expect(TextRange(3..<3).isEmpty)
        #expect(TextRange.none.isEmpty)
        let large = Int(UInt32.max)
        #expect(TextRange(start: .max, count: .max).range == large..<(2 * large))
        let bytes = [UInt8]("abcdef")
        #expect(bytes.span[TextRange(1..<4)].string == "bcd")
        #expect(bytes.span[TextRange(6..<6)].count == 0)
    }

    /// Covers lengths on both sides of the search's sixteen-byte steps.
    @Test(arguments: Seeds.several(4))
    func lastIndexMatchesTheArray(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            // Include neighbors of a dot, and bytes that differ from it in a single bit.
            let bytes = (0..<generator.below(40)).map { _ in
                generator.pick([0x2e, 0x2d, 0x2f, 0xae, 0x00, 0x80, 0xff, 0x61] as [UInt8])
            }
            #expect(bytes.span.lastIndex(of: UInt8(ascii: ".")) == bytes.lastIndex(of: UInt8(ascii: ".")))
            let letters = bytes.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "a") : $0 }
            #expect(letters.span.lastIndex(of: UInt8(ascii: ".")) == nil)
        }
    }

    @Test(arguments: [
        ("alert", true), ("ALERT", true), ("aLeRt", true), ("", false), ("aler", false), ("alerts", false),
        ("\u{1}lert", false), ("@LERT", false), ("alert ", false), ("álert", false),
    ])
    func asciiCaseIsIgnored(_ text: String, isEqual: Bool) {
        #expect(Array(text.utf8).span.isEqualIgnoringCase(to: "alert") == isEqual)
    }

    /// Each byte at each position of a text of digits, for lengths around those of a block.
    @Test(arguments: [1, 4, 31, 32, 33, 36, 64, 65])
    func hexadecimalDigitsAreRecognized(_ count: Int) {
        let digits = Array("0123456789abcdefABCDEF".utf8)
        for position in 0..<count {
            for byte in UInt8.min ... .max {
                var text = (0..<count).map { digits[$0 % digits.count] }
                text[position] = byte
                let isHexadecimal = text.span.isHexadecimal
                #expect(isHexadecimal == digits.contains(byte), "\(byte) at \(position)")
            }
        }
        let isEmptyHexadecimal = [UInt8]().span.isHexadecimal
        #expect(!isEmptyHexadecimal)
    }

    @Test func aUUIDHasHyphensAtFourPlaces() {
        let identifier = Array("EEBD114B-D872-46d1-B50C-3FF1E7d7e8a6".utf8)
        func isUUID(_ text: [UInt8]) -> Bool { text.span.isUUID }
        #expect(isUUID(identifier))
        #expect(!isUUID(identifier.dropLast()))
        #expect(!isUUID(identifier + [UInt8(ascii: "0")]))
        for position in identifier.indices {
            for byte in UInt8.min ... .max
            where (byte == UInt8(ascii: "-")) != (identifier[position] == UInt8(ascii: "-")) {
                var text = identifier
                text[position] = byte
                let isDigit = Array("0123456789abcdefABCDEF".utf8).contains(byte)
                #expect(isUUID(text) == (isDigit && identifier[position] != UInt8(ascii: "-")))
            }
        }
    }
}
