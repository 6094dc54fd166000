import Foundation
import SheafBytes
import Testing

@testable import SheafFlow
@testable import SheafTool

/// Sources that are not logs are reported with a command that converts them, and the other sources are used.
@Suite struct ForeignSourceTests {
    private static func line(_ reason: SourceDamage.Reason, offset: UInt64 = 0, _ path: String) -> String {
        SourceAdvice(command: "replay", use: "used").line(
            Statistics.DamagedSource(source: path, damage: SourceDamage(reason: reason, offset: offset)))
    }

    @Test(
        arguments: [
            (.bzip2, 0, "c.bz2", "c.bz2: bzip2 data is not supported; bzip2 -dc c.bz2 | sheaf replay -"),
            (.bzip2, 0, "-", "standard input: bzip2 data is not supported; bzip2 -dc | sheaf replay -"),
            (
                .bzip2, 10, "c.gz",
                "c.gz: bzip2 data inside gzip is not supported; gzip -dc c.gz | bzip2 -dc | sheaf replay -"
            ),
            (
                .bzip2, 10, "-",
                "standard input: bzip2 data inside gzip is not supported; gzip -dc | bzip2 -dc | sheaf replay -"
            ),
            (
                .gzip, 10, "c.gz",
                "c.gz: gzip data inside gzip is not supported; gzip -dc c.gz | gzip -dc | sheaf replay -"
            ),
            (
                .xz, 0, "it's here",
                #"it's here: xz data is not supported; xz -dc 'it'\''s here' | sheaf replay -"#
            ),
            (.xz, 0, "-c", "-c: xz data is not supported; xz -dc ./-c | sheaf replay -"),
            (.zip, 0, "a.zip", "a.zip: zip data is not supported; unzip -p a.zip | sheaf replay -"),
            (.zip, 0, "-", "standard input: zip data is not supported; funzip | sheaf replay -"),
            (.zip, 10, "a", "a: zip data inside gzip is not supported; gzip -dc a | funzip | sheaf replay -"),
            (
                .zstd, 10, "a",
                "a: zstd data inside gzip is not supported; gzip -dc a | zstd -dc | sheaf replay -"
            ),
            (
                .zstd, 9, "a",
                "a: zstd data inside zstd is not supported; zstd -dc a | zstd -dc | sheaf replay -"
            ),
            (
                .xz, 9, "-",
                "standard input: xz data inside zstd is not supported; zstd -dc | xz -dc | sheaf replay -"
            ),
            (
                .zstdWindow, 70, "a b",
                "a b: the zstd frame at byte 70 has a window of more than 128 MiB; the data before that was used; "
                    + "for all of it: zstd -dc --long=31 'a b' | sheaf replay -"
            ),
            (.lz4, 0, "a", "a: lz4 data is not supported; lz4 -dc a | sheaf replay -"),
            (.snappy, 0, "a", "a: snappy data is not supported; snzip -dc a | sheaf replay -"),
            (.zlib, 0, "a b", "a b: zlib data is not supported; pigz -dc < 'a b' | sheaf replay -"),
            (.utf16, 0, "a", "a: UTF-16 text is not supported; iconv -f UTF-16 -t UTF-8 a | sheaf replay -"),
            (
                .utf16LittleEndian, 0, "a",
                "a: UTF-16 text is not supported; iconv -f UTF-16LE -t UTF-8 a | sheaf replay -"
            ),
            (
                .utf16BigEndian, 0, "a",
                "a: UTF-16 text is not supported; iconv -f UTF-16BE -t UTF-8 a | sheaf replay -"
            ),
            (.utf32, 0, "a", "a: UTF-32 text is not supported; iconv -f UTF-32 -t UTF-8 a | sheaf replay -"),
            (
                .parquet, 0, "a",
                "a: Parquet data is not supported; convert it to one JSON object per line first"
            ),
            (.avro, 0, "a", "a: Avro data is not supported; avro-tools tojson a | sheaf replay -"),
            (
                .avro, 0, "-",
                "standard input: Avro data is not supported; avro-tools tojson - | sheaf replay -"
            ),
            (.partialResult, 0, "a b", "a b: a partial result, not a log; sheaf merge 'a b'"),
            (.partialResult, 10, "a.gz", "a.gz: a partial result, not a log; sheaf merge a.gz"),
            (
                .partialResult, 0, "-",
                "standard input: a partial result, not a log; write it to a file and give that to sheaf merge or sheaf compare"
            ),
            (.runState, 0, "a", "a: the state of an unfinished run, not a log; leave it out"),
            (.snapshot, 0, "a", "a: a snapshot, not a log; replay the log that it was made from"),
            (
                .truncated, 9, "a",
                "a: the gzip data ends in the middle of a member, at byte 9; the data before that was used"
            ),
        ] as [(SourceDamage.Reason, UInt64, String, String)])
    func adviceFitsFormat(_ reason: SourceDamage.Reason, _ offset: UInt64, _ path: String, _ line: String) {
        #expect(Self.line(reason, offset: offset, path) == line)
    }

    @Test(arguments: [
        ("", "''"), ("a", "a"), ("-", "./-"), ("-a b", "'./-a b'"), ("$(x)", "'$(x)'"), ("é", "'é'"),
        ("~/a", "'~/a'"),
        ("a\nb", "'a\nb'"), ("logs/2026-01-01T00:00.gz", "logs/2026-01-01T00:00.gz"),
    ])
    func quotesWordsForTheShell(_ word: String, _ quoted: String) {
        #expect(word.shellWord == quoted)
    }

    @Test func theShellReadsQuotedWordsUnchanged() throws {
        try withFolder { command in
            for word in ["a", "it's", "a b", "$HOME", "`x`", "\\", "\"", "a\nb", "'", "*"] {
                let result = try command.shell("printf %s \(word.shellWord)")
                #expect(result.output == word)
            }
        }
    }

    /// The folder has a file of every foreign format that can be made here.
    @Test func otherSourcesAreUsed() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let make = """
                mkdir logs
                gzip -c a.ndjson | gzip -c > logs/twice.gz
                printf '\\377\\376{\\0"\\0a\\0"\\0:\\0001\\0}\\0' > logs/wide
                "$SHEAF" replay a.ndjson -o logs/snapshot -q
                "$SHEAF" replay a.ndjson -o logs/snapshot.csv --format csv -q
                "$SHEAF" replay a.ndjson -o logs/snapshot.json --format json -q
                "$SHEAF" replay a.ndjson -o logs/devices --by-device -q
                "$SHEAF" replay a.ndjson --partial logs/partial.gz -q
                """
            #expect(try command.shell(make).status == 0)
            let result = try command.run("replay", "logs", "a.ndjson", "--stats", "stats.json")
            #expect(result.status == 65)
            #expect(result.output == oneGroup)
            let problems = result.errors.split(separator: "\n").dropFirst()
            #expect(
                problems == [
                    "sheaf: logs/devices: a snapshot, not a log; replay the log that it was made from",
                    "sheaf: logs/partial.gz: a partial result, not a log; sheaf merge logs/partial.gz",
                    "sheaf: logs/snapshot: a snapshot, not a log; replay the log that it was made from",
                    "sheaf: logs/snapshot.csv: a snapshot, not a log; replay the log that it was made from",
                    "sheaf: logs/snapshot.json: a snapshot, not a log; replay the log that it was made from",
                    "sheaf: logs/twice.gz: gzip data inside gzip is not supported; gzip -dc logs/twice.gz | gzip -dc | "
                        + "sheaf replay -",
                    "sheaf: logs/wide: UTF-16 text is not supported; iconv -f UTF-16 -t UTF-8 logs/wide | sheaf replay -",
                ])
            let stats = try command.read("stats.json")
            #expect(stats.contains(#""lines":1,"blank":0,"linesRead":1,"records":1,"grouped":1,"#))
            #expect(stats.contains(#"{"source":"logs/wide","reason":"format.utf-16","offset":0}"#))
            // The advised command works.
            let advised = try command.shell("gzip -dc logs/twice.gz | gzip -dc | \"$SHEAF\" replay -")
            #expect(advised.output == oneGroup.replacingOccurrences(of: "a.ndjson", with: "-"))
        }
    }

    @Test func adviceForStandardInputAndChecks() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let twice = "gzip -c a.ndjson | gzip -c"
            let piped = try command.shell("\(twice) | \"$SHEAF\" replay -")
            #expect(piped.status == 65)
            #expect(piped.output.isEmpty)
            #expect(
                piped.errors.contains(
                    "sheaf: standard input: gzip data inside gzip is not supported; gzip -dc | gzip -dc | sheaf replay -"
                ))
            let check = try command.shell("\(twice) > b; \"$SHEAF\" check b a.ndjson")
            #expect(check.status == 65)
            #expect(check.output.contains("format.gzip"))
            #expect(
                check.errors.contains(
                    "b: gzip data inside gzip is not supported; gzip -dc b | gzip -dc | sheaf check -"))
        }
    }

    @Test func mergingAnythingButPartialResultsIsRefused() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let make = """
                "$SHEAF" replay a.ndjson -o snapshot -q; gzip -k a.ndjson; gzip -c snapshot > snapshot.gz
                printf '\\375\\067\\172\\130\\132\\000\\001' > a.xz
                """
            #expect(try command.shell(make).status == 0)
            for (path, contents) in [
                ("a.ndjson", "JSON, like a log"), ("a.ndjson.gz", "JSON, like a log"),
                ("snapshot", "a snapshot"), ("snapshot.gz", "a snapshot"), ("a.xz", "xz data"),
            ] {
                let result = try command.run("merge", path)
                #expect(result.status == 66)
                #expect(
                    result.errors
                        == "sheaf: \(path): not a partial result: it holds \(contents); sheaf merge reads the files "
                        + "that sheaf replay --partial FILE writes\n")
            }
        }
    }
}
