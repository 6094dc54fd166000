/// The arguments of the command line, without the program's name.
public enum ProcessArguments {
    /// Each as a `SystemPath` text: `CommandLine.arguments` replaces bytes that are not UTF-8, so it would name another file.
    public static var all: [String] {
        // Safety: the system's arguments are there as long as the process, `argc` C strings that nothing here changes.
        let values = unsafe CommandLine.unsafeArgv
        return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let value = unsafe values[index] else { return nil }
            return unsafe SystemPath.text(cString: value)
        }
    }
}
