import Foundation
import TestSupport
import Testing

@testable import SheafTool

/// `sheaf replay - --keyed` on the command line.
@Suite struct KeyedCommandTests {
    /// Generates a log in three files, the list of them, and their lines with keys in another order.
    private func makeLines(_ command: Command) throws {
        let line = """
            mkdir logs && "$SHEAF" generate --records 300 --seed 6 --apps 4 --files 3 -o logs/push.ndjson --quiet &&
            n=0; for file in logs/*; do
                echo "{\\"path\\":\\"$file\\",\\"source\\":\\"topic/$n\\",\\"ordinal\\":$((2 * n))}" >> sources
                echo "{\\"source\\":\\"topic/$n\\",\\"ordinal\\":$((2 * n))}" >> names
                awk -v n=$n '{ printf "%d\\t%d\\t%s\\n", 2 * n, NR, $0 }' $file >> lines
                n=$((n + 1))
            done
            sort -t "$(printf '\\t')" -k 3 lines > keyed
            """
        #expect(try command.shell(line).status == 0)
    }

    /// Removes the statistics that depend on the machine and on how the lines are stored.
    private func comparable(_ statistics: String) -> String {
        statistics.replacing(
            /"(bytesRead|bytesInflated|spilledBytes|peakResidentBytes|seconds)":[0-9.]+,?/, with: "")
    }

    @Test func keyedLinesMatchTheirSources() throws {
        try withFolder { command in
            try makeLines(command)
            let line = """
                set -e
                "$SHEAF" replay --sources-from sources -o whole --stats whole.json -q
                "$SHEAF" replay - --keyed --sources-from names -o once --stats once.json -q < keyed
                head -n 170 keyed | "$SHEAF" replay - --keyed --sources-from names --partial one -q
                tail -n +171 keyed | gzip | "$SHEAF" replay - --keyed --sources-from names --partial two -q
                "$SHEAF" merge two one --expect-sources names -o merged --stats merged.json -q
                """
            let result = try command.shell(line)
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            let whole = try command.read("whole")
            #expect(whole.contains("\"source\":\"topic/"))
            #expect(try command.read("once") == whole)
            #expect(try command.read("merged") == whole)
            let statistics = comparable(try command.read("whole.json"))
            #expect(comparable(try command.read("once.json")) == statistics)
            #expect(comparable(try command.read("merged.json")) == statistics)
        }
    }

    @Test func aWrongPipeEndsTheRun() throws {
        try withFolder { command in
            let result = try command.run(
                "replay", "-", "--keyed", "-o", "out", input: "0\t1\t{}\n\n" + oneNotification)
            #expect(result.status == 66)
            #expect(result.output.isEmpty)
            #expect(
                result.errors
                    == "sheaf: -: line 3 does not begin with an ordinal, a tab, a line number and a tab: it is "
                    + "'{\"app\":\"com.example.a\",\"timestam…'\n", "\(result.errors)")
            #expect(try command.names.isEmpty)
        }
    }

    @Test func anOrdinalThatIsNotListedEndsTheRun() throws {
        try withFolder { command in
            try command.write("{\"source\":\"a\",\"ordinal\":3}\n", to: "names")
            let result = try command.run(
                ["replay", "-", "--keyed", "--sources-from", "names", "-o", "out"],
                input: Data("3\t1\t{}\n4\t1\t{}\n".utf8))
            #expect(result.status == 66)
            #expect(
                result.errors.contains("-: line 2 has the ordinal 4, which none of the listed sources has"))
            #expect(try command.names == ["names"])
        }
    }

    @Test func aRepeatedLineEndsTheRun() throws {
        try withFolder { command in
            let result = try command.run("replay", "-", "--keyed", "-o", "out", input: "3\t1\t{}\n3\t1\t{}\n")
            #expect(result.status == 66)
            #expect(
                result.errors.contains(
                    "3: 2 lines have the ordinal 3, but their line numbers are from 1 to 1"))
            #expect(try command.names.isEmpty)
        }
    }

    static let failures = [
        FailingCommand(
            "a checkpoint", "replay - --keyed --checkpoint c", 64,
            "--keyed can't be given with --checkpoint: "),
        FailingCommand(
            "snapshots while reading", "replay - --keyed --every 1h --lateness 1s", 64,
            "--keyed can't be given with --lateness: "),
        FailingCommand(
            "a pace", "replay - --keyed --every 1h --speed 1", 64, "--keyed can't be given with --speed: "),
        FailingCommand(
            "no stream", "replay --keyed --sources-from a.ndjson", 64,
            "Missing expected argument '<SOURCE> ...'"),
        FailingCommand(
            "a checked log", "check - --keyed", 64, "Unknown option '--keyed'"),
    ]

    @Test(arguments: failures) func optionsThatNeedPositionsAreRefused(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.expect(failure)
        }
    }
}
