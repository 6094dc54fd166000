import Foundation
import TestSupport

/// One record, decoded as specification §2 and §3 describe, with all fields that a snapshot needs.
struct RecordModel {
    enum Outcome: Equatable {
        case notification
        case silent
        /// The reason, which may be empty.
        case refused(String)
        case removal
        case settings
        case response
        case result
        case outcome
        case rejected(String)
    }

    var outcome = Outcome.silent
    var findings: Set<String> = []
    var isUntimed = false
    var time = 0
    var source = 0
    var line = 0

    var app = ""
    var device = ""
    var identifier = ""
    var collapse = ""
    var thread = ""
    var category = ""
    var title = ""
    var subtitle = ""
    var body = ""
    var argument = ""
    var weight = 1
    /// What a removal removes: a thread, identifiers, or all notifications if both are nil.
    var removedThread: String?
    var removedIdentifiers: [String]?
    var delivery = DeliveryModel()
    var badge: UInt64?
    var extensionResult = ResultModel()
    /// The action that a response chose; its category is `category`.
    var action = ""
    /// What the push service answered, and of a record that is only an outcome, the ids of its pushes.
    var answer: Answer?
    var outcomeIdentifiers: [String] = []
    /// Whether a refused push would have been silent.
    var isRefusedSilent = false
    /// Which member of a removal is a mistake.
    var mistake: String?

    /// The order key of §4.
    func isOlder(than other: RecordModel) -> Bool {
        (time, source, line) < (other.time, other.source, other.line)
    }

    init(_ text: [UInt8], source: Int, line: Int) {
        self.source = source
        self.line = line
        do throws(JSONModel.Problem) {
            let record = try JSONModel(text)
            outcome = read(record)
        } catch {
            outcome = .rejected(error == .tooDeep ? "json.too-deep" : "json.invalid")
        }
        if case .rejected = outcome {
            findings = []
            isUntimed = false
        }
    }

    private mutating func read(_ record: JSONModel) -> Outcome {
        guard case .object = record else { return .rejected("json.not-object") }
        if record["event"]?.text == "settings" { return readSettings(record) }
        if ["app-closed", "app_closed", "appClosed"].contains(record["event"]?.text) {
            return readClosing(record)
        }
        if let outcome = readResponse(record) { return outcome }
        if let outcome = readRemoval(record) { return outcome }
        if let outcome = readResult(record) { return outcome }
        if let outcome = readOutcomes(record) { return outcome }
        let outcome = readPush(record)
        guard [.notification, .silent].contains(outcome) else { return outcome }
        answer = answer(in: record)
        guard case .refused(let reason)? = answer else { return outcome }
        isRefusedSilent = outcome == .silent
        return .refused(reason)
    }

    mutating func readPush(_ record: JSONModel) -> Outcome {
        let payload: JSONModel
        switch record["payload"] {
        case .object?: payload = record["payload"]!
        case .string(let text)?:
            guard let embedded = try? JSONModel(Array(text.utf8)), case .object = embedded else {
                return .rejected("payload.invalid")
            }
            payload = embedded
        case nil, .null?:
            guard record["aps"] != nil else { return .rejected("payload.missing") }
            payload = record
        default: return .rejected("payload.invalid")
        }
        guard let aps = payload["aps"], case .object = aps else { return .rejected("aps.missing") }

        let headers = record["headers"]
        func first(_ candidates: [JSONModel?]) -> String {
            candidates.compactMap { $0?.text }.first { !$0.isEmpty } ?? ""
        }
        app = first(
            ["app", "topic", "apns-topic", "bundle-id"].map { record[$0] }
                + [headers?["apns-topic"], payload["Simulator Target Bundle"]]
                + ["bundle_id", "bundleId", "bundleID", "apns_topic", "apnsTopic"].map { record[$0] })
        let wholeApp = app
        for suffix in [".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query"]
        where wholeApp.hasSuffix(suffix) {
            app.removeLast(suffix.count)
        }
        let labels = wholeApp.components(separatedBy: ".")
        if app == wholeApp, labels.count > 2, labels[labels.count - 2] == "push-type", labels.last != "" {
            app = labels.dropLast(2).joined(separator: ".")
        }
        if app.isEmpty { return .rejected("app.missing") }

        switch ModelNames.timestamps.compactMap({ record[$0] }).first(where: { !$0.isNull }) {
        case nil: isUntimed = true
        case .number(let text)?, .string(let text)?:
            guard let milliseconds = TimeModel.milliseconds(text) else {
                return .rejected("timestamp.invalid")
            }
            time = milliseconds
        default: return .rejected("timestamp.invalid")
        }

        let pushType = first(
            [record["apns-push-type"], record["push-type"], headers?["apns-push-type"]]
                + ModelNames.pushTypes.map { record[$0] })
        device = first(["device", "device-token", "token", "device_token", "deviceToken"].map { record[$0] })
        identifier = first(
            [record["apns-id"], record["id"], headers?["apns-id"]]
                + ["apns_id", "apnsId", "apnsID"].map { record[$0] })
        collapse = first(
            [record["apns-collapse-id"], record["collapse-id"], headers?["apns-collapse-id"]]
                + ModelNames.collapseIdentifiers.map { record[$0] })
        if collapse.utf8.count > 64 { findings.insert("collapse-id.too-long") }
        readPayload(aps)
        delivery.read(aps)
        if [app, device, thread, category, collapse, argument].contains(where: { $0.utf8.count > 4_096 }) {
            return .rejected("field.too-long")
        }
        let shows = !(title + subtitle + body).isEmpty
        let pushTypes = [
            "alert", "background", "voip", "complication", "fileprovider", "mdm", "location", "liveactivity",
            "pushtotalk", "widgets", "controls",
        ]
        let kind = pushType.lowercased()
        if !pushType.isEmpty, !pushTypes.contains(kind) { findings.insert("push-type.unknown") }
        return ["", "alert"].contains(kind) && app == wholeApp && shows ? .notification : .silent
    }

    /// Reads a change of settings (§16).
    private mutating func readSettings(_ record: JSONModel) -> Outcome {
        if let outcome = readEnvelope(record, needsApp: false) { return outcome }
        return delivery.readSettings(record) ? .settings : .rejected("settings.invalid")
    }

    /// Reads the closing of an app (§16).
    private mutating func readClosing(_ record: JSONModel) -> Outcome {
        if let outcome = readEnvelope(record, needsApp: true) { return outcome }
        for name in ["device", "device-token", "token", "device_token", "deviceToken"] {
            if let value = record[name], !value.isNull, value.text == nil {
                return .rejected("settings.invalid")
            }
        }
        delivery.settings["open"] = "false"
        return .settings
    }

    /// Whether the record opens an app, which also removes its notifications.
    var opensApp: Bool { outcome == .removal && delivery.settings["open"] != nil }

    /// Reads the app, the device and the time of a record that is not a push; returns why it is rejected, if it is.
    mutating func readEnvelope(_ record: JSONModel, needsApp: Bool) -> Outcome? {
        let headers = record["headers"]
        func first(_ candidates: [JSONModel?]) -> String {
            candidates.compactMap { $0?.text }.first { !$0.isEmpty } ?? ""
        }
        app = first(
            ["app", "topic", "apns-topic", "bundle-id"].map { record[$0] } + [headers?["apns-topic"]]
                + ["bundle_id", "bundleId", "bundleID", "apns_topic", "apnsTopic"].map { record[$0] })
        if needsApp, app.isEmpty { return .rejected("app.missing") }
        switch ModelNames.timestamps.compactMap({ record[$0] }).first(where: { !$0.isNull }) {
        case nil: isUntimed = true
        case .number(let text)?, .string(let text)?:
            guard let milliseconds = TimeModel.milliseconds(text) else {
                return .rejected("timestamp.invalid")
            }
            time = milliseconds
        default: return .rejected("timestamp.invalid")
        }
        device = first(["device", "device-token", "token", "device_token", "deviceToken"].map { record[$0] })
        return nil
    }

    /// Reads a removal (§15); nil if the record is a push.
    private mutating func readRemoval(_ record: JSONModel) -> Outcome? {
        let events = [
            "removed": "removed", "cleared": "cleared", "dismissed": "acted", "opened": "acted",
            "read": "acted",
            "app-opened": "app", "app_opened": "app", "appOpened": "app",
        ]
        guard let name = record["event"]?.text, let event = events[name] else { return nil }
        if let outcome = readEnvelope(record, needsApp: true) { return outcome }
        mistake = Self.mistake(record, event)
        if mistake != nil { return .rejected("removal.invalid") }
        let headers = record["headers"]
        func first(_ candidates: [JSONModel?]) -> String {
            candidates.compactMap { $0?.text }.first { !$0.isEmpty } ?? ""
        }
        for name in ["device", "device-token", "token", "device_token", "deviceToken"] {
            if let value = record[name], !value.isNull, value.text == nil {
                return .rejected("removal.invalid")
            }
        }
        if event == "app" {
            delivery.settings["open"] = "true"
            return .removal
        }
        if let ids = record["ids"], !ids.isNull {
            guard case .array(let elements) = ids else { return .rejected("removal.invalid") }
            let texts = elements.compactMap(\.text)
            if texts.count < elements.count { return .rejected("removal.invalid") }
            removedIdentifiers = texts.filter { !$0.isEmpty }
            return .removal
        }
        if let thread = ["thread", "thread-id", "thread_id", "threadId"].compactMap({ record[$0] }).first {
            guard thread.isNull || thread.text != nil else { return .rejected("removal.invalid") }
            removedThread = thread.text ?? ""
            return .removal
        }
        if event == "cleared" { return .removal }
        identifier = first(
            ["apns-collapse-id", "collapse-id"].map { record[$0] } + [headers?["apns-collapse-id"]]
                + ModelNames.collapseIdentifiers.map { record[$0] } + [
                    record["apns-id"], record["id"], headers?["apns-id"],
                ] + ["apns_id", "apnsId", "apnsID"].map { record[$0] })
        if !identifier.isEmpty { removedIdentifiers = [identifier] }
        if event == "acted", identifier.isEmpty { return .rejected("removal.invalid") }
        return .removal
    }

    /// Returns which member would make a removal remove more than is meant, of the mistakes that generated logs have.
    private static func mistake(_ record: JSONModel, _ event: String) -> String? {
        guard case .object(let members) = record else { return nil }
        for (name, value) in members {
            if name == "Thread" { return "'Thread', did you mean 'thread'?" }
            if event == "app", ["ids", "thread", "thread-id", "thread_id", "threadId"].contains(name),
                !value.isNull
            {
                return "'\(name)': the event removes all of the app's notifications"
            }
        }
        return nil
    }

    /// Whether no other notification can join it.
    var isAlone: Bool { delivery.grouping == "off" }

    /// Whether this removal removes a notification.
    func removes(_ notification: RecordModel) -> Bool {
        guard notification.isOlder(than: self), notification.app == app,
            device.isEmpty || device == notification.device
        else { return false }
        if let removedIdentifiers {
            let identifier =
                notification.collapse.isEmpty ? notification.identifier : notification.collapse
            return removedIdentifiers.contains(identifier)
        }
        let byApp = notification.delivery.grouping == "byApp"
        return removedThread.map { byApp || $0 == notification.thread } ?? true
    }

    private mutating func readPayload(_ aps: JSONModel) {
        let alert = aps["alert"]
        check(aps, "alert", "string", "object")
        check(aps, "sound", "string", "object")
        for name in ["thread-id", "category", "interruption-level"] { check(aps, name, "string") }
        for name in ["badge", "content-available", "mutable-content", "relevance-score"] {
            check(aps, name, "number")
        }
        badge = Self.badge(aps)
        category = aps["category"]?.text ?? ""
        thread = aps["thread-id"]?.text ?? ""
        if let text = alert?.text { body = text }
        guard let alert, case .object = alert else { return }
        for name in [
            "title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key", "summary-arg",
        ] {
            check(alert, name, "string")
        }
        for name in ["title-loc-args", "subtitle-loc-args", "loc-args"] { check(alert, name, "array") }
        func text(_ name: String, _ key: String) -> String {
            if let text = alert[name]?.text, !text.isEmpty { return text }
            return alert[key]?.text ?? ""
        }
        title = text("title", "title-loc-key")
        subtitle = text("subtitle", "subtitle-loc-key")
        body = text("body", "loc-key")
        argument = alert["summary-arg"]?.text ?? ""
        if thread.isEmpty {
            check(alert, "thread-id", "string")
            thread = alert["thread-id"]?.text ?? ""
            if !thread.isEmpty { findings.insert("thread-id.misplaced") }
        }
        guard let count = alert["summary-arg-count"], !count.isNull else { return }
        if case .number(let digits) = count, let number = Int(digits), (1...2_147_483_647).contains(number) {
            weight = number
        } else {
            findings.insert("summary-arg-count.invalid")
        }
    }

    /// Adds a finding if a field has none of these types.
    private mutating func check(_ object: JSONModel, _ name: String, _ types: String...) {
        let type: String
        switch object[name] {
        case nil, .null?: return
        case .bool?: type = "bool"
        case .number?: type = "number"
        case .string?: type = "string"
        case .array?: type = "array"
        case .object?: type = "object"
        }
        if !types.contains(type) { findings.insert(name + ".type") }
    }
}

/// Parses timestamps in the forms that these tests use: digits with or without a fraction, and RFC 3339.
enum TimeModel {
    static func milliseconds(_ text: String) -> Int? { dateTime(text) ?? number(text) }

    private static func number(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCII) }),
            parts.allSatisfy({ $0.allSatisfy(\.isNumber) }), parts[0] == "0" || !parts[0].hasPrefix("0"),
            let whole = Int(parts[0])
        else { return nil }
        if whole < 100_000_000_000 {
            let fraction = (parts.count == 2 ? parts[1] : "") + "000"
            return whole * 1_000 + Int(fraction.prefix(3))!
        }
        if whole < 100_000_000_000_000 { return whole }
        return whole < 100_000_000_000_000_000 ? whole / 1_000 : whole / 1_000_000
    }

    private static func dateTime(_ text: String) -> Int? {
        let pattern = #/(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)([.,]\d+)?(Z|[+-]\d\d:?\d\d)?/#
        guard let match = try? pattern.wholeMatch(in: text) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        let parts = DateComponents(
            year: Int(match.1), month: Int(match.2), day: Int(match.3), hour: Int(match.4),
            minute: Int(match.5), second: Int(match.6))
        let seconds = Int(calendar.date(from: parts)!.timeIntervalSince1970)
        let fraction = (match.7.map { String($0.dropFirst()) } ?? "") + "000"
        var offset = 0
        if let zone = match.8, zone != "Z" {
            let digits = zone.filter(\.isNumber)
            offset = (Int(digits.prefix(2))! * 60 + Int(digits.suffix(2))!) * (zone.hasPrefix("-") ? -60 : 60)
        }
        return (seconds - offset) * 1_000 + Int(fraction.prefix(3))!
    }
}

/// The names of fields, in order of precedence (specification §2).
enum ModelNames {
    static let timestamps = [
        "timestamp", "ts", "time", "@timestamp", "datetime", "date", "Timestamp", "sent-at", "sent_at",
        "sentAt",
        "created-at", "created_at", "createdAt", "occurred",
    ]
    /// After `headers.apns-push-type`.
    static let pushTypes = ["apns_push_type", "apnsPushType", "push_type", "pushType"]
    /// After `headers.apns-collapse-id`.
    static let collapseIdentifiers = [
        "apns_collapse_id", "apnsCollapseId", "apnsCollapseID", "collapse_id", "collapseId", "collapseID",
    ]
}
