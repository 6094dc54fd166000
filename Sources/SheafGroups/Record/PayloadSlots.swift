import SheafBytes

/// The scanner slots of a payload's fields: of a `payload` object, of a bare record, or of a payload that was logged
/// as a string.
///
/// The slots are consecutive, so that the first one determines all others.
struct PayloadSlots {
    enum Field: Int, CaseIterable {
        case aps, alert, title, subtitle, body, titleKey, subtitleKey, bodyKey
        case titleArguments, subtitleArguments, bodyArguments, summaryArgument, summaryCount, alertThread
        case thread, category, sound, badge, contentAvailable, mutableContent, interruptionLevel,
            relevanceScore
        case simulatorTarget
    }

    struct Definition {
        let name: String
        var parent: Field?
        var expected = FieldKinds.all
        /// The finding if the field's value is of the wrong kind.
        var finding: Finding?
    }

    private let first: FieldPlan.Slot

    /// Adds the fields to `plan`, below `payload` or at the top level.
    init(to plan: inout FieldPlan, below payload: FieldPlan.Slot? = nil) {
        var slots: [FieldPlan.Slot] = []
        for field in Field.allCases {
            let definition = Self.definition(of: field)
            let parent = definition.parent.map { slots[$0.rawValue] } ?? payload
            slots.append(plan.field(definition.name, in: parent, expecting: definition.expected))
        }
        first = slots[0]
        for field in Field.allCases {
            precondition(self[field] == slots[field.rawValue], "slots must be consecutive")
        }
    }

    @inline(__always)
    subscript(field: Field) -> FieldPlan.Slot { first.advanced(by: field.rawValue) }

    static func definition(of field: Field) -> Definition {
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
        // Used only if `aps` has no thread identifier.
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

    /// Returns the findings for fields whose value is of the wrong kind. Such fields count as absent.
    @inline(__always)
    func findings(of scanner: borrowing FieldScanner) -> FindingSet {
        guard scanner.hasMistypedValue else { return FindingSet() }
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

/// The scanner slots of a line's fields: the envelope's, and the payload's in both forms.
struct EnvelopeSlots {
    typealias Slot = FieldPlan.Slot

    let payload: Slot
    let inPayload: PayloadSlots
    /// The payload's fields at the top level, in the bare form.
    let bare: PayloadSlots
    /// The slots of this and each of the following fields are in order of precedence.
    let timestamps: FieldPlan.Slots
    let apps: FieldPlan.Slots
    let devices: FieldPlan.Slots
    let identifiers: FieldPlan.Slots
    let collapseIdentifiers: FieldPlan.Slots
    let pushTypes: FieldPlan.Slots
    /// The last top-level slot, so that more fields can be added inside it.
    let headers: Slot
    /// Names among the headers come after those of the line itself.
    let headerApp: Slot
    let headerIdentifier: Slot
    let headerCollapseIdentifier: Slot
    let headerPushType: Slot
    /// The names that come after all others.
    let others: OtherSlots

    /// The slots of names that few logs use.
    ///
    /// No kind of value is expected for them, so that `FieldScanner.hasMistypedValue` reports whether any of them
    /// occurs: most records do not look for them.
    struct OtherSlots {
        let timestamps: FieldPlan.Slots
        let apps: FieldPlan.Slots
        let devices: FieldPlan.Slots
        let identifiers: FieldPlan.Slots
        let collapseIdentifiers: FieldPlan.Slots
        let pushTypes: FieldPlan.Slots

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
