import Foundation
import Testing

@testable import SheafTool

/// A replay with a checkpoint resumes, however it was ended.
@Suite(.serialized) struct CheckpointCommandTests {
    /// Generates a log that takes many checkpoints to replay, so that the command is still running when it is killed.
    private static func withLog(_ body: (Command) throws -> Void) throws {
        try withFolder { command in
            let log = try command.run(
                "generate", "--records", "40000", "--seed", "7", "--files", "2", "-o", "push.ndjson.gz")
            #expect(log.status == 0)
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("logs"), withIntermediateDirectories: false)
            #expect(try command.shell("mv push-*.gz logs/").status == 0)
            try body(command)
        }
    }

    /// A replay that writes one checkpoint after another, reading small chunks.
    private static let arguments = [
        "replay", "logs", "-q", "-o", "out.ndjson", "--rejects", "bad.ndjson", "--stats", "stats.json",
        "--checkpoint", "check", "--checkpoint-interval", "1ms", "--chunk-size", "4KiB", "--threads", "2",
    ]

    /// The number of the newest checkpoint.
    private static func checkpoint(_ command: Command) -> Int? {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: command.folder.path + "/check")) ?? []
        return names.compactMap { name in
            name.hasPrefix("checkpoint-") ? Int(name.dropFirst("checkpoint-".count)) : nil
        }.max()
    }

    /// Starts the command and waits for the checkpoint of this number or a later one.
    ///
    /// - Returns: nil if the command ended before that.
    private static func start(_ command: Command, upTo number: Int) throws -> Process? {
        let process = try command.start(arguments)
        let end = Date(timeIntervalSinceNow: 60)
        while checkpoint(command) ?? 0 < number {
            if !process.isRunning { return nil }
            try #require(Date.now < end, "there is no checkpoint \(number)")
            sched_yield()
        }
        return process
    }

    /// Resumes the command with different threads and chunks, and expects the results of an uninterrupted run.
    private static func checkResumed(_ command: Command) throws {
        let whole = try command.run(
            "replay", "logs", "-q", "-o", "expected.ndjson", "--stats", "expected.json")
        #expect(whole.status == 0)
        let others = ["--threads", "3", "--chunk-size", "100KiB", "--checkpoint-interval", "1h"]
        let result = try command.run(arguments.dropLast(6).filter { $0 != "-q" } + others)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains(/^sheaf: resumed at \d+ % of \d+\.\d MB\n/), "\(result.errors)")
        #expect(try command.read("out.ndjson") == command.read("expected.ndjson"))
        #expect(try command.read("bad.ndjson").isEmpty)
        #expect(try Self.counts(command.read("stats.json")) == Self.counts(command.read("expected.json")))
        #expect(
            try command.names == [
                "bad.ndjson", "check", "expected.json", "expected.ndjson", "logs", "out.ndjson", "stats.json",
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: command.folder.path + "/check") == [])
    }

    private static func counts(_ statistics: String) -> String {
        statistics.replacing(#/"(spilledBytes|peakResidentBytes|seconds)":[0-9.]+/#) { "\"\($0.1)\":0" }
    }

    @Test(arguments: interruptions + [(SIGXCPU, 152)])
    func aSignalEndsItAfterACheckpoint(signal: Int32, status: Int32) throws {
        try Self.withLog { command in
            let process = try #require(try Self.start(command, upTo: 1))
            kill(process.processIdentifier, signal)
            let result = Command.finish(process)
            #expect(result.status == status)
            #expect(
                result.errors
                    == "sheaf: interrupted; run the same command again to resume from the checkpoint in 'check'\n"
            )
            #expect(Self.checkpoint(command) ?? 0 > 0)
            #expect(try command.names == ["check", "logs"])
            try Self.checkResumed(command)
        }
    }

    @Test func resumesAfterRepeatedKills() throws {
        try Self.withLog { command in
            var kills = 0
            for step in [1, 1, 2, 3] {
                let number = (Self.checkpoint(command) ?? 0) + step
                guard let process = try Self.start(command, upTo: number) else { break }
                kill(process.processIdentifier, SIGKILL)
                _ = Command.finish(process)
                try #require(process.terminationReason == .uncaughtSignal, "it ended before it was killed")
                kills += 1
            }
            #expect(kills > 1)
            try Self.checkResumed(command)
        }
    }

    @Test func aChangedSourceIsRefused() throws {
        try Self.withLog { command in
            let process = try #require(try Self.start(command, upTo: 1))
            kill(process.processIdentifier, SIGKILL)
            _ = Command.finish(process)
            #expect(try command.shell("printf x >> logs/push-2.ndjson.gz").status == 0)
            let result = try command.run(Self.arguments)
            #expect(result.status == 66)
            #expect(
                result.errors.hasPrefix(
                    "sheaf: logs/push-2.ndjson.gz: changed since the checkpoint in 'check': it had "))
            #expect(try !command.names.contains("out.ndjson"))
        }
    }

    @Test func differentOptionsAreRefused() throws {
        try Self.withLog { command in
            let process = try #require(try Self.start(command, upTo: 1))
            kill(process.processIdentifier, SIGKILL)
            _ = Command.finish(process)
            let result = try command.run(Self.arguments + ["--by-device"])
            #expect(result.status == 64)
            #expect(
                result.errors.contains(
                    "the checkpoint in 'check' belongs to another run: --by-device differs"))
        }
    }

    @Test func aConcurrentRunIsRefused() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.shell("mkfifo pipe").status == 0)
            // It blocks until its snapshot is read.
            let first = try command.start(["replay", "a.ndjson", "-o", "pipe", "--checkpoint", "check"])
            let end = Date(timeIntervalSinceNow: 60)
            while !FileManager.default.fileExists(atPath: command.folder.path + "/check/checkpoint.lock") {
                try #require(Date.now < end, "the first run does not start")
                sched_yield()
            }
            let result = try command.run("replay", "a.ndjson", "-o", "out", "--checkpoint", "check")
            #expect(result.status == 75)
            #expect(result.errors == Self.inUse)
            #expect(try command.shell("cat pipe").output == oneGroup)
            #expect(Command.finish(first).status == 0)
        }
    }

    private static let inUse = """
        sheaf: check: another run is using this checkpoint folder; try again when it has ended, or use another folder

        """

    /// Any process may hold the lock: here it is the one that runs the tests. The same command works later.
    @Test func aLockedFolderIsATemporaryFailure() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.shell("mkdir check && echo foreign >check/notes").status == 0)
            let arguments = ["replay", "-q", "a.ndjson", "-o", "out", "--checkpoint", "check"]
            do {
                let descriptor = unsafe open(
                    command.folder.path + "/check/checkpoint.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                try #require(descriptor >= 0)
                defer { close(descriptor) }
                try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
                let result = try command.run(arguments)
                #expect(result.status == 75)
                #expect(result.errors == Self.inUse)
                #expect(try command.names == ["a.ndjson", "check"])
            }
            let result = try command.run(arguments)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try command.read("out") == oneGroup)
            #expect(try command.shell("ls -A check").output == "notes\n")
        }
    }

    @Test func standardInputIsRefused() throws {
        try withFolder { command in
            let result = try command.run("replay", "-", "--checkpoint", "check", input: oneNotification)
            #expect(result.status == 64)
            #expect(
                result.errors.contains(
                    "standard input can't be a source with --checkpoint: reading can't resume in the middle")
            )
            #expect(try command.names == [])
        }
    }

    @Test(arguments: ["0", "soon", "-1s"]) func anInvalidIntervalIsRefused(_ interval: String) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.run(
                "replay", "a.ndjson", "--checkpoint", "check", "--checkpoint-interval=\(interval)")
            #expect(result.status == 64)
            #expect(try command.names == ["a.ndjson"])
        }
    }
}
