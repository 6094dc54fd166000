import SheafBytes
import SheafText

extension RecordDraft {
    /// Reads a notification's interruption level, and whether it has a sound and may be changed.
    ///
    /// Not inlined: few runs need it.
    @inline(never)
    mutating func readTraits(
        _ slots: PayloadSlots, of payload: borrowing FieldScanner, _ chunk: Chunk
    ) {
        let sound = sound(payload[slots[.sound]], in: chunk)
        let named = level(payload[slots[.interruptionLevel]], of: chunk)
        let level = sound.isCritical ? .critical : named ?? .active
        if isResult {
            record.traits = NotificationTraits(
                level: level, hasSound: sound.isPresent, givesLevel: sound.isCritical || named != nil)
            return
        }
        let mutable = payload[slots[.mutableContent]]
        let isMutable = mutable.kind == .number && chunk.bytes(of: mutable.text).isNumberOne
        record.traits = NotificationTraits(level: level, hasSound: sound.isPresent, isMutable: isMutable)
    }

    static let maximumBadge: UInt64 = 1 << 53

    /// Reads a badge, which must be a whole number, however it is written: `3`, `3.0`, `3e0`.
    @inline(never)
    mutating func readBadge(_ value: FieldScanner.Value, _ chunk: Chunk) {
        badge = nil
        guard value.kind == .number else { return }
        let text = chunk.bytes(of: value.text)
        if let number = text.shortDecimal {
            badge = number <= Self.maximumBadge ? number : nil
        } else if let number = Double(text.string), number >= 0, number <= Double(Self.maximumBadge),
            number.rounded() == number
        {
            badge = UInt64(number)
        }
    }

    /// Returns the level with a name; nil for any other name, which means `active`.
    private mutating func level(_ value: FieldScanner.Value, of chunk: Chunk) -> InterruptionLevel? {
        let name = chunk.bytes(of: decoded(value, of: chunk))
        if name.isEqual(to: "critical") { return .critical }
        if name.isEqual(to: "passive") { return .passive }
        if name.isEqual(to: "time-sensitive") { return .timeSensitive }
        if name.isEqual(to: "active") { return .active }
        // OneSignal's name for it, which its service replaces.
        return hasOtherShape && name.isEqual(to: "time_sensitive") ? .timeSensitive : nil
    }

    /// Returns whether a sound can be heard: a name, or a dictionary with a name or for a critical alert.
    func sound(
        _ value: FieldScanner.Value, in chunk: Chunk
    ) -> (isPresent: Bool, isCritical: Bool) {
        switch value.kind {
        case .string: return (!value.text.isEmpty, false)
        case .object where !value.text.isEmpty: break
        default: return (false, false)
        }
        // The last of repeated keys counts.
        var (hasName, isCritical) = (false, false)
        let bytes = chunk.bytes
        var members = JSONMembers(at: Int(value.text.start))
        while let member = members.next(in: bytes) {
            let value = bytes.extracting(member.value)
            if chunk.isText(member.key, "name") {
                hasName = value.count > 2 && value[0] == UInt8(ascii: "\"")
            } else if chunk.isText(member.key, "critical") {
                // Expo writes a boolean, which its service replaces.
                isCritical = value.isNumberOne || hasOtherShape && value.isEqual(to: "true")
            }
        }
        return (hasName || isCritical, isCritical)
    }

    /// Reads a change of settings into `settings`.
    ///
    /// - Parameters:
    ///   - text: the whole record.
    ///   - hasPayload: whether the record has a payload as well.
    @inline(never)
    mutating func readSettings(
        _ text: TextRange, _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner, _ chunk: Chunk,
        hasPayload: Bool
    ) -> RecordDecoder.Outcome {
        // Before other texts are decoded in place, after which the record is no longer valid JSON.
        let values = Self.userSettings(in: text, of: chunk, hasPayload: hasPayload)
        if let reason = readEnvelope(slots, of: envelope, chunk, needsApp: false) {
            return .rejected(reason)
        }
        guard record.app.count <= PushLimits.fieldBytes, record.device.count <= PushLimits.fieldBytes else {
            return .rejected(.fieldTooLong)
        }
        // Without its app or its device, a change would apply to all of them.
        guard let values, !values.isEmpty, Self.hasValidDevices(slots, of: envelope),
            !record.app.isEmpty || Self.hasValidApps(slots, of: envelope)
        else { return .rejected(.settingsInvalid) }
        settings = ownChange()
        settings.settings = values
        return .settings
    }

    /// Reads the closing of an app, as a change, into `settings`.
    @inline(never)
    mutating func readClosing(
        _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner, _ chunk: Chunk
    ) -> RecordDecoder.Outcome {
        if let reason = readEnvelope(slots, of: envelope, chunk) { return .rejected(reason) }
        guard record.app.count <= PushLimits.fieldBytes, record.device.count <= PushLimits.fieldBytes else {
            return .rejected(.fieldTooLong)
        }
        // Without its device, the app would be closed on all of them.
        guard Self.hasValidDevices(slots, of: envelope) else { return .rejected(.settingsInvalid) }
        settings = ownChange()
        settings.settings.isOpen = false
        return .settings
    }

    /// A change of nothing for the record's app and device.
    func ownChange() -> SettingsRecord {
        var change = SettingsRecord()
        (change.app, change.device, change.order) = (record.app, record.device, record.order)
        return change
    }

    /// Returns whether every app of the record is a text or null.
    static func hasValidApps(
        _ slots: EnvelopeSlots, of envelope: borrowing FieldScanner
    ) -> Bool {
        slots.apps.areTexts(of: envelope) && slots.others.apps.areTexts(of: envelope)
            && envelope.kind(of: slots.headerApp).mayBeText
    }

    /// Returns whether a record with a payload has a setting among its members, be it with an unknown value.
    static func namesSettings(_ text: TextRange, of chunk: Chunk) -> Bool {
        guard let values = userSettings(in: text, of: chunk, hasPayload: true) else { return true }
        return !values.isEmpty
    }

    /// Returns the settings among the members of a record; nil if one of them has an unknown value.
    ///
    /// - Parameter hasPayload: whether `alert`, `badge` and `sound` may be members of a push, which have other values.
    private static func userSettings(
        in text: TextRange, of chunk: Chunk, hasPayload: Bool
    ) -> UserSettings? {
        var settings = UserSettings()
        let bytes = chunk.bytes
        var members = JSONMembers(at: bytes.endOfJSONSpace(from: Int(text.start)))
        // The last of repeated keys counts.
        var isValid = [Bool](repeating: true, count: 11)
        func authorization(_ value: Range<Int>) -> (Bool?, isValid: Bool) {
            let (value, isValid) = bool(bytes.extracting(value))
            return isValid || !hasPayload ? (value, isValid) : (nil, true)
        }
        while let member = members.next(in: bytes) {
            if chunk.isText(member.key, "delivery") {
                (settings.delivery.delivery, isValid[0]) = word(
                    member.value,
                    [
                        ("prominent", .prominent), ("quiet", .quiet), ("off", .off),
                        ("criticalOnly", .criticalOnly),
                    ],
                    in: chunk)
            } else if chunk.isText(member.key, "provisional") {
                (settings.delivery.provisional, isValid[1]) = bool(bytes.extracting(member.value))
            } else if chunk.isText(member.key, "sounds") {
                (settings.delivery.sounds, isValid[2]) = bool(bytes.extracting(member.value))
            } else if chunk.isText(member.key, "serviceExtension") {
                (settings.delivery.serviceExtension, isValid[3]) = bool(bytes.extracting(member.value))
            } else if chunk.isText(member.key, "critical") {
                (settings.delivery.critical, isValid[6]) = bool(bytes.extracting(member.value))
            } else if chunk.isText(member.key, "alert") {
                (settings.delivery.alert, isValid[7]) = authorization(member.value)
            } else if chunk.isText(member.key, "badge") {
                (settings.delivery.badge, isValid[8]) = authorization(member.value)
            } else if chunk.isText(member.key, "sound") {
                (settings.delivery.sound, isValid[9]) = authorization(member.value)
            } else if chunk.isText(member.key, "grouping") {
                (settings.grouping, isValid[4]) = word(
                    member.value, [("automatic", .automatic), ("byApp", .byApp), ("off", .off)], in: chunk)
            } else if chunk.isText(member.key, "showPreviews") {
                (settings.showPreviews, isValid[5]) = word(
                    member.value,
                    [("always", .always), ("whenAuthenticated", .whenAuthenticated), ("never", .never)],
                    in: chunk)
            } else if chunk.isText(member.key, "locale") {
                (settings.locale, isValid[10]) = locale(member.value, in: chunk)
            }
        }
        return isValid.allSatisfy { $0 } ? settings : nil
    }

    /// Returns the meaning of a word; nil for `null`, and for an unknown word, which is not valid.
    private static func word<Word>(
        _ value: Range<Int>, _ words: [(StaticString, Word)], in chunk: Chunk
    ) -> (Word?, isValid: Bool) {
        if chunk.bytes.extracting(value).isEqual(to: "null") { return (nil, true) }
        guard value.count >= 2, chunk.bytes[value.lowerBound] == UInt8(ascii: "\"") else {
            return (nil, false)
        }
        let name = value.lowerBound + 1..<value.upperBound - 1
        let found = words.first { chunk.isText(name, $0.0) }
        return (found?.1, found != nil)
    }

    /// Returns the code of a known locale; `none` for `null`, and for any other value, which is not valid.
    private static func locale(_ value: Range<Int>, in chunk: Chunk) -> (LocaleCode, isValid: Bool) {
        if chunk.bytes.extracting(value).isEqual(to: "null") { return (.none, true) }
        // Each of the few characters of a name may be an escape of six bytes.
        guard 2...200 ~= value.count, chunk.bytes[value.lowerBound] == UInt8(ascii: "\"") else {
            return (.none, false)
        }
        let text = value.lowerBound + 1..<value.upperBound - 1
        let copy = Chunk(capacity: text.count + 1)
        let name = copy.bytes(of: copy.copyDecoded(TextRange(text), of: chunk)).string
        return LocaleIdentifier.known(name).map { (LocaleCode($0), true) } ?? (.none, false)
    }

    private static func bool(_ value: Span<UInt8>) -> (Bool?, isValid: Bool) {
        if value.isEqual(to: "null") { return (nil, true) }
        if value.isEqual(to: "true") { return (true, true) }
        return (false, value.isEqual(to: "false"))
    }
}

extension Chunk {
    /// Returns whether a scanned string, which is not changed, is `text`.
    ///
    /// - Parameter range: the bytes between the quotes.
    func isText(_ range: Range<Int>, _ text: StaticString) -> Bool {
        let name = bytes.extracting(range)
        guard name.contains(UInt8(ascii: "\\")) else { return name.isEqual(to: text) }
        // Each character may be an escape of six bytes.
        guard range.count <= 6 * text.utf8CodeUnitCount else { return false }
        let copy = Chunk(capacity: range.count + 1)
        return copy.bytes(of: copy.copyDecoded(TextRange(range), of: self)).isEqual(to: text)
    }
}

extension Chunk {
    /// Returns the value of an object's member, the last one of its name; nil if it is absent, or if the value at
    /// `start` is not an object. O(length of the object).
    func lastMember(_ name: StaticString, at start: Int) -> Range<Int>? {
        guard bytes[start] == UInt8(ascii: "{") else { return nil }
        var value: Range<Int>?
        var members = JSONMembers(at: start)
        while let member = members.next(in: bytes) {
            if isText(member.key, name) { value = member.value }
        }
        return value
    }
}

extension Span where Element == UInt8 {
    func contains(_ byte: UInt8) -> Bool {
        for index in indices where self[index] == byte { return true }
        return false
    }

    /// Whether the text is a JSON number that equals 1, however it is written: `1`, `1.0`, `1e0`.
    fileprivate var isNumberOne: Bool {
        if let short = shortDecimal { return short == 1 }
        return Double(string) == 1
    }
}
