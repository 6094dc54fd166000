import Foundation
import TestTags
import Testing

@testable import SheafTool

/// The command works within the system's limits, or reports them and leaves no files.
@Suite(.tags(.extended)) struct SystemLimitTests {
    /// 101 sources: a long one, which comes first, and 100 with one rejected line each.
    private static func withSources(_ body: (Command) throws -> Void) throws {
        try withFolder { command in
            let line = #"""
                mkdir many spill && "$SHEAF" generate -q --records 1000 --seed 1 -o many/0 && cd many \
                && seq 100 | sed 's/^/garbage /' | split -l 1 -a 3 - x
                """#
            #expect(try command.shell(line).status == 0)
            try body(command)
        }
    }

    struct Limit: CustomTestStringConvertible {
        let files: Int
        let options: String
        var testDescription: String { "\(files) files, \(options)" }
    }

    /// Limits on open files. The smallest that works depends on the files that the process already has open.
    static let limits = [64, 32].flatMap { files in
        [
            "--threads 16 --spill-dir spill", "--checkpoint check --checkpoint-interval 1ms",
        ].map { Limit(files: files, options: $0) }
    }

    @Test(arguments: limits) func fewOpenFilesChangeNothing(_ limit: Limit) throws {
        try Self.withSources { command in
            let replay = #""$SHEAF" replay -q many --max-rejects 100 --chunk-size 16KiB"#
            let expected = try command.shell(
                replay + " --spill-dir spill -o expected --rejects expected-rejects")
            #expect(expected.status == 0, "\(expected.errors)")
            let limited =
                "ulimit -n \(limit.files); SHEAF_SPILL=always \(replay) \(limit.options) -o out --rejects rejects"
            let result = try command.shell(limited)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors == expected.errors)
            #expect(try command.read("out") == command.read("expected"))
            #expect(try command.read("rejects") == command.read("expected-rejects"))
            #expect(try command.read("rejects").split(separator: "\n").count == 100)
            #expect(
                try command.shell("ls -A spill check 2>/dev/null | grep -v : | grep .").output == "")
        }
    }

    /// A pipe is in no folder, and no file can be created in the current one.
    @Test(arguments: ["-", "/dev/stdout"])
    func rejectsToAPipeAreSpooledInTheSpillFolder(_ path: String) throws {
        try Self.withSources { command in
            let line = #"""
                folder=$PWD; cd /proc; ulimit -n 64; \
                "$SHEAF" replay -q $folder/many --max-rejects 100 -o /dev/null --spill-dir $folder/spill
                """#
            let result = try command.shell(line + " --rejects \(path) | cat; ls -A $folder/spill")
            #expect(
                result.errors.hasPrefix("sheaf: warning: no record of 100 of 101 sources is read, such as "))
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
            #expect(result.output.split(separator: "\n").count == 100)
        }
    }

    @Test func morePartialResultsThanOpenFilesCanBeMerged() throws {
        try withFolder { command in
            let line = #"""
                "$SHEAF" generate -q --records 700 --seed 5 --files 70 -o log.nd && mkdir parts && \
                for file in log*; do "$SHEAF" replay -q $file --partial parts/$file || exit; done; \
                "$SHEAF" merge -q parts -o expected && ulimit -n 32 && "$SHEAF" merge -q parts -o out && cmp out expected
                """#
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    /// The limit is checked before any output is opened, so that no file is left.
    @Test(arguments: [
        "replay a.ndjson", "check a.ndjson", "merge a.ndjson", "generate --records 1 --seed 1 -o o",
    ])
    func tooFewOpenFilesAreReported(_ arguments: String) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.shell("ulimit -n 12; $SHEAF \(arguments)")
            #expect(result.status == 64)
            #expect(
                result.errors.contains(
                    #/^sheaf: only \d more files can be opened, and \d+ are needed: raise the limit/#))
            #expect(try command.names == ["a.ndjson"])
        }
    }

    @Test func aSoftLimitIsRaised() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.shell("ulimit -S -n 12; $SHEAF replay -q a.ndjson")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == oneGroup)
        }
    }

    #if os(Linux)
    /// The message names the number of threads.
    @Test func threadsAreAsManyAsTheProcessorsItIsBoundTo() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let line = #"""
                first=$(taskset -cp $$ | sed 's/.*: //; s/[^0-9].*//')
                taskset -c "$first" "$SHEAF" replay a.ndjson --memory 10MiB
                """#
            let result = try command.shell(line)
            #expect(
                result.errors.contains("10 MiB of memory is too little: 1 thread and lines"),
                "\(result.errors)")
        }
    }

    /// Runs a command with an empty folder at `/proc`.
    private static func withoutProc(_ line: String) -> String {
        "unshare --mount --map-root-user sh -c 'mount -n -t tmpfs none /proc && exec \(line)'"
    }

    private static let canHideProc: Bool = {
        var isHidden = false
        try? withFolder { isHidden = try $0.shell(withoutProc("true")).status == 0 }
        return isHidden
    }()

    /// The Swift runtime reads the arguments from `/proc`: without them the command would print its help.
    @Test(.enabled(if: canHideProc), arguments: ["replay a.ndjson -o out", "--version"])
    func aMissingProcIsReported(_ arguments: String) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            let result = try command.shell(Self.withoutProc("\"$SHEAF\" \(arguments)"))
            #expect(result.status == 70)
            #expect(
                result.errors
                    == "sheaf: /proc is not available: mount it, for example with mount -t proc proc /proc\n")
            #expect(result.output == "")
            #expect(try command.names == ["a.ndjson"])
        }
    }
    #endif

    struct Writing: CustomTestStringConvertible {
        let name: String
        let line: String
        var testDescription: String { name }
    }

    static let writings = [
        Writing(name: "snapshot", line: "$SHEAF replay -q log.nd -o out"),
        Writing(name: "partial result", line: "$SHEAF replay -q log.nd --partial out"),
        Writing(name: "rejects", line: "$SHEAF replay -q bad.nd -o out --rejects rejects"),
        Writing(
            name: "spilled state", line: "SHEAF_SPILL=always $SHEAF replay -q log.nd -o out --spill-dir ."),
        Writing(name: "log", line: "$SHEAF generate -q --records 1000 --seed 1 -o out"),
    ]

    @Test(arguments: writings) func aFileSizeLimitIsReportedWithoutLeavingFiles(_ writing: Writing) throws {
        try withFolder { command in
            #expect(
                try command.run("generate", "-q", "--records", "3000", "--seed", "1", "-o", "log.nd").status
                    == 0)
            try command.write(String(repeating: "garbage\n", count: 1000), to: "bad.nd")
            let result = try command.shell("ulimit -f 1; \(writing.line)")
            #expect(result.status == 74)
            #expect(
                result.errors.hasSuffix(
                    ": writing failed: File too large; raise the limit on file sizes (ulimit -f)\n"),
                "\(result.errors)")
            #expect(try command.names == ["bad.nd", "log.nd"])
        }
    }

    @Test func theLimitOnProcessorTimeEndsItWithoutLeavingFiles() throws {
        try withFolder { command in
            let result = try command.runReading(
                ["replay", "-", "-o", "out.ndjson", "--rejects", "bad.ndjson", "--spill-dir", "."],
                endedBy: SIGXCPU)
            #expect(result.status == 128 + SIGXCPU)
            #expect(
                result.errors
                    == "sheaf: the limit on processor time was reached (ulimit -t); no file was written\n")
            #expect(try command.names == [])
        }
    }
}
