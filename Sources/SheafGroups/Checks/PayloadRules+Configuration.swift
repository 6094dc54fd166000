import SheafBytes

// The rules that need a configuration.

extension PayloadRules {
    mutating func checkConfiguration(
        _ record: Found, _ envelope: borrowing FieldScanner, _ payload: borrowing FieldScanner,
        _ problems: inout ProblemSet
    ) {
        let topic = topic(record, envelope, payload).text
        let bytes = topic.chunk.bytes(of: topic.range)
        let suffix = topicSuffixes.count(atEndOf: bytes) ?? 0
        guard let app = known.app(bytes.extracting(droppingLast: suffix)) else { return }
        // This may overwrite the topic's text, which is no longer needed.
        let category = payload[record[.category]]
        if category.kind == .string, category.text.count > 0 {
            let name = copy.decoded(category, of: record.payloadChunk)
            let text = name.chunk.bytes(of: name.range)
            if !known.contains(text, of: app) { problems.insert(.categoryUnknown) }
            if profile == .ios12, known.format(of: text, of: app).takesArguments,
                lacksSummaryArgument(record, payload)
            {
                problems.insert(.summaryArgumentMissing)
            }
            missingKey = known.missingKey(of: text, of: app)
        }
        if let texts = known.texts(of: app) { checkTexts(record, app, texts, payload, &problems) }
        if missingKey != nil { problems.insert(.localizedKeyUnknown) }
    }

    /// Returns whether a notification counts for several, but has no argument to name them by.
    private func lacksSummaryArgument(_ record: Found, _ payload: borrowing FieldScanner) -> Bool {
        payload.kind(of: record[.summaryCount]) == .number
            && !Self.hasText(record[.summaryArgument], payload)
            && !payload.isMistyped(record[.summaryArgument])
    }

    /// Checks whether each language has the texts that an alert refers to, and whether the alert has as many arguments
    /// as they take.
    private mutating func checkTexts(
        _ record: Found, _ app: UInt32, _ texts: KnownCategories.Texts, _ payload: borrowing FieldScanner,
        _ problems: inout ProblemSet
    ) {
        var isFirst = true
        for text in Self.localizedTexts where !Self.hasText(record[text.text], payload) {
            guard Self.hasText(record[text.key], payload) else { continue }
            let key = copy.decoded(payload[record[text.key]], of: record.payloadChunk)
            let name = key.chunk.bytes(of: key.range).string
            let known = knownText(AlertKey(app: app, key: name), texts)
            if isFirst, !known.lacking.isEmpty {
                // It is shown more often than the key of a format.
                missingKey = KnownCategories.MissingKey(key: name, category: nil, languages: known.lacking)
                isFirst = false
            }
            let arguments = payload[record[text.arguments]]
            let count: Int
            switch arguments.kind {
            case .absent, .null: count = 0
            case .array:
                guard let elements = self.count(ofArray: arguments, record.payloadChunk) else { continue }
                count = elements
            // The wrong type is a finding of its own.
            default: continue
            }
            if count < known.argumentCount { problems.insert(text.few) }
        }
    }

    private mutating func knownText(_ key: AlertKey, _ texts: KnownCategories.Texts) -> KnownText {
        if let known = knownTexts[key] { return known }
        var known = KnownText(lacking: texts.gaps.languages(lacking: key.key))
        if case .text(let text) = texts.alerts.find(key.key) {
            known.argumentCount = text.string.argumentCount
        }
        // Keys are as many as a log has: a log of random keys must not fill the memory.
        if knownTexts.count >= Self.maximumTexts { knownTexts.removeAll(keepingCapacity: true) }
        knownTexts[key] = known
        return known
    }
}
