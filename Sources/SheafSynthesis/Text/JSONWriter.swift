/// Writes JSON texts, one at a time, into a buffer that is reused for every record.
///
/// The writer inserts commas; values are bytes that are already encoded in the current dialect.
struct JSONWriter: Sendable {
    /// The constant parts of a dialect, encoded once. A class, because every record sets one.
    final class Style: Sendable {
        /// `"name":` and `,"name":`, indexed by the raw value of `FieldName`.
        fileprivate let firstFields, laterFields: [[UInt8]]
        fileprivate let separator: [UInt8]

        init(_ dialect: JSONDialect) {
            let separator = dialect.separator
            firstFields = FieldName.allCases.map { field in
                [UInt8(ascii: "\"")] + dialect.encoded(field.text) + [UInt8(ascii: "\"")] + dialect.colon
            }
            laterFields = firstFields.map { separator + $0 }
            self.separator = separator
        }
    }

    private(set) var bytes: [UInt8] = []
    private var style: Style
    /// Whether a comma must precede the next member or element.
    private var needsSeparator = false

    init(style: Style) {
        self.style = style
    }

    /// Empties the buffer, keeping its storage, and starts a text in `style`.
    mutating func restart(in style: Style) {
        bytes.removeAll(keepingCapacity: true)
        self.style = style
        needsSeparator = false
    }

    mutating func beginObject() {
        bytes.append(UInt8(ascii: "{"))
        needsSeparator = false
    }

    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsSeparator = true
    }

    mutating func field(_ name: FieldName) {
        bytes.append(contentsOf: (needsSeparator ? style.laterFields : style.firstFields)[name.rawValue])
        needsSeparator = false
    }

    /// Writes a field whose value is a string that is already encoded.
    mutating func field(_ name: FieldName, text: [UInt8]) {
        field(name)
        string { $0.append(contentsOf: text) }
    }

    /// Writes a field whose value is a whole number ≥ 0.
    mutating func field(_ name: FieldName, number: Int) {
        field(name)
        value { $0.appendDecimal(number) }
    }

    /// Writes a string, whose encoded contents `inside` appends.
    mutating func string(_ inside: (inout [UInt8]) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        inside(&bytes)
        bytes.append(UInt8(ascii: "\""))
        needsSeparator = true
    }

    /// Writes a complete value, which `text` appends.
    mutating func value(_ text: (inout [UInt8]) -> Void) {
        text(&bytes)
        needsSeparator = true
    }

    /// Writes complete members, such as `"a":1,"b":2`, which `text` appends.
    mutating func members(_ text: (inout [UInt8]) -> Void) {
        if needsSeparator {
            bytes.append(contentsOf: style.separator)
        }
        text(&bytes)
        needsSeparator = true
    }

    /// Writes a JSON text as a string, escaping its quotation marks and backslashes again.
    mutating func string(holding json: [UInt8]) {
        string { bytes in
            for byte in json {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    bytes.append(UInt8(ascii: "\\"))
                }
                bytes.append(byte)
            }
        }
    }
}

/// The style of a JSON library, which affects the bytes of a JSON text but not its values.
struct JSONDialect: Sendable, Equatable {
    /// Whether `/` is written as `\/`.
    var escapesSlashes: Bool
    /// Whether every scalar outside ASCII is written as `\uXXXX`.
    var isASCII: Bool
    /// Whether a space follows `,` and `:`.
    var isSpaced: Bool

    static let all = [
        JSONDialect(escapesSlashes: false, isASCII: false, isSpaced: false),
        JSONDialect(escapesSlashes: true, isASCII: false, isSpaced: false),
        JSONDialect(escapesSlashes: false, isASCII: true, isSpaced: true),
        JSONDialect(escapesSlashes: true, isASCII: true, isSpaced: false),
    ]

    var separator: [UInt8] { Array((isSpaced ? ", " : ",").utf8) }

    var colon: [UInt8] { Array((isSpaced ? ": " : ":").utf8) }

    /// Returns `text` encoded as the contents of a JSON string, without quotation marks.
    func encoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            append(scalar, to: &bytes)
        }
        return bytes
    }

    /// Appends a scalar of a text, escaped if JSON or the dialect requires it.
    func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
        case "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
        case "\n": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        default: appendPlain(scalar, to: &bytes)
        }
    }

    /// Appends a scalar of a JSON text, in which quotation marks and backslashes are already escaped.
    func appendPlain(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar == "/" && escapesSlashes {
            bytes += [UInt8(ascii: "\\"), UInt8(ascii: "/")]
        } else if scalar.isASCII || !isASCII {
            bytes += Array(scalar.utf8)
        } else {
            for unit in scalar.utf16 {
                bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
                bytes.appendHexadecimal(UInt64(unit), digits: 4)
            }
        }
    }
}

/// The names of the fields that are written one by one. Names in an app's own data are in its templates.
enum FieldName: Int, CaseIterable, Sendable {
    // Envelope.
    case timestamp, shortTimestamp, app, topic, bundleID, apnsTopic, simulatorTarget
    case device, deviceToken, token
    case apnsID, id, apnsCollapseID, collapseID, apnsPushType, pushType
    case apnsPriority, priority, apnsExpiration, expiration
    case headers, payload, status, attempt, sandbox, success, reason, error, event
    // Payload.
    case aps, alert, title, subtitle, body, summaryArgument, summaryArgumentCount
    case threadID, category, sound, badge, contentAvailable, mutableContent, interruptionLevel, relevanceScore

    var text: String {
        switch self {
        case .timestamp: "timestamp"
        case .shortTimestamp: "ts"
        case .app: "app"
        case .topic: "topic"
        case .bundleID: "bundle-id"
        case .apnsTopic: "apns-topic"
        case .simulatorTarget: "Simulator Target Bundle"
        case .device: "device"
        case .deviceToken: "device-token"
        case .token: "token"
        case .apnsID: "apns-id"
        case .id: "id"
        case .apnsCollapseID: "apns-collapse-id"
        case .collapseID: "collapse-id"
        case .apnsPushType: "apns-push-type"
        case .pushType: "push-type"
        case .apnsPriority: "apns-priority"
        case .priority: "priority"
        case .apnsExpiration: "apns-expiration"
        case .expiration: "expiration"
        case .headers: "headers"
        case .payload: "payload"
        case .status: "status"
        case .attempt: "attempt"
        case .sandbox: "sandbox"
        case .success: "success"
        case .reason: "reason"
        case .error: "error"
        case .event: "event"
        case .aps: "aps"
        case .alert: "alert"
        case .title: "title"
        case .subtitle: "subtitle"
        case .body: "body"
        case .summaryArgument: "summary-arg"
        case .summaryArgumentCount: "summary-arg-count"
        case .threadID: "thread-id"
        case .category: "category"
        case .sound: "sound"
        case .badge: "badge"
        case .contentAvailable: "content-available"
        case .mutableContent: "mutable-content"
        case .interruptionLevel: "interruption-level"
        case .relevanceScore: "relevance-score"
        }
    }
}
