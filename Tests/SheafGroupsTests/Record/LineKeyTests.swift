import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// The keys of keyed lines.
@Suite struct LineKeyTests {
    struct Key: Equatable {
        let ordinal: Int
        let line: UInt64
        /// The line without its key.
        let rest: String
    }

    typealias Case = Example<[UInt8], Result<Key, LineKey.Problem>>

    private static func key(_ ordinal: Int, _ line: UInt64, _ rest: String) -> Result<Key, LineKey.Problem> {
        .success(Key(ordinal: ordinal, line: line, rest: rest))
    }

    static let cases = [
        Case("the first line of the first source", "0\t1\t{}", key(0, 1, "{}")),
        Case("several digits", "12\t345\t{\"a\":1}", key(12, 345, "{\"a\":1}")),
        Case("the greatest numbers", "16777215\t1099511627775\tx", key(16_777_215, 1_099_511_627_775, "x")),
        Case("leading zeros", "007\t0001\t{}", key(7, 1, "{}")),
        Case(
            "as many digits as a 64-bit number", "00000000000000000009\t00000000000000000008\t{}",
            key(9, 8, "{}")),
        Case("more digits", "000000000000000000009\t1\t{}", .failure(.malformed)),
        Case("more digits of the line", "9\t000000000000000000001\t{}", .failure(.malformed)),
        Case("no JSON", "3\t4\t", key(3, 4, "")),
        Case("a CR instead of JSON", "3\t4\t\r", key(3, 4, "\r")),
        Case("a tab in the JSON", "3\t4\t\t{\t}", key(3, 4, "\t{\t}")),
        Case("an ordinal out of range", "16777216\t1\t{}", .failure(.ordinalOutOfRange)),
        Case("an ordinal of 64 bits", "18446744073709551615\t1\t{}", .failure(.ordinalOutOfRange)),
        Case("an ordinal of more than 64 bits", "99999999999999999999\t1\t{}", .failure(.ordinalOutOfRange)),
        Case("both numbers out of range", "99999999\t0\t{}", .failure(.ordinalOutOfRange)),
        Case("line 0", "0\t0\t{}", .failure(.lineOutOfRange)),
        Case("a line out of range", "0\t1099511627776\t{}", .failure(.lineOutOfRange)),
        Case("a line of more than 64 bits", "0\t99999999999999999999\t{}", .failure(.lineOutOfRange)),
        Case("nothing", "", .failure(.malformed)),
        Case("JSON", "{\"app\":\"a\"}", .failure(.malformed)),
        Case("only an ordinal", "1", .failure(.malformed)),
        Case("only an ordinal and a tab", "1\t", .failure(.malformed)),
        Case("no line number", "1\t\t{}", .failure(.malformed)),
        Case("no ordinal", "\t1\t{}", .failure(.malformed)),
        Case("no second tab", "1\t2", .failure(.malformed)),
        Case("JSON instead of the second tab", "1\t2{}", .failure(.malformed)),
        Case("a space instead of a tab", "1 2\t{}", .failure(.malformed)),
        Case("a space before the ordinal", " 1\t2\t{}", .failure(.malformed)),
        Case("a space after the line number", "1\t2 \t{}", .failure(.malformed)),
        Case("a negative ordinal", "-1\t2\t{}", .failure(.malformed)),
        Case("a positive sign", "+1\t2\t{}", .failure(.malformed)),
        Case("a negative line", "1\t-2\t{}", .failure(.malformed)),
        Case("a fraction", "1.0\t2\t{}", .failure(.malformed)),
        Case("a hexadecimal ordinal", "0x1\t2\t{}", .failure(.malformed)),
        Case("digits of another script", "١\t2\t{}", .failure(.malformed)),
        Case("a byte order mark", "\u{feff}1\t2\t{}", .failure(.malformed)),
        Case("commas", "1,2,{}", .failure(.malformed)),
    ]

    @Test(arguments: cases) func keysAreRead(_ item: Case) {
        let found = Result { () throws(LineKey.Problem) in try LineKey(item.input.span) }
        let result = found.map { key in
            Key(
                ordinal: key.ordinal, line: key.line,
                rest: String(decoding: item.input.dropFirst(key.byteCount), as: UTF8.self))
        }
        #expect(result == item.expected)
    }

    /// The bound for which memory is reserved is reached, and not exceeded.
    @Test func theLongestKeyHasTheMaximumLength() throws {
        let digits = String(repeating: "0", count: 19) + "1"
        let key = try LineKey(Array("\(digits)\t\(digits)\t{}".utf8).span)
        #expect(key.byteCount == LineKey.maximumBytes)
    }

    /// Every truncation of a key is malformed; no byte after the text is read.
    @Test func truncatedKeysAreMalformed() throws {
        let text = Array("123\t4567\t".utf8)
        for count in 0..<text.count {
            #expect(throws: LineKey.Problem.malformed) { try LineKey(Array(text.prefix(count)).span) }
        }
    }
}
