import Foundation
import TestSupport
import Testing

@testable import SheafTool

/// Failures end with the right status and with a message that names their position.
@Suite struct FailureTests {
    static let cases = [
        FailingCommand("no sources", "replay", 64, "Missing expected argument '<SOURCE> ...'"),
        FailingCommand("unknown option", "replay a.ndjson --thread 2", 64, "Did you mean '--threads'?"),
        FailingCommand(
            "zero threads", "replay a.ndjson --threads 0", 64, "--threads is 0, but must be from 1 to 256"),
        FailingCommand(
            "too many arguments", "replay a.ndjson --max-arguments 1025", 64,
            "--max-arguments is 1025, but must be from 1 to 1024"),
        FailingCommand(
            "zero line length", "replay a.ndjson --max-line 0", 64, "--max-line is 0, but must be from 1 to"),
        FailingCommand(
            "a negative number", "replay a.ndjson --top -1", 64, "--top is -1, but must be from 1 to 10000"),
        FailingCommand(
            "not a number", "replay a.ndjson --top many", 64,
            "'many' is invalid for '--top <N>': it must be a whole number"),
        FailingCommand(
            "a number out of range", "replay a.ndjson --threads 99999999999999999999", 64,
            "'99999999999999999999' is invalid for '--threads <N>': it is too large"),
        FailingCommand(
            "a negative number of rejects", "replay a.ndjson --max-rejects -1", 64,
            "'-1' is invalid for '--max-rejects <N>': it must be 0 or more"),
        FailingCommand(
            "a size out of range", "replay a.ndjson --memory 99999999999GiB", 64,
            "'99999999999GiB' is invalid for '--memory <SIZE>': it is too large"),
        FailingCommand(
            "a time out of range", "replay a.ndjson --checkpoint c --checkpoint-interval 99999999999999999h",
            64,
            "'99999999999999999h' is invalid for '--checkpoint-interval <TIME>': it is too large"),
        FailingCommand(
            "a decimal unit", "replay a.ndjson --memory 1GB", 64,
            "'1GB' is invalid for '--memory <SIZE>': units are powers of 1024: write 1GiB, or 1000000000 without a unit"
        ),
        FailingCommand(
            "a negative size", "merge a.ndjson --memory -1", 64,
            "'-1' is invalid for '--memory <SIZE>': a size is a whole number, in bytes or with KiB, MiB or GiB"
        ),
        FailingCommand(
            "a fractional time", "replay a.ndjson --checkpoint c --checkpoint-interval 1.5s", 64,
            "'1.5s' is invalid for '--checkpoint-interval <TIME>': a time is a whole number above 0, in seconds or "
                + "with ms, s, m, h or d, such as 30s or 5m"),
        FailingCommand(
            "a mistyped subcommand", "reply a.ndjson --top 3", 64,
            "unknown subcommand 'reply', did you mean 'replay'?"),
        FailingCommand(
            "no subcommand", "a.ndjson", 64,
            """
            unknown subcommand 'a.ndjson': the subcommands are replay, report, measure, compare, explain, check, merge, \
            partial, inputs and generate
            """
        ),
        FailingCommand(
            "not a size", "replay a.ndjson --max-line big", 64, "'big' is invalid for '--max-line"),
        FailingCommand(
            "unknown order", "replay a.ndjson --sort newest", 64, "'newest' is invalid for '--sort"),
        FailingCommand(
            "standard input twice", "replay - -", 64, "standard input ('-') can be a source only once"),
        FailingCommand(
            "output over a source", "replay a.ndjson -o a.ndjson", 64,
            "'a.ndjson' is a source: the snapshot would replace it"),
        FailingCommand(
            "one file for two outputs", "replay a.ndjson -o out --stats out", 64,
            "--stats and the snapshot would both be written to 'out'"),
        FailingCommand(
            "missing file", "replay a.ndjson none.gz", 66, "sheaf: none.gz: no such file or directory"),
        FailingCommand(
            "folder without files", "replay empty", 66, "sheaf: empty: the directory holds no files"),
        FailingCommand(
            "output in a missing folder", "replay a.ndjson -o none/out", 73,
            "sheaf: none/out: the output cannot be created: No such file or directory"),
        FailingCommand(
            "output is a folder", "replay a.ndjson -o empty", 73,
            "sheaf: empty: the output cannot be created: Is a directory"),
        FailingCommand(
            "rejects in a missing folder", "replay a.ndjson --rejects none/out", 73,
            "sheaf: none/out: the output cannot be created: No such file or directory"),
        FailingCommand(
            "missing configuration", "replay a.ndjson --config none.json", 78,
            "sheaf: none.json: the configuration cannot be read: No such file or directory"),
        FailingCommand(
            "mistyped key", "replay a.ndjson --config typo.json", 78,
            "sheaf: typo.json:3: apps.\"com.example.a\".catagories: unknown key 'catagories', "
                + "did you mean 'categories'?"),
        FailingCommand(
            "missing string tables", "replay a.ndjson --config key.json", 78,
            "sheaf: key.json:1: apps.a.categories.m.categorySummaryFormat: a key needs the app's string tables: "
                + "set 'strings' to their folder"),
        FailingCommand(
            "broken configuration", "replay a.ndjson --config broken.json", 78,
            "sheaf: broken.json:2: not valid JSON at column 1"),
        FailingCommand(
            "empty configuration", "replay a.ndjson --config empty.json", 78,
            "sheaf: empty.json: the configuration is empty: write {} for one without settings"
        ),
        FailingCommand(
            "configuration of white space", "check a.ndjson --config white.json", 78,
            "sheaf: white.json: the configuration is empty"),
        FailingCommand(
            "too many apps", "generate --records 1 --seed 1 --apps 1000001", 64,
            "--apps is 1000001, but must be from 1 to 1000000"),
        FailingCommand(
            "too many thread identifiers", "generate --records 1 --seed 1 --thread-ids 4000000000", 64,
            "--thread-ids is 4000000000, but must be from 0 to 10000000"),
        FailingCommand(
            "too many by the old name", "generate --records 1 --seed 1 --threads 4000000000", 64,
            "--threads is 4000000000, but must be from 0 to 10000000"),
        FailingCommand(
            "both names of an option", "generate --records 1 --seed 1 --threads 3 --thread-ids 3", 64,
            "--threads is the old name of --thread-ids: give only --thread-ids"),
        FailingCommand(
            "too many files", "generate --records 1 --seed 1 -o x --files 100001", 64,
            "--files is 100001, but must be from 1 to 100000"),
        FailingCommand("no records", "generate --seed 1", 64, "Missing expected argument '--records"),
        FailingCommand(
            "files without a name", "generate --records 1 --seed 1 --files 2", 64,
            "--files 2 needs -o with a name for the files"),
        FailingCommand(
            "a negative number of records", "generate --records -1 --seed 1", 64,
            "--records is -1, but must be 0 or more"),
    ]

    @Test(arguments: cases) func failsWithAStatusAndAMessage(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("empty"), withIntermediateDirectories: true)
            try command.write("{\"apps\":{\n\"com.example.a\":{\n\"catagories\":{}}}}", to: "typo.json")
            try command.write(
                #"{"apps":{"a":{"categories":{"m":{"categorySummaryFormat":{"key":"X"}}}}}}"#, to: "key.json")
            try command.write("{\n]", to: "broken.json")
            try command.write("", to: "empty.json")
            try command.write("\u{feff} \r\n\t", to: "white.json")
            try command.expect(failure)
        }
    }

    /// An empty path comes from a shell variable that is not set.
    @Test(arguments: [
        (["replay", ""], "the source is an empty path: name a file or folder, or - for standard input"),
        (["check", "a", ""], "source 2 of 2 is an empty path"),
        (["merge", "", "p"], "source 1 of 2 is an empty path"),
        (
            ["replay", "a", "-o", ""],
            "--output is an empty path: name a file or folder, or leave the option out"
        ),
        (["replay", "a", "--config", ""], "--config is an empty path"),
        (["replay", "a", "--stats", ""], "--stats is an empty path"),
        (["replay", "a", "--rejects", ""], "--rejects is an empty path"),
        (["replay", "a", "--checkpoint", ""], "--checkpoint is an empty path"),
        (["replay", "a", "--spill-dir", ""], "--spill-dir is an empty path"),
        (["replay", "a", "--partial", ""], "--partial is an empty path"),
        (["check", "a", "-o", ""], "--output is an empty path"),
        (["generate", "--records", "1", "--seed", "1", "-o", ""], "--output is an empty path"),
    ])
    func anEmptyPathIsRefused(_ arguments: [String], message: String) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a")
            let result = try command.run(arguments)
            #expect(result.status == 64)
            #expect(result.errors.contains("Error: \(message)"), "\(result.errors)")
            #expect(try command.names == ["a"])
        }
    }

    /// Quoted arguments must not move the cursor, change colours or start new lines.
    @Test(arguments: [
        (["replay", "a", "--x\u{1b}[31m"], "Error: Unknown option '--x␛[31m'"),
        (["replay", "a", "--x\nError: y=3"], "Error: Unknown option '--x␊Error: y'"),
        (
            ["replay", "a", "--threads", "1\r\n\u{7}"],
            "Error: The value '1␍␊␇' is invalid for '--threads <N>': it must be a whole number"
        ),
        (
            ["replay", "a", "--threads=1\n2"],
            "Error: The value '1␊2' is invalid for '--threads <N>': it must be a whole number"
        ),
        (["repl\u{202e}ay"], "Error: unknown subcommand 'repl<U+202E>ay', did you mean 'replay'?"),
    ])
    func parserErrorsMakeControlCharactersVisible(_ arguments: [String], _ message: String) throws {
        try withFolder { command in
            let result = try command.run(arguments)
            #expect(result.status == 64)
            #expect(result.errors.split(separator: "\n").first.map(String.init) == message)
            #expect(result.errors.contains("\nUsage: sheaf "))
            #expect(!result.errors.contains("\u{1b}"))
        }
    }

    /// A byte order mark is skipped and does not count towards columns.
    @Test func aConfigurationMayBeginWithAByteOrderMark() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.write("\u{feff}{\"apps\":{}}", to: "mark.json")
            try command.write("\u{feff}{\"apps\":{},x}", to: "wrong.json")
            let result = try command.run("replay", "-q", "a.ndjson", "--config", "mark.json")
            #expect(result.output == oneGroup)
            let wrong = try command.run("replay", "-q", "a.ndjson", "--config", "wrong.json")
            #expect(wrong.errors == "sheaf: wrong.json:1: not valid JSON at column 12\n")
        }
    }

    @Test func anUnreadableFileIsNamed() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let path = command.folder.appendingPathComponent("a.ndjson").path
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
            // The superuser may read everything: the command then runs as another user.
            let line =
                "if [ $(id -u) -eq 0 ]; then chmod 755 . && setpriv --reuid 65534 --clear-groups"
                + #" "$SHEAF" replay a.ndjson; else "$SHEAF" replay a.ndjson; fi"#
            let result = try command.shell(line)
            #expect(result.status == 66)
            #expect(result.errors == "sheaf: a.ndjson: cannot be opened: Permission denied\n")
        }
    }

    @Test func aFullDiskIsReported() throws {
        try withFolder { command in
            guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.run("replay", "a.ndjson", "-o", "/dev/full")
            #expect(result.status == 74)
            #expect(result.errors == "sheaf: /dev/full: writing failed: No space left on device\n")
        }
    }

    struct Damage: CustomTestStringConvertible {
        let name: String
        let shell: String
        let message: String
        var testDescription: String { name }
    }

    /// Each shell command makes `d.gz` from `a.gz`, which has 2 lines.
    static let damages = [
        Damage(
            name: "truncated", shell: "head -c 40 a.gz > d.gz",
            message: "sheaf: d.gz: the gzip data ends in the middle of a member, at byte 40; "),
        Damage(
            name: "garbage", shell: "(cat a.gz; printf garbage) > d.gz",
            message: "sheaf: d.gz: bytes after the last gzip member are not gzip data, at byte SIZE; "),
        Damage(
            name: "bad checksum",
            shell: "(head -c -8 a.gz; printf xxxx; tail -c 4 a.gz) > d.gz",
            message: "sheaf: d.gz: the checksum at byte SIZE-8 does not match the data before it; "),
        Damage(
            name: "bad length", shell: "(head -c -4 a.gz; printf xxxx) > d.gz",
            message: "sheaf: d.gz: the length at byte SIZE-4 does not match the data before it; "),
    ]

    @Test(arguments: damages) func aDamagedSourceIsUsedUpToTheDamage(_ damage: Damage) throws {
        try withFolder { command in
            try command.write(oneNotification + oneNotification, to: "a.ndjson")
            #expect(try command.shell("gzip -nc a.ndjson > a.gz && \(damage.shell)").status == 0)
            let size = try Data(contentsOf: command.folder.appendingPathComponent("a.gz")).count
            let message = damage.message
                .replacingOccurrences(of: "SIZE-8", with: "\(size - 8)")
                .replacingOccurrences(of: "SIZE-4", with: "\(size - 4)")
                .replacingOccurrences(of: "SIZE", with: "\(size)")
            let result = try command.run("replay", "d.gz", "a.ndjson", "-o", "out.ndjson")
            #expect(result.status == 65)
            #expect(result.errors.contains(message + "the data before that was used\n"), "\(result.errors)")
            // The other source is used completely.
            #expect(try command.read("out.ndjson").contains(#""source":"a.ndjson","line":2"#))
        }
    }
}
