import SheafBytes

// Apple, "Generating a remote notification": the keys of `aps`, `alert` and `sound`.

extension PayloadRules {
    /// Checks whether the push shows what its type requires, and the values of the keys of `aps`.
    mutating func checkPresentation(
        _ record: Found, _ push: Push, _ payload: borrowing FieldScanner, _ problems: inout ProblemSet
    ) {
        if push.type == .background, push.shown.hasAny { problems.insert(.backgroundShown) }
        if push.shown.isEmpty {
            // Without a push type, a push without an alert may be for a pass or for the app itself.
            let isSilent = push.type == .absent && (!push.shown.hasAlert || push.isContentAvailable)
            if push.isAlert, !isSilent { problems.insert(.alertEmpty) }
        }
        let isMutable = isOne(payload[record[.mutableContent]], record.payloadChunk)
        let isHidden = push.isAlert && !push.shown.hasText && !push.shown.isMistyped
        if isMutable, isHidden || push.isBackground { problems.insert(.mutableContentHidden) }
        let level = payload[record[.interruptionLevel]]
        if level.kind == .string, !level.text.isEmpty, !isInterruptionLevel(level, record.payloadChunk) {
            problems.insert(.interruptionLevelUnknown)
        }
        let score = payload[record[.relevanceScore]]
        if score.kind == .number, push.type != .activity,
            !Self.isNumber(in: 0...1, record.payloadChunk.bytes(of: score.text))
        {
            problems.insert(.relevanceScoreRange)
        }
        let content = payload[record[.contentAvailable]]
        if content.kind == .number, !push.isContentAvailable { problems.insert(.contentAvailableValue) }
        let badge = payload[record[.badge]]
        if badge.kind == .number,
            !Self.isNumber(in: 0...(.infinity), record.payloadChunk.bytes(of: badge.text))
        {
            problems.insert(.badgeNegative)
        }
    }

    private mutating func isInterruptionLevel(_ value: FieldScanner.Value, _ chunk: Chunk) -> Bool {
        let text = copy.decoded(value, of: chunk)
        let bytes = text.chunk.bytes(of: text.range)
        return bytes.isEqual(to: "active") || bytes.isEqual(to: "passive")
            || bytes.isEqual(to: "time-sensitive") || bytes.isEqual(to: "critical")
    }
}

// MARK: - Sounds

extension PayloadRules {
    /// Checks a sound that is a dictionary, the form for critical alerts.
    mutating func checkSound(
        _ record: Found, _ payload: borrowing FieldScanner, _ problems: inout ProblemSet
    ) {
        let sound = payload[record[.sound]]
        guard sound.kind == .object, !sound.text.isEmpty else { return }
        // The last of repeated keys counts.
        var (hasName, isCritical, hasBadVolume) = (false, false, false)
        let bytes = record.payloadChunk.bytes
        var members = JSONMembers(at: Int(sound.text.start))
        while let member = members.next(in: bytes) {
            let key = text(ofKey: member, record.payloadChunk)
            let name = key.chunk.bytes(of: key.range)
            let value = bytes.extracting(member.value)
            if name.isEqual(to: "name") {
                hasName = value.count > 2 && value[0] == UInt8(ascii: "\"")
            } else if name.isEqual(to: "critical") {
                isCritical = Self.isNumber(1, value)
            } else if name.isEqual(to: "volume") {
                hasBadVolume = !value.isEqual(to: "null") && !Self.isNumber(in: 0...1, value)
            }
        }
        if !hasName { problems.insert(.soundUnnamed) }
        if hasBadVolume { problems.insert(.soundVolume) }
        if !isCritical { problems.insert(.soundNotCritical) }
    }

    /// Returns a member's key, decoded; valid until the next text is.
    mutating func text(ofKey member: JSONMembers.Member, _ chunk: Chunk) -> ChunkText {
        let range = TextRange(member.key)
        return chunk.bytes[range].lastIndex(of: UInt8(ascii: "\\")) == nil
            ? ChunkText(chunk: chunk, range: range) : copy.decodedEscapes(range, of: chunk)
    }
}

// MARK: - Arguments of localized texts

extension PayloadRules {
    /// A text of an alert that may be given by key, and the problems of its arguments.
    struct LocalizedText {
        let text: PayloadSlots.Field
        let key: PayloadSlots.Field
        let arguments: PayloadSlots.Field
        let unused: PayloadProblem
        let few: PayloadProblem
    }

    static let localizedTexts = [
        LocalizedText(
            text: .title, key: .titleKey, arguments: .titleArguments, unused: .titleArgumentsUnused,
            few: .titleArgumentsFew),
        LocalizedText(
            text: .subtitle, key: .subtitleKey, arguments: .subtitleArguments,
            unused: .subtitleArgumentsUnused, few: .subtitleArgumentsFew),
        LocalizedText(
            text: .body, key: .bodyKey, arguments: .bodyArguments, unused: .bodyArgumentsUnused,
            few: .bodyArgumentsFew),
    ]

    func checkAlert(
        _ record: Found, _ push: Push, _ payload: borrowing FieldScanner, _ problems: inout ProblemSet
    ) {
        for text in Self.localizedTexts {
            let arguments = payload[record[text.arguments]]
            // A key of the wrong type has a finding of its own.
            guard arguments.kind == .array, !payload.isMistyped(record[text.key]),
                !Self.hasText(record[text.key], payload)
            else { continue }
            if count(ofArray: arguments, record.payloadChunk) != 0 { problems.insert(text.unused) }
        }
    }

    /// Returns the number of elements; nil if the array has no text.
    func count(ofArray value: FieldScanner.Value, _ chunk: Chunk) -> Int? {
        guard !value.text.isEmpty else { return nil }
        var count = 0
        var elements = JSONMembers(at: Int(value.text.start))
        while elements.nextElement(in: chunk.bytes) != nil { count += 1 }
        return count
    }
}

// MARK: - Thread identifiers

extension PayloadRules {
    /// Checks whether a notification has its thread identifier only where no device looks for it.
    mutating func checkThread(
        _ record: Found, _ push: Push, _ envelope: borrowing FieldScanner,
        _ payload: borrowing FieldScanner, _ problems: inout ProblemSet
    ) {
        guard push.isAlert, push.shown.hasText, !Self.isPresent(record[.thread], payload),
            !Self.isPresent(record[.alertThread], payload)
        else { return }
        let isBare: Bool
        if let threads = record.payloadSlots.threads {
            // In the bare form, the payload is the line.
            isBare = !Self.isPresent(record.slots.record.payload, envelope)
            if firstText(threads, payload) != nil { problems.insert(.threadInPayload) }
        } else {
            isBare = false
            let object = envelope[record.slots.record.payload]
            if object.kind == .object, !object.text.isEmpty,
                thread(in: Int(object.text.start), record.chunk) != nil
            {
                problems.insert(.threadInPayload)
            }
        }
        if firstText(record.slots.headerThreads, envelope) != nil { problems.insert(.threadInHeaders) }
        if !isBare, let threads = record.slots.bare.threads, firstText(threads, envelope) != nil {
            problems.insert(.threadInHeaders)
        }
    }

    /// Returns the range of the first thread identifier in the object at an offset; nil if it has none.
    mutating func thread(in start: Int, _ chunk: Chunk) -> Range<Int>? {
        var members = JSONMembers(at: start)
        while let member = members.next(in: chunk.bytes) {
            let key = text(ofKey: member, chunk)
            let name = key.chunk.bytes(of: key.range)
            guard
                name.isEqual(to: "thread-id") || name.isEqual(to: "threadId") || name.isEqual(to: "thread_id")
            else { continue }
            if member.value.count > 2, chunk.bytes[member.value.lowerBound] == UInt8(ascii: "\"") {
                return member.value
            }
        }
        return nil
    }
}
