import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// The rules about what Apple's service refuses, at their limits.
@Suite struct HeaderRulesTests {
    /// A record, and the problems that the check finds.
    typealias Record = Example<String, [CheckProblem]>

    private func check(_ record: Record, settings: Settings = Settings()) {
        let checked = CheckedLine(record.input, settings: settings)
        #expect(checked.problems == record.expected.map(CheckFinding.problem))
        #expect(checked.isUnchanged)
        if case .rejected = checked.outcome { Issue.record("unexpectedly rejected: \(checked.outcome)") }
    }

    /// Returns an alert with these members next to its payload.
    private static func record(_ members: String, _ aps: String = #""alert":"x""#) -> String {
        #"{"app":"a",\#(members),"payload":{"aps":{\#(aps)}}}"#
    }

    // MARK: apns-id

    private static func identifier(_ name: String, _ text: String, _ isBad: Bool) -> Record {
        Record(name, record(#""apns-id":"\#(text)""#), isBad ? [.messageIdentifierInvalid] : [])
    }

    @Test(arguments: [
        identifier("a UUID", "eabeae54-14a8-11e5-b60b-1697f925ec7b", false),
        identifier("in capitals", "EABEAE54-14A8-11E5-B60B-1697F925EC7B", false),
        identifier("with an escape", #"\u0065abeae54-14a8-11e5-b60b-1697f925ec7b"#, false),
        identifier("empty, which counts as absent", "", false),
        identifier("a digit too few", "eabeae54-14a8-11e5-b60b-1697f925ec7", true),
        identifier("a digit too many", "eabeae54-14a8-11e5-b60b-1697f925ec7b0", true),
        identifier("g is not a digit", "gabeae54-14a8-11e5-b60b-1697f925ec7b", true),
        identifier("a backtick is not a digit", "`abeae54-14a8-11e5-b60b-1697f925ec7b", true),
        identifier("a hyphen elsewhere", "eabeae541-4a8-11e5-b60b-1697f925ec7b", true),
        identifier("without hyphens", "eabeae5414a811e5b60b1697f925ec7b", true),
        identifier("in braces", "{eabeae54-14a8-11e5-b60b-1697f925ec7}", true),
        identifier("another text", "17", true),
        Record("among the headers", record(#""headers":{"apns-id":"17"}"#), [.messageIdentifierInvalid]),
        Record("in camel case", record(#""apnsId":"17""#), [.messageIdentifierInvalid]),
        Record("a log's own id", record(#""id":"17""#), []),
        Record("another type", record(#""apns-id":17"#), []),
    ])
    func identifiersMustBeUUIDs(_ record: Record) { check(record) }

    // MARK: Priority

    @Test(arguments: [
        Record("10", record(#""apns-priority":10"#), []),
        Record("5", record(#""apns-priority":"5""#), []),
        Record("1", record(#""apns-priority":1"#), []),
        Record("5.0", record(#""apns-priority":5.0"#), []),
        Record("0", record(#""apns-priority":0"#), [.priorityInvalid]),
        Record("2", record(#""apns-priority":2"#), [.priorityInvalid]),
        Record("11", record(#""apns-priority":"11""#), [.priorityInvalid]),
        Record("100", record(#""apns-priority":100"#), [.priorityInvalid]),
        Record("-10", record(#""apns-priority":-10"#), [.priorityInvalid]),
        Record("10.5", record(#""apns-priority":10.5"#), [.priorityInvalid]),
        Record("10 with a space", record(#""apns-priority":"10 ""#), [.priorityInvalid]),
        Record("010", record(#""apns-priority":"010""#), [.priorityInvalid]),
        Record("a word", record(#""apns-priority":"high""#), [.priorityInvalid]),
        Record("among the headers", record(#""headers":{"apns-priority":"high"}"#), [.priorityInvalid]),
        Record("a word of another service", record(#""priority":"high""#), []),
        Record("another number of any name", record(#""priority":"7""#), [.priorityInvalid]),
        Record(
            "of a background push",
            record(#""push-type":"background","priority":7"#, #""content-available":1"#),
            [.priorityInvalid]),
        Record("another type counts as absent", record(#""apns-priority":[7]"#), []),
    ])
    func prioritiesMustBeKnown(_ record: Record) { check(record) }

    // MARK: Expiration

    @Test(arguments: [
        Record("0", record(#""apns-expiration":0"#), []),
        Record("a time", record(#""apns-expiration":"1772800000""#), []),
        Record("a number with an exponent", record(#""apns-expiration":1.7728e9"#), []),
        Record("18 digits", record(#""apns-expiration":999999999999999999"#), []),
        Record("19 digits", record(#""apns-expiration":"1000000000000000000""#), [.expirationInvalid]),
        Record(
            "19 digits of a number", record(#""apns-expiration":1000000000000000000"#), [.expirationInvalid]),
        Record("-1", record(#""apns-expiration":-1"#), [.expirationInvalid]),
        Record("-1 as text", record(#""apns-expiration":"-1""#), [.expirationInvalid]),
        Record("a fraction", record(#""apns-expiration":1772800000.5"#), [.expirationInvalid]),
        Record("a fraction as text", record(#""apns-expiration":"1772800000.0""#), [.expirationInvalid]),
        Record("a huge number", record(#""apns-expiration":1e300"#), [.expirationInvalid]),
        Record("a date", record(#""apns-expiration":"2026-03-06""#), [.expirationInvalid]),
        Record("among the headers", record(#""headers":{"apns-expiration":"soon"}"#), [.expirationInvalid]),
        Record("in snake case", record(#""apns_expiration":"soon""#), [.expirationInvalid]),
        Record("null", record(#""apns-expiration":null"#), []),
        Record("empty", record(#""apns-expiration":"""#), []),
    ])
    func expirationsMustBeWholeSeconds(_ record: Record) { check(record) }

    // MARK: Device tokens

    private static let token = String(repeating: "0f", count: 32)

    private static func token(_ name: String, _ text: String, _ problem: CheckProblem?) -> Record {
        Record(name, record(#""device-token":"\#(text)""#), problem.map { [$0] } ?? [])
    }

    @Test(arguments: [
        token("64 digits", token, nil),
        token("64 capital digits", token.uppercased(), nil),
        token("63 digits", String(token.dropLast()), .deviceTokenLength),
        token("65 digits", token + "0", .deviceTokenLength),
        token("one digit", "0", .deviceTokenLength),
        token("64 letters", token.dropLast() + "g", .deviceTokenInvalid),
        token("brackets and spaces", "<\(token)>", .deviceTokenInvalid),
        token("an escape", token.dropLast() + #"\u0066"#, nil),
        Record("the second name", record(#""token":"x""#), [.deviceTokenInvalid]),
        Record("in camel case", record(#""deviceToken":"x""#), [.deviceTokenInvalid]),
        Record("a device that is not a token", record(#""device":"Ruth's phone""#), []),
        Record(
            "of a Live Activity",
            record(#""push-type":"liveactivity","token":"\#(token)\#(token)""#, #""event":"end""#), []),
        Record("empty", record(#""device-token":"""#), []),
    ])
    func deviceTokensMustBeHexadecimal(_ record: Record) { check(record) }

    // MARK: Topics

    private static func topic(
        _ topic: String, _ type: String, _ isBad: Bool, name: String = "topic"
    ) -> Record {
        Record(
            "\(name) \(topic), \(type)",
            #"{"\#(name)":"\#(topic)","push-type":"\#(type)","payload":{"aps":{"alert":"x"}}}"#,
            isBad ? [.topicMismatched] : [])
    }

    private static let suffixes = [
        "voip": ".voip", "complication": ".complication", "fileprovider": ".pushkit.fileprovider",
        "location": ".location-query", "liveactivity": ".push-type.liveactivity", "pushtotalk": ".voip-ptt",
        "widgets": ".push-type.widgets", "controls": ".push-type.controls",
    ]

    @Test(arguments: suffixes.keys.sorted()) func suffixesMustFitThePushType(_ type: String) throws {
        for (other, suffix) in Self.suffixes {
            check(Self.topic("com.example.a" + suffix, type, other != type))
            check(Self.topic("com.example.a" + suffix, type.uppercased(), other != type))
            check(Self.topic("com.example.a" + suffix, type, other != type, name: "app"))
        }
        check(Self.topic("com.example.a", type, true))
        check(Self.topic("com.example.a", type, true, name: "apns-topic"))
        check(Self.topic("com.example.a", type, true, name: "apns_topic"))
        check(Self.topic("com.example.a", type, false, name: "app"))
        check(Self.topic("com.example.a", type, false, name: "bundle-id"))
    }

    @Test(arguments: [
        topic("com.example.a", "alert", false),
        topic("com.example.a.voip", "alert", true),
        topic("com.example.a.voip", "alert", true, name: "app"),
        topic("com.example.a.push-type.x", "alert", true),
        topic("com.apple.mgmt.x", "mdm", false),
        topic("com.example.a.voip", "telephone", false),
        topic(#"com.example.a\u002evoip"#, #"v\u006fip"#, false),
        topic(#"com.example.a\u002evoip"#, #"\u0061lert"#, true),
        Record("no push type", #"{"topic":"a.voip","payload":{"aps":{"alert":"x"}}}"#, []),
        Record(
            "among the headers",
            #"{"headers":{"apns-topic":"a","apns-push-type":"voip"},"payload":{"aps":{"alert":"x"}}}"#,
            [.topicMismatched]),
        Record(
            "in the payload",
            #"{"push-type":"voip","payload":{"Simulator Target Bundle":"a","aps":{"alert":"x"}}}"#, []),
    ])
    func topicsMustFitThePushType(_ record: Record) { check(record) }
}
