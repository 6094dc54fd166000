import Foundation
import TestTags
import Testing

@testable import SheafTool

/// Temporary files of commands that are killed, or that run at the same time.
@Suite(.tags(.extended)) struct KilledCommandTests {
    /// Waits until the names of the folder's files fulfil `condition`.
    private func wait(_ command: Command, until condition: ([String]) -> Bool) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while true {
            let names = try command.names
            if condition(names) { return }
            try #require(Date.now < end, "only \(names) after a minute")
            sched_yield()
        }
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        /// The files that the command leaves if it is not killed.
        let outputs: [String]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "replay",
            arguments: ["replay", "-", "-q", "-o", "out", "--rejects", "bad", "--stats", "stats.gz"],
            outputs: ["bad", "out", "stats.gz"]),
        Case(
            name: "partial result", arguments: ["replay", "-", "-q", "--partial", "part"], outputs: ["part"]),
        Case(name: "check", arguments: ["check", "-", "-q", "-o", "report"], outputs: ["report"]),
    ]

    @Test(arguments: cases) func theNextRunRemovesTheFilesOfAKilledOne(_ item: Case) throws {
        try withFolder { command in
            for _ in 0..<2 {
                let killed = try command.runReading(item.arguments, endedBy: SIGKILL)
                #expect(killed.status == SIGKILL)
                let left = try command.names
                #expect(left.count == item.outputs.count)
                #expect(left.allSatisfy { $0.hasPrefix(".") && $0.hasSuffix(".tmp") })
            }
            let result = try command.run(item.arguments, input: Data(oneNotification.utf8))
            #expect(result.status == 0, "\(result.errors)")
            #expect(try command.names == item.outputs)
        }
    }

    @Test func theNextRunRemovesSpools() throws {
        try withFolder { command in
            try command.write("{bad\n", to: "b.ndjson")
            let arguments = [
                "replay", "-", "b.ndjson", "-q", "--threads", "2", "-o", "out", "--rejects", "bad",
            ]
            let input = Pipe()
            let process = try command.start(arguments, input: input)
            // A spool exists once the second source has ended and the first has not.
            try wait(command) { $0.contains { $0.hasSuffix(".spool") } }
            kill(process.processIdentifier, SIGKILL)
            _ = Command.finish(process)
            let left = try command.names
            #expect(left.count == 4)
            let result = try command.run(arguments + ["--max-rejects", "1"], input: Data())
            #expect(result.status == 0, "\(result.errors)")
            #expect(try command.names == ["b.ndjson", "bad", "out"])
            withExtendedLifetime(input) {}
        }
    }

    @Test func theNextGenerateRemovesTheFilesOfAKilledOne() throws {
        try withFolder { command in
            let arguments = [
                "generate", "--seed", "1", "-q", "-o", "push.ndjson.gz", "--files", "2", "--records",
            ]
            let process = try command.start(arguments + ["1000000000"])
            try wait(command) { !$0.isEmpty }
            kill(process.processIdentifier, SIGKILL)
            #expect(Command.finish(process).status == SIGKILL)
            let left = try command.names
            #expect(left.count == 1 && left[0].hasPrefix(".push-1.ndjson.gz."))
            #expect(try command.run(arguments + ["10"]).status == 0)
            #expect(try command.names == ["push-1.ndjson.gz", "push-2.ndjson.gz"])
        }
    }

    /// Each run has temporary files of its own, and the outputs are those of the run that ends last.
    @Test(arguments: cases) func concurrentRunsMayHaveTheSameOutputs(_ item: Case) throws {
        try withFolder { command in
            let input = Pipe()
            let first = try command.start(item.arguments, input: input)
            try wait(command) { $0.count == item.outputs.count }
            let second = try command.run(item.arguments, input: Data(oneNotification.utf8))
            #expect(second.status == 0, "\(second.errors)")
            let names = try command.names
            #expect(names.count == 2 * item.outputs.count, "the first run's temporary files are kept")
            let result = command.folder.appendingPathComponent(item.outputs.first ?? "")
            let before =
                try FileManager.default.attributesOfItem(atPath: result.path)[.systemFileNumber] as? Int
            input.fileHandleForWriting.closeFile()
            #expect(Command.finish(first).status == 0)
            #expect(try command.names == item.outputs)
            let after =
                try FileManager.default.attributesOfItem(atPath: result.path)[.systemFileNumber] as? Int
            #expect(after != before, "the first run ended last")
        }
    }

    @Test func filesOfAKilledRunAreNotSources() throws {
        try withFolder { command in
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("logs"), withIntermediateDirectories: false)
            try command.write(oneNotification, to: "logs/a.ndjson")
            let killed = try command.runReading(["replay", "-", "-q", "-o", "logs/out"], endedBy: SIGKILL)
            #expect(killed.status == SIGKILL)
            let result = try command.run("replay", "logs", "-q", "-o", "out")
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                try command.read("out")
                    == oneGroup.replacingOccurrences(of: "a.ndjson", with: "logs/a.ndjson"))
        }
    }

    /// `nohup` ignores the signal so that a command outlives its terminal.
    @Test func anIgnoredHangupStaysIgnored() throws {
        try withFolder { command in
            let input = Pipe()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c", #"trap "" HUP; exec "$0" "$@""#, Command.url.path, "replay", "-", "-q", "-o", "out",
            ]
            process.currentDirectoryURL = command.folder
            process.standardInput = input
            process.standardOutput = Pipe()
            process.standardError = Pipe()
            try process.run()
            // More than a pipe holds: once it is written, the command is reading.
            input.fileHandleForWriting.write(Data(repeating: UInt8(ascii: "\n"), count: 1 << 20))
            kill(process.processIdentifier, SIGHUP)
            input.fileHandleForWriting.write(Data(oneNotification.utf8))
            input.fileHandleForWriting.closeFile()
            #expect(Command.finish(process).status == 0)
            #expect(try command.read("out").contains(#""count":1"#))
        }
    }
}
