import SheafBytes

/// The rules that checks apply to the fields that the scanners found in a record.
///
/// Separate from `PayloadChecks`, which owns the scanners, so that the rules can copy texts while they read from
/// them.
struct PayloadRules {
    private let known: KnownCategories
    private let topicSuffixes = TopicSuffixes()
    private var copy = TextCopy()

    init(_ known: KnownCategories) { self.known = known }

    /// Returns the problems of a record.
    ///
    /// - Parameters:
    ///   - envelope: the scanner of `chunk`.
    ///   - payload: the scanner of `payloadChunk`, which may be the same one.
    mutating func problems(
        _ envelope: borrowing FieldScanner, _ slots: CheckedSlots, _ chunk: Chunk,
        payload: borrowing FieldScanner, _ payloadSlots: PayloadSlots, _ payloadChunk: Chunk
    ) -> ProblemSet {
        var problems = ProblemSet()
        let record = Found(chunk: chunk, payloadChunk: payloadChunk, slots: slots, payloadSlots: payloadSlots)
        if hasHighPriority(record, envelope), isBackground(record, envelope, payload) {
            problems.insert(.backgroundPriority)
        }
        if !known.isEmpty, hasUnknownCategory(record, envelope, payload) { problems.insert(.categoryUnknown) }
        return problems
    }

    /// The location of a record's fields.
    private struct Found {
        let chunk: Chunk
        let payloadChunk: Chunk
        let slots: CheckedSlots
        let payloadSlots: PayloadSlots
    }
}

// MARK: - Priorities

extension PayloadRules {
    /// Returns whether the push has priority 10, which requests immediate delivery. The first of the names that has a
    /// number or a non-empty string counts.
    private mutating func hasHighPriority(_ record: Found, _ envelope: borrowing FieldScanner) -> Bool {
        for slot in record.slots.priorities {
            if let isHigh = isHighPriority(envelope[slot], record) { return isHigh }
        }
        return false
    }

    /// Returns nil if the value is neither a number nor a non-empty string.
    private mutating func isHighPriority(_ value: FieldScanner.Value, _ record: Found) -> Bool? {
        switch value.kind {
        case .number: return Self.isNumber(10, record.chunk.bytes(of: value.text))
        case .string where value.text.count > 0:
            return isEqual(copy.decoded(value, of: record.chunk), to: "10")
        default: return nil
        }
    }

    /// Returns whether the push wakes an app and shows nothing. A topic's suffix stands for another push type.
    private mutating func isBackground(
        _ record: Found, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) -> Bool {
        let pushType = pushType(record, envelope)
        guard pushType.isEmpty else {
            return pushType.chunk.bytes(of: pushType.range).isEqualIgnoringCase(to: "background")
        }
        let content = payload[record.payloadSlots[.contentAvailable]]
        guard content.kind == .number, Self.isNumber(1, record.payloadChunk.bytes(of: content.text)) else {
            return false
        }
        let isShown =
            Self.isPresent(record.payloadSlots[.alert], payload)
            || Self.isPresent(record.payloadSlots[.badge], payload)
            || Self.isPresent(record.payloadSlots[.sound], payload)
        if isShown { return false }
        let topic = topic(record, envelope, payload)
        return topicSuffixes.count(atEndOf: topic.chunk.bytes(of: topic.range)) == nil
    }
}

// MARK: - Categories

extension PayloadRules {
    private mutating func hasUnknownCategory(
        _ record: Found, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) -> Bool {
        let category = payload[record.payloadSlots[.category]]
        guard category.kind == .string, category.text.count > 0 else { return false }
        let topic = topic(record, envelope, payload)
        let bytes = topic.chunk.bytes(of: topic.range)
        let suffix = topicSuffixes.count(atEndOf: bytes) ?? 0
        guard let app = known.app(bytes.extracting(droppingLast: suffix)) else { return false }
        // This may overwrite the topic's text, which is no longer needed.
        let name = copy.decoded(category, of: record.payloadChunk)
        return !known.contains(name.chunk.bytes(of: name.range), of: app)
    }
}

// MARK: - Fields

extension PayloadRules {
    /// Returns the push type; an empty text if absent, as for all fields here.
    private mutating func pushType(_ record: Found, _ envelope: borrowing FieldScanner) -> ChunkText {
        copy.decoded(
            Self.firstText(
                record.slots.record.pushTypes, or: record.slots.record.headerPushType,
                or: record.slots.record.others.pushTypes, envelope),
            of: record.chunk)
    }

    /// Returns the app, including a topic's suffix.
    private mutating func topic(
        _ record: Found, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) -> ChunkText {
        let slots = record.slots.record
        let app = copy.decoded(Self.firstText(slots.apps, or: slots.headerApp, envelope), of: record.chunk)
        if !app.isEmpty { return app }
        let target = copy.decoded(payload[record.payloadSlots[.simulatorTarget]], of: record.payloadChunk)
        return target.isEmpty ? copy.decoded(envelope.firstText(slots.others.apps), of: record.chunk) : target
    }

    /// Returns the first non-empty text among fields in order of precedence, with `others` after `last`.
    private static func firstText(
        _ fields: FieldPlan.Slots, or last: FieldPlan.Slot, or others: FieldPlan.Slots? = nil,
        _ scanner: borrowing FieldScanner
    ) -> FieldScanner.Value {
        var value = scanner.firstText(fields)
        if value.kind == .absent { value = scanner[last] }
        if let others, value.kind != .string || value.text.isEmpty { value = scanner.firstText(others) }
        return value
    }

    /// Returns whether a field has a value of any type except `null`.
    private static func isPresent(_ slot: FieldPlan.Slot, _ scanner: borrowing FieldScanner) -> Bool {
        let kind = scanner.kind(of: slot)
        return kind != .absent && kind != .null
    }

    private func isEqual(_ text: ChunkText, to literal: StaticString) -> Bool {
        text.chunk.bytes(of: text.range).isEqual(to: literal)
    }

    /// Returns whether the JSON number `text` equals `number`, however it is written: `10`, `10.0`, `1e1`.
    private static func isNumber(_ number: UInt64, _ text: Span<UInt8>) -> Bool {
        if let short = text.shortDecimal { return short == number }
        return Double(text.string) == Double(number)
    }
}
