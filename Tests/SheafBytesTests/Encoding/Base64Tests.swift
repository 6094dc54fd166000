import Foundation
import TestSupport
import Testing

@testable import SheafBytes

@Suite struct Base64Tests {
    /// The test vectors of RFC 4648, section 10, and the two digits that differ between the alphabets.
    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg=="), ([0x66, 0x6f], "Zm8="), ([0x66, 0x6f, 0x6f], "Zm9v"),
            ([0x66, 0x6f, 0x6f, 0x62], "Zm9vYg=="), ([0x66, 0x6f, 0x6f, 0x62, 0x61], "Zm9vYmE="),
            ([0x66, 0x6f, 0x6f, 0x62, 0x61, 0x72], "Zm9vYmFy"), ([0xfb, 0xff], "+/8="), ([0x00], "AA=="),
        ] as [([UInt8], String)])
    func vectorsAreEncoded(_ bytes: [UInt8], _ expected: String) {
        #expect(text { $0.appendBase64(bytes.span) } == expected)
    }

    @Test(arguments: Seeds.several(1))
    func encodesLikeFoundation(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for count in 0..<200 {
            let bytes = random.bytes(count)
            #expect(text { $0.appendBase64(bytes.span) } == Data(bytes).base64EncodedString())
        }
    }

    @Test(
        arguments: [
            ([], true), ([0x61], true), ([0xc3, 0xa9], true), ([0xc3], false),
            ([0x61, 0xff], false),
            ([0xed, 0xa0, 0x80], false), ([0x00], true),
        ] as [([UInt8], Bool)])
    func utf8IsValidated(_ bytes: [UInt8], _ isValid: Bool) {
        #expect(bytes.span.isValidUTF8 == isValid)
    }
}
