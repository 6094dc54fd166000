import SheafBytes
import SheafText

/// How the entries of a log become records: the contents of a mapping file (specification §12.4).
package struct InputMapping: Hashable, Sendable {
    /// The name of the shape or of the file.
    var name: String
    /// One line on what the shape is; nil for a user's mapping.
    var description: String?
    /// What the entries are if they hold no payload, such as "gorush's access log".
    var withoutPayload: String?
    /// Alternatives: the mapping fits an entry for which all conditions of one alternative hold. Empty if the mapping
    /// fits every entry that has a payload by it.
    package var alternatives: [[Condition]] = []
    /// What an entry may be wrapped in.
    var unwrap: [JSONPointer] = []
    /// Arrays whose elements are entries: pointers with one `*`.
    var each: [JSONPointer] = []
    /// Entries that are for other platforms.
    var otherPlatform: [Condition] = []
    /// The devices of the push service's answers in arrays: an answer is that of the record with the same device, instead
    /// of that of the record with the same index.
    var match: [JSONPointer] = []
    /// The candidates of each field, in order of precedence. A field that is not mapped has those of a native record.
    var fields: [MappedField: [Candidate]] = [:]

    package typealias Condition = MappedCondition<JSONPointer>
    typealias Candidate = MappedCandidate<JSONPointer>

    /// All pointers of the mapping.
    var pointers: [JSONPointer] {
        let conditions = (alternatives.joined() + otherPlatform).map(\.location)
        let candidates = fields.values.joined().flatMap { candidate in
            (candidate.location.map { [$0] } ?? []) + candidate.unless + candidate.when.map(\.location)
        }
        return unwrap + each + match + conditions + candidates
    }

    /// The elements of arrays that give several records, one array after another: those that the device, or else the
    /// first other field, is in.
    var rows: [JSONPointer] {
        for field in [.device] + EnvelopeField.allCases where !field.isOutcome {
            let elements = elements(of: field)
            if !elements.isEmpty { return elements }
        }
        return []
    }

    /// The elements of the other arrays with a part of a push's outcome: each element is the answer to one push.
    var answers: [JSONPointer] {
        let rows = rows
        return EnvelopeField.allCases.filter(\.isOutcome).flatMap { elements(of: $0) }.reduce(into: []) {
            if !rows.contains($1), !$0.contains($1) { $0.append($1) }
        }
    }

    /// The elements of arrays that the candidates of a field are in, in their order.
    private func elements(of field: EnvelopeField) -> [JSONPointer] {
        (fields[.envelope(field)] ?? []).compactMap(\.element).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    /// Whether any pointer has `{locale}`.
    var isLocalized: Bool { pointers.contains { $0.expanded([]) != [$0] } }

    /// The constants of the mapping.
    var constants: [String] {
        fields.values.joined().compactMap { if case .constant(let text) = $0.source { text } else { nil } }
    }
}

/// A condition on the value at a location: a pointer in a mapping file, a node of a plan.
package struct MappedCondition<Location: Hashable & Sendable>: Hashable, Sendable {
    package let location: Location
    package let test: ConditionTest
}

package enum ConditionTest: Hashable, Sendable {
    /// There is a value, and it is not `null`.
    case present
    /// The value is one of these. An absent value does not equal `null`.
    case equals([Literal])
    /// The value is a text that contains this one.
    case contains(String)

    /// A value in a mapping file.
    package enum Literal: Hashable, Sendable {
        case text(String)
        case number(Double)
        case bool(Bool)
        case null
    }

    /// Whether the test succeeds only for a value other than `null`.
    var needsValue: Bool {
        if case .equals(let literals) = self { !literals.contains(.null) } else { true }
    }
}

/// A possible value of a field, at a location like that of a condition.
struct MappedCandidate<Location: Hashable & Sendable>: Hashable, Sendable {
    var source: CandidateSource
    /// The part of the value that counts.
    var part: TextPart?
    /// The candidate counts only if none of these is present.
    var unless: [Location] = []
    /// The candidate counts only if all of these hold.
    var when: [MappedCondition<Location>] = []

    enum CandidateSource: Hashable, Sendable {
        case location(Location)
        case constant(String)
        /// The names of a native record's field. A plan has their nodes instead.
        case native
    }

    init(source: CandidateSource) { self.source = source }

    init(_ location: Location) { source = .location(location) }

    /// The location of the value; nil for another source.
    var location: Location? { if case .location(let location) = source { location } else { nil } }
}

extension MappedCandidate<JSONPointer> {
    /// The element of an array that the candidate is in, or that its conditions are about; nil for none.
    var element: JSONPointer? { elements.first }

    /// All of them: a candidate of a mapping has at most one.
    var elements: [JSONPointer] {
        ((location.map { [$0] } ?? []) + when.map(\.location)).compactMap(\.element)
    }
}

/// A part of a text: what is between two separators, counted from 0.
package struct TextPart: Hashable, Sendable {
    package let separator: UInt8
    package let index: Int

    package init(separator: UInt8, index: Int) {
        self.separator = separator
        self.index = index
    }
}

// MARK: - Reading a file

extension InputMapping {
    /// The maximum number of pointers and constants in a file.
    static let maximumPointers = 200
    /// The maximum length of a constant, in bytes.
    static let maximumConstantBytes = PushLimits.fieldBytes

    /// Reads a mapping file.
    ///
    /// - Parameter file: the file's name, for messages and as the mapping's name.
    /// - Throws: `LocatedError` with the line and the pointer: invalid JSON, an unknown or repeated key, a value
    ///   of the wrong type, an invalid pointer, or a part of the mapping that can't have any effect.
    init(json bytes: [UInt8], file: String) throws(LocatedError) {
        do throws(ContentError) {
            self = try Self.read(Array(UTF8.text(of: bytes)), name: file)
        } catch {
            throw error.error(in: file)
        }
    }

    private static func read(_ json: [UInt8], name: String) throws(ContentError) -> InputMapping {
        guard json.span.endOfJSONSpace(from: 0) < json.count else {
            throw ContentError(message: "the file is empty: \(MappingReader.leastMapping)")
        }
        if let location = JSONLocation.firstError(in: json) {
            if location.isTooDeep { try ContentError.validate(json: json) }
            throw syntaxError(in: json, line: location.line, column: location.column)
        }
        try ContentError.checkKeys(of: json)
        var reader = MappingReader(name: name)
        return try reader.mapping(MappingValue(json: json))
    }
}

// MARK: - Invalid JSON

extension InputMapping {
    /// The error for a file that is not valid JSON, with the reason as far as it can be guessed.
    private static func syntaxError(in json: [UInt8], line: Int, column: Int) -> ContentError {
        let message = "not valid JSON at column \(column)"
        let hint = hint(on: json, line: line, column: column)
        return ContentError(line: line, message: hint.map { "\(message): \($0)" } ?? message)
    }

    private static func hint(on json: [UInt8], line: Int, column: Int) -> String? {
        if json.starts(with: [0x1f, 0x8b]) || json.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
            return "the file is compressed: a mapping is a JSON text"
        }
        if json.starts(with: [0xff, 0xfe]) || json.starts(with: [0xfe, 0xff]) || json.prefix(2).contains(0) {
            return "the file is probably UTF-16: save it as UTF-8"
        }
        let lines = json.split(
            separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        if column == 1, line > 1, isObject(lines[line - 2]), lines[line - 1].first == UInt8(ascii: "{") {
            return "this looks like a log: a mapping is one JSON object"
        }
        let rest = lines[line - 1].dropFirst(column - 1)
        let start = lines[..<line].reduce(0) { $0 + $1.count + 1 } - lines[line - 1].count - 1
        let before = json[..<(start + column - 1)].last { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        switch rest.first {
        case nil where line == lines.count: return "the file ends too soon"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): return "JSON has no comments"
        case UInt8(ascii: "'"): return "strings have double quotes"
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if before == UInt8(ascii: ",") { return "remove the comma before it" }
            return before == rest.first ? "a bracket too many" : nil
        case UInt8(ascii: "\""):
            return before.map { [UInt8(ascii: "\""), UInt8(ascii: "]"), UInt8(ascii: "}")].contains($0) }
                == true
                ? "a comma is missing before it" : nil
        case let byte? where byte >= 0x80: return "not valid UTF-8, or a character outside a string"
        default: return nil
        }
    }

    private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "{") && JSONLeaves.isObject(Array(line))
    }
}
