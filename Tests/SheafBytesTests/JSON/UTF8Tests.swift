import TestSupport
import Testing

@testable import SheafBytes

/// Validation of byte sequences as UTF-8 (RFC 3629).
@Suite struct UTF8Tests {
    static let valid: [ValueCase] = [
        .character("delete", 0x7f),
        .character("first of two bytes", 0xc2, 0x80),
        .character("last of two bytes", 0xdf, 0xbf),
        .character("first of three bytes", 0xe0, 0xa0, 0x80),
        .character("last before the surrogates", 0xed, 0x9f, 0xbf),
        .character("first after the surrogates", 0xee, 0x80, 0x80),
        .character("a byte order mark", 0xef, 0xbb, 0xbf),
        .character("a noncharacter", 0xef, 0xbf, 0xbe),
        .character("last of three bytes", 0xef, 0xbf, 0xbf),
        .character("first of four bytes", 0xf0, 0x90, 0x80, 0x80),
        .character("last of F3", 0xf3, 0xbf, 0xbf, 0xbf),
        .character("last of four bytes", 0xf4, 0x8f, 0xbf, 0xbf),
        .characters("every length", "aé€😀b"),
        .characters("sixteen of two bytes", String(repeating: "Ж", count: 16)),
        .characters("sixteen of three bytes", String(repeating: "日", count: 16)),
        .characters("sixteen of four bytes", String(repeating: "😀", count: 16)),
    ]

    static let invalid: [ValueCase] = [
        .invalidCharacter("overlong null of two bytes", 0xc0, 0x80),
        .invalidCharacter("overlong slash of two bytes", 0xc0, 0xaf),
        .invalidCharacter("largest overlong of two bytes", 0xc1, 0xbf),
        .invalidCharacter("overlong null of three bytes", 0xe0, 0x80, 0x80),
        .invalidCharacter("largest overlong of three bytes", 0xe0, 0x9f, 0xbf),
        .invalidCharacter("overlong null of four bytes", 0xf0, 0x80, 0x80, 0x80),
        .invalidCharacter("largest overlong of four bytes", 0xf0, 0x8f, 0xbf, 0xbf),
        .invalidCharacter("first surrogate", 0xed, 0xa0, 0x80),
        .invalidCharacter("last high surrogate", 0xed, 0xaf, 0xbf),
        .invalidCharacter("first low surrogate", 0xed, 0xb0, 0x80),
        .invalidCharacter("last surrogate", 0xed, 0xbf, 0xbf),
        .invalidCharacter("a pair of surrogates", 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
        .invalidCharacter("first above U+10FFFF", 0xf4, 0x90, 0x80, 0x80),
        .invalidCharacter("last of F4", 0xf4, 0xbf, 0xbf, 0xbf),
        .invalidCharacter("F5", 0xf5, 0x80, 0x80, 0x80),
        .invalidCharacter("F7", 0xf7, 0xbf, 0xbf, 0xbf),
        .invalidCharacter("five bytes", 0xf8, 0x88, 0x80, 0x80, 0x80),
        .invalidCharacter("six bytes", 0xfc, 0x84, 0x80, 0x80, 0x80, 0x80),
        .invalidCharacter("FE", 0xfe),
        .invalidCharacter("FF", 0xff),
        .invalidCharacter("lone continuation", 0x80),
        .invalidCharacter("last lone continuation", 0xbf),
        .invalidCharacter("an extra continuation after two bytes", 0xc3, 0xa9, 0x80),
        .invalidCharacter("an extra continuation after four bytes", 0xf0, 0x9f, 0x98, 0x80, 0x80),
        .invalidCharacter("two bytes cut at 1", 0xc3),
        .invalidCharacter("three bytes cut at 1", 0xe2),
        .invalidCharacter("three bytes cut at 2", 0xe2, 0x82),
        .invalidCharacter("four bytes cut at 1", 0xf0),
        .invalidCharacter("four bytes cut at 2", 0xf0, 0x9f),
        .invalidCharacter("four bytes cut at 3", 0xf0, 0x9f, 0x98),
        .invalidCharacter("two bytes cut by a letter", 0xc3, 0x61),
        .invalidCharacter("three bytes cut by a letter", 0xe2, 0x82, 0x61),
        .invalidCharacter("four bytes cut by a letter", 0xf0, 0x9f, 0x98, 0x61),
        .invalidCharacter("two bytes cut by an escape", 0xc3, 0x5c, 0x6e),
        .invalidCharacter("a lead after a lead", 0xc3, 0xc3, 0xa9),
        .invalidCharacter("Latin-1", 0x63, 0x61, 0x66, 0xe9),
    ]

    @Test(arguments: valid + invalid)
    func sequencesAreValidatedInEveryPosition(_ value: ValueCase) { expectCorrect(value) }

    /// Non-ASCII bytes are not allowed outside strings.
    @Test(arguments: [[0x80], [0xc2, 0xa0], [0xef, 0xbb, 0xbf], [0xe2, 0x80, 0xa8], [0xff]] as [[UInt8]])
    func nonASCIIOutsideStringsIsInvalid(_ bytes: [UInt8]) {
        expectCorrect(ValueCase(name: "on its own", bytes: bytes, kind: nil))
        expectCorrect(ValueCase(name: "before a value", bytes: bytes + [UInt8]("{}"), kind: nil))
        expectCorrect(ValueCase(name: "after a value", bytes: [UInt8]("1") + bytes, kind: nil))
    }

    /// Compares three-byte sequences at the limits of every rule, between two letters, with the standard library.
    @Test func threeByteLimitsMatchTheStandardLibrary() {
        var scanner = DocumentScanner()
        for first in Self.limits {
            for second in Self.limits {
                for third in Self.limits { expectAgreement([0x61, first, second, third, 0x62], &scanner) }
            }
        }
    }

    @Test func fourByteLimitsMatchTheStandardLibrary() {
        var scanner = DocumentScanner()
        for first in UInt8(0xf0)...0xf8 {
            for second in Self.limits {
                for third in [0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
                    for fourth in [0x7f, 0x80, 0xbf, 0xc0] as [UInt8] {
                        expectAgreement([first, second, third, fourth], &scanner)
                    }
                }
            }
        }
    }

    private static let limits: [UInt8] = [
        0x61, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
        0xef,
        0xf0, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff,
    ]

    private func expectAgreement(_ content: [UInt8], _ scanner: inout DocumentScanner) {
        let isValid = String(validating: content, as: UTF8.self) != nil
        let outcome = scanner.outcome(of: [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")])
        #expect(outcome == (isValid ? .notObject : .invalid), "\(content.shown)")
    }
}

extension ValueCase {
    fileprivate static func character(_ name: String, _ bytes: UInt8...) -> ValueCase {
        string(name, bytes, isValid: true)
    }

    fileprivate static func characters(_ name: String, _ text: String) -> ValueCase {
        string(name, [UInt8](text), isValid: true)
    }

    fileprivate static func invalidCharacter(_ name: String, _ bytes: UInt8...) -> ValueCase {
        string(name, bytes, isValid: false)
    }
}

/// The single bytes that are allowed in strings, and those that are white space between tokens.
@Suite struct CharacterTests {
    @Test(arguments: (UInt8.min...0x7f).filter { $0 != 0x22 && $0 != 0x5c })
    func controlCharactersInStringsAreInvalid(_ byte: UInt8) {
        for content in [[byte], [0x61, byte], [byte, 0x62]] {
            expectCorrect(.string("byte \(byte)", content, isValid: byte >= 0x20))
        }
    }

    /// The remaining bytes could become part of an adjacent token.
    @Test(arguments: (UInt8.min ... .max).filter { $0 <= 0x20 || $0 >= 0x7f })
    func onlyWhiteSpaceIsAllowedBetweenTokens(_ byte: UInt8) {
        let isSpace = [0x20, 0x09, 0x0a, 0x0d].contains(byte)
        let pieces = ["", "{", "\"wanted\"", ":", "[", "true", ",", "1", "]", "}", ""]
        var scanner = DocumentScanner()
        for gap in 1..<pieces.count {
            let before = pieces[..<gap].joined()
            let after = pieces[gap...].joined()
            let outcome = scanner.outcome(of: [UInt8](before) + [byte] + [UInt8](after))
            #expect(outcome == (isSpace ? .object : .invalid), "\(before)·\(after)")
        }
    }

    @Test func longWhiteSpaceIsSkipped() {
        let space = String(repeating: " \t\r\n", count: 20)
        let document = ["{", "\"other\"", ":", "{", "\"k\"", ":", "[", "1", ",", "\"\"", "]", "}", "}"]
        var scanner = DocumentScanner()
        let outcome = scanner.outcome(of: [UInt8](space + document.joined(separator: space) + space))
        #expect(outcome == .object)
    }
}

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
