import Foundation
import TestSupport
import Testing

/// Mistakes in mapping files end the command with status 78, and with the file and the line.
@Suite struct MappingCommandTests {
    static let cases = [
        FailingCommand(
            "a pointer without a slash", "replay a.ndjson --input dots.json", 78,
            "sheaf: dots.json:3: fields.device: 'user.token': a pointer begins with '/': write '/user/token', or "
                + "'/user.token' if the dots are part of the key\n"),
        FailingCommand(
            "an unknown field", "check a.ndjson --input field.json", 78,
            "sheaf: field.json:2: fields.collapseId: unknown field 'collapseId', did you mean 'collapse-id'?\n"
        ),
        FailingCommand(
            "a mapping in a folder", "replay a.ndjson --input folder/dots.json", 78,
            "sheaf: folder/dots.json:1: unwrap: expected a list, not a string"),
        FailingCommand(
            "a log as the mapping", "replay a.ndjson --input log.ndjson", 78,
            "sheaf: log.ndjson:2: not valid JSON at column 1: this looks like a log: a mapping is one JSON object\n"
        ),
        FailingCommand(
            "an empty mapping", "replay a.ndjson --input none.json", 78,
            "sheaf: none.json:1: the mapping has no effect: write the fields of a record with pointers to them"
        ),
        FailingCommand(
            "a missing file", "replay a.ndjson --input missing.json", 78,
            "sheaf: missing.json: the mapping cannot be read: No such file or directory\n"),
        FailingCommand(
            "a folder", "replay a.ndjson --input folder/", 78,
            "sheaf: folder/: the mapping cannot be read: Is a directory\n"),
        FailingCommand(
            "a file that is too large", "replay a.ndjson --input large.json", 78,
            "sheaf: large.json: the mapping cannot be read: "),
        FailingCommand(
            "a misspelled shape", "replay a.ndjson --input fmc", 64,
            "unknown input 'fmc', did you mean 'fcm'? (the name of a mapping file has a dot or a slash)"),
        FailingCommand(
            "a shape in another case", "replay a.ndjson --input FCM", 64,
            "unknown input 'FCM', did you mean 'fcm'?"),

        FailingCommand(
            "a shape that does not exist", "inputs oneSignal", 64,
            "unknown shape 'oneSignal', did you mean 'onesignal'?"),
    ]

    @Test(arguments: cases) func failsWithAStatusAndALocation(_ failure: FailingCommand) throws {
        try withFolder { command in
            try command.write(oneNotification, to: "a.ndjson")
            try command.write("{\n \"fields\": {\n  \"device\": \"user.token\"\n }\n}\n", to: "dots.json")
            try command.write("{\"fields\":{\n\"collapseId\":\"/c\"}}", to: "field.json")
            try FileManager.default.createDirectory(
                at: command.folder.appendingPathComponent("folder"), withIntermediateDirectories: true)
            try command.write("{\"unwrap\":\"/a\"}", to: "folder/dots.json")
            try command.write("{\"ts\":1}\n{\"ts\":2}\n", to: "log.ndjson")
            try command.write("{}", to: "none.json")
            try command.write("", to: "large.json")
            let large = try FileHandle(
                forWritingTo: command.folder.appendingPathComponent("large.json"))
            try large.truncate(atOffset: (64 << 20) + 1)
            try large.close()
            try command.expect(failure)
        }
    }
}
