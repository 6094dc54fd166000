import Foundation
import Testing

@testable import SheafFlow
@testable import SheafTool

/// Each warning is written once, to standard error, with a number and advice.
@Suite struct WarningCommandTests {
    @Test(
        arguments: [
            (
                .repeatedSources(count: 1, first: "./f", original: "f"),
                "./f is the same file as f: its records count twice; give it once"
            ),
            (
                .repeatedSources(count: 2, first: "f", original: "f"),
                "f is given 3 times: its records count 3 times; give it once"
            ),
            (
                .repeatedSources(count: 1200, first: "./f", original: "f"),
                "1,200 sources are duplicates, the first of them ./f, which is the same file as f: their records count "
                    + "more than once; give each file once"
            ),
            (
                .compressedCopies(count: 1, plain: "f", compressed: "f.gz"),
                "f.gz begins with the same text as f: if it is the same log, its records count twice; give only one "
                    + "of them"
            ),
            (
                .compressedCopies(count: 2, plain: "f", compressed: "f.gz"),
                "2 logs seem to be given twice, plain and compressed, the first of them as f and f.gz: their records "
                    + "count twice; give only one of each pair"
            ),
            (
                .sourcesWithoutRecords(first: "logs/a", records: 1, count: 1, of: 3),
                "no record of logs/a is read: its only one is rejected; 'sheaf inputs --detect logs/a' shows how they "
                    + "are understood"
            ),
            (
                .sourcesWithoutRecords(first: "logs/a", records: 1_200, count: 2, of: 30),
                "no record of 2 of 30 sources is read, such as logs/a: all of its 1,200 are rejected; 'sheaf inputs "
                    + "--detect logs/a' shows how they are understood"
            ),
            (
                .settingsIgnored(1),
                "1 change of settings was not applied: with --delivery, settings apply to later notifications"
            ),
            (
                .settingsIgnored(1_200),
                "1,200 changes of settings were not applied: with --delivery, settings apply to later "
                    + "notifications"
            ),
            (
                .appsStayOpen(1),
                "1 record opens an app, but none has the event app-closed: later notifications of these apps have no "
                    + "banner and no sound, unless the configuration has \"foreground\": true"
            ),
            (
                .appsStayOpen(1_200),
                "1,200 records open an app, but none has the event app-closed: later notifications of these apps have "
                    + "no banner and no sound, unless the configuration has \"foreground\": true"
            ),
            (
                .otherResponses(1_200, of: 1_000_000),
                "1,200 of 1,000,000 responses are counted only as 'others': at most 1,024 combinations of app, "
                    + "category and action are listed"
            ),
            (
                .badgesTruncated,
                "the statistics list the newest badges of only 4,096 apps, or devices and apps: the first in byte "
                    + "order"
            ),
            (
                .outliers(
                    .init(
                        earlier: 0, later: 1, records: 5_000, start: 1_700_000_000_000,
                        end: 1_700_100_000_000,
                        oldest: .init(source: "a", line: 1, timestamp: 1_700_000_000_000),
                        newest: .init(source: "b", line: 7, timestamp: 4_102_444_800_000))),
                "1 of 5,000 records is dated so far from the others that most of the time of the snapshots is due to it: "
                    + "the newest is b:7 of 2100-01-01T00:00:00Z; --until 2023-11-16T02:00:00Z leaves it out"
            ),
            (
                .outliers(
                    .init(
                        earlier: 1, later: 2, records: 5_000, start: 1_700_000_000_000,
                        end: 1_700_100_000_000,
                        oldest: .init(source: "a", line: 1, timestamp: 5_000),
                        newest: .init(source: "b", line: 7, timestamp: 4_102_444_800_000))),
                "3 of 5,000 records are dated so far from the others that most of the time of the snapshots is due to "
                    + "them: the oldest is a:1 of 1970-01-01T00:00:05Z, the newest is b:7 of 2100-01-01T00:00:00Z; "
                    + "--since 2023-11-14T22:13:20Z --until 2023-11-16T02:00:00Z leave them out"
            ),
            (
                .unchangedSnapshots(648_563, start: 1_700_000_000_000, end: 4_102_444_800_000),
                "648,563 snapshots of all groups repeat the previous snapshot, because no record is dated from "
                    + "2023-11-14T22:13:20Z to 2100-01-01T00:00:00Z: --since and --until leave out records with a wrong time, "
                    + "and without --emit all no snapshot is repeated"
            ),
            (
                .unmatchedApps([.init(app: "a", nearest: nil)]),
                "an app in the configuration matches no record: a"
            ),
            (
                .unmatchedApps([.init(app: "a", nearest: "A"), .init(app: "b", nearest: nil)]),
                "apps in the configuration match no record: a (did you mean A?) and b"
            ),
            (
                .unmatchedApps((0..<5).map { .init(app: "a\($0)", nearest: nil) }),
                "apps in the configuration match no record: a0, a1, a2 and 2 more"
            ),
            (
                .untimed(4_900, of: 5_000),
                "4,900 of 5,000 records have no timestamp and count as older than all others; the time is read from "
                    + "fields such as 'timestamp', 'ts' and 'time'"
            ),
            (
                .sharedGroups(devices: 2, isExact: true),
                "the log names 2 devices, and notifications of different devices share groups; --by-device separates "
                    + "them, --no-by-device silences this warning"
            ),
            (
                .sharedGroups(devices: 9_961, isExact: false),
                "the log names about 10,000 devices, and notifications of different devices share groups; --by-device "
                    + "separates them, --no-by-device silences this warning"
            ),
            (
                .sharedGroups(devices: nil, isExact: false),
                "notifications of different devices share groups; --by-device separates them, --no-by-device silences "
                    + "this warning"
            ),
        ] as [(ReplayWarning, String)])
    func textHasNumbersAndAdvice(_ warning: ReplayWarning, _ text: String) {
        #expect(warning.text == text)
    }

    private static func line(_ device: String) -> String {
        #"{"app":"com.example.a","device":"\#(device)","timestamp":1,"payload":{"aps":{"alert":"x"}}}"# + "\n"
    }

    @Test func warningsChangeNeitherResultNorStatus() throws {
        try withFolder { command in
            try command.write(Self.line("d") + Self.line("e"), to: "f")
            try command.write(#"{"apps":{"com.other.news":{}}}"#, to: "config.json")
            let result = try command.run("replay", "f", "./f", "--config", "config.json")
            #expect(result.status == 0)
            #expect(result.output.count { $0 == "\n" } == 1)
            let lines = result.errors.split(separator: "\n").dropFirst()
            #expect(
                lines == [
                    "sheaf: warning: ./f is the same file as f: its records count twice; give it once",
                    "sheaf: warning: an app in the configuration matches no record: com.other.news",
                    "sheaf: warning: the log names 2 devices, and notifications of different devices share groups; "
                        + "--by-device separates them, --no-by-device silences this warning",
                ])
            let together = try command.run("replay", "f", "./f", "--config", "config.json", "--no-by-device")
            #expect(together.errors.split(separator: "\n").dropFirst() == lines.dropLast())
            #expect(together.output == result.output)
            let quiet = try command.run("replay", "f", "./f", "--config", "config.json", "-q")
            #expect(quiet.errors.isEmpty)
            #expect(quiet.output == result.output)
        }
    }

    @Test func standardInputIsASourceToo() throws {
        try withFolder { command in
            try command.write(Self.line("d"), to: "f")
            for sources in ["f -", "- f"] {
                let result = try command.shell(#""$SHEAF" replay \#(sources) -o /dev/null < f"#)
                #expect(result.status == 0)
                #expect(result.errors.contains("is the same file as"), "\(sources)")
            }
            let piped = try command.shell(#"cat f | "$SHEAF" replay f - -o /dev/null"#)
            #expect(!piped.errors.contains("is the same file as"))
        }
    }

    @Test func linksAreTheSameFile() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "f")
            #expect(try command.shell("mkdir d; ln f d/hard; ln -s ../f d/soft; mv f d/f").status == 0)
            #expect(try command.shell("ln -sf f d/soft").status == 0)
            for name in ["replay", "check"] {
                let errors = try command.run(name, "d").errors
                #expect(
                    errors.contains(
                        "sheaf: warning: 2 sources are duplicates, the first of them d/hard, which is the same file as "
                            + "d/f"
                    ),
                    "\(errors)")
            }
            #expect(try !command.run("check", "d", "-q").errors.contains("warning"))
        }
    }

    @Test func aCompressedCopyInTheSameFolderIsReported() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log.ndjson")
            #expect(try command.shell("gzip -k log.ndjson").status == 0)
            let result = try command.run("replay", ".")
            #expect(result.status == 0)
            #expect(
                result.errors.contains(
                    "sheaf: warning: ./log.ndjson.gz begins with the same text as ./log.ndjson: "))
        }
    }
}
