import TestSupport
import Testing

@testable import SheafTool

/// The page on options has those of the command's help, and no others.
@Suite struct DocumentedOptionsTests {
    private static let page = "Documentation/reference/options.md"
    /// The options that every subcommand has.
    private static let shared: Set = ["--version", "--help"]

    /// Returns the part of the page with a heading.
    private static func section(_ heading: String) throws -> String {
        let text = String(decoding: try Repository.contents(of: page), as: UTF8.self)
        let parts = text.split(separator: "\n## ").filter { $0.hasPrefix(heading + "\n") }
        return try #require(parts.first.map(String.init), "\(heading)")
    }

    /// Returns the long names of options in a text; `--[no-]x` is written for `--x` and `--no-x`.
    private static func names(_ text: String) -> Set<String> {
        Set(
            text.replacing("-o FILE", with: "--output FILE")
                .matches(of: /--(\[no-\])?([a-z][a-z-]*)/).map { "--\($0.2)" })
    }

    /// Returns the options in a help text.
    private static func options(_ help: String) -> Set<String> {
        let lines = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
        return Set(lines.compactMap { $0.firstMatch(of: /--[a-z-]+/).map { String($0.output) } })
            .subtracting(shared)
    }

    /// The synopsis is the indented block after the heading.
    @Test(
        arguments: [
            "replay", "report", "measure", "compare", "explain", "merge", "check", "inputs", "generate",
        ])
    func synopsesHaveEveryOption(_ name: String) throws {
        try withFolder { command in
            let help = Self.options(try command.run(name, "--help").output)
            let lines = try Self.section("sheaf \(name)").split(separator: "\n").dropFirst()
            let synopsis = Self.names(
                lines.prefix { $0.hasPrefix("    ") }.joined(separator: "\n"))
            #expect(help.subtracting(synopsis) == [], "missing")
            #expect(synopsis.subtracting(help) == [], "not options")
        }
    }

    /// The synopses of `sheaf partial` are one line each, without the options that all of its subcommands have.
    @Test(arguments: ["keys", "split", "newest", "measure", "inspect"])
    func synopsesOfPartialHaveEveryOption(_ name: String) throws {
        try withFolder { command in
            let help = Self.options(try command.run("partial", name, "--help").output)
                .subtracting(["--memory", "--spill-dir", "--threads", "--quiet"])
            let lines = try Self.section("sheaf partial").split(separator: "\n")
            let synopsis = try #require(lines.first { $0.hasPrefix("    sheaf partial \(name) ") })
            #expect(Self.names(String(synopsis)) == help)
        }
    }

    /// Each option of a replay has a row.
    @Test func aReplayHasARowForEveryOption() throws {
        try withFolder { command in
            let help = Self.options(try command.run("replay", "--help").output)
            let rows = try Self.section("sheaf replay").split(separator: "\n").filter { $0.hasPrefix("| `-") }
            let names = rows.compactMap { $0.split(separator: "|").first.map { Self.names(String($0)) } }
            let described = names.reduce(Set<String>()) { $0.union($1) }
            #expect(help.subtracting(described) == [], "without a row")
            #expect(described.subtracting(help) == [], "not options")
        }
    }

    @Test func thePageHasEverySubcommand() throws {
        for command in SheafCommand.configuration.subcommands {
            _ = try Self.section("sheaf \(command._commandName)")
        }
    }
}
