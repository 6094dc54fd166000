import SheafBytes
import SheafGroups

/// Looks for the likely cause when most records of a run have no timestamp or are rejected (specification §12.6).
///
/// Examines the first lines of the first source, which a run keeps.
package struct InputHints {
    private let input: InputOptions
    private let head: [UInt8]
    /// How a command names the log.
    private let log: String
    /// The path of the only source; nil if there are several, or if it is standard input.
    private let path: String?
    private let maximumLine: Int

    /// The maximum number of records that are examined.
    private static let sampledRecords = 200

    /// - Parameter head: the first lines of the first source.
    package init(_ input: InputOptions, _ sources: [Source], head: [UInt8], maximumLine: Int) {
        self.input = input
        self.head = head
        let first = sources.first?.path ?? ""
        path = sources.count == 1 && first != "-" ? first : nil
        log = path ?? "LOG\(OutputCompression(path: first)?.suffix ?? "")"
        self.maximumLine = maximumLine
    }

    /// For the lines of a log that are at hand.
    package init(path: String, maximumLine: Int) {
        self.init(
            InputOptions(), [Source(path: path, named: nil, size: nil, identity: nil)], head: [],
            maximumLine: maximumLine)
    }

    /// Returns a warning if most records were rejected and there are enough records to judge by.
    ///
    /// - Parameter rejected: the number of rejected records by reason.
    package func rejects(
        _ rejected: [(reason: RejectReason, count: UInt64)], of records: UInt64
    ) -> ReplayWarning? {
        let total = rejected.reduce(0) { $0 + $1.count }
        guard let most = rejected.max(by: { $0.count < $1.count }) else { return nil }
        if Limits.isMajority(total, of: records) {
            return .mostlyRejected(total, of: records, most.reason, hint(most.reason))
        }
        // If none of a few records is understood, the log is one of another make.
        guard total == records, let hint = hint(most.reason) else { return nil }
        return .mostlyRejected(total, of: records, most.reason, hint)
    }

    /// Returns the pointer to a value that most of the sampled records without a timestamp have and that is probably a
    /// time; nil if no value is.
    package func timestampPointer() -> String? {
        let untimed = sample(input).filter { record in
            switch record.outcome {
            case .notification, .silent, .refused: record.trace?.has("timestamp") == false
            case .otherPlatform, .removal, .settings, .response, .result, .outcome, .rejected: false
            }
        }
        return Self.commonPointer(
            untimed, preferring: ["time", "date", "when", "at", "ts"], \.isProbablyTime)
    }

    package func hint(_ reason: RejectReason) -> ReplayWarning.InputHint? {
        if let settings { return settings }
        let rejected = sample(input).filter { if case .rejected = $0.outcome { true } else { false } }
        switch reason {
        case .jsonInvalid, .jsonNotObject: return hint(onTextOf: rejected)
        case .payloadMissing, .payloadInvalid, .apsMissing:
            if let name = otherLog { return .otherLog(name) }
            return Self.payloadHint(rejected, log: log)
        case .appMissing: return Self.appHint(rejected, log: log)
        case .lineTooLong, .jsonTooDeep, .timestampInvalid, .fieldTooLong, .removalInvalid,
            .settingsInvalid, .responseInvalid, .resultInvalid, .outcomeInvalid:
            return nil
        case .inputUnmatched: return unmatchedHint(rejected)
        }
    }

    /// Returns the condition that most of the entries do not fulfil.
    private func unmatchedHint(_ records: [InputDetection.DetectedRecord]) -> ReplayWarning.InputHint? {
        var counts: [String: (count: Int, field: EntryTrace.TracedField, mapping: String)] = [:]
        for record in records {
            for misfit in record.trace?.misfits ?? [] {
                guard let field = misfit.unmet.first(where: { $0.name == "when" }) else { continue }
                let key = "\(misfit.mapping) \(field.origin) \(String(decoding: field.text, as: UTF8.self))"
                counts[key, default: (0, field, misfit.mapping)].count += 1
            }
        }
        guard let most = counts.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) })?.value else {
            return nil
        }
        return .unmatched(
            mapping: most.mapping, pointer: most.field.origin,
            problem: String(decoding: most.field.text, as: UTF8.self), log: log)
    }

    /// Returns where the payload probably is.
    ///
    /// - Parameter records: those that are not understood.
    static func payloadHint(
        _ records: [InputDetection.DetectedRecord], log: String
    ) -> ReplayWarning.InputHint {
        payloadPointer(records).map { .payload(pointer: $0, log: log) } ?? .unknown(log: log)
    }

    /// Returns where the app probably is; nil if nothing looks like one.
    ///
    /// - Parameter records: those without an app.
    static func appHint(
        _ records: [InputDetection.DetectedRecord], log: String
    ) -> ReplayWarning.InputHint? {
        commonPointer(records, preferring: ["bundle", "app", "topic"], \.isProbablyApp)
            .map { .app(pointer: $0, log: log) }
    }

    /// The kind of the only source, if it is one of Sheaf's own settings. The whole file is read, which is small.
    private var settings: ReplayWarning.InputHint? {
        guard let path, path.hasSuffix(".json"), head.contains(UInt8(ascii: ":")) else { return nil }
        if (try? Configuration(contentsOf: path)) != nil { return .configuration(path) }
        return (try? LogInput(contentsOf: path)) != nil ? .mapping(path) : nil
    }

    private func sample(_ input: InputOptions) -> [InputDetection.DetectedRecord] {
        InputDetection.records(of: head, input, maximumLine: maximumLine, upTo: Self.sampledRecords)
    }

    /// The name of a kind of log that holds no payloads, if most of the sampled entries belong to it.
    private var otherLog: String? {
        let records = sample(InputOptions(log: .withoutPayload))
        var counts: [String: Int] = [:]
        for record in records {
            if let shape = record.trace?.shape { counts[shape, default: 0] += 1 }
        }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            most.value * 2 > records.count
        else { return nil }
        return InputShape.nameOfLog(withoutPayload: most.key)
    }

    /// Returns the pointer to the object that has `aps` in most of the records.
    private static func payloadPointer(_ records: [InputDetection.DetectedRecord]) -> String? {
        var counts: [String: Int] = [:]
        for record in records {
            let parents = (record.trace?.leaves ?? []).compactMap { $0.parent(of: "aps") }
            for pointer in Set(parents) { counts[pointer, default: 0] += 1 }
        }
        return counts.filter { $0.value * 2 > records.count }
            .min { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }?.key
    }

    /// Returns the pointer of the values that fulfil a condition in most of the records: one whose last key contains
    /// one of some words, if there is any.
    private static func commonPointer(
        _ records: [InputDetection.DetectedRecord], preferring words: [String],
        _ condition: (JSONLeaves.Leaf) -> Bool
    ) -> String? {
        var counts: [String: Int] = [:]
        for record in records {
            let found = (record.trace?.leaves ?? []).filter { !$0.keys.contains("*") && condition($0) }
            for pointer in Set(found.map(\.pointer)) { counts[pointer, default: 0] += 1 }
        }
        func rank(_ pointer: String) -> (Int, Int, String) {
            let name = pointer.split(separator: "/").last.map { $0.lowercased() } ?? ""
            return (words.contains { name.contains($0) } ? 0 : 1, pointer.utf8.count, pointer)
        }
        return counts.filter { $0.value * 2 > records.count }.map(\.key).min { rank($0) < rank($1) }
    }

    /// Returns what the lines of a log that is not NDJSON look like.
    package func hint(onTextOf records: [InputDetection.DetectedRecord]) -> ReplayWarning.InputHint? {
        hint(onTexts: records.compactMap { $0.trace?.text })
    }

    /// Returns what some lines look like; nil if they are NDJSON, or nothing is recognized.
    package func hint(onLines lines: [[UInt8]]) -> ReplayWarning.InputHint? {
        let others = lines.filter { !JSONLeaves.isObject($0) }
        guard others.count * 2 > lines.count else { return nil }
        return hint(onTexts: others.prefix(Self.sampledRecords).map { String(decoding: $0, as: UTF8.self) })
    }

    package func hint(onTexts lines: [String]) -> ReplayWarning.InputHint? {
        let texts = lines.map { $0.drop { " \t".contains($0) } }
        let parts = texts.count { $0.hasPrefix("\"") || ["{", "}", "},", "[", "]"].contains($0) }
        if parts * 2 > texts.count { return .severalLines(log: log) }
        let prefixed = texts.count { text in
            guard let start = text.firstIndex(of: "{"), start > text.startIndex else { return false }
            return JSONLeaves.isObject(Array(text[start...].utf8))
        }
        guard prefixed * 2 > texts.count else {
            let others = texts.count { !$0.contains("{") && !$0.contains("[") }
            return others * 2 > texts.count ? .withoutJSON(log: log) : nil
        }
        return .textBeforeJSON(
            log: log, hasTime: texts.count(where: Self.beginsWithOnlyTime) * 2 > texts.count)
    }

    /// Whether a line begins with a time, and the object after it has none.
    private static func beginsWithOnlyTime(_ line: Substring) -> Bool {
        guard let first = line.split(separator: " ", maxSplits: 1).first,
            let start = line.firstIndex(of: "{"),
            Timestamp.instant(dateTime: String(first)) != nil
        else { return false }
        return !JSONLeaves(of: Array(line[start...].utf8)).leaves.contains {
            $0.keys.count == 1 && $0.isProbablyTime
        }
    }
}
