import Foundation

/// A JSON value as Foundation's parser reads it, independently of Sheaf's.
enum JSONValue: Sendable, Equatable {
    case text(String)
    /// A number, or a boolean as 0 or 1.
    case number(Double)
    case object([String: JSONValue])
    case array([JSONValue])
    case null

    /// Parses a complete JSON text.
    ///
    /// - Throws: if the text is invalid.
    init(parsing text: String) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(text.utf8)))
    }

    private init(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let object as [String: Any]: self = .object(object.mapValues(JSONValue.init))
        case let array as [Any]: self = .array(array.map(JSONValue.init))
        default: self = .null
        }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    var object: [String: JSONValue]? {
        if case .object(let object) = self { object } else { nil }
    }
}
