import Foundation
import TestSupport
import Testing

@testable import SheafTool

/// `sheaf explain` on the command line.
@Suite struct ExplainCommandTests {
    private static let log = """
        {"app":"com.example.mail","device":"ana","id":"m1","timestamp":1767571200000,"aps":{"alert":"One","thread-id":"a"}}
        {"app":"com.example.mail","device":"ben","id":"m2","timestamp":1767571201000,"aps":{"alert":"Not hers"}}
        {"app":"com.example.mail","device":"ana","id":"m3","timestamp":1767571202000,"aps":{"alert":"Two","thread-id":"a"}}
        {"app":"com.example.chat","device":"ana","id":"c1","collapse-id":"x","timestamp":1767571203000,"aps":{"alert":"Old"}}
        {"app":"com.example.chat","device":"ana","id":"c2","collapse-id":"x","timestamp":1767571204000,"aps":{"alert":"New"}}
        {"app":"com.example.chat","device":"ana","id":"c3","timestamp":1767571205000,"aps":{"content-available":1}}
        {"app":"com.example.chat","device":"ana","event":"removed","ids":["x"],"timestamp":1767571206000}
        {"app":"com.example.news","device":"ana","id":"n1","status":410,"reason":"Unregistered","timestamp":1767571207000,"aps":{"alert":"Gone"}}
        {"device":"ana","broken":

        """

    private func causes(_ output: String) throws -> [String] {
        try output.split(separator: "\n").compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            guard object["type"] as? String == "record" else { return nil }
            let by = (object["by"] as? [String: Any])?["line"].map { " by \($0)" } ?? ""
            return "\(object["line"] ?? 0) \(object["cause"] ?? "")\(by)"
        }
    }

    @Test func eachRecordHasItsCause() throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            let result = try command.run(
                "explain", "a.ndjson", "--device", "ana", "--removals", "--format", "ndjson", "-q")
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                try causes(result.output) == [
                    "9 rejected", "1 shown", "3 shown", "4 replaced by 5", "5 removed by 7", "6 silent",
                    "7 event",
                    "8 refused",
                ])
            let group = try command.run(
                "replay", "a.ndjson", "--by-device", "--only-device", "ana", "--removals", "-q",
                "--max-rejects", "1")
            #expect(result.output.contains(group.output.split(separator: "\n")[0]))
        }
    }

    @Test func theTextHasTheScreen() throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            let result = try command.run(
                "explain", "a.ndjson", "--device", "ana", "--app", "com.example.mail", "-q")
            let screen = """
                com.example.mail, thread a: 2 notifications
                  Two
                      a.ndjson:3
                  One
                      a.ndjson:1
                  1 more notification
                """
            #expect(result.output.contains(screen), "\(result.output)")
            #expect(!result.output.contains("Not hers"))
        }
    }

    @Test func anIdFindsThePerson() throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            let result = try command.run("explain", "a.ndjson", "--id", "c1", "--format", "ndjson", "-q")
            #expect(try causes(result.output) == ["9 rejected", "4 replaced by 5", "5 shown"])
            #expect(
                try causes(
                    try command.run(
                        "explain", "a.ndjson", "--id", "x", "--at", "2026-01-05T00:00:03Z", "--format",
                        "ndjson", "-q"
                    ).output) == ["9 rejected", "4 shown", "5 outside"])
        }
    }

    static let failures = [
        FailingCommand(
            "nobody", "explain a.ndjson", 64,
            "whose screen? Give --device, or --id to find the person by a push"),
        FailingCommand(
            "an unknown id", "explain a.ndjson --id none", 64, "no push has the id or collapse id 'none'"),
        FailingCommand(
            "an id of several people", "explain b.ndjson --id 1", 64,
            "pushes with the id '1' are for several devices: give --device with one of them: ana, ben"),
        FailingCommand("an empty device", "explain a.ndjson --device=", 64, "--device= has no value"),
        FailingCommand(
            "another format", "explain a.ndjson --device ana -o e.html", 64,
            "-o e.html: an explanation is written as text or NDJSON: name it x.txt or x.ndjson"),
        FailingCommand(
            "a foreign format", "explain a.ndjson --device ana -o e.parquet", 64,
            "-o e.parquet: an explanation is not written as Parquet: name it x.txt or x.ndjson"),
        FailingCommand(
            "a missing source", "explain none --device ana", 66, "none: no such file or directory"),
        FailingCommand(
            "not a time", "explain a.ndjson --device ana --at noon", 64, "'noon' is invalid for '--at"),
    ]

    @Test(arguments: failures) func mistakesAreUsageErrors(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            try command.write(
                """
                {"app":"a","device":"ana","id":"1","aps":{"alert":"x"}}
                {"app":"a","device":"ben","id":"1","aps":{"alert":"x"}}

                """, to: "b.ndjson")
            try command.expect(failure)
        }
    }

    @Test func aPersonWithoutRecordsHasAWarning() throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            let result = try command.run("explain", "a.ndjson", "--device", "cleo")
            #expect(result.errors.contains("warning: no record is for the device 'cleo'"))
        }
    }
}
