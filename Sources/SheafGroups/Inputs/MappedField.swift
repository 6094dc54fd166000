import SheafBytes

/// A field of a record that a mapping may set.
enum MappedField: Hashable, Sendable {
    case envelope(EnvelopeField)
    /// The whole payload.
    case payload
    /// A field of the payload.
    case inPayload(PayloadSlots.Field)

    /// The name in mapping files.
    var name: String {
        switch self {
        case .envelope(let field): field.rawValue
        case .payload: "payload"
        case .inPayload(let field): (["payload"] + field.keys).joined(separator: "/")
        }
    }

    static let all: [MappedField] =
        EnvelopeField.allCases.map(MappedField.envelope) + [.payload]
        + PayloadSlots.Field.allCases.map(MappedField.inPayload)

    /// Whether the field is a text, so that a number counts as its digits.
    var isText: Bool {
        switch self {
        case .envelope(let field):
            switch field {
            case .timestamp, .priority, .expiration: false
            case .app, .device, .identifier, .collapseIdentifier, .pushType: true
            }
        case .payload: false
        case .inPayload(let field): PayloadSlots.definition(of: field).expected == .string
        }
    }

    /// Whether the field is a number that services write as `true`, too.
    var isSwitch: Bool {
        switch self {
        case .inPayload(.contentAvailable), .inPayload(.mutableContent): true
        default: false
        }
    }
}

/// A field of the envelope that a mapping may set.
enum EnvelopeField: String, CaseIterable, Sendable {
    case timestamp, app, device
    case identifier = "id"
    case collapseIdentifier = "collapse-id"
    case pushType = "push-type"
    /// Used only by checks, as is `expiration`.
    case priority, expiration

    /// The pointers to the field in a native record, in order of precedence.
    var nativePointers: [JSONPointer] {
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
            case .expiration: ([], nil, [])
            }
        return
            (names.map { [$0] } + (header.map { [[EnvelopeNames.headers, $0]] } ?? []) + others.map { [$0] })
            .map { JSONPointer(keys: $0) }
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
        }
    }

    /// The slot of a field whose value is that of one of Apple's headers, or a topic.
    func headerSlot(of field: EnvelopeField) -> FieldPlan.Slot? {
        switch field {
        case .app: record.headerApp
        case .identifier: record.headerIdentifier
        case .priority: priorities.first { $0.isHeader }?.slot
        case .expiration: expirations.first
        case .timestamp, .device, .collapseIdentifier, .pushType: slot(of: field)
        }
    }
}
