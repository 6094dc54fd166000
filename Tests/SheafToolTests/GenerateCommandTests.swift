import Foundation
import TestSupport
import Testing

@testable import SheafTool

@Suite struct GenerateCommandTests {
    @Test func theSeedDeterminesTheBytes() throws {
        try withFolder { command in
            let first = try command.run("generate", "--records", "50", "--seed", "9").output
            #expect(try command.run("generate", "--records", "50", "--seed", "9").output == first)
            #expect(try command.run("generate", "--records", "50", "--seed", "10").output != first)
            #expect(first.split(separator: "\n").count == 50)
        }
    }

    /// A replay counts the refused pushes, with the reasons of Apple's service.
    @Test func aShareOfPushesIsRefused() throws {
        try withFolder { command in
            _ = try command.run(
                "generate", "--records", "2000", "--seed", "9", "--refused", "0.1", "-o", "log")
            let result = try command.run("replay", "log", "-q", "-o", "/dev/null", "--stats", "/dev/stderr")
            let statistics = try #require(
                try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any])
            let refused = try #require(statistics["refused"] as? [String: Any])
            #expect((150...250).contains(refused["total"] as? Int ?? 0))
            let reasons = try #require(refused["counts"] as? [[String: Any]]).compactMap {
                $0["reason"] as? String
            }
            #expect(Set(reasons).isSuperset(of: ["Unregistered", "BadDeviceToken", "TooManyRequests"]))
            #expect((statistics["rejected"] as? [String: Int]) == ["total": 0])
            let check = try command.run("check", "log")
            #expect(check.output.contains(/\d+ pushes refused by the push service: \d+ Unregistered/))
            #expect(check.status == 0)
            for (share, message) in [("1.5", "from 0 to 1"), ("-0.1", "from 0 to 1"), ("2%", "from 0 to 1")] {
                let mistake = try command.run(
                    "generate", "--records", "1", "--seed", "1", "--refused", share)
                #expect(mistake.status == 64)
                #expect(mistake.errors.contains(message), "\(mistake.errors)")
            }
        }
    }

    @Test func filesConcatenateToTheLog() throws {
        try withFolder { command in
            let whole = try command.run("generate", "--records", "25", "--seed", "9").output
            let result = try command.run(
                "generate", "--records", "25", "--seed", "9", "--files", "10", "-o", "push.ndjson.gz")
            #expect(result.status == 0)
            #expect(result.errors.hasPrefix("25 records, "))
            let names = (1...10).map { "push-\($0 < 10 ? "0" : "")\($0).ndjson.gz" }
            #expect(try command.names == names)
            #expect(try command.shell("cat \(names.joined(separator: " ")) | gzip -dc").output == whole)
        }
    }

    @Test(arguments: [
        ("push.ndjson.gz", 2, ["push-1.ndjson.gz", "push-2.ndjson.gz"]),
        ("a.b/push", 2, ["a.b/push-1", "a.b/push-2"]),
        (".hidden", 2, [".hidden-1", ".hidden-2"]),
        ("push.ndjson", 1, ["push.ndjson"]),
    ])
    func numbersGoBeforeTheFirstDot(path: String, count: Int, expected: [String]) {
        #expect(LogWriter.paths(path, count) == expected)
    }

    @Test func aClosedPipeEndsItQuietly() throws {
        try withFolder { command in
            let line = #""$SHEAF" generate --records 20000 --seed 3 | head -c 2; echo " ${PIPESTATUS[@]}""#
            let result = try command.shell(line)
            #expect(result.output == "{\" 0 0\n")
            #expect(result.errors.isEmpty)
        }
    }

    @Test(arguments: interruptions)
    func aSignalEndsItWithoutLeavingFiles(signal: Int32, status: Int32) throws {
        try withFolder { command in
            let process = try command.start(
                ["generate", "--records", "1000000000", "--seed", "1", "-o", "push.ndjson"])
            // The temporary file appears only after the signal handlers are installed.
            while try command.names.isEmpty {}
            kill(process.processIdentifier, signal)
            #expect(Command.finish(process).status == status)
            #expect(try command.names == [])
        }
    }

    @Test func theOldNameOfThreadIdentifiersStillWorks() throws {
        try withFolder { command in
            let new = try command.run("generate", "--records", "50", "--seed", "9", "--thread-ids", "3")
            let old = try command.run("generate", "--records", "50", "--seed", "9", "--threads", "3")
            #expect(new.status == 0)
            #expect(new.output == old.output)
            #expect(new.output != (try command.run("generate", "--records", "50", "--seed", "9").output))
            #expect(!(try command.run("generate", "--help").output.contains("--threads")))
        }
    }

    @Test func missingFoldersAreCreated() throws {
        try withFolder { command in
            let path = "a/./b/../b/c/push.ndjson"
            let result = try command.run(
                "generate", "--records", "2", "--seed", "9", "--files", "2", "-o", path)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try command.shell("ls a/b/c").output == "push-1.ndjson\npush-2.ndjson\n")
            let absolute = command.folder.path + "/x/y/push.ndjson"
            #expect(try command.run("generate", "--records", "1", "--seed", "9", "-o", absolute).status == 0)
            try command.write("", to: "file")
            let refused = try command.run(
                "generate", "--records", "1", "--seed", "9", "-o", "file/z/push.ndjson")
            #expect(refused.status == 73)
            #expect(refused.errors.contains("Not a directory"), "\(refused.errors)")
        }
    }

    /// The largest shape fits in a small address space.
    @Test func memoryDoesNotGrowWithTheShape() throws {
        try withFolder { command in
            let most = ["--apps", "1000000", "--thread-ids", "10000000", "--devices", "10000000"]
            let result = try command.shell(
                """
                ( ulimit -v 400000; "$SHEAF" generate --records 200 --seed 1 \(most.joined(separator: " ")) ) | wc -l
                """)
            #expect(result.output.trimmingCharacters(in: .whitespaces) == "200\n", "\(result.errors)")
        }
    }

    @Test(arguments: [
        (10, 3, [3, 3, 4]), (Int.max, 2, [Int.max / 2, Int.max / 2 + 1]), (0, 3, [0, 0, 0]), (1, 1, [1]),
    ])
    func fileSizesDifferByAtMostOneRecord(records: Int, files: Int, expected: [Int]) {
        let starts = (0...files).map { LogWriter.recordsBefore(file: $0, of: files, records: records) }
        #expect(zip(starts, starts.dropFirst()).map { $1 - $0 } == expected)
    }
}
