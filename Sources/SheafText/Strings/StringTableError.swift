/// What is wrong with a file of string tables, and where.
public struct StringTableError: Error, Equatable, Sendable {
    public let file: String
    /// Counted from 1; nil where the place is not known.
    public let line: Int?
    /// The keys from the top to the place.
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

/// The same before the file's name is known to who finds it.
struct TableProblem: Error {
    var line: Int?
    var keys: [String] = []
    var message: String

    func error(in file: String) -> StringTableError {
        StringTableError(file: file, line: line, keys: keys, message: message)
    }
}
