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
        }
        if let texts = known.alerts(of: app) { checkArguments(record, app, texts, payload, &problems) }
    }

    /// Returns whether a notification counts for several, but has no argument to name them by.
    private func lacksSummaryArgument(_ record: Found, _ payload: borrowing FieldScanner) -> Bool {
        payload.kind(of: record[.summaryCount]) == .number
            && !Self.hasText(record[.summaryArgument], payload)
            && !payload.isMistyped(record[.summaryArgument])
    }

    /// Checks whether an alert has as many arguments as the texts that it refers to take.
    private mutating func checkArguments(
        _ record: Found, _ app: UInt32, _ texts: AlertTexts, _ payload: borrowing FieldScanner,
        _ problems: inout ProblemSet
    ) {
        for text in Self.localizedTexts where !Self.hasText(record[text.text], payload) {
            guard Self.hasText(record[text.key], payload) else { continue }
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
            let key = copy.decoded(payload[record[text.key]], of: record.payloadChunk)
            let name = key.chunk.bytes(of: key.range).string
            if count < argumentCount(AlertKey(app: app, key: name), texts) { problems.insert(text.few) }
        }
    }

    /// Returns the number of arguments that the text for a key takes; 0 if no table has a text for it.
    private mutating func argumentCount(_ key: AlertKey, _ texts: AlertTexts) -> Int {
        if let count = argumentCounts[key] { return count }
        var count = 0
        if case .text(let text) = texts.find(key.key) { count = text.string.argumentCount }
        // Keys are as many as a log has: a log of random keys must not fill the memory.
        if argumentCounts.count >= Self.maximumTexts { argumentCounts.removeAll(keepingCapacity: true) }
        argumentCounts[key] = count
        return count
    }
}
