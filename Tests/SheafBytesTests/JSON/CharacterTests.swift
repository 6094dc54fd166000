import Testing

@testable import SheafBytes

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
