import Testing

@testable import SheafGroups

/// Push types are case-insensitive, and those unknown to Apple's service are findings (specification §3).
@Suite struct PushTypeTests {
    private static let known = [
        "alert", "background", "voip", "complication", "fileprovider", "mdm", "location", "liveactivity",
        "pushtotalk", "widgets", "controls",
    ]

    private func decoded(_ pushType: String, as name: String = "push-type") -> DecodedLine {
        var text = EnvelopeText()
        text.set("app", #""a""#)
        text.set(name, "\"\(pushType)\"")
        text.set("payload.aps", #"{"alert":"Hi"}"#)
        return DecodedLine(text.json())
    }

    @Test(arguments: known)
    func knownPushTypeHasNoFinding(_ name: String) {
        let spellings = [
            name, name.uppercased(), name.prefix(1).uppercased() + name.dropFirst(),
            "\\u00\(String(name.utf8.first!, radix: 16))" + name.dropFirst(),
        ]
        for spelling in spellings {
            let line = decoded(spelling)
            #expect(line.outcome == (name == "alert" ? .notification : .silent), "\(spelling)")
            #expect(line.findings == [], "\(spelling)")
        }
    }

    @Test(arguments: [
        "allert", "alerts", "aler", "a", " alert", "alert ", "alert\\n", "back-ground", "\\u0001lert",
        "alert\\u0000", "álert", "ａlert", "0", "none", "live-activity", "VOIPS", "@lert", "alert,background",
    ])
    func unknownPushTypeIsSilentAndAFinding(_ name: String) {
        for field in ["apns-push-type", "push-type", "headers.apns-push-type"] {
            let line = decoded(name, as: field)
            #expect(line.outcome == .silent, "\(field)")
            #expect(line.findings == [.pushTypeUnknown], "\(field)")
        }
    }

    /// Bytes that differ from a letter only in the case bit are not letters.
    @Test func caseIsIgnoredForLettersOnly() {
        for byte in UInt8(0x21)..<0x7f where byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"") {
            let isLetter = byte | 0x20 == UInt8(ascii: "a")
            let line = decoded(String(UnicodeScalar(byte)) + "lert")
            #expect(line.outcome == (isLetter ? .notification : .silent), "\(byte)")
        }
    }

    @Test(arguments: ["\"\"", "null", "5", "true", "{}", "[]"])
    func pushTypeThatIsNotAStringIsAbsent(_ value: String) {
        let line = DecodedLine(#"{"app":"a","push-type":\#(value),"payload":{"aps":{"alert":"x"}}}"#)
        #expect(line.outcome == .notification)
        #expect(line.findings == [])
    }

    @Test func firstNameWithAStringWins() {
        let line = DecodedLine(
            #"{"app":"a","apns-push-type":"Alert","push-type":"allert","aps":{"alert":"x"}}"#)
        #expect(line.outcome == .notification)
        #expect(line.findings == [])
    }

    @Test func topicSuffixIsNotAPushType() {
        let line = DecodedLine(#"{"topic":"a.push-type.allert","aps":{"alert":"x"}}"#)
        #expect(line.outcome == .silent)
        #expect(line.findings == [])
    }
}
