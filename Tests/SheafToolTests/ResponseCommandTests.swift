import Foundation
import TestSupport
import Testing

/// Responses and badges with the real command: statistics, a partial result and its merge, and checks.
@Suite struct ResponseCommandTests {
    private static let log = """
        {"app":"a","device":"d","ts":1,"aps":{"alert":"x","badge":3,"category":"c"}}
        {"event":"response","app":"a","ts":2,"category":"c","action":"REPLY"}
        {"event":"response","app":"a","ts":3,"category":"c","action":"REPLLY"}
        {"app":"a","device":"e","ts":4,"aps":{"badge":1}}

        """

    private static let responses =
        #""responses":{"total":2,"counts":[{"app":"a","category":"c","action":"REPLLY","count":1},"#
        + #"{"app":"a","category":"c","action":"REPLY","count":1}],"others":0}"#

    private static func statistics(_ command: Command) throws -> String {
        try String(contentsOf: command.folder.appendingPathComponent("stats.json"), encoding: .utf8)
    }

    @Test func statisticsHaveResponsesAndBadges() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log.ndjson")
            let run = try command.run("replay", "log.ndjson", "--stats", "stats.json", "-o", "out")
            #expect(run.status == 0)
            #expect(
                run.errors.contains("4 records from 1 source, 1 group, 1 silent, 0 updated, 2 responses, "))
            #expect(!run.errors.contains("warning"))
            let found = try Self.statistics(command)
            #expect(
                found.contains(
                    "\(Self.responses),\"badges\":[{\"app\":\"a\",\"badge\":1,\"timestamp\":4000}],"
                        + "\"badgesTruncated\":false,"))
            let partial = ["replay", "log.ndjson", "--by-device", "--partial", "partial", "-q"]
            #expect(try command.run(partial).status == 0)
            #expect(
                try command.run("merge", "partial", "--stats", "stats.json", "-o", "out", "-q").status == 0)
            let merged = try Self.statistics(command)
            #expect(
                merged.contains(
                    "\(Self.responses),\"badges\":[{\"device\":\"d\",\"app\":\"a\",\"badge\":3,\"timestamp\":1000},"
                        + "{\"device\":\"e\",\"app\":\"a\",\"badge\":1,\"timestamp\":4000}],\"badgesTruncated\":false,"
                ))
        }
    }

    @Test func aCheckNamesActionsThatTheCategoryDoesNotHave() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log.ndjson")
            try command.write(
                #"{"apps":{"a":{"categories":{"c":{"actions":[{"identifier":"REPLY","title":"Reply"}]}}}}}"#,
                to: "config.json")
            let result = try command.run("check", "log.ndjson", "--config", "config.json", "-q")
            #expect(result.status == 0)
            #expect(
                result.output.hasPrefix(
                    """
                    warning  1  action.unknown
                                log.ndjson:3
                                The category of the response does not have its action. First:
                                'REPLLY' of 'c'

                    """))
            try command.write(
                "{\n\"apps\":{\"a\":{\"categories\":{\"c\":{\"actions\":[7]}}}}}", to: "config.json")
            let wrong = try command.run("check", "log.ndjson", "--config", "config.json")
            #expect(wrong.status == 78)
            #expect(
                wrong.errors.hasPrefix(
                    "sheaf: config.json:2: apps.a.categories.c.actions: expected a string, or an object with an"
                ))
        }
    }
}
