import TestSupport
import Testing

@testable import SheafBytes

/// Multibyte characters are validated one block at a time, starting at the first of them. The result does not depend on
/// where they are in the block, or on whether they continue past its end.
@Suite struct CharacterBlockTests {
    static let sequences: [[UInt8]] = [
        [0xc2, 0x80], [0xdf, 0xbf], [0xe0, 0xa0, 0x80], [0xed, 0x9f, 0xbf], [0xef, 0xbf, 0xbf],
        [0xf0, 0x90, 0x80, 0x80], [0xf4, 0x8f, 0xbf, 0xbf],
        // Invalid: overlong, surrogates, too large, truncated, too long, no lead byte.
        [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xed, 0xa0, 0x80],
        [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80],
        [0xc3, 0xa9, 0x80], [0xe2, 0x82, 0xac, 0xbf], [0xff],
    ]

    /// Tries every distance from the character at which the blocks begin, with and without text after the sequence.
    @Test(arguments: sequences)
    func sequencesAreValidatedAtEveryDistance(_ sequence: [UInt8]) {
        var scanner = DocumentScanner()
        for distance in 0...70 {
            for trailing in [0, 1, 40] {
                let content =
                    [UInt8]("é") + [UInt8](repeating: UInt8(ascii: "a"), count: distance) + sequence
                    + [UInt8](repeating: UInt8(ascii: "b"), count: trailing)
                expectAgreement(content, &scanner)
            }
        }
    }

    /// Random text of many scripts; one byte is changed in half of the texts.
    @Test(arguments: Seeds.several(2))
    func changedBytesAreDetected(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var scanner = DocumentScanner()
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

    private func expectAgreement(_ content: [UInt8], _ scanner: inout DocumentScanner) {
        let isValid = String(validating: content, as: UTF8.self) != nil
        let outcome = scanner.outcome(of: [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")])
        #expect(outcome == (isValid ? .notObject : .invalid), "\(content.shown)")
    }
}
