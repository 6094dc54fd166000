/// An irregularity in a record that is used anyway (specification §2).
public enum Finding: UInt8, CaseIterable, Sendable {
    case threadMisplaced
    case summaryCountInvalid
    case alertType
    case titleType
    case subtitleType
    case bodyType
    case titleLocKeyType
    case titleLocArgsType
    case subtitleLocKeyType
    case subtitleLocArgsType
    case locKeyType
    case locArgsType
    case summaryArgType
    case threadType
    case categoryType
    case soundType
    case badgeType
    case contentAvailableType
    case mutableContentType
    case interruptionLevelType
    case relevanceScoreType
    case payloadTooLarge
    case collapseIdentifierTooLong
    case pushTypeUnknown
    /// Reported only for versions of iOS that ignore summary arguments.
    case summaryDeprecated

    /// The name in statistics.
    public var name: StaticString {
        switch self {
        case .threadMisplaced: "thread-id.misplaced"
        case .summaryCountInvalid: "summary-arg-count.invalid"
        case .alertType: "alert.type"
        case .titleType: "title.type"
        case .subtitleType: "subtitle.type"
        case .bodyType: "body.type"
        case .titleLocKeyType: "title-loc-key.type"
        case .titleLocArgsType: "title-loc-args.type"
        case .subtitleLocKeyType: "subtitle-loc-key.type"
        case .subtitleLocArgsType: "subtitle-loc-args.type"
        case .locKeyType: "loc-key.type"
        case .locArgsType: "loc-args.type"
        case .summaryArgType: "summary-arg.type"
        case .threadType: "thread-id.type"
        case .categoryType: "category.type"
        case .soundType: "sound.type"
        case .badgeType: "badge.type"
        case .contentAvailableType: "content-available.type"
        case .mutableContentType: "mutable-content.type"
        case .interruptionLevelType: "interruption-level.type"
        case .relevanceScoreType: "relevance-score.type"
        case .payloadTooLarge: "payload.too-large"
        case .collapseIdentifierTooLong: "collapse-id.too-long"
        case .pushTypeUnknown: "push-type.unknown"
        case .summaryDeprecated: "summary.deprecated"
        }
    }
}

extension Finding {
    /// Whether the finding is about what Apple's service accepts. It does not receive local notifications.
    var isOfPush: Bool {
        switch self {
        case .payloadTooLarge, .collapseIdentifierTooLong, .pushTypeUnknown: true
        default: false
        }
    }
}

/// The findings of one record.
@usableFromInline package typealias FindingSet = CaseSet<Finding>

extension FindingSet {
    /// Removes the findings about what Apple's service accepts.
    mutating func removeFindingsOfPush() {
        for finding in Finding.allCases where finding.isOfPush { remove(finding) }
    }
}
