import Foundation
import TestSupport
import TestTags
import Testing

@testable import SheafTool

/// `sheaf replay --sources-from`, `sheaf merge --expect-sources` and `sheaf partial` on the command line.
@Suite(.tags(.spilling)) struct PartialCommandTests {
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

    @Test(arguments: ["", "--by-device", "--removals", "--removals --delivery"], ["", ".zst"])
    func partsOfASnapshotAreTheSnapshot(_ options: String, suffix: String) throws {
        try withFolder { command in
            try makeJob(command)
            let isByDevice = options == "--by-device"
            let line = """
                zstd=\(suffix.isEmpty ? "" : "--zstd")
                $s replay --sources-from sources \(options) -o whole.csv -q
                for n in 0 1 2 3; do
                    $s replay --sources-from source-$n \(options) --partial part-$n\(suffix) -q
                    $s partial keys part-$n\(suffix) -o keys-$n\(suffix)
                done
                $s partial keys keys-* --complete --partitions 3 -o ranges
                for n in 0 1 2 3; do $s partial split part-$n\(suffix) --ranges ranges --partial-dir slices-$n $zstd; done
                kind=\(isByDevice ? "identities" : "newest")
                for r in 00000 00001 00002; do
                    \(isByDevice ? "mkdir -p newest; for n in 0 1 2 3; do cp slices-$n/identities-$r.partial\(suffix) newest/identities-$r-$n.partial; done" : "$s partial newest slices-*/identities-$r.partial\(suffix) --ranges ranges --partial-dir newest $zstd")
                done
                for r in 00000 00001 00002; do
                    $s merge newest/$kind-$r-* slices-*/groups-$r.partial\(suffix) -o part-$r.csv --stats part-$r.json -q
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
                $s replay --sources-from sources --removals --partial p -q
                $s partial keys p -o sample
                $s partial keys p --complete --partitions 2 -o ranges
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
            #expect(objects[0]["identityRecords"] as? Int == 1)
            let slice = objects[1]["slice"] as? [String: Any]
            #expect(slice?["kind"] as? String == "groups")
            #expect(slice?["range"] as? Int == 1)
            #expect(slice?["digest"] as? String == objects[2]["digest"] as? String)
            #expect(objects[3]["groupKeys"] as? Int == 1)
            #expect(objects.map { $0["removals"] as? Int } == [nil, nil, 0, 0])
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
            "a complete sample", "partial keys one --complete -o sample", 64,
            "--complete has no effect without --partitions"),
        FailingCommand(
            "keys of a partial result whose pushes wait", "partial keys unique -o ranges --partitions 2", 64,
            "'unique' was written with --unique: a record that decides a push may be in any range; merge the partial "
                + "results without cutting them"),
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
            try command.expect(failure)
        }
    }

    // MARK: Measures

    /// Measures the job's logs as a whole and in parts, and cuts the partial results between people.
    private func measureRanges(_ command: Command) throws {
        try makeJob(command)
        let line = """
            $s measure --sources-from sources --every 1d --removals -o whole -q --stats whole.json
            for n in 0 1 2 3; do $s measure --sources-from source-$n --every 1d --removals --partial part-$n -q; done
            $s partial keys part-* --partitions 3 -o ranges
            for n in 0 1 2 3; do $s partial split part-$n --ranges ranges --partial-dir slices-$n; done
            for r in 00000 00001 00002; do
                $s partial measure slices-*/*-$r.partial --expect-sources sources -o measures-$r
            done
            """
        try expectSuccess(line, of: command)
    }

    @Test func rangesOfPeopleGiveTheMeasures() throws {
        try withFolder { command in
            try measureRanges(command)
            let line = """
                $s merge measures-00002 measures-00000 measures-00001 --expect-sources sources -o merged -q --stats s.json
                cmp whole merged
                $s merge measures-00002 measures-00000 --partial some -q
                $s merge measures-00000 measures-00002 --partial other -q && cmp some other
                $s merge some measures-00001 -o tree -q && cmp whole tree
                """
            try expectSuccess(line, of: command)
            func statistics(_ path: String) throws -> NSDictionary? {
                let data = Data(try command.read(path).utf8)
                var found = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                for name in ["seconds", "peakResidentBytes", "spilledBytes"] { found?[name] = nil }
                return found as NSDictionary?
            }
            let whole = try #require(try statistics("whole.json"))
            #expect(try statistics("s.json") == whole)
            let inspected = try command.run("partial", "inspect", "some")
            #expect(
                inspected.output.contains(#""kind":"measures""#)
                    && inspected.output.contains(#""peopleRanges":[{"range":0},{"range":2}]"#)
                    && inspected.output.contains(#""fold":4"#), "\(inspected.output)")
            #expect(try command.run("partial", "inspect", "ranges").output.contains(#""byPerson":true"#))
        }
    }

    @Test func cellsOfRangesAreThoseOfAllPeople() throws {
        try withFolder { command in
            try measureRanges(command)
            let line = """
                $s measure --sources-from sources --every 1d --removals --cells -o whole.csv -q
                for r in 00000 00001 00002; do $s merge slices-*/*-$r.partial --cells -o cells-$r.csv -q; done
                cat cells-*.csv | cmp - whole.csv
                """
            try expectSuccess(line, of: command)
        }
    }

    static let measureFailures = [
        FailingCommand(
            "a whole partial result", "partial measure part-0 -o out", 64,
            "'part-0' is not a slice, but a whole partial result"),
        FailingCommand(
            "slices of groups only", "partial measure slices-0/groups-00000.partial -o out", 64,
            "no slice of identities of range 0 is given: a part of a result needs all slices of its range"),
        FailingCommand(
            "slices of two ranges",
            "partial measure slices-0/groups-00000.partial slices-0/identities-00001.partial -o out", 64,
            "'slices-0/groups-00000.partial' has range 0 of the groups, 'slices-0/identities-00001.partial' range 1 of the "
                + "identities: a part of a result is of one range"),
        FailingCommand(
            "a fold of 0 groups", "partial measure slices-0 --fold 0 -o out", 64,
            "--fold is 0, but must be from 1 to 1000"),
        FailingCommand(
            "an output that is a slice",
            "partial measure slices-0/groups-00000.partial slices-0/identities-00000.partial -o "
                + "slices-0/groups-00000.partial", 64,
            "'slices-0/groups-00000.partial' is a source: the measures would replace it"),
        FailingCommand(
            "the measures of some ranges", "merge measures-00000 measures-00002 -o out", 64,
            "the measures of range 1 of 3 are missing"),
        FailingCommand(
            "the measures of a range twice", "merge measures-00000 measures-00000 -o out", 64,
            "'measures-00000' and 'measures-00000' can't be merged: both have the measures of range 0"),
        FailingCommand(
            "measures and slices", "merge measures-00000 slices-0/groups-00000.partial -o out", 64,
            "'measures-00000' has measures of people, 'slices-0/groups-00000.partial' range 0 of the groups: the measures of "
                + "all ranges are merged"),
        FailingCommand(
            "slices and measures",
            "merge slices-0/groups-00000.partial measures-00000 -o out", 64,
            "'measures-00000' has measures of people: measures are merged with those of other ranges"),
        FailingCommand(
            "measures of a range without cells",
            "merge slices-0/groups-00000.partial slices-0/identities-00000.partial -o out", 64,
            "measures are distributions over the people of all ranges: give --cells, or measure each range and merge the "
                + "measures of all of them"),
        FailingCommand(
            "cells of measures", "merge measures-00000 measures-00001 measures-00002 --cells -o out", 64,
            "--cells needs the slices that the measures were made from: measures have no people"),
        FailingCommand(
            "another fold", "merge measures-00000 measures-00001 measures-00002 --fold 7 -o out", 64,
            "the measures were made with --fold 4, not 7"),
        FailingCommand(
            "a partial result of a replay", "partial split replayed --ranges ranges --partial-dir out", 64,
            "'replayed' and the files that the ranges were made of are not all of measures"),
    ]

    @Test func measuresOfOtherPeopleAreRefused() throws {
        try withFolder { command in
            try measureRanges(command)
            try expectSuccess(
                "$s replay --sources-from source-0 --by-device --partial replayed -q", of: command)
            for failure in Self.measureFailures { try command.expect(failure) }
        }
    }
}
