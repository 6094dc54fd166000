#if os(Linux)
extension Command {
    /// Runs a shell's command line on a terminal of its own, made by `script`, and returns what is sent to it.
    ///
    /// - Parameter term: what `TERM` is; nil: not set.
    func onTerminal(_ line: String, rows: Int = 0, columns: Int = 60, term: String? = "xterm") throws
        -> String
    {
        let setting = term.map { "export TERM=\"\($0)\"" } ?? "unset TERM"
        let result = try shell(
            "script -qec 'stty cols \(columns) rows \(rows); \(setting); \(line)' typescript < /dev/null > /dev/null; "
                + "cat typescript")
        return Self.sent(in: result.output)
    }

    /// What a typescript has of a terminal, without the lines that `script` puts around it.
    static func sent(in typescript: String) -> String {
        typescript.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("Script ") }.joined(separator: "\n")
            .replacing("\r\n", with: "\n")
    }
}
#endif
