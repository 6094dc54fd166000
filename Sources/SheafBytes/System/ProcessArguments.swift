/// The command-line arguments, without the program's name.
package enum ProcessArguments {
    /// Each argument as a `SystemPath` text: `CommandLine.arguments` replaces bytes that are not UTF-8, so it could
    /// name a different file.
    package static var all: [String] {
        // Safety: the array has `argc` C strings, which live as long as the process and which this program never
        // changes.
        let values = unsafe CommandLine.unsafeArgv
        return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let value = unsafe values[index] else { return nil }
            return unsafe SystemPath.text(cString: value)
        }
    }
}
