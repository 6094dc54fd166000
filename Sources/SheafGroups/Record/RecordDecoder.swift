import SheafBytes

/// Decodes lines into notifications: both forms of the envelope, the payload's fields, rejects and findings.
///
///     line ──scan──▶ envelope ──┬─ payload: object ────────▶ the same scan's fields
///                               ├─ payload: string ─scan──▶ the embedded scan's fields
///                               └─ no payload, aps ────────▶ the same scan's fields, bare
///
/// Texts stay in the chunk. Those with escapes are decoded in place, which is why a decoder needs exclusive access to
/// the chunk. A decoder owns two scanners and, for rejects, a copy of one line; it allocates nothing per record.
@usableFromInline package struct RecordDecoder: ~Copyable {
    @usableFromInline package enum Outcome: Equatable, Sendable {
        /// The user would see it; `record` has its contents.
        case notification
        /// Counted, not grouped (specification §3).
        case silent
        case rejected(RejectReason)
    }

    private let slots: EnvelopeSlots
    private var envelope: FieldScanner
    private let embeddedSlots: PayloadSlots
    private var embedded: FieldScanner
    @usableFromInline var draft: RecordDraft

    // Inlined, because a call would copy the whole decoder.

    /// The last record, if it was a notification.
    @inlinable package var record: NotificationRecord { draft.record }
    /// The findings of the last record, if it was not rejected.
    @inlinable package var findings: FindingSet { draft.findings }
    /// Whether the last record has no timestamp.
    @inlinable package var isUntimed: Bool { draft.isUntimed }

    /// - Parameters:
    ///   - keepsRejectedText: whether the caller needs `rejectedCopy`.
    ///   - profile: the profile that decides which findings apply; it affects nothing else.
    package init(keepsRejectedText: Bool, profile: Profile = .ios12) {
        var plan = FieldPlan()
        slots = EnvelopeSlots(to: &plan)
        envelope = FieldScanner(plan)
        var embeddedPlan = FieldPlan()
        embeddedSlots = PayloadSlots(to: &embeddedPlan)
        embedded = FieldScanner(embeddedPlan)
        draft = RecordDraft(keepsOriginal: keepsRejectedText, ignoresSummaries: profile == .ios15)
    }

    /// Decodes one line. O(length).
    ///
    /// - Parameters:
    ///   - text: the line's content in `chunk`.
    ///   - source: the source's ordinal.
    ///   - line: the line's number in its source, from 1.
    ///   - index: the record's index among the records of its line, below `OrderKey.maximumRecords`.
    package mutating func decode(
        _ text: TextRange, of chunk: Chunk, source: Int, line: UInt64, index: UInt32 = 0
    ) -> Outcome {
        draft.begin(text, of: chunk)
        switch envelope.scan(text, of: chunk) {
        case .object: break
        case .tooDeep: return .rejected(.jsonTooDeep)
        case .invalid: return .rejected(.jsonInvalid)
        case .notObject: return .rejected(.jsonNotObject)
        }
        // Measured before anything is decoded in place; no payload is longer than its line.
        if text.count > PushLimits.payloadBytes { draft.payloadBytes = payloadSize(in: text, of: chunk) }
        switch envelope.kind(of: slots.payload) {
        case .object:
            return draft.read(
                envelope, slots, payload: envelope, slots.inPayload, chunk, source, line, index: index)
        case .string:
            let payload = draft.decoded(envelope[slots.payload], of: chunk)
            draft.payloadBytes = Int(payload.count)
            guard embedded.scan(payload, of: chunk) == .object else { return .rejected(.payloadInvalid) }
            return draft.read(
                envelope, slots, payload: embedded, embeddedSlots, chunk, source, line, index: index)
        case .absent, .null:
            guard envelope.kind(of: slots.bare[.aps]) != .absent else { return .rejected(.payloadMissing) }
            return draft.read(
                envelope, slots, payload: envelope, slots.bare, chunk, source, line, index: index)
        case .bool, .number, .array:
            return .rejected(.payloadInvalid)
        }
    }

    /// Returns the payload's size in bytes; 0 if it was logged as a string, which must be decoded first.
    @inline(never)
    private func payloadSize(in line: TextRange, of chunk: Chunk) -> Int {
        switch envelope.kind(of: slots.payload) {
        case .object: PayloadSize.ofObject(at: Int(envelope[slots.payload].text.start), in: chunk.bytes)
        case .absent, .null: PayloadSize.ofBare(line, of: chunk)
        case .string, .bool, .number, .array: 0
        }
    }

    /// The original bytes of the last line, for a reject; nil if the chunk still has them.
    package var rejectedCopy: [UInt8]? { draft.originalLine }
}
