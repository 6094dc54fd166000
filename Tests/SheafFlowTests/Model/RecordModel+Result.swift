@testable import SheafFlow

/// What a service extension returned, and what it changed (§16).
struct ResultModel {
    var elapsed: Double?
    var hasContent = false
    /// Whether it has an interruption level of its own.
    var hasLevel = false
    /// The source and the line of the result that a notification has its content from.
    var position: [Int] = []
}

extension RecordModel {
    /// Reads a service extension's result; returns nil if the record is none. Its collapse identifier is that of the
    /// notification.
    mutating func readResult(_ record: JSONModel) -> Outcome? {
        guard record["event"]?.text == "modified" else { return nil }
        let hasPayload = record["payload"].map { !$0.isNull } ?? false || record["aps"] != nil
        if hasPayload, record["elapsed"] == nil { return nil }
        let empty = self
        switch readPush(record) {
        case .notification:
            extensionResult.hasContent = true
            extensionResult.hasLevel = hasLevel(record)
        case .rejected("payload.missing"), .rejected("aps.missing"):
            self = empty
            if let outcome = readEnvelope(record, needsApp: true) { return outcome }
            readContent(record)
        case .rejected(let reason): return .rejected(reason)
        default: break
        }
        findings = []
        let headers = record["headers"]
        var identifiers = ["apns-collapse-id", "collapse-id"].map { record[$0] }
        identifiers += [headers?["apns-collapse-id"]] + ModelNames.collapseIdentifiers.map { record[$0] }
        identifiers += [record["apns-id"], record["id"], headers?["apns-id"]]
        identifiers += ["apns_id", "apnsId", "apnsID"].map { record[$0] }
        identifiers += Self.requests(record).map { $0?["identifier"] }
        collapse = identifiers.compactMap { $0?.text }.first { !$0.isEmpty } ?? ""
        identifier = ""
        for name in ["device", "device-token", "token", "device_token", "deviceToken"] {
            if let value = record[name], !value.isNull, value.text == nil {
                return .rejected("modification.invalid")
            }
        }
        switch record["elapsed"] {
        case nil, .null?: break
        case .number(let text)? where Double(text)! >= 0: extensionResult.elapsed = Double(text)
        default: return .rejected("modification.invalid")
        }
        return collapse.isEmpty ? .rejected("modification.invalid") : .result
    }

    /// The objects that may have an identifier and a content.
    private static func requests(_ record: JSONModel) -> [JSONModel?] {
        [record, record["request"], record["notification"]?["request"]]
    }

    private func hasLevel(_ record: JSONModel) -> Bool {
        var payload = record["payload"] ?? record
        if payload.isNull { payload = record }
        if case .string(let text) = payload { payload = (try? JSONModel(Array(text.utf8))) ?? .null }
        let aps = payload["aps"]
        if delivery.level == "critical" { return true }
        return ["time-sensitive", "active", "passive"].contains(aps?["interruption-level"]?.text)
    }

    /// Reads a `UNNotificationContent`.
    private mutating func readContent(_ record: JSONModel) {
        let contents = Self.requests(record).compactMap { $0?["content"] }
        guard let content = contents.first(where: { if case .object = $0 { true } else { false } }) else {
            return
        }
        title = content["title"]?.text ?? ""
        subtitle = content["subtitle"]?.text ?? ""
        body = content["body"]?.text ?? ""
        thread = content["threadIdentifier"]?.text ?? ""
        category = content["categoryIdentifier"]?.text ?? ""
        argument = content["summaryArgument"]?.text ?? ""
        if case .number(let text)? = content["summaryArgumentCount"], let count = Int(text), count > 0 {
            weight = count
        }
        badge = Self.badge(content)
        extensionResult.hasContent = !(title + subtitle + body).isEmpty
        // The sound is that of a payload; the level has other names.
        delivery.read(.object(content["sound"].map { [("sound", $0)] } ?? []))
        let levels = ["passive", "active", "time-sensitive", "critical"]
        let names = ["passive", "active", "timeSensitive", "critical"]
        var level: String?
        switch content["interruptionLevel"] {
        case .number(let text)?:
            level = Double(text).flatMap { number in levels.indices.first { Double($0) == number } }
                .map { levels[$0] }
        case .string(let name)?:
            level = levels.contains(name) ? name : names.firstIndex(of: name).map { levels[$0] }
        default: break
        }
        if delivery.level == "critical" { level = "critical" }
        delivery.level = level ?? "active"
        extensionResult.hasLevel = level != nil
    }

    /// Returns the notification with the content of the newest of these results that is for it.
    func modified(by results: [RecordModel]) -> RecordModel {
        let mine = results.filter { result in
            isOlder(than: result) && result.app == app && (result.device.isEmpty || result.device == device)
                && [collapse, identifier].contains(result.collapse)
        }
        guard let newest = mine.max(by: { $0.isOlder(than: $1) }) else { return self }
        var copy = self
        (copy.title, copy.subtitle, copy.body) = (newest.title, newest.subtitle, newest.body)
        (copy.argument, copy.weight) = (newest.argument, newest.weight)
        if !newest.thread.isEmpty { copy.thread = newest.thread }
        if !newest.category.isEmpty { copy.category = newest.category }
        if newest.delivery.hasSound { copy.delivery.hasSound = true }
        if newest.extensionResult.hasLevel { copy.delivery.level = newest.delivery.level }
        copy.extensionResult.position = [newest.source, newest.line]
        return copy
    }
}

extension ReplayModel {
    /// Whether a result replaces a content: it has one, and came in time.
    func replacesContent(_ result: RecordModel) -> Bool {
        let limit =
            options.settings.apps[result.app]?.serviceExtensionLimit ?? options.settings.serviceExtensionLimit
            ?? 30
        return result.extensionResult.hasContent && (result.extensionResult.elapsed ?? 0) <= limit
    }
}
