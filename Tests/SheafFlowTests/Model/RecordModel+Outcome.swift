extension RecordModel {
    /// Why the push service refused a push (§18): empty if the log has no reason; nil if it was not refused.
    mutating func refusal(of record: JSONModel) -> String? {
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
        if isRefused { return reason ?? refusals.first ?? "" }
        return isAnswered ? nil : reason
    }
}

extension ModelNames {
    static let refusals = [
        "failed", "failure", "error", "rejected", "refused", "dropped", "bounced", "undelivered", "expired",
        "invalid",
    ]
}
