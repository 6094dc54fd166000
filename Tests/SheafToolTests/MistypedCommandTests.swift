import TestSupport
import Testing

@testable import SheafTool

/// Mistyped values, options and files are answered with what was probably meant.
@Suite struct MistypedCommandTests {
    static let failures = [
        FailingCommand(
            "a profile", "replay log --profile ios51", 64, "one of 'ios12' and 'ios15'; did you mean"),
        FailingCommand(
            "a format", "replay log --format texy", 64,
            "one of 'ndjson', 'json', 'csv', 'csv-iso', 'text' or 'html'; did you mean 'text'?\n"),
        FailingCommand("an order", "replay log --sort recnt", 64, "; did you mean 'recent'?"),
        FailingCommand("a decoder", "replay log --inflater zilb", 64, "; did you mean 'zlib'?"),
        FailingCommand("a report", "check log --format sarrif", 64, "; did you mean 'sarif'?"),
        FailingCommand("a severity", "check log --fail-on eror", 64, "; did you mean 'error'?"),
        FailingCommand(
            "a language", "replay log --locale germ", 64, "unknown locale 'germ', did you mean 'de'?"),
        FailingCommand("a rule", "check log --disable threads.singel", 64, "did you mean 'threads.single'?"),
        FailingCommand("a shape", "replay log --input fmc", 64, "unknown input 'fmc', did you mean 'fcm'?"),
        FailingCommand(
            "a subcommand", "partial splt one", 64,
            "unknown subcommand 'splt' of sheaf partial, did you mean 'split'?"),
        FailingCommand(
            "another word", "partial one", 64,
            "unknown subcommand 'one' of sheaf partial: the subcommands are keys, split, newest, measure and inspect"
        ),
        FailingCommand("no value", "replay log --every= --by-device", 64, "--every= has no value"),
        FailingCommand(
            "memory without a unit", "replay log --memory 512", 64, "512 bytes of memory is too little"),
        FailingCommand("an empty file", "merge empty", 66, "empty: not a partial result: it holds no data"),
        FailingCommand("a device", "replay log --device x", 64, "'--only-device' or '--by-device'?"),
        FailingCommand(
            "a deep configuration", "replay log --config deep", 78,
            "deep:1: more than 128 nested objects and lists at column 129"),
    ]

    @Test(arguments: failures) func whatWasMeantIsSuggested(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log")
            try command.write("", to: "empty")
            try command.write(
                String(repeating: "[", count: 200) + String(repeating: "]", count: 200), to: "deep")
            try command.expect(failure)
        }
    }

    /// Of values that are equally similar, none is suggested.
    @Test func noValueIsPreferred() throws {
        try withFolder { command in
            let result = try command.run("replay", "log", "--profile", "ios16")
            #expect(result.status == 64)
            #expect(result.errors.contains("one of 'ios12' and 'ios15'.\n"))
        }
    }

    /// An empty value after an equals sign is a mistake only before `--`.
    @Test func sourcesMayEndWithAnEqualsSign() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "--a=")
            #expect(try command.run("replay", "-q", "-o", "out", "--", "--a=").status == 0)
        }
    }

    @Test func aSourceThatIsGivenTwiceIsNamed() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "l")
            let twice = try command.run("replay", "l", "l", "-o", "out")
            #expect(
                twice.errors.contains("warning: l is given twice: its records count twice; give it once\n"))
            let often = try command.run("replay", "l", "l", "l", "-o", "out")
            #expect(
                often.errors.contains(
                    "warning: l is given 3 times: its records count 3 times; give it once\n"))
        }
    }
}
