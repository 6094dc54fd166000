import SheafBytes

/// The scanner slots of a payload's fields: of a `payload` object, of a bare record, or of a payload that was logged
/// as a string.
///
/// The slots are consecutive, so that the first one determines all others.
package struct PayloadSlots {
    package enum Field: Int, CaseIterable {
        case aps, alert, title, subtitle, body, titleKey, subtitleKey, bodyKey
        case titleArguments, subtitleArguments, bodyArguments, summaryArgument, summaryCount, alertThread
        case thread, category, sound, badge, contentAvailable, mutableContent, interruptionLevel,
            relevanceScore
        case simulatorTarget
    }

    package struct Definition {
        let name: String
        var parent: Field?
        var expected = FieldKinds.all
        /// The finding if the field's value is of the wrong kind.
        package var finding: Finding?
    }

    /// The keys of `aps` that Apple defines (Apple, "Generating a remote notification", and for Live Activities "Starting
    /// and updating Live Activities with ActivityKit push notifications").
    package static let apsKeys = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "stale-date",
        "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
        "input-push-token", "input-push-channel", "content-changed", "url-args",
    ]
    /// The keys of `alert`. `launch-image`, `action-loc-key`, `action`, `summary-arg` and `summary-arg-count` are from
    /// earlier versions of the page. `thread-id` has a finding of its own.
    package static let alertKeys = [
        "title", "subtitle", "body", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args", "launch-image", "action-loc-key", "action",
        "summary-arg", "summary-arg-count", "thread-id",
    ]

    private let first: FieldPlan.Slot

    /// Adds the fields to `plan`, below `payload` or at the top level.
    init(to plan: inout FieldPlan, below payload: FieldPlan.Slot? = nil) {
        var slots: [FieldPlan.Slot] = []
        var others: [FieldPlan.Slot] = []
        for field in Field.allCases {
            let definition = Self.definition(of: field)
            let parent = definition.parent.map { slots[$0.rawValue] } ?? payload
            slots.append(plan.field(definition.name, in: parent, expecting: definition.expected))
            switch field {
            case .alertThread:
                others.append(plan.others(in: slots[Field.alert.rawValue], except: Self.alertKeys))
            case .relevanceScore:
                others.append(plan.others(in: slots[Field.aps.rawValue], except: Self.apsKeys))
            default: break
            }
        }
        first = slots[0]
        for field in Field.allCases {
            precondition(self[field] == slots[field.rawValue], "slots must be consecutive")
        }
        precondition(others == [otherAlertKey, otherKey], "slots must be consecutive")
    }

    @inline(__always)
    package subscript(field: Field) -> FieldPlan.Slot {
        // After the slots of each object are those of its other keys.
        first.advanced(
            by: field.rawValue + (field.rawValue > Field.alertThread.rawValue ? 1 : 0)
                + (field.rawValue > Field.relevanceScore.rawValue ? 1 : 0))
    }

    /// The slot of the keys of `alert` that Apple does not define.
    package var otherAlertKey: FieldPlan.Slot { self[.alertThread].advanced(by: 1) }
    /// The slot of the keys of `aps` that Apple does not define.
    package var otherKey: FieldPlan.Slot { self[.relevanceScore].advanced(by: 1) }

    package static func definition(of field: Field) -> Definition {
        switch field {
        case .aps: Definition(name: "aps")
        case .alert:
            Definition(name: "alert", parent: .aps, expected: [.string, .object], finding: .alertType)
        case .title: Definition(name: "title", parent: .alert, expected: .string, finding: .titleType)
        case .subtitle:
            Definition(name: "subtitle", parent: .alert, expected: .string, finding: .subtitleType)
        case .body: Definition(name: "body", parent: .alert, expected: .string, finding: .bodyType)
        case .titleKey:
            Definition(name: "title-loc-key", parent: .alert, expected: .string, finding: .titleLocKeyType)
        case .subtitleKey:
            Definition(
                name: "subtitle-loc-key", parent: .alert, expected: .string, finding: .subtitleLocKeyType)
        case .bodyKey: Definition(name: "loc-key", parent: .alert, expected: .string, finding: .locKeyType)
        case .titleArguments:
            Definition(name: "title-loc-args", parent: .alert, expected: .array, finding: .titleLocArgsType)
        case .subtitleArguments:
            Definition(
                name: "subtitle-loc-args", parent: .alert, expected: .array, finding: .subtitleLocArgsType)
        case .bodyArguments:
            Definition(name: "loc-args", parent: .alert, expected: .array, finding: .locArgsType)
        case .summaryArgument:
            Definition(name: "summary-arg", parent: .alert, expected: .string, finding: .summaryArgType)
        case .summaryCount: Definition(name: "summary-arg-count", parent: .alert)
        // Used only if `aps` has no thread identifier.
        case .alertThread: Definition(name: "thread-id", parent: .alert, expected: .string)
        case .thread: Definition(name: "thread-id", parent: .aps, expected: .string, finding: .threadType)
        case .category: Definition(name: "category", parent: .aps, expected: .string, finding: .categoryType)
        case .sound:
            Definition(name: "sound", parent: .aps, expected: [.string, .object], finding: .soundType)
        case .badge: Definition(name: "badge", parent: .aps, expected: .number, finding: .badgeType)
        case .contentAvailable:
            Definition(
                name: "content-available", parent: .aps, expected: .number, finding: .contentAvailableType)
        case .mutableContent:
            Definition(name: "mutable-content", parent: .aps, expected: .number, finding: .mutableContentType)
        case .interruptionLevel:
            Definition(
                name: "interruption-level", parent: .aps, expected: .string, finding: .interruptionLevelType)
        case .relevanceScore:
            Definition(name: "relevance-score", parent: .aps, expected: .number, finding: .relevanceScoreType)
        case .simulatorTarget: Definition(name: EnvelopeNames.simulatorTarget)
        }
    }

    /// Returns the findings for fields whose value is of the wrong kind. Such fields count as absent.
    @inline(__always)
    func findings(of scanner: borrowing FieldScanner) -> FindingSet {
        guard scanner.hasWrongKind else { return FindingSet() }
        return mistyped(of: scanner)
    }

    @inline(never)
    private func mistyped(of scanner: borrowing FieldScanner) -> FindingSet {
        var findings = FindingSet()
        for field in Field.allCases where scanner.isMistyped(self[field]) {
            if let finding = Self.definition(of: field).finding { findings.insert(finding) }
        }
        return findings
    }
}

extension Chunk {
    /// Returns the size of a bare record's payload in bytes as it is sent, measured in the original line before any escape
    /// is decoded: the object without the envelope's members, their commas and the white space around them.
    ///
    ///     {"aps": {"alert": "x"}, "ts": 1700000000, "custom": 5}
    ///      └──────counts───────┘└does not count,─┘ └──counts──┘
    ///                            except for a comma
    func barePayloadSize(_ line: TextRange) -> Int {
        let bytes = bytes[line]
        var index = bytes.endOfJSONSpace(from: 0) + 1
        var size = 2
        var members = 0
        /// White space counts if the member next to it does.
        var (isNextToMember, spaceAfter) = (true, 0)
        while index < bytes.count {
            let key = bytes.endOfJSONSpace(from: index)
            let keyEnd = bytes.endOfJSONValue(from: key)
            let value = bytes.endOfJSONSpace(from: bytes.endOfJSONSpace(from: keyEnd) + 1)
            let valueEnd = bytes.endOfJSONValue(from: value)
            let end = bytes.endOfJSONSpace(from: valueEnd)
            if Self.isEnvelopeMember(bytes.extracting(key..<keyEnd)) {
                (isNextToMember, spaceAfter) = (false, 0)
            } else {
                size += valueEnd - key + (members > 0 ? 1 : 0)
                if isNextToMember { size += spaceAfter + key - index }
                (isNextToMember, spaceAfter) = (true, end - valueEnd)
                members += 1
            }
            guard end < bytes.count, bytes[end] == UInt8(ascii: ",") else { break }
            index = end + 1
        }
        return size + spaceAfter
    }

    /// Returns whether a member belongs to the envelope.
    ///
    /// - Parameter key: the member's name with its quotes; escapes are decoded before it is compared.
    private static func isEnvelopeMember(_ key: Span<UInt8>) -> Bool {
        let name = key.jsonText
        return EnvelopeNames.outsideBarePayload.contains { $0.utf8.elementsEqual(name) }
    }
}

extension Span where Element == UInt8 {
    /// Returns the length of the JSON value that begins at an offset.
    func jsonByteCount(from start: Int) -> Int { endOfJSONValue(from: start) - start }
}
