import SheafBytes

extension CheckFinding {
    /// Everything that reports, statistics and messages state about a finding.
    struct Rule: Sendable {
        let finding: CheckFinding
        let name: StaticString
        let severity: Severity
        let page: Page
        let serviceError: String?
        /// Whether the rule is about a push: its headers, its type, or the service that receives it. It does not apply to
        /// local notifications.
        let isOfPush: Bool
        /// The limit that a check may set; nil if the rule has none.
        let limit: Limit?
        /// One sentence, with `maximumLine` for the maximum length of a line, and `limitNumber` for the limit.
        let explanation: String

        /// A number that a person may get on a day.
        struct Limit: Sendable {
            let standard: Int
            let range: ClosedRange<Int>
        }

        init(
            _ finding: CheckFinding, _ name: StaticString, _ severity: Severity, _ page: Page,
            serviceError: String? = nil, isOfPush: Bool = false, limit: Limit? = nil, _ explanation: String
        ) {
            self.finding = finding
            self.name = name
            self.severity = severity
            self.page = page
            self.serviceError = serviceError
            self.isOfPush = isOfPush
            self.limit = limit
            self.explanation = explanation
        }
    }

    /// The pages that rules come from.
    package enum Page: String {
        case sending = "Apple: Sending notification requests to APNs"
        case generating = "Apple: Generating a remote notification"
        case background = "Apple: Pushing background updates to your App"
        case registering = "Apple: Registering your app with APNs"
        case categories = "Apple: Declaring your actionable notification types"
        case modifying = "Apple: Modifying content in newly delivered notifications"
        case summaries = "Apple: UNNotificationCategory, categorySummaryFormat"
        case records = "Sheaf: Records"
        case sources = "Sheaf: Records, Sources"
        case outcomes = "Sheaf: Records, Outcomes"
        case grouping = "Sheaf: Checking, Grouping"
        case managing = "Apple: Human Interface Guidelines, Managing notifications"
    }

    /// The thresholds of rules about apps, which the page on checking states.
    package enum Threshold {
        /// The number of threads from which an app is examined for threads with a single notification.
        package static let threads = 20
        /// The percentage of an app's threads that may have a single notification.
        package static let singleThreadPercent = 90
        /// The number of an app's people, and of threads with urgent notifications, from which they are examined.
        package static let people = 20
        /// The percentage of these that may exceed a limit.
        package static let personPercent = 5
        /// The number of notifications in threads with mixed formats from which an app is reported.
        package static let mixedNotifications = 20
        /// The number of collapse identifiers from which an app is examined for those that are used once.
        package static let collapseIdentifiers = 100
    }

    /// What explanations have in place of the maximum length of a line.
    static let maximumLine = "{maximum}"
    /// What explanations have in place of a rule's limit.
    static let limitNumber = "{limit}"

    /// The limits of numbers that are only counted.
    private static let countLimits = 1...1_000_000_000
    /// The limits of the number of threads, which are kept apart for each person and day.
    static let threadLimits = 1...63

    /// All rules that are not about sources, in the order of reports.
    static let rules = rejects + refusals + errors + warnings

    private static let rejects: [Rule] = [
        reject(.lineTooLong, "line.too-long", "Longer than \(maximumLine): the line was not read."),
        reject(
            .jsonTooDeep, "json.too-deep",
            "Objects and lists are nested more than \(FieldScanner.maximumDepth) levels deep."),
        reject(.jsonInvalid, "json.invalid", "Not exactly one JSON value in valid UTF-8."),
        reject(.jsonNotObject, "json.not-object", "JSON, but not an object."),
        reject(.payloadMissing, "payload.missing", "Neither a payload nor aps."),
        reject(
            .payloadInvalid, "payload.invalid", "The payload is neither an object nor a text with an object."),
        reject(.apsMissing, "aps.missing", "The payload has no aps object."),
        reject(.appMissing, "app.missing", "No app: name it in app, topic or bundle-id."),
        reject(
            .timestampInvalid, "timestamp.invalid",
            "Not a timestamp: write RFC 3339, or seconds or milliseconds since 1970."),
        reject(
            .fieldTooLong, "field.too-long",
            "App, device, thread, category, collapse id or summary-arg over \(PushLimits.fieldBytes) bytes."),
        reject(
            .removalInvalid, "removal.invalid",
            "A removal names valid ids, a thread, or an app alone; no member may be misspelled."),
        reject(
            .settingsInvalid, "settings.invalid",
            "A change of settings has known settings and values; its app and device are texts."),
        reject(.responseInvalid, "response.invalid", "A response must name the chosen action."),
        reject(
            .resultInvalid, "modification.invalid",
            "A result must name its notification; its elapsed time is in seconds."),
        reject(
            .outcomeInvalid, "outcome.invalid",
            "An outcome names its push and has what the service answered; app and device are texts."
        ),
        reject(
            .inputUnmatched, "input.unmatched",
            "The conditions of the mapping or shape in --input do not hold."),
    ]

    private static func reject(_ reason: RejectReason, _ name: StaticString, _ explanation: String) -> Rule {
        Rule(.rejected(reason), name, .error, .records, explanation)
    }

    /// What Apple's service refuses. A rule has the name of the service's error, unless it had a name before.
    private static let refusals: [Rule] = [
        Rule(
            .record(.payloadTooLarge), "payload.too-large", .error, .generating,
            serviceError: "PayloadTooLarge", isOfPush: true,
            "Over \(PushLimits.payloadBytes) bytes, or \(PushLimits.voicePayloadBytes) for VoIP: Apple's service "
                + "refuses it (PayloadTooLarge)."),
        Rule(
            .record(.collapseIdentifierTooLong), "collapse-id.too-long", .error, .sending,
            serviceError: "BadCollapseId", isOfPush: true,
            "Over \(PushLimits.collapseIdentifierBytes) bytes: Apple's service refuses it (BadCollapseId)."),
        Rule(
            .record(.pushTypeUnknown), "push-type.unknown", .error, .sending, serviceError: "InvalidPushType",
            isOfPush: true,
            "Apple's service does not know this push type, and refuses it (InvalidPushType)."),
        Rule(
            .problem(.backgroundPriority), "priority.background", .error, .sending,
            serviceError: "BadPriority", isOfPush: true,
            "A background push with priority 10 is refused (BadPriority): send it with 5."),
        refusal(
            .messageIdentifierInvalid, "BadMessageId",
            "The apns-id is not a UUID: Apple's service refuses it."),
        refusal(
            .topicMismatched, "BadTopic", "The topic does not fit the push type: Apple's service refuses it."),
        refusal(
            .priorityInvalid, "BadPriority", "The priority is not 1, 5 or 10: Apple's service refuses it."),
        refusal(
            .expirationInvalid, "BadExpirationDate",
            "Not a whole number of seconds since 1970: Apple's service refuses it."),
        refusal(
            .deviceTokenInvalid, "BadDeviceToken",
            "The device token is not hexadecimal: Apple's service refuses it."),
    ]

    private static func refusal(
        _ problem: CheckProblem, _ error: StaticString, _ explanation: String
    ) -> Rule {
        Rule(
            .problem(problem), error, .error, .sending, serviceError: error.description, isOfPush: true,
            explanation)
    }

    private static let errors: [Rule] = [
        Rule(
            .record(.summaryCountInvalid), "summary-arg-count.invalid", .error, .generating,
            "Not a whole number from 1 to 2147483647: it counts as 1."),
        mistype(.alertType, "alert.type", "Neither a text nor an object"),
        mistype(.titleType, "title.type", "Not a text"),
        mistype(.subtitleType, "subtitle.type", "Not a text"),
        mistype(.bodyType, "body.type", "Not a text"),
        mistype(.titleLocKeyType, "title-loc-key.type", "Not a text"),
        mistype(.titleLocArgsType, "title-loc-args.type", "Not a list"),
        mistype(.subtitleLocKeyType, "subtitle-loc-key.type", "Not a text"),
        mistype(.subtitleLocArgsType, "subtitle-loc-args.type", "Not a list"),
        mistype(.locKeyType, "loc-key.type", "Not a text"),
        mistype(.locArgsType, "loc-args.type", "Not a list"),
        mistype(.summaryArgType, "summary-arg.type", "Not a text"),
        mistype(.threadType, "thread-id.type", "Not a text"),
        mistype(.categoryType, "category.type", "Not a text"),
        mistype(.soundType, "sound.type", "Neither a text nor an object"),
        mistype(.badgeType, "badge.type", "Not a number"),
        mistype(.contentAvailableType, "content-available.type", "Not a number"),
        mistype(.mutableContentType, "mutable-content.type", "Not a number"),
        mistype(.interruptionLevelType, "interruption-level.type", "Not a text"),
        mistype(.relevanceScoreType, "relevance-score.type", "Not a number"),
        Rule(
            .problem(.backgroundShown), "background.shown", .error, .background, isOfPush: true,
            "A background push must not have an alert, a badge or a sound."),
        Rule(
            .problem(.alertEmpty), "alert.empty", .error, .sending,
            "An alert without text, badge or sound: there is nothing to show."),
        payload(
            .interruptionLevelUnknown, "interruption-level.unknown", .error,
            "Not passive, active, time-sensitive or critical: it is ignored."),
        payload(
            .relevanceScoreRange, "relevance-score.range", .error,
            "Must be from 0 to 1, except for Live Activities."),
        payload(.badgeNegative, "badge.negative", .error, "A badge can't be negative; 0 removes it."),
        payload(
            .soundUnnamed, "sound.name", .error,
            "A sound dictionary needs the name of a file, or default."),
        payload(.soundVolume, "sound.volume", .error, "The volume of a sound is a number from 0 to 1."),
        Rule(
            .problem(.mutableContentHidden), "mutable-content.hidden", .error, .modifying, isOfPush: true,
            "A service extension runs only for an alert with a text, never for a background push."),
        payload(
            .titleArgumentsUnused, "title-loc-args.unused", .error,
            "Without title-loc-key, the arguments are ignored."),
        payload(
            .subtitleArgumentsUnused, "subtitle-loc-args.unused", .error,
            "Without subtitle-loc-key, the arguments are ignored."),
        payload(
            .bodyArgumentsUnused, "loc-args.unused", .error, "Without loc-key, the arguments are ignored."),
        payload(
            .apsKeyUnknown, "aps.unknown-key", .error,
            "A device does not know this key of aps, and ignores it."),
        payload(
            .alertKeyUnknown, "alert.unknown-key", .error,
            "A device does not know this key of alert, and ignores it."),
    ]

    private static let warnings: [Rule] = [
        Rule(
            .record(.threadMisplaced), "thread-id.misplaced", .warning, .generating,
            "A device looks for thread-id in aps, not in the alert."),
        Rule(
            .untimed, "untimed", .warning, .records,
            "No timestamp: the record counts as older than every dated one."),
        Rule(
            .problem(.categoryUnknown), "category.unknown", .warning, .categories,
            "The configuration has the app, but not this category."),
        Rule(
            .record(.summaryDeprecated), "summary.deprecated", .warning, .generating,
            "iOS 15 and later ignore summary-arg and summary-arg-count."),
        Rule(
            .record(.outcomeUnknown), "outcome.unknown", .warning, .outcomes, isOfPush: true,
            "The status is neither an acceptance nor a refusal: the push counts as delivered."),
        Rule(
            .problem(.actionUnknown), "action.unknown", .warning, .categories,
            "The category of the response does not have its action."),
        Rule(
            .problem(.deviceTokenLength), "device-token.length", .warning, .registering, isOfPush: true,
            "Device tokens of apps have \(PushLimits.tokenDigits) hexadecimal digits."),
        payload(
            .contentAvailableValue, "content-available.value", .warning,
            "Only content-available 1 wakes the app."),
        payload(
            .soundNotCritical, "sound.critical", .warning,
            "A sound dictionary is for critical alerts: set critical to 1, or send a text."),
        payload(
            .titleArgumentsFew, "title-loc-args.few", .warning,
            "The text in the app's string tables takes more arguments."),
        payload(
            .subtitleArgumentsFew, "subtitle-loc-args.few", .warning,
            "The text in the app's string tables takes more arguments."),
        payload(
            .bodyArgumentsFew, "loc-args.few", .warning,
            "The text in the app's string tables takes more arguments."),
        Rule(
            .problem(.summaryArgumentMissing), "summary-arg.missing", .warning, .summaries,
            "The category's summary format has a %@, but summary-arg is missing."),
        payload(
            .threadInPayload, "thread-id.in-payload", .warning,
            "A device looks for thread-id in aps, not next to it."),
        Rule(
            .problem(.threadInHeaders), "thread-id.in-headers", .warning, .sending, isOfPush: true,
            "A device looks for thread-id in aps: headers don't reach it."),
        payload(
            .apsKeyCustom, "aps.custom-key", .warning,
            "An app's own keys belong next to aps, not in it."),
        payload(
            .localizedKeyUnknown, "loc-key.unknown", .warning,
            "The string tables of a language lack this key, so a device has no text for it."),
        Rule(
            .problem(.singleThreads), "threads.single", .warning, .grouping,
            "Over \(Threshold.singleThreadPercent) % of an app's threads have one notification: nothing groups."
        ),
        Rule(
            .problem(.manyThreads), "threads.many", .warning, .grouping,
            limit: Rule.Limit(standard: 6, range: threadLimits),
            "Over \(Threshold.personPercent) % of an app's people get over \(limitNumber) threads a day: more than "
                + "a screen shows."),
        Rule(
            .problem(.crowdedThread), "thread.crowded", .warning, .grouping,
            limit: Rule.Limit(standard: 60, range: countLimits),
            "A person got over \(limitNumber) notifications of an app in a day, all in one thread."),
        Rule(
            .problem(.manyInterruptions), "interruptions.many", .warning, .grouping,
            limit: Rule.Limit(standard: 20, range: countLimits),
            "Over \(Threshold.personPercent) % of an app's people are interrupted over \(limitNumber) times a day."
        ),
        Rule(
            .problem(.buriedUrgent), "urgent.buried", .warning, .managing,
            limit: Rule.Limit(standard: 4, range: countLimits),
            "Over \(Threshold.personPercent) % of threads with urgent notifications have over \(limitNumber) others "
                + "a day."),
        Rule(
            .problem(.mixedFormats), "formats.mixed", .warning, .grouping,
            "Categories with different formats share threads: their summary is the default."),
        Rule(
            .problem(.singleCollapseIdentifiers), "collapse-ids.single", .warning, .grouping,
            "No collapse id of an app occurs twice, so nothing is ever replaced."),
        Rule(
            .problem(.mutableContentMissing), "mutable-content.missing", .warning, .modifying,
            "A service extension returned a result for a push without mutable-content."),
        Rule(
            .problem(.repeatedPushes), "id.repeated", .warning, .sending,
            "Records of an app have the same device and id: retries, or a log with repeated lines."),
    ]

    /// The rule that a field's value has the right type.
    private static func mistype(_ finding: Finding, _ name: StaticString, _ explanation: String) -> Rule {
        Rule(.record(finding), name, .error, .generating, "\(explanation): it is ignored.")
    }

    /// A rule about the keys of the payload.
    private static func payload(
        _ problem: CheckProblem, _ name: StaticString, _ severity: Severity, _ explanation: String
    ) -> Rule {
        Rule(.problem(problem), name, severity, .generating, explanation)
    }

    static func explanation(of reason: SourceDamage.Reason) -> String {
        switch reason {
        case .truncated, .zstdTruncated: "The compressed data ends early; everything before that was checked."
        case .badHeader: "A gzip header is invalid; everything before it was checked."
        case .corrupt, .zstdCorrupt: "The compressed data is corrupt; everything before that was checked."
        case .badChecksum, .zstdChecksum: "The data does not match its checksum; it was checked anyway."
        case .badLength: "The data does not have the stated length; it was checked anyway."
        case .trailingGarbage, .zstdGarbage:
            "Other bytes follow the compressed data; they were not checked."
        case .zstdWindow:
            "A window of more than 128 MiB is not supported; everything before it was checked."
        case .zstdDictionary:
            "Compressed with a dictionary, which is not supported; everything before was checked."
        case .partialResult, .runState, .snapshot: "Written by Sheaf, not a log: nothing was checked."
        case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32: "Not UTF-8: nothing was checked."
        case .bzip2, .xz, .zip, .zstd, .lz4, .snappy, .zlib, .gzip, .parquet, .avro:
            "Not a supported format: nothing was checked."
        }
    }
}
