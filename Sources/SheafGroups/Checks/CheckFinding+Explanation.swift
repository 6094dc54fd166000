import SheafBytes

extension CheckFinding {
    /// Returns one sentence on what the finding means, or what to do about it.
    ///
    /// - Parameter maximumLine: the text for the maximum length of a line.
    package func explanation(maximumLine: String) -> String {
        switch self {
        case .source(let reason): Self.explanation(of: reason)
        case .rejected(let reason): Self.explanation(of: reason, maximumLine)
        case .problem(let problem): Self.explanation(of: problem)
        case .record(let finding): Self.explanation(of: finding)
        case .untimed: "No timestamp: it counts as older than every dated one."
        case .grouping(let problem): Self.explanation(of: problem)
        }
    }

    private static func explanation(of reason: SourceDamage.Reason) -> String {
        switch reason {
        case .truncated, .zstdTruncated: "The compressed data ends too soon; what came before was checked."
        case .badHeader: "A gzip header is not one; what came before was checked."
        case .corrupt, .zstdCorrupt: "The compressed data is corrupt; what came before was checked."
        case .badChecksum: "The data does not have the checksum that it should; it was checked all the same."
        case .badLength: "The data is not as long as it should be; it was checked all the same."
        case .trailingGarbage, .zstdGarbage:
            "Something else follows the compressed data, and was not checked."
        case .zstdChecksum: "The data does not match its checksum; it was checked anyway."
        case .zstdWindow: "A window of more than 128 MiB is not supported; what came before was checked."
        case .zstdDictionary:
            "Compressed with a dictionary, which is not supported; what came before was checked."
        case .partialResult, .runState, .snapshot:
            "Written by Sheaf, not a log: nothing was checked."
        case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32: "Not UTF-8: nothing was checked."
        case .bzip2, .xz, .zip, .zstd, .lz4, .snappy, .zlib, .gzip, .parquet, .avro:
            "Not a supported format: nothing was checked."
        }
    }

    private static func explanation(of reason: RejectReason, _ maximumLine: String) -> String {
        switch reason {
        case .lineTooLong: "Longer than \(maximumLine): nothing of it was read."
        case .jsonTooDeep: "More than \(FieldScanner.maximumDepth) objects and lists inside each other."
        case .jsonInvalid: "Not one JSON value in valid UTF-8."
        case .jsonNotObject: "JSON, but not an object."
        case .payloadMissing: "Neither a payload nor aps."
        case .payloadInvalid: "The payload is no object, and no text that holds one."
        case .apsMissing: "The payload has no aps object."
        case .appMissing: "No app: name it in app, topic or bundle-id."
        case .timestampInvalid: "Not a time: write RFC 3339, or seconds or milliseconds since 1970."
        case .fieldTooLong:
            "App, device, thread, category, collapse id or summary-arg over \(PushLimits.fieldBytes) bytes."
        case .removalInvalid:
            "A removal names valid ids, a thread or only its app; no member may be misspelled."
        case .settingsInvalid:
            "A change needs known settings with known values, and texts as its app and device."
        case .responseInvalid: "A response must name the action that was chosen."
        case .modificationInvalid: "A result must name its notification; its elapsed time is in seconds."
        }
    }

    private static func explanation(of problem: PayloadProblem) -> String {
        switch problem {
        case .backgroundPriority:
            "A background push with priority 10 is refused (BadPriority): send it with 5."
        case .categoryUnknown: "The configuration has the app, but not this category."
        case .actionUnknown: "A response with an action that its category does not have."
        case .messageIdentifierInvalid: "The apns-id is not a UUID: Apple's service refuses it."
        case .topicMismatched: "The topic does not fit the push type: Apple's service refuses it."
        case .priorityInvalid: "The priority is not 1, 5 or 10: Apple's service refuses it."
        case .expirationInvalid: "Not a whole number of seconds since 1970: Apple's service refuses it."
        case .deviceTokenInvalid: "The device token is not hexadecimal: Apple's service refuses it."
        case .deviceTokenLength: "Device tokens of apps have \(PushLimits.tokenDigits) hexadecimal digits."
        case .backgroundShown: "A background push must not have an alert, a badge or a sound."
        case .alertEmpty: "An alert without text, badge or sound: there is nothing to show."
        case .interruptionLevelUnknown: "Not passive, active, time-sensitive or critical: it is ignored."
        case .relevanceScoreRange: "Not from 0 to 1, as it must be except for Live Activities."
        case .contentAvailableValue: "Only content-available 1 wakes the app."
        case .badgeNegative: "A badge can't be negative; 0 removes it."
        case .soundUnnamed: "A sound dictionary needs the name of a file, or default."
        case .soundVolume: "The volume of a sound is a number from 0 to 1."
        case .soundNotCritical:
            "A sound dictionary is for critical alerts: set critical to 1, or send a text."
        case .mutableContentHidden:
            "A service extension runs only for an alert with a text, never for a background push."
        case .titleArgumentsUnused: "Without title-loc-key, the arguments are ignored."
        case .subtitleArgumentsUnused: "Without subtitle-loc-key, the arguments are ignored."
        case .bodyArgumentsUnused: "Without loc-key, the arguments are ignored."
        case .titleArgumentsFew, .subtitleArgumentsFew, .bodyArgumentsFew:
            "The text in the app's string tables takes more arguments."
        case .summaryArgumentMissing:
            "The category's summary format has a %@, but summary-arg is missing."
        case .threadInPayload: "A device looks for thread-id in aps, not next to it."
        case .threadInHeaders: "A device looks for thread-id in aps: headers don't reach it."
        case .apsKeyUnknown: "A device does not know this key of aps, and ignores it."
        case .apsKeyCustom: "An app's own keys belong next to aps, not in it."
        case .alertKeyUnknown: "A device does not know this key of alert, and ignores it."
        case .localizedKeyUnknown:
            "No string table of a language has this key, so a device has no text to show for it."
        }
    }

    private static func explanation(of problem: GroupingProblem) -> String {
        switch problem {
        case .singleThreads:
            "Over \(GroupingCensus.Limits.singleThreadPercent) % of an app's threads have one notification: nothing groups."
        case .crowdedThread:
            "An app's only thread has over \(Numbers.grouped(UInt64(GroupingCensus.Limits.dailyNotifications))) "
                + "notifications a day on a device."
        case .mixedFormats: "Categories with different formats share threads: their summary is the default."
        case .singleCollapseIdentifiers: "No collapse id of an app occurs twice, so nothing is ever replaced."
        case .mutableContentMissing:
            "A service extension has a result for a push without mutable-content, which starts none."
        }
    }

    private static func explanation(of finding: Finding) -> String {
        switch finding {
        case .threadMisplaced: "A device looks for thread-id in aps, not in the alert."
        case .summaryCountInvalid: "Not a whole number from 1 to 2147483647: it counts as 1."
        case .payloadTooLarge:
            "Over \(PushLimits.payloadBytes) bytes, or \(PushLimits.voicePayloadBytes) for VoIP: Apple's service "
                + "refuses it (PayloadTooLarge)."
        case .collapseIdentifierTooLong:
            "Over \(PushLimits.collapseIdentifierBytes) bytes: Apple's service refuses it (BadCollapseId)."
        case .pushTypeUnknown: "Apple's service knows no such push type, and refuses it (InvalidPushType)."
        case .summaryDeprecated: "iOS 15 and later ignore summary-arg and summary-arg-count."
        case .alertType, .soundType: "Neither text nor an object: it is ignored."
        case .titleType, .subtitleType, .bodyType, .titleLocKeyType, .subtitleLocKeyType, .locKeyType,
            .summaryArgType, .threadType, .categoryType, .interruptionLevelType:
            "Not a text: it is ignored."
        case .titleLocArgsType, .subtitleLocArgsType, .locArgsType: "Not a list: it is ignored."
        case .badgeType, .contentAvailableType, .mutableContentType, .relevanceScoreType:
            "Not a number: it is ignored."
        }
    }
}
