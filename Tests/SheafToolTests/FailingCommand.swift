import Foundation
import Testing

/// A command that fails, with its exit status and part of its message.
struct FailingCommand: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let status: Int32
    let message: String
    var testDescription: String { name }

    init(_ name: String, _ arguments: String, _ status: Int32, _ message: String) {
        self.name = name
        self.arguments = arguments.split(separator: " ").map(String.init)
        self.status = status
        self.message = message
    }
}

extension Command {
    /// Expects that a command fails with its status and message, writes no output, and neither adds nor removes files.
    func expect(_ failure: FailingCommand, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try names
        let result = try run(failure.arguments)
        #expect(result.status == failure.status, sourceLocation: sourceLocation)
        // The parser does not wrap messages.
        #expect(result.errors.contains(failure.message), "\(result.errors)", sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, sourceLocation: sourceLocation)
        #expect(try names == before, sourceLocation: sourceLocation)
    }
}

/// The signals that interrupt every command, with the exit statuses that they lead to.
let interruptions: [(signal: Int32, status: Int32)] = [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)]

/// Expects that a signal ends a command that is reading standard input, and that no file is left.
func expectInterruption(
    of arguments: [String], by signal: Int32, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try withFolder { command in
        let result = try command.runReading(arguments, endedBy: signal)
        #expect(result.status == status, sourceLocation: sourceLocation)
        #expect(
            result.errors == "sheaf: interrupted; no file was written\n", sourceLocation: sourceLocation)
        #expect(try command.names == [], sourceLocation: sourceLocation)
    }
}
