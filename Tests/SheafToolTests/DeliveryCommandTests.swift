import Foundation
import TestSupport
import Testing

/// Delivery with the real command: the option, the configuration, a partial result and its merge.
@Suite struct DeliveryCommandTests {
    private static let log = """
        {"app":"a","ts":1,"aps":{"alert":"x","sound":"s"}}
        {"app":"a","ts":2,"aps":{"alert":"y","interruption-level":"time-sensitive","mutable-content":1}}
        {"event":"settings","app":"a","ts":3,"delivery":"off"}
        {"app":"a","ts":4,"aps":{"alert":"z"}}

        """

    private static func delivery(_ text: String) -> String? {
        text.firstMatch(of: #/"delivery":(\{[^}]*\})/#).map { String($0.1) }
    }

    private static let ios12 =
        #"{"critical":0,"timeSensitive":0,"active":2,"passive":0,"banners":2,"sounds":1,"mutable":0}"#
    private static let ios15 =
        #"{"critical":0,"timeSensitive":1,"active":1,"passive":0,"banners":2,"sounds":1,"mutable":0}"#
    private static let configured =
        #"{"critical":0,"timeSensitive":0,"active":2,"passive":0,"banners":0,"sounds":0,"mutable":1}"#
    private static let config = #"{"apps":{"a":{"delivery":"quiet","serviceExtension":true}}}"#

    @Test func theOptionAndTheConfigurationTrackDelivery() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log.ndjson")
            try command.write(Self.config, to: "config.json")
            let plain = try command.run("replay", "log.ndjson")
            #expect(plain.status == 0)
            #expect(Self.delivery(plain.output) == nil)
            #expect(plain.output.contains("\"count\":3"))
            #expect(plain.errors.contains("warning: 1 change of settings was not applied: with --delivery"))

            let tracked = try command.run("replay", "log.ndjson", "--delivery", "--stats", "stats.json")
            #expect(tracked.status == 0)
            #expect(Self.delivery(tracked.output) == Self.ios12)
            #expect(tracked.output.contains("\"count\":2"))
            #expect(tracked.errors.contains("1 suppressed"))
            #expect(tracked.errors.count { $0 == "\n" } == 2)
            #expect(
                tracked.errors.contains(
                    "warning: 1 notification is time-sensitive or passive, levels that iOS 12"))
            let meant = try command.run("replay", "log.ndjson", "--delivery", "--profile", "ios12")
            #expect(meant.output == tracked.output)
            #expect(!meant.errors.contains("warning"))
            let statistics = try String(
                contentsOf: command.folder.appendingPathComponent("stats.json"), encoding: .utf8)
            #expect(statistics.contains(#""records":4,"grouped":2"#))
            #expect(statistics.contains(#""settings":1,"suppressed":1"#))

            let newer = try command.run("replay", "log.ndjson", "--delivery", "--profile", "ios15", "-q")
            #expect(Self.delivery(newer.output) == Self.ios15)
            let configured = try command.run("replay", "log.ndjson", "--config", "config.json", "-q")
            #expect(Self.delivery(configured.output) == Self.configured)
        }
    }

    @Test func aMergeUsesItsOwnConfiguration() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log.ndjson")
            try command.write(Self.config, to: "config.json")
            for arguments in [
                ["replay", "log.ndjson", "--delivery", "--partial", "with.partial", "-q"],
                ["replay", "log.ndjson", "--partial", "without.partial", "-q"],
            ] {
                #expect(try command.run(arguments).status == 0)
            }
            let merged = try command.run("merge", "with.partial", "-q")
            #expect(Self.delivery(merged.output) == Self.ios12)
            let configured = try command.run("merge", "with.partial", "--config", "config.json", "-q")
            #expect(Self.delivery(configured.output) == Self.configured)
            let newer = try command.run("merge", "with.partial", "--profile", "ios15", "-q")
            #expect(Self.delivery(newer.output) == Self.ios15)

            let mixed = try command.run("merge", "with.partial", "without.partial")
            #expect(mixed.status == 64)
            #expect(
                mixed.errors.contains(
                    "'with.partial' was written with --delivery or a configuration of delivery, "
                        + "'without.partial' without"))
            let late = try command.run("merge", "without.partial", "--config", "config.json")
            #expect(late.status == 64)
            #expect(late.errors.contains("'without.partial' was written without --delivery"))
        }
    }

    @Test func aMistakeInTheConfigurationIsNamed() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log.ndjson")
            try command.write("{\n\"delivery\":\"silent\"}", to: "config.json")
            let result = try command.run("replay", "log.ndjson", "--config", "config.json")
            #expect(result.status == 78)
            #expect(result.errors.hasPrefix("sheaf: config.json:2: delivery: unknown value 'silent', "))
        }
    }
}
