import SheafBytes

/// The rules that checks have for a record, asked of what the scanners found.
///
/// Apart from the checks, which own the scanners, so that texts can be copied while it reads from them.
struct PayloadRules {
    private let known: KnownCategories
    private let topicSuffixes = TopicSuffixes()
    private var copy = TextCopy()

    init(_ known: KnownCategories) { self.known = known }

    /// - Parameters:
    ///   - envelope: what was found in `chunk`.
    ///   - payload: what was found in `payloadChunk`, by the same scanner maybe.
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

    /// Where a record's fields were found.
    private struct Found {
        let chunk: Chunk
        let payloadChunk: Chunk
        let slots: CheckedSlots
        let payloadSlots: PayloadSlots
    }
}

// MARK: - Priorities

extension PayloadRules {
    /// Whether the push is to be delivered at once: of the names that say so the first counts that has a number or a text.
    private mutating func hasHighPriority(_ record: Found, _ envelope: borrowing FieldScanner) -> Bool {
        let (first, second, ofHeaders) = record.slots.priorities
        if let isHigh = isHighPriority(envelope[first], record) { return isHigh }
        if let isHigh = isHighPriority(envelope[second], record) { return isHigh }
        return isHighPriority(envelope[ofHeaders], record) ?? false
    }

    /// nil when the value says nothing.
    private mutating func isHighPriority(_ value: FieldScanner.Value, _ record: Found) -> Bool? {
        switch value.kind {
        case .number: return Self.isNumber(10, record.chunk.bytes(of: value.text))
        case .string where value.text.count > 0:
            return isEqual(copy.decoded(value, of: record.chunk), to: "10")
        default: return nil
        }
    }

    /// Whether the push wakes an app and shows nothing. A topic's suffix stands for a push type of its own.
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
            Self.isThere(record.payloadSlots[.alert], payload)
            || Self.isThere(record.payloadSlots[.badge], payload)
            || Self.isThere(record.payloadSlots[.sound], payload)
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
        // The topic's text is not needed any more, where it was a copy.
        let name = copy.decoded(category, of: record.payloadChunk)
        return !known.contains(name.chunk.bytes(of: name.range), of: app)
    }
}

// MARK: - Fields

extension PayloadRules {
    /// An empty text where there is none, as everywhere here.
    private mutating func pushType(_ record: Found, _ envelope: borrowing FieldScanner) -> PlacedText {
        copy.decoded(
            Self.firstText(record.slots.record.pushTypes, or: record.slots.record.headerPushType, envelope),
            of: record.chunk)
    }

    /// The app, with the suffix that a topic may have.
    private mutating func topic(
        _ record: Found, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) -> PlacedText {
        let app = copy.decoded(
            Self.firstText(record.slots.record.apps, or: record.slots.record.headerApp, envelope),
            of: record.chunk)
        if !app.isEmpty { return app }
        return copy.decoded(payload[record.payloadSlots[.simulatorTarget]], of: record.payloadChunk)
    }

    /// The first text among some fields, in the order in which their names are looked at, or else of the last one.
    private static func firstText(
        _ fields: FieldPlan.Slots, or last: FieldPlan.Slot, _ scanner: borrowing FieldScanner
    ) -> FieldScanner.Value {
        let value = scanner.firstText(fields)
        return value.kind == .absent ? scanner[last] : value
    }

    /// Whether a field has a value of any type, `null` being none.
    private static func isThere(_ slot: FieldPlan.Slot, _ scanner: borrowing FieldScanner) -> Bool {
        let kind = scanner.kind(of: slot)
        return kind != .absent && kind != .null
    }

    private func isEqual(_ text: PlacedText, to literal: StaticString) -> Bool {
        text.chunk.bytes(of: text.range).isEqual(to: literal)
    }

    /// Whether JSON's number `text` is `number`, however it is written: `10`, `10.0`, `1e1`.
    private static func isNumber(_ number: UInt64, _ text: Span<UInt8>) -> Bool {
        if let short = text.shortDecimal { return short == number }
        return Double(text.string) == Double(number)
    }
}
