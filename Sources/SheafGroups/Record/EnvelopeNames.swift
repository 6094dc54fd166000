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
    /// The member that Kafka Connect writes next to `payload` when it wraps a record.
    static let schema: String = "schema"
    /// The member that tells a removal from a push (specification §15).
    static let event: String = "event"
    /// The members of a removal that name notifications, and a thread.
    static let removedIdentifiers: String = "ids"
    static let removedThreads: [String] = ["thread", "thread-id", "thread_id", "threadId"]
    /// A member of the payload.
    static let simulatorTarget: String = "Simulator Target Bundle"

    /// The names of a push's priority, which is used only for a finding.
    static let priorities = ["apns-priority", "priority"]
    static let headerPriority = "apns-priority"

    /// Names that other services use. They come after all of those above, for each field in order of precedence.
    enum Other {
        static let timestamps = [
            "time", "@timestamp", "datetime", "date", "Timestamp", "sent-at", "sent_at", "sentAt",
            "created-at",
            "created_at", "createdAt", "occurred",
        ]
        static let apps = ["bundle_id", "bundleId", "bundleID", "apns_topic", "apnsTopic"]
        static let devices = ["device_token", "deviceToken"]
        static let identifiers = ["apns_id", "apnsId", "apnsID"]
        static let collapseIdentifiers = [
            "apns_collapse_id", "apnsCollapseId", "apnsCollapseID", "collapse_id", "collapseId", "collapseID",
        ]
        static let pushTypes = ["apns_push_type", "apnsPushType", "push_type", "pushType"]
        static let priorities = ["apns_priority", "apnsPriority"]

        static let all =
            timestamps + apps + devices + identifiers + collapseIdentifiers + pushTypes + priorities
    }

    /// The members next to `aps` in the bare form that are not part of the payload as sent.
    static let outsideBarePayload =
        [payload, headers, simulatorTarget] + timestamps + apps + devices + identifiers + collapseIdentifiers
        + pushTypes + priorities + Other.all
}
