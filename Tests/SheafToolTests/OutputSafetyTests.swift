import Foundation
import TestTags
import Testing

@testable import SheafTool

/// Outputs never replace inputs or each other, and files with state are private.
@Suite(.tags(.spilling)) struct OutputSafetyTests {
    struct Clash: CustomTestStringConvertible {
        let name: String
        /// A shell command. Its folder has a log, a configuration with a string table, `link` to the folder, and
        /// `hard`, a hard link to the log.
        let line: String
        let message: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Clash(
            name: "a new file by two names", line: "replay log -o dup --stats ./dup",
            message: "--stats and the snapshot would both be written to './dup'"),
        Clash(
            name: "through a folder's parent", line: "replay log -o dup --rejects app/../dup",
            message: "--rejects and the snapshot would both be written to 'app/../dup'"),
        Clash(
            name: "through a link", line: "replay log --rejects dup --stats link/dup",
            message: "--stats and --rejects would both be written to 'link/dup'"),
        Clash(
            name: "by an absolute path", line: #"replay log --partial dup --stats "$PWD/dup""#,
            message: "--stats and --partial would both be written to '"),
        Clash(
            name: "the configuration", line: "replay log -o c.json --config c.json",
            message: "'c.json' is a configuration file: the snapshot would replace it"),
        Clash(
            name: "a string table",
            line: "replay log --stats app/en.lproj/Localizable.strings --config ./c.json",
            message:
                "'app/en.lproj/Localizable.strings' is a configuration file: --stats would replace it"
        ),
        Clash(
            name: "a check's configuration", line: "check log -o link/c.json --config c.json",
            message: "'link/c.json' is a configuration file: the report would replace it"),
        Clash(
            name: "a merge's configuration", line: "merge part -o c.json --config c.json",
            message: "'c.json' is a configuration file: the snapshot would replace it"),
        Clash(
            name: "standard input", line: "replay - -o log < log",
            message: "'log' is standard input, a source: the snapshot would replace it"),
        Clash(
            name: "standard input by a hard link", line: "replay - --rejects hard < log",
            message: "'hard' is standard input, a source: --rejects would replace it"),
        Clash(
            name: "a check's standard input", line: "check - -o log < log",
            message: "'log' is standard input, a source: the report would replace it"),
        Clash(
            name: "a source by a hard link", line: "replay log -o hard",
            message: "'hard' is a source: the snapshot would replace it"),
        Clash(
            name: "standard output to a source", line: "replay log >> log",
            message: "standard output is 'log', a source: the snapshot would be written to it"),
        Clash(
            name: "standard output to a folder's file", line: "replay link/app --config c.json >> app/more",
            message: "standard output is 'link/app/more', a source: the snapshot would be written to it"),
        Clash(
            name: "standard output to standard input", line: "replay - < log >> log",
            message: "standard output is standard input, a source: the snapshot would be written to it"),
        Clash(
            name: "standard output to the configuration", line: "replay log --config c.json >> c.json",
            message:
                "standard output is 'c.json', a configuration file: the snapshot would be"),
        Clash(
            name: "standard output to another output", line: "replay log --stats old >> old",
            message: "--stats and the snapshot would both be written to 'old'"),
        Clash(
            name: "rejects to standard output", line: "replay log -o old --rejects - >> old",
            message: "--rejects and the snapshot would both be written to 'old'"),
        Clash(
            name: "the checkpoint", line: "replay log -o new --checkpoint ./new",
            message: "--checkpoint and the snapshot would both be at './new'"),
    ])
    func clashingPathsAreRefused(_ clash: Clash) throws {
        try withFolder { command in
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("app/en.lproj"), withIntermediateDirectories: true)
            try command.write(oneNotification, to: "log")
            try command.write("", to: "old")
            try command.write("log", to: "app/more")
            try command.write(#""K" = "V";"# + "\n", to: "app/en.lproj/Localizable.strings")
            let configuration = #"{"apps":{"com.example.a":{"strings":"app"}}}"#
            try command.write(configuration, to: "c.json")
            #expect(
                try command.shell(#"ln log hard; ln -s . link; "$SHEAF" replay log -q --partial part"#).status
                    == 0)
            let before = try command.names
            let result = try command.shell(#""$SHEAF" "# + clash.line)
            #expect(result.status == 64)
            #expect(result.errors.contains("sheaf: \(clash.message)"), "\(result.errors)")
            #expect(result.output.isEmpty)
            #expect(try command.names == before)
            #expect(try command.read("log") == oneNotification)
            #expect(try command.read("c.json") == configuration)
            #expect(try command.read("old").isEmpty)
        }
    }

    struct Closed: CustomTestStringConvertible {
        let line: String
        let status: Int32
        var message = ""
        /// The contents of `out` afterwards; nil if it must not exist.
        var output: String?
        var testDescription: String { line }
    }

    private static let outputClosed = "sheaf: standard output: the output cannot be created: it is closed\n"

    @Test(arguments: [
        Closed(line: "replay log -q --rejects bad >&-", status: 73, message: outputClosed),
        Closed(line: "replay log -q --stats - -o out >&-", status: 73, message: outputClosed),
        Closed(line: "check log -q <&- >&-", status: 73, message: outputClosed),
        Closed(line: "generate --records 1 --seed 1 >&-", status: 73, message: outputClosed),
        Closed(line: "replay - -q <&-", status: 66, message: "sheaf: -: cannot be opened: it is closed\n"),
        Closed(line: "replay log -o out >&-", status: 0, message: "1 record from 1 source", output: oneGroup),
        Closed(line: "replay log -o out <&- >&- 2>&-", status: 0, output: oneGroup),
        Closed(line: "replay log none -o out <&- >&- 2>&-", status: 66),
    ])
    func closedStandardStreamsAreHandled(_ item: Closed) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log")
            let result = try command.shell(#""$SHEAF" "# + item.line)
            #expect(result.status == item.status)
            #expect(result.errors.hasPrefix(item.message), "\(result.errors)")
            let names = item.output == nil ? ["log"] : ["log", "out"]
            #expect(try command.names == names)
            if let output = item.output {
                #expect(try command.read("out") == output.replacing("a.ndjson", with: "log"))
            }
        }
    }

    @Test func aReplacedOutputKeepsItsMode() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log")
            let line = """
                umask 022; touch out bad stats; chmod 640 out; chmod 600 bad; chmod 664 stats; ln -s out link
                "$SHEAF" replay log -q -o link --rejects bad --stats stats && "$SHEAF" replay log -q -o new
                stat -c '%a %F' out bad stats new link
                """
            let result = try command.shell(line)
            #expect(
                result.output
                    == "640 regular file\n600 regular empty file\n664 regular file\n644 regular file\n"
                    + "777 symbolic link\n")
        }
    }

    /// Spilled state contains titles, texts and devices.
    @Test func spilledStateIsPrivate() throws {
        try withFolder { command in
            let line = """
                umask 000; mkdir spill; mkfifo pipe
                SHEAF_SPILL=always "$SHEAF" replay pipe -q -o out --spill-dir spill --chunk-size 4KiB &
                exec 3> pipe; "$SHEAF" generate --records 2000 --seed 7 >&3
                until ls spill | grep -q run; do :; done
                kill -KILL $!; wait
                stat -c '%a' spill/* | sort -u
                """
            let result = try command.shell(line)
            #expect(result.output == "600\n")
        }
    }

    @Test func aCheckpointIsPrivate() throws {
        try withFolder { command in
            try command.write(String(repeating: oneNotification + "{bad\n", count: 160_000), to: "log")
            let line = """
                umask 000
                "$SHEAF" replay log -q -o out --rejects bad --checkpoint check --checkpoint-interval 1ms \
                    --chunk-size 4KiB 2> /dev/null &
                until ls check 2> /dev/null | grep -q 'checkpoint-[0-9]*$'; do :; done
                kill -TERM $!; wait
                stat -c '%a' check check/* | sort | uniq
                """
            #expect(try command.shell(line).output == "600\n700\n")
        }
    }

    @Test func aLinkInPlaceOfALockIsNotFollowed() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log")
            let line = """
                mkdir check spill; ln -s ../victim check/checkpoint.lock; ln -s ../victim spill/sheaf-spill-1.lock
                "$SHEAF" replay log -q -o out --checkpoint check; echo $?
                "$SHEAF" replay log -q -o out --spill-dir spill; echo $?
                """
            let result = try command.shell(line)
            #expect(result.output == "73\n0\n")
            #expect(
                result.errors
                    == "sheaf: check/checkpoint.lock: the output cannot be created: it is a symbolic link, "
                    + "which is not followed\n")
            #expect(try command.names == ["check", "log", "out", "spill"])
        }
    }

    @Test func aLinkInPlaceOfACheckpointIsNotFollowed() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log")
            let line = """
                mkdir check; echo theirs > victim; ln -s ../victim check/checkpoint-1
                "$SHEAF" replay log -q -o out --checkpoint check; echo $?; cat victim
                """
            let result = try command.shell(line)
            #expect(result.output == "74\ntheirs\n")
            #expect(
                result.errors
                    == "sheaf: check/checkpoint-1: reading back failed: it is a symbolic link, which is not followed\n"
            )
        }
    }
}
