import Foundation
import TestSupport
import TestTags
import Testing

@testable import SheafTool

/// No option is accepted and then ignored.
@Suite(.tags(.extended)) struct OptionEffectTests {
    static let failures = [
        FailingCommand(
            "order of state", "replay a.ndjson --partial p --sort key", 64,
            "--partial writes state, which --sort does not affect: give it to the sheaf merge that writes "
                + "the snapshot"),
        FailingCommand(
            "language of state", "replay a.ndjson --partial p --locale de", 64,
            "--partial writes state, which --locale does not affect"),
        FailingCommand(
            "the default language of state", "replay a.ndjson --partial p --locale en_US", 64,
            "which --locale does not affect"),
        FailingCommand(
            "locked state", "replay a.ndjson --locked --partial p", 64,
            "which --locked does not affect"),
        FailingCommand(
            "profile of state", "replay a.ndjson --partial p --profile ios15", 64,
            "which --profile does not affect"),
        FailingCommand(
            "the default profile of state", "replay a.ndjson --partial p --profile ios12", 64,
            "which --profile does not affect"),
        FailingCommand(
            "order of merged state", "merge one --partial p --sort recent", 64,
            "which --sort does not affect"),
        FailingCommand(
            "the groups of snapshots of state", "replay a.ndjson --partial p --every 1h --emit all", 64,
            "which --emit does not affect"),
        FailingCommand(
            "the groups of one snapshot", "replay a.ndjson --emit all", 64,
            "--emit has no effect without several snapshots: give their times with --every"),
        FailingCommand(
            "the clock of one snapshot", "replay a.ndjson --offset +02:00", 64,
            "--offset has no effect without several snapshots: give their times with --every"),
        FailingCommand(
            "the groups of one merged snapshot", "merge one --emit all", 64,
            "--emit has no effect without several snapshots: none of the partial results was written with --every"
        ),
        FailingCommand(
            "a clock that is no offset", "replay a.ndjson --every 1d --offset Berlin", 64,
            "an offset is hours and minutes after a sign, such as +02:00 or -03:30"),
        FailingCommand(
            "the zone of one snapshot", "replay a.ndjson --time-zone Europe/Berlin", 64,
            "--time-zone has no effect without several snapshots: give their times with --every"),
        FailingCommand(
            "two clocks", "replay a.ndjson --every 1d --time-zone Europe/Berlin --offset +02:00", 64,
            "--time-zone can't be given with --offset: both set the clock"),
        FailingCommand(
            "two clocks of a time",
            "replay a.ndjson --since 2026-01-05 --time-zone Europe/Berlin --offset +02:00", 64,
            "--time-zone can't be given with --offset: both set the clock"),
        FailingCommand(
            "an unknown zone", "replay a.ndjson --every 1d --time-zone Europe/Berln", 64,
            "no time zone has the name 'Europe/Berln'; did you mean 'Europe/Berlin'?"),
        FailingCommand(
            "a step that no day has", "replay a.ndjson --every 7h --time-zone Europe/Berlin", 64,
            "it must divide a day, or be several days"),
        FailingCommand(
            "an interval without checkpoints", "replay a.ndjson --checkpoint-interval 5s", 64,
            "--checkpoint-interval has no effect without checkpoints: name their folder with --checkpoint"),
        FailingCommand(
            "two folders for state", "replay a.ndjson --checkpoint c --spill-dir .", 64,
            "--spill-dir has no effect with --checkpoint: state that does not fit in memory goes to the "
                + "checkpoint's folder; leave --spill-dir out"),
    ]

    @Test(arguments: failures) func optionsWithoutEffectAreRefused(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "--partial", "one", "-q").status == 0)
            try command.expect(failure)
        }
    }

    struct Named: CustomTestStringConvertible {
        let arguments: String
        let output: String
        let start: String
        var testDescription: String { arguments }
    }

    @Test(arguments: [
        Named(arguments: "replay a.ndjson -o x.csv", output: "x.csv", start: "app,thread,count,"),
        Named(arguments: "replay a.ndjson -o x.json", output: "x.json", start: "[\n{\"app\":"),
        Named(arguments: "replay a.ndjson -o x.txt", output: "x.txt", start: "com.example.a\n  Hello\n"),
        Named(arguments: "replay a.ndjson -o x.jsonl", output: "x.jsonl", start: "{\"app\":"),
        Named(arguments: "replay a.ndjson -o x", output: "x", start: "{\"app\":"),
        Named(arguments: "replay a.ndjson -o x.log", output: "x.log", start: "{\"app\":"),
        Named(arguments: "replay a.ndjson -o x.out", output: "x.out", start: "{\"app\":"),
        Named(
            arguments: "replay a.ndjson -o x.parquet --format ndjson", output: "x.parquet", start: "{\"app\":"
        ),
        Named(arguments: "merge one -o x.html --format text", output: "x.html", start: "com.example.a\n"),
        Named(arguments: "replay a.ndjson -o x.csv --format ndjson", output: "x.csv", start: "{\"app\":"),
        Named(
            arguments: "replay a.ndjson -o x.ndjson --format json", output: "x.ndjson", start: "[\n{\"app\":"),
        Named(arguments: "merge one -o x.CSV", output: "x.CSV", start: "app,thread,count,"),
        Named(arguments: "check a.ndjson -o x.json", output: "x.json", start: "{\"sources\":"),
        Named(arguments: "check a.ndjson -o x.json --format text", output: "x.json", start: "1 record"),
        Named(arguments: "check a.ndjson -o x.txt", output: "x.txt", start: "1 record"),
    ])
    func theOutputsNameSelectsTheFormat(_ item: Named) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "--partial", "one", "-q").status == 0)
            let result = try command.run(item.arguments.split(separator: " ").map(String.init))
            #expect(result.status == 0, "\(result.errors)")
            let text = try command.read(item.output)
            #expect(text.hasPrefix(item.start), "\(text)")
        }
    }

    /// Formats that Sheaf does not write: the message has the command that converts one that it writes.
    static let foreignOutputs = [
        FailingCommand(
            "Parquet", "replay a.ndjson -o x.parquet", 64,
            "x.parquet: a result is not written as Parquet: give --format to write another format under this name, "
                + #"or write x.ndjson and convert it: duckdb -c "COPY (FROM 'x.ndjson') TO 'x.parquet'""#),
        FailingCommand(
            "Parquet from partial results", "merge one -o out/x.parquet", 64,
            #"or write out/x.ndjson and convert it: duckdb -c "COPY (FROM 'out/x.ndjson') TO 'out/x.parquet'""#
        ),
        FailingCommand(
            "capitals, compressed", "replay a.ndjson -o X.Parquet.gz", 64,
            #"or write X.ndjson and convert it: duckdb -c "COPY (FROM 'X.ndjson') TO 'X.Parquet'""#),
        FailingCommand(
            "Arrow", "replay a.ndjson -o x.arrow", 64,
            "or write x.ndjson and convert it: python3 -c \"from pyarrow import feather, json; "
                + "feather.write_feather(json.read_json('x.ndjson'), 'x.arrow')\""),
        FailingCommand(
            "Excel", "replay a.ndjson -o x.xlsx", 64,
            "COPY (FROM 'x.csv') TO 'x.xlsx' (FORMAT xlsx)"),
        FailingCommand(
            "a database", "replay a.ndjson -o x.db", 64,
            #"or write x.csv and convert it: sqlite3 'x.db' ".import --csv 'x.csv' groups""#),
        FailingCommand(
            "another compression", "replay a.ndjson -o x.json.xz", 64,
            "is not written as xz: give --format to write another format under this name, or write x.json and "
                + "convert it: xz x.json"),
        FailingCommand(
            "a name with a quote", "replay a.ndjson -o it's.parquet", 64,
            #"or write groups.ndjson and convert it: duckdb -c "COPY (FROM 'groups.ndjson') TO 'groups.parquet'""#
        ),
    ]

    @Test(arguments: foreignOutputs) func aNameOfAFormatThatIsNotWrittenIsRefused(_ failure: FailingCommand)
        throws
    {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "--partial", "one", "-q").status == 0)
            try command.expect(failure)
        }
    }

    /// The command is one that the shell can parse, and its files are those of the message.
    @Test(arguments: [
        "x.parquet", "x.duckdb", "x.tsv", "x.md", "x.xlsx", "x.arrow", "x.feather",
        "x.sqlite",
        "x.sqlite3", "x.db", "x.xz", "x.bz2", "x.lz4", "x.zip", "a b/x.zip", "-/$(x).xz", "a b/x.parquet",
    ])
    func theCommandIsValid(_ name: String) throws {
        let format = try #require(ForeignFormat(output: name))
        #expect(!format.command.contains("SOURCE") && !format.command.contains("TARGET"))
        #expect(format.command.contains(format.source))
        try withFolder { command in
            let result = try command.shell("bash -n -c \(format.command.shellWord)")
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func theNameOfACompressedOutputSelectsTheFormat() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            #expect(try command.run("replay", "a.ndjson", "-o", "x.csv.gz").status == 0)
            #expect(try command.shell("gzip -dc x.csv.gz").output.hasPrefix("app,thread,count,"))
        }
    }

    /// A partial result has only the number of rejects: `sheaf replay` has to keep the lines.
    @Test func mergeAdvisesToKeepRejectsInTheReplay() throws {
        try withFolder { command in
            try command.write("{bad\n", to: "a.ndjson")
            let replay = try command.run("replay", "a.ndjson", "--partial", "p")
            #expect(replay.errors.hasSuffix("the first at a.ndjson:1; use --rejects FILE to keep them\n"))
            let merge = try command.run("merge", "p")
            #expect(merge.status == 65)
            #expect(
                merge.errors.hasSuffix(
                    "the first at a.ndjson:1; use --rejects FILE with sheaf replay to keep them\n"
                ), "\(merge.errors)")
        }
    }

    /// The help text of a subcommand.
    private static func help(_ command: Command, _ name: String) throws -> String {
        try command.run(name, "--help").output
    }

    @Test(arguments: ["replay", "measure", "merge", "check", "generate"]) func placeholdersNameTheKindOfValue(
        _ name: String
    ) throws {
        try withFolder { command in
            let help = try Self.help(command, name)
            let placeholders = Set(help.matches(of: /<([^>]+)>/).map { String($0.1) })
            let known: Set = [
                "FILE", "DIR", "N", "SIZE", "TIME", "ID", "NAME", "SOURCE", "PARTIAL", "OFFSET", "POINTER",
                "SHARE", "N,…",
                "options",
            ]
            #expect(placeholders.isSubset(of: known), "\(placeholders.subtracting(known))")
        }
    }

    /// Loads the completion script in bash and calls it as bash does when Tab is pressed.
    @Test func bashCompletesFilesAndValues() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.write("{}", to: "c.json")
            func complete(_ words: [String]) throws -> [String] {
                let quoted = words.map { "'\($0)'" }.joined(separator: " ")
                let result = try command.shell(
                    """
                    sheaf() { "$SHEAF" "$@"; }
                    source <("$SHEAF" --generate-completion-script bash)
                    COMP_WORDS=(\(quoted)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="${COMP_WORDS[*]}"
                    COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
                    $(complete -p sheaf | sed 's/.*-F \\([^ ]*\\).*/\\1/') sheaf "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                    printf '%s\\n' "${COMPREPLY[@]}"
                    """)
                return result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            }
            #expect(try complete(["sheaf", "repl"]) == ["replay"])
            #expect(try complete(["sheaf", "replay", "a"]) == ["a.ndjson"])
            #expect(try complete(["sheaf", "replay", "a.ndjson", "--format", "c"]) == ["csv", "csv-iso"])
            #expect(try complete(["sheaf", "replay", "a.ndjson", "--sort", "r"]) == ["recent"])
            #expect(try complete(["sheaf", "merge", "a.ndjson", "--profile", "ios1"]) == ["ios12", "ios15"])
            #expect(try complete(["sheaf", "replay", "a.ndjson", "--locale", "d"]).contains("de"))
            #expect(try complete(["sheaf", "check", "--fail-on", "w"]) == ["warning"])
            for option in ["-o", "--output", "--stats", "--rejects", "--partial"] {
                #expect(try complete(["sheaf", "replay", option, "a"]).contains("a.ndjson"), "\(option)")
            }
            #expect(try complete(["sheaf", "replay", "--config", "c"]) == ["c.json"])
            #expect(try complete(["sheaf", "generate", "--thre"]) == ["--thread-ids"])
            #expect(try complete(["sheaf", "replay", "--input", "f"]) == ["fcm"])
            #expect(try complete(["sheaf", "check", "--input", "c"]) == ["c.json"])
        }
    }

    @Test(arguments: [("zsh", "_files"), ("fish", "-rF")])
    func otherShellsCompleteFiles(shell: String, files: String) throws {
        try withFolder { command in
            let script = try command.run("--generate-completion-script", shell)
            #expect(script.status == 0)
            for option in ["--stats", "--config", "--rejects", "--output", "--partial"] {
                let name = shell == "fish" ? "-l '\(option.dropFirst(2))'" : option
                let lines = script.output.split(separator: "\n").filter { $0.contains(name) }
                #expect(lines.contains { $0.contains(files) }, "\(option): \(lines)")
            }
        }
    }
}
