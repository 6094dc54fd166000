import SheafBytes
import SheafText

/// A field of a record that a mapping may set.
package enum MappedField: Hashable, Sendable {
    case envelope(EnvelopeField)
    /// The whole payload.
    case payload
    /// A field of the payload.
    case inPayload(PayloadSlots.Field)

    /// The name in mapping files.
    package var name: String {
        switch self {
        case .envelope(let field): field.rawValue
        case .payload: "payload"
        case .inPayload(let field): (["payload"] + field.keys).joined(separator: "/")
        }
    }

    package static let all: [MappedField] =
        EnvelopeField.allCases.map(MappedField.envelope) + [.payload]
        + PayloadSlots.Field.allCases.map(MappedField.inPayload)

    /// Whether the field is a text, so that a number counts as its digits.
    var isText: Bool {
        switch self {
        case .envelope(let field):
            switch field {
            case .timestamp, .priority, .expiration, .status, .success, .reason: false
            case .app, .device, .identifier, .collapseIdentifier, .pushType: true
            }
        case .payload: false
        case .inPayload(let field): PayloadSlots.definition(of: field).expected == .string
        }
    }

    /// Whether the field is a part of a push's outcome.
    var isOutcome: Bool { if case .envelope(let field) = self { field.isOutcome } else { false } }

    /// Whether the field is a number that services write as `true`, too.
    var isSwitch: Bool {
        switch self {
        case .inPayload(.contentAvailable), .inPayload(.mutableContent): true
        default: false
        }
    }
}

// MARK: - For messages about mistakes

extension MappedField {
    /// The kinds of JSON values that the field may have; empty for the envelope's fields.
    private var kinds: FieldKinds {
        switch self {
        case .envelope: []
        case .payload, .inPayload(.aps): .object
        case .inPayload(.summaryCount): .number
        case .inPayload(.simulatorTarget): .string
        case .inPayload(let field): PayloadSlots.definition(of: field).expected
        }
    }

    var mayBeObject: Bool { kinds.contains(.object) }

    /// Whether a text counts as a value.
    var mayBeText: Bool { if case .envelope = self { true } else { kinds.contains(.string) } }

    /// What the field's value is called.
    var expectedKind: String {
        if mayBeText { return self == .envelope(.timestamp) ? "a timestamp" : "a text" }
        if mayBeObject { return "an object" }
        return kinds.contains(.array) ? "a list" : "a number"
    }

    /// Returns the field that a name is probably meant for: another notation, a native record's name for it, or its
    /// name without the objects around it.
    static func meant(by name: String) -> MappedField? {
        let name = String(name.prefix(100))
        func plain(_ name: some StringProtocol) -> String {
            String(name.lowercased().map { $0 == "." ? "/" : $0 }.filter { !"-_ @".contains($0) })
        }
        let wanted = plain(name.drop { "/$.".contains($0) })
        if let field = all.first(where: { plain($0.name) == wanted }) { return field }
        for field in EnvelopeField.allCases where !field.isOutcome {
            let names = field.nativePointers.flatMap { pointer in
                pointer.tokens.suffix(1).map { if case .key(let key) = $0 { plain(key) } else { "" } }
            }
            if names.contains(wanted) { return .envelope(field) }
        }
        let others: [String: MappedField] = [
            "message": .inPayload(.body), "text": .inPayload(.body), "user": .envelope(.device),
            "thread": .inPayload(.thread), "conversation": .inPayload(.thread), "group": .inPayload(.thread),
            "bundle": .envelope(.app), "topic": .envelope(.app), "uuid": .envelope(.identifier),
            "when": .envelope(.timestamp), "type": .envelope(.pushType), "ttl": .envelope(.expiration),
        ]
        if let field = others[wanted] { return field }
        // The shortest name that ends with this one: `thread-id` is that of `aps`, not that of the alert.
        return all.filter { plain($0.name).hasSuffix("/" + (wanted.split(separator: "/").last ?? "?")) }
            .min { $0.name.count < $1.name.count }
    }

    /// Returns the message for a name that no field has.
    static func unknown(_ name: String) -> String {
        let shown = MappingValue.shown(name)
        if let field = meant(by: name) { return "unknown field '\(shown)', did you mean '\(field.name)'?" }
        if let nearest = Suggestion.nearest(String(name.prefix(100)), known: all.map(\.name)) {
            return "unknown field '\(shown)', did you mean '\(nearest)'?"
        }
        return "unknown field '\(shown)': the fields are "
            + EnvelopeField.allCases.map(\.rawValue).joined(separator: ", ")
            + ", payload, and the payload's own, such as payload/aps/thread-id"
    }
}

/// A field of the envelope that a mapping may set.
package enum EnvelopeField: String, CaseIterable, Sendable {
    case timestamp, app, device
    case identifier = "id"
    case collapseIdentifier = "collapse-id"
    case pushType = "push-type"
    /// Used only by checks, as is `expiration`.
    case priority, expiration
    /// The push service's answer: a code or a word, a flag, and a text (specification §18).
    case status, success, reason

    /// Whether the values of all candidates count, not only the first one.
    var isOutcome: Bool {
        switch self {
        case .status, .success, .reason: true
        case .timestamp, .app, .device, .identifier, .collapseIdentifier, .pushType, .priority, .expiration:
            false
        }
    }

    /// The pointers to the field in a native record, in order of precedence.
    package var nativePointers: [JSONPointer] {
        func pointers(_ paths: [[String]]) -> [JSONPointer] { paths.map { JSONPointer(keys: $0) } }
        switch self {
        case .status: return pointers(PushOutcome.statuses)
        case .success: return pointers(PushOutcome.flags)
        case .reason: return pointers(PushOutcome.reasons)
        default: break
        }
        let (names, header, others): ([String], String?, [String]) =
            switch self {
            case .timestamp: (EnvelopeNames.timestamps, nil, EnvelopeNames.Other.timestamps)
            case .app: (EnvelopeNames.apps, EnvelopeNames.headerApp, EnvelopeNames.Other.apps)
            case .device: (EnvelopeNames.devices, nil, EnvelopeNames.Other.devices)
            case .identifier:
                (
                    EnvelopeNames.identifiers, EnvelopeNames.headerIdentifier, EnvelopeNames.Other.identifiers
                )
            case .collapseIdentifier:
                (
                    EnvelopeNames.collapseIdentifiers, EnvelopeNames.headerCollapseIdentifier,
                    EnvelopeNames.Other.collapseIdentifiers
                )
            case .pushType:
                (EnvelopeNames.pushTypes, EnvelopeNames.headerPushType, EnvelopeNames.Other.pushTypes)
            case .priority:
                (EnvelopeNames.priorities, EnvelopeNames.headerPriority, EnvelopeNames.Other.priorities)
            case .expiration, .status, .success, .reason: ([], nil, [])
            }
        return pointers(
            names.map { [$0] } + (header.map { [[EnvelopeNames.headers, $0]] } ?? []) + others.map { [$0] })
    }
}

extension PayloadSlots.Field {
    /// The keys from the payload down to the field.
    var keys: [String] {
        let definition = PayloadSlots.definition(of: self)
        return (definition.parent?.keys ?? []) + [definition.name]
    }
}

extension CheckedSlots {
    /// The slot of a field whose value may be anything; nil if such a value has no use.
    func slot(of field: EnvelopeField) -> FieldPlan.Slot? {
        switch field {
        case .timestamp: record.timestamps.first
        case .app: record.apps.first
        case .device: record.devices.first
        // The first name is that of a header, which is a UUID.
        case .identifier: record.identifiers[1]
        case .collapseIdentifier: record.collapseIdentifiers.first
        case .pushType: record.pushTypes.first
        case .priority, .expiration: nil
        case .status, .success, .reason: outcomeSlots(of: field).first
        }
    }

    /// The slots for the values of a push's outcome.
    ///
    /// - Parameter isCode: whether a status is that of a member with a code, whose words are not findings.
    func outcomeSlots(of field: EnvelopeField, isCode: Bool = false) -> [FieldPlan.Slot] {
        switch field {
        case .status: outcome.statuses(areWords: !isCode)
        case .success: outcome.flags
        case .reason: outcome.reasons
        case .timestamp, .app, .device, .identifier, .collapseIdentifier, .pushType, .priority, .expiration:
            []
        }
    }

    /// The slot of a field whose value is that of one of Apple's headers, or a topic.
    func headerSlot(of field: EnvelopeField) -> FieldPlan.Slot? {
        switch field {
        case .app: record.headerApp
        case .identifier: record.headerIdentifier
        case .priority: priorities.first { $0.isHeader }?.slot
        case .expiration: expirations.first
        case .timestamp, .device, .collapseIdentifier, .pushType, .status, .success, .reason: slot(of: field)
        }
    }
}
