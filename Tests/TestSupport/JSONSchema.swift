import Foundation

/// Validates JSON against a JSON Schema, as far as the schemas of the tests need: `type`, `enum`, `properties`,
/// `required`, `additionalProperties`, `items`, `minItems`, `uniqueItems`, `minimum`, `pattern`, `anyOf`, the format
/// `uri-reference`, and `$ref` to definitions.
package struct JSONSchema {
    private let root: [String: Any]

    package init(_ json: [UInt8]) throws {
        guard let root = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else {
            throw CocoaError(.propertyListReadCorrupt)
        }
        self.root = root
    }

    /// Returns a message for each violation, with its location.
    package func errors(in json: [UInt8]) throws -> [String] {
        guard let value = try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
        else {
            return ["not JSON"]
        }
        return errors(in: value, root, "")
    }

    private static let known: Set = [
        "$schema", "title", "description", "definitions", "type", "enum", "properties", "required",
        "additionalProperties", "items", "minItems", "uniqueItems", "minimum", "pattern", "anyOf", "format",
        "$ref",
    ]

    private func errors(in value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        var errors: [String] = []
        for key in schema.keys where !Self.known.contains(key) { errors.append("unsupported keyword \(key)") }
        if let reference = schema["$ref"] as? String {
            let name = String(reference.dropFirst("#/definitions/".count))
            guard let definition = (root["definitions"] as? [String: Any])?[name] as? [String: Any] else {
                return ["no definition of \(reference)"]
            }
            return self.errors(in: value, definition, path)
        }
        if let type = schema["type"] as? String, !Self.matches(value, type) {
            errors.append("\(path): not of the type \(type)")
        }
        if let choices = schema["enum"] as? [String], !choices.contains(value as? String ?? "\u{0}") {
            errors.append("\(path): not one of \(choices)")
        }
        if let object = value as? [String: Any] { errors += self.errors(inObject: object, schema, path) }
        if let list = value as? [Any] {
            if let items = schema["items"] as? [String: Any] {
                for (index, item) in list.enumerated() {
                    errors += self.errors(in: item, items, "\(path)/\(index)")
                }
            }
            if list.count < schema["minItems"] as? Int ?? 0 { errors.append("\(path): too few items") }
            if schema["uniqueItems"] as? Bool == true {
                let texts = list.map { "\($0)" }
                if Set(texts).count < texts.count { errors.append("\(path): repeated items") }
            }
        }
        if let minimum = schema["minimum"] as? Double, let number = (value as? NSNumber)?.doubleValue,
            number < minimum
        {
            errors.append("\(path): less than \(minimum)")
        }
        if let text = value as? String {
            if let pattern = schema["pattern"] as? String,
                text.range(of: pattern, options: .regularExpression) == nil
            {
                errors.append("\(path): does not match \(pattern)")
            }
            if schema["format"] as? String == "uri-reference",
                text.range(of: "^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*$", options: .regularExpression) == nil
            {
                errors.append("\(path): not a URI reference")
            }
            if schema["format"] as? String == "uri",
                text.range(
                    of: "^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$",
                    options: .regularExpression)
                    == nil
            {
                errors.append("\(path): not a URI")
            }
        }
        if let choices = schema["anyOf"] as? [[String: Any]],
            choices.allSatisfy({ !self.errors(in: value, $0, path).isEmpty })
        {
            errors.append("\(path): none of the choices")
        }
        return errors
    }

    private func errors(inObject object: [String: Any], _ schema: [String: Any], _ path: String) -> [String] {
        var errors: [String] = []
        for name in schema["required"] as? [String] ?? [] where object[name] == nil {
            errors.append("\(path): \(name) is missing")
        }
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        for (name, value) in object {
            if let property = properties[name] {
                errors += self.errors(in: value, property, "\(path)/\(name)")
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                errors += self.errors(in: value, others, "\(path)/\(name)")
            } else if schema["additionalProperties"] as? Bool == false {
                errors.append("\(path): \(name) is not allowed")
            }
        }
        return errors
    }

    private static func matches(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        // A boolean is a number, too, of the type of C's.
        case "boolean": (value as? NSNumber).map { unsafe String(cString: $0.objCType) == "c" } ?? false
        case "integer":
            !(value is String)
                && (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: false
        }
    }
}
