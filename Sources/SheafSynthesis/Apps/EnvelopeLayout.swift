/// The fields of a native record, in the order in which a kind of server writes them.
struct EnvelopeLayout: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case timestamp, app, device, id, pushType, collapseID, priority, expiration
        /// The push type, omitted if it is `alert`, which is the default.
        case unusualPushType
        /// Numbers in headers, which are strings.
        case priorityText, expirationText
        case status, attempt, sandbox, payload
    }

    enum Step: Sendable, Equatable {
        case write(FieldName, Value)
        case beginHeaders
        case endHeaders
    }

    let steps: [Step]

    /// A gateway's log, with the names of Apple's provider API.
    static let flat = EnvelopeLayout(steps: [
        .write(.timestamp, .timestamp), .write(.app, .app), .write(.device, .device), .write(.apnsID, .id),
        .write(.apnsPushType, .pushType), .write(.apnsPriority, .priority),
        .write(.apnsExpiration, .expiration),
        .write(.apnsCollapseID, .collapseID), .write(.payload, .payload),
    ])

    /// A request log, with the HTTP headers as sent.
    static let headers = EnvelopeLayout(steps: [
        .write(.shortTimestamp, .timestamp), .write(.deviceToken, .device), .beginHeaders,
        .write(.apnsID, .id),
        .write(.apnsTopic, .app), .write(.apnsPushType, .pushType), .write(.apnsPriority, .priorityText),
        .write(.apnsExpiration, .expirationText), .write(.apnsCollapseID, .collapseID), .endHeaders,
        .write(.payload, .payload), .write(.status, .status),
    ])

    /// A queue's log, with short names and the payload before most other fields.
    static let short = EnvelopeLayout(steps: [
        .write(.id, .id), .write(.topic, .app), .write(.token, .device), .write(.payload, .payload),
        .write(.pushType, .pushType), .write(.collapseID, .collapseID), .write(.priority, .priority),
        .write(.shortTimestamp, .timestamp), .write(.attempt, .attempt),
    ])

    /// The log of a server that names the bundle, has no record identifiers, and omits the default push type.
    static let bundle = EnvelopeLayout(steps: [
        .write(.timestamp, .timestamp), .write(.bundleID, .app), .write(.device, .device),
        .write(.pushType, .unusualPushType), .write(.apnsCollapseID, .collapseID), .write(.sandbox, .sandbox),
        .write(.payload, .payload),
    ])
}
