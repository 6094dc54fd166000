/// The reason for rejecting a line, in order of precedence (specification §2).
///
/// `CheckFinding.rules` has the name and the explanation of each.
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
    /// A service extension's result does not name its notification, or has an invalid duration (specification §16).
    case modificationInvalid

    /// The name in rejects and statistics.
    public var name: StaticString { CheckFinding.rejected(self).rule.name }
}
