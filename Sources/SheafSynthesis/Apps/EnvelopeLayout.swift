/// The fields of a native record in the order in which one kind of server writes them.
struct EnvelopeLayout: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case timestamp, app, device, id, pushType, collapseID, priority, expiration
        /// The push type unless it is `alert`, which is what an absent one means.
        case unusualPushType
        /// A header's number is a string.
        case priorityText, expirationText
        case status, attempt, sandbox, payload
    }

    enum Step: Sendable, Equatable {
        case write(FieldName, Value)
        case beginHeaders
        case endHeaders
    }

    let steps: [Step]

    /// A gateway's log: names as in the provider interface.
    static let flat = EnvelopeLayout(steps: [
        .write(.timestamp, .timestamp), .write(.app, .app), .write(.device, .device), .write(.apnsID, .id),
        .write(.apnsPushType, .pushType), .write(.apnsPriority, .priority),
        .write(.apnsExpiration, .expiration),
        .write(.apnsCollapseID, .collapseID), .write(.payload, .payload),
    ])

    /// A request log: the HTTP headers as they were sent.
    static let headers = EnvelopeLayout(steps: [
        .write(.shortTimestamp, .timestamp), .write(.deviceToken, .device), .beginHeaders,
        .write(.apnsID, .id),
        .write(.apnsTopic, .app), .write(.apnsPushType, .pushType), .write(.apnsPriority, .priorityText),
        .write(.apnsExpiration, .expirationText), .write(.apnsCollapseID, .collapseID), .endHeaders,
        .write(.payload, .payload), .write(.status, .status),
    ])

    /// A queue's log: short names, the payload before the rest.
    static let short = EnvelopeLayout(steps: [
        .write(.id, .id), .write(.topic, .app), .write(.token, .device), .write(.payload, .payload),
        .write(.pushType, .pushType), .write(.collapseID, .collapseID), .write(.priority, .priority),
        .write(.shortTimestamp, .timestamp), .write(.attempt, .attempt),
    ])

    /// A server that names the bundle, knows no identifiers, and writes the push type only where it matters.
    static let bundle = EnvelopeLayout(steps: [
        .write(.timestamp, .timestamp), .write(.bundleID, .app), .write(.device, .device),
        .write(.pushType, .unusualPushType), .write(.apnsCollapseID, .collapseID), .write(.sandbox, .sandbox),
        .write(.payload, .payload),
    ])
}
