import SheafBytes
import SheafGroups
import SheafText

/// The values that findings of the last record are about, as they were before decoding.
///
/// Each is the start of a decoded text, or of any other value as it is in the log: at most `maximumBytes`. Buffers are
/// reused.
package struct FindingValues {
    /// The length of a value that is quoted completely, in bytes. It may end within a character.
    package static let maximumBytes = 128

    private var findings: [CheckFinding] = []
    private var ends: [Int] = []
    private var bytes: [UInt8] = []

    mutating func removeAll() {
        findings.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ value: Span<UInt8>, of finding: CheckFinding) {
        bytes.append(value.extracting(first: min(value.count, Self.maximumBytes)))
        findings.append(finding)
        ends.append(bytes.count)
    }

    mutating func append(
        _ text: DecodedText, of finding: CheckFinding, in copy: TextCopy, _ chunk: Chunk
    ) {
        append(copy.bytes(of: text, in: chunk), of: finding)
    }

    /// The value that a finding is about; nil if it has none.
    package subscript(finding: CheckFinding) -> [UInt8]? {
        guard let index = findings.firstIndex(of: finding) else { return nil }
        return Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }
}

extension PayloadRules {
    /// Keeps the values that the problems of a record are about, and those that decoding may have findings about.
    mutating func keepValues(
        _ record: RecordFields, _ envelope: borrowing FieldScanner,
        _ payload: borrowing FieldScanner
    ) {
        if !problems.isEmpty {
            for problem in CheckProblem.allCases where problems.contains(problem) {
                keep(problem, record, envelope, payload)
            }
        }
        if payload.hasWrongKind {
            for field in PayloadSlots.Field.allCases where payload.isMistyped(record[field]) {
                let finding = field == .alertThread ? .threadType : PayloadSlots.definition(of: field).finding
                if let finding { keep(payload[record[field]], record.chunk, .record(finding)) }
            }
        }
        keep(payload[record[.alertThread]], record.chunk, .record(.threadMisplaced))
        let (count, argument) = (payload[record[.summaryCount]], payload[record[.summaryArgument]])
        keep(count, record.chunk, .record(.summaryCountInvalid))
        keep(
            Self.isPresent(record[.summaryCount], payload) ? count : argument, record.chunk,
            .record(.summaryDeprecated))
        let slots = record.slots.record
        keep(
            Self.firstText(
                slots.collapseIdentifiers, or: slots.headerCollapseIdentifier,
                or: slots.others.collapseIdentifiers, envelope), record.chunk,
            .record(.collapseIdentifierTooLong))
        let type = pushType(record, envelope)
        values.append(type, of: .record(.pushTypeUnknown), in: copy, record.chunk)
        var timestamp = envelope.firstValue(slots.timestamps)
        if timestamp.kind == .absent { timestamp = envelope.firstValue(slots.others.timestamps) }
        keep(timestamp, record.chunk, .rejected(.timestampInvalid))
    }

    private mutating func keep(
        _ problem: CheckProblem, _ record: RecordFields, _ envelope: borrowing FieldScanner,
        _ payload: borrowing FieldScanner
    ) {
        func first(_ slots: [FieldPlan.Slot], _ scanner: borrowing FieldScanner) -> FieldScanner.Value {
            for slot in slots {
                let value = scanner[slot]
                if value.kind == .number || value.kind == .string && !value.text.isEmpty { return value }
            }
            return .absent
        }
        let finding = CheckFinding.problem(problem)
        let field: PayloadSlots.Field
        switch problem {
        case .backgroundPriority, .priorityInvalid:
            return keep(first(record.slots.priorities.map(\.slot), envelope), record.chunk, finding)
        case .messageIdentifierInvalid:
            return keep(first(record.slots.messageIdentifiers, envelope), record.chunk, finding)
        case .topicMismatched:
            let topic = topic(record, envelope, payload).text
            return values.append(topic, of: finding, in: copy, record.chunk)
        case .expirationInvalid: return keep(first(record.slots.expirations, envelope), record.chunk, finding)
        case .deviceTokenInvalid, .deviceTokenLength:
            return keep(
                firstText(record.slots.deviceTokens, envelope) ?? .absent, record.chunk, finding)
        case .threadInPayload: return keepThreadInPayload(record, envelope, payload)
        case .threadInHeaders:
            let thread =
                firstText(record.slots.headerThreads, envelope)
                ?? firstText(record.slots.bare.threads ?? [], envelope)
            return keep(thread ?? .absent, record.chunk, finding)
        case .apsKeyUnknown, .apsKeyCustom, .alertKeyUnknown, .localizedKeyUnknown:
            let key = unknownKeys[problem] ?? Array((untranslatedKey?.key ?? "").utf8)
            return values.append(key.span, of: finding)
        // Responses and apps have no payload to check.
        case .actionUnknown, .singleThreads, .manyThreads, .crowdedThread, .manyInterruptions, .buriedUrgent,
            .mixedFormats, .singleCollapseIdentifiers, .mutableContentMissing, .repeatedPushes:
            return
        case .backgroundShown:
            field = [.alert, .badge].first { Self.isPresent(record[$0], payload) } ?? .sound
        case .categoryUnknown: field = .category
        case .alertEmpty: field = .alert
        case .interruptionLevelUnknown: field = .interruptionLevel
        case .relevanceScoreRange: field = .relevanceScore
        case .contentAvailableValue: field = .contentAvailable
        case .badgeNegative: field = .badge
        case .soundUnnamed, .soundVolume, .soundNotCritical: field = .sound
        case .mutableContentHidden: field = .mutableContent
        case .titleArgumentsUnused: field = .titleArguments
        case .subtitleArgumentsUnused: field = .subtitleArguments
        case .bodyArgumentsUnused: field = .bodyArguments
        case .titleArgumentsFew: field = .titleKey
        case .subtitleArgumentsFew: field = .subtitleKey
        case .bodyArgumentsFew: field = .bodyKey
        case .summaryArgumentMissing: field = .summaryCount
        }
        keep(payload[record[field]], record.chunk, finding)
    }

    private mutating func keepThreadInPayload(
        _ record: RecordFields, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) {
        let finding = CheckFinding.problem(.threadInPayload)
        if let threads = record.payloadSlots.threads {
            return keep(firstText(threads, payload) ?? .absent, record.chunk, finding)
        }
        let start = Int(envelope[record.slots.record.payload].text.start)
        if let thread = thread(in: start, record.chunk) {
            keep(FieldScanner.Value(thread, in: record.chunk.bytes), record.chunk, finding)
        }
    }

    /// Keeps a value, unless it is absent or its text is not in the chunk.
    private mutating func keep(_ value: FieldScanner.Value, _ chunk: Chunk, _ finding: CheckFinding) {
        switch value.kind {
        case .absent: return
        case .string:
            let text = copy.decoded(value, of: chunk)
            values.append(text, of: finding, in: copy, chunk)
        case .number: values.append(chunk.bytes(of: value.text), of: finding)
        case .null, .bool, .object, .array:
            guard !value.text.isEmpty else { return }
            let start = Int(value.text.start)
            values.append(
                chunk.bytes.extracting(start..<chunk.bytes.endOfJSONValue(from: start)), of: finding)
        }
    }
}
