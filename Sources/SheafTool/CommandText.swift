import SheafBytes

/// The command line of this process as a page shows it: without the options that no result depends on, so that the same
/// records give the same page. The format may follow from the output's name, which is left out, so it is named at the end.
enum CommandText {
    static var current: String {
        text(CurrentProcess.arguments)
    }

    /// Those that take a value, which may also follow in the same argument.
    private static let optionsWithValue: Set<String> = [
        "-o", "--output", "--format", "--stats", "--rejects", "--findings", "--write-baseline", "--threads",
        "--memory",
        "--spill-dir", "--checkpoint", "--checkpoint-interval", "--progress", "--inflater",
    ]
    private static let flags: Set<String> = ["-q", "--quiet"]

    static func text(_ arguments: some Sequence<String>) -> String {
        var words = ["sheaf"]
        var skipsValue = false
        var isOption = true
        for argument in arguments {
            if skipsValue {
                skipsValue = false
                continue
            }
            if argument == "--" { isOption = false }
            if isOption, flags.contains(argument) { continue }
            if isOption, optionsWithValue.contains(argument) {
                skipsValue = true
                continue
            }
            let name = argument.prefix { $0 != "=" }
            if isOption, optionsWithValue.contains(String(name)) { continue }
            let word = argument.shellWord
            // A word that begins with a dash is an option here, not a path.
            words.append(
                argument.hasPrefix("-") ? word.replacing("./-", with: "-", maxReplacements: 1) : word)
        }
        if words.dropFirst().first != "report" { words += ["--format", "html"] }
        return words.joined(separator: " ")
    }
}
