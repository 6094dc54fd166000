import Foundation
import TestSupport
import Testing

/// Logs of several formats in one folder, which a list of inputs reads in one run.
@Suite struct InputListCommandTests {
    /// The logs in `Data/house`, as native records in files of the same names.
    private static let native = [
        "chat": #"""
        {"ts":"2026-03-05T08:00:00Z","device":"phone-1","app":"com.example.chat","aps":{"alert":{"title":"Mara","body":"Lunch at noon?"},"thread-id":"team"}}
        {"ts":"2026-03-05T08:02:00Z","device":"phone-1","app":"com.example.chat","aps":{"alert":{"title":"Ilya","body":"I \"might\" be late."},"thread-id":"team"}}
        {"ts":"2026-03-05T08:03:00Z","device":"phone-1","app":"com.example.chat","aps":{"alert":{"title":"Noor","body":"Call me"},"thread-id":"noor"}}

        """#,
        "orders": #"""
        {"ts":1772697660,"app":"com.example.shop","device":"phone-1","aps":{"alert":"Your parcel is on its way","thread-id":"order-7"}}
        {"ts":1772701260,"app":"com.example.shop","device":"phone-1","aps":{"alert":"Your parcel has arrived","thread-id":"order-7"}}

        """#,
    ]

    private static func withHouse(_ body: (Command, String) throws -> Void) throws {
        try withFolder { command in
            let house = Repository.root + "/Data/house"
            #expect(try command.shell("cp -r '\(house)'/* .").status == 0)
            try body(command, "auto,orders.json,chat.json")
        }
    }

    @Test func severalFormatsAreReadAsNativeRecords() throws {
        try Self.withHouse { command, list in
            let run = ["replay", "logs", "--by-device", "-q", "-o"]
            for (name, arguments) in [
                ("one", ["--input", list]),
                ("other", ["--input", "chat.json,orders.json", "--input", "auto"]),
                ("threads", ["--input", list, "--threads", "4", "--chunk-size", "64KiB"]),
            ] {
                let result = try command.run(run + [name] + arguments)
                #expect(result.status == 65)
                #expect(
                    result.errors
                        == "sheaf: 1 line rejected (1 input.unmatched), the first at logs/orders.ndjson:3; use --rejects FILE to keep them\n"
                )
            }
            for (name, text) in Self.native { try command.write(text, to: "logs/\(name).ndjson") }
            #expect(try command.run(run + ["native"]).status == 0)
            for name in ["one", "other", "threads"] {
                #expect(try command.read(name) == command.read("native"), "\(name)")
            }
        }
    }

    @Test func partialResultsHaveTheWholeList() throws {
        try Self.withHouse { command, list in
            let line = """
                s=$SHEAF; set -e
                $s replay logs --input \(list) -q --max-rejects 1 -o whole
                for n in chat news orders; do
                    $s replay logs/$n.ndjson --input \(list) -q --max-rejects 1 --partial $n.partial
                done
                $s merge *.partial -q --max-rejects 1 -o merged
                cmp whole merged
                $s replay logs/news.ndjson --input auto,chat.json,orders.json -q --partial other
                """
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
            let refused = try command.run("merge", "chat.partial", "other")
            #expect(refused.status == 64)
            #expect(
                refused.errors.contains(
                    "'chat.partial' was read with input '\(list)', 'other' with 'auto,chat.json,orders.json'"),
                "\(refused.errors)")
        }
    }

    /// A source that a list does not read is named, even if few lines of a run are allowed to be unreadable.
    @Test func aSourceWithoutRecordsIsNamed() throws {
        try Self.withHouse { command, _ in
            let result = try command.run(
                "replay", "logs", "--input", "auto,chat.json", "-q", "--max-rejects", "99", "-o", "out")
            #expect(result.status == 0)
            #expect(
                result.errors
                    == "sheaf: warning: no record of logs/orders.ndjson is read: all of its 3 are rejected; 'sheaf inputs "
                    + "--detect logs/orders.ndjson' shows how they are understood\n")
            let two = try command.run(
                "replay", "logs", "--input", "chat.json", "--max-rejects", "99", "-o", "out")
            #expect(
                two.errors.contains(
                    "no record of 2 of 3 sources is read, such as logs/news.ndjson: all of its 2 are rejected"
                ),
                "\(two.errors)")
            let all = try command.run(
                "replay", "logs/news.ndjson", "logs/orders.ndjson", "--input", "chat.json", "-q", "-o", "out")
            #expect(!all.errors.contains("no record of"))
        }
    }

    /// What no mapping fits is reported with each of them.
    @Test func detectionNamesEachMapping() throws {
        try Self.withHouse { command, list in
            try command.write(#"{"event":"push.opened","notice":{}}"# + "\n", to: "log")
            let result = try command.run("inputs", "--detect", "log", "--input", list)
            #expect(
                result.output
                    == """
                    log:1: not orders.json, not chat.json, rejected, input.unmatched. The conditions of the mapping or shape in --input do not hold.
                      orders.json:
                      when          /event        does not equal push.sent
                      chat.json:
                      when          /notice/text  absent

                    """)
        }
    }

    /// Detection tries inputs in their order, as a replay does: a mapping before Sheaf's own events.
    @Test func detectionFollowsTheOrder() throws {
        try Self.withHouse { command, _ in
            try command.write(
                #"{"event":"push.sent","app":"n","bundle":"m","request":{"body":{"aps":{"alert":"x"}}}}"#
                    + "\n"
                    + #"{"event":"removed","app":"n","apns-id":"1"}"# + "\n", to: "log")
            let first = try command.run("inputs", "--detect", "log", "--input", "orders.json,auto").output
            #expect(first.contains("log:1: orders.json, a notification"), "\(first)")
            #expect(first.contains("log:2: apns, a removal"), "\(first)")
        }
    }

    /// A comma in the name of a file that exists separates nothing.
    @Test func aFileMayHaveACommaInItsName() throws {
        try Self.withHouse { command, _ in
            #expect(try command.shell("mv chat.json 'a,b.json'").status == 0)
            let result = try command.run("replay", "logs/chat.ndjson", "--input", "a,b.json", "-q")
            #expect(
                result.status == 0 && result.output.contains(#""app":"com.example.chat""#), "\(result.errors)"
            )
        }
    }

    typealias Case = Example<String, String>

    private static let mistakes: [Case] = [
        Case("a missing file", "auto,none.json", "none.json: "),
        Case("a misspelled shape", "auto,chat.json,fmc", "unknown input 'fmc', did you mean 'fcm'?"),
        Case("an empty name", "auto,,chat.json", "--input auto,,chat.json has an empty name"),
        Example(
            "a file twice", "chat.json,chat.json", "--input chat.json,chat.json: 'chat.json' is given twice"),
        Example(
            "without effect", "auto,fcm",
            "--input auto,fcm: 'fcm' has no effect after 'auto', which tries it, too"),
    ]

    @Test(arguments: mistakes) func mistakesAreNamed(_ item: Case) throws {
        try Self.withHouse { command, _ in
            let result = try command.run("replay", "logs", "--input", item.input)
            #expect(result.status == 64 || item.name == "a missing file")
            #expect(result.errors.contains(item.expected), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
    }
}
