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
