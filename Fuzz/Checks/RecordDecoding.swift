import SheafBytes
import SheafGroups

/// A line is valid if Foundation accepts it, and decodes to the same values whatever was decoded before it and whatever
/// bytes surround it.
package enum RecordDecoding: FuzzCheck {
    package static func violations(in line: [UInt8]) -> [String] {
        var decoder = RecordDecoder(keepsRejectedText: true)
        let first = DecodedBytes(line, by: &decoder)
        var violations = first.violations
        let verdict = FoundationVerdict(line)
        if !verdict.allows(first.structure) { violations.append("\(first.outcome)") }
        if let payload = embeddedPayload(of: verdict) {
            let isAllowed = FoundationVerdict(payload).allows(.object)
            if isAllowed != (first.outcome != .rejected(.payloadInvalid)) {
                violations.append("\(first.outcome) for the payload \(payload.shown)")
            }
        }

        // By now the decoder has learned the bytes between the line's values.
        let again = DecodedBytes(line, by: &decoder)
        if again != first { violations.append("again: \(again), not \(first)") }
        _ = DecodedBytes(other, by: &decoder)
        let between = DecodedBytes(line, before: other + [UInt8(ascii: "\n")], after: other, by: &decoder)
        if between != first { violations.append("between others: \(between), not \(first)") }
        violations += between.violations
        return violations
    }

    /// The text of a payload that was logged as a string; nil if the line has none, or is invalid or too deep.
    private static func embeddedPayload(of verdict: FoundationVerdict) -> [UInt8]? {
        guard !verdict.isTooDeep, let record = verdict.value as? [String: Any] else { return nil }
        return (record["payload"] as? String).map { [UInt8]($0) }
    }

    private static let other = [UInt8](
        #"{"app":"a\u0062","payload":"{\"aps\":{\"alert\":\"\\u0063\",\"thread-id\":\"t\"}}","ts":1}"#)

    package static var seeds: [[UInt8]] { PushTexts.lines + Samples.lines + rejects }

    package static var words: [[UInt8]] { PushTexts.tokens + names }

    private static var rejects: [[UInt8]] {
        ["{}", "[]", "1", #"{"payload":5}"#, #"{"payload":""}"#, #"{"payload":{}}"#, #"{"aps":{}}"#]
            .map { [UInt8]($0) }
    }

    /// Every name of specification §2, as it appears in a line.
    private static let names: [[UInt8]] = [
        "payload", "timestamp", "ts", "app", "topic", "apns-topic", "bundle-id", "headers",
        "Simulator Target Bundle", "device", "device-token", "token", "apns-id", "id", "apns-collapse-id",
        "collapse-id", "apns-push-type", "push-type", "aps", "alert", "title", "subtitle", "body",
        "title-loc-key", "title-loc-args",
        "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args", "summary-arg", "summary-arg-count",
        "thread-id", "category", "sound", "badge", "content-available", "mutable-content",
        "interruption-level",
        "relevance-score", "time", "@timestamp", "sentAt", "bundle_id", "apnsTopic", "deviceToken", "apnsID",
        "collapseId", "apns_collapse_id", "pushType", "apns_push_type",
    ].map { [UInt8]("\"\($0)\":") }
}
