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

/// An error in a file's contents, found by code that does not know the file's name.
package struct ContentError: Error {
    let line: Int?
    package let keys: [String]
    package let message: String

    package init(line: Int? = nil, keys: [String] = [], message: String) {
        self.line = line
        self.keys = keys
        self.message = message
    }

    package func error(in file: String) -> LocatedError {
        LocatedError(file: file, line: line, keys: keys, message: message)
    }
}

// MARK: - JSON

extension ContentError {
    /// Throws if `json` is not valid JSON: `JSONDecoder` accepts more than that, and does not report where it stopped.
    package static func validate(json: [UInt8]) throws(ContentError) {
        guard let location = JSONLocation.firstError(in: json) else { return }
        let problem =
            location.isTooDeep
            ? "more than \(FieldScanner.maximumDepth) nested objects and lists" : "not valid JSON"
        throw ContentError(line: location.line, message: "\(problem) at column \(location.column)")
    }

    /// Throws if an object of valid JSON has the same key twice: one of the two values would be lost.
    package static func checkKeys(of json: [UInt8]) throws(ContentError) {
        guard let repeated = JSONLocation.firstRepeatedKey(in: json), let key = repeated.keys.last else {
            return
        }
        throw ContentError(
            line: repeated.line, keys: repeated.keys,
            message: "repeated key '\(key)', already on line \(repeated.firstLine): remove one of the two")
    }

    /// An error at the value with these keys.
    package init(keys: [String], message: String, in json: [UInt8]) {
        self.init(line: JSONLocation.line(of: keys, in: json), keys: keys, message: message)
    }

    /// - Parameter name: returns what a value of a type is called in messages.
    package init(_ error: DecodingError, in json: [UInt8], name: (Any.Type) -> String) {
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            self.init(keys: Self.keys(context), message: "expected \(name(type))", in: json)
        case .keyNotFound(let key, let context):
            self.init(keys: Self.keys(context), message: "the key '\(key.stringValue)' is missing", in: json)
        case .dataCorrupted(let context):
            self.init(keys: Self.keys(context), message: context.debugDescription, in: json)
        @unknown default:
            self.init(message: "\(error)")
        }
    }

    /// Returns the keys of an error's coding path. Elements of a list have no keys: the list stands for them.
    private static func keys(_ context: DecodingError.Context) -> [String] {
        context.codingPath.filter { $0.intValue == nil }.map(\.stringValue)
    }
}

/// A coding key for objects whose keys are not known in advance.
package struct AnyKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
