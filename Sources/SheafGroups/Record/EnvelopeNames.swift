/// What an envelope's fields are called, in the order in which their names are looked at (specification §2).
enum EnvelopeNames {
    static let payload: String = "payload"
    static let timestamps: [String] = ["timestamp", "ts"]
    static let apps: [String] = ["app", "topic", "apns-topic", "bundle-id"]
    static let devices: [String] = ["device", "device-token", "token"]
    static let identifiers: [String] = ["apns-id", "id"]
    static let collapseIdentifiers: [String] = ["apns-collapse-id", "collapse-id"]
    static let pushTypes: [String] = ["apns-push-type", "push-type"]
    /// These come behind the names above.
    static let headers: String = "headers"
    static let headerApp: String = "apns-topic"
    static let headerIdentifier: String = "apns-id"
    static let headerCollapseIdentifier: String = "apns-collapse-id"
    static let headerPushType: String = "apns-push-type"
    /// In the payload.
    static let simulatorTarget: String = "Simulator Target Bundle"

    /// How urgent a push is; nothing is made of it but a finding.
    static let priorities = ["apns-priority", "priority"]
    static let headerPriority = "apns-priority"

    /// What stands beside `aps` in the bare form and is none of the payload that is sent.
    static let besideBarePayload =
        [payload, headers, simulatorTarget] + timestamps + apps + devices + identifiers + collapseIdentifiers
        + pushTypes + priorities
}
