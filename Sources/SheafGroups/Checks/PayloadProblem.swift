/// A problem in a record that only checks look for. A replay does not, because that would take time: it requires
/// other fields or the configuration.
///
/// Problems that Apple's service refuses a push for have the name of its error.
public enum PayloadProblem: UInt8, CaseIterable, Sendable {
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

    /// The name in reports.
    public var name: StaticString {
        switch self {
        case .backgroundPriority: "priority.background"
        case .categoryUnknown: "category.unknown"
        case .actionUnknown: "action.unknown"
        case .messageIdentifierInvalid: "BadMessageId"
        case .topicMismatched: "BadTopic"
        case .priorityInvalid: "BadPriority"
        case .expirationInvalid: "BadExpirationDate"
        case .deviceTokenInvalid: "BadDeviceToken"
        case .deviceTokenLength: "device-token.length"
        case .backgroundShown: "background.shown"
        case .alertEmpty: "alert.empty"
        case .interruptionLevelUnknown: "interruption-level.unknown"
        case .relevanceScoreRange: "relevance-score.range"
        case .contentAvailableValue: "content-available.value"
        case .badgeNegative: "badge.negative"
        case .soundUnnamed: "sound.name"
        case .soundVolume: "sound.volume"
        case .soundNotCritical: "sound.critical"
        case .mutableContentHidden: "mutable-content.hidden"
        case .titleArgumentsUnused: "title-loc-args.unused"
        case .subtitleArgumentsUnused: "subtitle-loc-args.unused"
        case .bodyArgumentsUnused: "loc-args.unused"
        case .titleArgumentsFew: "title-loc-args.few"
        case .subtitleArgumentsFew: "subtitle-loc-args.few"
        case .bodyArgumentsFew: "loc-args.few"
        case .summaryArgumentMissing: "summary-arg.missing"
        case .threadInPayload: "thread-id.in-payload"
        case .threadInHeaders: "thread-id.in-headers"
        case .apsKeyUnknown: "aps.unknown-key"
        case .apsKeyCustom: "aps.custom-key"
        case .alertKeyUnknown: "alert.unknown-key"
        case .localizedKeyUnknown: "loc-key.unknown"
        }
    }

    /// Problems that don't keep the push from being shown.
    var isWarning: Bool {
        switch self {
        case .categoryUnknown, .actionUnknown, .deviceTokenLength, .contentAvailableValue, .soundNotCritical,
            .titleArgumentsFew,
            .subtitleArgumentsFew, .bodyArgumentsFew, .summaryArgumentMissing, .threadInPayload,
            .threadInHeaders, .apsKeyCustom, .localizedKeyUnknown:
            true
        default: false
        }
    }
}

extension PayloadProblem {
    /// Whether the problem is about a push: its headers, its type, or the service that receives it. Local notifications
    /// have none of these.
    var isOfPush: Bool {
        switch self {
        case .backgroundPriority, .messageIdentifierInvalid, .topicMismatched, .priorityInvalid,
            .expirationInvalid, .deviceTokenInvalid, .deviceTokenLength, .backgroundShown, .threadInHeaders,
            .mutableContentHidden:
            true
        default: false
        }
    }
}

/// The problems of one record.
package struct ProblemSet: Equatable, Sendable {
    private var bits: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { bits == 0 }

    package mutating func insert(_ problem: PayloadProblem) { bits |= 1 << UInt64(problem.rawValue) }

    /// Removes the problems of pushes.
    mutating func removeProblemsOfPush() {
        for problem in PayloadProblem.allCases where problem.isOfPush {
            bits &= ~(1 << UInt64(problem.rawValue))
        }
    }

    package func contains(_ problem: PayloadProblem) -> Bool { bits >> UInt64(problem.rawValue) & 1 == 1 }
}
