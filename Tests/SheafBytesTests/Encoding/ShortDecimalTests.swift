import TestSupport
import Testing

@testable import SheafBytes

@Suite struct ShortDecimalTests {
    private static func read(_ text: [UInt8]) -> UInt64? { text.span.shortDecimal }

    @Test(arguments: [
        "0", "7", "42", "999", "1234567", "12345678", "123456789", "1767571200178", "9999999999999999",
        "0000000000000000",
        "00000001",
    ])
    func upToSixteenDigitsAreRead(_ text: String) { #expect(Self.read(Array(text.utf8)) == UInt64(text)) }

    @Test func emptyAndOverlongTextsAreRejected() {
        #expect(Self.read([]) == nil)
        #expect(Self.read(Array("12345678901234567".utf8)) == nil)
    }

    @Test func otherBytesAreRejectedAtEveryOffset() {
        for count in 1...16 {
            for offset in 0..<count {
                for byte in UInt8.min ... .max where !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) {
                    var text = [UInt8](repeating: UInt8(ascii: "5"), count: count)
                    text[offset] = byte
                    #expect(Self.read(text) == nil, "\(byte) at \(offset) of \(count)")
                }
            }
        }
    }

    @Test(arguments: Seeds.several(1))
    func readsLikeTheStandardLibrary(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let text = (0..<(1 + random.below(16))).map { _ in UInt8(0x30 + random.below(10)) }
            #expect(Self.read(text) == UInt64(String(decoding: text, as: UTF8.self)))
        }
    }
}
