import SheafBytes

/// Decodes lines into notifications: both forms of the envelope, the payload's fields, rejects and findings.
///
///     line ──scan──▶ envelope ──┬─ payload: object ────────▶ the same scan's fields
///                               ├─ payload: string ─scan──▶ the embedded scan's fields
///                               └─ no payload, aps ────────▶ the same scan's fields, bare
///
/// Entries of other shapes are read by `EntryReader`, which finds the same fields elsewhere in the line.
///
/// Texts stay in the chunk. Those with escapes are decoded in place, which is why a decoder needs exclusive access to
/// the chunk. A decoder owns two scanners and, for rejects, a copy of one line; it allocates nothing per record.
@usableFromInline package struct RecordDecoder: ~Copyable {
    @usableFromInline package enum Outcome: Equatable, Sendable {
        /// The user would see it; `record` has its contents.
        case notification
        /// Counted, not grouped (specification §3).
        case silent
        /// Counted, not grouped: the push service refused it, for the reason `refusal` (specification §18).
        case refused
        /// Counted, not grouped: a push for another platform (specification §12.2).
        case otherPlatform
        /// Notifications are no longer on screen; `removals` has which ones (specification §15).
        case removal
        /// Settings change; `settings` has which ones (specification §16).
        case settings
        /// An action was chosen; `response` has which one (specification §16).
        case response
        /// A service extension returned; `record` has the new content, and as its collapse identifier that of the
        /// notification; `result` has the rest (specification §16).
        case result
        /// The push service answered; `outcomes` has what, to which pushes (specification §18).
        case outcome
        case rejected(RejectReason)
    }

    private let slots: EnvelopeSlots
    /// The schema in Kafka Connect's wrapper. Not one of `slots`, which are copied for each record.
    private let schema: FieldPlan.Slot
    private let removalSlots: RemovalSlots
    private let outcomeSlots: OutcomeSlots
    /// Whether a payload makes a line a native record, even next to members of another shape.
    private let readsNativeOnly: Bool
    private let keepsTextForMappings: Bool
    private var envelope: FieldScanner
    private let embeddedSlots: PayloadSlots
    private var embedded: FieldScanner
    /// The slots that an inspector is shown, of a line and of an embedded payload; nil if the decoder has none.
    private let checked: CheckedSlots?
    private let embeddedChecked: CheckedPayloadSlots?
    /// Examines each push before its texts are decoded. It may be replaced between records by one for the same purpose.
    var inspector: (any PushInspector)?
    @usableFromInline var draft: RecordDraft

    // Inlined, because a call would copy the whole decoder.

    /// The last record, if it was a notification.
    @inlinable package var record: NotificationRecord { draft.record }
    /// The findings of the last record, if it was not rejected.
    @inlinable package var findings: FindingSet { draft.findings }
    /// What the last record removes, if it was a removal: one element for each notification that it names.
    package var removals: [RemovalRecord] { draft.removals }
    /// True if the last record was a removal, and reports that an app was opened; `settings` then has that as well.
    package var opensApp: Bool { draft.opensApp }
    /// What the reject of the last record is about, if it was rejected for `reason` and that has one of many causes.
    package func detail(of reason: RejectReason) -> String? {
        reason == .removalInvalid ? draft.removalMistake : nil
    }
    /// The change that the last record reports, if it was one of settings, or opened an app.
    package var settings: SettingsRecord { draft.settings }
    /// Why the push service refused the last record, if it did; empty if that is not logged.
    package var refusal: TextRange { draft.refusal }
    /// What the push service answered to the last record, if it was a push.
    package var answer: PushAnswer { draft.answer }
    /// True if the last record was refused and would have been silent.
    package var isRefusedSilent: Bool { draft.isRefusedSilent }
    /// The pushes that the last record is the outcome of, if it was one.
    package var outcomes: [OutcomeRecord] { draft.outcomes }
    /// What was chosen, if the last record was a response.
    package var response: ResponseRecord { draft.response }
    /// The result of a service extension, if the last record was one, except for the new content.
    package var result: ExtensionResult { draft.result }
    /// The badge of the last record, if it was a notification or silent, and if badges are read; nil if it has none.
    package var badge: UInt64? { draft.badge }
    /// The largest badge that is read: the largest number up to which JSON readers agree on all whole numbers.
    package static var maximumBadge: UInt64 { RecordDraft.maximumBadge }
    /// The size of the last record's payload in bytes, if it may be too large; otherwise 0.
    package var payloadBytes: Int { draft.payloadBytes }
    /// Whether the last record has no timestamp.
    @inlinable package var isUntimed: Bool { draft.isUntimed }

    /// - Parameters:
    ///   - keepsRejectedText: whether the caller needs `rejectedCopy`.
    ///   - profile: the profile that decides which findings apply; it affects nothing else.
    ///   - readsTraits: whether the caller needs the traits of notifications.
    ///   - readsBadges: whether the caller needs the badges of records, and the devices of silent ones.
    ///   - readsNativeOnly: whether a payload makes a line a native record, even next to members of another shape.
    ///   - keepsTextForMappings: whether the text of a record that lacks a payload or an app is kept, because it may be that of
    ///     an entry which mappings read.
    ///   - inspector: examines each push before its texts are decoded; nil for none.
    package init(
        keepsRejectedText: Bool, profile: Profile = .ios12, readsTraits: Bool = false,
        readsBadges: Bool = false, readsNativeOnly: Bool = false, keepsTextForMappings: Bool = false,
        inspector: (any PushInspector)? = nil
    ) {
        self.readsNativeOnly = readsNativeOnly
        self.keepsTextForMappings = keepsTextForMappings
        self.inspector = inspector
        var plan = FieldPlan()
        var embeddedPlan = FieldPlan()
        if inspector != nil {
            let line = CheckedSlots(to: &plan)
            let embedded = CheckedPayloadSlots(to: &embeddedPlan)
            (checked, embeddedChecked) = (line, embedded)
            (slots, removalSlots, outcomeSlots) = (line.record, line.removal, line.outcome)
            embeddedSlots = embedded.fields
        } else {
            (checked, embeddedChecked) = (nil, nil)
            slots = EnvelopeSlots(to: &plan)
            removalSlots = RemovalSlots(to: &plan)
            outcomeSlots = OutcomeSlots(to: &plan)
            embeddedSlots = PayloadSlots(to: &embeddedPlan)
        }
        schema = plan.field(EnvelopeNames.schema)
        envelope = FieldScanner(plan)
        embedded = FieldScanner(embeddedPlan)
        draft = RecordDraft(
            keepsOriginal: keepsRejectedText || keepsTextForMappings, ignoresSummaries: profile == .ios15,
            readsTraits: readsTraits,
            readsBadges: readsBadges)
    }

    /// Decodes one line. O(length).
    ///
    /// - Parameters:
    ///   - text: the line's content in `chunk`.
    ///   - position: the record's position; the order of records follows from it.
    package mutating func decode(_ text: TextRange, of chunk: Chunk, at position: RecordPosition) -> Outcome {
        draft.begin(text)
        draft.position = position
        return scan(text, of: chunk)
    }

    /// Whether the last record is a native push with nothing unusual: a payload of its own, no findings, and no member that
    /// another reading of the same fields might judge differently.
    package var isOrdinary: Bool {
        @inline(__always) get {
            guard draft.isOrdinary, !envelope.hasMistypedContainer, envelope.kind(of: schema) == .absent,
                envelope.kind(of: removalSlots.event) == .absent
            else { return false }
            return switch envelope.kind(of: slots.payload) {
            case .object: envelope.kind(of: slots.inPayload[.alertThread]) == .absent
            case .string: embedded.kind(of: embeddedSlots[.alertThread]) == .absent
            case .absent, .null, .bool, .number, .array: false
            }
        }
    }

    /// Takes over the last record of another decoder, a notification or a silent one, with another thread, which is a text in
    /// its chunk.
    package mutating func take(_ other: borrowing RecordDecoder, thread: TextRange) {
        draft.takeNotification(other.draft)
        draft.record.thread = thread
    }

    /// Takes over the last record of another decoder that was created in the same way. Rejected texts are not copied.
    package mutating func take(_ other: borrowing RecordDecoder) { draft.take(other.draft) }

    @inline(__always)
    private mutating func scan(_ text: TextRange, of chunk: Chunk) -> Outcome {
        inspector?.begin()
        switch envelope.scan(text, of: chunk) {
        case .object: break
        case .tooDeep: return .rejected(.jsonTooDeep)
        case .invalid: return .rejected(.jsonInvalid)
        case .notObject: return .rejected(.jsonNotObject)
        }
        if envelope.kind(of: schema) != .absent || envelope.hasMistypedContainer,
            let reason = foreignReason(in: chunk)
        {
            return .rejected(reason)
        }
        if envelope.kind(of: removalSlots.event) == .string, let event = event(of: text, in: chunk) {
            // Its timestamp may be invalid like that of a push.
            if let checked {
                inspector?.inspect(envelope, checked, payload: envelope, checked.bare, in: chunk)
            }
            return read(event, text, of: chunk)
        }
        // Measured before anything is decoded in place; no payload is longer than its line.
        if text.count > PushLimits.payloadBytes { draft.payloadBytes = payloadSize(in: text, of: chunk) }
        let outcome = readPush(of: chunk)
        guard envelope.hasMistypedValue else { return outcome }
        return draft.readOutcome(
            of: outcome, outcomeSlots, of: envelope, isFlat: !envelope.hasMistypedContainer, chunk)
    }

    /// Reads a payload in any of its forms.
    @inline(__always)
    private mutating func readPush(of chunk: Chunk) -> Outcome {
        switch envelope.kind(of: slots.payload) {
        case .object:
            if let checked {
                inspector?.inspect(envelope, checked, payload: envelope, checked.inPayload, in: chunk)
            }
            return draft.read(envelope, slots, payload: envelope, slots.inPayload, chunk)
        case .string:
            let payload = draft.decoded(envelope[slots.payload], of: chunk)
            draft.payloadBytes = Int(payload.count)
            guard embedded.scan(payload, of: chunk) == .object else { return .rejected(.payloadInvalid) }
            if let checked, let embeddedChecked {
                inspector?.inspect(envelope, checked, payload: embedded, embeddedChecked, in: chunk)
            }
            return draft.read(envelope, slots, payload: embedded, embeddedSlots, chunk)
        case .absent, .null:
            guard envelope.kind(of: slots.bare[.aps]) != .absent else { return .rejected(.payloadMissing) }
            if let checked {
                inspector?.inspect(envelope, checked, payload: envelope, checked.bare, in: chunk)
            }
            return draft.read(envelope, slots, payload: envelope, slots.bare, chunk)
        case .bool, .number, .array:
            return .rejected(.payloadInvalid)
        }
    }

    /// Returns the reason for rejecting a line whose members are those of another shape, although it has a payload.
    @inline(never)
    private func foreignReason(in chunk: Chunk) -> RejectReason? {
        if envelope.kind(of: schema) != .absent, isWrapper { return .appMissing }
        let isForeign = !readsNativeOnly && outcomeSlots.hasResults(envelope, in: chunk)
        return isForeign ? .payloadMissing : nil
    }

    /// Whether the line is Kafka Connect's wrapper: a payload next to its schema, without an app of its own.
    private var isWrapper: Bool {
        switch envelope.kind(of: schema) {
        case .object, .null: break
        default: return false
        }
        switch envelope.kind(of: slots.payload) {
        case .object, .string: break
        default: return false
        }
        return envelope.firstText(slots.apps).kind == .absent
            && envelope[slots.headerApp].text.isEmpty
            && envelope.firstText(slots.others.apps).kind == .absent
    }

    /// Returns the event that the record reports; nil if it is a push.
    @inline(never)
    private func event(of text: TextRange, in chunk: Chunk) -> RecordEvent? {
        guard let event = namedEvent(in: chunk) else { return nil }
        // A push may have an event of its own next to `aps`, such as a screen that it opens.
        guard hasPayload else { return event }
        let isEvent =
            switch event {
            case .removed, .cleared, .acted, .appOpened, .appClosed: true
            case .settings: RecordDraft.namesSettings(text, of: chunk)
            case .response: ResponseMembers(text, of: chunk).action != nil
            case .result: ResultMembers(text, of: chunk).namesResult
            case .outcome: false
            }
        return isEvent ? event : nil
    }

    private var hasPayload: Bool {
        switch envelope.kind(of: slots.payload) {
        case .absent, .null: envelope.kind(of: slots.bare[.aps]) != .absent
        case .bool, .number, .string, .object, .array: true
        }
    }

    /// Returns the event with the record's name for it.
    private func namedEvent(in chunk: Chunk) -> RecordEvent? {
        let name = envelope[removalSlots.event]
        guard name.hasEscapes else { return RecordEvent(chunk.bytes(of: name.text)) }
        // A copy is decoded: if it is a push, entries of other shapes need the text as it is.
        guard name.text.count <= RecordEvent.maximumEscapedBytes else { return nil }
        let copy = Chunk(capacity: RecordEvent.maximumEscapedBytes + 1)
        return RecordEvent(copy.bytes(of: copy.copyDecoded(name.text, of: chunk)))
    }

    /// Reads a record that is not a push.
    @inline(never)
    private mutating func read(
        _ event: RecordEvent, _ text: TextRange, of chunk: Chunk
    ) -> Outcome {
        switch event {
        case .removed, .cleared, .acted, .appOpened:
            draft.readRemoval(event, removalSlots, slots, of: envelope, chunk)
        case .appClosed: draft.readClosing(slots, of: envelope, chunk)
        case .settings: draft.readSettings(text, slots, of: envelope, chunk, hasPayload: hasPayload)
        case .response: readResponse(text, of: chunk)
        case .result: readResult(text, of: chunk)
        case .outcome: draft.readOutcomes((slots, removalSlots, outcomeSlots), of: envelope, chunk)
        }
    }

    private mutating func readResult(_ text: TextRange, of chunk: Chunk) -> Outcome {
        // Before texts are decoded in place, after which the record is no longer valid JSON.
        let members = ResultMembers(text, of: chunk)
        // Localized texts are packed in place; the result may still be rejected.
        draft.keepOriginal(of: chunk)
        draft.isResult = true
        defer { draft.isResult = false }
        var payload: Outcome? = readPush(of: chunk)
        // A record without a payload may still have a content.
        if payload == .rejected(.payloadMissing) || payload == .rejected(.apsMissing) { payload = nil }
        return draft.readResult(
            members, payload: payload, slots, of: envelope, chunk)
    }

    private mutating func readResponse(_ text: TextRange, of chunk: Chunk) -> Outcome {
        // Before texts are decoded in place, after which the record is no longer valid JSON.
        let members = ResponseMembers(text, of: chunk)
        let category = members.category == nil ? payloadCategory(in: chunk) : .absent
        return draft.readResponse(
            members, payloadCategory: category, slots, of: envelope, chunk)
    }

    /// Returns the category in the payload; `absent` if the record has no valid payload.
    private mutating func payloadCategory(in chunk: Chunk) -> FieldScanner.Value {
        switch envelope.kind(of: slots.payload) {
        case .object: return envelope[slots.inPayload[.category]]
        case .string:
            let payload = draft.decoded(envelope[slots.payload], of: chunk)
            let isObject = embedded.scan(payload, of: chunk) == .object
            return isObject ? embedded[embeddedSlots[.category]] : .absent
        case .absent, .null: return envelope[slots.bare[.category]]
        case .bool, .number, .array: return .absent
        }
    }

    /// Returns the payload's size in bytes; 0 if it was logged as a string, which must be decoded first.
    @inline(never)
    private func payloadSize(in line: TextRange, of chunk: Chunk) -> Int {
        switch envelope.kind(of: slots.payload) {
        case .object: chunk.bytes.jsonByteCount(from: Int(envelope[slots.payload].text.start))
        case .absent, .null: envelope.kind(of: slots.bare[.aps]) == .absent ? 0 : chunk.barePayloadSize(line)
        case .string, .bool, .number, .array: 0
        }
    }

    /// The original bytes of the last line, for a reject; nil if the chunk still has them.
    package var rejectedCopy: [UInt8]? { draft.originalLine }
}

// MARK: - Records of other shapes

extension RecordDecoder {
    /// The time of a wrapper, for entries that have none.
    var outerTimestamp: FieldScanner.Value {
        get { draft.outerTimestamp }
        set { draft.outerTimestamp = newValue }
    }

    /// Sets the app of records that have none: a range in the chunk whose lines are decoded next; empty for none.
    package mutating func setDefaultApp(_ app: TextRange) { draft.defaultApp = app }

    /// The app of records that have none; empty if such records are rejected.
    func defaultApp(in chunk: Chunk) -> String {
        draft.defaultApp.isEmpty ? "" : chunk.bytes(of: draft.defaultApp).string
    }

    /// Whether the last record has no app, so that it got the default one.
    package var usesDefaultApp: Bool { !draft.defaultApp.isEmpty && draft.record.app == draft.defaultApp }

    /// Begins an entry whose text a reject quotes.
    mutating func beginEntry(_ text: TextRange, of chunk: Chunk) { draft.keepOriginal(text, of: chunk) }

    /// Undoes what decoding the last line has changed in its text, if it is kept for mappings.
    package func restoreText(in chunk: Chunk) {
        if keepsTextForMappings, let original = draft.originalLine {
            _ = chunk.replace(draft.line, with: original.span)
        }
    }

    /// Decodes an entry that may be a native record, inside a line that `beginEntry` was called for.
    mutating func decode(entry text: TextRange, of chunk: Chunk, at position: RecordPosition) -> Outcome {
        draft.beginInner(text)
        draft.position = position
        return scan(text, of: chunk)
    }

    /// Returns whether an entry is a native record that is not a push. Its text is unchanged.
    ///
    /// - Parameter needsPayload: whether it must have a payload, too.
    mutating func namesEvent(_ text: TextRange, of chunk: Chunk, needsPayload: Bool = false) -> Bool {
        envelope.scan(text, of: chunk) == .object && envelope.kind(of: removalSlots.event) == .string
            && (!needsPayload || hasPayload) && event(of: text, in: chunk) != nil
    }

    /// Decodes a record whose fields were found elsewhere and set in `fields`.
    ///
    /// - Parameters:
    ///   - slots: the slots of `fields`; the payload's are those of a bare record.
    ///   - payloadBytes: the payload's size if it may be too large; else 0.
    ///   - isLocal: whether it is a local notification, not a push.
    ///   - hasOtherShape: whether the record is known to have another shape than a native one.
    ///   - annex: adds a text to the chunk; returns nil if it does not fit.
    mutating func decode(
        fields: borrowing FieldScanner, _ slots: (record: EnvelopeSlots, outcome: OutcomeSlots),
        payloadBytes: Int, of chunk: Chunk,
        at position: RecordPosition, isLocal: Bool, hasOtherShape: Bool, annex: (Span<UInt8>) -> TextRange?
    ) -> Outcome {
        draft.payloadBytes = payloadBytes
        draft.position = position
        let outcome = draft.readOutcome(
            of: draft.readMapped(fields, slots.record, chunk, hasOtherShape: hasOtherShape, annex),
            slots.outcome, of: fields, chunk)
        if isLocal { draft.findings.subtract(Finding.ofPush) }
        return outcome
    }

    /// Returns the outcome of the last record, an entry, with the answers that were found around it.
    mutating func answered(
        _ outcome: Outcome, by fields: borrowing FieldScanner, _ slots: OutcomeSlots, of chunk: Chunk
    ) -> Outcome {
        draft.readOutcome(of: outcome, slots, of: fields, chunk)
    }

    /// Returns whether an entry that was rejected as a native record may have another shape. Its text is unchanged
    /// then, unless it is kept for mappings.
    package func mayBeForeign(_ reason: RejectReason, _ text: TextRange, of chunk: Chunk) -> Bool {
        switch reason {
        case .jsonNotObject:
            let start = chunk.bytes.endOfJSONSpace(from: Int(text.start))
            return chunk.bytes[start] == UInt8(ascii: "[")
        case .payloadMissing: return true
        // A payload that is a text has been decoded.
        case .apsMissing, .payloadInvalid:
            return keepsTextForMappings || envelope.kind(of: slots.payload) != .string
        case .appMissing: return keepsTextForMappings || isWrapper
        case .lineTooLong, .jsonTooDeep, .jsonInvalid, .timestampInvalid, .fieldTooLong, .removalInvalid,
            .settingsInvalid, .responseInvalid, .resultInvalid, .outcomeInvalid, .inputUnmatched:
            return false
        }
    }
}
