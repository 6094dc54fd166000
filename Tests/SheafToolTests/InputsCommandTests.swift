import Foundation
import SheafGroups
import Testing

@testable import SheafFlow
@testable import SheafTool

/// `sheaf inputs`, and the options and warnings about the shapes of entries.
@Suite struct InputsCommandTests {
    /// A log of the same line, often enough for a warning.
    private static func log(_ line: (Int) -> String) -> String {
        (0..<50).map { line($0) + "\n" }.joined()
    }

    @Test func theListHasAllNames() throws {
        try withFolder { command in
            let result = try command.run("inputs")
            #expect(result.status == 0)
            let names = result.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
            #expect(
                names == [
                    "auto", "apns", "node-apn", "fcm", "sns", "gorush", "expo", "onesignal", "parse", "pushy",
                    "local",
                ])
        }
    }

    /// A printed shape is a mapping file that reads what the shape reads.
    @Test(arguments: InputShape.all.map(\.name)) func aPrintedShapeIsAMapping(_ name: String) throws {
        try withFolder { command in
            let shape = try command.run("inputs", name)
            #expect(shape.status == 0)
            try command.write(shape.output, to: "mine.json")
            try command.write(
                #"{"timestamp":1,"app":"com.a","message":{"token":"t","notification":{"title":"T"}}}"# + "\n",
                to: "log")
            let forced = try command.run("replay", "log", "--input", name, "-q")
            let mapped = try command.run("replay", "log", "--input", "mine.json", "-q")
            #expect(mapped.output == forced.output)
            #expect(mapped.status == forced.status)
        }
    }

    private struct Mistake {
        let name: String
        let arguments: [String]
        var status: Int32 = 64
        let message: String
    }

    @Test func mistakesAreExplained() throws {
        let mistakes = [
            Mistake(
                name: "a misspelled shape", arguments: ["inputs", "fmc"],
                message: "unknown shape 'fmc', did you mean 'fcm'?"),
            Mistake(
                name: "a shape without a file", arguments: ["inputs", "apns"],
                message: "'apns' is built in, without a mapping file"),
            Mistake(
                name: "a shape and a log", arguments: ["inputs", "fcm", "--detect", "log"],
                message: "give a shape's name or --detect, not both"),
            Mistake(
                name: "a draft of an input", arguments: ["inputs", "--draft", "log", "--input", "fcm"],
                message: "--draft finds all fields itself: leave out --input"),
            Mistake(
                name: "a draft of no log", arguments: ["inputs", "--draft", "missing"], status: 66,
                message: "missing: no such file or directory"),
            Mistake(
                name: "no such log", arguments: ["inputs", "--detect", "missing"], status: 66,
                message: "missing: no such file or directory"),
            Mistake(
                name: "too many records", arguments: ["inputs", "--detect", "log", "--records", "0"],
                message: "--records is 0, but must be from 1 to 1000"),
            Mistake(
                name: "a misspelled input", arguments: ["replay", "log", "--input", "onesingal"],
                message: "unknown input 'onesingal', did you mean 'onesignal'?"),
            Mistake(
                name: "no such mapping", arguments: ["replay", "log", "--input", "missing.json"], status: 78,
                message: "missing.json: the mapping cannot be read: no such file or directory"),
            Mistake(
                name: "a pointer without a slash", arguments: ["check", "log", "--unwrap", "request"],
                message: "--unwrap: a pointer begins with '/': write '/request'"),
            Mistake(
                name: "an empty app", arguments: ["replay", "log", "--app", ""],
                message: "--app is empty: name an app, such as com.example.app"),
        ]
        try withFolder { command in
            try command.write("{}\n", to: "log")
            for mistake in mistakes {
                let result = try command.run(mistake.arguments)
                #expect(result.status == mistake.status, "\(mistake.name)")
                #expect(
                    result.errors.lowercased().contains(mistake.message.lowercased()),
                    "\(mistake.name): \(result.errors)")
            }
        }
    }

    @Test func recordsAreShownFieldByField() throws {
        try withFolder { command in
            try command.write(
                #"{"log":"{\"time\":1700000000,\"message\":{\"token\":\"t\",\"apns\":{\"headers\":{\"apns-topic\":\"com.a\"},\"payload\":{\"aps\":{\"alert\":\"Hi\"},\"x\":1}}}}"}"#
                    + "\n" + #"[{"aps":{"alert":"A"}},7]"# + "\n",
                to: "log")
            let result = try command.run("inputs", "--detect", "log", "--app", "com.b")
            #expect(result.status == 0)
            #expect(
                result.output == """
                    log:1: fcm in 1 wrapper, a notification
                      timestamp          /time                             1700000000
                      app                /message/apns/headers/apns-topic  com.a
                      device             /message/token                    t
                      payload/aps/alert  /message/apns/payload/aps/alert   Hi
                      ignored            /message/apns/payload/x

                    log:2, index 0: apns in 1 wrapper, a notification
                      app                --app       com.b
                      payload/aps/alert  /aps/alert  A

                    log:2, index 1: rejected, json.not-object. JSON, but not an object.

                    """)
        }
    }

    /// Native records that are not pushes are understood as `replay` does, wrapped and by name, too.
    @Test(arguments: ["auto", "apns"]) func otherRecordsThanPushesAreShown(_ input: String) throws {
        try withFolder { command in
            try command.write(
                #"""
                {"event":"removed","app":"com.a","device":"d","timestamp":1700000000,"ids":["1"]}
                {"event":"settings","device":"d","sounds":false}
                {"event":"response","topic":"com.a","action":"like","category":"c"}
                {"message":"{\"event\":\"outcome\",\"id\":\"1\",\"status\":410}"}
                {"event":"modified","app":"com.a","id":"1","elapsed":2,"content":{"title":"\u0041"}}
                {"event":"dismissed","app":"com.a","Thread":"t"}
                {"event":"settings","app":"com.a","aps":{"alert":"x"}}
                """#, to: "log")
            let result = try command.run(
                "inputs", "--detect", "log", "--records", "7", "--input", input, "--app", "com.b")
            #expect(result.status == 0)
            #expect(
                result.output == """
                    log:1: apns, a removal
                      timestamp  /timestamp  1700000000
                      app        /app        com.a
                      device     /device     d

                    log:2: apns, a change of settings
                      device  /device  d

                    log:3: apns, a response
                      app  /topic  com.a

                    log:4: apns in 1 wrapper, the outcome of a push
                      id      /id      1
                      status  /status  410

                    log:5: apns, a service extension's result
                      app  /app  com.a
                      id   /id   1

                    log:6: apns, rejected, removal.invalid. A removal names valid ids, a thread, or an app alone; no member may be misspelled.
                      app  /app  com.a

                    log:7: apns, a notification
                      app                /app        com.a
                      payload/aps/alert  /aps/alert  x
                      ignored            /event

                    """)
            try command.write(#"{"event":"outcome","id":"1","status":410}"# + "\n", to: "outcomes")
            let outcomes = try command.run("inputs", "--detect", "outcomes", "--input", input)
            #expect((outcomes.status, outcomes.errors) == (0, ""))
        }
    }

    /// A shape with `unwrap` reads what entries wrap, as `--unwrap` does.
    @Test func aCopyOfAShapeIsUnwrapped() throws {
        try withFolder { command in
            try command.write(
                #"{"at":7,"push":{"message":{"token":"t","apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"x"}}}}}}"#
                    + "\n", to: "log")
            let shape = try command.run("inputs", "fcm").output
            try command.write(
                shape.replacing("{\n  \"about\"", with: "{\n  \"unwrap\":[\"/push\"],\n  \"about\""),
                to: "my.json")
            let plain = try command.run("replay", "log", "--input", "fcm", "-q")
            #expect(plain.status == 65)
            let mapped = try command.run("replay", "log", "--input", "my.json", "-q")
            #expect(mapped.status == 0)
            #expect(mapped.output.contains(#""app":"a","thread":null,"count":1"#))
            for arguments in [["replay"], ["replay", "--input", "fcm"], ["replay", "--input", "my.json"]] {
                let result = try command.run(arguments + ["log", "--unwrap", "/push", "-q"])
                #expect(result.output == mapped.output)
                #expect(result.status == 0)
            }
            #expect(
                try command.run("check", "log", "--unwrap", "/push").output.contains("payload.missing")
                    == false)
        }
    }

    /// Results of entries in different places are not combined.
    @Test func otherPointersAreAnotherInput() throws {
        try withFolder { command in
            try command.write(#"{"r":{"app":"a","aps":{"alert":"x"}}}"# + "\n", to: "log")
            for (name, pointer) in [("one", "/r"), ("two", "/s"), ("three", "/r")] {
                let result = try command.run(
                    "replay", "log", "--unwrap", pointer, "--partial", name, "-q", "--max-rejects", "1")
                #expect(result.status == 0)
            }
            let mixed = try command.run("merge", "one", "two")
            #expect(mixed.status == 64)
            #expect(
                mixed.errors.contains("'one' was read with input 'auto in /r', 'two' with 'auto in /s'"),
                "\(mixed.errors)")
        }
    }

    @Test func theConditionThatFailsIsShown() throws {
        try withFolder { command in
            try command.write(#"{"notification":{"title":"T"},"text":"x","kind":2}"# + "\n", to: "log")
            let shape = try command.run("inputs", "--detect", "log", "--input", "fcm", "--unwrap", "/r")
            #expect(
                shape.output == """
                    log:1: not fcm, rejected, input.unmatched. The conditions of the mapping or shape in --input do not hold.
                      unwrap  /r             absent
                      when    /message/apns  absent
                      when                   nor does any of 11 other alternatives hold

                    """)
            try command.write(
                #"{"when":[[{"pointer":"/kind","equals":[1,"x"]},{"pointer":"/text","contains":"y"},"/z"]],"unwrap":["/kind"]}"#,
                to: "my.json")
            let mapping = try command.run("inputs", "--detect", "log", "--input", "my.json")
            #expect(
                mapping.output == """
                    log:1: not my.json, rejected, input.unmatched. The conditions of the mapping or shape in --input do not hold.
                      unwrap  /kind  a number
                      when    /kind  does not equal 1 or x
                      when    /text  does not contain y
                      when    /z     absent

                    """)
        }
    }

    /// The levels of `UNNotificationInterruptionLevel`, by name and by number, have the names that a payload has.
    @Test(arguments: [
        (#""passive""#, "passive"), (#""active""#, "active"), (#""timeSensitive""#, "time-sensitive"),
        (#""time-sensitive""#, "time-sensitive"), (#""critical""#, "critical"), ("0", "passive"),
        ("1", "active"),
        ("2", "time-sensitive"), ("3", "critical"), ("4", "4"), (#""urgent""#, "urgent"),
    ]) func theLevelOfALocalNotificationIsThatOfAPayload(_ level: String, _ expected: String) throws {
        let content = #""content":{"body":"B","interruptionLevel":\#(level)}"#
        try withFolder { command in
            for line in [
                #"{"ts":1,"app":"com.a","identifier":"i",\#(content)}"#,
                #"{"ts":1,"app":"com.a","request":{"identifier":"i",\#(content)}}"#,
            ] {
                try command.write(line + "\n", to: "log")
                let shown = try command.run("inputs", "--detect", "log").output.split(separator: "\n")
                    .first { $0.contains("payload/aps/interruption-level") }
                #expect(shown?.split(separator: " ").last.map(String.init) == expected, "\(line)")
                let findings = try command.run("check", "log").output
                let isKnown = ["passive", "active", "time-sensitive", "critical"].contains(expected)
                #expect(findings.contains("interruption-level.unknown") == !isKnown, "\(line)")
            }
        }
    }

    private struct Hint: Sendable {
        let name: String
        let line: @Sendable (Int) -> String
        let warning: String
    }

    private static let hints = [
        Hint(
            name: "a time with another name",
            line: { #"{"app":"a","meta":{"when":\#(1_700_000_000 + $0),"n":5},"aps":{"alert":"x"}}"# },
            warning: "100 % of 50 records have no timestamp; '/meta/when' looks like one: map it with --input"
        ),
        Hint(
            name: "gorush's access log",
            line: {
                #"{"type":"succeeded-push","platform":"ios","token":"t\#($0)","message":"x","error":""}"#
            },
            warning:
                "100 % of 50 records are rejected, most of them payload.missing; this looks like gorush's access "
                + "log, which holds no payloads"),
        Hint(
            name: "delivery status of SNS",
            line: { _ in
                #"{"notification":{"messageId":"m"},"delivery":{"deliveryId":"d","statusCode":200},"status":"SUCCESS"}"#
            },
            warning:
                "100 % of 50 records are rejected, most of them payload.missing; this looks like Amazon SNS's log "
                + "of delivery status, which holds no payloads"),
        Hint(
            name: "Braze",
            line: { _ in #"{"campaign_id":"c","external_user_id":"u","platform":"ios"}"# },
            warning:
                "100 % of 50 records are rejected, most of them payload.missing; this looks like an export of Braze "
                + "Currents, which holds no payloads"),
        Hint(
            name: "FCM's export",
            line: { _ in #"{"message_id":"m","instance_id":"i","event":"MESSAGE_DELIVERED"}"# },
            warning:
                "100 % of 50 records are rejected, most of them payload.missing; this looks like an export of "
                + "Firebase Cloud Messaging's delivery data, which holds no payloads"),
        Hint(
            name: "a payload elsewhere",
            line: { _ in #"{"app":"a","event":{"push":{"aps":{"alert":"x"}}}}"# },
            warning:
                "100 % of 50 records are rejected, most of them payload.missing; '/event/push' looks like the "
                + "payload: sheaf inputs --draft LOG > my.json drafts a mapping for --input my.json"),
        Hint(
            name: "a payload nowhere", line: { _ in #"{"app":"a","event":"push"}"# },
            warning:
                "100 % of 50 records are rejected, most of them payload.missing; sheaf inputs --draft LOG > my.json "
                + "drafts a mapping for --input my.json"),
        Hint(
            name: "an app elsewhere",
            line: { _ in #"{"ts":1,"target":{"bundle":"com.example.app"},"aps":{"alert":"x"}}"# },
            warning:
                "100 % of 50 records are rejected, most of them app.missing; '/target/bundle' looks like the app: "
                + "sheaf inputs --draft LOG > my.json drafts a mapping for --input my.json, and --app names the app "
                + "of records that have none"),
        Hint(
            name: "no app at all", line: { _ in #"{"ts":1,"aps":{"alert":"x"}}"# },
            warning:
                "100 % of 50 records are rejected, most of them app.missing; --app names the app of records that "
                + "have none"),
        Hint(
            name: "text before JSON", line: { _ in #"10:00 INFO {"app":"a","aps":{"alert":"x"}}"# },
            warning:
                "100 % of 50 records are rejected, most of them json.invalid; a text precedes the JSON on each "
                + "line: sed 's/^[^{]*//' LOG | sheaf replay -"),
        Hint(
            name: "entries of several lines",
            line: { _ in "{\n  \"app\": \"a\",\n  \"aps\": {\"alert\": \"x\"}\n}" },
            warning:
                "100 % of 200 records are rejected, most of them json.invalid; each entry seems to take several "
                + "lines: jq -c . LOG | sheaf replay -"),
    ]

    @Test func theLikelyCauseIsNamed() throws {
        try withFolder { command in
            for hint in Self.hints {
                let log = Self.log(hint.line)
                try command.write(log, to: "log")
                let warning = "warning: \(hint.warning)\n"
                let named = warning.replacing(" LOG ", with: " log ")
                #expect(try command.run("replay", "log").errors.contains(named), "\(hint.name)")
                #expect(
                    try command.run("replay", "-", input: log).errors.contains(warning),
                    "\(hint.name), a pipe")
                #expect(try command.run("check", "log").errors.contains(named), "\(hint.name), a check")
                // An empty result is worth a line.
                let isAll = hint.warning.hasPrefix("100 %") && hint.warning.contains("are rejected")
                let quiet = try command.run("replay", "log", "-q")
                #expect(quiet.errors.contains("warning") == isAll, "\(hint.name), quiet")
            }
        }
    }

    @Test(arguments: [
        (
            "c.json", #"{"apps":{"com.example.mail":{"grouping":"byApp"}}}"#,
            "c.json is a configuration: did you mean --config c.json?"
        ),
        (
            "my c.json", "{\n  \"apps\": {\n    \"com.example.mail\": {\"grouping\": \"byApp\"}\n  }\n}",
            "my c.json is a configuration: did you mean --config 'my c.json'?"
        ),
        (
            "m.json", #"{"fields":{"app":["/bundle"],"payload":["/ctx/body"]}}"#,
            "m.json is a mapping file: did you mean --input m.json?"
        ),
        (
            "gen.py", "import json\nprint(1)",
            "most lines have no JSON: gen.py is not a log of payloads, one JSON object per line"
        ),
    ])
    func filesThatAreNoLogsAreNamed(_ name: String, _ content: String, _ hint: String) throws {
        try withFolder { command in
            try command.write(content + "\n", to: name)
            for subcommand in ["replay", "check"] {
                let result = try command.run(subcommand, name)
                #expect(result.errors.hasSuffix("; \(hint)\n"), "\(result.errors)")
            }
        }
    }

    /// The reason for an entry that fits no condition of the only mapping is the condition, not a missing payload.
    @Test func theConditionThatDoesNotHoldIsNamed() throws {
        try withFolder { command in
            try command.write(
                #"{"fields":{"payload":["/p"]},"when":[["/p",{"pointer":"/kind","equals":"push"}]]}"#,
                to: "m.json")
            for (line, problem) in [
                (#"{"app":"a","p":{"aps":{"alert":"x"}}}"#, "'/kind' is absent"),
                (#"{"app":"a","p":{"aps":{"alert":"x"}},"kind":null}"#, "'/kind' does not equal push"),
                (#"{"app":"a","p":{"aps":{"alert":"x"}},"kind":"call"}"#, "'/kind' does not equal push"),
            ] {
                try command.write(String(repeating: line + "\n", count: 30), to: "log")
                let result = try command.run(
                    "replay", "log", "--input", "m.json", "-q", "--max-rejects", "99", "--stats", "s.json")
                #expect((result.status, result.output) == (0, ""))
                #expect(
                    result.errors
                        == "sheaf: warning: 100 % of 30 records are rejected, most of them input.unmatched; \(problem), so that "
                        + "m.json does not fit: sheaf inputs --detect log with the same --input shows each condition\n"
                )
                #expect(try command.read("s.json").contains(#""input.unmatched":30"#))
            }
        }
    }

    /// A file of this name may be a log, too.
    @Test func aLogWithTheNameOfAConfigurationIsALog() throws {
        try withFolder { command in
            for content in ["{}\n", #"{"x":{"aps":{"alert":"a"}}}"# + "\n"] {
                try command.write(content, to: "log.json")
                let errors = try command.run("replay", "log.json").errors
                #expect(!errors.contains("did you mean"), "\(errors)")
            }
        }
    }

    /// A few rejects are not enough to judge a log by.
    @Test func fewRejectsGiveNoHint() throws {
        try withFolder { command in
            for (lines, count) in [("{\"aps\":{\"alert\":\"x\"}}\n", 19), ("{\"aps\"\n", 1)] {
                try command.write(String(repeating: lines, count: count), to: "log")
                #expect(try !command.run("replay", "log").errors.contains("warning"))
            }
            try command.write("{\"a\":1}\n" + oneNotification, to: "log")
            #expect(try !command.run("replay", "log").errors.contains("warning"))
        }
    }

    /// If nothing in a log is understood, a run ends with the command that drafts a mapping, from the first record on.
    @Test func aLogOfOtherMakeEndsWithADraft() throws {
        let line =
            #"{"when":1767600000,"user":"u1","msg":{"bundle":"com.example.app","body":{"aps":{"alert":"x"}}}}"#
            + "\n"
        let draft = "sheaf inputs --draft 'my log' > my.json drafts a mapping for --input my.json\n"
        try withFolder { command in
            for (count, start) in [
                (1, "the only record is rejected, payload.missing; "),
                (3, "100 % of 3 records are rejected, most of them payload.missing; "),
            ] {
                try command.write(String(repeating: line, count: count), to: "my log")
                let end = "warning: \(start)'/msg/body' looks like the payload: \(draft)"
                for name in ["replay", "check"] {
                    let result = try command.run(name, "my log")
                    #expect(result.errors.hasSuffix(end), "\(name): \(result.errors)")
                }
                let shown = try command.run("inputs", "--detect", "my log")
                let hint = "'/msg/body' looks like the payload: \(draft)"
                #expect(shown.errors == "sheaf: none of these records is understood: \(hint)")
                #expect(
                    shown.output.contains("\n  has  /msg/bundle          com.example.app\n"),
                    "\(shown.output)")
                // Neither does --quiet hide that nothing is left.
                let quiet = try command.run("replay", "my log", "-q", "--max-rejects", "9")
                #expect(quiet.status == 0)
                #expect(quiet.errors == "sheaf: \(end)")
                #expect(shown.status == 0)
            }
            #expect(
                try command.run("inputs", "--detect", "my log", "--unwrap", "/msg/body", "--app", "a").errors
                    == "")
        }
    }

    /// A drafted mapping is read by `--input`, from every kind of source.
    @Test func aDraftIsAMapping() throws {
        let line = { (index: Int) in
            #"{"when":\#(1_767_600_000 + index),"user":"u\#(index % 2)","msg":{"bundle":"com.example.app","body":{"aps":{"alert":"x"}}}}"#
                + "\n"
        }
        let log = (0..<3).map(line).joined()
        try withFolder { command in
            try command.write(log, to: "log")
            #expect(try command.shell("gzip -k log && zstd -q log").status == 0)
            let draft = try command.run("inputs", "--draft", "log")
            #expect(draft.status == 0)
            #expect(draft.errors == "")
            #expect(
                draft.output == """
                    {
                      "about": [
                        "'/msg/body' has aps in 3 of 3 entries",
                        "3 records are read from 3 entries: compare a few of them before you rely on this draft"
                      ],
                      "fields": {
                        "timestamp": [
                          {"pointer": "/when", "about": "seconds since 1970 in 3 of 3 entries, rising along the log"}
                        ],
                        "app": [
                          {"pointer": "/msg/bundle", "about": "a reverse domain name in 3 of 3 entries"}
                        ],
                        "device": [
                          {"pointer": "/user", "about": "a device or user by its name in 3 of 3 entries, 2 different"}
                        ],
                        "payload": [
                          {"pointer": "/msg/body", "about": "has aps in 3 of 3 entries"}
                        ]
                      }
                    }

                    """)
            for arguments in [["log.gz"], ["log.zst"], ["."]] {
                #expect(try command.run(["inputs", "--draft"] + arguments).output == draft.output)
            }
            #expect(try command.run("inputs", "--draft", "-", input: log).output == draft.output)
            try command.write(draft.output, to: "my.json")
            let replay = try command.run("replay", "log", "--input", "my.json", "--by-device")
            #expect(replay.status == 0)
            #expect(
                replay.output.contains(#"{"device":"u0","app":"com.example.app","thread":null,"count":2"#))
            #expect(replay.output.contains(#""last":1767600002000"#))
        }
    }

    @Test func whatADraftLacksIsNamed() throws {
        struct Log {
            let name: String
            let text: String
            let status: Int32
            let errors: String
        }
        let logs = [
            Log(
                name: "another log",
                text: #"{"level":"info","ts":1767600000,"message":"GET /health"}"# + "\n", status: 65,
                errors:
                    "log: no mapping could be drafted: nothing in 1 JSON object looks like a push: neither aps, nor an alert, nor a "
                    + "title next to a text"),
            Log(
                name: "texts for people in another log",
                text: #"{"title":"Release 1.2","body":"Fixes bugs","author":{"name":"x"}}"# + "\n",
                status: 65,
                errors: "log: no mapping could be drafted: nothing in 1 JSON object looks like a push"),
            Log(
                name: "an empty log", text: "", status: 65,
                errors: "log: no mapping could be drafted: no line is a JSON object that has a value"),
            Log(
                name: "keys that no pointer has",
                text:
                    #"{"x[0]":1767600000,"":"com.example.a","push":{"aps":{"alert":"x"}},"to":"u","app":"a","ts":1}"#
                    + "\n",
                status: 0, errors: ""),
            Log(
                name: "alerts of another kind",
                text: #"{"alert":{"title":"CPU high","body":"95 %"},"host":"db-1","ts":1767600000}"# + "\n",
                status: 65,
                errors: "log: no mapping could be drafted: nothing in 1 JSON object looks like a push"),
            Log(
                name: "texts of a service",
                text: #"{"app":"com.example.api","level":"info","msg":"started","user":"root"}"# + "\n",
                status: 65,
                errors: "log: no mapping could be drafted: nothing in 1 JSON object looks like a push"),
            Log(
                name: "a text before the JSON", text: #"10:00 INFO {"msg":{"aps":{"alert":"x"}}}"# + "\n",
                status: 65,
                errors:
                    "log: no mapping could be drafted: a text precedes the JSON on each line: sed 's/^[^{]*//' log | sheaf "
                    + "inputs --draft -"),
            Log(
                name: "entries of several lines",
                text: "{\n \"a\": {\n  \"aps\": {\"alert\": \"x\"}\n }\n}\n", status: 65,
                errors:
                    "log: no mapping could be drafted: each entry seems to take several lines: jq -c . log | sheaf inputs "
                    + "--draft -"),
            Log(
                name: "no app and no time", text: #"{"to":"u","push":{"aps":{"alert":"x"}}}"# + "\n",
                status: 0,
                errors:
                    "log: nothing looks like the app of 1 of 1 record: name one with --app\nsheaf: log: nothing looks "
                    + "like the time of 1 of 1 record: records without one count as older than all others"),
            Log(
                name: "a log that needs no mapping", text: oneNotification, status: 0,
                errors: "log: these entries can be read without a mapping"),
        ]
        try withFolder { command in
            for log in logs {
                try command.write(log.text, to: "log")
                let result = try command.run("inputs", "--draft", "log")
                #expect(result.status == log.status, "\(log.name)")
                #expect(
                    log.errors.isEmpty
                        ? result.errors.isEmpty : result.errors.hasPrefix("sheaf: \(log.errors)"),
                    "\(log.name): \(result.errors)")
                #expect(result.output.isEmpty == (log.status != 0), "\(log.name)")
            }
        }
    }

    /// Each rule applies to records of every shape as to native ones.
    @Test func recordsOfAllShapesAreChecked() throws {
        try withFolder { command in
            try command.write(
                #"{"ts":1,"message":{"token":"t","apns":{"headers":{"apns-topic":"com.a","apns-priority":"7"},"payload":{"aps":{"alert":{"body":"say \"hi\"","boddy":"x"}}}}}}"#
                    + "\n"
                    + #"{"ts":1,"log":"{\"app\":\"com.a\",\"aps\":{\"alert\":\"C\",\"threadId\":\"t\"}}"}"#
                    + "\n"
                    + #"{"ts":1,"notifications":[{"tokens":["a","b"],"platform":1,"message":"x","badge":-1,"topic":"com.a"}]}"#
                    + "\n",
                to: "log")
            let report = try command.run("check", "log", "--format", "json").output
            for (name, count, line) in [
                ("BadPriority", 1, 1), ("alert.unknown-key", 1, 1), ("aps.unknown-key", 1, 2),
                ("badge.negative", 2, 3),
            ] {
                #expect(report.contains(#""name":"\#(name)","severity":"#), "\(name): \(report)")
                let item = report.components(separatedBy: #""name":"\#(name)""#).last ?? ""
                #expect(
                    item.contains(#""count":\#(count),"first":{"source":"log","line":\#(line)}"#),
                    "\(name): \(item)")
            }
        }
    }
}
