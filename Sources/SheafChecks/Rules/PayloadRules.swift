import SheafBytes
import SheafGroups
import SheafText

/// The rules that checks apply to the fields that were found in a record. A structure in the class `PayloadChecks`, so that
/// exclusive access is checked once per record.
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
    var knownTexts: [AlertKey: (argumentCount: Int, lacking: [String])] = [:]
    /// The problems of the last record.
    var problems = ProblemSet()
    /// The first unknown key of each kind in the last record, up to `quotedBytes`. Texts are copied, because decoding a
    /// record changes them.
    var unknownKeys: [CheckProblem: [UInt8]] = [:]
    /// The first key of the last record that languages lack; nil if they have them all.
    var untranslatedKey: UntranslatedKey?
    /// Whether the values that findings are about are kept.
    let keepsValues: Bool
    var values = FindingValues()

    static let maximumTexts = 4_096
    /// The longest key that is quoted completely, in bytes.
    static let quotedBytes = 64

    struct AlertKey: Hashable {
        let app: UInt32
        let key: String
    }

    init(_ known: KnownCategories, profile: Profile, keepsValues: Bool) {
        self.keepsValues = keepsValues
        self.known = known
        self.profile = profile
    }

    /// Forgets the last record.
    mutating func begin() {
        problems = ProblemSet()
        if !unknownKeys.isEmpty { unknownKeys.removeAll() }
        if untranslatedKey != nil { untranslatedKey = nil }
        if keepsValues { values.removeAll() }
    }

    /// Finds the problems of a record, which has begun.
    ///
    /// - Parameters:
    ///   - envelope: the scanner of the record's fields.
    ///   - payload: the scanner of the payload's fields, which may be the same one.
    mutating func check(
        _ envelope: borrowing FieldScanner, _ slots: CheckedSlots,
        payload: borrowing FieldScanner, _ payloadSlots: CheckedPayloadSlots, _ chunk: Chunk
    ) {
        let record = RecordFields(chunk: chunk, slots: slots, payloadSlots: payloadSlots)
        let push = push(record, envelope, payload)
        checkHeaders(record, push, envelope, payload)
        checkPresentation(record, push, payload)
        checkSound(record, payload)
        checkAlert(record, payload)
        checkThread(record, push, envelope, payload)
        checkKeys(record, push, payload)
        if !known.isEmpty { checkConfiguration(record, envelope, payload) }
        if keepsValues { keepValues(record, envelope, payload) }
    }

    /// The location of a record's fields.
    struct RecordFields {
        let chunk: Chunk
        let slots: CheckedSlots
        let payloadSlots: CheckedPayloadSlots

        subscript(field: PayloadSlots.Field) -> FieldPlan.Slot { payloadSlots.fields[field] }
    }

    /// What several rules need to know about a record.
    struct PushTraits {
        /// nil if the record has no push type.
        let type: PushType?
        /// Whether the topic has a suffix, which implies a push type.
        let hasSuffix: Bool
        let isContentAvailable: Bool
        /// Whether `alert` has a value.
        var hasAlert = false
        /// Whether the alert has a text, or one by key.
        var hasText = false
        /// Whether the alert or one of its texts has a value of the wrong type, which is a finding of its own.
        var isMistyped = false
        var hasBadge = false
        var hasSound = false

        /// Whether there is a value to show, of any type: an empty text counts, too.
        var showsAny: Bool { hasAlert || hasBadge || hasSound }
        /// Whether nothing is shown, and no finding of another kind is the reason.
        var showsNothing: Bool { !hasText && !isMistyped && !hasBadge && !hasSound }

        /// Whether the push wakes an app and shows nothing.
        var isBackground: Bool {
            type == .background || type == nil && isContentAvailable && !hasSuffix && !showsAny
        }

        /// Whether the push is meant to be shown as an alert.
        var isAlert: Bool { type == .alert || type == nil && !hasSuffix }
    }
}

// MARK: - The kind of push

extension PayloadRules {
    private mutating func push(
        _ record: RecordFields, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) -> PushTraits {
        let name = pushType(record, envelope)
        let type = name.isEmpty ? nil : PushType(copy.bytes(of: name, in: record.chunk))
        var push = PushTraits(
            type: type, hasSuffix: checkTopic(record, envelope, payload),
            isContentAvailable: isOne(payload[record[.contentAvailable]], record.chunk))
        push.hasBadge = Self.isPresent(record[.badge], payload)
        push.hasSound = Self.isPresent(record[.sound], payload)
        let alert = payload[record[.alert]]
        push.hasAlert = alert.kind != .absent && alert.kind != .null
        push.isMistyped = payload.isMistyped(record[.alert])
        switch alert.kind {
        case .string: push.hasText = !alert.text.isEmpty
        case .object:
            for field: PayloadSlots.Field in [.title, .subtitle, .body, .titleKey, .subtitleKey, .bodyKey] {
                if Self.hasText(record[field], payload) { push.hasText = true }
                if payload.isMistyped(record[field]) { push.isMistyped = true }
            }
        default: break
        }
        return push
    }
}

// MARK: - Fields

extension PayloadRules {
    /// Returns the push type; an empty text if absent, as for all fields here.
    mutating func pushType(_ record: RecordFields, _ envelope: borrowing FieldScanner) -> DecodedText {
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

    /// Returns whether the JSON number `text` is in a range between whole numbers, which includes its bounds.
    static func isNumber(in range: ClosedRange<Double>, _ text: Span<UInt8>) -> Bool {
        if let short = text.shortDecimal { return range.contains(Double(short)) }
        // As nearly all scores are written: zero and a fraction of a few digits.
        if text.count > 2, text[0] == UInt8(ascii: "0"), text[1] == UInt8(ascii: "."),
            let fraction = text.extracting(droppingFirst: 2).shortDecimal
        {
            // A fraction of at most 16 digits is zero, or at least 1e-16 and less than one.
            return range.contains(fraction == 0 ? 0 : 0.5)
        }
        return Double(text.string).map(range.contains) ?? false
    }
}

// MARK: - Texts

/// A text in the chunk of its record, or in a `TextCopy`. Has no reference to either, which each text would retain.
struct DecodedText {
    let range: TextRange
    let isCopied: Bool

    var isEmpty: Bool { range.isEmpty }
}

/// A buffer for one decoded text at a time, so that the line that it comes from is not changed.
///
/// Grows to at most twice the longest text, which is shorter than the longest line.
struct TextCopy {
    private var chunk = Chunk(capacity: 1 << 10)

    /// Returns the decoded text of a string value, valid until the next call; an empty one for any other kind.
    mutating func decoded(_ value: FieldScanner.Value, of other: Chunk) -> DecodedText {
        guard value.kind == .string else { return DecodedText(range: .none, isCopied: false) }
        return value.hasEscapes
            ? decodedEscapes(value.text, of: other) : DecodedText(range: value.text, isCopied: false)
    }

    /// Decodes the text between a string's quotes. The result is valid until the next call.
    mutating func decodedEscapes(_ text: TextRange, of other: Chunk) -> DecodedText {
        let count = Int(text.count)
        if count >= chunk.capacity { chunk = Chunk(capacity: max(count + 1, 2 * chunk.capacity)) }
        return DecodedText(range: chunk.copyDecoded(text, of: other), isCopied: true)
    }

    /// Returns the bytes of a decoded text of a record in `other`.
    @_lifetime(borrow self, borrow other)
    func bytes(of text: DecodedText, in other: Chunk) -> Span<UInt8> {
        if text.isCopied { return chunk.bytes(of: text.range) }
        return other.bytes(of: text.range)
    }
}
