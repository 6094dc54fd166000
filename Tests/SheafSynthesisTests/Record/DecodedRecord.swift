import Foundation

@testable import SheafSynthesis

/// A line as an independent reader decodes it, with the field names of specification §2.
struct DecodedRecord: Sendable {
    struct Malformed: Error {
        var line: String
    }

    enum Form: Sendable, Equatable {
        case native, payloadAsText, bare
    }

    let line: String
    let form: Form
    let app: String
    let device, id, pushType, collapseID: String?
    let timestamp: JSONValue
    let aps: [String: JSONValue]
    /// The names of the app's own data, next to `aps`.
    let dataNames: Set<String>

    init(_ line: Substring) throws {
        let malformed = Malformed(line: String(line))
        guard let record = try JSONValue(parsing: String(line)).object else { throw malformed }
        let headers = record["headers"]?.object ?? [:]
        func first(_ names: String...) -> String? {
            names.lazy.compactMap { record[$0]?.text ?? headers[$0]?.text }.first { !$0.isEmpty }
        }
        let payload: [String: JSONValue]
        switch record["payload"] {
        case nil:
            form = .bare
            payload = record
        case .object(let object):
            form = .native
            payload = object
        case .text(let text):
            guard let object = try JSONValue(parsing: text).object else { throw malformed }
            form = .payloadAsText
            payload = object
        default:
            throw malformed
        }
        guard
            let aps = payload["aps"]?.object,
            let app = first("app", "topic", "apns-topic", "bundle-id", "Simulator Target Bundle"),
            let timestamp = record["timestamp"] ?? record["ts"]
        else { throw malformed }
        self.line = malformed.line
        self.aps = aps
        self.app = app
        self.timestamp = timestamp
        device = first("device", "device-token", "token")
        id = first("apns-id", "id")
        pushType = first("apns-push-type", "push-type")
        collapseID = first("apns-collapse-id", "collapse-id")
        dataNames = Set(payload.keys).subtracting(["aps", "Simulator Target Bundle", "timestamp", "ts"])
    }

    /// The alert's members; empty if the alert is a string.
    var alert: [String: JSONValue] { aps["alert"]?.object ?? [:] }
    var thread: String? { aps["thread-id"]?.text }
    var argument: String? { alert["summary-arg"]?.text }
    var argumentCount: Double? { alert["summary-arg-count"]?.number }
    var isNotification: Bool { (pushType ?? "alert") == "alert" && aps["alert"] != nil }

    /// Milliseconds since 1970, from any of the three formats.
    var milliseconds: Int? {
        switch timestamp {
        case .text(let text):
            let parser = ISO8601DateFormatter()
            parser.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            return parser.date(from: text).map { Int(($0.timeIntervalSince1970 * 1_000).rounded()) }
        case .number(let number):
            return Int((number < 1e11 ? number * 1_000 : number).rounded())
        default:
            return nil
        }
    }

    /// All records of a log.
    static func all(_ shape: LogShape) throws -> [DecodedRecord] {
        guard let text = String(validating: bytes(shape), as: UTF8.self) else {
            throw Malformed(line: "not UTF-8")
        }
        return try text.split(separator: "\n").map(DecodedRecord.init)
    }
}
