/// An error in a string table file, with its location.
public struct StringTableError: Error, Equatable, Sendable {
    public let file: String
    /// The line number, from 1; nil if unknown.
    public let line: Int?
    /// The keys from the top level to the location.
    public let keys: [String]
    public let message: String

    public init(file: String, line: Int?, keys: [String] = [], message: String) {
        self.file = file
        self.line = line
        self.keys = keys
        self.message = message
    }
}

extension StringTableError: CustomStringConvertible {
    public var description: String {
        var place = file
        if let line { place += ":\(line)" }
        if !keys.isEmpty { place += ": " + keys.map { "\"\($0)\"" }.joined(separator: ".") }
        return "\(place): \(message)"
    }
}

/// An error found by code that does not know the file's name.
struct TableProblem: Error {
    var line: Int?
    var keys: [String] = []
    var message: String

    func error(in file: String) -> StringTableError {
        StringTableError(file: file, line: line, keys: keys, message: message)
    }
}
