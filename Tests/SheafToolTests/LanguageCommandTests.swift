import Foundation
import TestSupport
import Testing

/// Locales, string tables and formats on the command line.
@Suite struct LanguageCommandTests {
    private static let log = [("A", 3), ("B", 4), ("C", 1)].enumerated().map {
        #"{"ts":\#($0.offset),"app":"a","payload":{"aps":{"alert":{"title":"T","body":"B","summary-arg":"\#($0.element.0)","summary-arg-count":\#($0.element.1)},"category":"c"}}}"#
            + "\n"
    }.joined()

    private static let config =
        #"{"apps":{"a":{"name":"App","strings":"tables","categories":{"c":{"categorySummaryFormat":{"key":"MORE"}}}}}}"#

    private static func prepare(_ command: Command, table: String = #""MORE" = "%u mehr von %@";"#) throws {
        try command.write(log, to: "log")
        try FileManager.default.createDirectory(
            at: command.folder.appendingPathComponent("conf/tables/de.lproj"),
            withIntermediateDirectories: true)
        try command.write(config, to: "conf/config.json")
        try command.write(table, to: "conf/tables/de.lproj/Localizable.strings")
    }

    /// The path of the tables is relative to the configuration.
    @Test func summariesUseTheStringTableOfTheLocale() throws {
        try withFolder { command in
            try Self.prepare(command)
            let result = try command.run(
                "replay", "log", "--config", "conf/config.json", "--locale", "de_AT", "--format", "text", "-q"
            )
            #expect(result.status == 0)
            #expect(result.output == "App\n  T\n  B\n  7 mehr von B und A\n")
            #expect(result.errors.isEmpty)
        }
    }

    @Test func aMissingKeyIsOneWarning() throws {
        try withFolder { command in
            try Self.prepare(command)
            let result = try command.run(
                "replay", "log", "--config", "conf/config.json", "--locale", "fr", "--format", "text")
            #expect(result.status == 0)
            #expect(result.output == "App\n  T\n  B\n  7 autres notifications de B et A\n")
            #expect(
                result.errors.hasPrefix(
                    "sheaf: warning: conf/config.json: the key 'MORE' of a is not in any of its string tables; "
                        + "the default text is shown\n3 records from "))
            let quiet = try command.run(
                "replay", "log", "--config", "conf/config.json", "--locale", "fr", "--format", "text", "-q")
            #expect(quiet.output == result.output)
            #expect(quiet.errors.isEmpty)
        }
    }

    /// The log in `Data/languages` with the locales of devices, by each way to the same bytes.
    @Test func eachDeviceHasTheTextsOfItsLocale() throws {
        let folder = Repository.root + "/Data/languages"
        let expected = String(
            decoding: try Repository.contents(of: "Data/languages/expected-devices.txt"), as: UTF8.self)
        let shown = [
            "--config", "\(folder)/config.json", "--format", "text", "--now", "2026-01-01T00:20:00Z", "-q",
        ]
        try withFolder { command in
            let read = ["\(folder)/devices.ndjson", "--by-device", "--delivery"]
            for threads in ["1", "3"] {
                let result = try command.run(
                    ["replay"] + read + shown + ["--threads", threads, "--chunk-size", "300"])
                #expect(result.output == expected && result.errors.isEmpty && result.status == 0)
            }
            let partial = try command.run(["replay"] + read + ["--partial", "part", "-q"])
            #expect(partial.errors.isEmpty && partial.status == 0)
            #expect(try command.run(["merge", "part"] + shown).output == expected)
            let untracked = try command.run(["replay"] + read.dropLast() + shown)
            #expect(!untracked.output.contains("Mitteilung") && untracked.status == 0)
        }
    }

    /// Keys of alerts that no table has: the replay counts the notifications, the check names the languages.
    @Test func keysWithoutTextsAreReported() throws {
        try withFolder { command in
            try Self.prepare(command, table: #""HELLO" = "Hallo";"#)
            let lines = ["HELLO", "BYE", "HELLO", "AGAIN", "BYE"].enumerated().map { index, key in
                #"{"ts":\#(index + 1),"app":"\#(index == 4 ? "b" : "a")","aps":{"alert":{"loc-key":"\#(key)"}}}"#
                    + "\n"
            }
            try command.write(lines.joined(), to: "keys")
            try command.write(
                #"{"developmentLanguage":"de","apps":{"a":{"strings":"tables"},"b":{}}}"#,
                to: "conf/config.json")
            func warnings(_ log: String, _ arguments: String...) throws -> String {
                let result = try command.run(["replay", log, "--config", "conf/config.json"] + arguments)
                #expect(result.status == 0)
                return String(
                    result.errors.split(separator: "\n").filter { $0.contains("key instead") }.joined())
            }
            let text =
                "sheaf: warning: 2 notifications show a key instead of a text, because no string table has it in this "
                + "language: 'BYE' of a is the first; 'sheaf check --config' names the languages that lack it"
            for threads in ["1", "3"] {
                #expect(
                    try warnings(
                        "keys", "-o", "out", "--threads", threads, "--chunk-size", "50", "--locale", "de")
                        == text)
            }
            #expect(
                try warnings("keys", "-o", "out", "--locale", "de", "--every", "1s", "--lateness", "0s")
                    == text)
            #expect(try warnings("keys", "--partial", "out") == "")
            #expect(try warnings("keys", "-o", "out", "--locale", "de", "--until", "1") == "")
            let one = lines[1].replacing(#""a""#, with: #""a\n""#)
            try command.write(one + lines[3], to: "one")
            #expect(
                try warnings("one", "-o", "out")
                    == text.replacing("2 notifications show", with: "1 notification shows")
                    .replacing("'BYE' of a is the first;", with: "'AGAIN' of a;"))
            let check = try command.run(
                "check", "keys", "--config", "conf/config.json", "--format", "json", "-q")
            #expect(
                check.output.contains(
                    #"{"name":"loc-key.unknown","severity":"warning","count":2,"first":{"source":"keys","line":2},"#
                        + #""detail":"'BYE' in de"}"#))
        }
    }

    /// A format's key that no table has is reported even if no record has its category.
    @Test func formatsWithoutTextsAreReportedByChecks() throws {
        try withFolder { command in
            try Self.prepare(command, table: #""OTHER" = "x";"#)
            let check = try command.run("check", "log", "--config", "conf/config.json", "--locale", "de")
            #expect(
                check.errors
                    == "sheaf: warning: conf/config.json: the key 'MORE' of a is not in any of its string tables; "
                    + "the default text is shown\n")
            #expect(
                check.output.hasPrefix(
                    """
                    warning  3  loc-key.unknown
                                log:1
                                The string tables of a language lack this key, so a device has no
                                text for it. First: 'MORE' of the category 'c' in de
                    """), "\(check.output)")
            let quiet = try command.run(
                "check", "log", "--config", "conf/config.json", "-q", "--locale", "de")
            #expect(quiet.errors.isEmpty)
        }
    }

    private static let warning =
        "sheaf: warning: Sheaf has no translation for 'sv_FI': its own texts are in English\n"

    @Test func anUntranslatedLocaleIsEnglishThroughout() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            let result = try command.run("replay", "log", "--locale", "sv_FI", "--format", "text")
            #expect(result.status == 0)
            #expect(result.output == "a\n  T\n  B\n  7 more notifications from B and A\n")
            #expect(result.errors.hasPrefix(Self.warning), "\(result.errors)")
            #expect(result.errors.components(separatedBy: "warning").count == 2)
            let german = try command.run("replay", "log", "--locale", "de_CH", "--format", "text")
            #expect(!german.errors.contains("warning"), "\(german.errors)")
        }
    }

    @Test func anAppsOwnTextsAreUsedInAnUntranslatedLocale() throws {
        try withFolder { command in
            try Self.prepare(command)
            let table = command.folder.appendingPathComponent("conf/tables/sv.lproj")
            try FileManager.default.createDirectory(at: table, withIntermediateDirectories: true)
            try command.write(#""MORE" = "%u fler från %@";"#, to: "conf/tables/sv.lproj/Localizable.strings")
            let result = try command.run(
                "replay", "log", "--config", "conf/config.json", "--locale", "sv_FI", "--format", "text")
            #expect(result.output == "App\n  T\n  B\n  7 fler från B och A\n")
            #expect(result.errors.hasPrefix(Self.warning), "\(result.errors)")
        }
    }

    /// The forms come from a `.stringsdict` and from a String Catalog.
    @Test(arguments: ["en", "ar", "ru"])
    func placeholdersHavePluralForms(_ locale: String) throws {
        let folder = "Data/placeholders"
        let result = try Command(folder: URL(fileURLWithPath: "\(Repository.root)/\(folder)")).run(
            "replay", "log.ndjson.gz", "--config", "config.json", "--locale", locale, "--format", "text",
            "--sort", "key", "-q")
        #expect(result.status == 0)
        let expected = try Repository.contents(of: "\(folder)/expected-\(locale).txt")
        #expect(result.output == String(decoding: expected, as: UTF8.self))
    }

    @Test func aPartialResultCanBeShownInAnyLanguage() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            #expect(try command.run("replay", "log", "--partial", "part").status == 0)
            let german = try command.run("merge", "part", "--locale", "de", "--format", "text", "-q")
            #expect(german.output == "a\n  T\n  B\n  7 weitere Mitteilungen von B und A\n")
            let english = try command.run("merge", "part", "--format", "text", "-q")
            #expect(english.output == "a\n  T\n  B\n  7 more notifications from B and A\n")
        }
    }

    @Test func theProfileOfLaterSystemsIgnoresSummaryArguments() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            let result = try command.run("replay", "log", "--profile", "ios15", "--format", "text", "-q")
            #expect(result.output == "a\n  T\n  B\n  2 more notifications\n")
        }
    }

    @Test(arguments: [
        FailingCommand(
            "an unknown locale", "replay log --locale en_UX", 64,
            "unknown locale 'en_UX', did you mean 'en_US'?"),
        FailingCommand("an unknown format", "replay log --format xml", 64, "--format"),
        FailingCommand(
            "a format for state", "replay log --partial p --format csv", 64, "--format can't be given"),
        FailingCommand("zero groups", "replay log --top 0", 64, "--top is 0, but must be from 1 to 10000"),
        FailingCommand(
            "a broken table", "replay log --config conf/config.json", 78,
            "sheaf: conf/tables/de.lproj/Localizable.strings:1: "),
        FailingCommand(
            "an invalid format string", "replay log --config conf/none.json --locale de", 78,
            "sheaf: conf/none.json: the key 'MORE' in de: a summary needs a count"),
    ])
    func failsWithAStatusAndAMessage(_ failure: FailingCommand) throws {
        try withFolder { command in
            try Self.prepare(command, table: #""MORE" "%u";"#)
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("conf/none/de.lproj"),
                withIntermediateDirectories: true)
            try command.write(#""MORE" = "mehr";"#, to: "conf/none/de.lproj/Localizable.strings")
            try command.write(Self.config.replacing("tables", with: "none"), to: "conf/none.json")
            try command.expect(failure)
        }
    }

    private static let hostile: String = {
        let title =
            "\\u001b[31mred\\u001b]0;title\\u0007\\u009b2J\\u202egnirts\\u2066x"
            + String(repeating: "W", count: 10_000)
        return
            #"{"app":"a\u001b[0m","payload":{"aps":{"alert":{"title":"\#(title)","body":"l1\nl2\r\u0008\u007f","summary-arg":"\u001b[7m"}}}}"#
            + "\n"
            + #"{"app":"a\u001b[0m","payload":{"aps":{"alert":{"title":"\#(title)","body":"\u0085\u200e\u2029"}}}}"#
            + "\n"
    }()

    #if os(Linux)
    private static func onTerminal(_ command: Command, _ line: String) throws -> String {
        try command.onTerminal(line).replacing("\r", with: "")
    }

    @Test func aHostileLogCannotControlTheTerminal() throws {
        try withFolder { command in
            try command.write(Self.hostile, to: "log")
            let text = try Self.onTerminal(command, "NO_COLOR=1 $SHEAF replay log -q")
            let controls = text.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || (0x7f..<0xa0).contains($0.value)
                    || [0x2028, 0x2029, 0x202e, 0x2066, 0x2069].contains($0.value)
            }
            #expect(controls.isEmpty)
            #expect(text.contains("␛[31mred␛]0;title␇"))
            #expect(text.contains("a␛[0m"))
            for line in text.split(separator: "\n") { #expect(line.count <= 60) }
        }
    }

    /// File names may contain control characters, too.
    @Test(arguments: ["replay logs", "merge logs", "replay --stats /dev/null logs/x*"])
    func hostileFileNamesCannotControlTheTerminal(_ line: String) throws {
        try withFolder { command in
            let errors = try command.shell(
                """
                mkdir logs && printf '{' > $'logs/x\u{5c}e]0;t\u{5c}a\u{5c}u202e\u{5c}u009b.log' && "$SHEAF" \(line) -q 2>&1 >/dev/null
                """
            ).output
            #expect(errors.contains("x␛]0;t␇<U+202E>"), "\(errors)")
            let controls = errors.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || (0x7f..<0xa0).contains($0.value) || $0.value == 0x202e
            }
            #expect(controls.isEmpty, "\(errors)")
        }
    }

    @Test func progressIsErasedBeforeTheResult() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            _ = try command.shell("$SHEAF replay log --partial part -q")
            for run in ["replay log", "merge part"] {
                let text = try Self.onTerminal(command, "NO_COLOR=1 $SHEAF \(run)")
                let result = try #require(text.range(of: "a\n  T\n"))
                #expect(text[..<result.lowerBound].hasSuffix("\u{1b}[K"), "\(text)")
                #expect(!text[result.upperBound...].contains("\u{1b}"), "\(text)")
            }
        }
    }

    @Test func onlyTextOnATerminalIsColoured() throws {
        try withFolder { command in
            try command.write(Self.log, to: "log")
            #expect(
                try Self.onTerminal(command, "env -u NO_COLOR $SHEAF replay log -q").contains("\u{1b}[1m"))
            #expect(!(try Self.onTerminal(command, "NO_COLOR=1 $SHEAF replay log -q").contains("\u{1b}")))
            #expect(!(try Self.onTerminal(command, "$SHEAF replay log -q --format csv").contains("\u{1b}")))
            #expect(!(try command.run("replay", "log", "-q", "--format", "text").output.contains("\u{1b}")))
        }
    }
    #endif
}
