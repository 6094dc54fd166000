import SheafBytes

/// The rules that checks apply to the fields that the scanners found in a record.
///
/// Separate from `PayloadChecks`, which owns the scanners, so that the rules can copy texts while they read from
/// them.
///
/// Rules read a record only through the values of its slots, which need not come from one scan of one text. The rules
/// about the members of an object search its text from where its value begins; an object whose value has no text has
/// no such problems.
struct PayloadRules {
    let known: KnownCategories
    let profile: Profile
    let topicSuffixes = TopicSuffixes()
    var keys = PayloadKeys()
    var copy = TextCopy()
    /// What is known of the texts of alerts, by app and key. Bounded by `maximumTexts`.
    var knownTexts: [AlertKey: KnownText] = [:]
    /// The first unknown key of each kind in the last record.
    var unknownKeys = UnknownKeys()
    /// The first key of the last record that languages lack; nil if they have them all.
    var missingKey: KnownCategories.MissingKey?
    /// Whether the values that findings are about are kept.
    let keepsValues: Bool
    var values = FoundValues()

    static let maximumTexts = 4_096

    struct AlertKey: Hashable {
        let app: UInt32
        let key: String
    }

    struct KnownText {
        /// The number of arguments that it takes; 0 if no table has a text for the key.
        var argumentCount = 0
        /// The languages without a text for the key.
        let lacking: [String]
    }

    init(_ known: KnownCategories, profile: Profile, keepsValues: Bool) {
        self.keepsValues = keepsValues
        self.known = known
        self.profile = profile
    }

    /// Returns the problems of a record.
    ///
    /// - Parameters:
    ///   - envelope: the scanner of `chunk`.
    ///   - payload: the scanner of `payloadChunk`, which may be the same one.
    mutating func problems(
        _ envelope: borrowing FieldScanner, _ slots: CheckedSlots, _ chunk: Chunk,
        payload: borrowing FieldScanner, _ payloadSlots: CheckedPayloadSlots, _ payloadChunk: Chunk
    ) -> ProblemSet {
        var problems = ProblemSet()
        unknownKeys.forget()
        missingKey = nil
        let record = Found(chunk: chunk, payloadChunk: payloadChunk, slots: slots, payloadSlots: payloadSlots)
        let push = Push(
            type: type(record, envelope),
            hasSuffix: checkTopic(record, envelope, payload, &problems),
            shown: shown(record, payload), isContentAvailable: isContentAvailable(record, payload))
        checkHeaders(record, push, envelope, payload, &problems)
        checkPresentation(record, push, payload, &problems)
        checkSound(record, payload, &problems)
        checkAlert(record, push, payload, &problems)
        checkThread(record, push, envelope, payload, &problems)
        checkKeys(record, push, payload, &problems)
        if !known.isEmpty { checkConfiguration(record, envelope, payload, &problems) }
        if keepsValues { noteValues(of: problems, record, envelope, payload) }
        return problems
    }

    /// The location of a record's fields.
    struct Found {
        let chunk: Chunk
        let payloadChunk: Chunk
        let slots: CheckedSlots
        let payloadSlots: CheckedPayloadSlots

        subscript(field: PayloadSlots.Field) -> FieldPlan.Slot { payloadSlots.fields[field] }
    }

    /// What several rules need to know about a record.
    struct Push {
        let type: PushKind
        /// Whether the topic has a suffix, which stands for a push type.
        let hasSuffix: Bool
        let shown: Shown
        let isContentAvailable: Bool

        /// Whether the push wakes an app and shows nothing.
        var isBackground: Bool {
            switch type {
            case .background: true
            case .absent: isContentAvailable && !hasSuffix && !shown.hasAny
            case .alert, .activity, .other, .unknown: false
            }
        }

        /// Whether the push is meant to be shown as an alert.
        var isAlert: Bool { type == .alert || type == .absent && !hasSuffix }
    }

    /// A push type, as far as rules distinguish them.
    enum PushKind {
        case absent, alert, background, activity
        case other
        /// Not a push type.
        case unknown
    }

    /// What a payload shows.
    struct Shown {
        /// Whether `alert` has a value.
        var hasAlert = false
        /// Whether the alert has a text, or one by key.
        var hasText = false
        /// Whether the alert or one of its texts has a value of the wrong type, which is a finding of its own.
        var isMistyped = false
        var hasBadge = false
        var hasSound = false

        /// Whether there is a value to show, of any type: an empty text counts, too.
        var hasAny: Bool { hasAlert || hasBadge || hasSound }
        /// Whether nothing is shown, and no finding of another kind is the reason.
        var isEmpty: Bool { !hasText && !isMistyped && !hasBadge && !hasSound }
    }
}

// MARK: - The kind of push

extension PayloadRules {
    private mutating func type(_ record: Found, _ envelope: borrowing FieldScanner) -> PushKind {
        let text = pushType(record, envelope)
        guard !text.isEmpty else { return .absent }
        let bytes = text.chunk.bytes(of: text.range)
        return switch PushType(bytes) {
        case .alert: .alert
        case .background: .background
        case .other: bytes.isEqualIgnoringCase(to: "liveactivity") ? .activity : .other
        case .voice: .other
        case .unknown: .unknown
        }
    }

    private func shown(_ record: Found, _ payload: borrowing FieldScanner) -> Shown {
        var shown = Shown()
        shown.hasBadge = Self.isPresent(record[.badge], payload)
        shown.hasSound = Self.isPresent(record[.sound], payload)
        let alert = payload[record[.alert]]
        shown.hasAlert = alert.kind != .absent && alert.kind != .null
        shown.isMistyped = payload.isMistyped(record[.alert])
        switch alert.kind {
        case .string: shown.hasText = !alert.text.isEmpty
        case .object:
            for field: PayloadSlots.Field in [.title, .subtitle, .body, .titleKey, .subtitleKey, .bodyKey] {
                if Self.hasText(record[field], payload) { shown.hasText = true }
                if payload.isMistyped(record[field]) { shown.isMistyped = true }
            }
        default: break
        }
        return shown
    }

    private func isContentAvailable(_ record: Found, _ payload: borrowing FieldScanner) -> Bool {
        isOne(payload[record[.contentAvailable]], record.payloadChunk)
    }
}

// MARK: - Fields

extension PayloadRules {
    /// Returns the push type; an empty text if absent, as for all fields here.
    mutating func pushType(_ record: Found, _ envelope: borrowing FieldScanner) -> ChunkText {
        copy.decoded(
            Self.firstText(
                record.slots.record.pushTypes, or: record.slots.record.headerPushType,
                or: record.slots.record.others.pushTypes, envelope),
            of: record.chunk)
    }

    /// Returns the first non-empty text among fields in order of precedence, with `others` after `last`.
    static func firstText(
        _ fields: FieldPlan.Slots, or last: FieldPlan.Slot, or others: FieldPlan.Slots? = nil,
        _ scanner: borrowing FieldScanner
    ) -> FieldScanner.Value {
        var value = scanner.firstText(fields)
        if value.kind == .absent { value = scanner[last] }
        if let others, value.kind != .string || value.text.isEmpty { value = scanner.firstText(others) }
        return value
    }

    /// Returns the first non-empty text among fields in order of precedence.
    func firstText(_ slots: [FieldPlan.Slot], _ scanner: borrowing FieldScanner) -> FieldScanner.Value? {
        for slot in slots where Self.hasText(slot, scanner) { return scanner[slot] }
        return nil
    }

    /// Returns whether a field has a value of any type except `null`.
    static func isPresent(_ slot: FieldPlan.Slot, _ scanner: borrowing FieldScanner) -> Bool {
        let kind = scanner.kind(of: slot)
        return kind != .absent && kind != .null
    }

    /// Returns whether a field has a non-empty text.
    static func hasText(_ slot: FieldPlan.Slot, _ scanner: borrowing FieldScanner) -> Bool {
        let value = scanner[slot]
        return value.kind == .string && !value.text.isEmpty
    }

    /// Returns whether a value is the number 1, however it is written.
    func isOne(_ value: FieldScanner.Value, _ chunk: Chunk) -> Bool {
        value.kind == .number && Self.isNumber(1, chunk.bytes(of: value.text))
    }

    /// Returns whether the JSON number `text` equals `number`, however it is written: `10`, `10.0`, `1e1`.
    static func isNumber(_ number: UInt64, _ text: Span<UInt8>) -> Bool {
        if let short = text.shortDecimal { return short == number }
        return Double(text.string) == Double(number)
    }

    /// Returns whether the JSON number `text` is in a range, which includes its bounds.
    static func isNumber(in range: ClosedRange<Double>, _ text: Span<UInt8>) -> Bool {
        Double(text.string).map(range.contains) ?? false
    }
}
