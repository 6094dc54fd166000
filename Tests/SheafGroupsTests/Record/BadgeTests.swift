import SheafBytes
import TestSupport
import Testing

@testable import SheafGroups

/// The badges of records (specification §16).
@Suite struct BadgeTests {
    typealias Case = Example<String, UInt64?>

    private static func badge(_ line: String, reads: Bool = true) -> (RecordDecoder.Outcome, UInt64?, String)
    {
        let bytes = Array(line.utf8)
        let chunk = Chunk(bytes)
        var decoder = RecordDecoder(keepsRejectedText: false, readsBadges: reads)
        let outcome = decoder.decode(
            TextRange(0..<bytes.count), of: chunk, at: RecordPosition(source: 0, line: 1))
        return (outcome, decoder.badge, chunk.bytes(of: decoder.record.device).string)
    }

    @Test(arguments: [
        Case("a number", "3", 3), Case("zero", "0", 0), Case("a fraction of zeros", "3.0", 3),
        Case("an exponent", "3e2", 300), Case("a whole number of fractions", "2.5e1", 25),
        Case("minus zero", "-0", 0), Case("the largest", "9007199254740992", 9_007_199_254_740_992),
        Case("too large", "9007199254740993", nil), Case("too large by its exponent", "1e16", nil),
        Case("out of range", "1e999", nil),
        Case("many digits", "100000000000000000000", nil), Case("negative", "-1", nil),
        Case("a fraction", "0.5", nil), Case("a text", #""3""#, nil), Case("null", "null", nil),
        Case("a Boolean", "true", nil), Case("an object", "{}", nil), Case("twice", #"1,"badge":2"#, 2),
        Case("twice, the last one not a number", #"1,"badge":"x""#, nil),
    ])
    func aBadgeIsAWholeNumber(_ example: Case) {
        let found = Self.badge(#"{"app":"a","ts":1,"aps":{"alert":"x","badge":\#(example.input)}}"#)
        #expect(found.1 == example.expected)
    }

    @Test(arguments: [
        Case("a payload", #""payload":{"aps":{"alert":"x","badge":1}}"#, 1),
        Case("a payload as a string", #""payload":"{\"aps\":{\"alert\":\"x\",\"badge\":1}}""#, 1),
        Case("a silent record", #""aps":{"badge":1}"#, 1),
        Case("a background push", #""push-type":"background","aps":{"badge":1}"#, 1),
        Case("no badge", #""aps":{"alert":"x"}"#, nil),
        Case("not in aps", #""badge":1,"aps":{"alert":"x"}"#, nil),
    ])
    func badgesAreThoseOfThePayload(_ example: Case) {
        let found = Self.badge(#"{"app":"a","device":"\u0064",\#(example.input)}"#)
        #expect(found.1 == example.expected)
        #expect(found.2 == "d")
    }

    @Test func badgesAreReadOnlyIfTheyAreWanted() {
        #expect(Self.badge(#"{"app":"a","aps":{"alert":"x","badge":1}}"#, reads: false).1 == nil)
    }

    /// The device is decoded in place once, however long the line is.
    @Test func longSilentRecordsHaveTheirDevice() {
        let filler = String(repeating: "x", count: 5_000)
        let found = Self.badge(#"{"app":"a","device":"\\\u0064","x":"\#(filler)","aps":{"badge":7}}"#)
        #expect(found.0 == .silent && found.1 == 7 && found.2 == "\\d")
    }

    @Test func aRecordHasNoBadgeOfAnother() {
        let first = #"{"app":"a","aps":{"alert":"x","badge":1}}"#
        let bytes = Array((first + #"{"app":"a","aps":{"alert":"x"}}"#).utf8)
        let chunk = Chunk(bytes)
        var decoder = RecordDecoder(keepsRejectedText: false, readsBadges: true)
        let end = first.utf8.count
        _ = decoder.decode(TextRange(0..<end), of: chunk, at: RecordPosition(source: 0, line: 1))
        #expect(decoder.badge == 1)
        _ = decoder.decode(TextRange(end..<bytes.count), of: chunk, at: RecordPosition(source: 0, line: 2))
        #expect(decoder.badge == nil)
    }
}
