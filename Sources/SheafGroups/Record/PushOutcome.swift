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
    /// By index in `statuses`: whether an unknown word is a finding, because it can only be a status.
    fileprivate let areWords: [Bool]
    let flags: [FieldPlan.Slot]
    let reasons: [FieldPlan.Slot]

    init(to plan: inout FieldPlan) {
        var slots: [[String]: FieldPlan.Slot] = [:]
        let paths = PushOutcome.statuses + PushOutcome.flags + PushOutcome.reasons
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
        areWords = PushOutcome.statuses.map { $0.last == "status" }
        flags = found(PushOutcome.flags)
        reasons = found(PushOutcome.reasons)
    }
}

extension RecordDraft {
    /// Returns `refused` for a push that the push service refused, and sets `refusal` to its reason; otherwise the
    /// outcome of decoding.
    ///
    /// Not inlined: few logs have outcomes.
    @inline(never)
    mutating func readOutcome(
        of outcome: RecordDecoder.Outcome, _ slots: OutcomeSlots, of envelope: borrowing FieldScanner,
        _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        guard outcome == .notification || outcome == .silent else { return outcome }
        return isRefused(slots, of: envelope, chunk) ? .refused : outcome
    }

    private mutating func isRefused(
        _ slots: OutcomeSlots, of envelope: borrowing FieldScanner, _ chunk: Chunk
    ) -> Bool {
        refusal = .none
        var (isAnswered, isRefused) = (false, false)
        for (index, slot) in slots.statuses.enumerated() where envelope.kind(of: slot) != .absent {
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
        guard isRefused || !isAnswered else { return false }
        for slot in slots.reasons {
            let text = decoded(envelope[slot], of: chunk)
            guard !text.isEmpty else { continue }
            refusal = text
            return true
        }
        return isRefused
    }

    /// Returns a value with its text decoded.
    private mutating func plain(_ value: FieldScanner.Value, in chunk: Chunk) -> FieldScanner.Value {
        guard value.kind == .string, value.hasEscapes else { return value }
        return FieldScanner.Value(kind: .string, text: decoded(value, of: chunk), hasEscapes: false)
    }
}
