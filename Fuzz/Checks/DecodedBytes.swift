import SheafBytes
import SheafGroups

/// What a line decodes to, by value, wherever the line stands in its chunk.
struct DecodedBytes: Equatable {
    let outcome: RecordDecoder.Outcome
    /// Of a notification.
    private var texts: [[UInt8]] = []
    private var order: OrderKey?
    private var weight: UInt32 = 0
    /// Of a record that is not rejected.
    private var isUntimed = false
    private var findings: [Finding] = []
    /// Broken promises of the decoder.
    private(set) var mistakes: [String] = []

    /// - Parameters:
    ///   - before: whole lines that stand before it in the chunk.
    ///   - behind: what stands behind its LF.
    init(_ line: [UInt8], before: [UInt8] = [], behind: [UInt8] = [], by decoder: inout RecordDecoder) {
        let content = before + line + [0x0a] + behind
        let chunk = Chunk(content)
        let place = TextRange(before.count..<(before.count + line.count))
        outcome = decoder.decode(place, of: chunk, source: 0, line: 1)
        switch outcome {
        case .rejected:
            let copy = decoder.rejectedCopy
            let quoted = copy ?? [UInt8](copying: chunk.bytes(of: place))
            if quoted != line { mistakes.append("\(outcome) with the text \(quoted.shown)") }
        case .silent, .notification:
            isUntimed = decoder.isUntimed
            let found = decoder.findings
            findings = Finding.allCases.filter { found.contains($0) }
        }
        if outcome == .notification { take(decoder.record, at: place, of: chunk) }

        // What is decoded in place stays inside the line.
        var now = [UInt8](copying: chunk.bytes)
        now.replaceSubrange(place.range, with: line)
        if now.prefix(content.count) != content[...] { mistakes.append("bytes around the line changed") }
    }

    private mutating func take(_ record: NotificationRecord, at place: TextRange, of chunk: Chunk) {
        order = record.order
        weight = record.weight
        let ranges = [
            record.app, record.device, record.thread, record.identifier, record.collapseIdentifier,
            record.category, record.title, record.subtitle, record.body, record.argument,
        ]
        for text in ranges where !text.isEmpty {
            if text.range.clamped(to: place.range) != text.range {
                mistakes.append("a text at \(text.range), outside its line at \(place.range)")
            }
            if !Self.isValid(chunk.bytes(of: text)) { mistakes.append("a text that is not UTF-8") }
        }
        if record.app.isEmpty { mistakes.append("a notification without an app") }
        texts = ranges.map { $0.isEmpty ? [] : [UInt8](copying: chunk.bytes(of: $0)) }
    }
}

extension DecodedBytes {
    /// A localized text is valid where its parts are.
    private static func isValid(_ text: Span<UInt8>) -> Bool {
        guard let localized = LocalizedText(text) else { return text.isValidUTF8 }
        return text.extracting(localized.key).isValidUTF8 && text.extracting(localized.arguments).isValidUTF8
    }

    /// What the outcome says of the line's JSON alone.
    var structure: FieldScanner.Outcome {
        switch outcome {
        case .rejected(.jsonTooDeep): .tooDeep
        case .rejected(.jsonInvalid): .invalid
        case .rejected(.jsonNotObject): .notObject
        case .rejected, .silent, .notification: .object
        }
    }
}

extension DecodedBytes: CustomStringConvertible {
    var description: String {
        let order = order.map { "\($0.timestamp)" } ?? "no time"
        return "\(outcome) \(texts.map(\.shown)) \(order), weight \(weight), \(findings)"
    }
}
