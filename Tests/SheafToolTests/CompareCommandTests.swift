import Foundation
import TestSupport
import Testing

@testable import SheafTool

/// `sheaf compare` on the command line.
@Suite struct CompareCommandTests {
    /// Three people: two threads of mail and one of chat for ana, one each for ben, an update for cleo.
    private static let log = """
        {"app":"com.example.mail","device":"ana","timestamp":1767571200000,"aps":{"alert":"One","thread-id":"a"}}
        {"app":"com.example.mail","device":"ana","timestamp":1767571201000,"aps":{"alert":"Two","thread-id":"b"}}
        {"app":"com.example.chat","device":"ana","timestamp":1767571202000,"aps":{"alert":"Hi","thread-id":"c"}}
        {"app":"com.example.chat","device":"ana","timestamp":1767571203000,"aps":{"alert":"Ho","thread-id":"c"}}
        {"app":"com.example.mail","device":"ben","timestamp":1767571204000,"aps":{"alert":"One","thread-id":"a"}}
        {"app":"com.example.chat","device":"cleo","id":"1","collapse-id":"x","timestamp":1767571205000,"aps":{"alert":"Old"}}
        {"app":"com.example.chat","device":"cleo","id":"2","collapse-id":"x","timestamp":1767571206000,"aps":{"alert":"New"}}

        """
    private static let new = """
        {"apps":{"com.example.mail":{"grouping":"byApp"},"com.example.chat":{"grouping":"off"}}}
        """

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func write(to command: Command) throws {
        try command.write(Self.log, to: "a.ndjson")
        try command.write("{}", to: "now.json")
        try command.write(Self.new, to: "new.json")
    }

    /// Each number was counted by hand.
    @Test func groupsAreKeptSplitAndMerged() throws {
        try withFolder { command in
            try write(to: command)
            let result = try command.run(
                "compare", "a.ndjson", "--config", "now.json", "--with", "new.json", "--format", "json", "-q")
            #expect(result.status == 0, "\(result.errors)")
            let json = try object(result.output)
            let all = try #require(json["all"] as? [String: Any])
            #expect(all["groups"] as? [String: Int] == ["now": 5, "new": 5])
            #expect(all["notifications"] as? [String: Int] == ["now": 6, "new": 6])
            // ben's mail and cleo's message are kept, ana's chat is split, and her mail is merged.
            #expect(all["kept"] as? Int == 2)
            #expect(all["split"] as? Int == 1)
            #expect(all["merged"] as? Int == 1)
            #expect(all["only"] as? [String: Int] == ["now": 0, "new": 0])
            let people = try #require(json["people"] as? [String: Any])
            #expect(people["count"] as? Int == 3)
            #expect(people["groups"] as? [String: Int] == ["more": 0, "fewer": 0])
            let apps = try #require(json["apps"] as? [[String: Any]])
            #expect(apps.map { $0["app"] as? String } == ["com.example.chat", "com.example.mail"])
        }
    }

    @Test func eachSideIsWhatAReplayWrites() throws {
        try withFolder { command in
            try write(to: command)
            let line = """
                set -e; s="$SHEAF"
                $s compare a.ndjson --config now.json --with new.json --now-snapshot 1 --new-snapshot 2.gz -o c.txt -q
                $s replay a.ndjson --by-device --config now.json -q | cmp - 1
                $s replay a.ndjson --by-device --config new.json -q -o 3; gzip -dc 2.gz | cmp - 3
                $s compare a.ndjson --config now.json --with new.json --threads 1 -q | cmp - c.txt
                cat a.ndjson | $s compare - --config now.json --with new.json -q > d.txt; wc -l < d.txt
                """
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func equalDesignsShowTheSame() throws {
        try withFolder { command in
            try write(to: command)
            let result = try command.run(
                "compare", "a.ndjson", "--config", "new.json", "--with", "new.json", "-q")
            #expect(result.output == "Both designs show the same: 5 groups.\n")
            let json = try object(
                try command.run("compare", "a.ndjson", "--with-profile", "ios12", "--format", "json", "-q")
                    .output)
            #expect(json["equal"] as? Bool == true)
            #expect((json["apps"] as? [Any])?.isEmpty == true && (json["screens"] as? [Any])?.isEmpty == true)
        }
    }

    /// The removals and changes of settings of a native log count with a mapping, too.
    @Test func aMappingKeepsEvents() throws {
        try withFolder { command in
            try write(to: command)
            try command.write(#"{"fields":{"payload/aps/thread-id":["/nowhere"]}}"#, to: "same.json")
            let event =
                #"{"timestamp":1767571207000,"event":"cleared","app":"com.example.mail","device":"ana"}"#
            let result = try command.shell(
                """
                (cat a.ndjson; echo '\(event)') > b.ndjson
                $SHEAF compare b.ndjson --removals --with-input same.json
                """)
            #expect(result.output.hasPrefix("Both designs show the same"), "\(result.output)")
            #expect(!result.errors.contains("rejected lines") && result.status == 0, "\(result.errors)")
        }
    }

    /// Other threads change nothing about what happens, unless one input reads records that the other one rejects.
    @Test func otherThreadsHaveTheSameEvents() throws {
        try withFolder { command in
            try write(to: command)
            try command.write(
                #"{"fields":{"payload/aps/thread-id":[{"constant":"all"}]}}"#, to: "all.json")
            let unread =
                #"{"message":{"token":"d","apns":{"headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"x"}}}}}"#
            let result = try command.shell(
                """
                set -e; c="$SHEAF compare --with-input all.json -q"
                $c a.ndjson | grep 'banners per person'
                $c a.ndjson --measures | grep 'banners per person'
                $c a.ndjson --fail-if 'banners.max > +0' | grep 'banners per person'
                (cat a.ndjson; echo '\(unread)') > b.ndjson
                $c b.ndjson | grep -i banners
                $c b.ndjson --measures | grep -i banners
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                result.output == """
                    banners per person: the same
                    banners per person: the same
                    banners per person: the same
                    The inputs read different records: banners and other events are compared only
                    banners per person: p50 1 → 2, p95 4, max 4; of 4 people, 0.0 % have more and

                    """)
        }
    }

    @Test func conditionsFail() throws {
        try withFolder { command in
            try write(to: command)
            func run(_ condition: String, _ format: String = "text") throws -> Command.Result {
                try command.run(
                    "compare", "a.ndjson", "--with", "new.json", "--fail-if", condition, "--format", format)
            }
            let failing = [
                "split > 0", "merged >= 1", "kept < 3", "groups < 6", "split > 10%",
                "split@com.example.chat > 0",
                "groups.max <= 3", "groups.p50 <= +0", "groups.mean < +1%", "banners.sum > 0",
                "texts.summary > 0",
            ]
            for condition in failing { #expect(try run(condition).status == 65, "\(condition)") }
            let passing = [
                "split > 1", "split > 20%", "merged@com.example.chat > 0", "groups > +0", "groups > +10%",
                "groups.p95 > +10%", "more.groups > 0", "more.banners > 0%", "only.new > 0",
                "banners.mean > +0",
                "groups@com.example.none > 0",
            ]
            for condition in passing { #expect(try run(condition).status == 0, "\(condition)") }
            let annotations = try run("split > 0", "github")
            #expect(
                annotations.output.hasPrefix(
                    "::error title=split > 0::1 of 5 (20.0 %25)\n::notice title=comparison::"))
            #expect(annotations.errors.contains("failed: split > 0: 1 of 5 (20.0 %)"))
        }
    }

    /// Measures of one interval are compared; several would be compared by their first one.
    @Test func partialResultsOfMeasuresAreCompared() throws {
        try withFolder { command in
            try write(to: command)
            let line = """
                s="$SHEAF"; head -5 a.ndjson > b.ndjson
                for x in a b; do $s measure $x.ndjson --partial $x.part -q; done
                $s measure a.ndjson --until 2027-01-01 --partial until.part -q
                $s measure a.ndjson --every 1h --partial hours.part -q
                $s compare b.part a.part -q --fail-if 'pushes.sum > +1'; echo $?
                $s compare b.part until.part -q --fail-if 'pushes.sum > +2' > /dev/null; echo $?
                $s compare b.part hours.part -q; echo $?
                $s compare a.part b.part --since 2026-01-01 -q; echo $?
                """
            let result = try command.shell(line)
            #expect(
                result.output.split(separator: "\n").filter { $0.count == 2 || $0 == "0" } == [
                    "65", "0", "64", "64",
                ])
            #expect(
                result.errors == """
                    sheaf: 'hours.part' has several snapshots: one is compared, written without --every
                    sheaf: --since has no effect on files that are not logs

                    """)
        }
    }

    /// Pipes are read once, and folders of partial comparisons are merged.
    @Test func pipesAndFoldersAreSources() throws {
        try withFolder { command in
            try write(to: command)
            let line = """
                set -e; s="$SHEAF"; d="--config now.json --with new.json"; mkdir parts; mkfifo pipe
                $s compare a.ndjson $d -q > whole
                cat a.ndjson > pipe & $s compare pipe $d -q | sed s,pipe:,a.ndjson:, | cmp - whole
                $s compare <(cat a.ndjson) $d -q | sed s,/dev/fd/[0-9]*,a.ndjson, | cmp - whole
                cat a.ndjson | $s compare /dev/stdin $d -q | sed s,/dev/stdin,a.ndjson, | cmp - whole
                $s compare a.ndjson $d --partial parts/1 -q
                $s compare parts $d -q | cmp - whole
                $s compare a.ndjson --config now.json --with typo.json --partial typo -q
                $s compare typo --config now.json --with typo.json > /dev/null
                """
            try command.write(
                #"{"apps":{"com.example.mail":{"grouping":"byApp"},"com.example.mial":{"name":"x"}}}"#,
                to: "typo.json")
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains("an app in the configuration matches no record: com.example.mial"))
        }
    }

    /// A log without people, and an app that does not occur, have nothing of anything.
    @Test func conditionsHoldForNothing() throws {
        try withFolder { command in
            try write(to: command)
            let conditions = [
                "banners.p95 > 99", "groups.mean > +10%", "split@com.example.none > 5%", "kept > 0",
            ]
            let arguments = conditions.flatMap { ["--fail-if", $0] } + ["--with", "new.json", "-q"]
            let empty = try command.run(["compare", "-"] + arguments, input: Data())
            #expect(empty.status == 0 && empty.errors.isEmpty, "\(empty.errors)")
            let absent = try command.run(["compare", "a.ndjson"] + arguments)
            #expect(absent.status == 65 && absent.errors.isEmpty, "\(absent.errors)")
        }
    }

    @Test func snapshotsAndPartialResultsAreCompared() throws {
        try withFolder { command in
            try write(to: command)
            let line = """
                set -e; s="$SHEAF"
                head -5 a.ndjson > b.ndjson
                for x in a b; do
                  $s replay $x.ndjson --by-device -q -o $x.snapshot.gz --format ndjson
                  $s replay $x.ndjson --by-device -q --partial $x.partial
                done
                $s compare b.snapshot.gz a.snapshot.gz -q --format json > 1
                $s compare b.partial a.partial -q --format json > 2
                $s compare b.partial a.snapshot.gz -q --format json > 3
                """
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
            for name in ["1", "2", "3"] {
                let json = try object(try command.read(name))
                let all = try #require(json["all"] as? [String: Any])
                #expect(all["groups"] as? [String: Int] == ["now": 4, "new": 5], "\(name)")
                #expect(all["kept"] == nil)
                #expect((json["missing"] as? [String])?.first?.hasPrefix("Whether groups are kept") == true)
                let people = try #require(json["people"] as? [String: Any])
                #expect(people["groups"] as? [String: Int] == ["more": 1, "fewer": 0])
            }
        }
    }

    /// Partial comparisons of parts of a log, merged or not, give the bytes of one comparison.
    @Test func partialComparisonsAreCompared() throws {
        try withFolder { command in
            try write(to: command)
            let line = """
                set -e; s="$SHEAF"; d="--config now.json --with new.json"
                head -4 a.ndjson > 1.ndjson; tail -n +5 a.ndjson > 2.ndjson
                $s compare 1.ndjson 2.ndjson $d -q --format json --fail-if 'banners.p95 > 99' -o whole.json
                for x in 1 2; do $s compare $x.ndjson $d --fail-if 'banners.p95 > 99' --partial $x.part -q; done
                $s compare 1.part 2.part $d -q --format json --fail-if 'banners.p95 > 99' | cmp - whole.json
                $s compare 1.part 2.part --partial both.part.zst --config now.json --with new.json
                $s compare both.part.zst $d -q --format json | cmp - whole.json
                $s compare both.part.zst $d -q | head -1
                """
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                result.errors
                    == "7 records from 2 sources, 4 groups, 0 silent, 1 updated, 0 rejected, 0.0 s\n")
            #expect(result.output == "groups per person: the same\n")
        }
    }

    /// Sources with ordinals, read as files or as keyed lines, may be compared in any order.
    @Test func partialComparisonsOfNamedSourcesAreCompared() throws {
        try withFolder { command in
            try write(to: command)
            let line = """
                set -e; s="$SHEAF"; d="--config now.json --with new.json"
                head -4 a.ndjson > 1.ndjson; tail -n +5 a.ndjson > 2.ndjson
                echo '{"path":"1.ndjson","source":"one","ordinal":3}' > 1
                echo '{"path":"2.ndjson","source":"two","ordinal":5}' > 2
                cat 1 2 > both
                awk '{ printf "3\\t%d\\t%s\\n", NR, $0 }' 1.ndjson > keyed
                awk '{ printf "5\\t%d\\t%s\\n", NR, $0 }' 2.ndjson >> keyed
                $s compare --sources-from both $d -q --format json -o whole.json
                for x in 1 2; do $s compare --sources-from $x $d --partial $x.part -q; done
                $s compare 2.part 1.part --expect-sources both $d -q --format json | cmp - whole.json
                sed 's/"bytes[A-Za-z]*":[0-9]*//g' whole.json > whole
                $s compare - --keyed --sources-from both $d -q --format json < keyed | sed 's/"bytes[A-Za-z]*":[0-9]*//g' | cmp - whole
                for x in 3 4; do
                  awk -v x=$x 'NR % 2 == x % 2' keyed | $s compare - --keyed --sources-from both $d --partial $x.part -q
                done
                $s compare 3.part 4.part $d -q --format json | sed 's/"bytes[A-Za-z]*":[0-9]*//g' | cmp - whole
                ! $s compare 1.part --expect-sources both $d || exit 1
                ! $s compare 1.part 1.part $d
                """
            let result = try command.shell(line)
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                result.errors
                    == """
                    sheaf: no partial result covers source 5, 'two'
                    sheaf: '1.part' and '1.part' can't be merged: both cover source 3, 'one'

                    """)
        }
    }

    @Test func partialComparisonsThatDoNotFitAreRefused() throws {
        try withFolder { command in
            try write(to: command)
            try command.write(
                #"{"apps":{"com.example.mail":{"categories":{"":{"categorySummaryFormat":"%u mails"}}}}}"#,
                to: "texts.json")
            let line = """
                set -e; s="$SHEAF"
                $s compare a.ndjson --config now.json --with new.json --partial groups -q
                $s compare a.ndjson --config now.json --with texts.json --partial texts -q
                $s compare a.ndjson --config now.json --with new.json --measures --partial measured -q
                set +e
                $s compare groups texts --config now.json --with new.json; echo $?
                $s compare groups --config now.json --with now.json; echo $?
                $s compare groups -q; echo $?
                $s compare groups --config new.json --with new.json; echo $?
                $s compare groups --config now.json --with new.json --profile ios15; echo $?
                $s compare groups --config now.json --with new.json --measures; echo $?
                $s compare groups --config now.json --with new.json --fail-if 'banners.p50 > 3'; echo $?
                $s compare texts --config now.json; echo $?
                $s compare groups measured --config now.json --with new.json; echo $?
                for x in --removals '--since 2026-01-01' '--only-app x' '--app x'; do
                  $s compare groups --config now.json --with new.json $x; echo $?
                done
                $s compare groups a.ndjson --with new.json; echo $?
                $s compare groups --with-input fcm; echo $?
                $s compare groups --config now.json --with new.json --now-snapshot x; echo $?
                $s compare a.ndjson --with new.json --expect-sources groups; echo $?
                $s compare a.ndjson --with new.json --new-snapshot x --partial y; echo $?
                $s merge groups; echo $?
                $s replay groups -q; echo $?
                ls
                """
            let result = try command.shell(line)
            #expect(
                result.output
                    == String(repeating: "64\n", count: 18)
                    + "66\n65\na.ndjson\ngroups\nmeasured\nnew.json\nnow.json\ntexts\ntexts.json\n")
            let other =
                "sheaf: 'groups' was written with other designs: give the settings and the locales of both as when it was written"
            let messages = result.errors.split(separator: "\n").map(String.init).filter {
                $0.hasPrefix("sheaf: ")
            }
            #expect(
                messages == [
                    "sheaf: 'texts' and 'groups' can't be merged: they compare other designs",
                    other, other,
                    other,
                    "sheaf: 'groups' was written with other designs: give the settings, the profiles and --locked of both as when it was written",
                    "sheaf: 'groups' has no measures: write it with those that are wanted",
                    "sheaf: the condition 'banners.p50 > 3' needs numbers that the compared files do not hold",
                    "sheaf: 'texts' was written with other designs: give the settings and the locales of both as when it was written",
                    "sheaf: 'measured' has measures, but 'groups' has none: write both with the same options",
                    "sheaf: --removals has no effect on files that are not logs",
                    "sheaf: --since has no effect on files that are not logs",
                    "sheaf: --only-app has no effect on files that are not logs",
                    "sheaf: --app has no effect on files that are not logs",
                    "sheaf: 'a.ndjson' is not a partial comparison",
                    "sheaf: --with-input has no effect on files that are not logs",
                    "sheaf: --now-snapshot has no effect on files that are not logs",
                    "sheaf: --expect-sources has no effect on logs",
                    "sheaf: groups: not a partial result: it holds a partial comparison, which sheaf compare reads; sheaf merge reads the files that sheaf replay --partial FILE writes",
                    "sheaf: groups: a partial result, not a log; sheaf compare groups",
                ])
        }
    }

    static let failures = [
        FailingCommand(
            "nothing to compare with", "compare a.ndjson", 64,
            "nothing to compare with: give --with, --with-input, --with-profile or --with-locale"),
        FailingCommand(
            "no source", "compare --with new.json", 64, "Missing expected argument '<SOURCE> ...'"),
        FailingCommand(
            "a missing design", "compare a.ndjson --with none.json", 78,
            "none.json: the configuration cannot be read"),
        FailingCommand(
            "a mistyped metric", "compare a.ndjson --with new.json --fail-if group.p95>3", 64,
            "--fail-if 'group.p95>3': 'group.p95' is not a metric; these are: groups, notifications, kept"),
        FailingCommand(
            "no comparison", "compare a.ndjson --with new.json --fail-if groups", 64,
            "--fail-if 'groups': no comparison: write METRIC > NUMBER, such as groups.p95 > +10%"),
        FailingCommand(
            "a share of nothing", "compare a.ndjson --with new.json --fail-if groups>10%", 64,
            "write +10% for a difference from now: 10% needs something that it is a share of"),
        FailingCommand(
            "a difference of differences", "compare a.ndjson --with new.json --fail-if split>+3", 64,
            "'split' counts differences: write the number without a sign"),
        FailingCommand(
            "not a number", "compare a.ndjson --with new.json --fail-if split>many", 64,
            "'many' must be a number, such as 12, +3 or +10%"),
        FailingCommand(
            "a mistyped shape", "compare a.ndjson --with-input fmc", 64, "did you mean 'fcm'?"),
        FailingCommand(
            "a source as output", "compare a.ndjson --with new.json -o a.ndjson --format text", 64,
            "'a.ndjson' is a source: the comparison would replace it"),
        FailingCommand(
            "a configuration as output", "compare a.ndjson --with new.json -o new.json", 64, "new.json"),
        FailingCommand(
            "a foreign format", "compare a.ndjson --with new.json -o c.parquet", 64,
            "-o c.parquet: a comparison is not written as Parquet: name it x.json, x.txt or x.html"),
        FailingCommand(
            "too little memory", "compare a.ndjson --with new.json --memory 1MiB", 64,
            "MiB of memory is too little"),
    ]

    @Test(arguments: failures) func mistakesAreUsageErrors(_ failure: FailingCommand) throws {
        try withFolder { command in
            try write(to: command)
            try command.expect(failure)
        }
    }
}
