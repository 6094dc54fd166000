import SheafBytes
import SheafText

/// How the entries of a log become records: the contents of a mapping file (specification §12.4).
struct InputMapping: Sendable {
    /// The name of the shape or of the file.
    var name: String
    /// One line on what the shape is; nil for a user's mapping.
    var description: String?
    /// What the entries are if they hold no payload, such as "gorush's access log".
    var withoutPayload: String?
    /// Alternatives: the mapping fits an entry for which all conditions of one alternative hold. Empty if the mapping
    /// fits every entry that has a payload by it.
    var alternatives: [[Condition]] = []
    /// What an entry may be wrapped in.
    var unwrap: [JSONPointer] = []
    /// Arrays whose elements are entries: pointers with one `*`.
    var each: [JSONPointer] = []
    /// Entries that are for other platforms.
    var otherPlatform: [Condition] = []
    /// The candidates of each field, in order of precedence. A field that is not mapped has those of a native record.
    var fields: [MappedField: [Candidate]] = [:]

    /// A condition on an entry.
    struct Condition: Hashable, Sendable {
        let pointer: JSONPointer
        let test: Test

        enum Test: Hashable, Sendable {
            /// There is a value, and it is not `null`.
            case present
            /// The value is one of these. An absent value does not equal `null`.
            case equals([Literal])
            /// The value is a text that contains this one.
            case contains(String)
        }

        /// Whether the condition holds only for a value other than `null`.
        var needsValue: Bool {
            if case .equals(let literals) = test { !literals.contains(.null) } else { true }
        }
    }

    /// A value in a mapping file.
    enum Literal: Hashable, Sendable {
        case text(String)
        case number(Double)
        case bool(Bool)
        case null
    }

    /// A possible value of a field.
    struct Candidate: Hashable, Sendable {
        var source: Source
        /// The part of the value that counts: the text between two separators, counted from 0.
        var part: Part?
        /// The candidate counts only if none of these is present.
        var unless: [JSONPointer] = []
        /// The candidate counts only if all of these hold.
        var when: [Condition] = []

        enum Source: Hashable, Sendable {
            case pointer(JSONPointer)
            case constant(String)
            /// The names of a native record's field.
            case native
        }

        struct Part: Hashable, Sendable {
            let separator: UInt8
            let index: Int
        }
    }

    /// All pointers of the mapping.
    var pointers: [JSONPointer] {
        let conditions = (alternatives.joined() + otherPlatform).map(\.pointer)
        let candidates = fields.values.joined().flatMap { candidate in
            (candidate.pointer.map { [$0] } ?? []) + candidate.unless + candidate.when.map(\.pointer)
        }
        return unwrap + each + conditions + candidates
    }

    /// Whether any pointer has `{locale}`.
    var isLocalized: Bool { pointers.contains { $0.expanded([]) != [$0] } }

    /// The constants of the mapping.
    var constants: [String] {
        fields.values.joined().compactMap { if case .constant(let text) = $0.source { text } else { nil } }
    }
}

extension InputMapping.Candidate {
    init(_ pointer: JSONPointer) { source = .pointer(pointer) }

    var pointer: JSONPointer? { if case .pointer(let pointer) = source { pointer } else { nil } }
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
            throw InvalidMapping(json, line: location.line, column: location.column).error
        }
        try ContentError.checkKeys(of: json)
        var reader = MappingReader(name: name)
        return try reader.mapping(MappingValue(json: json))
    }
}

/// The reason why a file is not valid JSON, as far as it can be guessed.
private struct InvalidMapping {
    private let json: [UInt8]
    private let line: Int
    private let column: Int

    init(_ json: [UInt8], line: Int, column: Int) {
        self.json = json
        self.line = line
        self.column = column
    }

    var error: ContentError {
        let message = "not valid JSON at column \(column)"
        return ContentError(line: line, message: hint.map { "\(message): \($0)" } ?? message)
    }

    private var hint: String? {
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

    private func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "{") && JSONLeaves.isObject(Array(line))
    }
}
