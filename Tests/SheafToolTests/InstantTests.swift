import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow
@testable import SheafTool

/// The options `--since`, `--until` and `--now`.
@Suite struct InstantTests {
    @Test(
        arguments: [
            ("0", 0), ("-1", -1), ("1700000000", 1_700_000_000), ("1700000000123", 1_700_000_000_123),
            ("2023-11-14T22:13:20Z", 1_700_000_000_000), ("2023-11-14 22:13:20", 1_700_000_000_000),
            ("2023-11-14t23:13:20.5+01:00", 1_700_000_000_500), ("2023-11-14T23:13+01:00", 1_699_999_980_000),
            ("2023-11-14T22:13Z", 1_699_999_980_000), ("2023-11-14T22:13", 1_699_999_980_000),
            ("2023-11-14", 1_699_920_000_000), ("1969-12-31T23:59:59.999Z", -1),
        ] as [(String, Int64)]) func instantsAreRead(_ text: String, _ milliseconds: Int64) throws
    {
        #expect(try Instant.parse(text).milliseconds() == milliseconds)
    }

    @Test(
        arguments: [
            ("0", 0), ("2023-11-14T22:13:20Z", 0), ("2023-11-14T22:13Z", 0), ("2023-11-14 22:13:20 UTC", 0),
            ("2023-11-14T22:13:20+01:00", 60), ("2023-11-14T22:13+01:00", 60),
            ("2023-11-14T22:13:20-09:30", -570), ("2023-11-14T22:13:20+23:59", 1_439),
            ("2023-11-14 22:13:20", nil), ("2023-11-14 22:13", nil), ("2023-11-14", nil),
        ] as [(String, Int?)]) func offsetsAreRead(_ text: String, _ minutes: Int?) throws
    {
        #expect(try Instant.parse(text).offset == minutes)
    }

    /// A time without an offset is on the clock of `--offset`.
    @Test func timesAreOnTheClock() throws {
        let clock = try OptionValue.clockOffset("+02:00")
        #expect(
            try Instant.parse("2023-11-14").milliseconds(on: LocalClock(offset: Int64(clock) * 60_000))
                == 1_699_912_800_000)
        #expect(
            try Instant.parse("2023-11-14T00:00Z").milliseconds(on: LocalClock(offset: Int64(clock) * 60_000))
                == 1_699_920_000_000)
        #expect(
            try Instant.parse("1699920000000").milliseconds(on: LocalClock(offset: Int64(clock) * 60_000))
                == 1_699_920_000_000)
    }

    /// A day is that of the clock at the present, also where it has 23 hours.
    @Test func daysArePastOnes() throws {
        let berlin = try OptionValue.timeZone("Europe/Berlin")
        // 2026-03-29T01:30Z, 03:30 in Berlin, where that day began at 2026-03-28T23:00Z.
        let present: Int64 = 1_774_747_800_000
        for (text, clock, expected) in [
            ("today", LocalClock(offset: 0), 1_774_742_400_000),
            ("yesterday", LocalClock(offset: 0), 1_774_656_000_000),
            ("today", berlin, 1_774_738_800_000), ("yesterday", berlin, 1_774_652_400_000),
            ("today", LocalClock(offset: -2 * 3_600_000), 1_774_663_200_000),
        ] as [(String, LocalClock, Int64)] {
            #expect(try Instant.parse(text).milliseconds(on: clock, present: present) == expected, "\(text)")
        }
    }

    /// The records of yesterday, and no others.
    @Test func recordsOfADayAreSelected() throws {
        try withFolder { command in
            let today = RunClock.system.present() / 86_400_000
            let lines: [String] = [-3, -1, 0].map { (day: Int64) in
                let time = (today + day) * 86_400_000 + 1
                return #"{"app":"a","ts":\#(time),"aps":{"alert":"day \#(day)"}}"# + "\n"
            }
            try command.write(lines.joined(), to: "log")
            let result = try command.run("replay", "log", "--since", "yesterday", "--until", "today", "-q")
            // Unless the day has ended in the meantime.
            guard today == RunClock.system.present() / 86_400_000 else { return }
            #expect(result.status == 0)
            #expect(
                result.output.contains(#""total":1,"#) && result.output.contains("day -1"), "\(result.output)"
            )
        }
    }

    static let failures = [
        FailingCommand(
            "part of a date", "replay log --until 2026-01", 64, "a time is a date, with or without"),
        FailingCommand("seconds with a fraction", "replay log --since 1.5", 64, "a time is a date"),
        FailingCommand("no time", "replay log --since=", 64, "--since= has no value"),
        FailingCommand(
            "a time that does not exist", "replay log --until 2026-02-30T00:00:00Z", 64, "a time is"),
        FailingCommand("too large", "replay log --until 9223372036854775808", 64, "a time is a date"),
        FailingCommand(
            "an empty range", "replay log --since 2 --until 1", 64,
            "--until is before --since: no time is between them"),
    ]

    @Test(arguments: failures) func otherTextsAreRefused(_ failure: FailingCommand) throws {
        try withFolder { try $0.expect(failure) }
    }

    @Test func windowIsReported() throws {
        try withFolder { command in
            let record = #"{"ts":1700000000000,"app":"a","payload":{"aps":{"alert":"x"}}}"#
            try command.write(record + "\n", to: "log")
            let inside = try command.run("replay", "log", "--until", "2023-11-14T22:13:20Z", "-o", "out")
            #expect(inside.status == 0)
            #expect(inside.errors.contains("1 group, 0 silent, 0 updated, 0 earlier, 0 later, 0 rejected"))
            let before = try command.run("replay", "log", "--until", "1699999999999", "-o", "out")
            #expect(before.status == 0)
            #expect(
                before.errors.contains(
                    "warning: no record with a timestamp is between --since and --until: 0 earlier, 1 later"))
            #expect(try command.read("out").isEmpty)
            let none = try command.run("replay", "log", "--since", "1700000000001", "-o", "out")
            #expect(none.errors.contains(": 1 earlier, 0 later"))
        }
    }
}
