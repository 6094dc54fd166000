@testable import SheafFlow

extension RecordModel {
    /// Reads a response (§16); returns nil if the record is none.
    mutating func readResponse(_ record: JSONModel) -> Outcome? {
        guard record["event"]?.text == "response" else { return nil }
        func first(_ names: [String], of object: JSONModel?) -> String {
            names.compactMap { object?[$0]?.text }.first { !$0.isEmpty } ?? ""
        }
        action = first(
            ["action", "actionIdentifier", "action-identifier", "action_identifier"], of: record)
        var hasPayload = record["payload"] != nil
        if case .null? = record["payload"] { hasPayload = false }
        if action.isEmpty, hasPayload || record["aps"] != nil { return nil }
        if let outcome = readEnvelope(record, needsApp: true) { return outcome }
        if action.isEmpty { return .rejected("response.invalid") }
        let names = ["category", "categoryIdentifier", "category-identifier", "category_identifier"]
        category = first(names, of: record)
        if category.isEmpty {
            category = first(names, of: record["notification"]?["request"]?["content"])
        }
        guard category.isEmpty else { return .response }
        var payload: JSONModel? = record["payload"] ?? record
        if case .null? = payload { payload = record }
        if case .string(let text)? = payload { payload = try? JSONModel(Array(text.utf8)) }
        category = payload?["aps"]?["category"]?.text ?? ""
        return .response
    }
}

extension ReplayModel {
    /// The statistics of responses; nil if there are none.
    var responseStatistics: Statistics.Responses? {
        guard !responses.isEmpty else { return nil }
        var counts: [[String]: UInt64] = [:]
        for response in responses {
            counts[[response.app, response.category, response.action], default: 0] += 1
        }
        let kinds = counts.sorted { first, second in
            for (a, b) in zip(first.key, second.key) where a != b { return precedes(a, b) }
            return false
        }
        return Statistics.Responses(
            total: UInt64(responses.count),
            counts: kinds.map { key, count in
                Statistics.ResponseCount(
                    app: key[0], category: key[1].isEmpty ? nil : key[1], action: key[2], count: count)
            }, others: 0)
    }
}
