import SheafBytes
import SheafGroups
import SheafText

// Apple, "Generating a remote notification": the keys of `aps`, `alert` and `sound`.

extension PayloadRules {
    /// Checks whether the push shows what its type requires, and the values of the keys of `aps`.
    mutating func checkPresentation(
        _ record: RecordFields, _ push: PushTraits, _ payload: borrowing FieldScanner
    ) {
        if push.type == .background, push.showsAny { problems.insert(.backgroundShown) }
        if push.showsNothing {
            // Without a push type, a push without an alert may be for a pass or for the app itself.
            let isSilent = push.type == nil && (!push.hasAlert || push.isContentAvailable)
            if push.isAlert, !isSilent { problems.insert(.alertEmpty) }
        }
        let isMutable = isOne(payload[record[.mutableContent]], record.chunk)
        let isHidden = push.isAlert && !push.hasText && !push.isMistyped
        if isMutable, isHidden || push.isBackground { problems.insert(.mutableContentHidden) }
        let level = payload[record[.interruptionLevel]]
        if level.kind == .string, !level.text.isEmpty, !isInterruptionLevel(level, record.chunk) {
            problems.insert(.interruptionLevelUnknown)
        }
        let score = payload[record[.relevanceScore]]
        if score.kind == .number, push.type != .liveActivity,
            !Self.isNumber(in: 0...1, record.chunk.bytes(of: score.text))
        {
            problems.insert(.relevanceScoreRange)
        }
        let content = payload[record[.contentAvailable]]
        if content.kind == .number, !push.isContentAvailable { problems.insert(.contentAvailableValue) }
        let badge = payload[record[.badge]]
        if badge.kind == .number,
            !Self.isNumber(in: 0...(.infinity), record.chunk.bytes(of: badge.text))
        {
            problems.insert(.badgeNegative)
        }
    }

    private mutating func isInterruptionLevel(_ value: FieldScanner.Value, _ chunk: Chunk) -> Bool {
        let text = copy.decoded(value, of: chunk)
        let bytes = copy.bytes(of: text, in: chunk)
        return bytes.isEqual(to: "active") || bytes.isEqual(to: "passive")
            || bytes.isEqual(to: "time-sensitive") || bytes.isEqual(to: "critical")
    }
}

// MARK: - Sounds

extension PayloadRules {
    /// Checks a sound that is a dictionary, the form for critical alerts.
    mutating func checkSound(
        _ record: RecordFields, _ payload: borrowing FieldScanner
    ) {
        let sound = payload[record[.sound]]
        guard sound.kind == .object, !sound.text.isEmpty else { return }
        // The last of repeated keys counts.
        var (hasName, isCritical, hasBadVolume) = (false, false, false)
        let bytes = record.chunk.bytes
        var members = JSONMembers(at: Int(sound.text.start))
        while let member = members.next(in: bytes) {
            let key = text(ofKey: member, record.chunk)
            let name = copy.bytes(of: key, in: record.chunk)
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
    mutating func text(ofKey member: JSONMembers.Member, _ chunk: Chunk) -> DecodedText {
        let range = TextRange(member.key)
        return chunk.bytes[range].lastIndex(of: UInt8(ascii: "\\")) == nil
            ? DecodedText(range: range, isCopied: false) : copy.decodedEscapes(range, of: chunk)
    }
}

// MARK: - Arguments of localized texts

extension PayloadRules {
    /// The texts of an alert that may be given by key, and the problems of their arguments.
    static let localizedTexts:
        [(
            text: PayloadSlots.Field, key: PayloadSlots.Field, arguments: PayloadSlots.Field,
            unused: CheckProblem, few: CheckProblem
        )] = [
            (.title, .titleKey, .titleArguments, .titleArgumentsUnused, .titleArgumentsFew),
            (.subtitle, .subtitleKey, .subtitleArguments, .subtitleArgumentsUnused, .subtitleArgumentsFew),
            (.body, .bodyKey, .bodyArguments, .bodyArgumentsUnused, .bodyArgumentsFew),
        ]

    mutating func checkAlert(_ record: RecordFields, _ payload: borrowing FieldScanner) {
        for text in Self.localizedTexts {
            let arguments = payload[record[text.arguments]]
            // A key of the wrong type has a finding of its own.
            guard arguments.kind == .array, !payload.isMistyped(record[text.key]),
                !Self.hasText(record[text.key], payload)
            else { continue }
            if count(ofArray: arguments, record.chunk) != 0 { problems.insert(text.unused) }
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
        _ record: RecordFields, _ push: PushTraits, _ envelope: borrowing FieldScanner,
        _ payload: borrowing FieldScanner
    ) {
        guard push.isAlert, push.hasText, !Self.isPresent(record[.thread], payload),
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
            let name = copy.bytes(of: key, in: chunk)
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

// MARK: - Rules that need a configuration

extension PayloadRules {
    mutating func checkConfiguration(
        _ record: RecordFields, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner
    ) {
        let topic = topic(record, envelope, payload).text
        guard let app = app(ofTopic: copy.bytes(of: topic, in: record.chunk)) else { return }
        // This may overwrite the topic's text, which is no longer needed.
        let category = payload[record[.category]]
        if category.kind == .string, category.text.count > 0 {
            let name = copy.decoded(category, of: record.chunk)
            let found = self.category(copy.bytes(of: name, in: record.chunk), of: app)
            if !found.isKnown { problems.insert(.categoryUnknown) }
            if profile == .ios12, found.takesArguments, lacksSummaryArgument(record, payload) {
                problems.insert(.summaryArgumentMissing)
            }
            untranslatedKey = found.untranslatedKey
        }
        if let texts = known.texts(of: app) { checkTexts(record, app, texts, payload) }
        if untranslatedKey != nil { problems.insert(.localizedKeyUnknown) }
    }

    /// Returns the symbol of a topic's app; nil if the configuration does not have the app.
    private func app(ofTopic topic: Span<UInt8>) -> UInt32? {
        known.app(topic.extracting(droppingLast: topicSuffixes.count(atEndOf: topic) ?? 0))
    }

    private func category(
        _ name: Span<UInt8>, of app: UInt32
    ) -> (isKnown: Bool, takesArguments: Bool, untranslatedKey: UntranslatedKey?) {
        (
            known.contains(name, of: app), known.format(of: name, of: app).takesArguments,
            known.untranslatedKey(of: name, of: app)
        )
    }

    /// Returns whether a notification counts for several, but has no argument to name them by.
    private func lacksSummaryArgument(_ record: RecordFields, _ payload: borrowing FieldScanner) -> Bool {
        payload.kind(of: record[.summaryCount]) == .number
            && !Self.hasText(record[.summaryArgument], payload)
            && !payload.isMistyped(record[.summaryArgument])
    }

    /// Checks whether each language has the texts that an alert refers to, and whether the alert has as many arguments
    /// as they take.
    private mutating func checkTexts(
        _ record: RecordFields, _ app: UInt32, _ texts: KnownCategories.Texts,
        _ payload: borrowing FieldScanner
    ) {
        var isFirst = true
        for text in Self.localizedTexts where !Self.hasText(record[text.text], payload) {
            guard Self.hasText(record[text.key], payload) else { continue }
            let key = copy.decoded(payload[record[text.key]], of: record.chunk)
            let name = copy.bytes(of: key, in: record.chunk).string
            let known = knownText(AlertKey(app: app, key: name), texts)
            if isFirst, !known.lacking.isEmpty {
                // It is shown more often than the key of a format.
                untranslatedKey = UntranslatedKey(key: name, category: nil, languages: known.lacking)
                isFirst = false
            }
            let arguments = payload[record[text.arguments]]
            let count: Int
            switch arguments.kind {
            case .absent, .null: count = 0
            case .array:
                guard let elements = self.count(ofArray: arguments, record.chunk) else { continue }
                count = elements
            // The wrong type is a finding of its own.
            default: continue
            }
            if count < known.argumentCount { problems.insert(text.few) }
        }
    }

    /// Returns the number of arguments that a text takes, 0 if no table has it, and the languages without a text.
    private mutating func knownText(
        _ key: AlertKey, _ texts: KnownCategories.Texts
    ) -> (argumentCount: Int, lacking: [String]) {
        if let known = knownTexts[key] { return known }
        var known = (argumentCount: 0, lacking: texts.gaps.languages(lacking: key.key))
        if case .text(let text) = texts.alerts.find(key.key) {
            known.argumentCount = text.string.argumentCount
        }
        // Keys are as many as a log has: a log of random keys must not fill the memory.
        if knownTexts.count >= Self.maximumTexts { knownTexts.removeAll(keepingCapacity: true) }
        knownTexts[key] = known
        return known
    }
}
