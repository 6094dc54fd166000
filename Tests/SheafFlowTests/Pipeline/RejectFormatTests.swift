import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The format of rejected lines (specification §2).
@Suite struct RejectFormatTests {
    private func line(_ text: [UInt8], source: Int = 0) -> String {
        let format = RejectFormat(names: SourceNames(["a/b.ndjson", "\"\n"]))
        return TestSupport.text {
            format.append(.appMissing, source: source, line: 12, text: text.span, to: &$0)
        }
    }

    typealias Case = Example<[UInt8], String>

    @Test(arguments: [
        Case("nothing", "", #""""#), Case("text", "hello", #""hello""#),
        Case("JSON", #"{"a":"\u0041"}"#, #""{\"a\":\"\\u0041\"}""#),
        Case("control characters", "\u{0}\t\r\u{1f}\u{7f}", #""\u0000\t\r\u001f\#u{7f}""#),
        Case("other letters", "é日😀\u{2028}", "\"é日😀\u{2028}\""),
        Case("not UTF-8", [0xff], #""/w==","encoding":"base64""#),
        Case("two bytes", [0xff, 0xfe], #""//4=","encoding":"base64""#),
        Case("three bytes", [0xff, 0xfe, 0xfd], #""//79","encoding":"base64""#),
        Case(
            "text around one invalid byte", Array("ab".utf8) + [0x80] + Array("c".utf8),
            #""YWKAYw==","encoding":"base64""#),
        Case("truncated inside a character", Array("日".utf8.prefix(2)), #""5pc=","encoding":"base64""#),
        Case("a surrogate", [0xed, 0xa0, 0x80], #""7aCA","encoding":"base64""#),
        Case("an overlong form", [0xc0, 0xaf], #""wK8=","encoding":"base64""#),
    ])
    func textIsEscapedOrEncoded(_ item: Case) {
        #expect(
            line(item.input)
                == #"{"source":"a/b.ndjson","line":12,"reason":"app.missing","text":\#(item.expected)}"#
                + "\n"
        )
    }

    @Test(arguments: [(UInt32(0), "0"), (7, "7"), (OrderKey.maximumRecords - 1, "16777214")])
    func theIndexOfARecordFollowsItsLine(_ index: UInt32, _ text: String) {
        let format = RejectFormat(names: SourceNames(["a"]))
        let line = TestSupport.text {
            format.append(.appMissing, source: 0, line: 12, index: index, text: [0x7b].span, to: &$0)
        }
        #expect(
            line == #"{"source":"a","line":12,"index":\#(text),"reason":"app.missing","text":"{"}"# + "\n")
    }

    @Test func aMisspelledMemberOfARemovalIsQuoted() {
        let text = #"{"event":"removed","app":"a","Thread":"x"}"#
        let format = RejectFormat(names: SourceNames(["a"]))
        let line = TestSupport.text {
            format.append(.removalInvalid, source: 0, line: 1, text: Array(text.utf8).span, to: &$0)
        }
        #expect(
            line
                == #"{"source":"a","line":1,"reason":"removal.invalid","detail":"'Thread', did you mean 'thread'?","#
                + #""text":"{\"event\":\"removed\",\"app\":\"a\",\"Thread\":\"x\"}"}"# + "\n")
    }

    /// The name of an event may have escapes, like any other text.
    @Test func theMistakeOfAnEscapedEventIsQuoted() {
        let text = #"{"Thread":"x","event":"r\u0065moved","app":"a"}"#
        let format = RejectFormat(names: SourceNames(["a"]))
        let line = TestSupport.text {
            format.append(.removalInvalid, source: 0, line: 1, text: Array(text.utf8).span, to: &$0)
        }
        #expect(line.contains(#""detail":"'Thread', did you mean 'thread'?","#))
    }

    @Test func theSourceIsEscaped() {
        #expect(line([], source: 1).hasPrefix(#"{"source":"\"\n","line""#))
    }
}
