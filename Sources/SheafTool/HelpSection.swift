import ArgumentParser

/// The sections of a subcommand's help. Options without a section are in the last one.
enum HelpSection {
    static let usual = "Usual options"
    static let display = "Display options"
    static let time = "Time options"
    static let input = "Input options"
    static let run = "Run options"

    /// Returns the part of a subcommand's help that `-h` shows: its purpose, its arguments and the usual options.
    ///
    /// - Parameters:
    ///   - help: all of it, as the parser writes it: paragraphs; each section is a paragraph.
    ///   - command: the command and its subcommand.
    /// - Returns: the help itself if it has no section of usual options.
    static func brief(_ help: String, of command: String) -> String {
        let paragraphs = help.split(separator: "\n\n").map(String.init)
        let heading = "\(usual.uppercased()):"
        guard let last = paragraphs.firstIndex(where: { $0.hasPrefix(heading) }),
            let usage = paragraphs.firstIndex(where: { $0.hasPrefix("USAGE:") })
        else { return help }
        let others = paragraphs[(last + 1)...].joined(separator: "\n").split(separator: "\n")
            .count { $0.hasPrefix("  -") }
        let shown = [paragraphs[0]] + paragraphs[usage...last]
        return shown.joined(separator: "\n\n") + "\n\n\(others) more options: \(command) --help"
    }
}
