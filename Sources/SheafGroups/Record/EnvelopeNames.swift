/// The names of an envelope's fields, in order of precedence (specification §2).
enum EnvelopeNames {
    static let payload: String = "payload"
    static let timestamps: [String] = ["timestamp", "ts"]
    static let apps: [String] = ["app", "topic", "apns-topic", "bundle-id"]
    static let devices: [String] = ["device", "device-token", "token"]
    static let identifiers: [String] = ["apns-id", "id"]
    static let collapseIdentifiers: [String] = ["apns-collapse-id", "collapse-id"]
    static let pushTypes: [String] = ["apns-push-type", "push-type"]
    /// The object whose names come after those above.
    static let headers: String = "headers"
    static let headerApp: String = "apns-topic"
    static let headerIdentifier: String = "apns-id"
    static let headerCollapseIdentifier: String = "apns-collapse-id"
    static let headerPushType: String = "apns-push-type"
    /// A member of the payload.
    static let simulatorTarget: String = "Simulator Target Bundle"

    /// The names of a push's priority, which is used only for a finding.
    static let priorities = ["apns-priority", "priority"]
    static let headerPriority = "apns-priority"

    /// The members next to `aps` in the bare form that are not part of the payload as sent.
    static let outsideBarePayload =
        [payload, headers, simulatorTarget] + timestamps + apps + devices + identifiers + collapseIdentifiers
        + pushTypes + priorities
}
