import SheafBytes

/// From a line to a notification: the envelope's two forms, the payload's fields, rejects and findings.
///
///     line ──scan──▶ envelope ──┬─ payload: object ────────▶ the same scan's fields
///                               ├─ payload: string ─scan──▶ the embedded scan's fields
///                               └─ no payload, aps ────────▶ the same scan's fields, bare
///
/// Texts stay where they are in the chunk; those with escapes are decoded there in place, which is why a decoder
/// needs the chunk to itself. Owns two scanners and, for rejects, one line; allocates nothing per record.
public struct RecordDecoder: ~Copyable {
    public enum Outcome: Equatable, Sendable {
        /// A person would see it: `record` says what.
        case notification
        /// Counted, not grouped (specification §3).
        case silent
        case rejected(RejectReason)
    }

    private let slots: EnvelopeSlots
    private var envelope: FieldScanner
    private let embeddedSlots: PayloadSlots
    private var embedded: FieldScanner
    private let keepsRejectedText: Bool

    /// The last record, when it was a notification.
    public private(set) var record = NotificationRecord()
    /// The findings of the last record, when it was not rejected.
    public private(set) var findings = FindingSet()
    /// Whether the last record has no timestamp.
    public private(set) var isUntimed = false
    /// The last line as it was read, when decoding changed it before it was rejected.
    private var original: [UInt8] = []
    private var keptOriginal = false

    /// - Parameter keepsRejectedText: whether `rejectedText` will be asked for.
    public init(keepsRejectedText: Bool) {
        var plan = FieldPlan()
        slots = EnvelopeSlots(to: &plan)
        envelope = FieldScanner(plan)
        var embeddedPlan = FieldPlan()
        embeddedSlots = PayloadSlots(to: &embeddedPlan)
        embedded = FieldScanner(embeddedPlan)
        self.keepsRejectedText = keepsRejectedText
    }

    /// Decodes one line. O(length).
    ///
    /// - Parameters:
    ///   - text: the line's content in `chunk`.
    ///   - source: the source's ordinal.
    ///   - line: the line's number in its source, from 1.
    public mutating func decode(_ text: TextRange, of chunk: Chunk, source: Int, line: UInt64) -> Outcome {
        keptOriginal = false
        switch envelope.scan(text, of: chunk) {
        case .object: break
        case .tooDeep: return .rejected(.jsonTooDeep)
        case .invalid: return .rejected(.jsonInvalid)
        case .notObject: return .rejected(.jsonNotObject)
        }
        switch envelope.kind(of: slots.payload) {
        case .object:
            return decodePayload(slots.inPayload, isEmbedded: false, text, chunk, source, line)
        case .string:
            let payload = decoded(envelope[slots.payload], in: text, of: chunk)
            guard embedded.scan(payload, of: chunk) == .object else { return .rejected(.payloadInvalid) }
            return decodePayload(embeddedSlots, isEmbedded: true, text, chunk, source, line)
        case .absent, .null:
            guard envelope.kind(of: slots.bare.aps) != .absent else { return .rejected(.payloadMissing) }
            return decodePayload(slots.bare, isEmbedded: false, text, chunk, source, line)
        case .bool, .number, .array:
            return .rejected(.payloadInvalid)
        }
    }

    /// Hands the bytes of the last line as they were read to `body`, for a reject.
    public func withRejectedText(_ text: TextRange, of chunk: Chunk, _ body: (Span<UInt8>) -> Void) {
        if keptOriginal { body(original.span) } else { body(chunk.bytes(of: text)) }
    }

    private mutating func decodePayload(
        _ payload: PayloadSlots, isEmbedded: Bool, _ text: TextRange, _ chunk: Chunk, _ source: Int,
        _ line: UInt64
    ) -> Outcome {
        guard value(payload.aps, isEmbedded: isEmbedded).kind == .object else {
            return .rejected(.apsMissing)
        }

        // Up to here and the timestamp a record may be rejected: what is decoded in place is kept for that.
        record = NotificationRecord()
        record.app = firstText(slots.apps, in: text, of: chunk)
        if record.app.isEmpty {
            record.app = decoded(value(payload.simulatorTarget, isEmbedded: isEmbedded), in: text, of: chunk)
        }
        let hasSuffix = cutTopicSuffix(chunk)
        guard !record.app.isEmpty else { return .rejected(.appMissing) }
        guard let timestamp = timestamp(in: text, of: chunk) else { return .rejected(.timestampInvalid) }
        record.order = OrderKey(timestamp: timestamp, source: source, line: line)

        let pushType = firstText(slots.pushTypes, in: text, of: chunk)
        let isAlert = pushType.isEmpty || chunk.bytes(of: pushType).isEqual(to: "alert")
        findings = FindingSet()
        checkTypes(payload, isEmbedded: isEmbedded)
        let showsSomething = readAlert(payload, isEmbedded: isEmbedded, in: text, of: chunk)
        readThread(payload, isEmbedded: isEmbedded, in: text, of: chunk)
        readSummaryCount(payload, isEmbedded: isEmbedded, of: chunk)
        guard isAlert, !hasSuffix, showsSomething else { return .silent }
        record.category = decoded(value(payload.category, isEmbedded: isEmbedded), in: text, of: chunk)
        record.device = firstText(slots.devices, in: text, of: chunk)
        record.identifier = firstText(slots.identifiers, in: text, of: chunk)
        record.collapseIdentifier = firstText(slots.collapseIdentifiers, in: text, of: chunk)
        return .notification
    }
}

// MARK: - Texts

extension RecordDecoder {
    /// The text of a string value, decoded; none for every other kind.
    private mutating func decoded(
        _ value: FieldScanner.Value, in line: TextRange, of chunk: Chunk
    ) -> TextRange {
        guard value.kind == .string else { return .none }
        guard value.hasEscapes else { return value.text }
        if keepsRejectedText, !keptOriginal {
            original.removeAll(keepingCapacity: true)
            original.append(chunk.bytes(of: line))
            keptOriginal = true
        }
        return chunk.decodeEscapes(value.text)
    }

    /// The first of the envelope's fields that is a non-empty string.
    private mutating func firstText(
        _ names: [FieldPlan.Slot], in line: TextRange, of chunk: Chunk
    ) -> TextRange {
        for name in names where envelope.kind(of: name) == .string {
            let value = envelope[name]
            // Decoding never makes a text empty.
            if !value.text.isEmpty { return decoded(value, in: line, of: chunk) }
        }
        return .none
    }

    /// Cuts the suffix of a topic that is not for alerts; true when there was one.
    private mutating func cutTopicSuffix(_ chunk: Chunk) -> Bool {
        let app = chunk.bytes(of: record.app)
        for suffix in Self.topicSuffixes where app.hasSuffix(suffix) {
            record.app.count -= UInt32(suffix.utf8CodeUnitCount)
            return true
        }
        return false
    }

    private static let topicSuffixes: [StaticString] = [
        ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
        ".push-type.liveactivity",
    ]

    /// Milliseconds since 1970; nil when the value is no time. Notes a record without one.
    private mutating func timestamp(in line: TextRange, of chunk: Chunk) -> Int64? {
        isUntimed = false
        for name in slots.timestamps {
            let value = envelope[name]
            switch value.kind {
            case .absent, .null: continue
            case .number: return Timestamp.milliseconds(number: chunk.bytes(of: value.text))
            case .string:
                return Timestamp.milliseconds(text: chunk.bytes(of: decoded(value, in: line, of: chunk)))
            case .bool, .object, .array: return nil
            }
        }
        isUntimed = true
        return 0
    }

    private func value(_ slot: FieldPlan.Slot, isEmbedded: Bool) -> FieldScanner.Value {
        isEmbedded ? embedded[slot] : envelope[slot]
    }
}

// MARK: - The payload's fields

extension RecordDecoder {
    /// Reads the alert's texts; false when it shows nothing.
    private mutating func readAlert(
        _ payload: PayloadSlots, isEmbedded: Bool, in line: TextRange, of chunk: Chunk
    ) -> Bool {
        let alert = value(payload.alert, isEmbedded: isEmbedded)
        if alert.kind == .string {
            record.body = decoded(alert, in: line, of: chunk)
            return !record.body.isEmpty
        }
        guard alert.kind == .object else { return false }
        // Where there is no text the key of a localized one stands for it, as on a device that lacks the table.
        func text(_ slot: FieldPlan.Slot, orKey key: FieldPlan.Slot) -> TextRange {
            let literal = decoded(value(slot, isEmbedded: isEmbedded), in: line, of: chunk)
            guard literal.isEmpty else { return literal }
            return decoded(value(key, isEmbedded: isEmbedded), in: line, of: chunk)
        }
        record.title = text(payload.title, orKey: payload.titleLocKey)
        record.subtitle = text(payload.subtitle, orKey: payload.subtitleLocKey)
        record.body = text(payload.body, orKey: payload.locKey)
        record.argument = decoded(value(payload.summaryArgument, isEmbedded: isEmbedded), in: line, of: chunk)
        return !record.title.isEmpty || !record.subtitle.isEmpty || !record.body.isEmpty
    }

    /// The thread identifier stands in `aps`; where it does not, one in the alert is taken for it.
    private mutating func readThread(
        _ payload: PayloadSlots, isEmbedded: Bool, in line: TextRange, of chunk: Chunk
    ) {
        record.thread = decoded(value(payload.thread, isEmbedded: isEmbedded), in: line, of: chunk)
        guard record.thread.isEmpty else { return }
        let misplaced = value(payload.alertThread, isEmbedded: isEmbedded)
        note(.threadType, unless: misplaced.kind == .string, for: misplaced.kind)
        record.thread = decoded(misplaced, in: line, of: chunk)
        if !record.thread.isEmpty { findings.insert(.threadMisplaced) }
    }

    private mutating func readSummaryCount(_ payload: PayloadSlots, isEmbedded: Bool, of chunk: Chunk) {
        let count = value(payload.summaryCount, isEmbedded: isEmbedded)
        guard count.kind != .absent, count.kind != .null else { return }
        if count.kind == .number, let weight = Self.summaryCount(chunk.bytes(of: count.text)) {
            record.weight = weight
        } else {
            findings.insert(.summaryCountInvalid)
        }
    }

    /// An integer literal from 1 to 2147483647.
    private static func summaryCount(_ digits: Span<UInt8>) -> UInt32? {
        guard digits.count <= 10 else { return nil }
        var number: UInt64 = 0
        for index in digits.indices {
            guard digits[index] >= 0x30, digits[index] <= 0x39 else { return nil }
            number = number * 10 + UInt64(digits[index] - 0x30)
        }
        return (1...2_147_483_647).contains(number) ? UInt32(number) : nil
    }

    /// Notes the fields that are there with a type that they can't have.
    private mutating func checkTypes(_ payload: PayloadSlots, isEmbedded: Bool) {
        func kind(_ slot: FieldPlan.Slot) -> FieldScanner.Kind {
            isEmbedded ? embedded.kind(of: slot) : envelope.kind(of: slot)
        }
        func expect(_ slot: FieldPlan.Slot, _ expected: FieldScanner.Kind, _ finding: Finding) {
            let found = kind(slot)
            note(finding, unless: found == expected, for: found)
        }
        let alert = kind(payload.alert)
        note(.alertType, unless: alert == .string || alert == .object, for: alert)
        let sound = kind(payload.sound)
        note(.soundType, unless: sound == .string || sound == .object, for: sound)
        expect(payload.thread, .string, .threadType)
        expect(payload.category, .string, .categoryType)
        expect(payload.badge, .number, .badgeType)
        expect(payload.contentAvailable, .number, .contentAvailableType)
        expect(payload.mutableContent, .number, .mutableContentType)
        expect(payload.interruptionLevel, .string, .interruptionLevelType)
        expect(payload.relevanceScore, .number, .relevanceScoreType)
        guard alert == .object else { return }
        expect(payload.title, .string, .titleType)
        expect(payload.subtitle, .string, .subtitleType)
        expect(payload.body, .string, .bodyType)
        expect(payload.titleLocKey, .string, .titleLocKeyType)
        expect(payload.titleLocArgs, .array, .titleLocArgsType)
        expect(payload.subtitleLocKey, .string, .subtitleLocKeyType)
        expect(payload.subtitleLocArgs, .array, .subtitleLocArgsType)
        expect(payload.locKey, .string, .locKeyType)
        expect(payload.locArgs, .array, .locArgsType)
        expect(payload.summaryArgument, .string, .summaryArgType)
    }

    /// A field of the wrong type counts as absent and is noted; `null` is absent without a note.
    private mutating func note(_ finding: Finding, unless isRight: Bool, for kind: FieldScanner.Kind) {
        if !isRight, kind != .absent, kind != .null { findings.insert(finding) }
    }
}
