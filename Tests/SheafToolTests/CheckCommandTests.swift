import Foundation
import SheafGroups
import TestSupport
import Testing

@testable import SheafTool

@Suite struct CheckCommandTests {
    private static let good =
        #"{"app":"a","ts":1700000000,"payload":{"aps":{"alert":"x","category":"order"}}}"# + "\n"
    private static let untimed = #"{"app":"a","payload":{"aps":{"alert":"x"}}}"# + "\n"
    private static let config = #"{"apps":{"a":{"categories":{"other":{}}}}}"#

    /// Expects this status and standard output, and nothing on standard error.
    private func expect(_ result: Command.Result, _ status: Int32, _ output: String) {
        #expect(result.status == status)
        #expect(result.output == output)
        #expect(result.errors.isEmpty, "\(result.errors)")
    }

    // MARK: Findings

    @Test func aCleanLogHasNoFindings() throws {
        try withFolder { command in
            try command.write(Self.good, to: "log")
            expect(try command.run("check", "log"), 0, "1 record from 1 source: 0 errors, 0 warnings\n")
            expect(
                try command.run("check", "log", "--fail-on", "warning"), 0,
                "1 record from 1 source: 0 errors, 0 warnings\n")
        }
    }

    @Test func failOnWarningMakesAWarningAFailure() throws {
        try withFolder { command in
            try command.write(Self.good + Self.untimed, to: "log")
            let text = """
                warning  1  untimed
                            log:2
                            No timestamp: the record counts as older than every dated one.

                2 records from 1 source: 0 errors, 1 warning

                """
            expect(try command.run("check", "log"), 0, text)
            expect(try command.run("check", "log", "--fail-on", "error"), 0, text)
            expect(try command.run("check", "log", "--fail-on", "warning"), 65, text)
        }
    }

    @Test func anErrorIsAFailure() throws {
        try withFolder { command in
            let text = """
                error  1  json.invalid
                          -:2
                          Not exactly one JSON value in valid UTF-8.

                2 records from 1 source: 1 error, 0 warnings

                """
            for level in ["error", "warning"] {
                expect(
                    try command.run("check", "-", "--fail-on", level, input: Self.good + "{bad\n"), 65, text)
            }
        }
    }

    /// Some findings need a configuration or a profile.
    @Test func configurationAndProfileAddFindings() throws {
        try withFolder { command in
            let summary =
                #"{"app":"a","ts":1,"payload":{"aps":{"alert":{"body":"x","summary-arg":"A"}}}}"# + "\n"
            try command.write(Self.good + summary, to: "log")
            try command.write(Self.config, to: "config.json")
            func names(_ options: String...) throws -> [String] {
                let result = try command.run(["check", "log", "--format", "json", "-q"] + options)
                #expect(result.status == 0)
                return result.output.matches(of: /"name":"([^"]*)"/).map { String($0.1) }
            }
            #expect(try names() == [])
            #expect(try names("--config", "config.json") == ["category.unknown"])
            #expect(try names("--profile", "ios15") == ["summary.deprecated"])
            #expect(try names("--profile", "ios12") == [])
            #expect(
                try names("--profile", "ios15", "--config", "config.json")
                    == ["category.unknown", "summary.deprecated"])
        }
    }

    @Test func aLineLongerThanTheLimitIsAFinding() throws {
        try withFolder { command in
            try command.write(Self.good, to: "log")
            let count = Self.good.utf8.count - 1
            #expect(try command.run("check", "log", "--max-line", "\(count)").status == 0)
            let result = try command.run("check", "log", "--max-line", "\(count - 1)")
            #expect(result.status == 65)
            #expect(result.output.hasPrefix("error  1  line.too-long\n          log:1\n"))
        }
    }

    // MARK: Output

    @Test func reportsAsJSON() throws {
        try withFolder { command in
            try command.write(Self.untimed, to: "log")
            let json =
                #"{"sources":1,"lines":1,"blank":0,"records":1,"errors":0,"warnings":1,"findings":["#
                + #"{"name":"untimed","severity":"warning","count":1,"first":{"source":"log","line":1}}]}"#
                + "\n"
            let result = try command.run("check", "log", "--format", "json")
            #expect(result.output == json)
            #expect(result.errors == "1 record from 1 source: 0 errors, 1 warning\n")
            expect(try command.run("check", "log", "--format", "json", "--quiet"), 0, json)
        }
    }

    @Test func writesTheReportToAFile() throws {
        try withFolder { command in
            try command.write(Self.untimed, to: "log")
            let result = try command.run("check", "log", "-o", "report")
            #expect(result.status == 0)
            #expect(result.output.isEmpty)
            #expect(result.errors == "1 record from 1 source: 0 errors, 1 warning\n")
            #expect(try command.read("report").hasPrefix("warning  1  untimed\n"))
            #expect(try command.names == ["log", "report"])
            #expect(try command.run("check", "log", "-o", "report.gz", "-q").errors.isEmpty)
            #expect(try command.shell("gzip -dc report.gz").output == command.read("report"))
        }
    }

    // MARK: Rules

    @Test func rulesAreListed() throws {
        try withFolder { command in
            let text = try command.run("check", "--rules")
            #expect(text.status == 0)
            #expect(text.errors.isEmpty)
            for rule in CheckFinding.all { #expect(text.output.contains("  \(rule.name)\n"), "\(rule.name)") }
            #expect(
                text.output.contains(
                    """
                    error    BadTopic
                             The topic does not fit the push type: Apple's service refuses it.
                             Apple: Sending notification requests to APNs: BadTopic

                    """))
            let json = try command.run(
                "check", "--rules", "--format", "json", "--disable", "BadTopic", "--severity", "untimed=error"
            )
            let names = json.output.matches(of: /"name":"([^"]*)"/).map { String($0.1) }
            #expect(names.count == CheckFinding.all.count - 1)
            #expect(!names.contains("BadTopic"))
            #expect(json.output.contains(#"{"name":"untimed","severity":"error","page":"Sheaf: Records","#))
            #expect(
                json.output.contains(
                    #""name":"BadPriority","severity":"error","serviceError":"BadPriority","#))
            #expect(try command.run("check", "--rules", "-o", "rules.json").output.isEmpty)
            #expect(try command.read("rules.json").hasPrefix("{\"rules\":["))
        }
    }

    @Test func rulesAreDisabledAndChanged() throws {
        try withFolder { command in
            try command.write(Self.untimed + "{bad\n", to: "log")
            let disabled = try command.run(
                "check", "log", "--disable", "untimed", "--disable", "json.invalid", "--fail-on", "warning")
            expect(disabled, 0, "2 records from 1 source: 0 errors, 0 warnings\n")
            let changed = try command.run(
                "check", "log", "--severity", "untimed=error", "--severity", "json.invalid=warning")
            #expect(changed.status == 65)
            #expect(changed.output.hasPrefix("error    1  untimed\n"))
            let allowed = try command.run("check", "log", "--severity", "json.invalid=warning")
            #expect(allowed.status == 0)
        }
    }

    /// The last limit of a rule counts, and the explanation has it.
    @Test func limitsAreSet() throws {
        try withFolder { command in
            let line = #"{"app":"a","device":"x","ts":1700000000,"aps":{"alert":"x"}}"# + "\n"
            try command.write(String(repeating: line, count: 6), to: "log")
            expect(try command.run("check", "log"), 0, "6 records from 1 source: 0 errors, 0 warnings\n")
            let text = """
                warning  1  thread.crowded
                            log:1
                            A person got over 5 notifications of an app in a day, all in one
                            thread. First: a, 6 on one device in one day

                6 records from 1 source: 0 errors, 1 warning

                """
            expect(
                try command.run("check", "log", "--limit", "thread.crowded=9", "--limit", "thread.crowded=5"),
                0,
                text)
            let rules = try command.run("check", "--rules", "--limit", "thread.crowded=5").output
            #expect(rules.contains("A person got over 5 notifications of an app in a day"))
            #expect(rules.contains("are interrupted over 20 times a day"))
        }
    }

    // MARK: Baselines

    @Test func onlyNewFindingsFail() throws {
        try withFolder { command in
            try command.write(Self.untimed + "{bad\n", to: "log")
            #expect(try command.run("check", "log", "--write-baseline", "known.json").status == 65)
            expect(
                try command.run("check", "log", "--baseline", "known.json", "--fail-on", "warning"), 0,
                "2 records from 1 source: 0 errors, 0 warnings, 2 known\n")
            try command.write(Self.good + Self.untimed + "{bad\n{worse\n", to: "log")
            expect(
                try command.run("check", "log", "--baseline", "known.json"), 65,
                """
                error  1  json.invalid
                          log:3
                          Not exactly one JSON value in valid UTF-8.

                4 records from 1 source: 1 error, 0 warnings, 2 known

                """)
        }
    }

    // MARK: All findings

    @Test func allFindingsAreWritten() throws {
        try withFolder { command in
            try command.write(Self.untimed + Self.good + "{bad\n" + Self.untimed, to: "log")
            let lines = """
                {"source":"log","line":1,"index":0,"app":"a","device":null,"rule":"untimed","severity":"warning","value":null}
                {"source":"log","line":3,"index":0,"app":null,"device":null,"rule":"json.invalid","severity":"error","value":"{bad"}
                {"source":"log","line":4,"index":0,"app":"a","device":null,"rule":"untimed","severity":"warning","value":null}

                """
            #expect(try command.run("check", "log", "--findings", "all", "-o", "report", "-q").status == 65)
            #expect(try command.read("all") == lines)
            #expect(
                try command.run("check", "log", "--findings", "all.gz", "-o", "report", "-q").status == 65)
            #expect(try command.shell("gzip -dc all.gz").output == lines)
            #expect(
                try command.run("check", "log", "--findings", "all.zst", "-o", "report", "-q").status == 65)
            #expect(try command.names == ["all", "all.gz", "all.zst", "log", "report"])
            expect(
                try command.run(
                    "check", "log", "--findings", "-", "-o", "report", "--disable", "untimed", "-q"), 65,
                String(lines.split(separator: "\n")[1]) + "\n")
        }
    }

    // MARK: Other programs

    @Test func reportsForOtherPrograms() throws {
        try withFolder { command in
            try command.write(Self.untimed, to: "a b.ndjson")
            let github = try command.run("check", "a b.ndjson", "--format", "github", "-q")
            expect(
                github, 0,
                "::warning file=a b.ndjson,line=1,title=untimed::No timestamp: the record counts as older than "
                    + "every dated one.\n")
            #expect(try command.run("check", "a b.ndjson", "-o", "report.sarif", "-q").status == 0)
            let sarif = try command.read("report.sarif")
            #expect(sarif.hasPrefix("{\"$schema\":"))
            let version = try command.run("--version").output.dropLast()
            #expect(sarif.contains("\"name\":\"sheaf\",\"version\":\"\(version)\",\"informationUri\":"))
            #expect(sarif.contains("\"uri\":\"a%20b.ndjson\""))
            let schema = try JSONSchema(Array(Repository.contents(of: "Data/check/sarif-schema.json")))
            #expect(try schema.errors(in: Array(sarif.utf8)) == [])
        }
    }

    @Test func everyDamagedSourceIsReported() throws {
        try withFolder { command in
            try command.write(Self.good, to: "log")
            #expect(try command.shell("gzip -c log | head -c 70 > a.gz; cp a.gz b.gz").status == 0)
            let result = try command.run("check", "a.gz", "log", "b.gz")
            #expect(result.status == 65)
            #expect(
                result.output == """
                    error  2  gzip.truncated
                              a.gz at byte 70
                              The compressed data ends early; everything before that was checked.

                    1 record from 3 sources: 2 errors, 0 warnings

                    """)
            let line =
                "the gzip data ends in the middle of a member, at byte 70; the data before that was checked"
            #expect(result.errors == "sheaf: a.gz: \(line)\nsheaf: b.gz: \(line)\n")
        }
    }

    @Test func aClosedPipeEndsItQuietly() throws {
        try withFolder { command in
            let line = """
                yes x | head -n 100000 | "$SHEAF" check - --format json --threads 2 | head -c 0; \
                echo "${PIPESTATUS[@]:2}"
                """
            let result = try command.shell(line)
            #expect(result.output == "65 0\n")
            #expect(!result.errors.contains("sheaf:"))
        }
    }

    @Test(arguments: interruptions)
    func aSignalEndsItWithoutLeavingFiles(signal: Int32, status: Int32) throws {
        try expectInterruption(of: ["check", "-", "-o", "report"], by: signal, status: status)
    }

    #if os(Linux)
    /// Runs the line on a terminal of 60 columns, provided by `script`, and returns what the terminal receives.
    private func onTerminal(_ command: Command, _ line: String) throws -> String {
        try command.onTerminal(line).replacing("\r", with: "")
    }

    @Test func reportsFitATerminalOfSixtyColumns() throws {
        try withFolder { command in
            // The terminal must not receive the name's control characters.
            let name = "\u{1b}]0;x\u{7} \u{202e}" + String(repeating: "long ", count: 20) + ".gz"
            try command.write(Self.good + Self.untimed + "{bad\n", to: "log")
            #expect(
                try command.shell("mkdir logs && gzip -c log | head -c 100 > \"logs/$(printf '\(name)')\"")
                    .status
                    == 0)
            let text = try onTerminal(command, "NO_COLOR=1 $SHEAF check logs log")
            let controls = text.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || (0x7f..<0xa0).contains($0.value) || $0.value == 0x202e
            }
            // Only erasing the progress line uses escape sequences.
            #expect(controls.allSatisfy { $0 == "\u{1b}" })
            #expect(!text.contains("\u{1b}]"))
            let report = text.replacing("\u{1b}[K", with: "").split(separator: "\n")
            #expect(report.contains { $0.hasPrefix("error    1  gzip.truncated") })
            #expect(report.contains { $0.hasSuffix("long .gz at byte 100") && $0.count <= 60 })
            for line in report where !line.hasPrefix("sheaf:") { #expect(line.count <= 60, "\(line)") }
        }
    }

    @Test func onlyTextOnATerminalIsColoured() throws {
        try withFolder { command in
            try command.write(Self.untimed, to: "log")
            #expect(
                try onTerminal(command, "env -u NO_COLOR $SHEAF check log -q").contains("\u{1b}[1;33mwarning")
            )
            #expect(!(try onTerminal(command, "NO_COLOR=1 $SHEAF check log -q").contains("\u{1b}")))
            #expect(!(try onTerminal(command, "$SHEAF check log -q --format json").contains("\u{1b}")))
            #expect(!(try command.run("check", "log", "-q").output.contains("\u{1b}")))
        }
    }
    #endif

    // MARK: Failures

    @Test(arguments: [
        FailingCommand("no sources", "check", 64, "Missing expected argument '<SOURCE> ...'"),
        FailingCommand(
            "a locale without string tables", "check log --locale de", 64,
            "--locale de has no effect without --config, whose string tables it selects"),
        FailingCommand(
            "zero threads", "check log --threads 0", 64, "--threads is 0, but must be from 1 to 256"),
        FailingCommand(
            "zero line length", "check log --max-line 0", 64, "--max-line is 0, but must be from 1 to"),
        FailingCommand(
            "zero chunk size", "check log --chunk-size 0", 64, "--chunk-size is 0, but must be from 1 to"),
        FailingCommand("unknown format", "check log --format csv", 64, "'csv' is invalid for '--format"),
        FailingCommand(
            "unknown severity", "check log --fail-on note", 64, "'note' is invalid for '--fail-on"),
        FailingCommand(
            "unknown profile", "check log --profile ios11", 64, "'ios11' is invalid for '--profile"),
        FailingCommand(
            "standard input twice", "check - -", 64, "standard input ('-') can be a source only once"),
        FailingCommand(
            "output over a source", "check log -o log", 64,
            "sheaf: 'log' is a source: the report would replace it"),
        FailingCommand(
            "findings over a source", "check log --findings log", 64,
            "sheaf: 'log' is a source: the findings would replace it"),
        FailingCommand(
            "findings as the report", "check log -o out --findings out", 64,
            "sheaf: the findings and the report would both be written to 'out'"),
        FailingCommand(
            "findings in another format", "check log --findings out.parquet", 64,
            "--findings out.parquet: findings are written as NDJSON, not as Parquet: name the file x.ndjson"),
        FailingCommand(
            "findings of no sources", "check --rules --findings out", 64,
            "--rules writes no report: --findings can't be given with it"),
        FailingCommand(
            "unknown rule", "check log --disable untimd", 64,
            "--disable: unknown rule 'untimd', did you mean 'untimed'?; --rules lists them all"),
        FailingCommand(
            "no severity", "check log --severity untimed", 64,
            "--severity: 'untimed' must be NAME=error or NAME=warning"),
        FailingCommand(
            "severity that does not exist", "check log --severity untimed=note", 64,
            "--severity: 'note' in 'untimed=note' must be error or warning"),
        FailingCommand(
            "no limit", "check log --limit threads.many", 64,
            "--limit: 'threads.many' must be NAME=N, such as interruptions.many=50"),
        FailingCommand(
            "limit that is not a number", "check log --limit threads.many=few", 64,
            "--limit: 'few' in 'threads.many=few' must be a whole number"),
        FailingCommand(
            "limit of an unknown rule", "check log --limit threads.may=5", 64,
            "--limit: unknown rule 'threads.may', did you mean 'threads.many'?; --rules lists them all"),
        FailingCommand(
            "limit of a rule without one", "check log --limit untimed=5", 64,
            "--limit: the rule 'untimed' has no limit; these have one: threads.many, thread.crowded, "
                + "interruptions.many, urgent.buried"),
        FailingCommand(
            "zero limit", "check log --limit interruptions.many=0", 64,
            "--limit of 'interruptions.many' is 0, but must be from 1 to 1000000000"),
        FailingCommand(
            "too many threads", "check --rules --limit threads.many=64", 64,
            "--limit of 'threads.many' is 64, but must be from 1 to 63"),
        FailingCommand(
            "rules of a source", "check log --rules", 64, "--rules reads no sources, but 'log' is given"),
        FailingCommand(
            "rules as a report", "check --rules --format github", 64,
            "--rules writes no report: --format github can't be given with it"),
        FailingCommand(
            "missing baseline", "check log --baseline none.json", 78,
            "sheaf: none.json: the baseline cannot be read: No such file or directory"),
        FailingCommand(
            "broken baseline", "check log --baseline broken.json", 78,
            "sheaf: broken.json:1: not valid JSON at column 2"),
        FailingCommand(
            "baseline over a source", "check log --write-baseline log", 64,
            "sheaf: 'log' is a source: the baseline would replace it"),
        FailingCommand("missing file", "check log none", 66, "sheaf: none: no such file or directory"),
        FailingCommand(
            "output in a missing folder", "check log -o none/out", 73,
            "sheaf: none/out: the output cannot be created: No such file or directory"),
        FailingCommand(
            "missing configuration", "check log --config none.json", 78,
            "sheaf: none.json: the configuration cannot be read: No such file or directory"),
        FailingCommand(
            "broken configuration", "check log --config broken.json", 78,
            "sheaf: broken.json:1: not valid JSON at column 2"),
    ])
    func failsWithAStatusAndAMessage(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(Self.good, to: "log")
            try command.write("{", to: "broken.json")
            try command.expect(failure)
        }
    }

    #if os(Linux)
    @Test func aFullDiskIsReported() throws {
        try withFolder { command in
            try command.write(Self.untimed, to: "log")
            let result = try command.run("check", "log", "-o", "/dev/full")
            #expect(result.status == 74)
            #expect(result.errors == "sheaf: /dev/full: writing failed: No space left on device\n")
        }
    }
    #endif
}

/// Checks of the logs in `Data`.
@Suite struct CheckSampleTests {
    private static let command = Command(folder: URL(fileURLWithPath: Repository.root))

    private static func logs(in folder: String) throws -> [String] {
        try Repository.names(in: folder)
            .filter { [".ndjson", ".ndjson.gz", ".ndjson.zst"].contains(where: $0.hasSuffix) }.sorted()
            .map { "\(folder)/\($0)" }
    }

    /// Checks the logs of the golden reports, which together have every finding.
    private static func arguments() throws -> [String] {
        try ["check", "Data/check/log.ndjson", "Data/check/wrong.ndjson", "Data/check/grouping.ndjson.gz"]
            + logs(in: "Data/damaged")
            + ["--config", "Data/check/config.json", "--profile", "ios15", "--quiet"]
    }

    private static func contents(of path: String) throws -> String {
        String(decoding: try Repository.contents(of: path), as: UTF8.self)
    }

    @Test(arguments: ["1", "2", "7"], ["1", "100", "512KiB"])
    func reportsMatchTheGoldenFiles(threads: String, chunkSize: String) throws {
        for (format, file) in [("text", "expected.txt"), ("json", "expected.json")] {
            let machine = ["--threads", threads, "--chunk-size", chunkSize]
            let result = try Self.command.run(Self.arguments() + ["--format", format] + machine)
            #expect(result.status == 65)
            #expect(try result.output == Self.contents(of: "Data/check/\(file)"), "\(format)")
        }
    }

    /// Every finding appears in a golden report, except for unsupported formats, which the tests of format recognition
    /// cover, for one that needs `--input`, and for one that iOS 15 does not have, which the wrong pushes include.
    @Test func everyFindingHasASample() throws {
        let report = try Self.contents(of: "Data/check/expected.json")
        let found = report.matches(of: /"name":"([^"]*)"/).map { String($0.1) }
        #expect(
            found
                == CheckFinding.all.map(\.name).filter {
                    !$0.hasPrefix("format.") && !["summary-arg.missing", "input.unmatched"].contains($0)
                })
    }

    /// 61 pushes and a response that are each wrong in one way: each line has exactly the finding that the list names.
    @Test func eachWrongPushHasItsFinding() throws {
        let lines = try Self.contents(of: "Data/check/wrong.ndjson").split(separator: "\n")
        let rules = try Self.contents(of: "Data/check/wrong.txt").split(separator: "\n").map(String.init)
        #expect(lines.count == 62)
        #expect(rules.count == 62)
        for (index, (line, rule)) in zip(lines, rules).enumerated() {
            let result = try Self.command.run(
                "check", "-", "--config", "Data/check/config.json", "--format", "json", "-q",
                input: line + "\n")
            let found = result.output.matches(of: /"name":"([^"]*)"/).map { String($0.1) }
            #expect(found == [rule], "line \(index + 1)")
        }
        let all = try Self.command.run(
            "check", "Data/check/wrong.ndjson", "--config", "Data/check/config.json", "-q")
        #expect(all.status == 65)
        #expect(all.output.hasSuffix("\n62 records from 1 source: 46 errors, 16 warnings\n"))
    }

    /// Every rule about a record has a wrong push, except for the types of other fields, rejects, and what is deprecated.
    @Test func everyRuleOfARecordHasAWrongPush() throws {
        let rules = Set(try Self.contents(of: "Data/check/wrong.txt").split(separator: "\n").map(String.init))
        #expect(rules.isSuperset(of: CheckProblem.allCases.filter { !$0.isOfApp }.map { "\($0.name)" }))
    }

    @Test func samplesHaveNoFindings() throws {
        let folder = "Data/samples"
        for name in try Repository.names(in: folder).sorted() {
            let result = try Self.command.run(
                "check", "\(folder)/\(name)/log.ndjson.gz", "--config", "\(folder)/\(name)/config.json", "-q")
            #expect(result.status == 0, "\(name)")
            #expect(
                result.output.contains(/^[0-9]+ records from 1 source: 0 errors, 0 warnings\n$/),
                "\(name): \(result.output)")
        }
    }

    /// The generated log has people who get much of three apps, and else no findings.
    @Test func theGeneratedLogHasFindingsAboutPeopleOnly() throws {
        let log = "Data/generated/sample.ndjson.gz"
        let result = try Self.command.run("check", log, "--format", "json", "-q")
        let names = result.output.matches(of: /"name":"([^"]*)","severity":"warning","count":([0-9]+)/)
            .map { "\($0.1) \($0.2)" }
        #expect(names == ["threads.many 3", "interruptions.many 1"])
        #expect(result.output.contains(#""detail":"com.example.messages, "#))
        let limited = try Self.command.run(
            "check", log, "--limit", "threads.many=20", "--limit", "interruptions.many=30", "-q")
        #expect(limited.output == "20,000 records from 1 source: 0 errors, 0 warnings\n")
    }
}
