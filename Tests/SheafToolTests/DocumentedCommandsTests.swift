import Foundation
import TestSupport
import Testing

/// The commands in the README and the pages print what is shown there.
@Suite struct DocumentedCommandsTests {
    struct Example: Equatable {
        var command: String
        var output: String
    }

    /// Sources that a reader replaces by their own.
    static let placeholders: Set<Substring> = ["log", "logs", "log.zst", "log.ndjson"]

    static let pages =
        ["README.md"]
        + ["guide", "internals", "reference"].flatMap { name in
            let folder = "Documentation/\(name)"
            return ((try? Repository.names(in: folder)) ?? []).sorted().map { "\(folder)/\($0)" }
        }

    /// Returns the commands of a page whose sources are in the repository, in their order.
    static func examples(in page: String) throws -> [Example] {
        var examples: [Example] = []
        var indent: Substring?
        for line in String(decoding: try Repository.contents(of: page), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        {
            let start = line.prefix { $0 == " " }
            let text = line.dropFirst(start.count)
            if text.hasPrefix("$ ") {
                examples.append(Example(command: String(text.dropFirst(2)), output: ""))
                indent = start
            } else if let known = indent {
                if !text.isEmpty, start.count < known.count || text.hasPrefix("```") {
                    indent = nil
                } else if let last = examples.last, last.output.isEmpty,
                    last.command.hasSuffix("\\") || last.command.hasSuffix("|")
                {
                    examples[examples.count - 1].command += "\n" + text
                } else {
                    examples[examples.count - 1].output += line.dropFirst(known.count) + "\n"
                }
            }
        }
        return examples.filter { example in
            let words = example.command.split(separator: " ")
            return ["sheaf", "cmp"].contains(words.first) && placeholders.isDisjoint(with: words)
        }
    }

    @Test(arguments: pages) func outputIsAsShown(_ page: String) throws {
        try withFolder { command in
            let start = "ln -s '\(Repository.root)/Data' . && mkdir out bin && ln -s \"$SHEAF\" bin/sheaf"
            #expect(try command.shell(start).status == 0)
            for example in try Self.examples(in: page) {
                let result = try command.shell("PATH=\"$PWD/bin:$PATH\"; { \(example.command); } 2>&1")
                // A run that takes longer also tells its speed.
                let duration = /\d+\.\d s(?: \(.* records\/s\))?$/.anchorsMatchLineEndings()
                let found = result.output.replacing(duration, with: "0.0 s")
                #expect(found.trimmed == example.output.trimmed, "\(example.command)")
            }
        }
    }

    @Test func mostPagesHaveCommands() throws {
        let counts = try Self.pages.map { try Self.examples(in: $0).count }
        #expect(counts.count { $0 > 0 } >= 7)
        #expect(counts.reduce(0, +) >= 20)
    }
}

extension String {
    /// Without empty lines at the end, and spaces at the ends of lines.
    fileprivate var trimmed: String {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
