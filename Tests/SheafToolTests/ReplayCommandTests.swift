import Foundation
import TestSupport
import Testing

@testable import SheafTool

@Suite struct ReplayCommandTests {
    @Test func writesTheSnapshotAndOneLineOfTotals() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.run("replay", "a.ndjson")
            #expect(result.status == 0)
            #expect(result.output == oneGroup)
            #expect(
                result.errors.hasPrefix("1 record from 1 source, 1 group, 0 silent, 0 updated, 0 rejected, "))
            #expect(result.errors.count { $0 == "\n" } == 1)
        }
    }

    @Test func quietWritesNoTotals() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.run("replay", "a.ndjson", "--quiet")
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
        }
    }

    @Test func readsStandardInputAndFolders() throws {
        try withFolder { command in
            let expected = oneGroup.replacingOccurrences(of: "a.ndjson", with: "-")
            #expect(try command.run("replay", "-", input: oneNotification).output == expected)
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("logs/deep"), withIntermediateDirectories: true)
            try command.write(oneNotification, to: "logs/deep/a.ndjson")
            let fromFolder = oneGroup.replacingOccurrences(of: "a.ndjson", with: "logs/deep/a.ndjson")
            #expect(try command.run("replay", "logs").output == fromFolder)
        }
    }

    @Test func writesOnlyTheNamedOutputs() throws {
        try withFolder { command in
            try command.write(oneNotification + "{bad\n\n", to: "a.ndjson")
            let result = try command.run(
                "replay", "a.ndjson", "-o", "out.ndjson", "--rejects", "bad.ndjson", "--stats", "stats.json")
            #expect(result.status == 65)
            #expect(result.output.isEmpty)
            #expect(
                result.errors.contains(
                    "sheaf: 1 line rejected (1 json.invalid), the first at a.ndjson:2; they are in bad.ndjson"
                ))
            #expect(try command.names == ["a.ndjson", "bad.ndjson", "out.ndjson", "stats.json"])
            #expect(try command.read("out.ndjson") == oneGroup)
            #expect(
                try command.read("bad.ndjson")
                    == #"{"source":"a.ndjson","line":2,"reason":"json.invalid","text":"{bad"}"# + "\n")
            let stats = try command.read("stats.json")
            #expect(stats.hasPrefix(#"{"sources":1,"bytesRead":92,"bytesInflated":92,"lines":3,"blank":1,"#))
            #expect(
                stats.contains(#""rejected":{"total":1,"json.invalid":1},"findings":{},"sourceErrors":[],"#))
        }
    }

    @Test func anAllowedNumberOfRejectsIsNotAFailure() throws {
        try withFolder { command in
            try command.write("{bad\n{worse\n", to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "--max-rejects", "1").status == 65)
            let result = try command.run("replay", "a.ndjson", "--max-rejects", "2")
            #expect(result.status == 0)
            #expect(!result.errors.contains("sheaf:"))
        }
    }

    @Test func compressesAnOutputNamedGz() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "-o", "out.ndjson.gz").status == 0)
            #expect(try command.shell("gzip -dc out.ndjson.gz").output == oneGroup)
        }
    }

    @Test func aDeviceIsNotReplacedByAFile() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "-o", "/dev/null").status == 0)
            #expect(try command.shell("test -c /dev/null").status == 0)
        }
    }

    @Test func aClosedPipeEndsItQuietly() throws {
        try withFolder { command in
            let line = """
                "$SHEAF" generate --records 5000 --seed 3 --thread-ids 5000 \
                | "$SHEAF" replay - --threads 2 | head -c 10; echo " ${PIPESTATUS[@]}"
                """
            let result = try command.shell(line)
            #expect(result.output == #"{"app":"co 0 0 0"# + "\n")
            #expect(result.errors.isEmpty)
        }
    }

    @Test(arguments: interruptions)
    func aSignalEndsItWithoutLeavingFiles(signal: Int32, status: Int32) throws {
        let arguments = ["replay", "-", "-o", "out.ndjson", "--rejects", "bad.ndjson"]
        try expectInterruption(of: arguments, by: signal, status: status)
    }

    /// A command can't end in an orderly way while it writes to a full pipe.
    @Test func theThirdSignalEndsItAtOnce() throws {
        try withFolder { command in
            let lines = (0..<2000).map { #"{"app":"a","aps":{"alert":"b","thread-id":"\#($0)"}}"# + "\n" }
            try command.write(lines.joined(), to: "log.ndjson")
            let process = try command.start(["replay", "log.ndjson"])
            let output = try #require(process.standardOutput as? Pipe).fileHandleForReading
            let errors = try #require(process.standardError as? Pipe).fileHandleForReading
            // The snapshot is one write, which is longer than a pipe: it has begun and can't end.
            #expect(output.readData(ofLength: 1).count == 1)
            // Pending signals with the same number would be one signal.
            kill(process.processIdentifier, SIGINT)
            kill(process.processIdentifier, SIGTERM)
            let message = try #require(String(data: errors.availableData, encoding: .utf8))
            #expect(message.hasPrefix("sheaf: still stopping; the next interrupt ends the command at once"))
            kill(process.processIdentifier, SIGHUP)
            process.waitUntilExit()
            #expect(process.terminationStatus == 128 + SIGHUP)
        }
    }

    @Test func aCompressionBombIsOneReject() throws {
        try withFolder { command in
            // 256 MiB without a newline in about 256 KiB.
            let bomb = "head -c 268435456 /dev/zero | gzip -c > bomb.gz"
            #expect(try command.shell(bomb).status == 0)
            let result = try command.run(
                "replay", "bomb.gz", "--stats", "stats.json", "--rejects", "bad.ndjson")
            #expect(result.status == 65)
            let stats = try command.read("stats.json")
            #expect(stats.contains(#""lines":1,"blank":0,"linesRead":1,"records":1,"#))
            #expect(stats.contains(#""rejected":{"total":1,"line.too-long":1}"#))
            let peak = try #require(stats.firstMatch(of: /"peakResidentBytes":([0-9]+)/)?.1)
            #expect(try #require(Int(peak)) < 64 << 20)
            let quoted = String(repeating: "\\u0000", count: 1024)
            #expect(
                try command.read("bad.ndjson")
                    == #"{"source":"bomb.gz","line":1,"reason":"line.too-long","text":"\#(quoted)"}"# + "\n")
        }
    }
}
