import SheafBytes

/// A record while it is put together from what the scanners found.
///
/// Apart from the decoder, which owns the scanners, so that a draft can change while it reads from them.
@usableFromInline struct RecordDraft {
    @usableFromInline private(set) var record = NotificationRecord()
    @usableFromInline private(set) var findings = FindingSet()
    @usableFromInline private(set) var isUntimed = false

    private let topicSuffixes = TopicSuffixes()
    private let keepsOriginal: Bool
    /// Whether summary arguments and their counts are noted as ignored.
    private let ignoresSummaries: Bool
    /// How long the payload is as it is sent; 0 where it can't be too long.
    var payloadBytes = 0
    private var line = TextRange.none
    /// The line as it was read, once decoding has changed it.
    private var original: [UInt8] = []
    private var keptOriginal = false
    /// The alert's texts for which a key stands.
    private var localized = LocalizedFields()
    private var packer = AlertPacker()

    init(keepsOriginal: Bool, ignoresSummaries: Bool) {
        self.keepsOriginal = keepsOriginal
        self.ignoresSummaries = ignoresSummaries
    }

    /// Begins a record that stands at `text` of the chunk.
    @inline(__always)
    mutating func begin(_ text: TextRange, of chunk: Chunk) {
        line = text
        keptOriginal = false
        payloadBytes = 0
    }

    /// The line as it was read, once decoding has changed it.
    var originalLine: [UInt8]? { keptOriginal ? original : nil }

    /// Reads the fields: the envelope's, and those of its payload, which another scanner may have found.
    mutating func read(
        _ envelope: borrowing FieldScanner, _ slots: EnvelopeSlots, payload: borrowing FieldScanner,
        _ payloadSlots: PayloadSlots, _ chunk: Chunk, _ source: Int, _ line: UInt64
    ) -> RecordDecoder.Outcome {
        guard payload.kind(of: payloadSlots[.aps]) == .object else { return .rejected(.apsMissing) }

        // Up to here and the timestamp a record may be rejected: what is decoded in place is kept for that.
        record = NotificationRecord()
        localized = []
        record.app = firstText(slots.apps, or: slots.headerApp, of: envelope, chunk)
        if record.app.isEmpty { record.app = text(payloadSlots[.simulatorTarget], of: payload, chunk) }
        let suffix = cutTopicSuffix(chunk)
        guard !record.app.isEmpty else { return .rejected(.appMissing) }
        guard let timestamp = timestamp(slots.timestamps, of: envelope, chunk) else {
            return .rejected(.timestampInvalid)
        }
        record.order = OrderKey(timestamp: timestamp, source: source, line: line)

        findings = payloadSlots.findings(of: payload)
        let showsSomething = readAlert(payloadSlots, of: payload, chunk)
        readThread(payloadSlots, of: payload, chunk)
        readSummaryCount(payloadSlots, of: payload, chunk)
        if ignoresSummaries, usesSummaryArguments(payloadSlots, of: payload) {
            findings.insert(.summaryDeprecated)
        }
        let pushType = firstText(slots.pushTypes, or: slots.headerPushType, of: envelope, chunk)
        let isAlert =
            pushType.isEmpty || chunk.bytes(of: pushType).isEqual(to: "alert")
            || isUnusualAlert(pushType, chunk)
        if payloadBytes > PushLimits.payloadBytes { notePayloadSize(suffix, pushType, chunk) }
        guard isAlert, suffix.isEmpty, showsSomething else {
            return readSilent(slots, of: envelope, payloadSlots, of: payload, chunk)
        }
        record.category = text(payloadSlots[.category], of: payload, chunk)
        record.device = decoded(envelope.firstText(slots.devices), of: chunk)
        record.identifier = firstText(slots.identifiers, or: slots.headerIdentifier, of: envelope, chunk)
        record.collapseIdentifier = firstText(
            slots.collapseIdentifiers, or: slots.headerCollapseIdentifier, of: envelope, chunk)
        guard Self.keyFieldsFit(of: record, line: self.line) else { return .rejected(.fieldTooLong) }
        if record.collapseIdentifier.count > PushLimits.collapseIdentifierBytes {
            findings.insert(.collapseIdentifierTooLong)
        }
        if !localized.isEmpty { packAlert(payloadSlots, of: payload, chunk) }
        return .notification
    }
}

// MARK: - Texts

extension RecordDraft {
    /// The text of a string value, decoded; none for every other kind.
    @inline(__always)
    mutating func decoded(_ value: FieldScanner.Value, of chunk: Chunk) -> TextRange {
        guard value.kind == .string else { return .none }
        return value.hasEscapes ? decodedEscapes(value.text, of: chunk) : value.text
    }

    @inline(never)
    private mutating func decodedEscapes(_ text: TextRange, of chunk: Chunk) -> TextRange {
        if keepsOriginal, !keptOriginal {
            original.removeAll(keepingCapacity: true)
            original.append(chunk.bytes(of: line))
            keptOriginal = true
        }
        return chunk.decodeEscapes(text)
    }

    /// The text of a field; none when it is no string.
    @inline(__always)
    private mutating func text(
        _ slot: FieldPlan.Slot, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> TextRange {
        decoded(scanner[slot], of: chunk)
    }

    /// The first text among some fields, in the order in which their names are looked at, or else of the last
    /// one. Decoding never makes a text empty.
    @inline(__always)
    private mutating func firstText(
        _ fields: FieldPlan.Slots, or last: FieldPlan.Slot, of scanner: borrowing FieldScanner,
        _ chunk: Chunk
    ) -> TextRange {
        let value = scanner.firstText(fields)
        return decoded(value.kind == .absent ? scanner[last] : value, of: chunk)
    }

    /// The text of a field, or where it has none the key of a localized one, which is noted.
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

    /// Cuts the suffix of a topic that is not for alerts.
    ///
    /// - Returns: where it stands; none when there was none.
    private mutating func cutTopicSuffix(_ chunk: Chunk) -> TextRange {
        guard let count = topicSuffixes.count(atEndOf: chunk.bytes(of: record.app)) else { return .none }
        record.app.count -= UInt32(count)
        return TextRange(start: record.app.start + record.app.count, count: UInt32(count))
    }

    /// Milliseconds since 1970; nil when the value is no time. Notes a record without one.
    private mutating func timestamp(
        _ fields: FieldPlan.Slots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) -> Int64? {
        let value = scanner.firstValue(fields)
        isUntimed = value.kind == .absent
        switch value.kind {
        case .absent, .null: return 0
        case .number: return Timestamp.milliseconds(number: chunk.bytes(of: value.text))
        case .string: return Timestamp.milliseconds(text: chunk.bytes(of: decoded(value, of: chunk)))
        case .bool, .object, .array: return nil
        }
    }
}

// MARK: - The payload's fields

extension RecordDraft {
    /// Reads the alert's texts; false when it shows nothing.
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

    /// The thread identifier stands in `aps`; where it does not, one in the alert is taken for it.
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

    /// Whether the alert says what is only summed up up to iOS 14; `null` and an empty text say nothing.
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

    /// An integer literal from 1 to 2147483647.
    private static func summaryCount(_ digits: Span<UInt8>) -> UInt32? {
        guard digits.count <= 10, let number = digits.shortDecimal else { return nil }
        return (1...2_147_483_647).contains(number) ? UInt32(number) : nil
    }
}

// MARK: - Limits of Apple's service

extension RecordDraft {
    /// Whether a push type other than the usual `alert` is an alert in another case. Notes an unknown one.
    @inline(never)
    private mutating func isUnusualAlert(_ pushType: TextRange, _ chunk: Chunk) -> Bool {
        let type = PushType(chunk.bytes(of: pushType))
        if type == .unknown { findings.insert(.pushTypeUnknown) }
        return type == .alert
    }

    /// Notes a payload that is too large for its kind of push.
    @inline(never)
    private mutating func notePayloadSize(_ suffix: TextRange, _ pushType: TextRange, _ chunk: Chunk) {
        let isVoice =
            chunk.bytes(of: suffix).isEqual(to: ".voip")
            || chunk.bytes(of: pushType).isEqualIgnoringCase(to: "voip")
        if payloadBytes > (isVoice ? PushLimits.voicePayloadBytes : PushLimits.payloadBytes) {
            findings.insert(.payloadTooLarge)
        }
    }

    /// Whether the texts by which groups and notifications are kept are short enough.
    ///
    /// Static, and with lengths only: a draft would be copied for it.
    @inline(__always)
    private static func keyFieldsFit(of record: NotificationRecord, line: TextRange) -> Bool {
        // A text is no longer than the line that it is from: decoding makes none longer.
        line.count <= UInt32(PushLimits.fieldBytes)
            || areShort(
                record.app.count, record.thread.count, record.argument.count, record.category.count,
                record.device.count, record.collapseIdentifier.count)
    }

    @inline(never)
    private static func areShort(_ counts: UInt32...) -> Bool {
        counts.allSatisfy { $0 <= PushLimits.fieldBytes }
    }

    /// What is checked of a record that is not grouped: the fields that a notification has in its key.
    @inline(never)
    private mutating func readSilent(
        _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner, _ payloadSlots: PayloadSlots,
        of payload: borrowing FieldScanner, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        record.collapseIdentifier = firstText(
            slots.collapseIdentifiers, or: slots.headerCollapseIdentifier, of: envelope, chunk)
        if line.count > UInt32(PushLimits.fieldBytes) {
            record.category = text(payloadSlots[.category], of: payload, chunk)
            record.device = decoded(envelope.firstText(slots.devices), of: chunk)
            guard Self.keyFieldsFit(of: record, line: self.line) else { return .rejected(.fieldTooLong) }
        }
        if record.collapseIdentifier.count > PushLimits.collapseIdentifierBytes {
            findings.insert(.collapseIdentifierTooLong)
        }
        return .silent
    }
}

// MARK: - Localized alerts

/// The texts of an alert that may be keys into string tables.
private struct LocalizedFields: OptionSet {
    let rawValue: UInt8
    static let title = LocalizedFields(rawValue: 1)
    static let subtitle = LocalizedFields(rawValue: 2)
    static let body = LocalizedFields(rawValue: 4)
}

extension RecordDraft {
    /// Puts the arguments of localized texts beside their keys.
    @inline(never)
    private mutating func packAlert(
        _ slots: PayloadSlots, of scanner: borrowing FieldScanner, _ chunk: Chunk
    ) {
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
}
