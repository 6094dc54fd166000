import Foundation
import TestSupport
import Testing

/// Snapshots that the command writes while it reads (specification §14).
@Suite struct LiveCommandTests {
    private static func line(_ time: Int, _ body: String = "x") -> String {
        "{\"app\":\"com.example.a\",\"ts\":\(time),\"aps\":{\"alert\":\"\(body)\"}}\n"
    }

    /// Reads whole lines from a pipe until there are `count`.
    private static func lines(_ count: Int, of pipe: Pipe) -> [String] {
        var data = Data()
        while data.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { break }
            data += more
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// A pipe that pauses: each snapshot is there before the next records are written.
    @Test(arguments: ["1", "2"]) func aSnapshotIsWrittenBeforeThePipeGoesOn(_ threads: String) throws {
        try withFolder { command in
            let input = Pipe()
            let process = try command.start(
                ["replay", "-", "--every", "10s", "--lateness", "2s", "--threads", threads, "-q"],
                input: input)
            let output = try #require(process.standardOutput as? Pipe)
            for round in 1...5 {
                let time = 10 * round
                input.fileHandleForWriting.write(Data((Self.line(time - 1) + Self.line(time + 3)).utf8))
                let found = Self.lines(1, of: output)
                #expect(found.count == 1)
                #expect(found.first?.hasPrefix("{\"at\":\(time)000,") == true)
                // That of the last round's second record, too.
                #expect(found.first?.contains("\"count\":\(2 * round - 1),") == true)
            }
            input.fileHandleForWriting.closeFile()
            let rest = Command.finish(process)
            #expect(rest.status == 0)
            #expect(rest.output.hasPrefix("{\"at\":53000,"))
        }
    }

    /// A pipe that is silent: the snapshots of what has arrived are written while it is open.
    @Test(arguments: ["1", "2"]) func aSnapshotIsWrittenWhileAPipeIsSilent(_ threads: String) throws {
        try withFolder { command in
            let input = Pipe()
            let process = try command.start(
                [
                    "replay", "-", "--every", "1s", "--lateness", "1s", "--idle", "10ms", "--threads",
                    threads,
                    "-q",
                ], input: input)
            let output = try #require(process.standardOutput as? Pipe)
            for round in 1...2 {
                input.fileHandleForWriting.write(Data(Self.line(100 * round).utf8))
                let found = Self.lines(1, of: output)
                #expect(found.first?.hasPrefix("{\"at\":\(round)00000,") == true)
                #expect(found.first?.contains("\"count\":\(round),") == true)
            }
            input.fileHandleForWriting.closeFile()
            let rest = Command.finish(process)
            #expect(rest.status == 0)
            #expect(rest.output == "")
        }
    }

    @Test func theTotalsHaveTheRecordsThatAreAhead() throws {
        try withFolder { command in
            let times = [1_700_000_000, 4_102_444_800, 1_700_000_020, 1_700_000_040]
            try command.write(times.map { Self.line($0) }.joined(), to: "log")
            let result = try command.run(
                "replay", "log", "--every", "10s", "--lateness", "0s", "-o", "out", "--stats", "stats")
            #expect(result.errors.contains(", 0 late, 1 ahead, "))
            #expect(try command.read("stats").contains("\"late\":0,\"ahead\":1,"))
            let far = try command.run(
                "replay", "log", "--every", "10s", "--lateness", "0s", "-o", "out", "--max-ahead", "36500d")
            #expect(far.errors.contains(", 0 late, 0 rejected"))
        }
    }

    /// A reader that has read enough ends the run, although the pipe goes on.
    @Test func aReaderThatLeavesEndsTheRun() throws {
        try withFolder { command in
            let result = try command.shell(
                """
                i=0
                while echo '{"app":"a","ts":'$((1000 + i))',"aps":{"alert":"x"}}'; do i=$((i + 1)); done 2>/dev/null |
                  "$SHEAF" replay - --every 1s --lateness 0s -q | head -3
                """)
            #expect(result.status == 0)
            #expect(result.output.split(separator: "\n").count == 3)
        }
    }

    /// The reader of a file's snapshots leaves while others of its chunks are read and decoded.
    @Test(arguments: ["1", "2", "4"]) func aReaderMayLeaveWhileAFileIsRead(_ threads: String) throws {
        try withFolder { command in
            try command.write((0..<20_000).map { Self.line(1_000 + $0) }.joined(), to: "log")
            let result = try command.shell(
                """
                "$SHEAF" replay log --every 1s --lateness 10s --threads \(threads) --chunk-size 4k --rejects r --stats s |
                  head -1; echo "${PIPESTATUS[0]}"
                """)
            #expect(result.output.split(separator: "\n").count == 2)
            #expect(result.output.hasSuffix("\n0\n"))
            #expect(result.errors == "")
            #expect(try command.read("s").contains("\"late\":0,"))
        }
    }

    /// An interrupt leaves what was complete, with the end that the format has.
    @Test(arguments: [("ndjson", "}\n"), ("json", "}\n]\n")])
    func anInterruptKeepsTheSnapshotsInAFile(_ format: String, _ end: String) throws {
        try withFolder { command in
            let input = Pipe()
            let process = try command.start(
                [
                    "replay", "-", "--every", "10s", "--lateness", "0s", "-o", "out", "--format", format,
                    "--stats", "s",
                ],
                input: input)
            // The first record is dated ahead, and the warning of it tells that the second one was added.
            let lines = [5_000_000_000, 1_000, 1_025, 1_055].map { Self.line($0) }
            input.fileHandleForWriting.write(Data(lines.joined().utf8))
            let errors = try #require(process.standardError as? Pipe)
            #expect(Self.lines(1, of: errors).first?.contains("snapshots do not wait for it") == true)
            process.interrupt()
            let rest = Command.finish(process)
            #expect(rest.status == 130)
            #expect(rest.errors == "sheaf: interrupted; out has the snapshots that were complete\n")
            let text = try command.read("out")
            #expect(text.split(separator: "\n").count { $0.contains("\"at\":1") } == 2)
            #expect(text.hasSuffix(end))
            #expect(throws: (any Error).self) { try command.read("s") }
            input.fileHandleForWriting.closeFile()
        }
    }

    /// A run that fails leaves no files, whatever was open.
    @Test func aRunThatNeedsTooMuchMemoryLeavesNoFiles() throws {
        try withFolder { command in
            let log = (0..<40_000).map { time in
                #"{"ts":\#(1_767_600_000_000 + time),"app":"a","aps":{"alert":"m\#(time)"}}"# + "\n"
            }
            try command.write(log.joined(), to: "log")
            let result = try command.run(
                "replay", "log", "--every", "1ms", "--lateness", "1d", "--memory", "46MiB", "--threads", "1",
                "-o",
                "out", "--stats", "stats", "--rejects", "rejects")
            #expect(result.status == 64)
            #expect(
                result.errors.contains(
                    ": raise --memory, or lower --lateness or --every\n"))
            #expect(try command.names == ["log"])
        }
    }

    @Test func theTotalsHaveTheLateRecords() throws {
        try withFolder { command in
            try command.write([5, 17, 9, 31].map { Self.line($0) }.joined(), to: "log")
            let result = try command.run(
                "replay", "log", "--every", "10s", "--lateness", "0s", "-o", "out", "--stats", "stats")
            #expect(result.errors.contains(", 1 late, "))
            #expect(try command.read("stats").contains("\"late\":1,"))
        }
    }

    /// An hour of records at a pace of a million is over at once, and has the same snapshots.
    @Test func recordsAreReleasedAtTheirPace() throws {
        try withFolder { command in
            try command.write((0..<60).map { Self.line(1_000 + 60 * $0) }.joined(), to: "log")
            let paced = try command.run("replay", "log", "--every", "10m", "--speed", "1e6", "-q")
            let whole = try command.run("replay", "log", "--every", "10m", "-q")
            #expect(paced.status == 0)
            #expect(paced.output == whole.output)
        }
    }

    /// An interrupt does not wait for the pace of the records.
    @Test func anInterruptEndsThePace() throws {
        try withFolder { command in
            try command.write(Self.line(1_000) + Self.line(9_000_000) + Self.line(18_000_000), to: "log")
            let process = try command.start(
                ["replay", "log", "--every", "1s", "--speed", "1", "-q", "--format", "csv"])
            // The header comes before the records.
            let output = try #require(process.standardOutput as? Pipe)
            #expect(Self.lines(1, of: output).first?.hasPrefix("at_ms,app,") == true)
            process.terminate()
            #expect(Command.finish(process).status == 143)
        }
    }

    static let failures = [
        FailingCommand(
            "a lateness without snapshots", "replay a --lateness 1s", 64,
            "--lateness has no effect without several snapshots: give their times with --every"),
        FailingCommand(
            "a speed without snapshots", "replay a --speed 2", 64,
            "--speed has no effect without several snapshots: give their times with --every"),
        FailingCommand(
            "a checkpoint at a pace", "replay a --every 1s --lateness 1s --speed 2 --checkpoint c", 64,
            "--checkpoint can't be given with --speed: a checkpoint would wait for the records that --speed delays"
        ),
        FailingCommand(
            "a partial result", "replay a --every 1s --speed 1 --partial p", 64,
            "--partial can't be given with --speed: a partial result holds state, not snapshots"
        ),
        FailingCommand(
            "a limit without live snapshots", "replay a --every 1s --max-ahead 1s", 64,
            "--max-ahead has no effect without --lateness"),
        FailingCommand(
            "silence without live snapshots", "replay a --every 1s --idle 1s", 64,
            "--idle has no effect without --lateness"),
        FailingCommand(
            "a limit of 0", "replay a --every 1s --lateness 1s --max-ahead 0s", 64,
            "a time is a whole number above 0"),
        FailingCommand(
            "a speed of 0", "replay a --every 1s --speed 0", 64,
            "it must be a number above 0, such as 1, 0.5 or 60"),
        FailingCommand(
            "a negative lateness", "replay a --every 1s --lateness -1s", 64,
            "a time is a whole number above 0"),
    ]

    @Test(arguments: failures) func optionsThatDoNotFitAreRefused(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(Self.line(1), to: "a")
            try command.expect(failure)
        }
    }
}
