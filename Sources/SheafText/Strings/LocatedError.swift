import SheafBytes

/// An error in a configuration or a string table, with its location.
public struct LocatedError: Error, Equatable, Sendable {
    public let file: String
    /// The line number, from 1; nil if unknown.
    public let line: Int?
    /// The keys from the top level to the location.
    public let keys: [String]
    public let message: String

    package init(file: String, line: Int? = nil, keys: [String] = [], message: String) {
        self.file = file
        self.line = line
        self.keys = keys
        self.message = message
    }
}

extension LocatedError: CustomStringConvertible {
    public var description: String {
        var location = SystemPath.shown(file)
        if let line { location += ":\(line)" }
        if !keys.isEmpty {
            location += ": " + keys.map { $0.contains(".") ? "\"\($0)\"" : $0 }.joined(separator: ".")
        }
        return "\(location): \(message)"
    }
}
