import Foundation
import TestTags
import Testing

@testable import SheafTool

/// `sheaf merge`, `--partial`, `--memory` and `--spill-dir` on the command line.
@Suite(.tags(.spilling)) struct MergeCommandTests {
    /// Generates a log in ten files and the partial result of each.
    private func makeParts(_ command: Command, options: String = "") throws {
        let line = """
            mkdir logs parts && "$SHEAF" generate --records 400 --seed 4 --apps 5 --thread-ids 30 --devices 9 \
            --files 10 -o logs/push.ndjson.gz --quiet 2>/dev/null
            for file in logs/*; do
                "$SHEAF" replay $file \(options) --partial parts/$(basename $file .ndjson.gz) --quiet
            done
            """
        #expect(try command.shell(line).status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: command.folder.path + "/parts").count == 10)
    }

    /// Removes the statistics that depend on the machine and on how the work was divided.
    private func comparable(_ statistics: String) -> String {
        statistics.replacing(/"(spilledBytes|peakResidentBytes|seconds)":[0-9.]+,?/, with: "")
    }

    @Test func mergingAtOnceOrAsATreeEqualsOneReplay() throws {
        let options = "--by-device --max-arguments 2"
        try withFolder { command in
            try makeParts(command, options: options)
            let whole = "\"$SHEAF\" replay logs \(options) --sort recent -o whole --stats whole.json --quiet"
            #expect(try command.shell(whole).status == 0)
            let once = try command.run(
                "merge", "parts", "--sort", "recent", "-o", "once", "--stats", "once.json", "--quiet")
            #expect(once.status == 0)
            #expect(once.errors.isEmpty)
            let tree = """
                p=parts/push; s="$SHEAF"
                $s merge $p-01 $p-02 $p-03 --partial left --quiet && $s merge $p-04 $p-05 --partial middle.gz -q &&
                $s merge left middle.gz --partial upper -q && $s merge $p-06 $p-07 $p-08 $p-09 $p-10 --partial lower -q &&
                $s merge upper lower --sort recent -o tree --stats tree.json -q &&
                $s merge upper lower --partial merged -q && $s replay logs \(options) --partial replayed -q
                """
            #expect(try command.shell(tree).status == 0)
            let expected = try command.read("whole")
            #expect(expected.count { $0 == "\n" } > 20)
            #expect(try command.read("once") == expected)
            #expect(try command.read("tree") == expected)
            let statistics = comparable(try command.read("whole.json"))
            #expect(comparable(try command.read("once.json")) == statistics)
            #expect(comparable(try command.read("tree.json")) == statistics)
            #expect(try command.shell("cmp merged replayed").status == 0)
        }
    }

    @Test func writesTheSnapshotAndOneLineOfTotals() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let replay = try command.run("replay", "a.ndjson", "--partial", "a.partial")
            #expect(replay.status == 0)
            #expect(replay.output.isEmpty)
            #expect(
                replay.errors.hasPrefix("1 record from 1 source, 1 group, 0 silent, 0 updated, 0 rejected, "))
            #expect(try command.names == ["a.ndjson", "a.partial"])
            let merge = try command.run("merge", "a.partial")
            #expect(merge.status == 0)
            #expect(merge.output == oneGroup)
            #expect(
                merge.errors.hasPrefix("1 record from 1 source, 1 group, 0 silent, 0 updated, 0 rejected, "))
            #expect(merge.errors.count { $0 == "\n" } == 1)
        }
    }

    /// Rejected lines of all partial results add up, and `--max-rejects` applies to their sum.
    @Test func rejectsAddUp() throws {
        try withFolder { command in
            try command.write(oneNotification + "{bad\n", to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "--partial", "p", "--max-rejects", "1").status == 0)
            let result = try command.run("merge", "p", "p")
            #expect(result.status == 65)
            #expect(
                result.errors.contains("sheaf: 2 lines rejected (2 json.invalid), the first at a.ndjson:2"))
            #expect(result.output.count { $0 == "\n" } == 1)
            #expect(try command.run("merge", "p", "p", "--max-rejects", "2").status == 0)
        }
    }

    @Test func displayOptionsApplyToAMerge() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.write(#"{"showPreviews":"whenAuthenticated"}"#, to: "c.json")
            #expect(try command.run("replay", "a.ndjson", "--partial", "p", "-q").status == 0)
            let arguments = ["--config", "c.json", "--locked", "-q"]
            let merged = try command.run(["merge", "p"] + arguments)
            #expect(merged.output == (try command.run(["replay", "a.ndjson"] + arguments).output))
            #expect(merged.output.contains(#""display":{"title":null,"subtitle":null,"body":"Notification""#))
        }
    }

    /// Spilled state is read back, and no file is left in the folder.
    @Test func spillingChangesNoResult() throws {
        try withFolder { command in
            try makeParts(command)
            let line = """
                mkdir spill && "$SHEAF" replay logs -o plain -q && export SHEAF_SPILL=always &&
                "$SHEAF" replay logs -o spilled --stats s.json --spill-dir spill --memory 256MiB --threads 2 -q &&
                "$SHEAF" merge parts -o merged --spill-dir spill/ --memory 1GiB -q && cmp plain spilled && cmp plain merged
                """
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: command.folder.path + "/spill") == [])
            let spilled = try command.read("s.json").firstMatch(of: /"spilledBytes":([0-9]+)/)?.1
            #expect(Int(spilled ?? "") ?? 0 > 0)
        }
    }

    static let failures = [
        FailingCommand("no partial results", "merge", 64, "Missing expected argument '<PARTIAL> ...'"),
        FailingCommand(
            "a partial result and a snapshot", "replay a.ndjson --partial p -o out", 64,
            "--partial writes state instead of a snapshot: --output can't be given with it"),
        FailingCommand(
            "a partial result and a snapshot of a merge", "merge one --partial p -o out", 64,
            "--partial writes state instead of a snapshot: --output can't be given with it"),
        FailingCommand(
            "too little memory", "replay a.ndjson --memory 1MiB --threads 1", 64,
            "sheaf: 1 MiB of memory is too little: 1 thread and lines of up to 1 MiB need at least "
        ),
        FailingCommand(
            "too little memory for a merge", "merge one --memory 100KiB", 64,
            "100 KiB of memory is too little"),
        FailingCommand(
            "memory without a unit", "merge one --memory 512", 64,
            "512 bytes of memory is too little: "),
        FailingCommand("not a size", "merge one --memory much", 64, "'much' is invalid for '--memory"),
        FailingCommand(
            "missing folder for spilled state", "replay a.ndjson --spill-dir none", 64,
            "sheaf: the folder for spilled state, 'none', does not exist or is not a directory"),
        FailingCommand(
            "standard input", "merge -", 64,
            "sheaf: '-' is not a regular file: partial results are read more than once"),
        FailingCommand(
            "different options", "merge one devices", 64,
            "sheaf: 'devices' and 'one' can't be merged: they were written with different --by-device settings"
        ),
        FailingCommand(
            "different grouping", "merge one --config off.json", 64,
            "sheaf: the configuration groups 'com.example.a' as 'off', but 'one' was written with 'automatic'"
        ),
        FailingCommand(
            "the snapshot over a partial result", "merge one -o one", 64,
            "sheaf: 'one' is a source: the snapshot would replace it"),
        FailingCommand(
            "the partial result over a source", "merge one --partial one", 64,
            "sheaf: 'one' is a source: --partial would replace it"),
        FailingCommand("missing", "merge one none", 66, "sheaf: none: no such file or directory"),
        FailingCommand(
            "a folder without files", "merge empty", 66, "sheaf: empty: the directory holds no files"),
        FailingCommand(
            "not a partial result", "merge one a.ndjson", 66,
            "sheaf: a.ndjson: not a partial result: it holds JSON, like a log; "
                + "sheaf merge reads the files that sheaf replay --partial FILE writes"
        ),
        FailingCommand(
            "a newer version", "merge newer", 66,
            "sheaf: newer: damaged at byte 5: format version 5 is not supported"),
        FailingCommand(
            "truncated", "merge one cut", 74, "sheaf: cut: damaged at byte 100: the file is truncated"),
        FailingCommand(
            "corrupt", "merge one changed", 74,
            "sheaf: changed: damaged at byte 8: a frame does not match its checksum"),
        FailingCommand(
            "output in a missing folder", "merge one --partial none/p", 73,
            "sheaf: none/p: the output cannot be created: No such file or directory"),
    ]

    /// A log, partial results of it, and damaged copies of those; empty if they can't be made.
    private static let files: [String: Data] = {
        var files: [String: Data] = [:]
        try? withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.write(#"{"apps":{"com.example.a":{"grouping":"off"}}}"#, to: "off.json")
            let make = """
                "$SHEAF" replay a.ndjson --partial one -q; "$SHEAF" replay a.ndjson --by-device --partial devices -q
                head -c 100 one > cut
                (head -c 5 one; printf '\\005'; tail -c +7 one) > newer
                (head -c 30 one; printf x; tail -c +32 one) > changed
                """
            _ = try command.shell(make)
            for name in try command.names {
                files[name] = try Data(contentsOf: command.folder.appendingPathComponent(name))
            }
        }
        return files
    }()

    @Test(arguments: failures) func failsWithAStatusAndAMessage(_ failure: FailingCommand) throws {
        try withFolder { command in
            for (name, contents) in Self.files {
                try contents.write(to: command.folder.appendingPathComponent(name))
            }
            #expect(try command.shell("mkdir empty").status == 0)
            try command.expect(failure)
        }
    }

    /// The error message names the minimum memory that is enough.
    @Test func theMinimumMemoryInTheMessageIsEnough() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.run("replay", "a.ndjson", "--memory", "1MiB", "--threads", "3")
            let minimum = try #require(result.errors.firstMatch(of: /need at least ([0-9]+) MiB/)?.1)
            let memory = "\(minimum)MiB"
            let works = try command.run("replay", "a.ndjson", "--memory", memory, "--threads", "3", "-q")
            #expect(works.status == 0)
            #expect(works.output == oneGroup)
        }
    }

    @Test func writesAPartialResultToStandardOutput() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let line = #""$SHEAF" replay a.ndjson --partial - -q > p && "$SHEAF" merge p -q"#
            #expect(try command.shell(line).output == oneGroup)
        }
    }

    @Test(arguments: interruptions)
    func aSignalEndsAReplayWithoutLeavingFiles(signal: Int32, status: Int32) throws {
        let arguments = ["replay", "-", "--partial", "p", "--spill-dir", "."]
        try expectInterruption(of: arguments, by: signal, status: status)
    }

    @Test func spilledFilesOfAKilledRunAreRemoved() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let line = """
                mkdir spill && touch spill/sheaf-spill-1x.lock spill/sheaf-spill-1x-0.run spill/mine
                "$SHEAF" replay a.ndjson --spill-dir spill -q
                """
            #expect(try command.shell(line).output == oneGroup)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: command.folder.path + "/spill") == [
                    "mine"
                ])
        }
    }
}
