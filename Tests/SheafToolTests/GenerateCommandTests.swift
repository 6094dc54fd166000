import Foundation
import Testing

@testable import SheafTool

@Suite struct GenerateCommandTests {
    @Test func theSameSeedGivesTheSameBytesAndAnotherOneDoesNot() throws {
        try withFolder { command in
            let first = try command.run("generate", "--records", "50", "--seed", "9").output
            #expect(try command.run("generate", "--records", "50", "--seed", "9").output == first)
            #expect(try command.run("generate", "--records", "50", "--seed", "10").output != first)
            #expect(first.split(separator: "\n").count == 50)
        }
    }

    @Test func filesAreTheLogInParts() throws {
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
    func namesFiles(path: String, count: Int, expected: [String]) {
        #expect(LogWriter.paths(path, count) == expected)
    }

    @Test func aReaderThatHasEnoughEndsItQuietly() throws {
        try withFolder { command in
            let line = #""$SHEAF" generate --records 20000 --seed 3 | head -c 2; echo " ${PIPESTATUS[@]}""#
            let result = try command.shell(line)
            #expect(result.output == "{\" 0 0\n")
            #expect(result.errors.isEmpty)
        }
    }

    @Test func aSignalEndsItAndLeavesNothing() throws {
        try withFolder { command in
            let process = try command.start(
                ["generate", "--records", "1000000000", "--seed", "1", "-o", "push.ndjson"])
            // The file that is being written appears once the signals are watched.
            while try command.names.isEmpty {}
            kill(process.processIdentifier, SIGINT)
            #expect(Command.finish(process).status == 130)
            #expect(try command.names == [])
        }
    }
}
