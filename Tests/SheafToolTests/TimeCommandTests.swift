import Foundation
import TestSupport
import Testing

/// Times in text: `--now`, and `--until` without it.
@Suite struct TimeCommandTests {
    /// Notifications 30 seconds, 4 hours, a day and four days before 18:00 on 8 January 2026, UTC.
    private static let log = [
        ("chat", "2026-01-08T17:59:30Z"), ("mail", "2026-01-08T14:00:00Z"), ("news", "2026-01-07T17:41:00Z"),
        ("photos", "2026-01-04T23:30:00Z"), ("podcasts", "2025-12-31T23:30:00Z"),
    ].map { app, time in
        #"{"ts":"\#(time)","app":"\#(app)","payload":{"aps":{"alert":"b"}}}"# + "\n"
    }.joined()

    private static let untimed = #"{"app":"old","payload":{"aps":{"alert":"b"}}}"# + "\n"

    /// Weeks end on Sundays at midnight, in partial results, too, which are not merged with those of seven days.
    @Test func weeksBeginOnMonday() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            let result = try command.shell(
                """
                set -e; s=$SHEAF
                $s replay log --every 1w -q -o whole
                $s replay log --every 1w -q --partial part && $s merge part -q -o merged && cmp whole merged
                $s partial inspect part
                $s replay log --every 7d -q --partial days
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains(#""every":604800000,"weeks":true"#), "\(result.output)")
            let instants = try command.read("whole").split(separator: "\n").map { $0.prefix { $0 != "," } }
            // Monday 5 January 2026, and the newest record.
            #expect(
                instants == [
                    #"{"at":1767571200000"#, #"{"at":1767571200000"#, #"{"at":1767895170000"#,
                    #"{"at":1767895170000"#,
                    #"{"at":1767895170000"#,
                ])
            let refused = try command.run("merge", "part", "days", "-o", "x")
            #expect(refused.status == 64)
            #expect(
                refused.errors.contains(
                    "--every 604800000ms from Mondays on a clock that differs from UTC by 0 minutes"),
                "\(refused.errors)")
        }
    }

    @Test(arguments: ["0w", "-1w", "1.5w", "w", "200000w", "1 w"]) func otherWeeksAreRefused(_ text: String)
        throws
    {
        try withFolder { command in
            let result = try command.run("replay", "log", "--every", text)
            #expect(result.status == 64 && result.errors.contains("--every"), "\(result.errors)")
        }
    }

    /// A command, and the lines with names.
    typealias Case = Example<String, [String]>

    @Test(arguments: [
        Case(
            "replay log --now 2026-01-08T18:00:00Z",
            [
                "chat  now", "mail  4h ago", "news  Yesterday, 5:41 PM", "photos  Sunday, 11:30 PM",
                "podcasts  December 31, 2025", "old",
            ]),
        Case(
            "replay log --now 2026-01-08T20:00:00+02:00",
            [
                "chat  now", "mail  4h ago", "news  Yesterday, 7:41 PM", "photos  Monday, 1:30 AM",
                "podcasts  January 1", "old",
            ]),
        Case(
            "replay log --now 1767895200000 --locale de",
            [
                "chat  jetzt", "mail  vor 4 Std.", "news  Gestern, 17:41", "photos  Sonntag, 23:30",
                "podcasts  31. Dezember 2025", "old",
            ]),
        Case(
            "replay log --until 2026-01-07T20:00:00+02:00",
            [
                "news  19m ago", "photos  Monday, 1:30 AM", "podcasts  Thursday, 1:30 AM", "old",
            ]),
        Case(
            "replay log --until 2026-01-07T20:00:00+02:00 --now 2026-01-08T18:00:00Z",
            ["news  Yesterday, 5:41 PM", "photos  Sunday, 11:30 PM", "podcasts  December 31, 2025", "old"]),
        Case(
            "replay log --now 2026-01-07T17:30:00Z",
            [
                "chat  January 8", "mail  January 8", "news  5:41 PM", "photos  Sunday, 11:30 PM",
                "podcasts  December 31, 2025", "old",
            ]),
        Case("replay log --since 2026-01-08T15:00:00Z", ["chat", "old"]),
        Case("replay log --since 2026-01-08T16:00:00 --time-zone Europe/Berlin", ["chat", "old"]),
        Case(
            "replay log --now 2026-01-08T18:00:00Z --since 2026-01-07 --time-zone America/New_York",
            ["chat  now", "mail  4h ago", "news  Yesterday, 12:41 PM", "old"]),
        Case("replay log", ["chat", "mail", "news", "photos", "podcasts", "old"]),
        Case("replay log --now 1767895200000 --locked --since 2026-01-08T15:00:00Z", ["chat  now", "old"]),
        Case(
            "merge part --now 2026-01-08T18:00:00Z",
            ["news  Yesterday, 5:41 PM", "photos  Sunday, 11:30 PM", "podcasts  December 31, 2025", "old"]),
        // A partial result has the instant, but no offset.
        Case(
            "merge part",
            ["news  19m ago", "photos  Sunday, 11:30 PM", "podcasts  December 31, 2025", "old"]),
        Case("merge all", ["chat", "mail", "news", "photos", "podcasts", "old"]),
    ])
    func timesAreRelativeToTheClock(_ item: Case) throws {
        try withFolder { command in
            try command.write(Self.log + Self.untimed, to: "log")
            #expect(try command.run("replay", "log", "--partial", "all", "-q").status == 0)
            #expect(
                try command.run(
                    "replay", "log", "--partial", "part", "--until", "2026-01-07T20:00:00+02:00", "-q"
                )
                .status == 0)
            let line = item.input + " --format text -q"
            let result = try command.run(line.split(separator: " ").map(String.init))
            #expect(result.status == 0, "\(result.errors)")
            let names = result.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("  ") }
            #expect(names == item.expected)
        }
    }

    /// A partial result has the clock by which its intervals are counted, and texts of the merge follow it.
    @Test(arguments: ["", "--offset +02:00", "--time-zone Europe/Berlin", "--time-zone America/New_York"])
    func mergedTimesAreThoseOfTheReplay(_ clock: String) throws {
        try withFolder { command in
            try command.write(Self.log + Self.untimed, to: "log")
            func output(_ line: String) throws -> String {
                let result = try command.run(line.split(separator: " ").map(String.init))
                #expect(result.status == 0, "\(result.errors)")
                return result.output
            }
            _ = try output("replay log --every 1d \(clock) --partial part -q")
            let replayed = try output("replay log --every 1d \(clock) --format text -q")
            #expect(replayed.contains("Yesterday"))
            #expect(try output("merge part --format text -q") == replayed)
        }
    }

    static let failures = [
        FailingCommand(
            "a format without times", "replay log --now 0 --format ndjson", 64,
            "--now has no effect on a snapshot in ndjson: times are only in text, which --format text writes"),
        FailingCommand("the default format", "replay log --now 0", 64, "on a snapshot in ndjson"),
        FailingCommand("a name's format", "merge part --now 0 -o out.csv", 64, "on a snapshot in csv"),
        FailingCommand(
            "state", "replay log --now 0 --partial p", 64,
            "--partial writes state, which --now does not affect"),
        FailingCommand(
            "merged state", "merge part --now 0 --partial p", 64,
            "--partial writes state, which --now does not affect"),
        FailingCommand(
            "no date", "replay log --now 2026-01-32 --format text", 64,
            "a time is a date, with or without a time of day"),
    ]

    @Test(arguments: failures) func clocksWithoutEffectAreRefused(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            #expect(try command.run("replay", "log", "--partial", "part", "-q").status == 0)
            try command.expect(failure)
        }
    }

    @Test func aNameSelectsTextForTheClock() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            #expect(
                try command.run("replay", "log", "--now", "1767895200000", "-o", "out.txt", "-q").status == 0)
            #expect(try command.read("out.txt").hasPrefix("chat  now\n"))
        }
    }

    #if os(Linux)
    @Test(arguments: [
        (60, "news                                      Yesterday, 5:41 PM"),
        (20, "news  Yesterday, 5:…"), (12, "news"),
    ])
    func timesAreAtTheEndOfALineOnATerminal(_ columns: Int, _ line: String) throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            let text = try command.onTerminal(
                "NO_COLOR=1 $SHEAF replay log --now 2026-01-08T18:00:00Z -q", rows: 100, columns: columns)
            #expect(text.contains("\n\(line)\n"), "\(text)")
        }
    }

    @Test func timesAreFaintOnATerminal() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            let text = try command.onTerminal(
                "unset NO_COLOR; $SHEAF replay log --now 2026-01-08T18:00:00Z -q", rows: 100, columns: 20)
            #expect(
                text.hasPrefix("\u{1b}[1;36mchat\u{1b}[0m             \u{1b}[2mnow\u{1b}[0m\n"), "\(text)")
        }
    }
    #endif
}
