import TestSupport
import Testing

@testable import SheafBytes

/// A JSON value, valid or invalid.
struct ValueCase: NamedCase {
    let name: String
    let bytes: [UInt8]
    /// The value's type; nil when RFC 8259 does not allow the value.
    let kind: FieldScanner.Kind?

    static func valid(_ kind: FieldScanner.Kind, _ name: String, _ text: String) -> ValueCase {
        ValueCase(name: name, bytes: [UInt8](text), kind: kind)
    }

    static func invalid(_ name: String, _ text: String) -> ValueCase {
        ValueCase(name: name, bytes: [UInt8](text), kind: nil)
    }

    static func string(_ name: String, _ content: [UInt8], isValid: Bool) -> ValueCase {
        ValueCase(
            name: name, bytes: [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")],
            kind: isValid ? .string : nil)
    }
}

/// A position in a document where a value or a key is allowed.
struct DocumentPosition: Sendable {
    let name: String
    let before: String
    let after: String

    func document(with bytes: [UInt8]) -> [UInt8] { [UInt8](before) + bytes + [UInt8](after) }

    static let wanted = DocumentPosition(name: "a wanted field", before: #"{"wanted":"#, after: "}")
    static let wantedObject = DocumentPosition(
        name: "a wanted object with wanted fields", before: #"{"object":"#, after: "}")

    /// Every position of a value: as a recorded field, as a skipped field, and nested in either.
    static let values = [
        wanted,
        wantedObject,
        DocumentPosition(
            name: "a wanted field after others", before: #"{"wanted":1,"x":[],"wanted":"#, after: "}"),
        DocumentPosition(name: "a field of a wanted object", before: #"{"object":{"inner":"#, after: "}}"),
        DocumentPosition(name: "skipped in a wanted object", before: #"{"object":{"other":"#, after: "}}"),
        DocumentPosition(name: "inside a wanted array", before: #"{"wanted":["#, after: "]}"),
        DocumentPosition(name: "inside a wanted leaf object", before: #"{"wanted":{"k":"#, after: "}}"),
        DocumentPosition(name: "skipped", before: #"{"other":"#, after: "}"),
        DocumentPosition(name: "skipped with space around", before: "{ \"other\" : \t", after: "\r\n }"),
        DocumentPosition(name: "skipped in an array", before: #"{"other":["#, after: "]}"),
        DocumentPosition(name: "skipped among elements", before: #"{"other":[0,"#, after: ",0]}"),
        DocumentPosition(name: "skipped in an object", before: #"{"other":{"k":"#, after: "}}"),
        DocumentPosition(
            name: "skipped among members", before: #"{"other":{"a":0,"k":"#, after: #","b":0}}"#),
        DocumentPosition(name: "skipped deeper", before: #"{"other":[{"k":[[{"l":"#, after: "}]]}]}"),
    ]

    /// Every position of a key.
    static let keys = [
        DocumentPosition(name: "a key at the top", before: "{", after: ":0}"),
        DocumentPosition(name: "a later key at the top", before: #"{"wanted":0,"#, after: ":0}"),
        DocumentPosition(name: "a key of a wanted object", before: #"{"object":{"#, after: ":0}}"),
        DocumentPosition(name: "a key of a skipped object", before: #"{"other":{"#, after: ":0}}"),
        DocumentPosition(
            name: "a later key of a skipped object", before: #"{"other":[{"a":{},"#, after: ":0}]}"),
    ]
}

/// A scanner for the fields that `DocumentPosition` names; like a worker's scanner, it is reused for many documents.
struct DocumentScanner: ~Copyable {
    private var scanner: FieldScanner
    private let wanted: FieldPlan.Slot
    private let object: FieldPlan.Slot

    init() {
        var plan = FieldPlan()
        wanted = plan.field("wanted")
        object = plan.field("object")
        _ = plan.field("inner", in: object)
        scanner = FieldScanner(plan)
    }

    mutating func outcome(of document: [UInt8]) -> FieldScanner.Outcome {
        scanner.scan(TextRange(0..<document.count), of: Chunk(document))
    }

    /// Returns the positions where the scanner misjudges the value or records it incorrectly, with the actual results.
    mutating func mistakes(about value: ValueCase) -> [String] {
        var mistakes: [String] = []
        for position in DocumentPosition.values + (value.isString ? DocumentPosition.keys : []) {
            let outcome = outcome(of: position.document(with: value.bytes))
            let expected: FieldScanner.Outcome = value.kind == nil ? .invalid : .object
            if outcome != expected { mistakes.append("\(position.name): \(outcome)") }
        }
        let alone = outcome(of: value.bytes)
        if alone != value.outcomeAlone { mistakes.append("on its own: \(alone)") }
        if let kind = value.kind {
            mistakes += notes(of: value, as: kind, in: .wanted, slot: wanted)
            mistakes += notes(of: value, as: kind, in: .wantedObject, slot: object)
        }
        return mistakes
    }

    private mutating func notes(
        of value: ValueCase, as kind: FieldScanner.Kind, in position: DocumentPosition, slot: FieldPlan.Slot
    ) -> [String] {
        guard outcome(of: position.document(with: value.bytes)) == .object else { return [] }
        let note = scanner[slot]
        let start = position.before.utf8.count
        let range: Range<Int> =
            switch kind {
            case .string: (start + 1)..<(start + value.bytes.count - 1)
            case .number: start..<(start + value.bytes.count)
            default: start..<(start + 1)
            }
        let hasEscapes = kind == .string && value.bytes.contains(UInt8(ascii: "\\"))
        let expected = FieldScanner.Value(kind: kind, text: TextRange(range), hasEscapes: hasEscapes)
        return note == expected && scanner.kind(of: slot) == kind
            ? [] : ["\(position.name): recorded \(note)"]
    }
}

extension ValueCase {
    fileprivate var isString: Bool { bytes.first == UInt8(ascii: "\"") }

    /// The outcome for a document that consists of the value alone.
    fileprivate var outcomeAlone: FieldScanner.Outcome {
        switch kind {
        case nil: .invalid
        case .object: .object
        default: .notObject
        }
    }
}

/// Expects the scanner to handle the value correctly in every position.
func expectCorrect(_ value: ValueCase, sourceLocation: SourceLocation = #_sourceLocation) {
    var scanner = DocumentScanner()
    let mistakes = scanner.mistakes(about: value)
    #expect(mistakes == [], "\(value.bytes.shown)", sourceLocation: sourceLocation)
}
