import Foundation
import SheafBytes

@testable import SheafGroups

/// A decoded line, with its texts copied from the chunk.
struct DecodedLine {
    let outcome: RecordDecoder.Outcome
    let isUntimed: Bool
    let findings: [Finding]
    let order: OrderKey
    let weight: UInt32
    let app: String
    let device: String
    let thread: String
    let identifier: String
    let collapseIdentifier: String
    let category: String
    let title: String
    let subtitle: String
    let body: String
    let argument: String
    /// The arguments kept with the keys of localized texts, by the texts' names.
    let localArguments: [String: String]
    /// The text that a reject would quote.
    let rejectedText: String

    init(_ line: String, source: Int = 0, number: UInt64 = 1, keepsRejectedText: Bool = true) {
        var decoder = RecordDecoder(keepsRejectedText: keepsRejectedText)
        self.init(line, source: source, number: number, by: &decoder)
    }

    init(_ line: String, source: Int = 0, number: UInt64 = 1, by decoder: inout RecordDecoder) {
        let bytes = Array(line.utf8)
        let chunk = Chunk(bytes)
        let whole = TextRange(0..<bytes.count)
        let outcome = decoder.decode(whole, of: chunk, at: RecordPosition(source: source, line: number))
        let record = decoder.record
        let isNotification = outcome == .notification
        func text(_ range: TextRange) -> String { isNotification ? chunk.bytes(of: range).string : "" }
        var localArguments: [String: String] = [:]
        /// Returns the text as shown without string tables: the key of a localized text.
        func shown(_ range: TextRange, _ name: String) -> String {
            let bytes = chunk.bytes(of: range)
            guard isNotification, let localized = LocalizedText(bytes) else { return text(range) }
            localArguments[name] = bytes.extracting(localized.arguments).string
            return bytes.extracting(localized.key).string
        }
        self.outcome = outcome
        isUntimed = decoder.isUntimed
        let set = decoder.findings
        findings = Finding.allCases.filter { set.contains($0) }
        order = record.order
        weight = record.weight
        app = text(record.app)
        device = text(record.device)
        thread = text(record.thread)
        identifier = text(record.identifier)
        collapseIdentifier = text(record.collapseIdentifier)
        category = text(record.category)
        title = shown(record.title, "title")
        subtitle = shown(record.subtitle, "subtitle")
        body = shown(record.body, "body")
        argument = text(record.argument)
        self.localArguments = localArguments
        if let copy = decoder.rejectedCopy {
            rejectedText = copy.span.string
        } else {
            rejectedText = chunk.bytes(of: whole).string
        }
    }

    /// Decodes a notification with these fields in its `aps`.
    static func aps(_ fields: String) -> DecodedLine {
        DecodedLine(#"{"app":"a","payload":{"aps":{\#(fields)}}}"#)
    }

    /// Decodes a notification with these fields in its alert, and a body.
    static func alert(_ fields: String) -> DecodedLine {
        aps(#""alert":{"body":"B",\#(fields)}"#)
    }
}

/// Builds a record's JSON from members whose names may have a prefix, "headers." or "payload.".
struct EnvelopeText {
    private var members: [(name: String, value: String)] = []

    mutating func set(_ name: String, _ value: String) { members.append((name, value)) }

    func json(payloadAsString: Bool = false) -> String {
        func object(_ prefix: String) -> String? {
            let inner = members.filter { $0.name.hasPrefix(prefix) }
            guard !inner.isEmpty else { return nil }
            let texts = inner.map { "\"\($0.name.dropFirst(prefix.count))\":\($0.value)" }
            return "{\(texts.joined(separator: ","))}"
        }
        var top = members.filter { !$0.name.hasPrefix("headers.") && !$0.name.hasPrefix("payload.") }
            .map { "\"\($0.name)\":\($0.value)" }
        if let headers = object("headers.") { top.append("\"headers\":\(headers)") }
        if let payload = object("payload.") {
            let written =
                payloadAsString ? "\"\(payload.replacingOccurrences(of: "\"", with: "\\\""))\"" : payload
            top.append("\"payload\":\(written)")
        }
        return "{\(top.joined(separator: ","))}"
    }
}
