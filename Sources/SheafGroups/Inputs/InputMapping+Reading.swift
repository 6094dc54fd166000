import SheafBytes
import SheafText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension InputMapping {
    /// The maximum number of pointers and constants in a file.
    static let maximumPointers = 200
    /// The maximum length of a constant, in bytes.
    static let maximumConstantBytes = PushLimits.fieldBytes

    /// Reads a mapping file.
    ///
    /// - Parameter file: the file's name, for messages and as the mapping's name.
    /// - Throws: `LocatedError` with the line and the pointer: invalid JSON, an unknown or repeated key, a value
    ///   of the wrong type, or an invalid pointer.
    init(json bytes: [UInt8], file: String) throws(LocatedError) {
        do throws(ContentError) {
            self = try Self.read(
                bytes.starts(with: UTF8.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes, name: file)
        } catch {
            throw error.error(in: file)
        }
    }

    private static func read(_ json: [UInt8], name: String) throws(ContentError) -> InputMapping {
        try ContentError.validate(json: json)
        if let repeated = JSONLocation.firstRepeatedKey(in: json), let key = repeated.keys.last {
            throw ContentError(
                line: repeated.line, keys: repeated.keys,
                message: "repeated key '\(key)', already on line \(repeated.firstLine): remove one of the two"
            )
        }
        do {
            let value = try JSONDecoder().decode(MappingValue.self, from: Data(json))
            return try MappingReader(name: name).mapping(value)
        } catch let problem as ContentError {
            throw ContentError(keys: problem.keys, message: problem.message, in: json)
        } catch {
            throw ContentError(message: "\(error)")
        }
    }
}

/// A JSON value of a mapping file.
private enum MappingValue: Decodable {
    case object([String: MappingValue])
    case list([MappingValue])
    case literal(InputMapping.Literal)
    case null

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
            var values: [String: MappingValue] = [:]
            for key in container.allKeys {
                values[key.stringValue] = try container.decode(MappingValue.self, forKey: key)
            }
            self = .object(values)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [MappingValue] = []
            while !container.isAtEnd { values.append(try container.decode(MappingValue.self)) }
            self = .list(values)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let bool = try? container.decode(Bool.self) {
                self = .literal(.bool(bool))
            } else if let number = try? container.decode(Double.self) {
                self = .literal(.number(number))
            } else {
                self = .literal(.text(try container.decode(String.self)))
            }
        }
    }

    /// What the value is called in messages.
    var kind: String {
        switch self {
        case .object: "an object"
        case .list: "a list"
        case .literal(.text): "a string"
        case .literal(.number): "a number"
        case .literal(.bool(let value)): "\(value)"
        case .null: "null"
        }
    }
}

/// Turns the value of a mapping file into a mapping.
private struct MappingReader {
    let name: String

    private typealias Keys = [String]

    func mapping(_ value: MappingValue) throws -> InputMapping {
        guard case .object(let members) = value else {
            throw ContentError(message: "a mapping is an object, not \(value.kind)")
        }
        try check(
            members,
            ["about", "withoutPayload", "when", "unwrap", "each", "otherPlatform", "fields"], at: [])
        var mapping = InputMapping(name: name)
        mapping.description = try members["about"].map { try text($0, at: ["about"]) }
        mapping.withoutPayload = try members["withoutPayload"].map { try text($0, at: ["withoutPayload"]) }
        mapping.alternatives = try list(members["when"], at: ["when"]).map { alternative in
            guard case .list(let conditions) = alternative else {
                return [try condition(alternative, at: ["when"])]
            }
            guard !conditions.isEmpty else {
                throw ContentError(
                    keys: ["when"], message: "an alternative without conditions fits every entry: remove it")
            }
            return try conditions.map { try condition($0, at: ["when"]) }
        }
        mapping.unwrap = try list(members["unwrap"], at: ["unwrap"]).map { value in
            let pointer = try pointer(value, at: ["unwrap"])
            guard !pointer.tokens.isEmpty, !pointer.tokens.contains(.each) else {
                throw ContentError(
                    keys: ["unwrap"],
                    message: pointer.tokens.isEmpty
                        ? "'' is the entry itself, which wraps nothing"
                        : "'\(pointer)' has '*': arrays of entries are read with 'each'")
            }
            return pointer
        }
        mapping.each = try list(members["each"], at: ["each"]).map { value in
            let pointer = try pointer(value, at: ["each"])
            guard pointer.tokens.contains(.each) else {
                throw ContentError(
                    keys: ["each"],
                    message: "'\(pointer)' has no '*' for the elements of an array: write '\(pointer)/*'")
            }
            return pointer
        }
        mapping.otherPlatform = try list(members["otherPlatform"], at: ["otherPlatform"]).map {
            try condition($0, at: ["otherPlatform"])
        }
        mapping.fields = try fields(members["fields"])
        if mapping.withoutPayload != nil, mapping.alternatives.isEmpty {
            throw ContentError(
                keys: ["withoutPayload"], message: "'when' is missing: it says which entries hold no payload")
        }
        if mapping.withoutPayload != nil, !mapping.fields.isEmpty {
            throw ContentError(keys: ["fields"], message: "entries without a payload have no fields")
        }
        try checkRows(of: mapping)
        let count = mapping.pointers.count + mapping.constants.count
        guard count <= InputMapping.maximumPointers else {
            throw ContentError(
                message:
                    "\(count) pointers and constants: at most \(InputMapping.maximumPointers) are supported")
        }
        return mapping
    }

    private func fields(_ value: MappingValue?) throws -> [MappedField: [InputMapping.Candidate]] {
        guard let value else { return [:] }
        guard case .object(let members) = value else {
            throw ContentError(keys: ["fields"], message: "expected an object, not \(value.kind)")
        }
        var fields: [MappedField: [InputMapping.Candidate]] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let keys = ["fields", name]
            guard let field = MappedField.all.first(where: { $0.name == name }) else {
                throw ContentError(
                    keys: keys, message: Self.unknown(name))
            }
            let candidates =
                if case .list(let values) = value { values } else { [value] }
            fields[field] = try candidates.map { try candidate($0, of: field, at: keys) }
        }
        return fields
    }

    private static func unknown(_ name: String) -> String {
        let names = MappedField.all.map(\.name)
        guard let nearest = Suggestion.nearest(name, known: names) else {
            return "unknown field '\(name)': the fields are "
                + EnvelopeField.allCases.map(\.rawValue).joined(separator: ", ")
                + ", payload, and the payload's own, such as payload/aps/thread-id"
        }
        return "unknown field '\(name)', did you mean '\(nearest)'?"
    }

    private func candidate(
        _ value: MappingValue, of field: MappedField, at keys: Keys
    ) throws -> InputMapping.Candidate {
        guard case .object(let members) = value else {
            return InputMapping.Candidate(try pointer(value, at: keys))
        }
        try check(
            members, ["pointer", "constant", "native", "separator", "part", "when", "unless"], at: keys)
        if let native = members["native"] { return try nativeNames(native, members, of: field, at: keys) }
        var candidate: InputMapping.Candidate
        switch (members["pointer"], members["constant"]) {
        case (let value?, nil): candidate = InputMapping.Candidate(try pointer(value, at: keys + ["pointer"]))
        case (nil, let value?):
            candidate = InputMapping.Candidate(source: .constant(try constant(value, of: field, at: keys)))
        case (nil, nil):
            throw ContentError(keys: keys, message: "expected a 'pointer', a 'constant' or 'native'")
        default:
            throw ContentError(keys: keys, message: "'pointer' and 'constant' exclude each other")
        }
        candidate.part = try part(members, at: keys)
        if candidate.part != nil, candidate.pointer == nil {
            throw ContentError(keys: keys, message: "a constant has no parts: write the part itself")
        }
        candidate.when = try pointers(members["when"], at: keys + ["when"])
        candidate.unless = try pointers(members["unless"], at: keys + ["unless"])
        return candidate
    }

    private func nativeNames(
        _ value: MappingValue, _ members: [String: MappingValue], of field: MappedField, at keys: Keys
    ) throws -> InputMapping.Candidate {
        guard case .literal(.bool(true)) = value else {
            throw ContentError(keys: keys + ["native"], message: "expected true, not \(value.kind)")
        }
        guard members.count == 1 else {
            throw ContentError(keys: keys, message: "'native' stands alone: its names have no conditions")
        }
        guard case .envelope = field else {
            throw ContentError(
                keys: keys,
                message: "'native' is for fields of the envelope: the payload's own fields count anyway")
        }
        return InputMapping.Candidate(source: .native)
    }

    private func constant(_ value: MappingValue, of field: MappedField, at keys: Keys) throws -> String {
        let keys = keys + ["constant"]
        switch field {
        case .payload, .inPayload(.aps):
            throw ContentError(keys: keys, message: "'\(field.name)' is an object, which a constant is not")
        default: break
        }
        let text = try text(value, at: keys)
        guard !text.isEmpty else {
            throw ContentError(keys: keys, message: "an empty constant counts as absent")
        }
        guard text.utf8.count <= InputMapping.maximumConstantBytes else {
            throw ContentError(
                keys: keys, message: "longer than \(InputMapping.maximumConstantBytes) bytes")
        }
        if field == .envelope(.timestamp), Timestamp.milliseconds(text: Array(text.utf8).span) == nil {
            throw ContentError(keys: keys, message: "'\(text)' is not a timestamp")
        }
        return text
    }

    private func part(_ members: [String: MappingValue], at keys: Keys) throws -> InputMapping.Candidate.Part?
    {
        guard members["part"] != nil || members["separator"] != nil else { return nil }
        guard let separator = members["separator"], let index = members["part"] else {
            throw ContentError(keys: keys, message: "'separator' and 'part' need each other")
        }
        let text = try text(separator, at: keys + ["separator"])
        guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80 else {
            throw ContentError(
                keys: keys + ["separator"], message: "expected one ASCII character, not '\(text)'")
        }
        guard case .literal(.number(let number)) = index, (0...99).contains(number),
            number.rounded() == number
        else {
            throw ContentError(
                keys: keys + ["part"], message: "expected a number from 0 to 99, not \(index.kind)")
        }
        return InputMapping.Candidate.Part(separator: byte, index: Int(number))
    }

    private func condition(_ value: MappingValue, at keys: Keys) throws -> InputMapping.Condition {
        guard case .object(let members) = value else {
            return InputMapping.Condition(pointer: try plainPointer(value, at: keys), test: .present)
        }
        try check(members, ["pointer", "equals", "contains"], at: keys)
        guard let pointer = members["pointer"] else {
            throw ContentError(keys: keys, message: "the key 'pointer' is missing")
        }
        let test: InputMapping.Condition.Test
        switch (members["equals"], members["contains"]) {
        case (nil, nil): test = .present
        case (nil, let value?):
            let text = try text(value, at: keys + ["contains"])
            guard !text.isEmpty else {
                throw ContentError(keys: keys + ["contains"], message: "every text contains the empty one")
            }
            test = .contains(text)
        case (let value?, nil):
            let values = if case .list(let values) = value { values } else { [value] }
            test = .equals(
                try values.map { value in
                    guard case .literal(let literal) = value else {
                        throw ContentError(
                            keys: keys + ["equals"],
                            message: "expected a string, a number, true or false, not \(value.kind)")
                    }
                    return literal
                })
            guard !values.isEmpty else {
                throw ContentError(keys: keys + ["equals"], message: "an empty list equals nothing")
            }
        default: throw ContentError(keys: keys, message: "'equals' and 'contains' exclude each other")
        }
        return InputMapping.Condition(pointer: try plainPointer(pointer, at: keys + ["pointer"]), test: test)
    }

    private func pointers(_ value: MappingValue?, at keys: Keys) throws -> [JSONPointer] {
        guard let value else { return [] }
        let values = if case .list(let values) = value { values } else { [value] }
        return try values.map { try plainPointer($0, at: keys) }
    }

    /// A pointer to one value.
    private func plainPointer(_ value: MappingValue, at keys: Keys) throws -> JSONPointer {
        let pointer = try pointer(value, at: keys)
        guard !pointer.tokens.contains(.each) else {
            throw ContentError(
                keys: keys, message: "'\(pointer)' has '*', but a condition is about one value")
        }
        return pointer
    }

    private func pointer(_ value: MappingValue, at keys: Keys) throws -> JSONPointer {
        guard case .literal(.text(let text)) = value else {
            throw ContentError(keys: keys, message: "expected a pointer such as '/a/b', not \(value.kind)")
        }
        do {
            return try JSONPointer(parsing: text)
        } catch {
            throw ContentError(keys: keys, message: "'\(text)': \(error.message)")
        }
    }

    private func text(_ value: MappingValue, at keys: Keys) throws -> String {
        guard case .literal(.text(let text)) = value else {
            throw ContentError(keys: keys, message: "expected a string, not \(value.kind)")
        }
        return text
    }

    private func list(_ value: MappingValue?, at keys: Keys) throws -> [MappingValue] {
        guard let value else { return [] }
        guard case .list(let values) = value else {
            throw ContentError(keys: keys, message: "expected a list, not \(value.kind)")
        }
        return values
    }

    private func check(_ members: [String: MappingValue], _ known: [String], at keys: Keys) throws {
        for key in members.keys.sorted() where !known.contains(key) {
            throw ContentError(keys: keys + [key], message: Suggestion.message("key", key, known: known))
        }
    }

    /// Checks that all fields with `*` read the same array.
    private func checkRows(of mapping: InputMapping) throws {
        var first: (array: JSONPointer, pointer: JSONPointer)?
        for field in MappedField.all {
            for candidate in mapping.fields[field] ?? [] {
                guard let pointer = candidate.pointer, let index = pointer.tokens.firstIndex(of: .each) else {
                    continue
                }
                let keys = ["fields", field.name]
                if case .envelope = field {
                } else {
                    throw ContentError(
                        keys: keys,
                        message:
                            "'\(pointer)' has '*': only fields of the envelope differ between the records of one "
                            + "payload; read the array with 'each'")
                }
                let array = JSONPointer(Array(pointer.tokens[..<index]))
                if let first, first.array != array {
                    throw ContentError(
                        keys: keys,
                        message:
                            "'\(pointer)' and '\(first.pointer)' are elements of different arrays: at most one "
                            + "gives several records")
                }
                first = (array, pointer)
            }
        }
    }
}
