import Foundation
import TestSupport
import Testing

@testable import SheafTool

/// `sheaf report`, and pages of other commands, on the command line.
@Suite struct ReportCommandTests {
    private static let log = """
        {"app":"com.example.a","device":"ana","timestamp":1767571200000,"aps":{"alert":"</script><b>Hi</b>"}}
        {"app":"com.example.a","device":"ben","timestamp":1767657600000,"aps":{"alert":"Hello"}}

        """

    @Test func aReportIsOneFile() throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            let result = try command.run("report", "a.ndjson", "--every", "1d", "-o", "r.html")
            #expect(result.status == 0)
            #expect(
                result.errors.hasPrefix("2 records from 1 source, 2 people, 0 silent"), "\(result.errors)")
            #expect(try command.names == ["a.ndjson", "r.html"])
            let page = try command.read("r.html")
            #expect(page.hasPrefix("<!doctype html>"))
            #expect(page.contains("\\u003c/script>\\u003cb>Hi") && !page.contains("</script><b>Hi"))
            #expect(page.contains(#""command":"sheaf report a.ndjson --every 1d""#))
            #expect(
                page.contains(#""screens":"#) && page.contains(#""measures":"#) && page.contains(#""check":"#)
            )
            #expect(!page.contains("{{"))
        }
    }

    @Test func theSameLogHasTheSamePage() throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            let line = """
                set -e; s="$SHEAF"
                $s report a.ndjson -o 1.html -q --threads 1
                $s report -q a.ndjson --output=2.html --threads 3 --memory 128MiB --stats s.json
                cmp 1.html 2.html
                $s replay a.ndjson -o 3.html -q && $s replay a.ndjson --format html --threads 1 -q | cmp - 3.html
                $s replay a.ndjson --partial p -q
                $s measure a.ndjson -o 4.html.gz -q && gzip -dc 4.html.gz | grep -q '"kind":"measure"'
                $s check a.ndjson -o 5.html -q; grep -q '"kind":"check"' 5.html
                """
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    static let failures = [
        FailingCommand("no output", "report a.ndjson", 64, "Missing expected argument '--output <FILE>'"),
        FailingCommand("no source", "report -o r.html", 64, "Missing expected argument '<SOURCE> ...'"),
        FailingCommand(
            "standard input", "report - -o r.html", 64,
            "'-' is not a regular file: a report reads its sources several times"),
        FailingCommand(
            "a missing source", "report none -o r.html", 66, "sheaf: none: no such file or directory"),
        FailingCommand(
            "another format", "report a.ndjson -o r.json", 64,
            "-o r.json: a report is a web page: name it x.html"),
        FailingCommand(
            "a foreign format", "report a.ndjson -o r.parquet", 64,
            "-o r.parquet: a report is a web page, not Parquet: name it x.html"),
        FailingCommand(
            "no people", "report a.ndjson -o r.html --people 0", 64,
            "--people is 0, but must be from 1 to 1000"),
        FailingCommand(
            "a source as output", "report a.ndjson -o a.ndjson", 64,
            "-o a.ndjson: a report is a web page: name it x.html"),
        FailingCommand(
            "a live page", "replay a.ndjson --every 1d --lateness 1m -o r.html", 64,
            "a page is written at the end, not while records are read: --lateness can't be given with it"),
        FailingCommand(
            "a page of cells", "measure a.ndjson --cells -o r.html", 64,
            "a page shows the distributions of measures: --cells can't be given with it"),
        FailingCommand(
            "a page in an order", "replay a.ndjson --sort recent -o r.html", 64,
            "--sort has no effect on a page, which shows the newest group first"),
        FailingCommand(
            "a page of rules", "check --rules -o r.html", 64,
            "--rules writes no report: --format html can't be given with it"),
        FailingCommand(
            "findings as a page", "check a.ndjson --findings f.html", 64,
            "--findings f.html: findings are written as NDJSON, not as HTML: name the file x.ndjson"),
    ]

    @Test(arguments: failures) func mistakesAreUsageErrors(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(Self.log, to: "a.ndjson")
            try command.expect(failure)
        }
    }

    @Test(arguments: interruptions) func aSignalEndsAReport(_ signal: Int32, _ status: Int32) throws {
        try withFolder { command in
            // Long enough that the signal arrives while it is read.
            let line = """
                "$SHEAF" generate --records 300000 --seed 1 -o big.ndjson --quiet
                "$SHEAF" report big.ndjson -o r.html --quiet & pid=$!
                while [ ! -e .r.html.sheaf-* ]; do kill -0 $pid || exit 1; done
                kill -\(signal) $pid; wait $pid; echo $?
                """
            let result = try command.shell(line)
            #expect(result.output.hasSuffix("\(status)\n"), "\(result)")
            #expect(try command.names == ["big.ndjson"])
        }
    }

    @Test(arguments: [
        (["replay", "a b", "--format", "html", "-o", "x", "-q"], "sheaf replay 'a b' --format html"),
        (["report", "a", "--threads=3", "--every", "1d", "-o", "x"], "sheaf report a --every 1d"),
        (["replay", "--", "-q", "x"], "sheaf replay -- -q x --format html"),
    ])
    func theCommandIsWithoutOptionsThatNoResultDependsOn(_ arguments: [String], _ text: String) {
        #expect(CommandText.text(arguments) == text)
    }
}
