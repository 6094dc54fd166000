import Testing

@testable import SheafGroups

/// Suffixes that are removed from topics (specification §2, Topics).
@Suite struct TopicTests {
    static let suffixes = [
        ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
        ".push-type.liveactivity", ".push-type.widgets", ".push-type.LiveActivity", ".push-type.x",
        ".push-type.voip2", ".push-type.größe", ".push-type.push-type", ".push-type. ",
    ]

    static let names = [
        "app", "topic", "apns-topic", "bundle-id", "headers.apns-topic", "payload.Simulator Target Bundle",
    ]

    private func outcome(of app: String, as name: String = "topic") -> RecordDecoder.Outcome {
        var text = EnvelopeText()
        text.set(name, "\"\(app)\"")
        text.set("payload.aps", #"{"alert":"Hi"}"#)
        return DecodedLine(text.json()).outcome
    }

    @Test(arguments: suffixes, names)
    func suffixMakesARecordSilent(_ suffix: String, _ name: String) {
        #expect(outcome(of: "com.example" + suffix, as: name) == .silent)
    }

    @Test(arguments: suffixes)
    func suffixAloneIsNotAnApp(_ suffix: String) {
        #expect(outcome(of: suffix) == .rejected(.appMissing))
        #expect(outcome(of: "a" + suffix) == .silent)
    }

    @Test(arguments: [
        "com.example.voip2", "com.example.VOIP", "com.examplevoip", "com.voip.example",
        "com.example.voip-pt", "com.example.liveactivity", "com.example.voip.", "voip",
        "com.example.push-type.", "com.push-type.example.app", "com.example.Push-Type.x", "push-type.x",
        "com.example.push-type", "com.example.xpush-type.x", "com.example.push-typ.x", "type.x", "pe.x",
        "e.x",
        ".x", ".",
    ])
    func otherEndingsAreKept(_ app: String) {
        let decoded = DecodedLine(#"{"app":"\#(app)","payload":{"aps":{"alert":"x"}}}"#)
        #expect(decoded.outcome == .notification)
        #expect(decoded.app == app)
    }

    @Test func escapedSuffixIsRecognized() {
        #expect(outcome(of: #"com.example.\u0076oip"#) == .silent)
    }

    @Test func pushTypeSuffixMayHaveAnyLength() {
        for appCount in 1...20 {
            for nameCount in 1...20 {
                let app = String(repeating: "a", count: appCount)
                let name = String(repeating: "n", count: nameCount)
                var decoder = RecordDecoder(keepsRejectedText: false)
                let line = #"{"app":"\#(app).push-type.\#(name)","payload":{"aps":{"alert":"x"}}}"#
                #expect(DecodedLine(line, by: &decoder).outcome == .silent)
                #expect(decoder.record.app.count == UInt32(appCount))
                #expect(outcome(of: "\(app).push-types.\(name)") == .notification)
            }
        }
    }

    /// Only the app that the decoder keeps of a silent record shows how much was removed.
    @Test func onlyOneSuffixIsRemoved() {
        var decoder = RecordDecoder(keepsRejectedText: false)
        let line = #"{"app":"com.example.voip.voip","payload":{"aps":{"alert":"x"}}}"#
        _ = DecodedLine(line, by: &decoder)
        #expect(decoder.record.app.count == UInt32("com.example.voip".utf8.count))
    }
}
