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
    @usableFromInline var draft: RecordDraft

    // Inlined, since a call would hand over a copy of the whole decoder for it.

    /// The last record, when it was a notification.
    @inlinable public var record: NotificationRecord { draft.record }
    /// The findings of the last record, when it was not rejected.
    @inlinable public var findings: FindingSet { draft.findings }
    /// Whether the last record has no timestamp.
    @inlinable public var isUntimed: Bool { draft.isUntimed }

    /// - Parameters:
    ///   - keepsRejectedText: whether `rejectedText` will be asked for.
    ///   - profile: what is odd about a record depends on it, nothing else.
    public init(keepsRejectedText: Bool, profile: Profile = .ios12) {
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
    public mutating func decode(_ text: TextRange, of chunk: Chunk, source: Int, line: UInt64) -> Outcome {
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
            return draft.read(envelope, slots, payload: envelope, slots.inPayload, chunk, source, line)
        case .string:
            let payload = draft.decoded(envelope[slots.payload], of: chunk)
            draft.payloadBytes = Int(payload.count)
            guard embedded.scan(payload, of: chunk) == .object else { return .rejected(.payloadInvalid) }
            return draft.read(envelope, slots, payload: embedded, embeddedSlots, chunk, source, line)
        case .absent, .null:
            guard envelope.kind(of: slots.bare[.aps]) != .absent else { return .rejected(.payloadMissing) }
            return draft.read(envelope, slots, payload: envelope, slots.bare, chunk, source, line)
        case .bool, .number, .array:
            return .rejected(.payloadInvalid)
        }
    }

    /// How long the payload is, unless it is logged as a string: what that holds is decoded first.
    @inline(never)
    private func payloadSize(in line: TextRange, of chunk: Chunk) -> Int {
        switch envelope.kind(of: slots.payload) {
        case .object: PayloadSize.ofObject(at: Int(envelope[slots.payload].text.start), in: chunk.bytes)
        case .absent, .null: PayloadSize.ofBare(line, of: chunk)
        case .string, .bool, .number, .array: 0
        }
    }

    /// The last line as it was read, for a reject; nil where it is still so in the chunk.
    public var rejectedCopy: [UInt8]? { draft.originalLine }
}
