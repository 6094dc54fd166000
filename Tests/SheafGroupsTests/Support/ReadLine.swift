import SheafBytes

@testable import SheafGroups

/// The records of a line of any shape, with their texts copied from the chunk.
struct ReadLine {
    struct Record: Equatable {
        var outcome: RecordDecoder.Outcome
        /// The index in the line; nil if the line has one record by its form.
        var index: UInt32?
        var isUntimed = false
        var findings: [Finding] = []
        /// Milliseconds since 1970; 0 if the record was rejected.
        var timestamp: Int64 = 0
        var weight: UInt32 = 1
        /// The texts of a notification by name; a localized text is its key and its arguments with a space between.
        var texts: [String: String] = [:]
        /// What a removal removes.
        var removed: [String] = []
        /// The traits of a notification.
        var traits = NotificationTraits.none
        /// The settings that a change has, and their scope.
        var settings = UserSettings()
        var settingsScope = ""
        /// What a response chose: "REPLY in message of a".
        var response = ""
        /// Why the service refused a push; empty if that is not logged.
        var refusal = ""
        /// The text that a reject quotes; empty if the record was not rejected.
        var rejectedText = ""
    }

    private(set) var records: [Record] = []
    /// Whether the texts of all records still have their bytes after the last one was read: batches refer to them.
    private(set) var isUnchangedAtTheEnd = true

    /// - Parameters:
    ///   - app: the app of records that have none.
    ///   - used: a reader of the same input that has read other lines.
    ///   - readsTraits: whether the traits of notifications are read.
    ///   - expectsForeign: whether the line is first read as one that is not a native record, as after others.
    init(
        _ line: String, _ input: LogInput = .automatic, app: String? = nil, by used: EntryReader? = nil,
        readsTraits: Bool = false, expectsForeign: Bool = false
    ) {
        let bytes = Array(line.utf8)
        let room = bytes.count + 1 + input.constantBytes + (app?.utf8.count ?? 0)
        let chunk = Chunk(bytes, annex: room)
        var decoder = RecordDecoder(
            keepsRejectedText: true, readsTraits: readsTraits, readsNativeOnly: input.readsNativeOnly,
            keepsTextForMappings: input.keepsTextForMappings)
        if let app { decoder.setDefaultApp(chunk.constant(app) ?? .none) }
        let whole = TextRange(0..<bytes.count)
        var reason: RejectReason?
        let reader = used ?? EntryReader(input)
        let isForeign = expectsForeign && reader.beginForeign(whole, of: chunk, &decoder)
        if input.readsNative, !isForeign {
            let outcome = decoder.decode(whole, of: chunk, at: RecordPosition(source: 0, line: 7))
            guard case .rejected(let rejection) = outcome, decoder.mayBeForeign(rejection, whole, of: chunk)
            else {
                records = [Self.record(outcome, nil, decoder, whole, chunk)]
                return
            }
            decoder.restoreText(in: chunk)
            reason = rejection
        }
        var ranges: [(record: Int, name: String, range: TextRange)] = []
        if !isForeign { reader.begin(whole, of: chunk, reason: reason, &decoder) }
        while let item = reader.next(in: chunk, &decoder, at: RecordPosition(source: 0, line: 7)) {
            let record = Self.record(item.outcome, item.index, decoder, whole, chunk)
            if item.outcome == .notification {
                for (name, range) in Self.ranges(of: decoder.record) {
                    ranges.append((records.count, name, range))
                }
                precondition(decoder.record.order.index == item.index ?? 0)
            }
            records.append(record)
        }
        isUnchangedAtTheEnd = ranges.allSatisfy { item in
            records[item.record].texts[item.name] == Self.text(item.range, in: chunk)
        }
    }

    private static func ranges(of record: NotificationRecord) -> [(name: String, range: TextRange)] {
        [
            ("app", record.app), ("device", record.device), ("id", record.identifier),
            ("collapse", record.collapseIdentifier), ("thread", record.thread),
            ("category", record.category), ("title", record.title), ("subtitle", record.subtitle),
            ("body", record.body), ("argument", record.argument),
        ].filter { !$0.1.isEmpty }
    }

    private static func text(_ range: TextRange, in chunk: Chunk) -> String {
        let bytes = chunk.bytes(of: range)
        guard let localized = LocalizedText(bytes) else { return bytes.string }
        return bytes.extracting(localized.key).string + " " + bytes.extracting(localized.arguments).string
    }

    private static func record(
        _ outcome: RecordDecoder.Outcome, _ index: UInt32?, _ decoder: borrowing RecordDecoder,
        _ line: TextRange, _ chunk: Chunk
    ) -> Record {
        var record = Record(outcome: outcome, index: index)
        switch outcome {
        case .rejected:
            if let copy = decoder.rejectedCopy {
                record.rejectedText = copy.span.string
            } else {
                record.rejectedText = chunk.bytes(of: line).string
            }
        case .otherPlatform: break
        case .silent, .refused, .removal, .settings, .response, .result, .outcome, .notification:
            let findings = decoder.findings
            record.findings = Finding.allCases.filter { findings.contains($0) }
            record.isUntimed = decoder.isUntimed
            record.timestamp = decoder.record.order.timestamp
        }
        if outcome == .notification || outcome == .result {
            record.weight = decoder.record.weight
            record.traits = decoder.record.traits
            for (name, range) in ranges(of: decoder.record) { record.texts[name] = text(range, in: chunk) }
        }
        if outcome == .refused { record.refusal = text(decoder.refusal, in: chunk) }
        if outcome == .removal { record.removed = decoder.removals.map { removed($0, in: chunk) } }
        if outcome == .outcome { record.removed = decoder.outcomes.map { outcomeText($0, in: chunk) } }
        if outcome == .response {
            let response = decoder.response
            let category = response.category.isEmpty ? "no category" : text(response.category, in: chunk)
            let app = text(response.app, in: chunk)
            record.response = "\(text(response.action, in: chunk)) in \(category) of \(app)"
        }
        if outcome == .settings {
            let change = decoder.settings
            record.timestamp = change.order.timestamp
            record.settings = change.settings
            let app = change.app.isEmpty ? "all apps" : text(change.app, in: chunk)
            let device = change.device.isEmpty ? "" : ", \(text(change.device, in: chunk))"
            record.settingsScope = app + device
        }
        return record
    }

    /// Returns what a removal removes: "identifier x of app, device".
    private static func removed(_ removal: RemovalRecord, in chunk: Chunk) -> String {
        let scope = removal.scope == .app ? "all" : "\(removal.scope) \(text(removal.text, in: chunk))"
        let device = removal.device.isEmpty ? "" : ", \(text(removal.device, in: chunk))"
        return "\(scope) of \(text(removal.app, in: chunk))\(device)"
    }

    /// Returns what an outcome tells of a push: "refused id x of app, device: reason".
    private static func outcomeText(_ outcome: OutcomeRecord, in chunk: Chunk) -> String {
        let scope = [outcome.app, outcome.device].filter { !$0.isEmpty }.map { text($0, in: chunk) }
        let reason = outcome.reason.isEmpty ? "" : ": \(text(outcome.reason, in: chunk))"
        return
            "\(outcome.answer) \(outcome.scope == .collapse ? "collapse id" : "id") \(text(outcome.text, in: chunk))"
            + (scope.isEmpty ? "" : " of \(scope.joined(separator: ", "))") + reason
    }

    /// A short form for tables: for each record its texts in order of name, or its outcome.
    ///
    ///     "app=a body=x @1700000000000"
    var summary: [String] {
        records.map { record in
            switch record.outcome {
            case .notification:
                let texts = record.texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                let time = record.isUntimed ? [] : ["@\(record.timestamp)"]
                let weight = record.weight == 1 ? [] : ["×\(record.weight)"]
                return (texts + time + weight).joined(separator: " ")
            case .silent: return "silent"
            case .removal: return "removes \(record.removed.joined(separator: "; "))"
            case .settings:
                return "sets \(record.settings.shown) for \(record.settingsScope) @\(record.timestamp)"
            case .result:
                let texts = record.texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return "modifies \(texts.joined(separator: " ")) @\(record.timestamp)"
            case .outcome: return record.removed.joined(separator: "; ")
            case .response: return "\(record.response) @\(record.timestamp)"
            case .otherPlatform: return "other platform"
            case .refused: return record.refusal.isEmpty ? "refused" : "refused: \(record.refusal)"
            case .rejected(let reason): return "\(reason.name)"
            }
        }
    }
}

extension UserSettings {
    /// The settings that are given, in a short form: "quiet, sounds false".
    var shown: String {
        let switches = [
            ("provisional", delivery.provisional), ("sounds", delivery.sounds),
            ("serviceExtension", delivery.serviceExtension), ("critical", delivery.critical),
            ("alert", delivery.alert), ("badge", delivery.badge), ("sound", delivery.sound),
            ("open", isOpen),
        ]
        let parts =
            [delivery.delivery?.rawValue] + switches.map { name, value in value.map { "\(name) \($0)" } }
            + [grouping.map { "grouping \($0)" }, showPreviews.map { "previews \($0)" }]
            + [locale.locale.map { "locale \($0.tag)" }]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}

extension LogInput {
    /// A mapping with these members.
    init(mapping json: String) {
        do {
            try self.init(json: Array(json.utf8), file: "mapping.json")
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
