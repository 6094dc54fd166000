import TestSupport
import Testing

@testable import SheafBytes

/// Characters of several bytes are checked a block at a time, from the first of them on: where they stand in the block,
/// and whether they go on behind it, changes nothing.
@Suite struct CharacterBlockTests {
    static let sequences: [[UInt8]] = [
        [0xc2, 0x80], [0xdf, 0xbf], [0xe0, 0xa0, 0x80], [0xed, 0x9f, 0xbf], [0xef, 0xbf, 0xbf],
        [0xf0, 0x90, 0x80, 0x80], [0xf4, 0x8f, 0xbf, 0xbf],
        // No characters: overlong, surrogates, too large, cut off, too long, no start.
        [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xed, 0xa0, 0x80],
        [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80],
        [0xc3, 0xa9, 0x80], [0xe2, 0x82, 0xac, 0xbf], [0xff],
    ]

    /// Behind a character that the blocks begin with, at every distance, with text behind it and without.
    @Test(arguments: sequences)
    func distances(_ sequence: [UInt8]) {
        var scanner = PlaceScanner()
        for distance in 0...70 {
            for behind in [0, 1, 40] {
                let content =
                    [UInt8]("é") + [UInt8](repeating: 0x61, count: distance) + sequence
                    + [UInt8](repeating: 0x62, count: behind)
                expectAgreement(content, &scanner)
            }
        }
    }

    /// Random text of every script with a byte changed in every second one.
    @Test(arguments: Seeds.several(2))
    func changedBytes(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var scanner = PlaceScanner()
        let characters = ["a", " ", "é", "Ж", "ה", "’", "日", "한", "ऄ", "😀", "𐍈", "\u{10ffff}"]
        for _ in 0..<4000 {
            var content: [UInt8] = []
            let kinds = 1 + random.below(characters.count)
            for _ in 0..<random.below(60) { content += [UInt8](characters[random.below(kinds)]) }
            if !content.isEmpty, random.oneIn(2) {
                content[random.below(content.count)] = UInt8(0x80 + random.below(128))
            }
            expectAgreement(content, &scanner)
        }
    }

    private func expectAgreement(_ content: [UInt8], _ scanner: inout PlaceScanner) {
        let isValid = String(validating: content, as: UTF8.self) != nil
        let outcome = scanner.outcome(of: [0x22] + content + [0x22])
        #expect(outcome == (isValid ? .notObject : .invalid), "\(content.shown)")
    }
}
