import SheafBytes

/// The push service's answer to a push, as the sender logged it in the envelope (specification §18).
///
///     codes and words ─┐
///     flags ───────────┼─▶ any of them tells a refusal ─▶ refused
///     reasons ─────────┘   none of them is there, but a reason ─▶ refused
///
/// This is the only place that decides it: native records and those of other shapes have their values in the same slots.
enum PushOutcome {
    /// The members with a code such as 410, as a number or as its digits, or with a word, in order of precedence.
    static let statuses: [[String]] = [[], ["response"], ["result"]].flatMap { path in
        ["status", "statusCode", "status_code", "code"].map { path + [$0] }
    }

    /// The members with `true` or `false`.
    static let flags: [[String]] = [["success"], ["ok"], ["delivered"]]

    /// The members with the text of a reason.
    static let reasons: [[String]] = [
        ["reason"], ["response", "reason"], ["error", "reason"], ["error", "code"], ["error", "status"],
        ["error"], ["error", "message"],
    ]

    /// The arrays with a result for each device, which only entries of another shape have.
    static let results: [[String]] = [["sent"], ["failed"], ["result", "sent"], ["result", "failed"]]

    /// The member of a result that has its device.
    fileprivate static let deviceOfResult: StaticString = "device"

    /// The words of refusals, in any case.
    private static let refusals: [StaticString] = [
        "failed", "failure", "error", "rejected", "refused", "dropped", "bounced", "undelivered", "expired",
        "invalid",
    ]

    /// The words of pushes that the service accepted, or has yet to answer, in any case.
    private static let acceptances: [StaticString] = [
        "accepted", "complete", "completed", "created", "delivered", "done", "enqueued", "ok", "opened",
        "pending", "processed", "published", "queued", "received", "scheduled", "sending", "sent",
        "submitted", "succeeded", "success", "successful",
    ]

    /// What one value tells.
    enum Answer { case accepted, refused, unknown }

    /// The most pushes that one outcome may name.
    static let maximumNamed = 4096

    private static func answer(ofCode code: Double) -> Answer {
        (200.0..<300.0).contains(code) ? .accepted : .refused
    }

    /// Returns what a code or a word tells; nil for a value that is neither.
    static func answer(ofStatus value: FieldScanner.Value, in bytes: Span<UInt8>) -> Answer? {
        let text = bytes[value.text]
        switch value.kind {
        case .number:
            if let code = text.shortDecimal { return answer(ofCode: Double(code)) }
            return Double(text.string).map(answer(ofCode:))
        case .string where text.isEmpty: return nil
        case .string:
            if let code = text.shortDecimal { return answer(ofCode: Double(code)) }
            if refusals.contains(where: { text.isEqualIgnoringCase(to: $0) }) { return .refused }
            return acceptances.contains { text.isEqualIgnoringCase(to: $0) } ? .accepted : .unknown
        case .absent, .null, .bool, .object, .array: return nil
        }
    }

    /// Returns what a flag tells: a boolean, its text, or 0 or 1; nil for any other value.
    static func answer(ofFlag value: FieldScanner.Value, in bytes: Span<UInt8>) -> Answer? {
        let text = bytes[value.text]
        switch value.kind {
        case .bool: return bytes[Int(value.text.start)] == UInt8(ascii: "t") ? .accepted : .refused
        case .number: return text.isEqual(to: "0") ? .refused : text.isEqual(to: "1") ? .accepted : nil
        case .string:
            if text.isEqualIgnoringCase(to: "true") { return .accepted }
            return text.isEqualIgnoringCase(to: "false") ? .refused : nil
        case .absent, .null, .object, .array: return nil
        }
    }
}

/// The scanner slots of the members that tell a push's outcome, in the orders of `PushOutcome`.
///
/// No kind of value is expected for them, so that `FieldScanner.hasMistypedValue` reports whether any of them occurs:
/// records without them do not look for them.
struct OutcomeSlots {
    let statuses: [FieldPlan.Slot]
    /// The number of those that are not inside an object, which come first.
    fileprivate let outerStatuses: Int
    /// By index in `statuses`: whether an unknown word is a finding, because it can only be a status.
    fileprivate let areWords: [Bool]
    let flags: [FieldPlan.Slot]
    let reasons: [FieldPlan.Slot]
    private let results: [FieldPlan.Slot]

    init(to plan: inout FieldPlan) {
        var slots: [[String]: FieldPlan.Slot] = [:]
        let paths =
            PushOutcome.statuses + PushOutcome.flags + PushOutcome.reasons + PushOutcome.results
        // The members of an object follow it.
        for path in paths where slots[[path[0]]] == nil {
            let slot = plan.field(path[0], expecting: [])
            slots[[path[0]]] = slot
            for member in paths where member.count > 1 && member[0] == path[0] && slots[member] == nil {
                slots[member] = plan.field(member[1], in: slot, expecting: [])
            }
        }
        func found(_ paths: [[String]]) -> [FieldPlan.Slot] { paths.compactMap { slots[$0] } }
        statuses = found(PushOutcome.statuses)
        outerStatuses = PushOutcome.statuses.count { $0.count == 1 }
        areWords = PushOutcome.statuses.map { $0.last == "status" }
        flags = found(PushOutcome.flags)
        reasons = found(PushOutcome.reasons)
        results = found(PushOutcome.results)
    }

    /// The slots for a status whose unknown words are, or are not, a finding.
    func statuses(areWords isWord: Bool) -> [FieldPlan.Slot] {
        zip(statuses, areWords).filter { $0.1 == isWord }.map(\.0)
    }

    /// Whether a record has an array of results whose first one has a device.
    func hasResults(_ envelope: borrowing FieldScanner, in chunk: Chunk) -> Bool {
        for slot in results where envelope.kind(of: slot) == .array {
            var elements = JSONMembers(at: Int(envelope[slot].text.start))
            guard let element = elements.nextElement(in: chunk.bytes),
                chunk.bytes[element.lowerBound] == UInt8(ascii: "{")
            else { continue }
            var members = JSONMembers(at: element.lowerBound)
            while let member = members.next(in: chunk.bytes) {
                if chunk.bytes.extracting(member.key).isEqual(to: PushOutcome.deviceOfResult) { return true }
            }
        }
        return false
    }
}

extension RecordDraft {
    /// Returns `refused` for a push that the push service refused; otherwise the outcome of decoding. Sets `answer`, and
    /// `refusal` to the reason.
    ///
    /// Not inlined: few logs have outcomes.
    ///
    /// - Parameter isFlat: whether no status is inside an object.
    @inline(never)
    mutating func readOutcome(
        of outcome: RecordDecoder.Outcome, _ slots: OutcomeSlots, of envelope: borrowing FieldScanner,
        isFlat: Bool = false, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        guard outcome == .notification || outcome == .silent else { return outcome }
        answer = readAnswer(slots, of: envelope, isFlat: isFlat, chunk)
        isRefusedSilent = outcome == .silent
        return answer == .refused ? .refused : outcome
    }

    private mutating func readAnswer(
        _ slots: OutcomeSlots, of envelope: borrowing FieldScanner, isFlat: Bool, _ chunk: Chunk
    ) -> PushAnswer {
        refusal = .none
        var (isAnswered, isRefused) = (false, false)
        for index in 0..<(isFlat ? slots.outerStatuses : slots.statuses.count) {
            let slot = slots.statuses[index]
            guard envelope.kind(of: slot) != .absent else { continue }
            let value = plain(envelope[slot], in: chunk)
            switch PushOutcome.answer(ofStatus: value, in: chunk.bytes) {
            case nil: break
            case .unknown: if slots.areWords[index] { findings.insert(.outcomeUnknown) }
            case .accepted: isAnswered = true
            case .refused:
                (isAnswered, isRefused) = (true, true)
                if refusal.isEmpty { refusal = value.text }
            }
        }
        for slot in slots.flags where envelope.kind(of: slot) != .absent {
            guard let answer = PushOutcome.answer(ofFlag: plain(envelope[slot], in: chunk), in: chunk.bytes)
            else { continue }
            isAnswered = true
            if answer == .refused { isRefused = true }
        }
        guard isRefused || !isAnswered else { return .accepted }
        for slot in slots.reasons {
            let text = decoded(envelope[slot], of: chunk)
            guard !text.isEmpty else { continue }
            refusal = text
            return .refused
        }
        return isRefused ? .refused : .none
    }

    /// Returns a value with its text decoded.
    private mutating func plain(_ value: FieldScanner.Value, in chunk: Chunk) -> FieldScanner.Value {
        guard value.kind == .string, value.hasEscapes else { return value }
        return FieldScanner.Value(kind: .string, text: decoded(value, of: chunk), hasEscapes: false)
    }
}

// MARK: - Outcomes that come later

/// What the push service answered to a push.
package enum PushAnswer: UInt8, Sendable {
    /// It is not logged, or its word is unknown.
    case none
    case accepted
    case refused
}

/// An outcome of a push that was logged apart from it (specification §18).
///
/// Plain memory without references, like `NotificationRecord`.
package struct OutcomeRecord: Sendable {
    /// The app; none for any app.
    package var app = TextRange.none
    /// The device; none for any device.
    package var device = TextRange.none
    /// The id of the push, or the collapse identifier that it shares with others; none for the push without an id that has
    /// the same order key.
    package var text = TextRange.none
    package var scope = Scope.identifier
    package var answer = PushAnswer.none
    /// Why the push was refused; none if that is not logged.
    package var reason = TextRange.none
    package var order = OrderKey(timestamp: 0, source: 0, line: 0)

    /// The pushes that an outcome is of. The raw values are the order in state files, and the numbers in encodings.
    package enum Scope: UInt8, Sendable {
        /// Those with a collapse identifier that are older than the outcome.
        case collapse
        /// Those with an id.
        case identifier
        /// Those with an id and without a device: what a record of such a push tells itself.
        case withoutDevice
    }

    package init() {}

    /// Replaces the range of each text by the one that `move` returns.
    package mutating func moveTexts(_ move: (TextRange) -> TextRange) {
        app = move(app)
        device = move(device)
        text = move(text)
        reason = move(reason)
    }
}

extension RecordDraft {
    /// Reads an outcome into `outcomes`, with one element for each push that it names.
    @inline(never)
    mutating func readOutcomes(
        _ slots: (record: EnvelopeSlots, removal: RemovalSlots, outcome: OutcomeSlots),
        of envelope: borrowing FieldScanner, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        outcomes.removeAll(keepingCapacity: true)
        if let reason = readEnvelope(slots.record, of: envelope, chunk, needsApp: false) {
            return .rejected(reason)
        }
        // Without its app or its device, an outcome would be that of a push to any of them.
        guard Self.hasValidDevices(slots.record, of: envelope),
            !record.app.isEmpty || Self.hasValidApps(slots.record, of: envelope)
        else { return .rejected(.outcomeInvalid) }
        var outcome = OutcomeRecord()
        (outcome.app, outcome.device, outcome.order) = (record.app, record.device, record.order)
        outcome.answer = readAnswer(slots.outcome, of: envelope, isFlat: false, chunk)
        outcome.reason = outcome.answer == .refused ? refusal : .none
        // A word that is unknown is a finding.
        guard outcome.answer != .none || !findings.isEmpty else { return .rejected(.outcomeInvalid) }
        switch envelope.kind(of: slots.removal.identifiers) {
        case .array:
            let start = Int(envelope[slots.removal.identifiers].text.start)
            let isValid = forEachIdentifier(from: start, of: chunk, upTo: PushOutcome.maximumNamed) {
                outcome.text = $1
                $0.outcomes.append(outcome)
            }
            guard isValid else { return .rejected(.outcomeInvalid) }
        case .absent, .null:
            outcome.text = firstText(
                slots.record.identifiers, or: slots.record.headerIdentifier,
                or: slots.record.others.identifiers, of: envelope, chunk)
            if outcome.text.isEmpty {
                outcome.text = collapseIdentifier(slots.record, of: envelope, chunk)
                outcome.scope = .collapse
            }
            guard !outcome.text.isEmpty else { return .rejected(.outcomeInvalid) }
            outcomes.append(outcome)
        case .bool, .number, .string, .object: return .rejected(.outcomeInvalid)
        }
        let isShort =
            outcome.app.count <= PushLimits.fieldBytes && outcome.device.count <= PushLimits.fieldBytes
            && outcomes.allSatisfy { $0.text.count <= PushLimits.fieldBytes }
        return isShort ? .outcome : .rejected(.fieldTooLong)
    }
}
