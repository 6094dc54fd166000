import SheafBytes

/// What is wrong with a line's push that decoding it does not show.
///
///     line ──scan──▶ envelope ──┬─ payload: object ────────────────▶ the same scan's fields
///                               ├─ payload: string ─copy─▶ scan ────▶ the embedded scan's fields
///                               └─ no payload, aps ────────────────▶ the same scan's fields, bare
///
/// Apart from `RecordDecoder`, so that decoding pays nothing for it, and run before it on the same line: it changes no
/// byte, where decoding puts texts in the place of their escapes. Owns two scanners and two copies of texts; allocates
/// nothing per record, but for a priority that is written as a fraction or with an exponent.
public struct PayloadChecks: ~Copyable {
    private let slots: CheckedSlots
    private var envelope: FieldScanner
    private let embeddedSlots: PayloadSlots
    private var embedded: FieldScanner
    /// A payload that was logged as a string.
    private var payloadText = TextCopy()
    private var rules: PayloadRules

    /// - Parameter known: the categories that apps have; apps that it does not have are not looked at.
    public init(_ known: KnownCategories) {
        var plan = FieldPlan()
        slots = CheckedSlots(to: &plan)
        envelope = FieldScanner(plan)
        var embeddedPlan = FieldPlan()
        embeddedSlots = PayloadSlots(to: &embeddedPlan)
        embedded = FieldScanner(embeddedPlan)
        rules = PayloadRules(known)
    }

    /// Looks at one line. O(length).
    ///
    /// - Parameters:
    ///   - line: the line's content in `chunk`, as it was read.
    /// - Returns: what is wrong with the record; it means nothing where the line is rejected.
    public mutating func check(_ line: TextRange, of chunk: Chunk) -> ProblemSet {
        guard envelope.scan(line, of: chunk) == .object else { return ProblemSet() }
        switch envelope.kind(of: slots.record.payload) {
        case .object:
            return rules.problems(envelope, slots, chunk, payload: envelope, slots.record.inPayload, chunk)
        case .string:
            let text = payloadText.decoded(envelope[slots.record.payload], of: chunk)
            guard embedded.scan(text.range, of: text.chunk) == .object else { return ProblemSet() }
            return rules.problems(envelope, slots, chunk, payload: embedded, embeddedSlots, text.chunk)
        case .absent, .null:
            return rules.problems(envelope, slots, chunk, payload: envelope, slots.record.bare, chunk)
        case .bool, .number, .array:
            return ProblemSet()
        }
    }
}
