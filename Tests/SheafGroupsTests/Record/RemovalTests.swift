import TestSupport
import Testing

@testable import SheafGroups

/// Records that say which notifications are no longer on screen (specification §15).
@Suite struct RemovalTests {
    struct Line: NamedCase {
        let name: String
        /// The members after the event, the app and the time.
        let members: String
        var event = "removed"
        let removed: String
    }

    static let lines = [
        Line(name: "an app", members: "", removed: "removes all of a"),
        Line(name: "an app on a device", members: #","device":"d""#, removed: "removes all of a, d"),
        Line(name: "cleared", members: "", event: "cleared", removed: "removes all of a"),
        Line(name: "a thread", members: #","thread":"t""#, removed: "removes thread t of a"),
        Line(name: "no thread", members: #","thread":null"#, removed: "removes thread  of a"),
        Line(name: "an empty thread", members: #","thread":"""#, removed: "removes thread  of a"),
        Line(
            name: "a thread-id", members: #","thread-id":"t","device":"d""#,
            removed: "removes thread t of a, d"),
        Line(
            name: "identifiers", members: #","ids":["x","y"],"device":"d""#,
            removed: "removes identifier x of a, d; identifier y of a, d"),
        Line(
            name: "identifiers with escapes and spaces", members: #","ids":[ "\u0078\"" , "]","\\" ]"#,
            removed: #"removes identifier x" of a; identifier ] of a; identifier \ of a"#),
        Line(
            name: "identifiers and a thread", members: #","thread":"t","ids":["x"]"#,
            removed: "removes identifier x of a"),
        Line(name: "no identifiers", members: #","ids":[]"#, removed: "removes "),
        Line(name: "an empty identifier", members: #","ids":["","x"]"#, removed: "removes identifier x of a"),
        Line(name: "null for everything", members: #","ids":null,"id":null"#, removed: "removes all of a"),
        Line(name: "its own id", members: #","apns-id":"x""#, removed: "removes identifier x of a"),
        Line(
            name: "cleared, with the id of the event", members: #","id":"x","collapse-id":"c""#,
            event: "cleared",
            removed: "removes all of a"),
        Line(name: "a device that is a number", members: #","device":5"#, removed: "removal.invalid"),
        Line(name: "no device", members: #","device":null"#, removed: "removes all of a"),
        Line(
            name: "a collapse id before its id", members: #","apns-id":"x","apns-collapse-id":"c""#,
            removed: "removes identifier c of a"),
        Line(
            name: "ids before its own id", members: #","id":"x","ids":["y"]"#,
            removed: "removes identifier y of a"),
        Line(name: "opened", members: #","id":"x""#, event: "opened", removed: "removes identifier x of a"),
        Line(
            name: "dismissed", members: #","ids":["x"]"#, event: "dismissed",
            removed: "removes identifier x of a"),
        Line(name: "read", members: #","thread":"t""#, event: "read", removed: "removes thread t of a"),
        Line(name: "opened, but not which", members: "", event: "opened", removed: "removal.invalid"),
        Line(
            name: "the app was opened", members: #","id":"x""#, event: "app-opened",
            removed: "removes all of a"),
        Line(name: "in camel case", members: "", event: "appOpened", removed: "removes all of a"),
        Line(name: "in snake case", members: "", event: "app_opened", removed: "removes all of a"),
        Line(
            name: "an event with escapes", members: "", event: #"r\u0065moved"#, removed: "removes all of a"),
        Line(name: "a payload too", members: #","aps":{"alert":"x"}"#, removed: "removes all of a"),
        Line(
            name: "another event", members: #","aps":{"alert":"x"}"#, event: "sent",
            removed: "app=a body=x @1000"),
        Line(
            name: "another event with escapes", members: #","aps":{"alert":"x"}"#, event: #"s\u0065nt"#,
            removed: "app=a body=x @1000"),
        Line(name: "another event without a payload", members: "", event: "sent", removed: "payload.missing"),
        Line(name: "ids that are a string", members: #","ids":"x""#, removed: "removal.invalid"),
        Line(name: "ids that are numbers", members: #","ids":["x",7]"#, removed: "removal.invalid"),
        Line(name: "ids of ids", members: #","ids":[["x"]]"#, removed: "removal.invalid"),
        Line(name: "a thread that is a number", members: #","thread":7"#, removed: "removal.invalid"),
        Line(
            name: "the most identifiers", members: #","ids":[\#(ids(4_096))]"#,
            removed: "removes " + Array(repeating: "identifier x of a", count: 4_096).joined(separator: "; ")),
        Line(name: "too many identifiers", members: #","ids":[\#(ids(4_097))]"#, removed: "removal.invalid"),
        Line(
            name: "an identifier that is too long",
            members: #","ids":["\#(String(repeating: "x", count: 4_097))"]"#, removed: "field.too-long"),
        Line(
            name: "a device that is too long",
            members: #","device":"\#(String(repeating: "x", count: 4_097))""#, removed: "field.too-long"),
    ]

    /// The members of a removal, and why it is rejected; nil if it is not.
    struct Mistake: NamedCase {
        let name: String
        let members: String
        var event = "removed"
        let detail: String?
    }

    @Test(arguments: [
        Mistake(
            name: "a thread in another case", members: #","Thread":"x""#,
            detail: "'Thread', did you mean 'thread'?"),
        Mistake(
            name: "a letter missing", members: #","thred":"x""#, detail: "'thred', did you mean 'thread'?"),
        Mistake(name: "ids in another case", members: #","IDs":["x"]"#, detail: "'IDs', did you mean 'ids'?"),
        Mistake(name: "its own id", members: #","Id":"x""#, detail: "'Id', did you mean 'id'?"),
        Mistake(
            name: "its own id, cleared", members: #","Id":"x""#, event: "cleared", detail: nil),
        Mistake(
            name: "several devices", members: #","devices":["x"]"#,
            detail: "'devices', did you mean 'device'?"),
        Mistake(
            name: "a device next to ids", members: #","ids":["x"],"Device":"d""#,
            detail: "'Device', did you mean 'device'?"),
        Mistake(
            name: "a collapse id", members: #","collapse-ID":"x""#,
            detail: "'collapse-ID', did you mean 'collapse-id'?"),
        Mistake(
            name: "a header", members: #","headers":{"Apns-Collapse-Id":"x"}"#,
            detail: "'Apns-Collapse-Id', did you mean 'apns-collapse-id'?"),
        Mistake(
            name: "a header, cleared", members: #","headers":{"Apns-Id":"x"}"#, event: "cleared", detail: nil),
        Mistake(
            name: "null", members: #","Thread":null"#, detail: "'Thread', did you mean 'thread'?"),
        Mistake(
            name: "the first of two", members: #","Ids":[],"Thread":"x""#,
            detail: "'Ids', did you mean 'ids'?"),
        Mistake(
            name: "a read message", members: #","Threads":"x""#, event: "read",
            detail: "'Threads', did you mean 'thread'?"),
        Mistake(
            name: "ids of an opened app", members: #","ids":["x"]"#, event: "app-opened",
            detail: "'ids': the event removes all of the app's notifications"),
        Mistake(
            name: "a thread of an opened app", members: #","thread_id":"x""#, event: "appOpened",
            detail: "'thread_id': the event removes all of the app's notifications"),
        Mistake(
            name: "null ids of an opened app", members: #","ids":null,"id":"x""#, event: "app-opened",
            detail: nil),
        Mistake(
            name: "a misspelled thread of an opened app", members: #","Thread":"x""#, event: "app-opened",
            detail: "'Thread', did you mean 'thread'?"),
        Mistake(
            name: "other members",
            members:
                #","ids":["x"],"user_id":"u","app_id":"i","platform":"ios","reason":"read","deviceID":"d""#,
            detail: nil),
        Mistake(
            name: "the names of all fields",
            members: #","ids":["x"],"deviceToken":"d","apnsID":"x","collapse_id":"c","bundleID":"a","#
                + #""apns_topic":"a","Timestamp":1,"push_type":"alert","apns-priority":5"#,
            detail: nil),
    ]) func whatWouldRemoveMoreIsRejected(_ item: Mistake) {
        let text = #"{"event":"\#(item.event)","app":"a","ts":1\#(item.members)}"#
        var decoder = RecordDecoder(keepsRejectedText: true)
        let outcome = DecodedLine(text, by: &decoder).outcome
        #expect(outcome == (item.detail == nil ? .removal : .rejected(.removalInvalid)))
        #expect(decoder.detail(of: .removalInvalid) == item.detail)
        #expect(RemovalRecord.mistake(in: Array(text.utf8).span) == item.detail)
    }

    private static func ids(_ count: Int) -> String {
        Array(repeating: #""x""#, count: count).joined(separator: ",")
    }

    @Test(arguments: lines) func aRemovalNamesNotifications(_ line: Line) {
        let text = #"{"event":"\#(line.event)","app":"a","ts":1\#(line.members)}"#
        #expect(ReadLine(text).summary == [line.removed])
    }

    @Test(arguments: [
        (#"{"event":"removed"}"#, "app.missing"), (#"{"event":"removed","app":""}"#, "app.missing"),
        (#"{"event":"removed","app":"a","ts":"never"}"#, "timestamp.invalid"),
        (#"{"event":"removed","app":"a","ts":"never","ids":7}"#, "timestamp.invalid"),
        (#"{"event":"removed","app":"a.voip"}"#, "removes all of a"),
        (#"{"event":7,"app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        (#"{"event":{"a":"removed"},"app":"a","aps":{"alert":"x"}}"#, "app=a body=x"),
        (
            #"{"message":"{\"event\":\"removed\",\"app\":\"a\",\"ids\":[\"x\\\"\"]}"}"#,
            #"removes identifier x" of a"#
        ),
    ]) func theEnvelopeIsThatOfAPush(_ line: String, _ expected: String) {
        #expect(ReadLine(line).summary == [expected])
    }

    @Test func severalRemovalsOfALineAreSeparateRecords() {
        let line = #"[{"event":"removed","app":"a"},{"event":"removed","app":"b","thread":"t"}]"#
        #expect(ReadLine(line).summary == ["removes all of a", "removes thread t of b"])
    }
}
