/// The reason for rejecting a line, in order of precedence (specification §2).
public enum RejectReason: UInt8, CaseIterable, Sendable {
    case lineTooLong
    case jsonTooDeep
    case jsonInvalid
    case jsonNotObject
    case payloadMissing
    case payloadInvalid
    case apsMissing
    case appMissing
    case timestampInvalid
    case fieldTooLong
    /// A removal does not name what it removes, or has a misspelled member that probably limits what it removes
    /// (specification §15).
    case removalInvalid
    /// A change of settings has no known setting, or an unknown value (specification §16).
    case settingsInvalid
    /// A response does not name its action (specification §16).
    case responseInvalid
    /// A service extension's result does not say which notification it is of, or has an invalid duration
    /// (specification §16).
    case modificationInvalid

    /// The name in rejects and statistics.
    public var name: StaticString {
        switch self {
        case .lineTooLong: "line.too-long"
        case .jsonTooDeep: "json.too-deep"
        case .jsonInvalid: "json.invalid"
        case .jsonNotObject: "json.not-object"
        case .payloadMissing: "payload.missing"
        case .payloadInvalid: "payload.invalid"
        case .apsMissing: "aps.missing"
        case .appMissing: "app.missing"
        case .timestampInvalid: "timestamp.invalid"
        case .fieldTooLong: "field.too-long"
        case .removalInvalid: "removal.invalid"
        case .settingsInvalid: "settings.invalid"
        case .responseInvalid: "response.invalid"
        case .modificationInvalid: "modification.invalid"
        }
    }
}
