import SheafBytes

/// A record under construction from the fields that the scanners found.
///
/// Separate from the decoder, which owns the scanners, so that a draft can change while it reads from them.
@usableFromInline struct RecordDraft {
    @usableFromInline var record = NotificationRecord()
    @usableFromInline var findings = FindingSet()
    /// What the last record removes, if it was a removal.
    var removals: [RemovalRecord] = []
    /// Why the last record would remove more than is probably meant, if it was a removal; nil if it would not.
    var removalMistake: String?
    /// The change that the last record reports, if it was one of settings.
    var settings = SettingsRecord()
    /// Whether the last removal reports that an app was opened.
    var opensApp = false
    /// What was chosen, if the last record was a response.
    var response = ResponseRecord()
    /// The result of a service extension, if the last record was one, except for the new content.
    var result = ExtensionResult()
    /// Why the push service refused the push, if it did: a reason, a status word or a code; empty if the log has none.
    var refusal = TextRange.none
    /// What the push service answered, as far as the record has it.
    var answer = PushAnswer.none
    /// Whether the push that was refused would have been silent.
    var isRefusedSilent = false
    /// The pushes that the last record is the outcome of, if it was one.
    var outcomes: [OutcomeRecord] = []
    /// Whether the record being read is a service extension's result.
    var isResult = false
    @usableFromInline private(set) var isUntimed = false

    private let topicSuffixes = TopicSuffixes()
    private let keepsOriginal: Bool
    /// Whether summary arguments and their counts are reported as ignored.
    private let ignoresSummaries: Bool
    /// Whether the traits of notifications are read.
    private let readsTraits: Bool
    /// Whether badges are read, and the devices of silent records.
    private let readsBadges: Bool
    /// The record's badge, if badges are read; nil if it has none.
    var badge: UInt64?
    /// The payload's size in bytes as it is sent; 0 if it can't be too large.
    var payloadBytes = 0
    private(set) var line = TextRange.none
    /// The position of the record that is read.
    var position = RecordPosition(source: 0, line: 0)
    private var original: [UInt8] = []
    private var keptOriginal = false
    /// The alert's texts that are given by key.
    private var localized = LocalizedFields()
    private var packer = AlertPacker()
    /// The time of a wrapper, for entries that have none.
    var outerTimestamp = FieldScanner.Value.absent
    /// The app of records that have none.
    var defaultApp = TextRange.none
    /// Whether the fields were found by a mapping, anywhere in the line.
    private(set) var isMapped = false
    /// Whether the mapping is that of another shape, with conditions for it.
    private(set) var hasOtherShape = false

    init(keepsOriginal: Bool, ignoresSummaries: Bool, readsTraits: Bool, readsBadges: Bool) {
        self.keepsOriginal = keepsOriginal
        self.ignoresSummaries = ignoresSummaries
        self.readsTraits = readsTraits
        self.readsBadges = readsBadges
    }

    /// Takes over the record of another draft.
    mutating func take(_ other: borrowing RecordDraft) {
        takeNotification(other)
        (refusal, isRefusedSilent) = (other.refusal, other.isRefusedSilent)
        (removals, removalMistake, opensApp) = (other.removals, other.removalMistake, other.opensApp)
        (settings, response, result) = (other.settings, other.response, other.result)
        outcomes = other.outcomes
    }

    /// Takes over the record of another draft, which is a notification or silent.
    mutating func takeNotification(_ other: borrowing RecordDraft) {
        (record, findings, isUntimed) = (other.record, other.findings, other.isUntimed)
        (badge, payloadBytes, defaultApp) = (other.badge, other.payloadBytes, other.defaultApp)
        answer = other.answer
    }

    /// Whether the record has no findings, and a line that is no longer than any field may be.
    var isOrdinary: Bool { findings.isEmpty && line.count <= UInt32(PushLimits.fieldBytes) }

    /// Begins the record at `text`.
    @inline(__always)
    mutating func begin(_ text: TextRange) {
        line = text
        keptOriginal = false
        payloadBytes = 0
    }

    /// Begins an entry inside a line, whose original text stays the one that was kept.
    mutating func beginInner(_ text: TextRange) {
        line = text
        payloadBytes = 0
    }

    /// Keeps a text for a reject.
    mutating func keepOriginal(_ text: TextRange, of chunk: Chunk) {
        begin(text)
        keepOriginal(of: chunk)
    }

    /// The original line, once decoding has changed it.
    var originalLine: [UInt8]? { keptOriginal ? original : nil }

    /// Reads the envelope's fields and the payload's, which another scanner may have found.
    mutating func read(
        _ envelope: borrowing FieldScanner, _ slots: EnvelopeSlots, payload: borrowing FieldScanner,
        _ payloadSlots: PayloadSlots, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        guard payload.kind(of: payloadSlots[.aps]) == .object else { return .rejected(.apsMissing) }

        // The record may still be rejected, so decoding in place keeps a copy of the original line.
        record = NotificationRecord()
        localized = []
        answer = .none
        record.app = firstText(slots.apps, or: slots.headerApp, of: envelope, chunk)
        if record.app.isEmpty { record.app = text(payloadSlots[.simulatorTarget], of: payload, chunk) }
        if record.app.isEmpty { record.app = otherText(slots.others.apps, of: envelope, chunk) }
        if record.app.isEmpty { record.app = defaultApp }
        let suffix = removeTopicSuffix(chunk)
        guard !record.app.isEmpty else { return .rejected(.appMissing) }
        guard
            let timestamp = timestamp(
                slots.timestamps, or: slots.others.timestamps, of: envelope, chunk)
        else {
            return .rejected(.timestampInvalid)
        }
        record.order = OrderKey(timestamp: timestamp, position)

        findings = payloadSlots.findings(of: payload)
        let showsSomething = readAlert(payloadSlots, of: payload, chunk)
        readThread(payloadSlots, of: payload, chunk)
        readSummaryCount(payloadSlots, of: payload, chunk)
        if ignoresSummaries, usesSummaryArguments(payloadSlots, of: payload) {
            findings.insert(.summaryDeprecated)
        }
        let pushType = firstText(
            slots.pushTypes, or: slots.headerPushType, or: slots.others.pushTypes, of: envelope, chunk)
        let isAlert =
            pushType.isEmpty || PushType.isLowercaseAlert(chunk.bytes(of: pushType))
            || isUnusualAlert(pushType, chunk)
        if payloadBytes > PushLimits.payloadBytes { checkPayloadSize(suffix, pushType, chunk) }
        if readsBadges { readBadge(payload[payloadSlots[.badge]], chunk) }
        guard isAlert, suffix.isEmpty, showsSomething else {
            return readSilent(slots, of: envelope, payloadSlots, of: payload, chunk)
        }
        record.category = text(payloadSlots[.category], of: payload, chunk)
        record.device = device(slots, of: envelope, chunk)
        record.identifier = firstText(
            slots.identifiers, or: slots.headerIdentifier, or: slots.others.identifiers, of: envelope, chunk)
        record.collapseIdentifier = collapseIdentifier(slots, of: envelope, chunk)
        guard Self.keyFieldsFit(of: record, line: self.line) else { return .rejected(.fieldTooLong) }
        if record.collapseIdentifier.count > PushLimits.collapseIdentifierBytes {
            findings.insert(.collapseIdentifierTooLong)
        }
        if readsTraits { readTraits(payloadSlots, of: payload, chunk) }
        if !localized.isEmpty { packAlert(payloadSlots, of: payload, chunk) }
        return .notification
    }

    /// Reads the app, the device and the order of a record that has no payload.
    ///
    /// - Parameter needsApp: whether a record without an app has the default app or is rejected.
    /// - Returns: the reason for rejecting it; nil if it is accepted.
    mutating func readEnvelope(
        _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner, _ chunk: Chunk, needsApp: Bool = true
    ) -> RejectReason? {
        record = NotificationRecord()
        findings = FindingSet()
        record.app = firstText(slots.apps, or: slots.headerApp, or: slots.others.apps, of: envelope, chunk)
        if needsApp, record.app.isEmpty { record.app = defaultApp }
        let hasApp = !record.app.isEmpty
        _ = removeTopicSuffix(chunk)
        if needsApp || hasApp, record.app.isEmpty { return .appMissing }
        guard
            let timestamp = timestamp(slots.timestamps, or: slots.others.timestamps, of: envelope, chunk)
        else { return .timestampInvalid }
        record.order = OrderKey(timestamp: timestamp, position)
        record.device = device(slots, of: envelope, chunk)
        return nil
    }

    /// Reads fields that a mapping found anywhere in the line. Localized texts are packed in the annex: in place they
    /// could overwrite texts between them that other records of the line need.
    mutating func readMapped(
        _ fields: borrowing FieldScanner, _ slots: EnvelopeSlots, _ chunk: Chunk, hasOtherShape: Bool,
        _ annex: (Span<UInt8>) -> TextRange?
    ) -> RecordDecoder.Outcome {
        // The texts may be longer than the part of the line that a reject quotes.
        self.line.count = .max
        isMapped = true
        self.hasOtherShape = hasOtherShape
        defer { (isMapped, self.hasOtherShape) = (false, false) }
        let outcome = read(fields, slots, payload: fields, slots.bare, chunk)
        guard outcome == .notification, !localized.isEmpty else { return outcome }
        let payload = slots.bare
        guard let title = localizedText(record.title, .title, fields[payload[.titleArguments]], chunk, annex),
            let subtitle = localizedText(
                record.subtitle, .subtitle, fields[payload[.subtitleArguments]], chunk, annex),
            let body = localizedText(record.body, .body, fields[payload[.bodyArguments]], chunk, annex)
        else { return .rejected(.fieldTooLong) }
        (record.title, record.subtitle, record.body) = (title, subtitle, body)
        return outcome
    }
}

// MARK: - Texts

extension RecordDraft {
    /// Returns the decoded text of a string value; an empty one for any other kind.
    @inline(__always)
    mutating func decoded(_ value: FieldScanner.Value, of chunk: Chunk) -> TextRange {
        guard value.kind == .string else { return .none }
        return value.hasEscapes ? decodedEscapes(value.text, of: chunk) : value.text
    }

    /// Returns a decoded text that was found without the scanner.
    ///
    /// - Parameter text: the bytes between a string's quotes.
    mutating func decodedText(_ text: TextRange, of chunk: Chunk) -> TextRange {
        chunk.bytes(of: text).contains(UInt8(ascii: "\\")) ? decodedEscapes(text, of: chunk) : text
    }

    @inline(never)
    mutating func decodedEscapes(_ text: TextRange, of chunk: Chunk) -> TextRange {
        keepOriginal(of: chunk)
        return chunk.decodeEscapes(text)
    }

    /// Keeps the text of the line, before decoding changes it, if a reject may quote it.
    mutating func keepOriginal(of chunk: Chunk) {
        guard keepsOriginal, !keptOriginal else { return }
        original.removeAll(keepingCapacity: true)
        original.append(chunk.bytes(of: line))
        keptOriginal = true
    }

    /// Returns the text of a field; an empty one if the value is not a string.
    @inline(__always)
    private mutating func text(
        _ slot: FieldPlan.Slot, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        decoded(scanner[slot], of: chunk)
    }

    /// Returns the first non-empty text among fields in order of precedence, or else the text of `last`. Decoding
    /// never makes a text empty.
    @inline(__always)
    private mutating func firstText(
        _ fields: FieldPlan.Slots, or last: FieldPlan.Slot, of scanner: borrowing FieldScanner,
        _ chunk: Chunk
    ) -> TextRange {
        let value = scanner.firstText(fields)
        return decoded(value.kind == .absent ? scanner[last] : value, of: chunk)
    }

    /// Returns the first non-empty text among fields in order of precedence, with `others` after `last`.
    @inline(__always)
    mutating func firstText(
        _ fields: FieldPlan.Slots, or last: FieldPlan.Slot, or others: FieldPlan.Slots,
        of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        let text = firstText(fields, or: last, of: scanner, chunk)
        return text.isEmpty ? otherText(others, of: scanner, chunk) : text
    }

    /// Returns the first non-empty text among names that few logs use.
    @inline(__always)
    mutating func otherText(
        _ fields: FieldPlan.Slots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        scanner.hasMistypedValue ? decoded(scanner.firstText(fields), of: chunk) : .none
    }

    @inline(__always)
    mutating func device(
        _ slots: EnvelopeSlots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        let device = decoded(scanner.firstText(slots.devices), of: chunk)
        return device.isEmpty ? otherText(slots.others.devices, of: scanner, chunk) : device
    }

    @inline(__always)
    mutating func collapseIdentifier(
        _ slots: EnvelopeSlots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        firstText(
            slots.collapseIdentifiers, or: slots.headerCollapseIdentifier,
            or: slots.others.collapseIdentifiers,
            of: scanner, chunk)
    }

    /// Returns the text of a field or, if it is empty, the key of a localized text, which is recorded in `localized`.
    @inline(__always)
    private mutating func text(
        _ field: FieldPlan.Slot, orKey key: FieldPlan.Slot, _ localizedField: LocalizedFields,
        of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        let first = text(field, of: scanner, chunk)
        guard first.isEmpty else { return first }
        let key = text(key, of: scanner, chunk)
        if !key.isEmpty { localized.insert(localizedField) }
        return key
    }

    /// Removes the suffix of a topic that is not for alerts.
    ///
    /// - Returns: the suffix; empty if there was none.
    mutating func removeTopicSuffix(_ chunk: Chunk) -> TextRange {
        guard let count = topicSuffixes.count(atEndOf: chunk.bytes(of: record.app)) else { return .none }
        record.app.count -= UInt32(count)
        return TextRange(start: record.app.start + record.app.count, count: UInt32(count))
    }

    /// Returns the timestamp in milliseconds since 1970; nil if it is invalid. Sets `isUntimed`.
    private mutating func timestamp(
        _ fields: FieldPlan.Slots, or others: FieldPlan.Slots, of scanner: borrowing FieldScanner,
        _ chunk: Chunk
    ) -> Int64? {
        let value = scanner.firstValue(fields)
        guard value.kind != .absent else { return otherTimestamp(others, of: scanner, chunk) }
        isUntimed = false
        return milliseconds(value, chunk)
    }

    /// Returns the timestamp under a name that few logs use, or that of a wrapper; otherwise 0.
    @inline(never)
    private mutating func otherTimestamp(
        _ fields: FieldPlan.Slots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> Int64? {
        var value = scanner.hasMistypedValue ? scanner.firstValue(fields) : .absent
        if value.kind == .absent { value = outerTimestamp }
        isUntimed = value.kind == .absent
        return milliseconds(value, chunk)
    }

    @inline(__always)
    private mutating func milliseconds(_ value: FieldScanner.Value, _ chunk: Chunk) -> Int64? {
        switch value.kind {
        case .absent, .null: 0
        case .number: Timestamp.milliseconds(number: chunk.bytes(of: value.text))
        case .string: Timestamp.milliseconds(text: chunk.bytes(of: decoded(value, of: chunk)))
        case .bool, .object, .array: nil
        }
    }
}

// MARK: - The payload's fields

extension RecordDraft {
    /// Reads the alert's texts. Returns false if the alert shows nothing.
    private mutating func readAlert(
        _ slots: PayloadSlots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> Bool {
        switch scanner.kind(of: slots[.alert]) {
        case .object: break
        case .string:
            record.body = text(slots[.alert], of: scanner, chunk)
            return !record.body.isEmpty
        default: return false
        }
        record.title = text(slots[.title], orKey: slots[.titleKey], .title, of: scanner, chunk)
        record.subtitle = text(slots[.subtitle], orKey: slots[.subtitleKey], .subtitle, of: scanner, chunk)
        record.body = text(slots[.body], orKey: slots[.bodyKey], .body, of: scanner, chunk)
        record.argument = text(slots[.summaryArgument], of: scanner, chunk)
        return !record.title.isEmpty || !record.subtitle.isEmpty || !record.body.isEmpty
    }

    /// Reads the thread identifier from `aps` or, if it is absent there, from the alert.
    private mutating func readThread(
        _ slots: PayloadSlots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) {
        record.thread = text(slots[.thread], of: scanner, chunk)
        guard record.thread.isEmpty else { return }
        if scanner.isMistyped(slots[.alertThread]) { findings.insert(.threadType) }
        record.thread = text(slots[.alertThread], of: scanner, chunk)
        if !record.thread.isEmpty { findings.insert(.threadMisplaced) }
    }

    private mutating func readSummaryCount(
        _ slots: PayloadSlots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) {
        let count = scanner[slots[.summaryCount]]
        guard count.kind != .absent, count.kind != .null else { return }
        if count.kind == .number, let weight = Self.summaryCount(chunk.bytes(of: count.text)) {
            record.weight = weight
        } else {
            findings.insert(.summaryCountInvalid)
        }
    }

    /// Returns whether the alert uses the summary fields that iOS 15 and later ignore; `null` and empty strings don't
    /// count.
    private func usesSummaryArguments(_ slots: PayloadSlots, of scanner: borrowing FieldScanner) -> Bool {
        let count = scanner.kind(of: slots[.summaryCount])
        if count != .absent, count != .null { return true }
        let argument = scanner[slots[.summaryArgument]]
        switch argument.kind {
        case .absent, .null: return false
        case .string: return !argument.text.isEmpty
        case .bool, .number, .object, .array: return true
        }
    }

    /// Parses an integer literal from 1 to 2147483647.
    static func summaryCount(_ digits: Span<UInt8>) -> UInt32? {
        guard digits.count <= 10, let number = digits.shortDecimal else { return nil }
        return (1...2_147_483_647).contains(number) ? UInt32(number) : nil
    }
}

// MARK: - Limits of Apple's service

extension RecordDraft {
    /// Returns whether a push type other than the usual `alert` is `alert` in another case. Records a finding for an
    /// unknown type.
    @inline(never)
    private mutating func isUnusualAlert(_ pushType: TextRange, _ chunk: Chunk) -> Bool {
        let type = PushType(chunk.bytes(of: pushType))
        if type == .unknown { findings.insert(.pushTypeUnknown) }
        return type == .alert
    }

    /// Records a finding if the payload is too large for its kind of push.
    @inline(never)
    private mutating func checkPayloadSize(_ suffix: TextRange, _ pushType: TextRange, _ chunk: Chunk) {
        let isVoice =
            chunk.bytes(of: suffix).isEqual(to: ".voip")
            || chunk.bytes(of: pushType).isEqualIgnoringCase(to: "voip")
        if payloadBytes > (isVoice ? PushLimits.voicePayloadBytes : PushLimits.payloadBytes) {
            findings.insert(.payloadTooLarge)
        }
    }

    /// Returns whether the texts that groups and notifications are identified by are short enough.
    ///
    /// Static, and given lengths only, because passing the draft would copy it.
    @inline(__always)
    static func keyFieldsFit(of record: NotificationRecord, line: TextRange) -> Bool {
        // A text is never longer than its line, because decoding does not make texts longer.
        line.count <= UInt32(PushLimits.fieldBytes)
            || areShort(
                record.app.count, record.thread.count, record.argument.count, record.category.count,
                record.device.count, record.collapseIdentifier.count)
    }

    @inline(never)
    private static func areShort(_ counts: UInt32...) -> Bool {
        counts.allSatisfy { $0 <= PushLimits.fieldBytes }
    }

    /// Checks the fields of a silent record that would be part of a notification's key.
    @inline(never)
    private mutating func readSilent(
        _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner, _ payloadSlots: PayloadSlots,
        of payload: borrowing FieldScanner, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        record.collapseIdentifier = collapseIdentifier(slots, of: envelope, chunk)
        let isLong = line.count > UInt32(PushLimits.fieldBytes)
        if isLong || readsBadges { record.device = device(slots, of: envelope, chunk) }
        if isLong {
            record.category = text(payloadSlots[.category], of: payload, chunk)
            guard Self.keyFieldsFit(of: record, line: self.line) else { return .rejected(.fieldTooLong) }
        }
        if record.collapseIdentifier.count > PushLimits.collapseIdentifierBytes {
            findings.insert(.collapseIdentifierTooLong)
        }
        return .silent
    }
}

// MARK: - Localized alerts

/// The texts of an alert that may be given by key.
private struct LocalizedFields: OptionSet {
    let rawValue: UInt8
    static let title = LocalizedFields(rawValue: 1)
    static let subtitle = LocalizedFields(rawValue: 2)
    static let body = LocalizedFields(rawValue: 4)
}

extension RecordDraft {
    /// Packs the alert's texts so that the arguments of localized ones follow their keys.
    @inline(never)
    private mutating func packAlert(
        _ slots: PayloadSlots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) {
        if isMapped { return }
        packer.begin()
        record.title = pack(record.title, .title, scanner[slots[.titleArguments]], chunk)
        record.subtitle = pack(record.subtitle, .subtitle, scanner[slots[.subtitleArguments]], chunk)
        record.body = pack(record.body, .body, scanner[slots[.bodyArguments]], chunk)
        record.argument = packer.pack(record.argument, of: chunk)
        let hasThread = findings.contains(.threadMisplaced)
        if hasThread { record.thread = packer.pack(record.thread, of: chunk) }

        let start = packer.finish(in: chunk)
        record.title.start += start
        record.subtitle.start += start
        record.body.start += start
        record.argument.start += start
        if hasThread { record.thread.start += start }
    }

    private mutating func pack(
        _ text: TextRange, _ field: LocalizedFields, _ arguments: FieldScanner.Value, _ chunk: Chunk
    ) -> TextRange {
        localized.contains(field)
            ? packer.pack(key: text, arguments: arguments, of: chunk) : packer.pack(text, of: chunk)
    }

    /// Returns a text of the alert in its stored form; nil if the annex has no room for it.
    private func localizedText(
        _ text: TextRange, _ field: LocalizedFields, _ arguments: FieldScanner.Value, _ chunk: Chunk,
        _ annex: (Span<UInt8>) -> TextRange?
    ) -> TextRange? {
        guard localized.contains(field) else { return text }
        var range = TextRange.none
        if arguments.kind == .array {
            let start = Int(arguments.text.start)
            range = TextRange(start..<chunk.bytes.endOfJSONValue(from: start))
        }
        var bytes: [UInt8] = []
        LocalizedText.append(key: chunk.bytes(of: text), arguments: chunk.bytes(of: range), to: &bytes)
        return annex(bytes.span)
    }
}
