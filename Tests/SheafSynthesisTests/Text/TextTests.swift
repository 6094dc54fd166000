import TestSupport
import Testing

@testable import SheafSynthesis

@Suite struct TextTests {
    @Test(arguments: [
        (0, 1, "0"), (9, 1, "9"), (10, 1, "10"), (7, 2, "07"), (0, 3, "000"), (123, 2, "123"),
        (1_767_571_200_000, 1, "1767571200000"), (Int.max, 1, "9223372036854775807"),
    ])
    func writesDecimals(_ number: Int, _ width: Int, _ expected: String) {
        #expect(text { $0.appendDecimal(number, width: width) } == expected)
    }

    @Test(arguments: [
        (0, 4, "0000"), (0xAB_CDEF, 6, "abcdef"), (UInt64.max, 16, "ffffffffffffffff"), (0x123, 2, "23"),
    ])
    func writesHexadecimals(_ number: UInt64, _ digits: Int, _ expected: String) {
        #expect(text { $0.appendHexadecimal(number, digits: digits) } == expected)
    }

    @Test(arguments: [
        (0, 0, "00000000-0000-4000-8000-000000000000"),
        (UInt64.max, UInt64.max, "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF"),
        (0x0123_4567_89AB_CDEF, 0x0123_4567_89AB_CDEF, "01234567-89AB-4DEF-8123-456789ABCDEF"),
    ])
    func writesUUIDs(_ high: UInt64, _ low: UInt64, _ expected: String) {
        #expect(text { $0.appendUUID(high, low) } == expected)
    }

    @Test(arguments: [
        (TimestampFormat.milliseconds, 1_767_571_200_061, "1767571200061"),
        (.seconds, 1_767_571_200_061, "1767571200.061"),
        (.dateTime(offset: 0), 0, #""1970-01-01T00:00:00.000Z""#),
        (.dateTime(offset: 0), 951_782_399_999, #""2000-02-28T23:59:59.999Z""#),
        (.dateTime(offset: 0), 951_868_799_999, #""2000-02-29T23:59:59.999Z""#),
        (.dateTime(offset: 0), 951_868_800_000, #""2000-03-01T00:00:00.000Z""#),
        (.dateTime(offset: 0), 4_107_542_400_000, #""2100-03-01T00:00:00.000Z""#),
        (.dateTime(offset: 2), 1_767_225_599_000, #""2026-01-01T01:59:59.000+02:00""#),
    ])
    func writesTimestamps(_ format: TimestampFormat, _ milliseconds: Int, _ expected: String) {
        #expect(text { format.append(milliseconds, to: &$0) } == expected)
    }

    struct Encoding: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var source: String
        /// The encodings, in the order of `JSONDialect.all`.
        var encoded: [String]
    }

    @Test(arguments: [
        Encoding(testDescription: "plain", source: "abc", encoded: ["abc", "abc", "abc", "abc"]),
        Encoding(testDescription: "slash", source: "a/b", encoded: ["a/b", #"a\/b"#, "a/b", #"a\/b"#]),
        Encoding(
            testDescription: "escapes", source: "\"\\\n",
            encoded: Array(repeating: #"\"\\\n"#, count: 4)),
        Encoding(testDescription: "accent", source: "é", encoded: ["é", "é", #"\u00e9"#, #"\u00e9"#]),
        Encoding(
            testDescription: "surrogates", source: "🫶",
            encoded: ["🫶", "🫶", #"\ud83e\udef6"#, #"\ud83e\udef6"#]),
    ])
    func dialectsEncodeText(_ encoding: Encoding) {
        let encoded = JSONDialect.all.map { String(decoding: $0.encoded(encoding.source), as: UTF8.self) }
        #expect(encoded == encoding.encoded)
    }

    @Test func templatesAreSplitAtSlots() {
        let dialect = JSONDialect(escapesSlashes: true, isASCII: true, isSpaced: true)
        let members = Template("\"a\":[1,2],\n\"b, c\":\"<host>/é\"", as: .json, in: dialect)
        let literals = members.pieces.map { String(decoding: $0.literal, as: UTF8.self) }
        #expect(literals == [#""a": [1, 2], "b, c": ""#, #"\/\u00e9""#])
        #expect(members.pieces.map(\.slot) == [.host, nil])

        let sentence = Template("<person>, <count>\n\"x\"", as: .text, in: JSONDialect.all[0])
        #expect(
            sentence.pieces.map { String(decoding: $0.literal, as: UTF8.self) } == ["", ", ", #"\n\"x\""#])
        #expect(sentence.pieces.map(\.slot) == [.person, .count, nil])
    }

    @Test func writerInsertsCommas() {
        var writer = JSONWriter(style: JSONWriter.Style(JSONDialect.all[0]))
        for _ in 0..<2 {
            writer.restart(in: JSONWriter.Style(JSONDialect.all[2]))
            writer.beginObject()
            writer.field(.aps)
            writer.beginObject()
            writer.endObject()
            writer.field(.badge, number: 3)
            writer.members { $0 += Array("\"own\": null".utf8) }
            writer.field(.payload)
            writer.string(holding: Array(#"{"a":"\n"}"#.utf8))
            writer.endObject()
            let expected = #"{"aps": {}, "badge": 3, "own": null, "payload": "{\"a\":\"\\n\"}"}"#
            #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        }
    }

    @Test func fieldNamesAreDistinct() {
        #expect(Set(FieldName.allCases.map(\.text)).count == FieldName.allCases.count)
        #expect(FieldName.allCases.map(\.rawValue) == Array(0..<FieldName.allCases.count))
    }
}
