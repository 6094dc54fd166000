#if os(Linux)
extension Command {
    /// Runs a shell command on a terminal of its own, provided by `script`, and returns what the terminal receives.
    ///
    /// - Parameter term: the value of `TERM`; nil leaves it unset.
    func onTerminal(_ line: String, rows: Int = 0, columns: Int = 60, term: String? = "xterm") throws
        -> String
    {
        let setting = term.map { "export TERM=\"\($0)\"" } ?? "unset TERM"
        let result = try shell(
            "script -qec 'stty cols \(columns) rows \(rows); \(setting); \(line)' typescript < /dev/null > /dev/null; "
                + "cat typescript")
        return Self.sent(in: result.output)
    }

    /// The terminal's contents in a typescript, without the lines that `script` adds before and after them.
    static func sent(in typescript: String) -> String {
        typescript.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("Script ") }.joined(separator: "\n")
            .replacing("\r\n", with: "\n")
    }
}
#endif
