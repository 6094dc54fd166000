import TestSupport
import Testing

@testable import SheafBytes

/// Strings are scanned sixteen bytes at a time: special bytes are tried in every lane of a block, and at every offset
/// around the boundary between two blocks.
@Suite struct VectorTests {
    struct Special: NamedCase {
        let name: String
        let bytes: [UInt8]
        let isValid: Bool
    }

    static let specials = [
        Special(name: "no special byte", bytes: [], isValid: true),
        Special(name: "an escape", bytes: [0x5c, 0x6e], isValid: true),
        Special(name: "an escaped quote", bytes: [0x5c, 0x22], isValid: true),
        Special(name: "an escaped backslash", bytes: [0x5c, 0x5c], isValid: true),
        Special(name: "a long escape", bytes: [UInt8](#"\ud83d\ude00"#), isValid: true),
        Special(name: "two bytes", bytes: [0xc3, 0xa9], isValid: true),
        Special(name: "three bytes", bytes: [0xe2, 0x82, 0xac], isValid: true),
        Special(name: "four bytes", bytes: [0xf0, 0x9f, 0x98, 0x80], isValid: true),
        Special(
            name: "multibyte characters and an escape",
            bytes: [0xf0, 0x9f, 0x98, 0x80, 0x5c, 0x74, 0xc3, 0xa9], isValid: true),
        Special(name: "delete", bytes: [0x7f], isValid: true),
        Special(name: "a null byte", bytes: [0x00], isValid: false),
        Special(name: "a tab", bytes: [0x09], isValid: false),
        Special(name: "the last control character", bytes: [0x1f], isValid: false),
        Special(name: "an invalid escape", bytes: [0x5c, 0x78], isValid: false),
        Special(
            name: "an escape with too few digits", bytes: [0x5c, 0x75, 0x30, 0x30, 0x67, 0x30], isValid: false
        ),
        Special(name: "a continuation byte", bytes: [0xbf], isValid: false),
        Special(name: "a truncated character", bytes: [0xf0, 0x9f, 0x98], isValid: false),
        Special(name: "FF", bytes: [0xff], isValid: false),
    ]

    @Test(arguments: specials)
    func specialBytesAreFoundAtEveryOffset(_ special: Special) {
        var scanner = DocumentScanner()
        for offset in 0...40 {
            let before = [UInt8](repeating: UInt8(ascii: "a"), count: offset)
            for rest in [0, 1, 15, 16, 17] {
                let content = before + special.bytes + [UInt8](repeating: UInt8(ascii: "z"), count: rest)
                let mistakes = scanner.mistakes(about: .string("", content, isValid: special.isValid))
                #expect(mistakes == [], "offset \(offset), \(rest) after it")
            }
        }
    }

    /// An unterminated string of any length ends with the text; the bytes after the text are not read.
    @Test func unterminatedStringIsInvalid() {
        var scanner = FieldScanner(FieldPlan())
        for count in 0...40 {
            let text = [UInt8]("{\"") + [UInt8](repeating: UInt8(ascii: "a"), count: count)
            let chunk = Chunk(text + [UInt8]("\":0}"))
            let outcome = scanner.scan(TextRange(0..<text.count), of: chunk)
            #expect(outcome == .invalid, "\(count) letters")
            let whole = scanner.scan(TextRange(0..<(text.count + 4)), of: chunk)
            #expect(whole == .object, "\(count) letters")
        }
    }
}
