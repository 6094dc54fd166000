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

// MARK: - Slots

/// The scanner slots of the fields that checks read in a line: a record's fields, and those that only checks use. A class,
/// because rules pass them on for each record.
final class CheckedSlots {
    typealias Slot = FieldPlan.Slot

    let record: EnvelopeSlots
    let outcome: OutcomeSlots
    /// In order of precedence: the names of the line, that of `headers`, and those of other services. Those that are not
    /// names of the `apns-priority` header may have the words of other services.
    let priorities: [(slot: Slot, isHeader: Bool)]
    /// In order of precedence.
    let expirations: [Slot]
    /// The slots among `record.apps` and `record.others.apps` whose names are of a topic, which has a suffix for some
    /// push types; an app's identifier need not have one.
    private let topics: [Bool]
    private let otherTopics: [Bool]
    /// Names of the device that are of a token.
    let deviceTokens: [Slot]
    /// Names of the identifier that are of the `apns-id` header; `id` may be anything.
    let messageIdentifiers: [Slot]
    /// Names of a thread identifier among the headers.
    let headerThreads: [Slot]
    /// The payload's fields inside `payload`.
    let inPayload: CheckedPayloadSlots
    /// The payload's fields next to the envelope's. In a line with a `payload`, its thread identifiers are the
    /// envelope's.
    let bare: CheckedPayloadSlots

    init(to plan: inout FieldPlan) {
        record = EnvelopeSlots(to: &plan)
        let headers = record.headers
        let headerPriority = plan.field(EnvelopeNames.headerPriority, in: headers)
        let headerExpiration = plan.field(Self.expirationNames[0], in: headers)
        headerThreads = Self.headerThreadNames.map { plan.field($0, in: headers) }
        let priorities = EnvelopeNames.priorities.map {
            (slot: plan.field($0), isHeader: $0.hasPrefix("apns"))
        }
        let others = EnvelopeNames.Other.priorities.map {
            (slot: plan.field($0), isHeader: $0.hasPrefix("apns"))
        }
        self.priorities = priorities + [(slot: headerPriority, isHeader: true)] + others
        expirations = Self.expirationNames.map { plan.field($0) } + [headerExpiration]
        let threads = CheckedPayloadSlots.threadNames.map { plan.field($0) }
        outcome = OutcomeSlots(to: &plan)

        func isTopic(_ name: String) -> Bool { name.lowercased().hasSuffix("topic") }
        topics = EnvelopeNames.apps.map(isTopic)
        otherTopics = EnvelopeNames.Other.apps.map(isTopic)
        deviceTokens = Self.slots(
            record.devices, EnvelopeNames.devices, record.others.devices, EnvelopeNames.Other.devices
        ) { $0.lowercased().hasSuffix("token") }
        messageIdentifiers =
            Self.slots(
                record.identifiers, EnvelopeNames.identifiers, record.others.identifiers,
                EnvelopeNames.Other.identifiers
            ) { $0.hasPrefix("apns") } + [record.headerIdentifier]
        inPayload = CheckedPayloadSlots(fields: record.inPayload, threads: nil)
        bare = CheckedPayloadSlots(fields: record.bare, threads: threads)
    }

    /// Whether the app at an index of `record.apps` is a topic.
    func isTopic(_ index: Int) -> Bool { topics[index] }

    /// Whether the app at an index of `record.others.apps` is a topic.
    func isOtherTopic(_ index: Int) -> Bool { otherTopics[index] }

    private static let expirationNames = ["apns-expiration", "apns_expiration", "apnsExpiration"]
    private static let headerThreadNames = ["thread-id", "apns-thread-id"]

    private static func slots(
        _ fields: FieldPlan.Slots, _ names: [String], _ others: FieldPlan.Slots, _ otherNames: [String],
        where isWanted: (String) -> Bool
    ) -> [Slot] {
        names.indices.filter { isWanted(names[$0]) }.map { fields[$0] }
            + otherNames.indices.filter { isWanted(otherNames[$0]) }.map { others[$0] }
    }
}

/// The scanner slots of a payload's fields that checks read. A class, like `CheckedSlots`.
final class CheckedPayloadSlots {
    let fields: PayloadSlots
    /// Names of a thread identifier next to `aps`; nil for a payload inside a line, whose own text is searched.
    let threads: [FieldPlan.Slot]?

    static let threadNames = ["thread-id", "threadId", "thread_id"]

    init(fields: PayloadSlots, threads: [FieldPlan.Slot]?) {
        self.fields = fields
        self.threads = threads
    }

    /// Adds the fields of a payload that is scanned by itself.
    init(to plan: inout FieldPlan) {
        fields = PayloadSlots(to: &plan)
        threads = Self.threadNames.map { plan.field($0) }
    }
}
