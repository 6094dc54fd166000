// The sources of the rules.

extension CheckFinding {
    /// The error with which Apple's service refuses the push, as named in the table of "Handling notification
    /// responses from APNs"; nil if the rule is about something else.
    public var serviceError: String? {
        switch self {
        case .problem(.backgroundPriority), .problem(.priorityInvalid): "BadPriority"
        case .problem(.messageIdentifierInvalid): "BadMessageId"
        case .problem(.topicMismatched): "BadTopic"
        case .problem(.expirationInvalid): "BadExpirationDate"
        case .problem(.deviceTokenInvalid): "BadDeviceToken"
        case .record(.payloadTooLarge): "PayloadTooLarge"
        case .record(.collapseIdentifierTooLong): "BadCollapseId"
        case .record(.pushTypeUnknown): "InvalidPushType"
        default: nil
        }
    }

    /// The page that the rule comes from: one of Apple's by its title, or one of Sheaf's.
    public var page: String {
        switch self {
        case .source: "Sheaf: Records, Sources"
        case .rejected, .untimed: "Sheaf: Records"
        case .grouping(.mutableContentMissing): ApplePages.modifying
        case .grouping: "Sheaf: Checking, Grouping"
        case .record(let finding):
            switch finding {
            case .collapseIdentifierTooLong, .pushTypeUnknown: ApplePages.sending
            default: ApplePages.generating
            }
        case .problem(let problem):
            switch problem {
            case .backgroundPriority, .messageIdentifierInvalid, .topicMismatched, .priorityInvalid,
                .expirationInvalid, .deviceTokenInvalid, .alertEmpty, .threadInHeaders:
                ApplePages.sending
            case .deviceTokenLength: ApplePages.registering
            case .backgroundShown: ApplePages.background
            case .categoryUnknown, .actionUnknown: ApplePages.categories
            case .mutableContentHidden: ApplePages.modifying
            case .summaryArgumentMissing: ApplePages.summaries
            case .interruptionLevelUnknown, .relevanceScoreRange, .contentAvailableValue, .badgeNegative,
                .soundUnnamed, .soundVolume, .soundNotCritical, .titleArgumentsUnused,
                .subtitleArgumentsUnused, .bodyArgumentsUnused, .titleArgumentsFew, .subtitleArgumentsFew,
                .bodyArgumentsFew, .threadInPayload, .apsKeyUnknown, .apsKeyCustom, .alertKeyUnknown,
                .localizedKeyUnknown:
                ApplePages.generating
            }
        }
    }
}

/// The titles of Apple's pages.
private enum ApplePages {
    static let sending = "Apple: Sending notification requests to APNs"
    static let generating = "Apple: Generating a remote notification"
    static let background = "Apple: Pushing background updates to your App"
    static let registering = "Apple: Registering your app with APNs"
    static let categories = "Apple: Declaring your actionable notification types"
    static let modifying = "Apple: Modifying content in newly delivered notifications"
    static let summaries = "Apple: UNNotificationCategory, categorySummaryFormat"
}
