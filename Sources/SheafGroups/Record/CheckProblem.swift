/// A problem that only checks look for. A replay does not, because that would take time: it requires other fields, the
/// configuration, or several records.
///
/// `CheckFinding.rules` has the name and the explanation of each.
public enum CheckProblem: UInt8, CaseIterable, Sendable {
    // Of a record.
    case backgroundPriority
    case categoryUnknown
    case actionUnknown
    case messageIdentifierInvalid
    case topicMismatched
    case priorityInvalid
    case expirationInvalid
    case deviceTokenInvalid
    case deviceTokenLength
    case backgroundShown
    case alertEmpty
    case interruptionLevelUnknown
    case relevanceScoreRange
    case contentAvailableValue
    case badgeNegative
    case soundUnnamed
    case soundVolume
    case soundNotCritical
    case mutableContentHidden
    case titleArgumentsUnused
    case subtitleArgumentsUnused
    case bodyArgumentsUnused
    case titleArgumentsFew
    case subtitleArgumentsFew
    case bodyArgumentsFew
    case summaryArgumentMissing
    case threadInPayload
    case threadInHeaders
    case apsKeyUnknown
    case apsKeyCustom
    case alertKeyUnknown
    case localizedKeyUnknown

    // Of an app, which `GroupingCensus` finds.
    case singleThreads
    case crowdedThread
    case mixedFormats
    case singleCollapseIdentifiers
    /// Service extensions returned something for pushes that don't start any (specification §16).
    case mutableContentMissing

    /// The name in reports.
    public var name: StaticString { CheckFinding.problem(self).rule.name }

    /// Whether the problem is one of an app, not of a record.
    package var isOfApp: Bool { rawValue >= Self.singleThreads.rawValue }

    /// Those about a push: its headers, its type, or the service that receives it. Local notifications have none of these.
    static let ofPush = ProblemSet(allCases.filter { CheckFinding.problem($0).rule.isOfPush })
}

/// The problems of one record.
package typealias ProblemSet = CaseSet<CheckProblem>
