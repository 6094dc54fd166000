import SheafBytes

/// Finds the problems of a push that decoding does not report.
///
///     line ──scan──▶ envelope ──┬─ payload: object ────────────────▶ the same scan's fields
///                               ├─ payload: string ─copy─▶ scan ────▶ the embedded scan's fields
///                               └─ no payload, aps ────────────────▶ the same scan's fields, bare
///
/// Separate from `RecordDecoder`, so that checks don't slow down decoding, and run before it on the same line: checks
/// don't change any byte, whereas decoding replaces escapes in place. Owns two scanners and two copies of texts.
/// Allocates nothing per record, except for numbers with fractions or exponents, for keys that Apple does not define, and
/// for keys of string tables.
package struct PayloadChecks: ~Copyable {
    private let slots: CheckedSlots
    private var envelope: FieldScanner
    private let embeddedSlots: CheckedPayloadSlots
    private var embedded: FieldScanner
    /// A payload that was logged as a string.
    private var payloadText = TextCopy()
    private var rules: PayloadRules

    /// - Parameters:
    ///   - known: the apps of a configuration; the categories and keys of other apps are not checked.
    ///   - profile: the profile that decides which problems apply.
    ///   - keepsValues: whether the caller needs `value(of:)`.
    package init(_ known: KnownCategories, profile: Profile = .ios12, keepsValues: Bool = false) {
        var plan = FieldPlan()
        slots = CheckedSlots(to: &plan)
        envelope = FieldScanner(plan)
        var embeddedPlan = FieldPlan()
        embeddedSlots = CheckedPayloadSlots(to: &embeddedPlan)
        embedded = FieldScanner(embeddedPlan)
        rules = PayloadRules(known, profile: profile, keepsValues: keepsValues)
    }

    /// Checks one line. O(length).
    ///
    /// - Parameter line: the line's original content in `chunk`.
    /// - Returns: the record's problems; they have no meaning if the line is rejected.
    package mutating func check(_ line: TextRange, of chunk: Chunk) -> ProblemSet {
        if rules.keepsValues { rules.values.removeAll() }
        guard envelope.scan(line, of: chunk) == .object else { return ProblemSet() }
        switch envelope.kind(of: slots.record.payload) {
        case .object:
            rules.check(envelope, slots, chunk, payload: envelope, slots.inPayload, chunk)
        case .string:
            let text = payloadText.decoded(envelope[slots.record.payload], of: chunk)
            guard embedded.scan(text.range, of: text.chunk) == .object else { return ProblemSet() }
            rules.check(envelope, slots, chunk, payload: embedded, embeddedSlots, text.chunk)
        case .absent, .null:
            rules.check(envelope, slots, chunk, payload: envelope, slots.bare, chunk)
        case .bool, .number, .array: return ProblemSet()
        }
        return rules.problems
    }

    /// Checks a record whose fields were found elsewhere and set in `fields`, which has the slots of `CheckedSlots`. The
    /// payload's fields are those of a bare record.
    mutating func check(fields: borrowing FieldScanner, in chunk: Chunk) -> ProblemSet {
        rules.check(fields, slots, chunk, payload: fields, slots.bare, chunk)
        return rules.problems
    }

    /// Returns what a problem of the last record is about, if it is about one of many things: the key that is unknown.
    package func detail(of problem: CheckProblem) -> String? { rules.detail(of: problem) }

    /// Returns the value that a problem or another finding of the last record is about, as it was before decoding; nil
    /// unless values are kept.
    package func value(of finding: CheckFinding) -> [UInt8]? { rules.values[finding] }
}
