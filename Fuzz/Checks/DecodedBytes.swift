import SheafBytes
import SheafGroups

/// The result of decoding a line, as values that do not depend on the line's offset in its chunk.
struct DecodedBytes: Equatable {
    let outcome: RecordDecoder.Outcome
    /// The fields of a notification.
    private var texts: [[UInt8]] = []
    private var order: OrderKey?
    private var weight: UInt32 = 0
    /// The properties of a record that is not rejected.
    private var isUntimed = false
    private var findings: [Finding] = []
    /// Whether the line was rejected, but may have another shape.
    private(set) var mayBeForeign = false
    /// The decoder's broken invariants.
    private(set) var violations: [String] = []

    /// - Parameters:
    ///   - before: complete lines that precede the line in the chunk.
    ///   - after: the bytes after the line's LF.
    init(_ line: [UInt8], before: [UInt8] = [], after: [UInt8] = [], by decoder: inout RecordDecoder) {
        let content = before + line + [UInt8(ascii: "\n")] + after
        let chunk = Chunk(content)
        let lineRange = TextRange(before.count..<(before.count + line.count))
        outcome = decoder.decode(lineRange, of: chunk, at: RecordPosition(source: 0, line: 1))
        switch outcome {
        case .rejected(let reason):
            mayBeForeign = decoder.mayBeForeign(reason, lineRange, of: chunk)
            let copy = decoder.rejectedCopy
            let quoted = copy ?? [UInt8](copying: chunk.bytes(of: lineRange))
            if quoted != line { violations.append("\(outcome) with the text \(quoted.shown)") }
        case .silent, .refused, .otherPlatform, .removal, .settings, .response, .result, .outcome,
            .notification:
            isUntimed = decoder.isUntimed
            let found = decoder.findings
            findings = Finding.allCases.filter { found.contains($0) }
        }
        if outcome == .notification || outcome == .result {
            take(decoder.record, at: lineRange, of: chunk)
        }
        if outcome == .removal { take(decoder.removals, at: lineRange, of: chunk) }
        if outcome == .outcome { take(decoder.outcomes, at: lineRange, of: chunk) }
        if outcome == .settings { take(decoder.settings, at: lineRange, of: chunk) }
        if outcome == .response { take(decoder.response, at: lineRange, of: chunk) }

        // Decoding in place must not change bytes outside the line.
        var now = [UInt8](copying: chunk.bytes)
        now.replaceSubrange(lineRange.range, with: line)
        if now.prefix(content.count) != content[...] { violations.append("bytes around the line changed") }
    }

    /// A record of a line with several, or of another shape.
    ///
    /// - Parameter annex: the offset from which on texts need not be in the line.
    init(
        _ outcome: RecordDecoder.Outcome, _ line: TextRange, of chunk: Chunk, annex: Int,
        by decoder: borrowing RecordDecoder
    ) {
        self.outcome = outcome
        switch outcome {
        case .rejected, .otherPlatform: break
        case .silent, .refused, .removal, .settings, .response, .result, .outcome, .notification:
            isUntimed = decoder.isUntimed
            let found = decoder.findings
            findings = Finding.allCases.filter { found.contains($0) }
        }
        if outcome == .notification || outcome == .result {
            take(decoder.record, at: line, of: chunk, annex: annex)
        }
        if outcome == .removal { take(decoder.removals, at: line, of: chunk) }
        if outcome == .outcome { take(decoder.outcomes, at: line, of: chunk) }
        if outcome == .settings { take(decoder.settings, at: line, of: chunk) }
        if outcome == .response { take(decoder.response, at: line, of: chunk) }
    }

    private mutating func take(
        _ record: NotificationRecord, at line: TextRange, of chunk: Chunk, annex: Int = .max
    ) {
        order = record.order
        weight = record.weight
        let ranges = [
            record.app, record.device, record.thread, record.identifier, record.collapseIdentifier,
            record.category, record.title, record.subtitle, record.body, record.argument,
        ]
        check(ranges, at: line, of: chunk, annex)
        if record.app.isEmpty { violations.append("a notification without an app") }
        if outcome == .result, !record.isReplaceable { violations.append("a result for nothing") }
        texts = ranges.map { $0.isEmpty ? [] : [UInt8](copying: chunk.bytes(of: $0)) }
    }
}

extension DecodedBytes {
    private mutating func take(_ removals: [RemovalRecord], at line: TextRange, of chunk: Chunk) {
        for removal in removals {
            order = removal.order
            let ranges = [removal.app, removal.device, removal.text]
            check(ranges, at: line, of: chunk, .max)
            if removal.app.isEmpty || removal.scope == .identifier && removal.text.isEmpty {
                violations.append("a removal without an app or an identifier")
            }
            texts += ranges.map { $0.isEmpty ? [] : [UInt8](copying: chunk.bytes(of: $0)) }
        }
    }

    private mutating func take(_ outcomes: [OutcomeRecord], at line: TextRange, of chunk: Chunk) {
        for outcome in outcomes {
            order = outcome.order
            let ranges = [outcome.app, outcome.device, outcome.text, outcome.reason]
            check(ranges, at: line, of: chunk, .max)
            if outcome.text.isEmpty { violations.append("an outcome of no push") }
            texts += ranges.map { $0.isEmpty ? [] : [UInt8](copying: chunk.bytes(of: $0)) }
        }
    }

    private mutating func take(_ change: SettingsRecord, at line: TextRange, of chunk: Chunk) {
        order = change.order
        let ranges = [change.app, change.device]
        check(ranges, at: line, of: chunk, .max)
        if change.settings.isEmpty { violations.append("a change of no settings") }
        texts = ranges.map { $0.isEmpty ? [] : [UInt8](copying: chunk.bytes(of: $0)) }
    }

    private mutating func take(_ response: ResponseRecord, at line: TextRange, of chunk: Chunk) {
        let ranges = [response.app, response.category, response.action]
        check(ranges, at: line, of: chunk, .max)
        if response.app.isEmpty || response.action.isEmpty {
            violations.append("a response without an app or an action")
        }
        texts = ranges.map { $0.isEmpty ? [] : [UInt8](copying: chunk.bytes(of: $0)) }
    }

    private mutating func check(
        _ ranges: [TextRange], at line: TextRange, of chunk: Chunk, _ annex: Int
    ) {
        for text in ranges where !text.isEmpty {
            if text.range.clamped(to: line.range) != text.range, text.range.lowerBound < annex {
                violations.append("a text at \(text.range), outside its line at \(line.range)")
            }
            if !Self.isValid(chunk.bytes(of: text)) { violations.append("a text that is not UTF-8") }
        }
    }

    /// Whether a text is valid UTF-8; a localized text is if its parts are.
    static func isValid(_ text: Span<UInt8>) -> Bool {
        guard let localized = LocalizedText(text) else { return text.isValidUTF8 }
        return text.extracting(localized.key).isValidUTF8 && text.extracting(localized.arguments).isValidUTF8
    }

    /// The outcome of scanning the line's JSON, without regard to its meaning.
    var structure: FieldScanner.Outcome {
        switch outcome {
        case .rejected(.jsonTooDeep): .tooDeep
        case .rejected(.jsonInvalid): .invalid
        case .rejected(.jsonNotObject): .notObject
        case .rejected, .silent, .refused, .otherPlatform, .removal, .settings, .response, .result, .outcome,
            .notification:
            .object
        }
    }
}

extension DecodedBytes: CustomStringConvertible {
    var description: String {
        let order = order.map { "\($0.timestamp)" } ?? "no time"
        return "\(outcome) \(texts.map(\.shown)) \(order), weight \(weight), \(findings)"
    }
}
