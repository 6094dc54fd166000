import Foundation
import TestSupport
import Testing

@testable import SheafTool

/// What `-h` and `--help` show, and the progress that programs read.
@Suite struct HelpCommandTests {
    private static func options(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("  -") }
            .compactMap { $0.firstMatch(of: /--[a-z-]+/).map { String($0.output) } }
    }

    @Test(arguments: ["replay", "measure", "merge"]) func briefHelpHasTheUsualOptions(_ name: String) throws {
        try withFolder { command in
            let whole = try command.run(name, "--help")
            let brief = try command.run(name, "-h")
            #expect(whole.status == 0 && brief.status == 0)
            let sections = whole.output.split(separator: "\n\n").filter { $0.contains(/^[A-Z ]+OPTIONS:/) }
            #expect(sections.first?.hasPrefix("USUAL OPTIONS:") == true)
            #expect(sections.count > 2)
            let (usual, all) = (Self.options(brief.output), Self.options(whole.output))
            #expect(usual == Self.options(sections.first.map(String.init) ?? ""))
            #expect(usual.contains("--output") && !usual.contains("--memory"))
            #expect(Set(all).count == all.count, "an option is in two sections")
            #expect(
                brief.output.hasSuffix("\n\n\(all.count - usual.count) more options: sheaf \(name) --help\n"))
        }
    }

    @Test(arguments: ["inputs", "generate"]) func shortHelpIsWhole(_ name: String) throws {
        try withFolder { command in
            let whole = try command.run(name, "--help").output
            #expect(try command.run(name, "-h").output == whole)
        }
    }

    /// The last object has the totals.
    @Test func progressIsJSONForPrograms() throws {
        try withFolder { command in
            try command.write(oneNotification, to: "log")
            let result = try command.run("replay", "log", "--progress", "json", "-o", "out")
            let lines = result.errors.split(separator: "\n")
            let size = oneNotification.utf8.count
            #expect(lines.count == 2)
            #expect(
                lines[0].contains(
                    #/^{"seconds":\d+\.\d,"bytesRead":\d+,"totalBytes":\d+,"records":1,"groups":1,"snapshots":0,"groupsWritten":1}$/#
                ))
            #expect(lines[0].contains("\"bytesRead\":\(size),\"totalBytes\":\(size),"))
            #expect(try command.run("check", "log", "--progress", "json").errors.hasPrefix("{\"seconds\":"))
            #expect(
                try command.run("replay", "log", "--progress", "none", "-o", "out").errors.hasPrefix(
                    "1 record "))
        }
    }

    @Test func quietRunsHaveNoProgress() throws {
        try withFolder { command in
            try command.expect(
                FailingCommand(
                    "quiet", "replay log -q --progress json", 64,
                    "--quiet writes only errors to standard error: --progress json can't be given with it"))
        }
    }
}
