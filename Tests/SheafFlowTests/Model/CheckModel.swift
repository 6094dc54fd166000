import Foundation
import SheafGroups

/// The expected findings in a line according to the page on checking: a simple implementation with Foundation's JSON.
enum CheckModel {
    /// Returns the names of the findings in a line that is not blank.
    static func findings(
        in line: CheckLineGenerator.Line, settings: Settings, profile: Profile, maximumLine: Int
    ) -> Set<String> {
        if line.text.utf8.count > maximumLine { return ["line.too-long"] }
        let decoded = RecordModel(Array(line.text.utf8), source: 0, line: 1)
        if case .rejected(let reason) = decoded.outcome { return [reason] }
        var found = decoded.findings
        if decoded.isUntimed { found.insert("untimed") }
        guard let record = object(line.text), let payloadText = line.payload,
            let payload = object(payloadText)
        else { return found.union(["not parsed"]) }
        let headers = record["headers"] as? [String: Any] ?? [:]
        let aps = payload["aps"] as? [String: Any] ?? [:]
        let topic = text(record["topic"]) ?? ""
        let pushType =
            [record["apns-push-type"], record["push-type"], headers["apns-push-type"]].compactMap(text).first
        let isVoice = pushType?.lowercased() == "voip" || topic.hasSuffix(".voip")
        if payloadText.utf8.count > (isVoice ? 5120 : 4096) { found.insert("payload.too-large") }
        let collapse =
            [record["apns-collapse-id"], record["collapse-id"], headers["apns-collapse-id"]]
            .compactMap(text).first
        if let collapse, collapse.utf8.count > 64 { found.insert("collapse-id.too-long") }
        let priorities = [record["apns-priority"], record["priority"], headers["apns-priority"]]
        if isTen(priorities), isBackground(aps, pushType, topic) { found.insert("priority.background") }
        let app = topic.replacing(/\.voip$|\.push-type\.[^.]+$/, with: "")
        if let known = settings.apps[app]?.categories, let category = text(aps["category"]),
            known[category] == nil
        {
            found.insert("category.unknown")
        }
        if profile == .ios15, let alert = aps["alert"] as? [String: Any] {
            let argument = alert["summary-arg"] ?? NSNull()
            let usesArgument = !(argument is NSNull) && (argument as? String)?.isEmpty != true
            let usesCount = !((alert["summary-arg-count"] ?? NSNull()) is NSNull)
            if usesArgument || usesCount { found.insert("summary.deprecated") }
        }
        return found
    }

    private static func object(_ json: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    }

    private static func text(_ value: Any?) -> String? {
        guard let text = value as? String, !text.isEmpty else { return nil }
        return text
    }

    private static func number(_ value: Any?) -> Double? {
        value is String ? nil : (value as? NSNumber)?.doubleValue
    }

    private static func isTen(_ values: [Any?]) -> Bool {
        for value in values {
            if let text = text(value) { return text == "10" }
            if let number = number(value) { return number == 10 }
        }
        return false
    }

    private static func isBackground(_ aps: [String: Any], _ pushType: String?, _ topic: String) -> Bool {
        if let pushType { return pushType.lowercased() == "background" }
        guard number(aps["content-available"]) == 1 else { return false }
        let shown = ["alert", "badge", "sound"].contains { !((aps[$0] ?? NSNull()) is NSNull) }
        return !shown && !topic.hasSuffix(".voip") && !topic.contains(".push-type.")
    }
}
