import SheafBytes

/// The values that findings of the last record are about, as they were before decoding.
///
/// Each is the start of a decoded text, or of any other value as it is in the log: at most `maximumBytes`. Buffers are
/// reused.
package struct FoundValues {
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

    mutating func note(_ value: Span<UInt8>, of finding: CheckFinding) {
        bytes.append(value.extracting(first: min(value.count, Self.maximumBytes)))
        findings.append(finding)
        ends.append(bytes.count)
    }

    /// The value that a finding is about; nil if it has none.
    package subscript(finding: CheckFinding) -> [UInt8]? {
        guard let index = findings.firstIndex(of: finding) else { return nil }
        return Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }
}

extension PayloadRules {
    /// Notes the values that the problems of a record are about, and those that decoding may find something about.
    mutating func noteValues(
        of problems: ProblemSet, _ record: Found, _ envelope: borrowing FieldScanner,
        _ payload: borrowing FieldScanner
    ) {
        values.removeAll()
        if !problems.isEmpty {
            for problem in PayloadProblem.allCases where problems.contains(problem) {
                note(problem, record, envelope, payload)
            }
        }
        if payload.hasMistypedValue {
            for field in PayloadSlots.Field.allCases where payload.isMistyped(record[field]) {
                let finding = field == .alertThread ? .threadType : PayloadSlots.definition(of: field).finding
                if let finding { note(payload[record[field]], record.payloadChunk, .record(finding)) }
            }
        }
        note(payload[record[.alertThread]], record.payloadChunk, .record(.threadMisplaced))
        let (count, argument) = (payload[record[.summaryCount]], payload[record[.summaryArgument]])
        note(count, record.payloadChunk, .record(.summaryCountInvalid))
        note(
            Self.isPresent(record[.summaryCount], payload) ? count : argument, record.payloadChunk,
            .record(.summaryDeprecated))
        let slots = record.slots.record
        note(
            Self.firstText(
                slots.collapseIdentifiers, or: slots.headerCollapseIdentifier,
                or: slots.others.collapseIdentifiers, envelope), record.chunk,
            .record(.collapseIdentifierTooLong))
        let type = pushType(record, envelope)
        values.note(type.chunk.bytes(of: type.range), of: .record(.pushTypeUnknown))
        var timestamp = envelope.firstValue(slots.timestamps)
        if timestamp.kind == .absent { timestamp = envelope.firstValue(slots.others.timestamps) }
        note(timestamp, record.chunk, .rejected(.timestampInvalid))
    }

    private mutating func note(
        _ problem: PayloadProblem, _ record: Found, _ envelope: borrowing FieldScanner,
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
            return note(first(record.slots.priorities.map(\.slot), envelope), record.chunk, finding)
        case .messageIdentifierInvalid:
            return note(first(record.slots.messageIdentifiers, envelope), record.chunk, finding)
        case .topicMismatched:
            let topic = topic(record, envelope, payload).text
            return values.note(topic.chunk.bytes(of: topic.range), of: finding)
        case .expirationInvalid: return note(first(record.slots.expirations, envelope), record.chunk, finding)
        case .deviceTokenInvalid, .deviceTokenLength:
            return note(
                firstText(record.slots.deviceTokens, envelope) ?? .absent, record.chunk, finding)
        case .threadInPayload: return noteThreadInPayload(record, envelope, payload)
        case .threadInHeaders:
            let thread =
                firstText(record.slots.headerThreads, envelope)
                ?? firstText(record.slots.bare.threads ?? [], envelope)
            return note(thread ?? .absent, record.chunk, finding)
        case .apsKeyUnknown, .apsKeyCustom, .alertKeyUnknown, .localizedKeyUnknown:
            let key = key(of: problem)
            return values.note(key.span, of: finding)
        // Responses have no payload to check.
        case .actionUnknown: return
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
        note(payload[record[field]], record.payloadChunk, finding)
    }

    /// Returns the key that a problem of the last record is about.
    private func key(of problem: PayloadProblem) -> [UInt8] {
        switch problem {
        case .apsKeyUnknown: unknownKeys.apsKey
        case .apsKeyCustom: unknownKeys.customKey
        case .alertKeyUnknown: unknownKeys.alertKey
        default: Array((missingKey?.key ?? "").utf8)
        }
    }

    private mutating func noteThreadInPayload(
        _ record: Found, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) {
        let finding = CheckFinding.problem(.threadInPayload)
        if let threads = record.payloadSlots.threads {
            return note(firstText(threads, payload) ?? .absent, record.payloadChunk, finding)
        }
        let start = Int(envelope[record.slots.record.payload].text.start)
        if let thread = thread(in: start, record.chunk) {
            note(FieldScanner.Value(thread, in: record.chunk.bytes), record.chunk, finding)
        }
    }

    /// Notes a value, unless it is absent or its text is not in the chunk.
    private mutating func note(_ value: FieldScanner.Value, _ chunk: Chunk, _ finding: CheckFinding) {
        switch value.kind {
        case .absent: return
        case .string:
            let text = copy.decoded(value, of: chunk)
            values.note(text.chunk.bytes(of: text.range), of: finding)
        case .number: values.note(chunk.bytes(of: value.text), of: finding)
        case .null, .bool, .object, .array:
            guard !value.text.isEmpty else { return }
            let start = Int(value.text.start)
            values.note(
                chunk.bytes.extracting(start..<chunk.bytes.endOfJSONValue(from: start)), of: finding)
        }
    }
}
