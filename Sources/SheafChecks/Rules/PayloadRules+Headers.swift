import SheafBytes
import SheafGroups
import SheafText

// Apple, "Sending notification requests to APNs": the request headers.

extension PayloadRules {
    /// Checks the headers that Apple's service validates, except for the topic and those that decoding checks.
    mutating func checkHeaders(
        _ record: RecordFields, _ push: PushTraits, _ envelope: borrowing FieldScanner,
        _ payload: borrowing FieldScanner
    ) {
        if let priority = priority(record, envelope) {
            if !priority.isValid { problems.insert(.priorityInvalid) }
            if priority.isHigh, push.isBackground { problems.insert(.backgroundPriority) }
        }
        if let identifier = firstText(record.slots.messageIdentifiers, envelope) {
            let text = copy.decoded(identifier, of: record.chunk)
            if !copy.bytes(of: text, in: record.chunk).isUUID { problems.insert(.messageIdentifierInvalid) }
        }
        if hasInvalidExpiration(record, envelope) { problems.insert(.expirationInvalid) }
        if let token = firstText(record.slots.deviceTokens, envelope) {
            let text = copy.decoded(token, of: record.chunk)
            if !copy.bytes(of: text, in: record.chunk).isHexadecimal {
                problems.insert(.deviceTokenInvalid)
            } else if text.range.count != PushLimits.tokenDigits, push.type != .liveActivity, !push.hasSuffix
            {
                problems.insert(.deviceTokenLength)
            }
        }
    }

    /// Returns whether the priority is one of Apple's, and whether it is 10; nil if it is absent. The first of the names
    /// that has a number or a non-empty text counts.
    private mutating func priority(
        _ record: RecordFields, _ envelope: borrowing FieldScanner
    ) -> (isValid: Bool, isHigh: Bool)? {
        for name in record.slots.priorities {
            let value = envelope[name.slot]
            switch value.kind {
            case .number:
                let number = record.chunk.bytes(of: value.text)
                if Self.isNumber(10, number) { return (true, true) }
                return (Self.isNumber(5, number) || Self.isNumber(1, number), false)
            case .string where value.text.count > 0:
                let text = copy.decoded(value, of: record.chunk)
                let bytes = copy.bytes(of: text, in: record.chunk)
                if bytes.isEqual(to: "10") { return (true, true) }
                if bytes.isEqual(to: "5") || bytes.isEqual(to: "1") { return (true, false) }
                // Other services have words for priorities.
                return (!name.isHeader && !bytes.isDecimal, false)
            default: continue
            }
        }
        return nil
    }

    /// Returns whether the expiration is not a whole number of seconds. The first of the names that has a number or a
    /// non-empty text counts.
    private mutating func hasInvalidExpiration(_ record: RecordFields, _ envelope: borrowing FieldScanner)
        -> Bool
    {
        for slot in record.slots.expirations {
            let value = envelope[slot]
            switch value.kind {
            case .number:
                let number = record.chunk.bytes(of: value.text)
                if number.isDecimal { return number.count > PushLimits.expirationDigits }
                guard let number = Double(number.string) else { return true }
                return number < 0 || number > 9e18 || number != number.rounded()
            case .string where value.text.count > 0:
                let text = copy.decoded(value, of: record.chunk)
                let bytes = copy.bytes(of: text, in: record.chunk)
                return !bytes.isDecimal || bytes.count > PushLimits.expirationDigits
            default: continue
            }
        }
        return false
    }
}

// MARK: - Topics

extension PayloadRules {
    /// Checks whether the topic fits the push type.
    ///
    /// - Returns: whether the topic has a suffix.
    mutating func checkTopic(
        _ record: RecordFields, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) -> Bool {
        // The topic's text is no longer valid when the push type has been decoded.
        let topic = topic(record, envelope, payload)
        let (hasSuffix, suffix) = suffix(of: copy.bytes(of: topic.text, in: record.chunk))
        let type = pushType(record, envelope)
        guard !type.isEmpty else { return hasSuffix }
        let (hasNone, wanted) = Self.wantedSuffix(ofType: copy.bytes(of: type, in: record.chunk))
        if hasNone {
            if hasSuffix { problems.insert(.topicMismatched) }
        } else if let wanted {
            // An app's identifier has no suffix, but a wrong one is a mistake anywhere.
            if suffix != wanted, topic.isTopic || hasSuffix { problems.insert(.topicMismatched) }
        }
        return hasSuffix
    }

    /// Returns whether a topic has a suffix, and its index if it is one of `PushType.suffixes`.
    private func suffix(of topic: Span<UInt8>) -> (hasSuffix: Bool, index: Int?) {
        guard topicSuffixes.count(atEndOf: topic) != nil else { return (false, nil) }
        return (true, PushType.suffixes.firstIndex { topic.hasSuffix($0.suffix) })
    }

    /// Returns whether topics for a push type have no suffix, or else the index of their suffix in `PushType.suffixes`; nil
    /// for an unknown type.
    private static func wantedSuffix(ofType name: Span<UInt8>) -> (hasNone: Bool, index: Int?) {
        if name.isEqualIgnoringCase(to: "alert") || name.isEqualIgnoringCase(to: "background") {
            return (true, nil)
        }
        return (false, PushType.suffixes.firstIndex { name.isEqualIgnoringCase(to: $0.type) })
    }

    /// Returns the app, including a topic's suffix, and whether it is from a name for topics.
    mutating func topic(
        _ record: RecordFields, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) -> (text: DecodedText, isTopic: Bool) {
        let slots = record.slots.record
        for index in 0..<slots.apps.count where Self.hasText(slots.apps[index], envelope) {
            let text = copy.decoded(envelope[slots.apps[index]], of: record.chunk)
            return (text, record.slots.isTopic(index))
        }
        let header = copy.decoded(envelope[slots.headerApp], of: record.chunk)
        if !header.isEmpty { return (header, true) }
        let target = copy.decoded(payload[record[.simulatorTarget]], of: record.chunk)
        if !target.isEmpty { return (target, false) }
        for index in 0..<slots.others.apps.count where Self.hasText(slots.others.apps[index], envelope) {
            let text = copy.decoded(envelope[slots.others.apps[index]], of: record.chunk)
            return (text, record.slots.isOtherTopic(index))
        }
        return (header, false)
    }
}

// MARK: - Forms of texts

extension Span where Element == UInt8 {
    fileprivate var isDecimal: Bool {
        for index in indices where !self[index].isDigit { return false }
        return count > 0
    }
}
