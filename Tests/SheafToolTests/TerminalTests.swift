import Foundation
import Testing

#if os(Linux)
/// A terminal shows a screenful of groups, and a progress line that never mixes with other output.
@Suite struct TerminalTests {
    private static let erase = "\r\u{1b}[K"

    /// A log of groups that are three lines each as text, from the oldest to the newest.
    private static func log(groups: Int) -> String {
        (1...groups).map {
            #"{"ts":\#($0),"app":"app\#(10_000 + $0)","payload":{"aps":{"alert":{"title":"T","body":"B"}}}}"#
                + "\n"
        }.joined()
    }

    /// The numbers of the groups in the text, in order.
    private static func shown(_ text: String) -> [Int] {
        text.matches(of: /app1([0-9]{4})\n/).compactMap { Int($0.1) }
    }

    struct Screenful: CustomTestStringConvertible {
        let name: String
        var line = "replay log"
        var rows = 24
        var groups = 100
        /// The number of groups that are shown.
        let shown: Int
        /// The number of groups that are left out, as written; nil if none are.
        var more: String?
        var testDescription: String { name }
    }

    @Test(arguments: [
        Screenful(name: "a log", shown: 4, more: "96"),
        Screenful(name: "explicit text format", line: "replay log --format text", shown: 4, more: "96"),
        Screenful(name: "without the line of totals", line: "replay log -q", shown: 5, more: "95"),
        Screenful(name: "a small terminal", rows: 3, shown: 1, more: "99"),
        Screenful(name: "a large terminal", rows: 100, shown: 23, more: "77"),
        Screenful(name: "a terminal of unknown size", rows: 0, shown: 4, more: "96"),
        Screenful(name: "thousands of groups", groups: 1_238, shown: 4, more: "1,234"),
        Screenful(name: "one group too many", groups: 5, shown: 4, more: "1"),
        Screenful(name: "exactly a screenful", groups: 4, shown: 4),
        Screenful(name: "the largest groups", line: "replay log --top 30", shown: 30),
        Screenful(name: "all groups", line: "replay log --format text -o -", shown: 100),
        Screenful(name: "all groups in a pipe", line: "replay log --format text | cat", shown: 100),
        Screenful(name: "a partial result", line: "merge part", shown: 4, more: "96"),
        Screenful(
            name: "spilled state", line: "replay log --memory 256MiB --threads 3", shown: 4, more: "96"),
    ])
    func showsAScreenfulOfTheNewestGroups(_ item: Screenful) throws {
        try withFolder { command in
            try command.write(Self.log(groups: item.groups), to: "log")
            #expect(try command.run("replay", "log", "--partial", "part", "-q").status == 0)
            for spill in ["", "export SHEAF_SPILL=always; "] {
                let text = try command.onTerminal(
                    spill + "export NO_COLOR=1; $SHEAF \(item.line)", rows: item.rows)
                let shown = Self.shown(text)
                if item.line.contains("--top") {
                    #expect(shown.count == item.shown)
                } else {
                    #expect(shown == (0..<item.shown).map { item.groups - $0 }, "\(text)")
                }
                guard let more = item.more else {
                    #expect(!text.contains(" more group"))
                    continue
                }
                let noun = more == "1" ? "group" : "groups"
                let words = text.replacing("\n", with: " ")
                #expect(
                    words.contains(
                        "  \(more) more \(noun): use --top N for the largest, or -o FILE or --format text | less for all "
                            + "of them"
                    ), "\(text)")
                if !item.line.contains("-q") {
                    #expect(words.contains(" source, \(item.groups.formatted()) groups, "))
                }
                // The shell's prompt needs a row as well.
                #expect(text.count { $0 == "\n" } < max(item.rows == 0 ? 24 : item.rows, 12))
            }
        }
    }

    /// At least one group is shown even if it does not fit, in the order that `--sort` selects.
    @Test func sortByKeyShowsTheFirstGroupByKey() throws {
        try withFolder { command in
            try command.write(Self.log(groups: 9), to: "log")
            let text = try command.onTerminal("NO_COLOR=1 $SHEAF replay log -q --sort key", rows: 4)
            #expect(Self.shown(text) == [1])
        }
    }

    @Test func theTotalsWrapAtWords() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log")
            let text = try command.onTerminal("$SHEAF replay log -o out", columns: 40).replacing(
                Self.erase, with: "")
            #expect(
                text.hasPrefix("1 record from 1 source, 1 group, 0\nsilent, 0 updated, 0 rejected, "),
                "\(text)")
            for line in text.split(separator: "\n") { #expect(line.count <= 40) }
        }
    }

    @Test(arguments: ["dumb", "", nil]) func aTerminalWithoutControlSequencesGetsNone(term: String?) throws {
        try withFolder { command in
            try command.write(Self.log(groups: 3), to: "log")
            let lines = [
                "replay log", "replay log -o out", "merge part", "check log",
                "generate --records 1000 --seed 1 -o out",
            ]
            #expect(try command.run("replay", "log", "--partial", "part", "-q").status == 0)
            for line in lines {
                let text = try command.onTerminal("unset NO_COLOR; $SHEAF \(line)", term: term)
                #expect(!text.contains("\u{1b}"), "\(line): \(text)")
                #expect(!text.contains("\r"))
            }
        }
    }

    /// The reader of a pipe may write to the same terminal.
    @Test(arguments: [
        ("replay log", #"{"app":"app10001""#), ("merge part", #"{"app":"app10001""#),
        ("check log", "from 1 source:"), ("replay log --stats - -o out", #"{"sources":1"#),
    ])
    func progressEndsBeforeTheResultGoesToAPipe(_ line: String, result: String) throws {
        try withFolder { command in
            try command.write(Self.log(groups: 3), to: "log")
            #expect(try command.run("replay", "log", "--partial", "part", "-q").status == 0)
            let text = try command.onTerminal("$SHEAF \(line) | cat")
            let last = try #require(text.range(of: Self.erase, options: .backwards), "\(text)")
            #expect(!text[..<last.lowerBound].contains(result), "\(text)")
            #expect(text[last.upperBound...].contains(result), "\(text)")
        }
    }

    /// Output that is written throughout the run would mix with a progress line.
    @Test(arguments: [
        "generate --records 1000 --seed 1 | cat", "generate --records 1000 --seed 1",
        "replay log --rejects /dev/stdout -o out", "replay log --rejects /dev/stdout -o out | cat",
    ])
    func continuousOutputDisablesProgress(_ line: String) throws {
        try withFolder { command in
            try command.write(Self.log(groups: 3) + "{bad\n", to: "log")
            let text = try command.onTerminal("$SHEAF \(line)")
            #expect(!text.contains("\u{1b}"), "\(text.prefix(1000))")
        }
    }

    @Test func generatingALogShowsProgress() throws {
        try withFolder { command in
            let text = try command.onTerminal("$SHEAF generate --records 10 --seed 1 -o out")
            #expect(text.contains(Self.erase + "10 records, "), "\(text)")
            #expect(
                !(try command.onTerminal("$SHEAF generate --records 10 --seed 1 -o out -q").contains("\u{1b}"))
            )
        }
    }

    @Test func anInterruptErasesTheProgressFirst() throws {
        try withFolder { command in
            // The log is a pipe that stays open until the command has ended. If it were closed, the run could be complete
            // before it handles the signal, which is sent once the terminal shows progress to erase.
            let result = try command.shell(
                """
                mkfifo log
                script -qefc 'export TERM=xterm; echo $$ > pid; exec $SHEAF replay - -o out < log' typescript \
                    < /dev/null > /dev/null &
                exec 3> log
                until grep -q 'records/s' typescript 2> /dev/null; do :; done
                kill -INT $(cat pid)
                wait
                exec 3>&-
                cat typescript
                """)
            let end = "\(Self.erase)sheaf: interrupted; no file was written"
            let text = Command.sent(in: result.output).trimmingCharacters(in: .newlines)
            #expect(text.hasSuffix(end) && text.count > end.count, "\(text)")
        }
    }
}
#endif
