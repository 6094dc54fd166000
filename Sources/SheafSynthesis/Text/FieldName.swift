/// The names of the fields that are written one by one. Names in an app's own data are in its templates.
enum FieldName: Int, CaseIterable, Sendable {
    // Envelope.
    case timestamp, shortTimestamp, app, topic, bundleID, apnsTopic, simulatorTarget
    case device, deviceToken, token
    case apnsID, id, apnsCollapseID, collapseID, apnsPushType, pushType
    case apnsPriority, priority, apnsExpiration, expiration
    case headers, payload, status, attempt, sandbox
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
