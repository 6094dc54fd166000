import Testing

/// A command that fails, with its exit status and part of its message.
struct FailingCommand: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let status: Int32
    let message: String
    var testDescription: String { name }

    init(_ name: String, _ arguments: String, _ status: Int32, _ message: String) {
        self.name = name
        self.arguments = arguments.split(separator: " ").map(String.init)
        self.status = status
        self.message = message
    }
}
