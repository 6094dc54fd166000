import SheafBytes

/// Where the scanner puts a payload's fields: of a `payload` object, of a bare record, or of a payload that was
/// logged as a string.
struct PayloadSlots {
    typealias Slot = FieldPlan.Slot

    let aps: Slot
    let alert: Slot
    let title: Slot
    let subtitle: Slot
    let body: Slot
    let titleLocKey: Slot
    let titleLocArgs: Slot
    let subtitleLocKey: Slot
    let subtitleLocArgs: Slot
    let locKey: Slot
    let locArgs: Slot
    let summaryArgument: Slot
    let summaryCount: Slot
    let alertThread: Slot
    let thread: Slot
    let category: Slot
    let sound: Slot
    let badge: Slot
    let contentAvailable: Slot
    let mutableContent: Slot
    let interruptionLevel: Slot
    let relevanceScore: Slot
    let simulatorTarget: Slot

    /// Adds the fields to `plan`, below `payload` or at the top.
    init(to plan: inout FieldPlan, below payload: Slot? = nil) {
        aps = plan.field("aps", in: payload)
        alert = plan.field("alert", in: aps)
        title = plan.field("title", in: alert)
        subtitle = plan.field("subtitle", in: alert)
        body = plan.field("body", in: alert)
        titleLocKey = plan.field("title-loc-key", in: alert)
        titleLocArgs = plan.field("title-loc-args", in: alert)
        subtitleLocKey = plan.field("subtitle-loc-key", in: alert)
        subtitleLocArgs = plan.field("subtitle-loc-args", in: alert)
        locKey = plan.field("loc-key", in: alert)
        locArgs = plan.field("loc-args", in: alert)
        summaryArgument = plan.field("summary-arg", in: alert)
        summaryCount = plan.field("summary-arg-count", in: alert)
        alertThread = plan.field("thread-id", in: alert)
        thread = plan.field("thread-id", in: aps)
        category = plan.field("category", in: aps)
        sound = plan.field("sound", in: aps)
        badge = plan.field("badge", in: aps)
        contentAvailable = plan.field("content-available", in: aps)
        mutableContent = plan.field("mutable-content", in: aps)
        interruptionLevel = plan.field("interruption-level", in: aps)
        relevanceScore = plan.field("relevance-score", in: aps)
        simulatorTarget = plan.field("Simulator Target Bundle", in: payload)
    }
}

/// Where the scanner puts a line's fields: the envelope's, with both places where a payload may be.
struct EnvelopeSlots {
    typealias Slot = FieldPlan.Slot

    let payload: Slot
    let inPayload: PayloadSlots
    /// The payload's fields at the top, in the bare form.
    let bare: PayloadSlots
    /// Each of these in the order in which the names are looked at.
    let timestamps: [Slot]
    /// The names that come before the payload's own.
    let apps: [Slot]
    let devices: [Slot]
    let identifiers: [Slot]
    let collapseIdentifiers: [Slot]
    let pushTypes: [Slot]

    init(to plan: inout FieldPlan) {
        payload = plan.field("payload")
        inPayload = PayloadSlots(to: &plan, below: payload)
        bare = PayloadSlots(to: &plan)
        let headers = plan.field("headers")
        let headerTopic = plan.field("apns-topic", in: headers)
        let headerIdentifier = plan.field("apns-id", in: headers)
        let headerCollapse = plan.field("apns-collapse-id", in: headers)
        let headerPushType = plan.field("apns-push-type", in: headers)
        func slots(_ names: String...) -> [Slot] { names.map { plan.field($0) } }
        timestamps = slots("timestamp", "ts")
        apps = slots("app", "topic", "apns-topic", "bundle-id") + [headerTopic]
        devices = slots("device", "device-token", "token")
        identifiers = slots("apns-id", "id") + [headerIdentifier]
        collapseIdentifiers = slots("apns-collapse-id", "collapse-id") + [headerCollapse]
        pushTypes = slots("apns-push-type", "push-type") + [headerPushType]
    }
}
