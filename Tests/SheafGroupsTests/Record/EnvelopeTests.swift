import TestSupport
import Testing

@testable import SheafGroups

/// The names of envelope fields and their precedence (specification §2, the table of fields).
@Suite struct EnvelopeTests {
    struct Field: NamedCase {
        let name: String
        let names: [String]
        let read: @Sendable (DecodedLine) -> String
    }

    static let fields = [
        Field(
            name: "app",
            names: [
                "app", "topic", "apns-topic", "bundle-id", "headers.apns-topic",
                "payload.Simulator Target Bundle", "bundle_id", "bundleId", "bundleID", "apns_topic",
                "apnsTopic",
            ],
            read: { $0.app }),
        Field(
            name: "device", names: ["device", "device-token", "token", "device_token", "deviceToken"],
            read: { $0.device }),
        Field(
            name: "id", names: ["apns-id", "id", "headers.apns-id", "apns_id", "apnsId", "apnsID"],
            read: { $0.identifier }),
        Field(
            name: "collapse id",
            names: [
                "apns-collapse-id", "collapse-id", "headers.apns-collapse-id", "apns_collapse_id",
                "apnsCollapseId", "apnsCollapseID", "collapse_id", "collapseId", "collapseID",
            ],
            read: { $0.collapseIdentifier }),
    ]

    /// Values that count as absent in a text field.
    static let absent = ["null", "\"\"", "5", "true", "[\"x\"]", "{\"x\":\"y\"}"]

    private func record(without field: Field) -> EnvelopeText {
        var text = EnvelopeText()
        text.set("payload.aps", #"{"alert":"Hi"}"#)
        if field.name != "app" { text.set("app", "\"com.example\"") }
        return text
    }

    @Test(arguments: fields, [false, true])
    func everyNameIsRead(_ field: Field, _ payloadAsString: Bool) {
        for name in field.names {
            var text = record(without: field)
            text.set(name, "\"the value\"")
            let decoded = DecodedLine(text.json(payloadAsString: payloadAsString))
            #expect(decoded.outcome == .notification, "\(name)")
            #expect(field.read(decoded) == "the value", "\(name)")
        }
    }

    @Test(arguments: fields)
    func firstNameWinsInAnyPosition(_ field: Field) {
        for first in field.names.indices {
            for names in [field.names[first...].map { $0 }, field.names[first...].reversed()] {
                var text = record(without: field)
                for name in names { text.set(name, "\"of \(name)\"") }
                #expect(field.read(DecodedLine(text.json())) == "of \(field.names[first])")
            }
        }
    }

    @Test(arguments: fields, absent)
    func earlierNamesWithoutTextCountAsAbsent(_ field: Field, _ value: String) {
        for wanted in field.names.indices.dropFirst() {
            var text = record(without: field)
            for name in field.names[..<wanted] { text.set(name, value) }
            text.set(field.names[wanted], "\"found\"")
            let decoded = DecodedLine(text.json())
            #expect(field.read(decoded) == "found", "\(field.names[wanted]) after \(value)")
            #expect(decoded.findings.isEmpty)
        }
    }

    @Test(arguments: fields.dropFirst(), absent)
    func fieldWithoutTextIsEmpty(_ field: Field, _ value: String) {
        var text = record(without: field)
        for name in field.names { text.set(name, value) }
        let decoded = DecodedLine(text.json())
        #expect(decoded.outcome == .notification)
        #expect(field.read(decoded) == "")
    }

    @Test(arguments: fields)
    func lastOfRepeatedKeysWins(_ field: Field) {
        for name in field.names {
            var text = record(without: field)
            text.set(name, "\"first\"")
            text.set(name, "\"last\"")
            #expect(field.read(DecodedLine(text.json())) == "last", "\(name)")
        }
    }

    @Test func repeatedKeyMayRemoveAField() {
        let decoded = DecodedLine(
            #"{"app":"one","topic":"two","app":null,"device":"d","device":7,"payload":{"aps":{"alert":"x"}}}"#
        )
        #expect(decoded.app == "two")
        #expect(decoded.device == "")
    }

    @Test func repeatedHeadersReplaceTheFirst() {
        let decoded = DecodedLine(
            #"{"app":"a","headers":{"apns-id":"gone"},"headers":{},"payload":{"aps":{"alert":"x"}}}"#)
        #expect(decoded.identifier == "")
    }

    @Test(arguments: ["null", "[]", "\"apns-topic\"", "5"])
    func headersOfAnotherTypeAreIgnored(_ headers: String) {
        let decoded = DecodedLine(#"{"headers":\#(headers),"payload":{"aps":{"alert":"x"}}}"#)
        #expect(decoded.outcome == .rejected(.appMissing))
    }

    @Test func namesInOtherObjectsAreIgnored() {
        let decoded = DecodedLine(
            #"{"app":"a","extra":{"device":"no"},"payload":{"device":"no","aps":{"alert":"x","id":"no"}}}"#)
        #expect(decoded.device == "")
        #expect(decoded.identifier == "")
    }

    @Test(arguments: ["apns-push-type", "push-type", "headers.apns-push-type"])
    func everyPushTypeNameIsRead(_ name: String) {
        for (type, outcome) in [
            ("alert", RecordDecoder.Outcome.notification), ("background", .silent), ("Alert", .notification),
            ("Background", .silent), ("allert", .silent),
        ] {
            var text = EnvelopeText()
            text.set("app", "\"a\"")
            text.set("payload.aps", #"{"alert":"Hi"}"#)
            text.set(name, "\"\(type)\"")
            #expect(DecodedLine(text.json()).outcome == outcome, "\(type)")
        }
    }

    @Test(arguments: absent)
    func pushTypeWithoutTextIsAbsent(_ value: String) {
        let both =
            #"{"app":"a","apns-push-type":\#(value),"push-type":"voip","payload":{"aps":{"alert":"x"}}}"#
        #expect(DecodedLine(both).outcome == .silent)
        let one = #"{"app":"a","apns-push-type":\#(value),"payload":{"aps":{"alert":"x"}}}"#
        #expect(DecodedLine(one).outcome == .notification)
    }

    @Test func orderKeyHasTimestampSourceAndLine() {
        let decoded = DecodedLine(
            #"{"app":"a","ts":5,"payload":{"aps":{"alert":"x"}}}"#, source: 3, number: 17)
        #expect(decoded.order == OrderKey(timestamp: 5_000, source: 3, line: 17))
    }

    @Test func keysMayContainEscapes() {
        let decoded = DecodedLine(
            #"{"\u0061pp":"a","d\u0065vice":"d","p\u0061yload":{"\u0061ps":{"al\u0065rt":"x"}}}"#)
        #expect(decoded.outcome == .notification)
        #expect(decoded.app == "a")
        #expect(decoded.device == "d")
        #expect(decoded.body == "x")
    }
}
