import TestSupport
import Testing

@testable import SheafChecks
@testable import SheafGroups

/// The finding `payload.too-large`, which measures the payload as sent, not as logged.
@Suite struct PayloadSizeTests {
    /// Returns a payload of `count` bytes.
    static func payload(_ count: Int, _ filler: Character = "x") -> String {
        let start = #"{"aps":{"alert":"Hello"},"custom":""#
        let width = String(filler).utf8.count
        let rest = count - start.utf8.count - 2
        return start + String(repeating: filler, count: rest / width)
            + String(repeating: "y", count: rest % width) + "\"}"
    }

    private static let token = String(repeating: "0f", count: 32)
    private static let identifier = "eabeae54-14a8-11e5-b60b-1697f925ec7b"

    struct Line: NamedCase {
        let name: String
        /// Returns a line whose payload has the given number of bytes.
        let line: @Sendable (Int) -> String
        var limit = 4096

        init(_ name: String, limit: Int = 4096, _ line: @escaping @Sendable (Int) -> String) {
            self.name = name
            self.line = line
            self.limit = limit
        }
    }

    static let lines = [
        Line("object") { #"{"app":"a","payload":\#(payload($0))}"# },
        Line("object after long fields") {
            #"{"app":"a","note":"\#(String(repeating: "n", count: 9000))","payload":\#(payload($0)),"x":[1]}"#
        },
        Line("object with multi-byte characters") { #"{"app":"a","payload":\#(payload($0, "é"))}"# },
        Line("object with spaces") { count in
            #"{"app":"a","payload" : {  "aps" : { } ,  "x" : "\#(String(repeating: "x", count: count - 28))" } }"#
        },
        Line("object with escapes, which are sent") { count in
            let start = #"{"aps":{"alert":"x"},"x":""#
            let escapes = (count - start.utf8.count - 2) / 6
            let rest = count - start.utf8.count - 2 - 6 * escapes
            let text = String(repeating: "\\u00e9", count: escapes) + String(repeating: "x", count: rest)
            return #"{"app":"a","payload":\#(start)\#(text)"}}"#
        },
        Line("object with quotes and braces in texts") { count in
            let start = #"{"aps":{"alert":"}\"]{\\"},"x":""#
            return
                #"{"app":"a","payload":\#(start)\#(String(repeating: "x", count: count - start.utf8.count - 2))"}}"#
        },
        Line("the last of several") {
            #"{"app":"a","payload":\#(payload(9000)),"payload":\#(payload($0))}"#
        },
        Line("string") { #"{"app":"a","payload":\#(quoted(payload($0)))}"# },
        Line("string with multi-byte characters") { #"{"app":"a","payload":\#(quoted(payload($0, "日")))}"# },
        Line("string with all quotes as Unicode escapes") { count in
            let written = payload(count).split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\\u0022")
            return #"{"app":"a","payload":"\#(written)"}"#
        },
        Line("string whose escapes are decoded once") { count in
            // An escape has six bytes in the payload, as it is sent, but seven in the log.
            let start = #"{"aps":{"alert":"x"},"x":""#
            let escapes = (count - start.utf8.count - 2) / 6
            let rest = count - start.utf8.count - 2 - 6 * escapes
            let text = String(repeating: "\\u00e9", count: escapes) + String(repeating: "x", count: rest)
            return #"{"app":"a","payload":\#(quoted("\(start)\(text)\"}"))}"#
        },
        Line("bare with only an app") { count in
            let body = String(payload(count).dropFirst())
            return #"{"app":"a",\#(body)"#
        },
        Line("bare with envelope fields before and after") { count in
            let body = String(payload(count).dropFirst().dropLast())
            return #"{"app":"a","ts":1700000000,\#(body),"device":"d","id":"i","push-type":"alert"}"#
        },
        Line("bare with every envelope field") { count in
            let names = [
                "timestamp", "ts", "app", "topic", "apns-topic", "bundle-id", "device", "device-token",
                "priority", "apns-priority", "token", "apns-id", "id", "apns-collapse-id", "collapse-id",
                "apns-push-type", "push-type", "time", "@timestamp", "datetime", "date", "Timestamp",
                "sent-at",
                "sent_at", "sentAt", "created-at", "created_at", "createdAt", "occurred", "bundle_id",
                "bundleId",
                "bundleID", "apns_topic", "apnsTopic", "device_token", "deviceToken", "apns_id", "apnsId",
                "apnsID",
                "apns_collapse_id", "apnsCollapseId", "apnsCollapseID", "collapse_id", "collapseId",
                "collapseID",
                "apns_push_type", "apnsPushType", "push_type", "pushType", "apns_priority", "apnsPriority",
                "Simulator Target Bundle",
            ]
            // Checks look at the values of these.
            let values = [
                "device-token": token, "token": token, "device_token": token, "deviceToken": token,
                "apns-id": identifier, "apns_id": identifier, "apnsId": identifier, "apnsID": identifier,
                "priority": "5", "apns-priority": "5", "apns_priority": "5", "apnsPriority": "5",
            ]
            let members = names.map { #""\#($0)":"\#(values[$0] ?? "1700000000")","# }.joined()
            let body = String(payload(count).dropFirst())
            return #"{\#(members)"payload":null,"headers":{"apns-id":"x","more":[1,2]},\#(body)"#
        },
        Line("bare with white space, which is removed with the members") { count in
            let body = String(payload(count).dropFirst().dropLast())
            return "  { \"app\" : \"a\" ,\(body), \"ts\" : 5 }\t"
        },
        Line("bare with a space after each comma, the envelope first") { count in
            #"{"app": "a", "ts": 1, \#(payload(count).dropFirst())"#
        },
        Line("bare with a space after each comma, the envelope last") { count in
            #"\#(payload(count).dropLast()), "app": "a", "ts": 1}"#
        },
        Line("bare with a space before each comma") { count in
            #"{"app":"a" ,\#(payload(count).dropFirst().dropLast()) ,"ts":1 ,"device":"d" }"#
        },
        Line("bare with spaces in the payload") { count in
            let text = String(repeating: "x", count: count - 24)
            return #"{ "aps" : {} , "x" : "\#(text)" , "app":"a", "ts":1 }"#
        },
        Line("bare with envelope fields in between") { count in
            let text = String(repeating: "x", count: count - 17)
            return #"{"aps":{}, "app": "a" , "ts": 1 , "x":"\#(text)"}"#
        },
        Line("bare with an escaped name") { count in
            let body = String(payload(count).dropFirst())
            return #"{"\u0061pp":"a","topi\u0063":"b",\#(body)"#
        },
        Line("bare with an unrelated member, which is sent") { count in
            let body = String(payload(count - 16).dropFirst())
            return #"{"app":"a","severity":"10",\#(body)"#
        },
        Line("bare with the names of envelope fields in an object") { count in
            let body = String(payload(count - 16).dropFirst())
            return #"{"app":"a","x":{"app":"b"},\#(body)"#
        },
        Line("voip by push type", limit: 5120) {
            #"{"app":"a","push-type":"voip","payload":\#(payload($0))}"#
        },
        Line("voip by a push type with escapes", limit: 5120) {
            #"{"app":"a","push-type":"v\u006fip","payload":\#(payload($0))}"#
        },
        Line("voip by push type in capitals", limit: 5120) {
            #"{"app":"a","push-type":"VoIP","payload":\#(payload($0))}"#
        },
        Line("voip by topic", limit: 5120) { #"{"topic":"a.voip","payload":\#(payload($0))}"# },
        Line("voip by topic among the headers", limit: 5120) {
            #"{"headers":{"apns-topic":"a.voip"},"payload":\#(payload($0))}"#
        },
        Line("voip by topic, bare", limit: 5120) {
            #"{"topic":"a.voip",\#(String(payload($0).dropFirst()))"#
        },
        Line("voip by topic, string", limit: 5120) {
            #"{"topic":"a.voip","payload":\#(quoted(payload($0)))}"#
        },
        Line("push to talk is not VoIP") { #"{"topic":"a.voip-ptt","payload":\#(payload($0))}"# },
        Line("live activities") { #"{"topic":"a.push-type.liveactivity","payload":\#(payload($0))}"# },
    ]

    @Test(arguments: lines)
    func payloadAboveTheLimitIsAFinding(_ line: Line) {
        for count in [line.limit - 1, line.limit] {
            let checked = CheckedLine(line.line(count))
            #expect(checked.problems == [], "\(count)")
            #expect(checked.isUnchanged)
        }
        for count in [line.limit + 1, line.limit + 1000, 20_000] {
            let checked = CheckedLine(line.line(count))
            #expect(checked.problems == [.record(.payloadTooLarge)], "\(count)")
            #expect(checked.isUnchanged)
        }
    }

    /// A payload that is too large does not cause the record to be rejected.
    @Test(arguments: lines) func oversizedPayloadsAreNotRejected(_ line: Line) {
        let outcome = CheckedLine(line.line(line.limit + 1)).outcome
        #expect(outcome == .notification || outcome == .silent)
    }

    /// Scanners and copies are reused from line to line.
    @Test func checksCanBeReused() {
        var checker = LineChecker()
        for line in Self.lines + Self.lines.reversed() {
            #expect(checker.check(line.line(line.limit + 1)).problems == [.record(.payloadTooLarge)])
            #expect(checker.check(line.line(line.limit)).problems == [])
        }
    }
}
