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
        }
    }

    private static func explanation(of problem: PayloadProblem) -> String {
        switch problem {
        case .backgroundPriority: "A background push with priority 10 is refused: send it with 5."
        case .categoryUnknown: "The configuration has the app, but not this category."
        }
    }

    private static func explanation(of finding: Finding) -> String {
        switch finding {
        case .threadMisplaced: "A device looks for thread-id in aps, not in the alert."
        case .summaryCountInvalid: "Not a whole number from 1 to 2147483647: it counts as 1."
        case .payloadTooLarge:
            "Over \(PushLimits.payloadBytes) bytes, or \(PushLimits.voicePayloadBytes) for VoIP: Apple's service "
                + "refuses it."
        case .collapseIdentifierTooLong:
            "Over \(PushLimits.collapseIdentifierBytes) bytes: Apple's service refuses it."
        case .pushTypeUnknown: "Apple's service knows no such push type, and refuses it."
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
