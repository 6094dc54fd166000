import SheafBytes

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

/// The scanner slots of a line's fields: the envelope's, and the payload's in both forms.
package struct EnvelopeSlots {
    package typealias Slot = FieldPlan.Slot

    package let payload: Slot
    let inPayload: PayloadSlots
    /// The payload's fields at the top level, in the bare form.
    let bare: PayloadSlots
    /// The slots of this and each of the following fields are in order of precedence.
    package let timestamps: FieldPlan.Slots
    package let apps: FieldPlan.Slots
    let devices: FieldPlan.Slots
    let identifiers: FieldPlan.Slots
    package let collapseIdentifiers: FieldPlan.Slots
    package let pushTypes: FieldPlan.Slots
    /// The last top-level slot, so that more fields can be added inside it.
    let headers: Slot
    /// Names among the headers come after those of the line itself.
    package let headerApp: Slot
    let headerIdentifier: Slot
    package let headerCollapseIdentifier: Slot
    package let headerPushType: Slot
    /// The names that come after all others.
    package let others: OtherSlots

    /// The slots of names that few logs use.
    ///
    /// No kind of value is expected for them, so that `FieldScanner.hasMistypedValue` reports whether any of them
    /// occurs: most records do not look for them.
    package struct OtherSlots {
        package let timestamps: FieldPlan.Slots
        package let apps: FieldPlan.Slots
        let devices: FieldPlan.Slots
        let identifiers: FieldPlan.Slots
        package let collapseIdentifiers: FieldPlan.Slots
        package let pushTypes: FieldPlan.Slots

        init(to plan: inout FieldPlan) {
            timestamps = plan.fields(EnvelopeNames.Other.timestamps, expecting: [])
            apps = plan.fields(EnvelopeNames.Other.apps, expecting: [])
            devices = plan.fields(EnvelopeNames.Other.devices, expecting: [])
            identifiers = plan.fields(EnvelopeNames.Other.identifiers, expecting: [])
            collapseIdentifiers = plan.fields(EnvelopeNames.Other.collapseIdentifiers, expecting: [])
            pushTypes = plan.fields(EnvelopeNames.Other.pushTypes, expecting: [])
        }
    }

    init(to plan: inout FieldPlan) {
        payload = plan.field(EnvelopeNames.payload)
        inPayload = PayloadSlots(to: &plan, below: payload)
        bare = PayloadSlots(to: &plan)
        timestamps = plan.fields(EnvelopeNames.timestamps)
        apps = plan.fields(EnvelopeNames.apps)
        devices = plan.fields(EnvelopeNames.devices)
        identifiers = plan.fields(EnvelopeNames.identifiers)
        collapseIdentifiers = plan.fields(EnvelopeNames.collapseIdentifiers)
        pushTypes = plan.fields(EnvelopeNames.pushTypes)
        others = OtherSlots(to: &plan)
        headers = plan.field(EnvelopeNames.headers)
        headerApp = plan.field(EnvelopeNames.headerApp, in: headers)
        headerIdentifier = plan.field(EnvelopeNames.headerIdentifier, in: headers)
        headerCollapseIdentifier = plan.field(EnvelopeNames.headerCollapseIdentifier, in: headers)
        headerPushType = plan.field(EnvelopeNames.headerPushType, in: headers)
    }
}

/// The scanner slots of the fields that only removals have (specification §15).
struct RemovalSlots {
    let event: FieldPlan.Slot
    let identifiers: FieldPlan.Slot
    let threads: FieldPlan.Slots

    init(to plan: inout FieldPlan) {
        event = plan.field(EnvelopeNames.event)
        identifiers = plan.field(EnvelopeNames.removedIdentifiers)
        threads = plan.fields(EnvelopeNames.removedThreads)
    }
}
