import SheafBytes

/// What is wrong with a configuration, and where.
public struct ConfigurationError: Error, Equatable, Sendable {
    public let file: String
    /// Counted from 1; nil where the place is not known.
    public let line: Int?
    /// The keys from the top to the place.
    public let keys: [String]
    public let message: String

    public init(file: String, line: Int?, keys: [String], message: String) {
        self.file = file
        self.line = line
        self.keys = keys
        self.message = message
    }
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        var place = SystemPath.shown(file)
        if let line { place += ":\(line)" }
        if !keys.isEmpty {
            place += ": " + keys.map { $0.contains(".") ? "\"\($0)\"" : $0 }.joined(separator: ".")
        }
        return "\(place): \(message)"
    }
}
