import Foundation
import TestSupport
import Testing

/// Runs the built `sheaf` command as a process in a folder.
struct Command {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The built command, which is next to the test bundle.
    static let url: URL = {
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let neighbour = tests ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return neighbour.deletingLastPathComponent().appendingPathComponent("sheaf")
    }()

    let folder: URL

    /// Runs the command in the folder to completion.
    func run(_ arguments: String..., input: String? = nil) throws -> Result {
        try run(arguments, input: input.map { Data($0.utf8) })
    }

    func run(_ arguments: [String], input: Data? = nil) throws -> Result {
        let process = try start(arguments, input: input == nil ? nil : Pipe())
        if let input, let pipe = process.standardInput as? Pipe {
            pipe.fileHandleForWriting.write(input)
            pipe.fileHandleForWriting.closeFile()
        }
        return Self.finish(process)
    }

    /// Runs a shell command in the folder, with the path of `sheaf` in `$SHEAF`.
    func shell(_ line: String) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", line]
        var environment = ProcessInfo.processInfo.environment
        environment["SHEAF"] = Self.url.path
        process.environment = environment
        prepare(process)
        try process.run()
        return Self.finish(process)
    }

    /// Starts the command; `finish` waits for it.
    func start(_ arguments: [String], input: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = Self.url
        process.arguments = arguments
        prepare(process)
        process.standardInput = input ?? FileHandle.nullDevice
        try process.run()
        return process
    }

    private func prepare(_ process: Process) {
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = Pipe()
        process.standardError = Pipe()
    }

    static func finish(_ process: Process) -> Result {
        // Standard error is small and fits in its pipe, so standard output can be read completely first.
        let output = (process.standardOutput as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
        let errors = (process.standardError as? Pipe)?.fileHandleForReading.readDataToEndOfFile() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}

/// Runs `body` in a temporary folder, which is removed afterwards.
func withFolder(_ body: (Command) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try body(Command(folder: URL(fileURLWithPath: folder.path)))
    withExtendedLifetime(folder) {}
}

extension Command {
    /// Runs the command and sends it a signal while it reads standard input.
    func runReading(_ arguments: [String], endedBy signal: Int32) throws -> Result {
        let input = Pipe()
        let process = try start(arguments, input: input)
        // More than a pipe holds: once it is written, the command is reading.
        input.fileHandleForWriting.write(Data(repeating: UInt8(ascii: "\n"), count: 1 << 20))
        kill(process.processIdentifier, signal)
        return Command.finish(process)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    /// The names of all files in the folder, including hidden ones, in order.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }
}

/// A log of one notification.
let oneNotification =
    #"{"app":"com.example.a","timestamp":1700000000123,"payload":{"aps":{"alert":"Hello"}}}"# + "\n"

/// The snapshot of `oneNotification` in `a.ndjson`.
let oneGroup =
    #"{"app":"com.example.a","thread":null,"count":1,"total":1,"#
    + #""leading":{"id":null,"timestamp":1700000000123,"title":null,"subtitle":null,"body":"Hello","#
    + #""category":null,"source":"a.ndjson","line":1},"summary":null,"arguments":[],"argumentsTruncated":false,"#
    + #""hidden":{"title":null,"subtitle":null,"body":"Notification"},"#
    + #""display":{"title":null,"subtitle":null,"body":"Hello","summary":null},"#
    + #""categories":[{"category":null,"count":1,"weight":1}],"#
    + #""first":1700000000123,"last":1700000000123}"# + "\n"
