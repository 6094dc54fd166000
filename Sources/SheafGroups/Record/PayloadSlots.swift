import SheafBytes

/// Where the scanner puts a payload's fields: of a `payload` object, of a bare record, or of a payload that was
/// logged as a string.
///
/// The fields have slots one after the other, so that the first slot says where all of them are.
struct PayloadSlots {
    enum Field: Int, CaseIterable {
        case aps, alert, title, subtitle, body, titleKey, subtitleKey, bodyKey
        case titleArguments, subtitleArguments, bodyArguments, summaryArgument, summaryCount, alertThread
        case thread, category, sound, badge, contentAvailable, mutableContent, interruptionLevel,
            relevanceScore
        case simulatorTarget
    }

    private struct Definition {
        let name: String
        var parent: Field?
        var expected = FieldKinds.all
        /// What is noted when the field is of a kind that it should not be.
        var finding: Finding?
    }

    private let first: FieldPlan.Slot

    /// Adds the fields to `plan`, below `payload` or at the top.
    init(to plan: inout FieldPlan, below payload: FieldPlan.Slot? = nil) {
        var slots: [FieldPlan.Slot] = []
        for field in Field.allCases {
            let definition = Self.definition(of: field)
            let parent = definition.parent.map { slots[$0.rawValue] } ?? payload
            slots.append(plan.field(definition.name, in: parent, expecting: definition.expected))
        }
        first = slots[0]
        for field in Field.allCases {
            precondition(self[field] == slots[field.rawValue], "fields in the order of their slots")
        }
    }

    @inline(__always)
    subscript(field: Field) -> FieldPlan.Slot { first.following(field.rawValue) }

    private static func definition(of field: Field) -> Definition {
        switch field {
        case .aps: Definition(name: "aps")
        case .alert:
            Definition(name: "alert", parent: .aps, expected: [.string, .object], finding: .alertType)
        case .title: Definition(name: "title", parent: .alert, expected: .string, finding: .titleType)
        case .subtitle:
            Definition(name: "subtitle", parent: .alert, expected: .string, finding: .subtitleType)
        case .body: Definition(name: "body", parent: .alert, expected: .string, finding: .bodyType)
        case .titleKey:
            Definition(name: "title-loc-key", parent: .alert, expected: .string, finding: .titleLocKeyType)
        case .subtitleKey:
            Definition(
                name: "subtitle-loc-key", parent: .alert, expected: .string, finding: .subtitleLocKeyType)
        case .bodyKey: Definition(name: "loc-key", parent: .alert, expected: .string, finding: .locKeyType)
        case .titleArguments:
            Definition(name: "title-loc-args", parent: .alert, expected: .array, finding: .titleLocArgsType)
        case .subtitleArguments:
            Definition(
                name: "subtitle-loc-args", parent: .alert, expected: .array, finding: .subtitleLocArgsType)
        case .bodyArguments:
            Definition(name: "loc-args", parent: .alert, expected: .array, finding: .locArgsType)
        case .summaryArgument:
            Definition(name: "summary-arg", parent: .alert, expected: .string, finding: .summaryArgType)
        case .summaryCount: Definition(name: "summary-arg-count", parent: .alert)
        // Looked at only where the thread identifier is not in its own place.
        case .alertThread: Definition(name: "thread-id", parent: .alert, expected: .string)
        case .thread: Definition(name: "thread-id", parent: .aps, expected: .string, finding: .threadType)
        case .category: Definition(name: "category", parent: .aps, expected: .string, finding: .categoryType)
        case .sound:
            Definition(name: "sound", parent: .aps, expected: [.string, .object], finding: .soundType)
        case .badge: Definition(name: "badge", parent: .aps, expected: .number, finding: .badgeType)
        case .contentAvailable:
            Definition(
                name: "content-available", parent: .aps, expected: .number, finding: .contentAvailableType)
        case .mutableContent:
            Definition(name: "mutable-content", parent: .aps, expected: .number, finding: .mutableContentType)
        case .interruptionLevel:
            Definition(
                name: "interruption-level", parent: .aps, expected: .string, finding: .interruptionLevelType)
        case .relevanceScore:
            Definition(name: "relevance-score", parent: .aps, expected: .number, finding: .relevanceScoreType)
        case .simulatorTarget: Definition(name: EnvelopeNames.simulatorTarget)
        }
    }

    /// Which fields have a value of the wrong kind; they count as absent.
    @inline(__always)
    func findings(of scanner: borrowing FieldScanner) -> FindingSet {
        guard scanner.hasMistyped else { return FindingSet() }
        return mistyped(of: scanner)
    }

    @inline(never)
    private func mistyped(of scanner: borrowing FieldScanner) -> FindingSet {
        var findings = FindingSet()
        for field in Field.allCases where scanner.isMistyped(self[field]) {
            if let finding = Self.definition(of: field).finding { findings.insert(finding) }
        }
        return findings
    }
}

/// Where the scanner puts a line's fields: the envelope's, with both places where a payload may be.
struct EnvelopeSlots {
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
    /// The last of all, so that more fields may be added in it.
    let headers: Slot
    /// The names among the headers come behind those of the line itself.
    let headerApp: Slot
    let headerIdentifier: Slot
    let headerCollapseIdentifier: Slot
    let headerPushType: Slot

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
        headers = plan.field(EnvelopeNames.headers)
        headerApp = plan.field(EnvelopeNames.headerApp, in: headers)
        headerIdentifier = plan.field(EnvelopeNames.headerIdentifier, in: headers)
        headerCollapseIdentifier = plan.field(EnvelopeNames.headerCollapseIdentifier, in: headers)
        headerPushType = plan.field(EnvelopeNames.headerPushType, in: headers)
    }
}
