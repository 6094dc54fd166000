import Foundation
import TestSupport
import Testing

@testable import SheafTool

/// `sheaf replay --sources-from`, `sheaf merge --expect-sources` and `sheaf partial` on the command line.
@Suite struct PartialCommandTests {
    /// Generates a log in four files, and lists them as the sources of a job, all together and each alone.
    private func makeJob(_ command: Command) throws {
        let line = """
            mkdir logs && "$SHEAF" generate --records 400 --seed 4 --apps 5 --thread-ids 30 --devices 9 \
            --files 4 -o logs/push.ndjson.gz --quiet 2>/dev/null
            n=0
            for file in logs/*; do
                echo "{\\"path\\":\\"$file\\",\\"source\\":\\"bucket/$n\\",\\"ordinal\\":$n}" >source-$n
                n=$((n + 1))
            done
            cat source-* >sources
            """
        let result = try command.shell(line)
        #expect(result.status == 0, "\(result.errors)")
    }

    private func expectSuccess(
        _ line: String, of command: Command, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try command.shell("set -e; s=\"$SHEAF\"\n\(line)")
        #expect(result.status == 0, "\(result.errors)", sourceLocation: sourceLocation)
        #expect(result.errors.isEmpty, "\(result.errors)", sourceLocation: sourceLocation)
    }

    @Test func namedResultsAreMergedInAnyOrder() throws {
        try withFolder { command in
            try makeJob(command)
            let line = """
                $s replay --sources-from sources -o whole -q
                for n in 0 1 2 3; do $s replay --sources-from source-$n --partial part-$n -q; done
                $s merge part-2 part-0 part-3 part-1 --expect-sources sources -o merged -q
                $s merge part-3 part-0 --partial some -q
                $s merge part-1 some part-2 -o tree -q
                cmp whole merged && cmp whole tree && grep -c '"source":"bucket/2"' whole >/dev/null
                """
            try expectSuccess(line, of: command)
        }
    }

    @Test(arguments: ["", "--by-device", "--removals --delivery"])
    func partsOfASnapshotAreTheSnapshot(_ options: String) throws {
        try withFolder { command in
            try makeJob(command)
            let isByDevice = options == "--by-device"
            let line = """
                $s replay --sources-from sources \(options) -o whole.csv -q
                for n in 0 1 2 3; do
                    $s replay --sources-from source-$n \(options) --partial part-$n -q
                    $s partial keys part-$n -o keys-$n
                done
                $s partial keys keys-* --partitions 3 -o ranges
                for n in 0 1 2 3; do $s partial split part-$n --ranges ranges --partial-dir slices-$n; done
                kind=\(isByDevice ? "identities" : "newest")
                for r in 00000 00001 00002; do
                    \(isByDevice ? "mkdir -p newest; for n in 0 1 2 3; do cp slices-$n/identities-$r.partial newest/identities-$r-$n.partial; done" : "$s partial newest slices-*/identities-$r.partial --ranges ranges --partial-dir newest")
                done
                for r in 00000 00001 00002; do
                    $s merge newest/$kind-$r-* slices-*/groups-$r.partial -o part-$r.csv --stats part-$r.json -q
                done
                cat part-0000?.csv | cmp - whole.csv
                """
            try expectSuccess(line, of: command)
            for part in 0..<3 { #expect(try command.read("part-0000\(part).csv").count > 1_000) }
        }
    }

    @Test func inspectShowsWhatFilesHave() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.write(#"{"path":"a.ndjson","source":"bucket/a","ordinal":7}"#, to: "sources")
            let line = """
                $s replay --sources-from sources --partial p -q
                $s partial keys p -o sample
                $s partial keys p --partitions 2 -o ranges
                $s partial split p --ranges ranges --partial-dir slices
                """
            try expectSuccess(line, of: command)
            let result = try command.run(
                "partial", "inspect", "p", "slices/groups-00001.partial", "ranges", "sample")
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
            let objects = try result.output.split(separator: "\n").map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(objects.map { $0["kind"] as? String } == ["partial", "slice", "ranges", "sample"])
            #expect(
                objects.map { $0["file"] as? String } == [
                    "p", "slices/groups-00001.partial", "ranges", "sample",
                ])
            #expect(objects[0]["version"] as? Int == 4)
            let sources = objects[0]["sources"] as? [[String: Any]]
            #expect(sources?.map { $0["ordinal"] as? Int } == [7])
            #expect(sources?.map { $0["source"] as? String } == ["bucket/a"])
            #expect((objects[0]["counts"] as? [String: Any])?["notifications"] as? Int == 1)
            #expect(objects[0]["groups"] as? Int == 1)
            let slice = objects[1]["slice"] as? [String: Any]
            #expect(slice?["kind"] as? String == "groups")
            #expect(slice?["range"] as? Int == 1)
            #expect(slice?["digest"] as? String == objects[2]["digest"] as? String)
            #expect(objects[3]["groupKeys"] as? Int == 1)
        }
    }

    struct TimedPartial: NamedCase {
        let name: String
        let options: String
        let input: String
    }

    static let timedPartials = [
        TimedPartial(
            name: "UTC", options: "--every 1d", input: #""every":86400000,"offset":0,"removals":false"#),
        TimedPartial(
            name: "an offset", options: "--every 1h --offset +02:00",
            input: #""every":3600000,"offset":7200000,"removals":false"#),
        TimedPartial(
            name: "a zone", options: "--every 1d --time-zone Europe/Berlin",
            input: #""every":86400000,"timeZone":"Europe/Berlin","removals":false"#),
    ]

    @Test(arguments: timedPartials) func inspectShowsWhichClockDecidesOnIntervals(_ item: TimedPartial) throws
    {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try expectSuccess("$s replay a.ndjson \(item.options) --partial p -q", of: command)
            let result = try command.run("partial", "inspect", "p")
            #expect(result.output.contains(item.input), "\(result.output)")
        }
    }

    static let failures = [
        FailingCommand("no subcommand's files", "partial keys", 64, "Missing expected argument '<FILE> ...'"),
        FailingCommand("no output", "partial keys one", 64, "Missing expected argument '--output <FILE>'"),
        FailingCommand(
            "too many partitions", "partial keys one --partitions 10001 -o ranges", 64,
            "--partitions is 10001, but must be from 1 to 10000"),
        FailingCommand(
            "no ranges", "partial split one --partial-dir d", 64,
            "Missing expected argument '--ranges <FILE>'"),
        FailingCommand(
            "a missing partial result", "partial split none --ranges r --partial-dir d", 66,
            "sheaf: none: no such file or directory"),
        FailingCommand(
            "not ranges", "partial split one --ranges one --partial-dir d", 66,
            "sheaf: one: damaged at byte 0: the file has a different format"),
        FailingCommand(
            "not a partial result", "partial inspect a.ndjson", 66, "sheaf: a.ndjson: not a partial result"),
        FailingCommand(
            "keys of a partial result whose pushes wait", "partial keys unique -o ranges --partitions 2", 64,
            "'unique' was written with --unique: a record that decides a push may be in any range; merge the partial "
                + "results without cutting them"),
        FailingCommand(
            "keys of measures", "partial keys measured -o ranges --partitions 2", 64,
            "'measured' has measures, which are distributions over the people of all ranges; merge the partial results "
                + "without cutting them"),
        FailingCommand(
            "sources twice", "replay a.ndjson --sources-from list", 64,
            "--sources-from reads the sources that 'list' lists, but 'a.ndjson' is given too"),
        FailingCommand(
            "a missing list", "replay --sources-from none -o out", 78,
            "sheaf: none: the sources cannot be read: No such file or directory"),
        FailingCommand(
            "an invalid list", "replay --sources-from a.ndjson -o out", 78,
            "sheaf: a.ndjson:1: app: unknown key 'app'"),
        FailingCommand(
            "an output that is the list", "replay --sources-from list -o list", 64,
            "'list' is a configuration file: the snapshot would replace it"),
        FailingCommand(
            "expected sources of positions", "merge one --expect-sources list", 64,
            "--expect-sources has no effect: the partial results were written without --sources-from"),
    ]

    @Test(arguments: failures) func mistakesAreUsageErrors(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.write(#"{"path":"a.ndjson","ordinal":0}"#, to: "list")
            #expect(try command.run("replay", "a.ndjson", "--partial", "one", "-q").status == 0)
            #expect(
                try command.run("replay", "a.ndjson", "--unique", "--partial", "unique", "-q").status == 0)
            #expect(try command.run("measure", "a.ndjson", "--partial", "measured", "-q").status == 0)
            try command.expect(failure)
        }
    }
}
