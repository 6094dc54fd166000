import SheafBytes

/// Where the scanner puts a payload's fields: of a `payload` object, of a bare record, or of a payload that was
/// logged as a string.
///
/// An object, so that handing it on copies nothing: there are some hundred bytes of slots.
final class PayloadSlots: Sendable {
    typealias Slot = FieldPlan.Slot

    let aps: Slot
    let alert: Slot
    let title: Slot
    let subtitle: Slot
    let body: Slot
    let titleKey: Slot
    let subtitleKey: Slot
    let bodyKey: Slot
    let summaryArgument: Slot
    let summaryCount: Slot
    let alertThread: Slot
    let thread: Slot
    let category: Slot
    let simulatorTarget: Slot

    /// The fields that are noted when they are of a kind that they should not be.
    private let typeFindings: [(slot: Slot, finding: Finding)]

    /// Adds the fields to `plan`, below `payload` or at the top.
    init(to plan: inout FieldPlan, below payload: Slot? = nil) {
        var typeFindings: [(slot: Slot, finding: Finding)] = []
        func field(_ name: String, in parent: Slot, _ expected: FieldKinds, _ finding: Finding) -> Slot {
            let slot = plan.field(name, in: parent, expecting: expected)
            typeFindings.append((slot, finding))
            return slot
        }
        aps = plan.field("aps", in: payload)
        alert = field("alert", in: aps, [.string, .object], .alertType)
        title = field("title", in: alert, .string, .titleType)
        subtitle = field("subtitle", in: alert, .string, .subtitleType)
        body = field("body", in: alert, .string, .bodyType)
        titleKey = field("title-loc-key", in: alert, .string, .titleLocKeyType)
        subtitleKey = field("subtitle-loc-key", in: alert, .string, .subtitleLocKeyType)
        bodyKey = field("loc-key", in: alert, .string, .locKeyType)
        _ = field("title-loc-args", in: alert, .array, .titleLocArgsType)
        _ = field("subtitle-loc-args", in: alert, .array, .subtitleLocArgsType)
        _ = field("loc-args", in: alert, .array, .locArgsType)
        summaryArgument = field("summary-arg", in: alert, .string, .summaryArgType)
        summaryCount = plan.field("summary-arg-count", in: alert)
        // Looked at only where the thread identifier is not in its own place.
        alertThread = plan.field("thread-id", in: alert, expecting: .string)
        thread = field("thread-id", in: aps, .string, .threadType)
        category = field("category", in: aps, .string, .categoryType)
        _ = field("sound", in: aps, [.string, .object], .soundType)
        _ = field("badge", in: aps, .number, .badgeType)
        _ = field("content-available", in: aps, .number, .contentAvailableType)
        _ = field("mutable-content", in: aps, .number, .mutableContentType)
        _ = field("interruption-level", in: aps, .string, .interruptionLevelType)
        _ = field("relevance-score", in: aps, .number, .relevanceScoreType)
        simulatorTarget = plan.field("Simulator Target Bundle", in: payload)
        self.typeFindings = typeFindings
    }

    /// Which fields have a value of the wrong kind; they count as absent.
    @inline(__always)
    func findings(of scanner: borrowing FieldScanner) -> FindingSet {
        var findings = FindingSet()
        guard scanner.hasMistyped else { return findings }
        for (slot, finding) in typeFindings where scanner.isMistyped(slot) { findings.insert(finding) }
        return findings
    }
}

/// Where the scanner puts a line's fields: the envelope's, with both places where a payload may be.
final class EnvelopeSlots: Sendable {
    typealias Slot = FieldPlan.Slot

    let payload: Slot
    let inPayload: PayloadSlots
    /// The payload's fields at the top, in the bare form.
    let bare: PayloadSlots
    /// Of each of these the slots are in the order in which the names are looked at.
    let timestamps: FieldPlan.Slots
    let apps: FieldPlan.Slots
    let devices: FieldPlan.Slots
    let identifiers: FieldPlan.Slots
    let collapseIdentifiers: FieldPlan.Slots
    let pushTypes: FieldPlan.Slots
    /// The names among the headers come behind those of the line itself.
    let headerApp: Slot
    let headerIdentifier: Slot
    let headerCollapseIdentifier: Slot
    let headerPushType: Slot

    init(to plan: inout FieldPlan) {
        payload = plan.field("payload")
        inPayload = PayloadSlots(to: &plan, below: payload)
        bare = PayloadSlots(to: &plan)
        timestamps = plan.fields(["timestamp", "ts"])
        apps = plan.fields(["app", "topic", "apns-topic", "bundle-id"])
        devices = plan.fields(["device", "device-token", "token"])
        identifiers = plan.fields(["apns-id", "id"])
        collapseIdentifiers = plan.fields(["apns-collapse-id", "collapse-id"])
        pushTypes = plan.fields(["apns-push-type", "push-type"])
        let headers = plan.field("headers")
        headerApp = plan.field("apns-topic", in: headers)
        headerIdentifier = plan.field("apns-id", in: headers)
        headerCollapseIdentifier = plan.field("apns-collapse-id", in: headers)
        headerPushType = plan.field("apns-push-type", in: headers)
    }
}
