/// An error in a string table file, with its location.
package struct StringTableError: Error, Equatable, Sendable {
    package let file: String
    /// The line number, from 1; nil if unknown.
    package let line: Int?
    /// The keys from the top level to the location.
    package let keys: [String]
    package let message: String

    package init(file: String, line: Int?, keys: [String] = [], message: String) {
        self.file = file
        self.line = line
        self.keys = keys
        self.message = message
    }
}

extension StringTableError: CustomStringConvertible {
    package var description: String {
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
