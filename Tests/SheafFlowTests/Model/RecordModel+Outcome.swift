extension RecordModel {
    /// What the push service answered (§18).
    enum Answer: Equatable {
        case accepted
        /// The reason; empty if the log has none.
        case refused(String)
    }

    /// Reads what the push service answered; nil if the log does not have it.
    mutating func answer(in record: JSONModel) -> Answer? {
        var refusals: [String] = []
        var isAnswered = false
        let holders = [record, record["response"], record["result"]].compactMap { $0 }
        for holder in holders {
            for name in ["status", "statusCode", "status_code", "code"] {
                guard let value = holder[name] else { continue }
                let text: String
                switch value {
                case .number(let digits): text = digits
                case .string(let word) where !word.isEmpty: text = word
                default: continue
                }
                if let code = Double(text), text.first != "+" {
                    isAnswered = true
                    if code < 200 || code >= 300 { refusals.append(text) }
                } else if ModelNames.refusals.contains(text.lowercased()) {
                    isAnswered = true
                    refusals.append(text)
                } else if ["sent", "ok", "delivered", "queued"].contains(text.lowercased()) {
                    isAnswered = true
                } else if name == "status" {
                    findings.insert("outcome.unknown")
                }
            }
        }
        var isRefused = !refusals.isEmpty
        for name in ["success", "ok", "delivered"] {
            switch record[name] {
            case .bool(let flag)?:
                isAnswered = true
                if !flag { isRefused = true }
            case .string(let text)? where ["true", "false"].contains(text.lowercased()):
                isAnswered = true
                if text.lowercased() == "false" { isRefused = true }
            default: break
            }
        }
        let error = record["error"]
        let reasons = [
            record["reason"], record["response"]?["reason"], error?["reason"], error?["code"],
            error?["status"],
            error, error?["message"],
        ]
        let reason = reasons.compactMap { $0?.text }.first { !$0.isEmpty }
        if isRefused { return .refused(reason ?? refusals.first ?? "") }
        return isAnswered ? .accepted : reason.map { .refused($0) }
    }

    /// Reads an outcome that was logged apart from its push (§18); nil if the record is a push.
    mutating func readOutcomes(_ record: JSONModel) -> Outcome? {
        guard record["event"]?.text == "outcome", record["payload"]?.isNull ?? true, record["aps"] == nil
        else {
            return nil
        }
        if let outcome = readEnvelope(record, needsApp: false) { return outcome }
        func areTexts(_ names: [String], in object: JSONModel?) -> Bool {
            names.allSatisfy { name in
                guard let value = object?[name], !value.isNull else { return true }
                return value.text != nil
            }
        }
        let apps = [
            "app", "topic", "apns-topic", "bundle-id", "bundle_id", "bundleId", "bundleID", "apnsTopic",
        ]
        guard areTexts(["device", "device-token", "token", "device_token", "deviceToken"], in: record),
            !app.isEmpty || areTexts(apps, in: record)
        else { return .rejected("outcome.invalid") }
        answer = answer(in: record)
        if answer == nil, findings.isEmpty { return .rejected("outcome.invalid") }
        if let ids = record["ids"], !ids.isNull {
            guard case .array(let elements) = ids, elements.allSatisfy({ $0.text != nil }) else {
                return .rejected("outcome.invalid")
            }
            outcomeIdentifiers = elements.compactMap(\.text).filter { !$0.isEmpty }
            return .outcome
        }
        func first(_ names: [String]) -> String {
            names.compactMap { record[$0]?.text }.first { !$0.isEmpty } ?? ""
        }
        let identifier = first(["apns-id", "id", "apns_id", "apnsId", "apnsID"])
        outcomeIdentifiers = identifier.isEmpty ? [] : [identifier]
        collapse = first(["apns-collapse-id", "collapse-id"] + ModelNames.collapseIdentifiers)
        if !identifier.isEmpty { collapse = "" }
        return identifier.isEmpty && collapse.isEmpty ? .rejected("outcome.invalid") : .outcome
    }

    /// Whether this outcome is one of a push.
    func isOutcome(of push: RecordModel) -> Bool {
        guard app.isEmpty || app == push.app, device.isEmpty || device == push.device else { return false }
        if !collapse.isEmpty { return push.collapse == collapse && push.isOlder(than: self) }
        return !push.identifier.isEmpty && outcomeIdentifiers.contains(push.identifier)
    }
}

extension ModelNames {
    static let refusals = [
        "failed", "failure", "error", "rejected", "refused", "dropped", "bounced", "undelivered", "expired",
        "invalid",
    ]
}
