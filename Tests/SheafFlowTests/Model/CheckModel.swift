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
        if decoded.outcome == .response { return findings(in: decoded, settings) }
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
        let push = Push(
            record: record, headers: headers, payload: payload, aps: aps, topic: topic, type: pushType)
        found.formUnion(push.refusals)
        found.formUnion(push.ignored)
        found.formUnion(push.keys)
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

    /// Returns the names of the findings in a response.
    private static func findings(in response: RecordModel, _ settings: Settings) -> Set<String> {
        guard let app = settings.apps[response.app], !response.category.isEmpty else { return [] }
        guard let category = app.categories[response.category] else { return ["category.unknown"] }
        guard var actions = category.actions else { return [] }
        actions.insert("com.apple.UNNotificationDefaultActionIdentifier")
        if category.options.contains(.customDismissAction) {
            actions.insert("com.apple.UNNotificationDismissActionIdentifier")
        }
        return actions.contains(response.action) ? [] : ["action.unknown"]
    }

    /// Returns what a finding in a line is about, if that is in the report.
    static func detail(of finding: String, in line: CheckLineGenerator.Line) -> String? {
        let aps = line.payload.flatMap(object)?["aps"] as? [String: Any] ?? [:]
        switch finding {
        case "action.unknown":
            let response = RecordModel(Array(line.text.utf8), source: 0, line: 1)
            return "'\(response.action)' of '\(response.category)'"
        case "aps.unknown-key":
            return aps["threadId"] == nil
                ? "'body', did you mean 'body' in alert?" : "'threadId', did you mean 'thread-id'?"
        case "aps.custom-key": return "'order'"
        case "alert.unknown-key": return "'data'"
        default: return nil
        }
    }

    private static func object(_ json: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    }

    fileprivate static func text(_ value: Any?) -> String? {
        guard let text = value as? String, !text.isEmpty else { return nil }
        return text
    }

    fileprivate static func number(_ value: Any?) -> Double? {
        value is String ? nil : (value as? NSNumber)?.doubleValue
    }

    fileprivate static func isPresent(_ value: Any?) -> Bool { value != nil && !(value is NSNull) }
}

// MARK: - People

extension CheckModel {
    /// What the rules about people need of a notification.
    struct Notification {
        var app: String
        var device: String?
        /// In milliseconds since 1970; nil for a record without a timestamp.
        var time: Int?
        var thread: String?
        var level: String?
        var line: Int

        /// The record in a log.
        var json: String {
            var aps = #""alert":"x""#
            if let thread { aps += ",\"thread-id\":\"\(thread)\"" }
            if let level { aps += ",\"interruption-level\":\"\(level)\"" }
            return "{\"app\":\"\(app)\""
                + (device.map { ",\"device\":\"\($0)\"" } ?? "")
                + (time.map { ",\"timestamp\":\($0)" } ?? "") + ",\"aps\":{\(aps)}}"
        }
    }

    /// A problem of an app.
    struct AppProblem: Equatable {
        let app: String
        let numbers: String
        let line: Int
    }

    /// Returns the problems of apps that follow from what people get in a day, by the rule's name.
    static func problems(
        of notifications: [Notification], limits: [String: Int], profile: Profile
    ) -> [String: [AppProblem]] {
        var problems: [String: [AppProblem]] = [:]
        for app in Set(notifications.map(\.app)).sorted() {
            let people = Dictionary(
                grouping: notifications.filter { $0.app == app && $0.device != nil && $0.time != nil },
                by: { $0.device ?? "" })
            let days = people.mapValues { list in
                Array(Dictionary(grouping: list) { ($0.time ?? 0) / 86_400_000 }.values)
            }
            func note(_ rule: String, _ some: [[Notification]], _ numbers: String) {
                guard let line = some.joined().map(\.line).min() else { return }
                problems[rule, default: []].append(AppProblem(app: app, numbers: numbers, line: line))
            }
            /// Notes a rule that more than 5 % of at least 20 people break.
            func notePeople(_ rule: String, _ number: ([Notification]) -> Int) {
                let limit = limits[rule] ?? 0
                let some = days.values.map { $0.filter { number($0) > limit } }.filter { !$0.isEmpty }
                guard days.count >= 20, Double(some.count) / Double(days.count) > 0.05 else { return }
                note(rule, Array(some.joined()), "\(some.count) of \(days.count) people")
            }
            notePeople("threads.many") { Set($0.map { $0.thread ?? "" }).count }
            notePeople("interruptions.many") { $0.count { $0.level != "passive" } }

            let crowded = days.values.joined().filter {
                $0.count > limits["thread.crowded"] ?? 0 && Set($0.map { $0.thread ?? "" }).count == 1
            }
            note("thread.crowded", crowded, "\(crowded.map(\.count).max() ?? 0) on one device in one day")

            let urgent = profile == .ios12 ? ["critical"] : ["critical", "time-sensitive"]
            func isUrgent(_ notification: Notification) -> Bool { urgent.contains(notification.level ?? "") }
            // Each with the whole day.
            let threads = days.values.joined().flatMap { day in
                Dictionary(grouping: day) { $0.thread ?? "" }.values.map { (day: day, thread: $0) }
            }.filter { $0.thread.contains(where: isUrgent) }
            let buried = threads.filter {
                $0.thread.count { !isUrgent($0) } > limits["urgent.buried"] ?? 0
            }
            if threads.count >= 20, Double(buried.count) / Double(threads.count) > 0.05 {
                note(
                    "urgent.buried", buried.map(\.day),
                    "\(buried.count) of \(threads.count) threads with urgent ones")
            }
        }
        return problems
    }
}

/// The parts of a record that the rules for a single one are about.
private struct Push {
    let record: [String: Any]
    let headers: [String: Any]
    let payload: [String: Any]
    let aps: [String: Any]
    let topic: String
    let type: String?

    private func text(_ value: Any?) -> String? { CheckModel.text(value) }
    private func number(_ value: Any?) -> Double? { CheckModel.number(value) }
    private func isPresent(_ value: Any?) -> Bool { CheckModel.isPresent(value) }

    private var kind: String? { type?.lowercased() }
    private var hasSuffix: Bool { topic.contains(/\.voip$|\.push-type\.[^.]+$/) }

    // MARK: Headers

    /// What Apple's service refuses.
    var refusals: Set<String> {
        var found: Set<String> = []
        let header = (record["apns-priority"], headers["apns-priority"])
        for (value, isHeader) in [(header.0, true), (record["priority"], false), (header.1, true)] {
            if let text = text(value) {
                if text == "10" {
                    if isBackground { found.insert("priority.background") }
                } else if text != "5", text != "1", isHeader || text.allSatisfy({ "0"..."9" ~= $0 }) {
                    found.insert("BadPriority")
                }
                break
            }
            if let number = number(value) {
                if number == 10, isBackground { found.insert("priority.background") }
                if ![1, 5, 10].contains(number) { found.insert("BadPriority") }
                break
            }
        }
        if let id = text(record["apns-id"]) ?? text(headers["apns-id"]),
            id.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) == nil
        {
            found.insert("BadMessageId")
        }
        for value in [record["apns-expiration"], headers["apns-expiration"]] {
            if let text = text(value) {
                if text.wholeMatch(of: /[0-9]{1,18}/) == nil { found.insert("BadExpirationDate") }
                break
            }
            if let number = number(value) {
                if number < 0 || number != number.rounded() { found.insert("BadExpirationDate") }
                break
            }
        }
        if let token = text(record["device-token"]) {
            if token.wholeMatch(of: /[0-9a-fA-F]+/) == nil {
                found.insert("BadDeviceToken")
            } else if token.count != 64, kind != "liveactivity", !hasSuffix {
                found.insert("device-token.length")
            }
        }
        let suffixes = [
            "voip": ".voip", "widgets": ".push-type.widgets", "liveactivity": ".push-type.liveactivity",
        ]
        switch kind {
        case "alert", "background": if hasSuffix { found.insert("BadTopic") }
        case let kind?: if let suffix = suffixes[kind], !topic.hasSuffix(suffix) { found.insert("BadTopic") }
        case nil: break
        }
        return found
    }

    private var isBackground: Bool {
        if let kind { return kind == "background" }
        return number(aps["content-available"]) == 1 && !shows && !hasSuffix
    }

    /// Whether there is a value to show, even an empty one.
    private var shows: Bool { ["alert", "badge", "sound"].contains { isPresent(aps[$0]) } }

    // MARK: The payload

    private static let texts = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]

    private var alert: [String: Any] { aps["alert"] as? [String: Any] ?? [:] }
    private var hasText: Bool { text(aps["alert"]) != nil || Self.texts.contains { text(alert[$0]) != nil } }
    /// Whether the alert or one of its texts has a wrong type.
    private var isMistyped: Bool {
        let value = aps["alert"]
        if isPresent(value), !(value is String), !(value is [String: Any]) { return true }
        return Self.texts.contains { isPresent(alert[$0]) && !(alert[$0] is String) }
    }

    /// What a device ignores or shows wrongly.
    var ignored: Set<String> {
        var found: Set<String> = []
        let isAlert = kind == "alert" || kind == nil && !hasSuffix
        let content = number(aps["content-available"])
        if kind == "background", shows { found.insert("background.shown") }
        let isEmpty = !hasText && !isMistyped
        if isAlert, isEmpty, !isPresent(aps["badge"]), !isPresent(aps["sound"]),
            kind == "alert" || isPresent(aps["alert"]) && content != 1
        {
            found.insert("alert.empty")
        }
        if isAlert && isEmpty || isBackground, number(aps["mutable-content"]) == 1 {
            found.insert("mutable-content.hidden")
        }
        if let level = text(aps["interruption-level"]),
            !["passive", "active", "time-sensitive", "critical"].contains(level)
        {
            found.insert("interruption-level.unknown")
        }
        if kind != "liveactivity", let score = number(aps["relevance-score"]), !(0...1).contains(score) {
            found.insert("relevance-score.range")
        }
        if let content, content != 1 { found.insert("content-available.value") }
        if let badge = number(aps["badge"]), badge < 0 { found.insert("badge.negative") }
        if let sound = aps["sound"] as? [String: Any] {
            if text(sound["name"]) == nil { found.insert("sound.name") }
            if number(sound["critical"]) != 1 { found.insert("sound.critical") }
            if isPresent(sound["volume"]), !(number(sound["volume"]).map((0...1).contains) ?? false) {
                found.insert("sound.volume")
            }
        }
        for prefix in ["title-", "subtitle-", ""]
        where !isPresent(alert[prefix + "loc-key"]) || alert[prefix + "loc-key"] as? String == "" {
            if let list = alert[prefix + "loc-args"] as? [Any], !list.isEmpty {
                found.insert("\(prefix)loc-args.unused")
            }
        }
        return found
    }

    // MARK: Keys

    private static let apsKeys: Set = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "interruption-level", "relevance-score",
    ]
    private static let alertKeys = Set(texts).union([
        "title-loc-args", "subtitle-loc-args", "loc-args", "summary-arg", "summary-arg-count", "thread-id",
    ])
    /// Unknown keys of the generated lines that resemble known ones.
    private static let misspelled: Set = ["threadId", "body"]

    /// Unknown keys, and thread identifiers in the wrong place.
    var keys: Set<String> {
        var found: Set<String> = []
        for key in aps.keys where !Self.apsKeys.contains(key) {
            found.insert(Self.misspelled.contains(key) ? "aps.unknown-key" : "aps.custom-key")
        }
        if alert.keys.contains(where: { !Self.alertKeys.contains($0) }) { found.insert("alert.unknown-key") }
        let isAlert = kind == "alert" || kind == nil && !hasSuffix
        if isAlert, hasText, !isPresent(aps["thread-id"]), !isPresent(alert["thread-id"]) {
            if text(payload["thread-id"]) != nil { found.insert("thread-id.in-payload") }
            let isNative = isPresent(record["payload"])
            if text(headers["thread-id"]) != nil || isNative && text(record["thread-id"]) != nil {
                found.insert("thread-id.in-headers")
            }
        }
        return found
    }
}
