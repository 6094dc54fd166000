import SheafBytes

/// Where the scanner puts what checks look at in a payload: of a `payload` object, of a bare record, or of a payload that
/// was logged as a string.
struct CheckedPayloadSlots {
    typealias Slot = FieldPlan.Slot

    let alert: Slot
    let category: Slot
    let contentAvailable: Slot
    let badge: Slot
    let sound: Slot
    let simulatorTarget: Slot

    /// Adds the fields to `plan`, below `payload` or at the top.
    init(to plan: inout FieldPlan, below payload: Slot? = nil) {
        let aps = plan.field("aps", in: payload)
        alert = plan.field("alert", in: aps)
        category = plan.field("category", in: aps)
        contentAvailable = plan.field("content-available", in: aps)
        badge = plan.field("badge", in: aps)
        sound = plan.field("sound", in: aps)
        simulatorTarget = plan.field(EnvelopeNames.simulatorTarget, in: payload)
    }
}

/// Where the scanner puts what checks look at in a line.
struct CheckedSlots {
    typealias Slot = FieldPlan.Slot

    let payload: Slot
    let inPayload: CheckedPayloadSlots
    /// The payload's fields at the top, in the bare form.
    let bare: CheckedPayloadSlots
    /// Of each of these the slots are in the order in which the names are looked at (specification §2).
    let apps: FieldPlan.Slots
    let pushTypes: FieldPlan.Slots
    /// In the order in which they are looked at, `headers` last.
    let priorities: (Slot, Slot, Slot)
    /// The names among the headers come behind those of the line itself.
    let headerApp: Slot
    let headerPushType: Slot

    init(to plan: inout FieldPlan) {
        payload = plan.field(EnvelopeNames.payload)
        inPayload = CheckedPayloadSlots(to: &plan, below: payload)
        bare = CheckedPayloadSlots(to: &plan)
        apps = plan.fields(EnvelopeNames.apps)
        pushTypes = plan.fields(EnvelopeNames.pushTypes)
        let priority = plan.field(EnvelopeNames.priorities[0])
        let plainPriority = plan.field(EnvelopeNames.priorities[1])
        let headers = plan.field(EnvelopeNames.headers)
        headerApp = plan.field(EnvelopeNames.headerApp, in: headers)
        headerPushType = plan.field(EnvelopeNames.headerPushType, in: headers)
        priorities = (priority, plainPriority, plan.field(EnvelopeNames.headerPriority, in: headers))
    }
}
